/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-request.h"

#include "base/beckon-error.h"
#include "beckon-answer-private.h"
#include "beckon-settlement.h"
#include "form/beckon-plan-parameters.h"
#include "form/beckon-request-json.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  char *tool;
  char *arguments;
  char *redacted;      /* (nullable): which of the arguments are not to be seen */
  BeckonPlan *plan;     /* (nullable): what is proposed, or what it is a step of */
  char *step;           /* (nullable): which step that is */
  char *plan_redacted; /* (nullable): for a step: what of the plan is not to be seen */
  BeckonApprovalReason *ground; /* (nullable) */
  gboolean outcome_unknown;
} BeckonCallRequestPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (BeckonCallRequest, beckon_call_request, BECKON_TYPE_REQUEST)

/* (nullable): %NULL for one that is about no call. */
static BeckonCallRequestPrivate *
call_request_get_private (BeckonRequest *request)
{
  return BECKON_IS_CALL_REQUEST (request) ? beckon_call_request_get_instance_private (BECKON_CALL_REQUEST (request)) : NULL;
}

static void
call_request_replace (char **text, const char *with)
{
  g_autofree char *before = *text;

  *text = g_strdup (with);
}

const char *
beckon_request_get_tool (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);

  return priv != NULL ? priv->tool : NULL;
}

const char *
beckon_request_get_arguments (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);

  return priv != NULL ? priv->arguments : NULL;
}

const BeckonApprovalReason *
beckon_request_get_ground (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);

  return priv != NULL ? priv->ground : NULL;
}

void
beckon_request_set_ground (BeckonRequest *request, BeckonApprovalReason *ground)
{
  BeckonCallRequestPrivate *priv = call_request_get_private (request);

  g_return_if_fail (priv != NULL);

  g_clear_pointer (&priv->ground, beckon_approval_reason_free);
  priv->ground = ground;
}

const BeckonPlan *
beckon_request_get_plan (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);

  return priv != NULL ? priv->plan : NULL;
}

const char *
beckon_request_get_step (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);

  return priv != NULL ? priv->step : NULL;
}

void
beckon_request_set_step (BeckonRequest *request, const BeckonPlan *plan, const char *step_id)
{
  BeckonCallRequestPrivate *priv = call_request_get_private (request);

  g_return_if_fail (priv != NULL && priv->plan == NULL);
  g_return_if_fail (plan != NULL && step_id != NULL);

  priv->plan = beckon_plan_copy (plan);
  priv->step = g_strdup (step_id);
}

gboolean
beckon_request_get_outcome_unknown (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);

  return priv != NULL && priv->outcome_unknown;
}

void
beckon_call_request_set_outcome_unknown (BeckonCallRequest *self)
{
  call_request_get_private (BECKON_REQUEST (self))->outcome_unknown = TRUE;
}

void
beckon_request_set_redacted (BeckonRequest *request, const char *redacted)
{
  BeckonCallRequestPrivate *priv = call_request_get_private (request);

  if (priv != NULL)
    call_request_replace (&priv->redacted, redacted);
}

void
beckon_request_set_plan_redacted (BeckonRequest *request, const char *redacted)
{
  BeckonCallRequestPrivate *priv = call_request_get_private (request);

  g_return_if_fail (priv != NULL && priv->step != NULL);

  call_request_replace (&priv->plan_redacted, redacted);
}

void
beckon_call_request_set_up (BeckonCallRequest *self, const char *id, const char *conversation_id, const char *message_id,
                            const char *call_id, const char *tool, const char *arguments, gint64 asked_at)
{
  BeckonCallRequestPrivate *priv = beckon_call_request_get_instance_private (self);

  beckon_request_set_place (BECKON_REQUEST (self), id, conversation_id, message_id, call_id, asked_at);
  priv->tool = g_strdup (tool);
  priv->arguments = g_strdup (arguments);
}

void
beckon_call_request_take_plan (BeckonCallRequest *self, const char *tool, BeckonPlan *plan)
{
  BeckonCallRequestPrivate *priv = beckon_call_request_get_instance_private (self);
  g_autofree char *document = beckon_plan_to_json (plan);

  priv->tool = g_strdup (tool);
  priv->plan = plan;
  priv->arguments = g_steal_pointer (&document);
}

const char *
beckon_call_request_get_redacted (BeckonCallRequest *self)
{
  return ((BeckonCallRequestPrivate *) beckon_call_request_get_instance_private (self))->redacted;
}

/* --- What may be shown, and what an answer to that means for the whole of it ------------------------------------- */

/* (nullable): a proposed plan is the arguments of its call. */
static const char *
get_plan_redacted (const BeckonCallRequestPrivate *priv)
{
  return priv->step != NULL ? priv->plan_redacted : priv->redacted;
}

/* (nullable) */
static BeckonPlanParameters *
read_plan_parameters (const BeckonCallRequestPrivate *priv)
{
  const char *text = get_plan_redacted (priv);

  return text != NULL ? beckon_plan_parameters_read (text) : NULL;
}

