/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-library-private.h"
#include "store/db/beckon-store-follow.h"

#define DRAFT_DELAY_MS 500

static GPtrArray *
library_drafts_list_files (BeckonLibraryEntry *entry)
{
  GListModel *files = G_LIST_MODEL (beckon_conversation_get_files (entry->conversation));
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (list, g_list_model_get_item (files, i));
  return list;
}

/* Before they were read nothing can be said about them. A part that is attached stays as it is. */
static gboolean
has_new_files (BeckonLibraryEntry *entry)
{
  g_autoptr (GPtrArray) files = library_drafts_list_files (entry);
  gboolean same = entry->stored_files == NULL || files->len == entry->stored_files->len;

  for (guint i = 0; entry->stored_files != NULL && same && i < files->len; i++)
    same = g_ptr_array_index (files, i) == g_ptr_array_index (entry->stored_files, i);
  return !same;
}

/* Each in a batch of its own: what is temporary goes another way. */
static void
write_draft (BeckonLibrary *self, BeckonLibraryEntry *entry)
{
  gboolean new_text = g_strcmp0 (beckon_conversation_get_draft (entry->conversation), entry->stored_draft) != 0;
  gboolean new_files = has_new_files (entry);
  BeckonBatch *batch;

  if (!new_text && !new_files)
    return;

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_keep (batch);
  if (!entry->is_stored)
    beckon_batch_put_conversation (batch, entry->conversation);
  entry->is_stored = TRUE;
  if (new_text)
    {
      g_free (entry->stored_draft);
      entry->stored_draft = g_strdup (beckon_conversation_get_draft (entry->conversation));
      beckon_batch_set_draft (batch, beckon_conversation_get_id (entry->conversation), entry->stored_draft);
    }
  if (new_files)
    {
      g_ptr_array_unref (entry->stored_files);
      entry->stored_files = library_drafts_list_files (entry);
      beckon_batch_set_draft_files (batch, beckon_conversation_get_id (entry->conversation),
                                    G_LIST_MODEL (beckon_conversation_get_files (entry->conversation)));
    }
  beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
}

void
beckon_library_flush_drafts (BeckonLibrary *self)
{
  GHashTableIter iter;
  gpointer id;

  beckon_clock_remove (self->clock, self->draft_timeout);
  self->draft_timeout = 0;
  g_hash_table_iter_init (&iter, self->dirty);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    write_draft (self, g_hash_table_lookup (self->entries, id));
  g_hash_table_remove_all (self->dirty);
}

void
beckon_library_flush (BeckonLibrary *self)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));

  beckon_library_flush_drafts (self);
  beckon_library_doom_hidden (self);
}

static gboolean
on_draft_due (gpointer user_data)
{
  BeckonLibrary *self = user_data;

  self->draft_timeout = 0;
  beckon_library_flush_drafts (self);

  return G_SOURCE_REMOVE;
}

/* All changes count: a run that begins empties it, and an older text must not be written after that. */
static void
library_drafts_on_draft_changed (BeckonLibrary *self, GParamSpec *pspec, BeckonConversation *conversation)
{
  if (beckon_library_find_entry (self, conversation) == NULL)
    return;

  g_hash_table_add (self->dirty, g_strdup (beckon_conversation_get_id (conversation)));
  if (self->draft_timeout == 0)
    self->draft_timeout = beckon_clock_add_timeout (self->clock, DRAFT_DELAY_MS, on_draft_due, self);
}

void
beckon_library_follow_draft (BeckonLibrary *self, BeckonLibraryEntry *entry)
{
  if (entry->stored_draft != NULL)
    return;

  entry->stored_draft = g_strdup (beckon_conversation_get_draft (entry->conversation));
  if (entry->stored_files == NULL && !entry->is_stored)
    entry->stored_files = library_drafts_list_files (entry);
  g_signal_connect_object (entry->conversation, "notify::draft", G_CALLBACK (library_drafts_on_draft_changed), self,
                           G_CONNECT_SWAPPED);
}

typedef struct
{
  BeckonLibrary *library;           /* (owned) */
  GTask *task;                      /* (owned) (nullable): what is ended when they are there */
  BeckonConversation *conversation; /* (owned) */
} Reading;

