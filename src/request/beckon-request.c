/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-request.h"

#include "base/beckon-id.h"
#include "base/beckon-words.h"
#include "beckon-answer-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  /* Input. */
  char *id;
  char *conversation_id;
  char *message_id;
  char *call_id;
  gint64 asked_at;
  BeckonAskedBy *asked_by;
  gboolean is_bound;

  /* While it is open. */
  char *draft;
  gint64 due_at; /* microseconds since the epoch; 0: nothing ends it */

  /* How it ended. */
  BeckonRequestState state;
  BeckonAnswer *answer;
  char *front_end;
  char *actor;
  gint64 settled_at;
} BeckonRequestPrivate;

typedef enum
{
  PROP_STATE = 1,
  PROP_DRAFT,
  PROP_DUE_AT,
} BeckonRequestProperty;

static GParamSpec *properties[PROP_DUE_AT + 1];

static const char *const state_words[] = {
  [BECKON_REQUEST_PENDING] = "pending",       [BECKON_REQUEST_ANSWERED] = "answered",
  [BECKON_REQUEST_SKIPPED] = "skipped",       [BECKON_REQUEST_DELEGATED] = "delegated",
  [BECKON_REQUEST_ASKED_BACK] = "asked-back", [BECKON_REQUEST_DECLINED] = "declined",
  [BECKON_REQUEST_CANCELLED] = "cancelled",   [BECKON_REQUEST_TIMED_OUT] = "timed-out",
  [BECKON_REQUEST_UNAVAILABLE] = "unavailable",
};

G_STATIC_ASSERT (G_N_ELEMENTS (state_words) == BECKON_REQUEST_N_STATES);

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (BeckonRequest, beckon_request, G_TYPE_OBJECT)

static BeckonRequestPrivate *
request_get_private (BeckonRequest *self)
{
  return beckon_request_get_instance_private (self);
}

static void
beckon_request_finalize (GObject *object)
{
  BeckonRequestPrivate *priv = request_get_private (BECKON_REQUEST (object));

  g_free (priv->id);
  g_free (priv->conversation_id);
  g_free (priv->message_id);
  g_free (priv->call_id);
  beckon_asked_by_free (priv->asked_by);
  g_free (priv->draft);
  g_clear_pointer (&priv->answer, beckon_answer_unref);
  g_free (priv->front_end);
  g_free (priv->actor);

  G_OBJECT_CLASS (beckon_request_parent_class)->finalize (object);
}

static void
beckon_request_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  const BeckonRequestPrivate *priv = request_get_private (BECKON_REQUEST (object));

  switch ((BeckonRequestProperty) id)
    {
    case PROP_STATE:
      g_value_set_int (value, (int) priv->state);
      break;

    case PROP_DRAFT:
      g_value_set_string (value, priv->draft);
      break;

    case PROP_DUE_AT:
      g_value_set_int64 (value, priv->due_at);
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

/* A new class is one that decides, until it says otherwise. */
static gboolean
beckon_request_real_decides (BeckonRequest *self)
{
  return TRUE;
}

static gboolean
beckon_request_real_takes (BeckonRequest *self, BeckonAnswerKind kind)
{
  return (BECKON_REQUEST_GET_CLASS (self)->answers & 1u << kind) != 0;
}

static gboolean
beckon_request_real_check_answer (BeckonRequest *self, const BeckonAnswer *answer, GError **error)
{
  return TRUE;
}

static void
beckon_request_class_init (BeckonRequestClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = beckon_request_finalize;
  object_class->get_property = beckon_request_get_property;
  object_class->set_property = beckon_request_set_property;

  klass->decides = beckon_request_real_decides;
  klass->takes = beckon_request_real_takes;
  klass->check_answer = beckon_request_real_check_answer;

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
  request_get_private (self)->asked_by = beckon_asked_by_new (BECKON_ASKED_BY_RUN, NULL);
}

void
beckon_request_set_place (BeckonRequest *request, const char *id, const char *conversation_id, const char *message_id,
                          const char *call_id, gint64 asked_at)
{
  BeckonRequestPrivate *priv = request_get_private (request);

  priv->id = id != NULL ? g_strdup (id) : beckon_id_new ();
  priv->conversation_id = g_strdup (conversation_id);
  priv->message_id = g_strdup (message_id);
  priv->call_id = g_strdup (call_id);
  priv->asked_at = asked_at;
}

const char *
beckon_request_get_id (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request_get_private (request)->id;
}

const char *
beckon_request_get_conversation_id (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request_get_private (request)->conversation_id;
}

const char *
beckon_request_get_message_id (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request_get_private (request)->message_id;
}

const char *
beckon_request_get_call_id (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request_get_private (request)->call_id;
}

gint64
beckon_request_get_asked_at (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  return request_get_private (request)->asked_at;
}

BeckonRequestState
beckon_request_get_state (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), BECKON_REQUEST_CANCELLED);

  return request_get_private (request)->state;
}

const char *
beckon_request_get_draft (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request_get_private (request)->draft;
}

