/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-view-private.h"

/*
 * From Enter until the message is stored its text stays in the composer, which is locked. The person may turn to another
 * conversation meanwhile and come back: the composer is locked again then, and what was typed ahead is still for this one.
 */

static void
conversation_view_sending_free (gpointer data)
{
  BeckonSending *sending = data;

  g_free (sending->ahead);
  g_free (sending);
}

/* (nullable) */
static BeckonSending *
conversation_view_sending_find (BeckonConversationView *self, BeckonConversation *conversation)
{
  return self->sending != NULL && conversation != NULL
           ? g_hash_table_lookup (self->sending, conversation) : NULL;
}

void
beckon_conversation_view_begin_sending (BeckonConversationView *self, gboolean is_edit)
{
  BeckonSending *sending = g_new0 (BeckonSending, 1);

  sending->is_edit = is_edit;
  if (self->sending == NULL)
    self->sending = g_hash_table_new_full (NULL, NULL, g_object_unref, conversation_view_sending_free);
  g_hash_table_insert (self->sending, g_object_ref (self->conversation), sending);
  beckon_composer_set_locked (self->composer, TRUE);
}

void
beckon_conversation_view_pause_sending (BeckonConversationView *self)
{
  BeckonSending *sending = conversation_view_sending_find (self, self->conversation);

  if (sending == NULL)
    return;
  g_free (sending->ahead);
  sending->ahead = beckon_composer_take_typed_ahead (self->composer);
}

/* An edited message is no longer in the composer: the draft is. */
void
beckon_conversation_view_resume_sending (BeckonConversationView *self)
{
  BeckonSending *sending = conversation_view_sending_find (self, self->conversation);

  if (sending == NULL)
    return;
  beckon_composer_give_typed_ahead (self->composer, sending->ahead);
  if (sending->is_edit)
    beckon_composer_write_typed_ahead (self->composer);
  else
    beckon_composer_set_locked (self->composer, TRUE);
  g_clear_pointer (&sending->ahead, g_free);
}

char *
beckon_conversation_view_sent (BeckonConversationView *self, BeckonConversation *conversation, const GError *error)
{
  BeckonSending *sending = conversation_view_sending_find (self, conversation);
  gboolean is_edit = sending != NULL && sending->is_edit;
  char *ahead = sending != NULL ? g_steal_pointer (&sending->ahead) : NULL;

  if (sending != NULL)
    g_hash_table_remove (self->sending, conversation);
  if (self->conversation == conversation)
    {
      beckon_composer_set_locked (self->composer, FALSE);
      if (error != NULL)
        beckon_conversation_view_show_error (self, error->message);
      else if (beckon_composer_is_editing (self->composer))
        beckon_composer_end_edit (self->composer);
      else if (!is_edit)
        {
          beckon_composer_set_text (self->composer, NULL);
          g_signal_emit_by_name (self, "draft", "");
        }
      beckon_composer_write_typed_ahead (self->composer);
      beckon_conversation_view_update_hint (self);
    }
  return ahead;
}
