/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-private.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "form/beckon-request-json.h"

typedef enum
{
  PROP_STATE = 1,
  PROP_DRAFT,
  PROP_DUE_AT,
} BeckonRequestProperty;

static GParamSpec *properties[PROP_DUE_AT + 1];

static const char *const kind_words[] = {
  [BECKON_REQUEST_QUESTION] = "question",
  [BECKON_REQUEST_APPROVAL] = "approval",
  [BECKON_REQUEST_FORM] = "form",
  [BECKON_REQUEST_PLAN] = "plan",
  [BECKON_REQUEST_CHANGES] = "changes",
};

/* The tool that proposes plans. */
#define PLAN_TOOL "propose_plan"

static const char *const state_words[] = {
  [BECKON_REQUEST_PENDING] = "pending",       [BECKON_REQUEST_ANSWERED] = "answered",
  [BECKON_REQUEST_SKIPPED] = "skipped",       [BECKON_REQUEST_DELEGATED] = "delegated",
  [BECKON_REQUEST_ASKED_BACK] = "asked-back", [BECKON_REQUEST_DECLINED] = "declined",
  [BECKON_REQUEST_CANCELLED] = "cancelled",   [BECKON_REQUEST_TIMED_OUT] = "timed-out",
  [BECKON_REQUEST_UNAVAILABLE] = "unavailable",
};

G_STATIC_ASSERT (G_N_ELEMENTS (state_words) == BECKON_REQUEST_N_STATES);

G_DEFINE_FINAL_TYPE (BeckonRequest, beckon_request, G_TYPE_OBJECT)

static void
beckon_request_finalize (GObject *object)
{
  BeckonRequest *self = BECKON_REQUEST (object);

  g_free (self->id);
  g_free (self->conversation_id);
  g_free (self->message_id);
  g_free (self->call_id);
  g_clear_pointer (&self->question, beckon_question_unref);
  g_free (self->tool);
  g_free (self->arguments);
  g_free (self->reason);
  g_free (self->redacted);
  g_clear_pointer (&self->ground, beckon_approval_reason_free);
  beckon_plan_free (self->plan);
  g_free (self->step);
  g_free (self->plan_redacted);
  g_clear_pointer (&self->details, beckon_approval_details_free);
  g_clear_pointer (&self->changes, beckon_change_set_unref);
  g_free (self->draft);
  g_clear_pointer (&self->answer, beckon_answer_unref);
  g_free (self->front_end);
  g_free (self->actor);

  G_OBJECT_CLASS (beckon_request_parent_class)->finalize (object);
}

