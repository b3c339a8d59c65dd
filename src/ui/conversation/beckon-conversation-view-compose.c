/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-text-printf.h"
#include "beckon-conversation-view-private.h"

#include "ui/cards/beckon-question-card.h"

#include <glib/gi18n-lib.h>

/* Enter in the composer: it answers the question that is asked, sends a message, or queues it while the agent works; with
 * nothing written it sends what is queued with the agent's next step. The line below says which. */

/* (nullable): the question that text would answer. An answer has no files. */
static BeckonQuestionCard *
find_question (BeckonConversationView *self)
{
  GtkWidget *card = beckon_dock_get_card (self->dock);

  if (beckon_dock_get_folded (self->dock))
    return NULL;
  if (g_list_model_get_n_items (G_LIST_MODEL (beckon_conversation_get_files (self->conversation))) > 0)
    return NULL;
  return card != NULL && BECKON_IS_QUESTION_CARD (card) ? BECKON_QUESTION_CARD (card) : NULL;
}

/* (nullable): the first that waits for the end of the turn. */
static BeckonQueueItem *
find_queued (BeckonConversationView *self)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (self->conversation));

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);

      if (!beckon_queue_item_get_sends_now (item))
        return item;
    }
  return NULL;
}

/* --- The line below the composer ---------------------------------------------------------------------------------- */

/* (transfer full) (nullable): what Enter does. @more: (nullable): what another key does. */
static char *
compose_describe (BeckonConversationView *self, const char **more)
{
  BeckonQuestionCard *card = find_question (self);
  gboolean is_busy = beckon_conversation_is_busy (self->conversation);
  const char *enter = beckon_composer_get_needs_control (self->composer) ? _("Ctrl+⏎") : "⏎";
  g_autofree char *text = beckon_composer_dup_text (self->composer);
  g_autofree char *meaning = NULL;

  if (beckon_composer_is_editing (self->composer))
    return NULL;
  if (text != NULL && card != NULL)
    meaning = beckon_question_card_read_line (card, text, enter);
  if (meaning != NULL)
    {
      /* Translators: keys of the keyboard, and what they do */
      *more = _("Ctrl+Shift+⏎ as a message");
      return g_steal_pointer (&meaning);
    }
  if (beckon_composer_has_something (self->composer))
    /* Translators: %s is a key of the keyboard */
    return is_busy ? beckon_text_printf (_("%s queues it for after this turn"), enter) : NULL;
  if (card != NULL && beckon_question_card_is_reviewing (card))
    /* Translators: keys of the keyboard, and what they do: answers to several questions were given, and are reviewed */
    return g_strdup (_("Ctrl+⏎ sends the answers"));
  /* Translators: ⏎ is a key of the keyboard */
  return find_queued (self) != NULL ? g_strdup (_("⏎ sends the queued message now")) : NULL;
}

void
beckon_conversation_view_update_hint (BeckonConversationView *self)
{
  const char *more = NULL;
  g_autofree char *hint = self->conversation != NULL ? compose_describe (self, &more) : NULL;

  beckon_composer_set_hint (self->composer, hint, more);
}

/* --- Enter -------------------------------------------------------------------------------------------------------- */

/* An earlier message that was edited has its place in the history, so there is no other time for it. */
static void
send_edited (BeckonConversationView *self, const char *text)
{
  if (beckon_conversation_is_busy (self->conversation))
    {
      beckon_conversation_view_show_error (self, _("The agent is at work. Wait until it is done, or stop it, then send the "
                                                   "edited message."));
      return;
    }
  beckon_conversation_view_show_error (self, NULL);
  beckon_conversation_view_begin_sending (self, TRUE);
  beckon_transcript_jump_to_end (self->transcript);
  g_signal_emit_by_name (self, "edit", self->conversation, self->edited_id, text != NULL ? text : "");
}