void
beckon_request_set_draft (BeckonRequest *request, const char *draft)
{
  BeckonRequestPrivate *priv;
  char *copy;

  g_return_if_fail (BECKON_IS_REQUEST (request));

  priv = request_get_private (request);
  if (g_strcmp0 (priv->draft, draft) == 0)
    return;

  copy = g_strdup (draft);
  g_free (priv->draft);
  priv->draft = copy;
  g_object_notify_by_pspec (G_OBJECT (request), properties[PROP_DRAFT]);
}

gint64
beckon_request_get_due_at (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  return request_get_private (request)->due_at;
}

void
beckon_request_set_due_at (BeckonRequest *request, gint64 due_at)
{
  BeckonRequestPrivate *priv;

  g_return_if_fail (due_at >= 0);

  priv = request_get_private (request);
  if (priv->due_at == due_at)
    return;

  priv->due_at = due_at;
  g_object_notify_by_pspec (G_OBJECT (request), properties[PROP_DUE_AT]);
}

BeckonAnswer *
beckon_request_get_answer (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request_get_private (request)->answer;
}

const char *
beckon_request_get_front_end (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request_get_private (request)->front_end;
}

const char *
beckon_request_get_actor (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request_get_private (request)->actor;
}

gint64
beckon_request_get_settled_at (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  return request_get_private (request)->settled_at;
}

void
beckon_request_settle (BeckonRequest *request, BeckonRequestState state, BeckonAnswer *answer, const char *front_end,
                       const char *actor, gint64 at)
{
  BeckonRequestPrivate *priv;

  g_return_if_fail (BECKON_IS_REQUEST (request));
  g_return_if_fail (state != BECKON_REQUEST_PENDING);
  g_return_if_fail (request_get_private (request)->state == BECKON_REQUEST_PENDING);

  priv = request_get_private (request);
  priv->state = state;
  priv->answer = answer != NULL ? beckon_answer_ref (answer) : NULL;
  priv->front_end = g_strdup (front_end);
  priv->actor = g_strdup (actor);
  priv->settled_at = at;
  g_object_notify_by_pspec (G_OBJECT (request), properties[PROP_STATE]);
}

BECKON_WORDS_TO (BeckonRequestState, beckon_request_state_to_string, state_words)
BECKON_WORDS_FROM (BeckonRequestState, beckon_request_state_from_string, state_words)

gboolean
beckon_request_decides (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), TRUE);

  return BECKON_REQUEST_GET_CLASS (request)->decides (request);
}

const char *
beckon_request_get_kind_name (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return BECKON_REQUEST_GET_CLASS (request)->kind;
}

const BeckonAskedBy *
beckon_request_get_asked_by (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request_get_private (request)->asked_by;
}

gboolean
beckon_request_is_bound (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);

  return request_get_private (request)->is_bound;
}

void
beckon_request_bind (BeckonRequest *request)
{
  g_return_if_fail (BECKON_IS_REQUEST (request));

  request_get_private (request)->is_bound = TRUE;
}

void
beckon_request_take_asked_by (BeckonRequest *request, BeckonAskedBy *asked_by)
{
  g_return_if_fail (BECKON_IS_REQUEST (request));
  g_return_if_fail (asked_by != NULL);

  beckon_asked_by_free (request_get_private (request)->asked_by);
  request_get_private (request)->asked_by = asked_by;
}

char *
beckon_request_dup_body (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return BECKON_REQUEST_GET_CLASS (request)->dup_body (request);
}

char *
beckon_request_dup_logged (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return BECKON_REQUEST_GET_CLASS (request)->dup_logged (request);
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

gboolean
beckon_request_refuse (GError **error, const char *message)
{
  g_set_error_literal (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID, message);
  return FALSE;
}

gboolean
beckon_request_takes (BeckonRequest *request, BeckonAnswerKind kind)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);

  return BECKON_REQUEST_GET_CLASS (request)->takes (request, kind);
}

gboolean
beckon_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);
  g_return_val_if_fail (answer != NULL, FALSE);

  if (answer->text != NULL && strlen (answer->text) > BECKON_ANSWER_MAX_TEXT)
    return beckon_request_refuse (error, _("The text is too long."));
  /* An end that the program finds by itself can befall any request. */
  if (answer->kind != BECKON_ANSWER_CANCELLED && answer->kind != BECKON_ANSWER_TIMED_OUT
      && answer->kind != BECKON_ANSWER_UNAVAILABLE && !beckon_request_takes (request, answer->kind))
    return beckon_request_refuse (error, _(BECKON_REQUEST_GET_CLASS (request)->refusal));
  return BECKON_REQUEST_GET_CLASS (request)->check_answer (request, answer, error);
}

