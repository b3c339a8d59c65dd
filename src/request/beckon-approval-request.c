/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-approval-request.h"

#include "beckon-config.h"
#include "beckon-settlement.h"
#include "form/beckon-request-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define KIND "approval"

char *
beckon_approval_draft_to_json (const BeckonApprovalDraft *draft)
{
  GString *json;
  BeckonJsonWriter writer;

  if (draft->arguments == NULL && (draft->feedback == NULL || *draft->feedback == '\0'))
    return NULL;
  json = g_string_new (NULL);
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "draft", KIND);
  beckon_request_json_member (&writer, "arguments", draft->arguments);
  beckon_request_json_member (&writer, "feedback", draft->feedback);
  beckon_request_json_member (&writer, "page", draft->page);
  beckon_json_writer_end_object (&writer);
  return g_string_free (json, FALSE);
}

/* Before arguments could be edited here a draft was what is the feedback now. */
void
beckon_approval_draft_read (BeckonApprovalDraft *draft, const char *json)
{
  g_autoptr (JsonObject) object = json != NULL ? beckon_json_parse_object (json, -1, NULL) : NULL;

  memset (draft, 0, sizeof *draft);
  if (g_strcmp0 (beckon_json_get_string (object, "draft"), KIND) != 0)
    {
      draft->feedback = g_strdup (json);
      return;
    }
  draft->arguments = g_strdup (beckon_json_get_string (object, "arguments"));
  draft->feedback = g_strdup (beckon_json_get_string (object, "feedback"));
  draft->page = g_strdup (beckon_json_get_string (object, "page"));
}

void
beckon_approval_draft_clear (BeckonApprovalDraft *draft)
{
  g_clear_pointer (&draft->arguments, g_free);
  g_clear_pointer (&draft->feedback, g_free);
  g_clear_pointer (&draft->page, g_free);
}

struct _BeckonApprovalRequest
{
  BeckonCallRequest parent_instance;

  char *reason;                   /* (nullable) */
  BeckonApprovalDetails *details; /* (nullable) */
  BeckonCallPreview *preview;     /* (nullable) */
};

G_DEFINE_FINAL_TYPE (BeckonApprovalRequest, beckon_approval_request, BECKON_TYPE_CALL_REQUEST)

const BeckonCallPreview *
beckon_request_get_preview (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return BECKON_IS_APPROVAL_REQUEST (request) ? BECKON_APPROVAL_REQUEST (request)->preview : NULL;
}

void
beckon_request_set_preview (BeckonRequest *request, BeckonCallPreview *preview)
{
  BeckonApprovalRequest *self = BECKON_APPROVAL_REQUEST (request);

  g_clear_pointer (&self->preview, beckon_call_preview_unref);
  self->preview = beckon_call_preview_ref (preview);
}

BeckonRequest *
beckon_approval_request_new (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                             const char *tool, const char *arguments, const char *reason, gint64 asked_at)
{
  BeckonApprovalRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (tool != NULL && arguments != NULL, NULL);

  self = g_object_new (BECKON_TYPE_APPROVAL_REQUEST, NULL);
  beckon_call_request_set_up (BECKON_CALL_REQUEST (self), id, conversation_id, message_id, call_id, tool, arguments,
                              asked_at);
  self->reason = g_strdup (reason);
  return BECKON_REQUEST (self);
}

/* (nullable) */
static BeckonApprovalRequest *
get_self (BeckonRequest *request)
{
  return BECKON_IS_APPROVAL_REQUEST (request) ? BECKON_APPROVAL_REQUEST (request) : NULL;
}

const char *
beckon_request_get_reason (BeckonRequest *request)
{
  const BeckonApprovalRequest *self = get_self (request);

  return self != NULL ? self->reason : NULL;
}

const BeckonApprovalDetails *
beckon_request_get_details (BeckonRequest *request)
{
  const BeckonApprovalRequest *self = get_self (request);

  return self != NULL ? self->details : NULL;
}