/* FALSE: the line is no answer. */
static gboolean
compose_answer (BeckonConversationView *self, const char *text)
{
  BeckonQuestionCard *card = find_question (self);
  g_autofree char *message = NULL;

  if (card == NULL || text == NULL)
    return FALSE;
  /* A card that has just come takes nothing, and the text stays where it is. */
  if (!beckon_dock_is_ready (self->dock))
    return TRUE;
  switch (beckon_question_card_take_line (card, text, &message))
    {
    case BECKON_QUESTION_LINE_TAKEN:
      beckon_composer_set_text (self->composer, NULL);
      g_signal_emit_by_name (self, "draft", "");
      break;
    case BECKON_QUESTION_LINE_REFUSED:
      if (message != NULL)
        beckon_conversation_view_show_error (self, message);
      break;
    case BECKON_QUESTION_LINE_OTHER:
    default:
      return FALSE;
    }
  beckon_conversation_view_update_hint (self);
  return TRUE;
}

static void
on_composer_send (BeckonConversationView *self, gboolean as_message)
{
  g_autofree char *text = beckon_composer_dup_text (self->composer);

  if (self->conversation == NULL || !beckon_composer_has_something (self->composer))
    return;
  if (beckon_composer_is_editing (self->composer) && self->edited_id != NULL)
    send_edited (self, text);
  else if (as_message || !compose_answer (self, text))
    {
      beckon_conversation_view_show_error (self, NULL);
      beckon_conversation_view_begin_sending (self, FALSE);
      beckon_transcript_jump_to_end (self->transcript);
      g_signal_emit_by_name (self, beckon_conversation_is_busy (self->conversation) ? "queue" : "send",
                             self->conversation, text != NULL ? text : "");
    }
}

static void
on_composer_advance (BeckonConversationView *self)
{
  BeckonQueueItem *item = self->conversation != NULL ? find_queued (self) : NULL;

  if (item != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.queued-send", "s", beckon_queue_item_get_id (item));
}

/* --- What is typed ------------------------------------------------------------------------------------------------ */

/* (nullable): the question whose masked answer is begun here. Text that was there before it came is a message. */
static BeckonQuestionCard *
find_secret (BeckonConversationView *self)
{
  BeckonQuestionCard *card = self->conversation != NULL ? find_question (self) : NULL;

  return card != NULL && *beckon_conversation_get_draft (self->conversation) == '\0'
         && beckon_question_card_takes_secret (card) ? card : NULL;
}

static void
take_draft (BeckonConversationView *self, const char *draft)
{
  beckon_conversation_view_update_hint (self);
  g_signal_emit_by_name (self, "draft", draft);
}

static gboolean
on_secret_typed (gpointer data)
{
  BeckonConversationView *self = data;
  BeckonQuestionCard *card = find_secret (self);
  g_autofree char *text = beckon_composer_dup_draft (self->composer);

  self->secret_source = 0;
  if (card == NULL)
    take_draft (self, text);
  else if (*text != '\0')
    {
      beckon_composer_set_text (self->composer, NULL);
      beckon_question_card_type_secret (card, text);
    }
  return G_SOURCE_REMOVE;
}

/* A masked answer goes on in its own entry: here it would be seen, and stored. The text can't be taken away while it comes. */
static void
on_composer_changed (BeckonConversationView *self)
{
  g_autofree char *draft = beckon_composer_dup_draft (self->composer);

  beckon_conversation_view_show_error (self, NULL);
  if (self->secret_source != 0)
    return;
  if (*draft != '\0' && find_secret (self) != NULL)
    self->secret_source = g_idle_add_full (G_PRIORITY_DEFAULT, on_secret_typed, self, NULL);
  else
    take_draft (self, draft);
}

void
beckon_conversation_view_set_locked (BeckonConversationView *self, gboolean locked)
{
  beckon_composer_set_locked (self->composer, locked);
  if (!locked)
    beckon_composer_write_typed_ahead (self->composer);
}

void
beckon_conversation_view_bind_compose (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, on_composer_send);
  gtk_widget_class_bind_template_callback (widget_class, on_composer_advance);
  gtk_widget_class_bind_template_callback (widget_class, on_composer_changed);
}