/* A state without an answer is told as the answer that leads to it. */
static BeckonAnswerKind
answer_kind_for_state (BeckonRequestState state)
{
  switch (state)
    {
    case BECKON_REQUEST_DELEGATED:
      return BECKON_ANSWER_DELEGATED;
    case BECKON_REQUEST_ASKED_BACK:
      return BECKON_ANSWER_ASKED_BACK;
    case BECKON_REQUEST_DECLINED:
      return BECKON_ANSWER_DECLINED;
    case BECKON_REQUEST_TIMED_OUT:
      return BECKON_ANSWER_TIMED_OUT;
    case BECKON_REQUEST_UNAVAILABLE:
      return BECKON_ANSWER_UNAVAILABLE;
    case BECKON_REQUEST_ANSWERED:
      return BECKON_ANSWER_APPROVED;
    case BECKON_REQUEST_SKIPPED:
    case BECKON_REQUEST_CANCELLED:
    case BECKON_REQUEST_PENDING:
    default:
      return BECKON_ANSWER_CANCELLED;
    }
}

char *
beckon_request_dup_summary (BeckonRequest *request)
{
  g_autoptr (BeckonAnswer) answer = NULL;
  BeckonRequestState state;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  state = beckon_request_get_state (request);
  if (state == BECKON_REQUEST_PENDING)
    return NULL;

  if (beckon_request_get_answer (request) != NULL)
    answer = beckon_answer_ref (beckon_request_get_answer (request));
  else
    answer = beckon_answer_new (answer_kind_for_state (state), NULL);

  return BECKON_REQUEST_GET_CLASS (request)->dup_summary (request, answer);
}

static gboolean
get_rejection (BeckonRequestState state, BeckonRequestError *code)
{
  switch (state)
    {
    case BECKON_REQUEST_DECLINED:
      *code = BECKON_REQUEST_ERROR_DECLINED;
      return TRUE;
    case BECKON_REQUEST_CANCELLED:
      *code = BECKON_REQUEST_ERROR_CANCELLED;
      return TRUE;
    case BECKON_REQUEST_TIMED_OUT:
      *code = BECKON_REQUEST_ERROR_TIMED_OUT;
      return TRUE;
    case BECKON_REQUEST_UNAVAILABLE:
      *code = BECKON_REQUEST_ERROR_UNAVAILABLE;
      return TRUE;
    case BECKON_REQUEST_PENDING:
    case BECKON_REQUEST_ANSWERED:
    case BECKON_REQUEST_SKIPPED:
    case BECKON_REQUEST_DELEGATED:
    case BECKON_REQUEST_ASKED_BACK:
    default:
      return FALSE;
    }
}

gboolean
beckon_request_state_is_end (BeckonRequestState state)
{
  return state == BECKON_REQUEST_CANCELLED || state == BECKON_REQUEST_TIMED_OUT || state == BECKON_REQUEST_UNAVAILABLE;
}

gboolean
beckon_request_check_pending (BeckonRequest *request, GError **error)
{
  BeckonRequestState state;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);

  state = beckon_request_get_state (request);
  if (state == BECKON_REQUEST_PENDING)
    return TRUE;

  beckon_request_error_set_settled (error, beckon_request_state_is_end (state), beckon_request_get_front_end (request),
                                    beckon_request_get_actor (request), beckon_request_get_settled_at (request));
  return FALSE;
}

gboolean
beckon_request_check_outcome (BeckonRequest *request, GError **error)
{
  g_autofree char *summary = NULL;
  BeckonRequestError code;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);
  g_return_val_if_fail (beckon_request_get_state (request) != BECKON_REQUEST_PENDING, FALSE);

  if (!get_rejection (beckon_request_get_state (request), &code))
    return TRUE;

  summary = beckon_request_dup_summary (request);
  g_set_error_literal (error, BECKON_REQUEST_ERROR, code, summary);
  return FALSE;
}

BeckonRequestState
beckon_request_state_for_answer (const BeckonAnswer *answer)
{
  switch (answer->kind)
    {
    case BECKON_ANSWER_QUESTION:
      return beckon_answer_is_skipped (answer) ? BECKON_REQUEST_SKIPPED : BECKON_REQUEST_ANSWERED;
    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_APPROVED_EDITED:
    case BECKON_ANSWER_LOOKED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_PLAN:
    case BECKON_ANSWER_KEPT:
    case BECKON_ANSWER_FORM:
      return BECKON_REQUEST_ANSWERED;
    case BECKON_ANSWER_SKIP:
      return BECKON_REQUEST_SKIPPED;
    case BECKON_ANSWER_DELEGATED:
      return BECKON_REQUEST_DELEGATED;
    case BECKON_ANSWER_ASKED_BACK:
      return BECKON_REQUEST_ASKED_BACK;
    case BECKON_ANSWER_DECLINED:
      return BECKON_REQUEST_DECLINED;
    case BECKON_ANSWER_TIMED_OUT:
      return BECKON_REQUEST_TIMED_OUT;
    case BECKON_ANSWER_UNAVAILABLE:
      return BECKON_REQUEST_UNAVAILABLE;
    case BECKON_ANSWER_CANCELLED:
    default:
      return BECKON_REQUEST_CANCELLED;
    }
}
