/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-channel-inbound.h"

#include "base/beckon-id.h"

BeckonChannelInbound *
beckon_channel_inbound_new (const char *message_id, const char *address, const char *body, gint64 at)
{
  BeckonChannelInbound *inbound = g_new0 (BeckonChannelInbound, 1);

  inbound->message_id = g_strdup (message_id);
  inbound->address = g_strdup (address);
  inbound->body = g_strdup (body);
  inbound->target_id = beckon_id_new ();
  inbound->at = at;
  return inbound;
}

BeckonChannelInbound *
beckon_channel_inbound_copy (const BeckonChannelInbound *inbound)
{
  BeckonChannelInbound *copy = g_new0 (BeckonChannelInbound, 1);

  copy->message_id = g_strdup (inbound->message_id);
  copy->address = g_strdup (inbound->address);
  copy->body = g_strdup (inbound->body);
  copy->target_id = g_strdup (inbound->target_id);
  copy->at = inbound->at;
  return copy;
}

void
beckon_channel_inbound_free (BeckonChannelInbound *inbound)
{
  g_free (inbound->message_id);
  g_free (inbound->address);
  g_free (inbound->body);
  g_free (inbound->target_id);
  g_free (inbound);
}