char *
beckon_request_dup_shown_arguments (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);

  return priv != NULL ? beckon_parameters_show_by (priv->redacted, priv->arguments) : NULL;
}

BeckonPlan *
beckon_request_dup_shown_plan (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);
  g_autoptr (BeckonPlanParameters) parameters = NULL;

  if (priv == NULL || priv->plan == NULL)
    return NULL;
  parameters = read_plan_parameters (priv);
  return parameters != NULL ? beckon_plan_parameters_show (parameters, priv->plan) : beckon_plan_copy (priv->plan);
}

BeckonAnswer *
beckon_request_dup_shown_answer (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);
  BeckonAnswer *answer = beckon_request_get_answer (request);
  const char *redacted = NULL;
  g_autofree char *shown = NULL;

  if (answer == NULL)
    return NULL;
  if (priv != NULL && answer->kind == BECKON_ANSWER_PLAN)
    redacted = get_plan_redacted (priv);
  else if (priv != NULL && answer->kind == BECKON_ANSWER_APPROVED_EDITED)
    redacted = priv->redacted;
  if (redacted == NULL || answer->text == NULL)
    return beckon_answer_ref (answer);
  shown = beckon_parameters_show_by (redacted, answer->text);
  return beckon_answer_new (answer->kind, shown);
}

char *
beckon_request_restore_arguments (BeckonRequest *request, const char *edited)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);
  g_autoptr (BeckonParameters) redacted = NULL;

  if (priv != NULL && priv->redacted != NULL)
    redacted = beckon_parameters_from_json (priv->redacted, NULL);
  return redacted != NULL ? beckon_parameters_restore (redacted, priv->arguments, edited) : g_strdup (edited);
}

char *
beckon_request_restore_plan (BeckonRequest *request, const char *edited, GError **error)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);
  g_autoptr (BeckonPlanParameters) parameters = NULL;
  g_autoptr (BeckonPlan) plan = NULL;
  g_autoptr (BeckonPlan) restored = NULL;

  parameters = read_plan_parameters (priv);
  if (parameters != NULL)
    plan = beckon_plan_parse (edited, BECKON_PLAN_FROM_PERSON, NULL);
  if (plan == NULL)
    return g_strdup (edited);
  restored = beckon_plan_parameters_restore (parameters, priv->plan, plan, error);
  return restored != NULL ? beckon_plan_to_json (restored) : NULL;
}

gboolean
beckon_request_check_plan_step (BeckonRequest *request, const BeckonPlan *edited, const char *step_id, GError **error)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);
  g_autoptr (BeckonPlanParameters) parameters = NULL;

  g_return_val_if_fail (priv != NULL && priv->plan != NULL, FALSE);
  g_return_val_if_fail (edited != NULL && step_id != NULL, FALSE);

  parameters = read_plan_parameters (priv);
  return parameters == NULL || beckon_plan_parameters_check_step (parameters, priv->plan, edited, step_id, error);
}

/* --- The body ----------------------------------------------------------------------------------------------------- */

static gboolean
beckon_call_request_read_body (BeckonRequest *request, const char *body, GError **error)
{
  BeckonCallRequest *self = BECKON_CALL_REQUEST (request);
  BeckonCallRequestClass *klass = BECKON_CALL_REQUEST_GET_CLASS (self);
  BeckonCallRequestPrivate *priv = beckon_call_request_get_instance_private (self);
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, error);
  const char *step;
  const char *document;
  g_autoptr (BeckonPlan) plan = NULL;

  if (object == NULL)
    return FALSE;
  if (klass->parent_class.form != NULL && g_strcmp0 (beckon_json_get_string (object, "form"), klass->parent_class.form) != 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Not a stored form: nobody knows what it is for");
      return FALSE;
    }
  priv->tool = g_strdup (beckon_json_get_string (object, "tool"));
  priv->arguments = g_strdup (beckon_json_get_string (object, "arguments"));
  if (priv->tool == NULL || priv->arguments == NULL)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                   "Not a stored request (%s): the tool or its arguments are missing", klass->parent_class.kind);
      return FALSE;
    }
  priv->redacted = g_strdup (beckon_json_get_string (object, "concealed"));
  if (json_object_has_member (object, "ground"))
    priv->ground = beckon_approval_reason_read (beckon_json_get_object (object, "ground"));
  step = beckon_json_get_string (object, "step");
  document = beckon_json_get_string (object, "plan");
  /* A step without a plan that can be read is asked about like any other call. */
  if (step != NULL && document != NULL)
    plan = beckon_plan_parse (document, BECKON_PLAN_FROM_PERSON, NULL);
  if (plan != NULL && beckon_plan_find (plan, step) >= 0)
    {
      beckon_request_set_step (request, plan, step);
      beckon_request_set_plan_redacted (request, beckon_json_get_string (object, "plan_concealed"));
    }
  return klass->read_members (self, object, error);
}

