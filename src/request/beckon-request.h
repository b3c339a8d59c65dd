/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-choice.h"
#include "domain/beckon-plan.h"
#include "domain/beckon-request-error.h"
#include "request/beckon-answer.h"
#include "request/beckon-approval-details.h"
#include "request/beckon-approval-reason.h"

#include <glib-object.h>

G_BEGIN_DECLS

typedef enum
{
  BECKON_REQUEST_QUESTION,
  BECKON_REQUEST_APPROVAL,
  BECKON_REQUEST_FORM,
  BECKON_REQUEST_PLAN,
  BECKON_REQUEST_CHANGES,
} BeckonRequestKind;

/** Where a request stands: pending, then exactly one of the others. */
typedef enum
{
  BECKON_REQUEST_PENDING,
  BECKON_REQUEST_ANSWERED,
  BECKON_REQUEST_SKIPPED,
  BECKON_REQUEST_DELEGATED,
  BECKON_REQUEST_ASKED_BACK,
  BECKON_REQUEST_DECLINED,
  BECKON_REQUEST_CANCELLED,
  BECKON_REQUEST_TIMED_OUT,
  BECKON_REQUEST_UNAVAILABLE,
} BeckonRequestState;

#define BECKON_REQUEST_N_STATES (BECKON_REQUEST_UNAVAILABLE + 1)

#define BECKON_TYPE_REQUEST (beckon_request_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRequest, beckon_request, BECKON, REQUEST, GObject)

/**
 * BeckonRequest:
 *
 * One thing an agent needs from a person. One object per request and process. Main thread. Properties, notified: `state`
 * (int, a #BeckonRequestState), `draft` (string), `due-at` (int64).
 */

