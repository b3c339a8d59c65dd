/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-plan.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PLAN_TOOLS (beckon_plan_tools_get_type ())
G_DECLARE_INTERFACE (BeckonPlanTools, beckon_plan_tools, BECKON, PLAN_TOOLS, GObject)

/**
 * BeckonPlanTools:
 * @check: whether the steps that a person wrote or changed can run as they stand
 * @list_names: (transfer full): the tools that a step of a plan can use in a conversation
 *
 * What there is to make steps of, for a room that knows no tools. Main thread.
 */
struct _BeckonPlanToolsInterface
{
  GTypeInterface parent_iface;

  gboolean (*check) (BeckonPlanTools *self, BeckonRequest *request, const BeckonPlan *plan, GError **error);
  char **(*list_names) (BeckonPlanTools *self, const char *conversation_id);
};

/** %FALSE with %BECKON_REQUEST_ERROR_INVALID, translated: the tool is not there, its schema, an override or a rule forbids
 *  it. */
gboolean beckon_plan_tools_check (BeckonPlanTools *self, BeckonRequest *request, const BeckonPlan *plan, GError **error);

/** (transfer full) */
char **beckon_plan_tools_list_names (BeckonPlanTools *self, const char *conversation_id) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
