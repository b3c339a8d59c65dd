/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "domain/beckon-plan.h"
#include "request/beckon-approval-details.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CALL_REQUEST (beckon_call_request_get_type ())
G_DECLARE_DERIVABLE_TYPE (BeckonCallRequest, beckon_call_request, BECKON, CALL_REQUEST, BeckonRequest)

/**
 * BeckonCallRequest:
 *
 * A request about the call of a tool: the tool and its arguments, as much of them as may be shown, and the plan that the call
 * is a step of. The functions below take any request, and give %NULL for one that is about no call.
 */

/**
 * BeckonCallRequestClass:
 * @read_members: reads what @write_members wrote, beside the tool, its arguments and the step
 * @write_members: writes what the class adds to its body
 */
struct _BeckonCallRequestClass
{
  BeckonRequestClass parent_class;

  gboolean (*read_members) (BeckonCallRequest *self, JsonObject *object, GError **error);
  void (*write_members) (BeckonCallRequest *self, BeckonJsonWriter *writer);
};

/** A plan's tool is the one that proposes plans, and its arguments are the document. */
const char *beckon_request_get_tool (BeckonRequest *request);
const char *beckon_request_get_arguments (BeckonRequest *request);

/** On what ground it is asked, and the permissions that an answer may leave behind; %NULL if that is not known. Set (transfer
 *  full) before it is stored. */
const BeckonApprovalReason *beckon_request_get_ground (BeckonRequest *request);
void                        beckon_request_set_ground (BeckonRequest *request, BeckonApprovalReason *ground);

/** The plan that is proposed, or, for the approval of a step, the plan as it stood when it was asked; %NULL for all else. */
const BeckonPlan *beckon_request_get_plan (BeckonRequest *request);

/** For the approval of a step: which one of beckon_request_get_plan() it is; %NULL for all else. */
const char *beckon_request_get_step (BeckonRequest *request);

/** Makes an approval, or one about an outcome, that of a step; before it is stored. Its person may then also skip it, or
 *  change the plan. @plan is copied. */
void beckon_request_set_step (BeckonRequest *request, const BeckonPlan *plan, const char *step_id);

/** Which arguments are not to be seen, as beckon_tool_call_get_redacted(); before it is stored. @redacted: (nullable). */
void beckon_request_set_redacted (BeckonRequest *request, const char *redacted);

/** The same for the plan that it is a step of, by the call that proposed that. @redacted: (nullable). */
void beckon_request_set_plan_redacted (BeckonRequest *request, const char *redacted);

/** The arguments as they may be shown, wherever and to whomever. Caller frees. */
char *beckon_request_dup_shown_arguments (BeckonRequest *request);

/** As beckon_request_get_plan(), as far as it may be shown, wherever and to whomever. Caller frees. */
BeckonPlan *beckon_request_dup_shown_plan (BeckonRequest *request);

/** The answer, with as much of changed arguments as may be shown; %NULL without an answer. (transfer full). */
BeckonAnswer *beckon_request_dup_shown_answer (BeckonRequest *request);

/** Restores hidden values in an edit of the shown arguments: @edited with what the person was not shown. Caller frees. */
char *beckon_request_restore_arguments (BeckonRequest *request, const char *edited);

/** The same of the shown plan: @edited, a document, with what they were not shown; as beckon_plan_parameters_restore(). What
 *  cannot be read stays as it is. Caller frees; %NULL with @error. */
char *beckon_request_restore_plan (BeckonRequest *request, const char *edited, GError **error);

/** Whether that would take this one step of @edited. */
gboolean beckon_request_check_plan_step (BeckonRequest *request, const BeckonPlan *edited, const char *step_id, GError **error);

/** Whether nobody knows what became of the call, which was running when its program ended: of every #BeckonOutcomeRequest, and
 *  of approvals in old stores. What those approve is that it runs again. */
gboolean beckon_request_get_outcome_unknown (BeckonRequest *request);

/* For the classes below. */

void beckon_call_request_set_outcome_unknown (BeckonCallRequest *self);

/** Sets a constructor's values; @id and @message_id and @call_id: (nullable). */
void beckon_call_request_set_up (BeckonCallRequest *self, const char *id, const char *conversation_id, const char *message_id,
                                 const char *call_id, const char *tool, const char *arguments, gint64 asked_at);

/** Takes @tool's proposal. @plan: (transfer full): its document becomes the arguments. */
void beckon_call_request_take_plan (BeckonCallRequest *self, const char *tool, BeckonPlan *plan);

/** (nullable): which arguments are not to be seen. */
const char *beckon_call_request_get_redacted (BeckonCallRequest *self);

/** Checks an answer that is a plan. @while_running: a plan of which nothing is left is over, which one that has not begun
 *  cannot be. */
gboolean beckon_call_request_check_document (BeckonCallRequest *self, const BeckonAnswer *answer, gboolean while_running,
                                             GError **error);

/** Gives the call the result of one that is not run. */
void beckon_call_request_settle_refused (BeckonCallRequest *self, const BeckonAnswer *answer, BeckonSettlement *settlement);

G_END_DECLS
