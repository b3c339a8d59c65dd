/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan-tools.h"

G_DEFINE_INTERFACE (BeckonPlanTools, beckon_plan_tools, G_TYPE_OBJECT)

static void
beckon_plan_tools_default_init (BeckonPlanToolsInterface *iface)
{
}

gboolean
beckon_plan_tools_check (BeckonPlanTools *self, BeckonRequest *request, const BeckonPlan *plan, GError **error)
{
  return BECKON_PLAN_TOOLS_GET_IFACE (self)->check (self, request, plan, error);
}

char **
beckon_plan_tools_list_names (BeckonPlanTools *self, const char *conversation_id)
{
  g_return_val_if_fail (BECKON_IS_PLAN_TOOLS (self), NULL);
  g_return_val_if_fail (conversation_id != NULL, NULL);

  return BECKON_PLAN_TOOLS_GET_IFACE (self)->list_names (self, conversation_id);
}
