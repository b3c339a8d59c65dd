/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-conversation-private.h"

/* The files attached to the draft, and the messages that are queued. */

GListStore *
beckon_conversation_get_files (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->files;
}

gboolean
beckon_conversation_has_empty_draft (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), TRUE);

  return *self->draft == '\0' && g_list_model_get_n_items (G_LIST_MODEL (self->files)) == 0;
}

GListStore *
beckon_conversation_get_queue (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->queue;
}

static BeckonQueueItem *
find_queued (BeckonConversation *self, const char *id, guint *index)
{
  GListModel *queue = G_LIST_MODEL (self->queue);

  for (*index = 0; *index < g_list_model_get_n_items (queue); (*index)++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, *index);

      if (g_str_equal (beckon_queue_item_get_id (item), id))
        return item;
    }
  return NULL;
}

BeckonQueueItem *
beckon_conversation_find_queued (BeckonConversation *self, const char *id)
{
  guint index;

  g_return_val_if_fail (BECKON_IS_CONVERSATION (self) && id != NULL, NULL);

  return find_queued (self, id, &index);
}

void
beckon_conversation_forget_queued (BeckonConversation *self, const char *id)
{
  guint index;

  g_return_if_fail (BECKON_IS_CONVERSATION (self) && id != NULL);

  if (find_queued (self, id, &index) != NULL)
    g_list_store_remove (self->queue, index);
}