static void
beckon_request_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  BeckonRequest *self = BECKON_REQUEST (object);

  switch ((BeckonRequestProperty) id)
    {
    case PROP_STATE:
      g_value_set_int (value, (int) self->state);
      break;

    case PROP_DRAFT:
      g_value_set_string (value, self->draft);
      break;

    case PROP_DUE_AT:
      g_value_set_int64 (value, self->due_at);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
beckon_request_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  switch ((BeckonRequestProperty) id)
    {
    case PROP_DRAFT:
      beckon_request_set_draft (BECKON_REQUEST (object), g_value_get_string (value));
      break;

    case PROP_STATE:
    case PROP_DUE_AT:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
beckon_request_class_init (BeckonRequestClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = beckon_request_finalize;
  object_class->get_property = beckon_request_get_property;
  object_class->set_property = beckon_request_set_property;

  properties[PROP_STATE]
      = g_param_spec_int ("state", NULL, NULL, BECKON_REQUEST_PENDING, BECKON_REQUEST_UNAVAILABLE,
                          BECKON_REQUEST_PENDING, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_DRAFT]
      = g_param_spec_string ("draft", NULL, NULL, NULL,
                             G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_DUE_AT] = g_param_spec_int64 ("due-at", NULL, NULL, 0, G_MAXINT64, 0,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
beckon_request_init (BeckonRequest *self)
{
}

static BeckonRequest *
request_new (BeckonRequestKind kind, const char *id, const char *conversation_id, const char *message_id,
             const char *call_id, gint64 asked_at)
{
  BeckonRequest *self = g_object_new (BECKON_TYPE_REQUEST, NULL);

  self->kind = kind;
  self->id = id != NULL ? g_strdup (id) : beckon_id_new ();
  self->conversation_id = g_strdup (conversation_id);
  self->message_id = g_strdup (message_id);
  self->call_id = g_strdup (call_id);
  self->asked_at = asked_at;
  return self;
}

BeckonRequest *
beckon_request_new_question (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                             BeckonQuestion *question, gint64 asked_at)
{
  BeckonRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (question != NULL, NULL);

  self = request_new (BECKON_REQUEST_QUESTION, id, conversation_id, message_id, call_id, asked_at);
  self->question = beckon_question_ref (question);
  return self;
}

BeckonRequest *
beckon_request_new_approval (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                             const char *tool, const char *arguments, const char *reason, gint64 asked_at)
{
  BeckonRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (tool != NULL, NULL);
  g_return_val_if_fail (arguments != NULL, NULL);

  self = request_new (BECKON_REQUEST_APPROVAL, id, conversation_id, message_id, call_id, asked_at);
  self->tool = g_strdup (tool);
  self->arguments = g_strdup (arguments);
  self->reason = g_strdup (reason);
  return self;
}

BeckonRequest *
beckon_request_new_outcome (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                            const char *tool, const char *arguments, gint64 started_at, gint64 asked_at)
{
  BeckonRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (tool != NULL, NULL);
  g_return_val_if_fail (arguments != NULL, NULL);

  self = request_new (BECKON_REQUEST_FORM, id, conversation_id, message_id, call_id, asked_at);
  self->tool = g_strdup (tool);
  self->arguments = g_strdup (arguments);
  self->outcome_unknown = TRUE;
  self->started_at = started_at;
  return self;
}

BeckonRequest *
beckon_request_new_plan (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                         const BeckonPlan *plan, gint64 asked_at)
{
  BeckonRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (plan != NULL, NULL);

  self = request_new (BECKON_REQUEST_PLAN, id, conversation_id, message_id, call_id, asked_at);
  self->tool = g_strdup (PLAN_TOOL);
  self->plan = beckon_plan_copy (plan);
  self->arguments = beckon_plan_to_json (plan);
  return self;
}

BeckonRequest *
beckon_request_new_changes (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                            const char *tool, const char *arguments, const BeckonChangeSet *changes, gint64 asked_at)
{
  BeckonRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (tool != NULL && arguments != NULL, NULL);
  g_return_val_if_fail (changes != NULL, NULL);

  self = request_new (BECKON_REQUEST_CHANGES, id, conversation_id, message_id, call_id, asked_at);
  self->tool = g_strdup (tool);
  self->arguments = g_strdup (arguments);
  self->changes = beckon_change_set_copy (changes);
  return self;
}

const BeckonChangeSet *
beckon_request_get_changes (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->changes;
}

const char *
beckon_request_get_id (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->id;
}

const char *
beckon_request_get_conversation_id (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->conversation_id;
}

const char *
beckon_request_get_message_id (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->message_id;
}

const char *
beckon_request_get_call_id (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->call_id;
}

BeckonRequestKind
beckon_request_get_kind (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), BECKON_REQUEST_QUESTION);

  return request->kind;
}

gint64
beckon_request_get_asked_at (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  return request->asked_at;
}

BeckonRequestState
beckon_request_get_state (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), BECKON_REQUEST_CANCELLED);

  return request->state;
}

BeckonQuestion *
beckon_request_get_question (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->question;
}

const BeckonPlan *
beckon_request_get_plan (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->plan;
}

const char *
beckon_request_get_step (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->step;
}

void
beckon_request_set_step (BeckonRequest *request, const BeckonPlan *plan, const char *step_id)
{
  g_return_if_fail (BECKON_IS_REQUEST (request) && request->question == NULL && request->plan == NULL);
  g_return_if_fail (plan != NULL && step_id != NULL);

  request->plan = beckon_plan_copy (plan);
  request->step = g_strdup (step_id);
}

const char *
beckon_request_get_tool (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->tool;
}

const char *
beckon_request_get_arguments (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->arguments;
}