void
beckon_request_take_details (BeckonRequest *request, BeckonApprovalDetails *details)
{
  BeckonApprovalRequest *self = get_self (request);

  g_return_if_fail (self != NULL && self->details == NULL);

  self->details = details;
}

static gboolean
beckon_approval_request_read_members (BeckonCallRequest *request, JsonObject *object, GError **error)
{
  BeckonApprovalRequest *self = BECKON_APPROVAL_REQUEST (request);

  self->reason = g_strdup (beckon_json_get_string (object, "reason"));
  if (beckon_json_get_boolean (object, "outcome_unknown", FALSE))
    beckon_call_request_set_outcome_unknown (request);
  if (beckon_json_get_object (object, "details") != NULL)
    self->details = beckon_approval_details_read (beckon_json_get_object (object, "details"));
  return TRUE;
}

static void
beckon_approval_request_write_members (BeckonCallRequest *request, BeckonJsonWriter *writer)
{
  const BeckonApprovalRequest *self = BECKON_APPROVAL_REQUEST (request);

  beckon_request_json_member (writer, "reason", self->reason);
  if (self->details != NULL)
    {
      beckon_json_writer_name (writer, "details");
      beckon_approval_details_write (self->details, writer);
    }
  if (beckon_request_get_outcome_unknown (BECKON_REQUEST (request)))
    beckon_json_writer_member_boolean (writer, "outcome_unknown", TRUE);
}

/* A step can also be skipped, and its plan be changed or asked for anew. */
static gboolean
beckon_approval_request_takes (BeckonRequest *request, BeckonAnswerKind kind)
{
  gboolean is_about_plan
      = kind == BECKON_ANSWER_SKIP || kind == BECKON_ANSWER_PLAN || kind == BECKON_ANSWER_ASKED_BACK;

  return (is_about_plan && beckon_request_get_step (request) != NULL)
         || BECKON_REQUEST_CLASS (beckon_approval_request_parent_class)->takes (request, kind);
}

static gboolean
check_edited (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  g_autoptr (JsonObject) arguments = answer->text != NULL ? beckon_json_parse_object (answer->text, -1, NULL) : NULL;

  if (arguments == NULL)
    return beckon_request_refuse (error, _("The changed arguments are not a JSON object."));
  return beckon_approval_details_check_edit (beckon_request_get_details (request), beckon_request_get_arguments (request),
                                             answer->text, error);
}

static gboolean
beckon_approval_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  if (answer->kind == BECKON_ANSWER_PLAN)
    return beckon_call_request_check_document (BECKON_CALL_REQUEST (request), answer, TRUE, error);
  if (answer->kind == BECKON_ANSWER_APPROVED_EDITED && !check_edited (request, answer, error))
    return FALSE;

  for (guint i = 0; answer->remember != NULL && i < answer->remember->len; i++)
    {
      const BeckonRule *rule = g_ptr_array_index (answer->remember, i);
      BeckonVerdict verdict = answer->kind == BECKON_ANSWER_DECLINED ? BECKON_VERDICT_DENY : BECKON_VERDICT_ALLOW;

      /* An answer makes rules about what it answers and about nothing else. */
      if (rule->verdict != verdict || g_strcmp0 (rule->tool, beckon_request_get_tool (request)) != 0
          || (rule->conversation_id != NULL
              && g_strcmp0 (rule->conversation_id, beckon_request_get_conversation_id (request)) != 0))
        return beckon_request_refuse (error, _("The permission to remember doesn't apply to this call."));
    }
  return TRUE;
}

static void
settle_step (const BeckonAnswer *answer, BeckonStepOutcome outcome, const char *said, BeckonSettlement *settlement)
{
  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
  settlement->is_error = TRUE;
  settlement->outcome = outcome;
  settlement->result
      = g_strconcat (said, " It " BECKON_SETTLEMENT_NOT_RUN, answer->kind == BECKON_ANSWER_DECLINED && answer->text != NULL
                     ? " They said: " : NULL, answer->text, NULL);
  if (outcome == BECKON_STEP_OUTCOME_REPLACED)
    settlement->plan = g_strdup (answer->text);
}