static void
library_drafts_reading_free (Reading *reading)
{
  if (reading->task != NULL)
    g_task_return_boolean (reading->task, TRUE);
  g_clear_object (&reading->task);
  g_object_unref (reading->library);
  g_object_unref (reading->conversation);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, library_drafts_reading_free)

static Reading *
reading_new (BeckonLibrary *self, BeckonConversation *conversation, GTask *task)
{
  Reading *reading = g_new0 (Reading, 1);

  reading->library = g_object_ref (self);
  reading->conversation = g_object_ref (conversation);
  reading->task = task;
  return reading;
}

static gboolean
has_order (GListModel *model, GPtrArray *queue)
{
  for (guint i = 0; i < queue->len; i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (model, i);

      if (item == NULL
          || g_strcmp0 (beckon_queue_item_get_id (item), beckon_queue_item_get_id (g_ptr_array_index (queue, i))) != 0)
        return FALSE;
    }
  return g_list_model_get_n_items (model) == queue->len;
}

/* Items that were there stay the same objects, so that views keep their rows. */
static void
take_queue (BeckonConversation *conversation, GPtrArray *queue)
{
  GListStore *store = beckon_conversation_get_queue (conversation);

  for (guint i = 0; i < queue->len; i++)
    {
      BeckonQueueItem *read = g_ptr_array_index (queue, i);
      BeckonQueueItem *known = beckon_conversation_find_queued (conversation, beckon_queue_item_get_id (read));

      if (known == NULL)
        continue;
      beckon_queue_item_set_sends_now (known, beckon_queue_item_get_sends_now (read));
      g_object_ref (known);
      g_object_unref (read);
      queue->pdata[i] = known;
    }
  if (!has_order (G_LIST_MODEL (store), queue))
    g_list_store_splice (store, 0, g_list_model_get_n_items (G_LIST_MODEL (store)), queue->pdata, queue->len);
}

static void
on_queue_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) queue = beckon_store_load_queue_finish (BECKON_STORE (source), result, &error);

  if (queue == NULL)
    g_debug ("the queue of a conversation was not read: %s", error->message);
  else
    take_queue (reading->conversation, queue);
}

/* The store answers in the order in which it was asked: the queue that is read is never older than what is here. */
static void
read_queue (Reading *reading)
{
  beckon_store_load_queue_async (reading->library->store, beckon_conversation_get_id (reading->conversation), NULL,
                                 on_queue_read, reading);
}

void
beckon_library_read_queue (BeckonLibrary *self, BeckonConversation *conversation)
{
  read_queue (reading_new (self, conversation, NULL));
}

static void
on_files_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Reading *reading = user_data;
  BeckonLibraryEntry *entry = beckon_library_find_entry (reading->library, reading->conversation);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files = beckon_store_load_draft_files_finish (BECKON_STORE (source), result, &error);

  if (files == NULL)
    g_debug ("what is attached to a draft was not read: %s", error->message);
  else if (entry != NULL && entry->stored_files == NULL)
    {
      /* Newer attachments stand behind these. */
      entry->stored_files = g_ptr_array_ref (files);
      beckon_library_follow_draft (reading->library, entry);
      if (files->len > 0)
        g_list_store_splice (beckon_conversation_get_files (entry->conversation), 0, 0, files->pdata, files->len);
    }
  read_queue (reading);
}

void
beckon_library_read_files (BeckonLibrary *self, BeckonConversation *conversation, GTask *task)
{
  BeckonLibraryEntry *entry = beckon_library_find_entry (self, conversation);

  if (entry == NULL || entry->stored_files != NULL)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  beckon_store_load_draft_files_async (self->store, beckon_conversation_get_id (conversation), NULL, on_files_read,
                                       reading_new (self, conversation, task));
}

void
beckon_library_save_draft (BeckonLibrary *self, BeckonConversation *conversation, const char *draft)
{
  BeckonLibraryEntry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  entry = beckon_library_find_entry (self, conversation);
  if (entry != NULL)
    beckon_library_follow_draft (self, entry);

  beckon_conversation_set_draft (conversation, draft);
}
