/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list holds the messages of one branch, the one that is shown; here is how it becomes another. */

#include "beckon-conversation-private.h"

static BeckonMessage *
get_last (BeckonConversation *self)
{
  return self->messages->len > 0 ? g_ptr_array_index (self->messages, self->messages->len - 1) : NULL;
}

void
beckon_conversation_join_branch (BeckonConversation *self, BeckonMessage *message)
{
  BeckonMessage *last = get_last (self);
  guint n_left = last != NULL ? beckon_message_get_n_left (last) : self->n_left;

  if (last != NULL && beckon_message_get_parent_id (message) == NULL)
    beckon_message_set_parent_id (message, beckon_message_get_id (last));
  if (n_left > 0)
    beckon_message_set_version (message, n_left, n_left + 1);
  if (last != NULL)
    beckon_message_set_n_left (last, 0);
  self->n_left = 0;
}

void
beckon_conversation_leave (BeckonConversation *self, guint position)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  guint n_versions;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (position < self->messages->len);

  n_versions = beckon_message_get_n_versions (g_ptr_array_index (self->messages, position));
  beckon_conversation_replace_tail (self, position, none);
  self->n_left = position == 0 ? n_versions : 0;
  if (position > 0)
    beckon_message_set_n_left (get_last (self), n_versions);
}

void
beckon_conversation_replace_tail (BeckonConversation *self, guint position, GPtrArray *messages)
{
  g_autoptr (GPtrArray) old = NULL;
  guint n_kept, n_removed, n_added;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (position <= self->messages->len);
  g_return_if_fail (messages != NULL);

  /* How many at the end are the same objects. */
  n_kept = 0;
  while (n_kept < self->messages->len - position && n_kept < messages->len
         && g_ptr_array_index (self->messages, self->messages->len - 1 - n_kept)
                == g_ptr_array_index (messages, messages->len - 1 - n_kept))
    n_kept++;

  n_removed = self->messages->len - position - n_kept;
  n_added = messages->len - n_kept;
  if (n_removed == 0 && n_added == 0)
    return;

  old = g_steal_pointer (&self->messages);
  self->messages = g_ptr_array_new_full (position + messages->len, g_object_unref);
  for (guint i = 0; i < position; i++)
    g_ptr_array_add (self->messages, g_object_ref (g_ptr_array_index (old, i)));
  for (guint i = 0; i < messages->len; i++)
    g_ptr_array_add (self->messages, g_object_ref (g_ptr_array_index (messages, i)));
  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
}

void
beckon_conversation_drop_message (BeckonConversation *self, BeckonMessage *message)
{
  guint n_others, position;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (BECKON_IS_MESSAGE (message));

  if (!g_ptr_array_find (self->messages, message, &position))
    return;

  n_others = beckon_message_get_n_versions (message) - 1;
  if (position + 1 < self->messages->len)
    {
      BeckonMessage *next = g_ptr_array_index (self->messages, position + 1);

      beckon_message_set_parent_id (next, beckon_message_get_parent_id (message));
      beckon_message_set_version (next, beckon_message_get_version (message), n_others + 1);
    }
  else if (position > 0)
    beckon_message_set_n_left (g_ptr_array_index (self->messages, position - 1), n_others);
  else
    self->n_left = n_others;
  g_ptr_array_remove_index (self->messages, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
}

gboolean
beckon_conversation_has_dropped (BeckonConversation *self, BeckonMessage *message)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);
  g_return_val_if_fail (BECKON_IS_MESSAGE (message), FALSE);

  return beckon_message_get_status (message) == BECKON_MESSAGE_STREAMING
         && !g_ptr_array_find (self->messages, message, NULL);
}

/* From the end, because what is looked for is nearly always recent. */
gboolean
beckon_conversation_find_position (BeckonConversation *self, const char *message_id, guint *position)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);
  g_return_val_if_fail (message_id != NULL && position != NULL, FALSE);

  for (guint i = self->messages->len; i > 0; i--)
    if (g_str_equal (beckon_message_get_id (g_ptr_array_index (self->messages, i - 1)), message_id))
      {
        *position = i - 1;
        return TRUE;
      }

  return FALSE;
}