static char *
beckon_call_request_dup_body (BeckonRequest *request)
{
  BeckonCallRequest *self = BECKON_CALL_REQUEST (request);
  BeckonCallRequestClass *klass = BECKON_CALL_REQUEST_GET_CLASS (self);
  const BeckonCallRequestPrivate *priv = beckon_call_request_get_instance_private (self);
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_request_json_member (&writer, "form", klass->parent_class.form);
  beckon_json_writer_member_string (&writer, "tool", priv->tool);
  beckon_json_writer_member_string (&writer, "arguments", priv->arguments);
  beckon_request_json_member (&writer, "concealed", priv->redacted);
  klass->write_members (self, &writer);
  if (priv->ground != NULL)
    {
      g_autofree char *ground = beckon_approval_reason_to_json (priv->ground);

      beckon_json_writer_name (&writer, "ground");
      beckon_json_writer_raw (&writer, ground, -1);
    }
  if (priv->step != NULL)
    {
      g_autofree char *document = beckon_plan_to_json (priv->plan);

      beckon_json_writer_member_string (&writer, "step", priv->step);
      beckon_json_writer_member_string (&writer, "plan", document);
      beckon_request_json_member (&writer, "plan_concealed", priv->plan_redacted);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
beckon_call_request_dup_logged (BeckonRequest *request)
{
  const BeckonCallRequestPrivate *priv = call_request_get_private (request);

  return beckon_parameters_log_by (priv->redacted, priv->arguments);
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

static gboolean
refuse_fault (GError **error, const BeckonPlanFault *fault)
{
  g_autofree char *words = beckon_plan_fault_to_words (fault, TRUE);

  return beckon_request_refuse (error, words);
}

gboolean
beckon_call_request_check_document (BeckonCallRequest *self, const BeckonAnswer *answer, gboolean while_running,
                                    GError **error)
{
  const BeckonCallRequestPrivate *priv = beckon_call_request_get_instance_private (self);
  g_auto (BeckonPlanFault) fault = { 0 };
  g_autoptr (BeckonPlan) plan = NULL;
  g_autofree char *document = NULL;

  if (answer->text == NULL)
    return beckon_request_refuse (error, _("The plan is missing."));

  document = beckon_request_restore_plan (BECKON_REQUEST (self), answer->text, error);
  if (document == NULL)
    return FALSE;
  plan = beckon_plan_parse (document, BECKON_PLAN_FROM_PERSON, &fault);
  if (plan == NULL || !beckon_plan_check_revision (priv->plan, plan, &fault))
    return refuse_fault (error, &fault);
  /* A step that uses one that was skipped on the way is skipped, too, when it is its turn. */
  if (!beckon_plan_check (plan, &fault)
      && !(while_running && (fault.kind == BECKON_PLAN_FAULT_NOTHING_LEFT || fault.kind == BECKON_PLAN_FAULT_SKIPPED_STEP)))
    return refuse_fault (error, &fault);
  return TRUE;
}

/* Every result says what became of the call, so that the model neither waits for an effect nor takes the refusal for one. */
void
beckon_call_request_settle_refused (BeckonCallRequest *self, const BeckonAnswer *answer, BeckonSettlement *settlement)
{
  const char *fate
      = call_request_get_private (BECKON_REQUEST (self))->outcome_unknown ? BECKON_SETTLEMENT_NOT_KNOWN
                                                                           : BECKON_SETTLEMENT_NOT_RUN;

  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
  settlement->is_error = TRUE;
  if (answer->kind == BECKON_ANSWER_TIMED_OUT)
    settlement->result = g_strconcat ("The user did not decide in the time that was set. The call ", fate, NULL);
  else if (answer->kind == BECKON_ANSWER_UNAVAILABLE)
    settlement->result = g_strconcat ("Nobody can approve this call here. It ", fate, NULL);
  else if (answer->kind == BECKON_ANSWER_CANCELLED)
    settlement->result = g_strconcat (BECKON_ANSWER_CANCELLED_RESULT ". The call ", fate, NULL);
  else
    settlement->result = g_strconcat ("The user denied this call. It ", fate,
                                      answer->text != NULL ? " They said: " : NULL, answer->text, NULL);
}

static void
beckon_call_request_finalize (GObject *object)
{
  BeckonCallRequestPrivate *priv = beckon_call_request_get_instance_private (BECKON_CALL_REQUEST (object));

  g_free (priv->tool);
  g_free (priv->arguments);
  g_free (priv->redacted);
  beckon_plan_free (priv->plan);
  g_free (priv->step);
  g_free (priv->plan_redacted);
  g_clear_pointer (&priv->ground, beckon_approval_reason_free);
  G_OBJECT_CLASS (beckon_call_request_parent_class)->finalize (object);
}

static void
beckon_call_request_class_init (BeckonCallRequestClass *klass)
{
  BeckonRequestClass *request_class = BECKON_REQUEST_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_call_request_finalize;
  request_class->read_body = beckon_call_request_read_body;
  request_class->dup_body = beckon_call_request_dup_body;
  request_class->dup_logged = beckon_call_request_dup_logged;
}

static void
beckon_call_request_init (BeckonCallRequest *self)
{
}
