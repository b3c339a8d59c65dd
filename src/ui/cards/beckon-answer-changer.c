/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-answer-changer.h"

#include "beckon-question-card.h"
#include "request/beckon-question-draft.h"
#include "request/beckon-question-request.h"
#include "ui/widgets/beckon-max-height-box.h"

struct _BeckonAnswerChanger
{
  BeckonSheet parent_instance;

  /* input */
  BeckonAgent *agent;               /* (owned) */
  BeckonInbox *inbox;               /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  BeckonRequest *request;           /* (owned): the settled one */

  /* in progress */
  BeckonAnswer *answer;       /* (owned) (nullable): the new one */
  BeckonConversation *branch; /* (owned) (nullable): there once the answer was given */

  /* widgets */
  AdwBin *card_bin;
};

G_DEFINE_FINAL_TYPE (BeckonAnswerChanger, beckon_answer_changer, BECKON_TYPE_SHEET)

static guint changed_signal;

/* The branch is shown whatever became of the answer: where it could not be settled, its question still waits there. */
static void
changer_finish (BeckonAnswerChanger *self)
{
  g_signal_emit (self, changed_signal, 0, self->branch);
  beckon_sheet_close (BECKON_SHEET (self));
}

static void
changer_on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAnswerChanger) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error))
    g_info ("The new answer was not taken: %s", error->message);
  changer_finish (self);
}

static void
on_asked_again (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAnswerChanger) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonRequest *asked = NULL;

  self->branch = beckon_agent_ask_again_finish (BECKON_AGENT (source), result, &error);
  if (self->branch == NULL)
    {
      g_clear_pointer (&self->answer, beckon_answer_unref);
      beckon_question_card_refuse (BECKON_QUESTION_CARD (adw_bin_get_child (self->card_bin)), error->message);
      return;
    }
  for (guint i = 0; asked == NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->inbox)); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (G_LIST_MODEL (self->inbox), i);

      if (g_strcmp0 (beckon_request_get_conversation_id (request), beckon_conversation_get_id (self->branch)) == 0)
        asked = request;
    }
  if (asked != NULL)
    beckon_inbox_settle_async (self->inbox, beckon_request_get_id (asked), self->answer, "window", NULL, NULL,
                               changer_on_settled,
                               g_object_ref (self));
  else
    changer_finish (self);
}

static gboolean
on_answering (BeckonQuestionCard *card, BeckonAnswer *answer, BeckonAnswerChanger *self)
{
  if (self->answer != NULL)
    return TRUE;
  self->answer = beckon_answer_ref (answer);
  beckon_agent_ask_again_async (self->agent, self->conversation, beckon_request_get_message_id (self->request),
                                beckon_request_get_call_id (self->request), NULL, on_asked_again, g_object_ref (self));
  return TRUE;
}

static void
beckon_answer_changer_dispose (GObject *object)
{
  BeckonAnswerChanger *self = BECKON_ANSWER_CHANGER (object);

  g_clear_object (&self->agent);
  g_clear_object (&self->inbox);
  g_clear_object (&self->conversation);
  g_clear_object (&self->request);
  g_clear_object (&self->branch);
  g_clear_pointer (&self->answer, beckon_answer_unref);
  G_OBJECT_CLASS (beckon_answer_changer_parent_class)->dispose (object);
}

static void
beckon_answer_changer_class_init (BeckonAnswerChangerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  G_OBJECT_CLASS (klass)->dispose = beckon_answer_changer_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/answer-changer.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonAnswerChanger, card_bin);
  changed_signal = g_signal_new ("changed", BECKON_TYPE_ANSWER_CHANGER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 BECKON_TYPE_CONVERSATION);
}

static void
beckon_answer_changer_init (BeckonAnswerChanger *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_answer_changer_new (BeckonAgent *agent, BeckonInbox *inbox, BeckonConversation *conversation, BeckonRequest *request)
{
  BeckonAnswerChanger *self = g_object_new (BECKON_TYPE_ANSWER_CHANGER, NULL);
  g_autofree char *draft = beckon_question_draft_dup_of_answer (request);
  g_autoptr (BeckonQuestion) question = beckon_question_request_copy_question (request);
  /* The question as the branch will ask it; nothing of it is stored, or in any list of what waits. */
  g_autoptr (BeckonRequest) rehearsed
      = beckon_question_request_new (NULL, beckon_request_get_conversation_id (request),
                                     beckon_request_get_message_id (request), NULL, question,
                                     beckon_request_get_asked_at (request));
  GtkWidget *card;

  beckon_request_set_draft (rehearsed, draft);
  card = beckon_request_card_new (inbox, rehearsed, NULL);
  self->agent = g_object_ref (agent);
  self->inbox = g_object_ref (inbox);
  self->conversation = g_object_ref (conversation);
  self->request = g_object_ref (request);
  g_signal_connect_object (card, "answering", G_CALLBACK (on_answering), self, 0);
  adw_bin_set_child (self->card_bin, card);
  return GTK_WIDGET (self);
}
