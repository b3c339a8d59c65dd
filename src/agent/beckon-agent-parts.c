/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-parts.h"

void
beckon_agent_parts_init (BeckonAgentParts *to, const BeckonAgentParts *from)
{
  to->store = g_object_ref (from->store);
  to->library = g_object_ref (from->library);
  to->profiles = g_object_ref (from->profiles);
  to->inbox = g_object_ref (from->inbox);
  to->provider = g_object_ref (from->provider);
  to->tools = g_object_ref (from->tools);
  to->settings = g_object_ref (from->settings);
  to->clock = g_object_ref (from->clock);
}

void
beckon_agent_parts_clear (BeckonAgentParts *parts)
{
  g_clear_object (&parts->store);
  g_clear_object (&parts->library);
  g_clear_object (&parts->profiles);
  g_clear_object (&parts->inbox);
  g_clear_object (&parts->provider);
  g_clear_object (&parts->tools);
  g_clear_object (&parts->settings);
  g_clear_object (&parts->clock);
}