const char *
beckon_request_get_reason (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->reason;
}

const BeckonApprovalDetails *
beckon_request_get_details (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->details;
}

void
beckon_request_take_details (BeckonRequest *request, BeckonApprovalDetails *details)
{
  g_return_if_fail (BECKON_IS_REQUEST (request) && request->details == NULL);

  request->details = details;
}

const BeckonApprovalReason *
beckon_request_get_ground (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->ground;
}

void
beckon_request_set_ground (BeckonRequest *request, BeckonApprovalReason *ground)
{
  g_return_if_fail (BECKON_IS_REQUEST (request) && request->kind == BECKON_REQUEST_APPROVAL);

  g_clear_pointer (&request->ground, beckon_approval_reason_free);
  request->ground = ground;
}

void
beckon_request_set_files (BeckonRequest *request, const char *files)
{
  g_return_if_fail (BECKON_IS_REQUEST (request) && request->ground != NULL);

  g_free (request->ground->files);
  request->ground->files = g_strdup (files);
}

gboolean
beckon_request_get_outcome_unknown (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);

  return request->outcome_unknown;
}

gint64
beckon_request_get_started_at (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  return request->started_at;
}

gboolean
beckon_request_get_can_verify (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);

  return request->can_verify;
}

void
beckon_request_set_can_verify (BeckonRequest *request, gboolean can_verify)
{
  g_return_if_fail (BECKON_IS_REQUEST (request) && request->kind == BECKON_REQUEST_FORM);

  request->can_verify = can_verify;
}

const char *
beckon_request_kind_to_string (BeckonRequestKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (kind_words), NULL);

  return kind_words[kind];
}

const char *
beckon_request_get_draft (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->draft;
}

void
beckon_request_set_draft (BeckonRequest *request, const char *draft)
{
  char *copy;

  g_return_if_fail (BECKON_IS_REQUEST (request));

  if (g_strcmp0 (request->draft, draft) == 0)
    return;

  copy = g_strdup (draft);
  g_free (request->draft);
  request->draft = copy;
  g_object_notify_by_pspec (G_OBJECT (request), properties[PROP_DRAFT]);
}

gint64
beckon_request_get_due_at (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  return request->due_at;
}

void
beckon_request_set_due_at (BeckonRequest *request, gint64 due_at)
{
  g_return_if_fail (BECKON_IS_REQUEST (request));
  g_return_if_fail (due_at >= 0);

  if (request->due_at == due_at)
    return;

  request->due_at = due_at;
  g_object_notify_by_pspec (G_OBJECT (request), properties[PROP_DUE_AT]);
}

BeckonAnswer *
beckon_request_get_answer (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->answer;
}

const char *
beckon_request_get_front_end (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->front_end;
}

const char *
beckon_request_get_actor (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->actor;
}

gint64
beckon_request_get_settled_at (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  return request->settled_at;
}

void
beckon_request_settle (BeckonRequest *request, BeckonRequestState state, BeckonAnswer *answer, const char *front_end,
                       const char *actor, gint64 at)
{
  g_return_if_fail (BECKON_IS_REQUEST (request));
  g_return_if_fail (state != BECKON_REQUEST_PENDING);
  g_return_if_fail (request->state == BECKON_REQUEST_PENDING);

  request->state = state;
  request->answer = answer != NULL ? beckon_answer_ref (answer) : NULL;
  request->front_end = g_strdup (front_end);
  request->actor = g_strdup (actor);
  request->settled_at = at;
  g_object_notify_by_pspec (G_OBJECT (request), properties[PROP_STATE]);
}

const char *
beckon_request_state_to_string (BeckonRequestState state)
{
  g_return_val_if_fail ((guint) state < G_N_ELEMENTS (state_words), NULL);

  return state_words[state];
}

gboolean
beckon_request_state_from_string (const char *word, BeckonRequestState *state)
{
  g_return_val_if_fail (state != NULL, FALSE);

  for (guint i = 0; word != NULL && i < G_N_ELEMENTS (state_words); i++)
    if (g_str_equal (word, state_words[i]))
      {
        *state = (BeckonRequestState) i;
        return TRUE;
      }

  return FALSE;
}
