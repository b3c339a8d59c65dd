/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-call-request.h"
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

#define BECKON_TYPE_PLAN_REQUEST (beckon_plan_request_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPlanRequest, beckon_plan_request, BECKON, PLAN_REQUEST, BeckonCallRequest)

/**
 * BeckonPlanRequest:
 *
 * A proposed plan: accepted, changed, dismissed, or asked for anew. See beckon_request_get_plan().
 */

/** @id: (nullable): %NULL makes one. @plan: it is copied. Nothing of it runs before it is accepted. */
BeckonRequest *beckon_plan_request_new (const char *id, const char *conversation_id, const char *message_id,
                                        const char *call_id, const BeckonPlan *plan,
                                        gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/** Stamps of the files that its steps name, from before it was shown; set before it is stored. @files: (nullable). */
const char *beckon_plan_request_get_files (BeckonRequest *request);
void        beckon_plan_request_set_files (BeckonRequest *request, const char *files);

/** (transfer full) (nullable): how many files are in each folder that @step moves or deletes, as they stood when the stamps
 *  were taken: a translated line for each, "In .cache: 4 files". */
char *beckon_plan_request_list_contents (BeckonRequest *request, const BeckonPlanStep *step) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
