/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-private.h"

/* Messages sent in this conversation come back by the up key on the first line, as in a terminal. Text before that waits
 * behind the last of them, and stays the draft until another is changed. */

static void
composer_history_show (BeckonComposer *self, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter end;

  beckon_composer_set_text (self, text);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  gtk_text_view_scroll_mark_onscreen (self->text_view, gtk_text_buffer_get_insert (buffer));
}

static char *
dup_sent (BeckonComposer *self, guint index)
{
  BeckonMessage *message = beckon_conversation_get_message (self->conversation, index);
  g_autofree char *text = NULL;

  if (beckon_message_get_role (message) != BECKON_ROLE_USER)
    return NULL;
  text = beckon_message_dup_text (message);
  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

/* @step: -1 to what was sent before, 1 to what was sent after. */
static gboolean
go (BeckonComposer *self, int step)
{
  gint64 n = beckon_conversation_get_n_messages (self->conversation);
  gint64 place = self->kept_typing != NULL ? self->history_place : n;

  for (place += step; place >= 0 && place < n; place += step)
    {
      g_autofree char *text = dup_sent (self, (guint) place);

      if (text == NULL)
        continue;
      if (self->kept_typing == NULL)
        self->kept_typing = beckon_composer_dup_draft (self);
      self->history_place = place;
      composer_history_show (self, text);
      return TRUE;
    }
  if (step < 0 || self->kept_typing == NULL)
    return self->kept_typing != NULL;

  composer_history_show (self, self->kept_typing);
  g_clear_pointer (&self->kept_typing, g_free);
  return TRUE;
}

/* On the first line as it is shown, or on the last. */
static gboolean
is_at_edge (BeckonComposer *self, gboolean first)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter cursor, edge;
  GdkRectangle here, there;

  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  if (first)
    gtk_text_buffer_get_start_iter (buffer, &edge);
  else
    gtk_text_buffer_get_end_iter (buffer, &edge);
  gtk_text_view_get_iter_location (self->text_view, &cursor, &here);
  gtk_text_view_get_iter_location (self->text_view, &edge, &there);
  return here.y == there.y;
}

gboolean
beckon_composer_history_key (BeckonComposer *self, guint keyval)
{
  gboolean up = keyval == GDK_KEY_Up;

  if (self->conversation == NULL || self->locked || self->composing || beckon_composer_is_editing (self)
      || (!up && self->kept_typing == NULL)
      || gtk_text_buffer_get_has_selection (gtk_text_view_get_buffer (self->text_view)))
    return FALSE;
  return is_at_edge (self, up) && go (self, up ? -1 : 1);
}

void
beckon_composer_forget_history (BeckonComposer *self)
{
  g_clear_pointer (&self->kept_typing, g_free);
}

void
beckon_composer_set_conversation (BeckonComposer *self, BeckonConversation *conversation)
{
  beckon_composer_forget_history (self);
  beckon_composer_forget_names (self);
  beckon_composer_close_prompt (self);
  /* No conversation gets words that were meant for another one. */
  g_string_truncate (self->typed_ahead, 0);
  g_set_object (&self->conversation, conversation);
  if (self->bar != NULL)
    {
      beckon_composer_bar_set_conversation (self->bar, conversation);
      beckon_queue_strip_set_conversation (self->queue_strip, conversation);
    }
}