/** @id: (nullable): %NULL makes one. @call_id: our id of the call that waits for it. */
BeckonRequest *beckon_request_new_question (const char *id, const char *conversation_id, const char *message_id,
                                            const char *call_id, BeckonQuestion *question,
                                            gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/** @arguments: the JSON text that would run. @reason: (nullable): the policy's rule, in words. */
BeckonRequest *beckon_request_new_approval (const char *id, const char *conversation_id, const char *message_id,
                                            const char *call_id, const char *tool, const char *arguments,
                                            const char *reason, gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_request_new_outcome:
 * @id: (nullable): %NULL makes one
 * @conversation_id: whose run it is
 * @message_id: (nullable): the message that holds the call
 * @call_id: (nullable): our id of the call
 * @tool: what was running when its program ended
 * @arguments: the JSON text that ran
 * @started_at: when it began, in microseconds since the epoch; 0 if that is not known
 * @asked_at: the same of the request
 *
 * A form: whether the call took effect nobody knows. The person looks and says what became of it, has the very same run
 * again, or skips it.
 *
 * Returns: (transfer full): a pending request
 */
BeckonRequest *beckon_request_new_outcome (const char *id, const char *conversation_id, const char *message_id,
                                           const char *call_id, const char *tool, const char *arguments,
                                           gint64 started_at, gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/** @plan: what is proposed; it is copied. Nothing of it runs before it is accepted. */
BeckonRequest *beckon_request_new_plan (const char *id, const char *conversation_id, const char *message_id,
                                        const char *call_id, const BeckonPlan *plan,
                                        gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_request_new_changes:
 * @id: (nullable): %NULL makes one
 * @conversation_id: whose run it is
 * @message_id: (nullable): the message that holds the call
 * @call_id: (nullable): our id of the call
 * @tool: what made the changes
 * @arguments: the JSON text that ran
 * @changes: what it changed, with what is to be decided open; it is copied
 * @asked_at: microseconds since the epoch
 *
 * A command has ended, and what it changed is not in the folder yet: the person keeps it, whole or in part, or leaves it out.
 *
 * Returns: (transfer full): a pending request
 */
BeckonRequest *beckon_request_new_changes (const char *id, const char *conversation_id, const char *message_id,
                                           const char *call_id, const char *tool, const char *arguments,
                                           const BeckonChangeSet *changes, gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/** Rebuilds a stored one from its kind's word and its body. %NULL with an error when the body cannot be read. */
BeckonRequest *beckon_request_new_from_body (const char *id, const char *conversation_id, const char *message_id,
                                             const char *call_id, const char *kind, const char *body, gint64 asked_at,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

const char        *beckon_request_get_id (BeckonRequest *request);
const char        *beckon_request_get_conversation_id (BeckonRequest *request);
const char        *beckon_request_get_message_id (BeckonRequest *request);
const char        *beckon_request_get_call_id (BeckonRequest *request);
BeckonRequestKind  beckon_request_get_kind (BeckonRequest *request);
gint64             beckon_request_get_asked_at (BeckonRequest *request);
BeckonRequestState beckon_request_get_state (BeckonRequest *request);

/** %NULL unless it is a question. Borrowed. */
BeckonQuestion *beckon_request_get_question (BeckonRequest *request);

/** What a command changed, as it was when it was asked; %NULL unless it is about changes. Borrowed. */
const BeckonChangeSet *beckon_request_get_changes (BeckonRequest *request);

/** The plan that is proposed, or, for the approval of a step, the plan as it stood when it was asked; %NULL for all else. */
const BeckonPlan *beckon_request_get_plan (BeckonRequest *request);

/** For the approval of a step: which one of beckon_request_get_plan() it is; %NULL for all else. */
const char *beckon_request_get_step (BeckonRequest *request);

/** Makes an approval, or a form, that of a step; before it is stored. Its person may then also skip it, or change the
 *  plan. @plan is copied. */
void beckon_request_set_step (BeckonRequest *request, const BeckonPlan *plan, const char *step_id);

/** %NULL for a question; a form has no reason. Of a plan the arguments are its document. */
const char *beckon_request_get_tool (BeckonRequest *request);
const char *beckon_request_get_arguments (BeckonRequest *request);
const char *beckon_request_get_reason (BeckonRequest *request);

/** Which arguments are not to be seen, as beckon_tool_call_get_redacted(); before it is stored. @concealed: (nullable). */
void beckon_request_set_redacted (BeckonRequest *request, const char *redacted);

/** The same for the plan that it is a step of, by the call that proposed that. @concealed: (nullable). */
void beckon_request_set_plan_redacted (BeckonRequest *request, const char *redacted);

/** What was asked as it may be kept in the log, as JSON: a question, a plan, or the arguments of a call. Caller frees. */
char *beckon_request_dup_logged (BeckonRequest *request);

/** As beckon_request_get_plan(), as far as it may be shown, wherever and to whomever. Caller frees. */
BeckonPlan *beckon_request_dup_shown_plan (BeckonRequest *request);

/** What a person made of that as what it would be of the true one: @edited, a document, with what they were not shown; as
 *  beckon_plan_parameters_restore(). What cannot be read stays as it is. Caller frees; %NULL with @error. */
char *beckon_request_restore_plan (BeckonRequest *request, const char *edited, GError **error);

/** Whether that would take this one step of @edited. */
gboolean beckon_request_check_plan_step (BeckonRequest *request, const BeckonPlan *edited, const char *step_id, GError **error);

/** The arguments as they may be shown, wherever and to whomever; %NULL for a question. Caller frees. */
char *beckon_request_dup_shown_arguments (BeckonRequest *request);

/** What was answered, with as much of changed arguments as may be shown; %NULL without an answer. (transfer full). */
BeckonAnswer *beckon_request_dup_shown_answer (BeckonRequest *request);

/** What a person made of those as what it would be of the true ones: @edited with what they were not shown. Caller frees. */
char *beckon_request_restore_arguments (BeckonRequest *request, const char *edited);

/** Of an approval, what more is known of it; %NULL if nothing is. Borrowed. @details: (transfer full): before it is stored. */
const BeckonApprovalDetails *beckon_request_get_details (BeckonRequest *request);
void                         beckon_request_take_details (BeckonRequest *request, BeckonApprovalDetails *details);

/** For an approval: on what ground it is asked; %NULL if that is not known. Set (transfer full) before it is stored. */
const BeckonApprovalReason *beckon_request_get_ground (BeckonRequest *request);
void                        beckon_request_set_ground (BeckonRequest *request, BeckonApprovalReason *ground);

/** Of one with a ground: what the files were that it is about, once that is known. @files: (nullable). */
void beckon_request_set_files (BeckonRequest *request, const char *files);

/**
 * Whether it is about a call that was running when its program ended, and of which nobody knows whether it took effect. True
 * for every form, and for approvals in old stores: what those approve is that it runs again.
 */
gboolean beckon_request_get_outcome_unknown (BeckonRequest *request);

/** When the call of a form began, in microseconds since the epoch; 0 if that is not known, and for other requests. */
gint64 beckon_request_get_started_at (BeckonRequest *request);

/** Whether the tool of a form can look by itself what became of the call; set before the request is stored. */
gboolean beckon_request_get_can_verify (BeckonRequest *request);
void     beckon_request_set_can_verify (BeckonRequest *request, gboolean can_verify);

/** For a form: that it was running, since when, and that nobody knows what became of it; translated. Caller frees. */
char *beckon_request_dup_outcome_words (BeckonRequest *request);

/** What the store keeps: the kind's word (static) and the body as JSON (caller frees). */
const char *beckon_request_kind_to_string (BeckonRequestKind kind);
char       *beckon_request_dup_body (BeckonRequest *request);

/** A half-made answer as JSON that only the card understands; %NULL if there is none. */
const char *beckon_request_get_draft (BeckonRequest *request);
void        beckon_request_set_draft (BeckonRequest *request, const char *draft);

/** When it times out, in microseconds since the epoch; 0 while nothing ends it. Known to this process alone; #BeckonDeadlines
 *  sets it. */
gint64 beckon_request_get_due_at (BeckonRequest *request);
void   beckon_request_set_due_at (BeckonRequest *request, gint64 due_at);

/** Once settled: what was answered (%NULL for some ends), in which front end ("window", "terminal"…), by whom, when. */
BeckonAnswer *beckon_request_get_answer (BeckonRequest *request);
const char   *beckon_request_get_front_end (BeckonRequest *request);
const char   *beckon_request_get_actor (BeckonRequest *request);
gint64        beckon_request_get_settled_at (BeckonRequest *request);

/** Marks it settled; once. The inbox and the store call this, nobody else. */
void beckon_request_settle (BeckonRequest *request, BeckonRequestState state, BeckonAnswer *answer,
                            const char *front_end, const char *actor, gint64 at);

/**
 * beckon_request_check_answer:
 * @request: a request
 * @answer: an answer
 * @error: return location
 *
 * Checks that @answer is one that this kind of request can have; for a question as beckon_answer_check() does.
 *
 * Returns: %FALSE with %BECKON_REQUEST_ERROR_INVALID and a translated message
 */
gboolean beckon_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error);

/** %TRUE while it waits; %FALSE with %BECKON_REQUEST_ERROR_ALREADY_SETTLED, which says who settled it, where and when. */
gboolean beckon_request_check_pending (BeckonRequest *request, GError **error);

/** How it ended, in one line for people, whether somebody answered or not; %NULL while it is pending. Caller frees. */
char *beckon_request_dup_summary (BeckonRequest *request);

/**
 * beckon_request_check_outcome:
 * @request: a settled request
 * @error: return location
 *
 * For whoever waits for an answer and nothing else will do.
 *
 * Returns: %TRUE if somebody answered, skipped, delegated or asked back; %FALSE with %BECKON_REQUEST_ERROR_DECLINED,
 *   _CANCELLED, _TIMED_OUT or _UNAVAILABLE and a translated message
 */
gboolean beckon_request_check_outcome (BeckonRequest *request, GError **error);

/** The state an answer leads to. */
BeckonRequestState beckon_request_state_for_answer (const BeckonAnswer *answer);

const char *beckon_request_state_to_string (BeckonRequestState state);
gboolean    beckon_request_state_from_string (const char *word, BeckonRequestState *state);

G_END_DECLS