static void
beckon_approval_request_settle_call (BeckonRequest *request, const BeckonAnswer *answer, BeckonSettlement *settlement)
{
  if (answer->kind == BECKON_ANSWER_APPROVED || answer->kind == BECKON_ANSWER_APPROVED_EDITED)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_GO;
      if (answer->kind == BECKON_ANSWER_APPROVED_EDITED)
        settlement->arguments = g_strdup (answer->text);
    }
  else if (beckon_request_get_step (request) != NULL && answer->kind == BECKON_ANSWER_SKIP)
    settle_step (answer, BECKON_STEP_OUTCOME_SKIPPED, "The user skipped this step.", settlement);
  else if (beckon_request_get_step (request) != NULL && answer->kind == BECKON_ANSWER_DECLINED
           && !beckon_request_get_outcome_unknown (request))
    settle_step (answer, BECKON_STEP_OUTCOME_SKIPPED, "The user denied this step.", settlement);
  else if (beckon_request_get_step (request) != NULL && answer->kind == BECKON_ANSWER_PLAN)
    settle_step (answer, BECKON_STEP_OUTCOME_REPLACED, "The user changed the plan when this step was next.", settlement);
  else if (beckon_request_get_step (request) != NULL && answer->kind == BECKON_ANSWER_ASKED_BACK)
    settle_step (answer, BECKON_STEP_OUTCOME_REPLAN, "The user asked for another plan when this step was next.", settlement);
  else
    beckon_call_request_settle_refused (BECKON_CALL_REQUEST (request), answer, settlement);
}

static char *
beckon_approval_request_dup_summary (BeckonRequest *request, const BeckonAnswer *answer)
{
  if (beckon_request_get_step (request) != NULL && answer->kind == BECKON_ANSWER_PLAN)
    return g_strdup (_("The plan was changed"));
  if (beckon_request_get_step (request) != NULL && answer->kind == BECKON_ANSWER_SKIP)
    return g_strdup (_("Skipped"));
  if (beckon_request_get_step (request) != NULL && answer->kind == BECKON_ANSWER_ASKED_BACK)
    return g_strdup (_("Another plan was asked for"));
  return beckon_answer_to_summary (answer, NULL);
}

static void
beckon_approval_request_finalize (GObject *object)
{
  BeckonApprovalRequest *self = BECKON_APPROVAL_REQUEST (object);

  g_free (self->reason);
  g_clear_pointer (&self->details, beckon_approval_details_free);
  g_clear_pointer (&self->preview, beckon_call_preview_unref);
  G_OBJECT_CLASS (beckon_approval_request_parent_class)->finalize (object);
}

static void
beckon_approval_request_class_init (BeckonApprovalRequestClass *klass)
{
  BeckonRequestClass *request_class = BECKON_REQUEST_CLASS (klass);
  BeckonCallRequestClass *call_class = BECKON_CALL_REQUEST_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_approval_request_finalize;
  request_class->kind = "approval";
  request_class->answers = 1 << BECKON_ANSWER_APPROVED | 1 << BECKON_ANSWER_APPROVED_EDITED | 1 << BECKON_ANSWER_DECLINED;
  request_class->refusal = N_("This is not a question. Run the tool, deny it or stop the run.");
  request_class->takes = beckon_approval_request_takes;
  request_class->check_answer = beckon_approval_request_check_answer;
  request_class->settle_call = beckon_approval_request_settle_call;
  request_class->dup_summary = beckon_approval_request_dup_summary;
  call_class->read_members = beckon_approval_request_read_members;
  call_class->write_members = beckon_approval_request_write_members;
}

static void
beckon_approval_request_init (BeckonApprovalRequest *self)
{
}
