/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-request.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-settlement.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The most of a server's name in a title. */
#define MOST_SERVER_CHARS 60

struct _BeckonQuestionRequest
{
  BeckonRequest parent_instance;

  BeckonQuestion *question;
};

G_DEFINE_FINAL_TYPE (BeckonQuestionRequest, beckon_question_request, BECKON_TYPE_REQUEST)

BeckonRequest *
beckon_question_request_new (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                             BeckonQuestion *question, gint64 asked_at)
{
  BeckonQuestionRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (question != NULL, NULL);

  self = g_object_new (BECKON_TYPE_QUESTION_REQUEST, NULL);
  beckon_request_set_place (BECKON_REQUEST (self), id, conversation_id, message_id, call_id, asked_at);
  self->question = beckon_question_ref (question);
  return BECKON_REQUEST (self);
}

BeckonQuestion *
beckon_request_get_question (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return BECKON_IS_QUESTION_REQUEST (request) ? BECKON_QUESTION_REQUEST (request)->question : NULL;
}

gboolean
beckon_request_is_late (BeckonRequest *request)
{
  BeckonQuestion *question = beckon_request_get_question (request);

  return question != NULL && question->is_late;
}

gboolean
beckon_question_request_lets_server (BeckonRequest *request)
{
  const BeckonAskedBy *asked_by = BECKON_IS_QUESTION_REQUEST (request) ? beckon_request_get_asked_by (request) : NULL;

  return asked_by != NULL && asked_by->kind == BECKON_ASKED_BY_SERVER;
}

gboolean
beckon_question_request_allows (BeckonRequest *request, const BeckonAnswer *answer)
{
  const BeckonQuestionItem *asked;
  const BeckonQuestionOption *last;
  const BeckonAnswerItem *item;

  g_return_val_if_fail (answer != NULL, FALSE);

  if (!beckon_question_request_lets_server (request) || answer->kind != BECKON_ANSWER_QUESTION)
    return FALSE;
  asked = beckon_question_get_item (BECKON_QUESTION_REQUEST (request)->question, 0);
  item = answer->items != NULL && answer->items->len > 0 ? g_ptr_array_index (answer->items, 0) : NULL;
  if (asked->options->len == 0 || item == NULL || item->selected->len != 1)
    return FALSE;
  last = beckon_question_item_get_option (asked, asked->options->len - 1);
  return strcmp (g_ptr_array_index (item->selected, 0), last->label) == 0;
}

char *
beckon_question_request_dup_title (BeckonRequest *request)
{
  g_autofree char *shown = NULL;
  g_autofree char *server = NULL;
  const char *name;

  if (!beckon_question_request_lets_server (request))
    return NULL;
  name = beckon_request_get_asked_by (request)->name;
  shown = beckon_text_for_display (name != NULL ? name : "", -1, BECKON_TEXT_EXACT);
  server = beckon_text_shorten (shown, MOST_SERVER_CHARS);
  /* Translators: the title of a card; %s is the name of a server of tools, which wants something that you decide */
  return beckon_text_printf (_("Beckon asks about %s"), server);
}

BeckonQuestion *
beckon_question_request_copy_question (BeckonRequest *request)
{
  g_autofree char *json = NULL;
  BeckonQuestion *copy;

  g_return_val_if_fail (BECKON_IS_QUESTION_REQUEST (request), NULL);

  json = beckon_question_to_json (BECKON_QUESTION_REQUEST (request)->question);
  copy = beckon_question_from_json (json, NULL);
  if (copy != NULL)
    copy->is_late = FALSE;
  return copy;
}

void
beckon_question_request_make_wait (BeckonRequest *request)
{
  g_return_if_fail (BECKON_IS_QUESTION_REQUEST (request));

  BECKON_QUESTION_REQUEST (request)->question->is_late = FALSE;
}

static gboolean
beckon_question_request_read_body (BeckonRequest *request, const char *body, GError **error)
{
  BeckonQuestionRequest *self = BECKON_QUESTION_REQUEST (request);

  self->question = beckon_question_from_json (body, error);
  return self->question != NULL;
}

static char *
beckon_question_request_dup_body (BeckonRequest *request)
{
  return beckon_question_to_json (BECKON_QUESTION_REQUEST (request)->question);
}

static gboolean
beckon_question_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  if ((answer->kind == BECKON_ANSWER_DELEGATED || answer->kind == BECKON_ANSWER_ASKED_BACK)
      && beckon_question_request_lets_server (request))
    return beckon_request_refuse (error, _("Beckon asks this, not the agent. Choose one of the answers."));
  return beckon_answer_check (answer, BECKON_QUESTION_REQUEST (request)->question, error);
}

static void
beckon_question_request_settle_call (BeckonRequest *request, const BeckonAnswer *answer, BeckonSettlement *settlement)
{
  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
  settlement->result
      = beckon_answer_to_result (answer, BECKON_QUESTION_REQUEST (request)->question, &settlement->is_error);
}

static char *
beckon_question_request_dup_summary (BeckonRequest *request, const BeckonAnswer *answer)
{
  return beckon_answer_to_summary (answer, BECKON_QUESTION_REQUEST (request)->question);
}

static void
beckon_question_request_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_QUESTION_REQUEST (object)->question, beckon_question_unref);
  G_OBJECT_CLASS (beckon_question_request_parent_class)->finalize (object);
}

static void
beckon_question_request_class_init (BeckonQuestionRequestClass *klass)
{
  BeckonRequestClass *request_class = BECKON_REQUEST_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_question_request_finalize;
  request_class->kind = "question";
  request_class->answers = 1 << BECKON_ANSWER_QUESTION | 1 << BECKON_ANSWER_DELEGATED | 1 << BECKON_ANSWER_ASKED_BACK
                           | 1 << BECKON_ANSWER_DECLINED;
  request_class->refusal = N_("This is a question. Answer it instead of approving it.");
  request_class->decides = beckon_question_request_lets_server;
  request_class->read_body = beckon_question_request_read_body;
  request_class->dup_body = beckon_question_request_dup_body;
  request_class->dup_logged = beckon_question_request_dup_body;
  request_class->check_answer = beckon_question_request_check_answer;
  request_class->settle_call = beckon_question_request_settle_call;
  request_class->dup_summary = beckon_question_request_dup_summary;
}

static void
beckon_question_request_init (BeckonQuestionRequest *self)
{
}
