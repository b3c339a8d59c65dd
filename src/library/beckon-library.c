/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "beckon-config.h"

#include "beckon-library.h"

#include "base/beckon-finish.h"
#include "base/beckon-id.h"
#include "beckon-library-private.h"
#include "store/db/beckon-store-follow.h"

static GType
library_get_item_type (GListModel *model)
{
  return BECKON_TYPE_CONVERSATION;
}

static guint
library_get_n_items (GListModel *model)
{
  return BECKON_LIBRARY (model)->conversations->len;
}

static gpointer
library_get_item (GListModel *model, guint position)
{
  BeckonLibrary *self = BECKON_LIBRARY (model);

  return position < self->conversations->len ? g_object_ref (g_ptr_array_index (self->conversations, position)) : NULL;
}

static void
beckon_library_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = library_get_item_type;
  iface->get_n_items = library_get_n_items;
  iface->get_item = library_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonLibrary, beckon_library, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_library_list_model_init))

void
beckon_library_entry_free (BeckonLibraryEntry *entry)
{
  g_object_unref (entry->conversation);
  g_free (entry->stored_draft);
  g_clear_pointer (&entry->stored_files, g_ptr_array_unref);
  g_free (entry);
}

/* The list */

BeckonLibraryEntry *
beckon_library_find_entry (BeckonLibrary *self, BeckonConversation *conversation)
{
  return g_hash_table_lookup (self->entries, beckon_conversation_get_id (conversation));
}

BeckonLibraryEntry *
beckon_library_add_entry (BeckonLibrary *self, BeckonConversation *conversation, gboolean is_stored)
{
  BeckonLibraryEntry *entry = g_new0 (BeckonLibraryEntry, 1);

  entry->conversation = g_object_ref (conversation);
  entry->is_stored = is_stored;
  g_hash_table_insert (self->entries, (gpointer) beckon_conversation_get_id (conversation), entry);
  g_ptr_array_add (self->fresh, conversation);
  self->last_sequence = MAX (self->last_sequence, beckon_conversation_get_sequence (conversation));

  return entry;
}

void
beckon_library_say_changed (BeckonLibrary *self, BeckonConversation *conversation)
{
  guint position;

  if (g_ptr_array_find (self->conversations, conversation, &position))
    g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 1);
}

static int
library_compare (BeckonConversation *a, BeckonConversation *b)
{
  gint64 first = beckon_conversation_get_sequence (a);
  gint64 second = beckon_conversation_get_sequence (b);

  if (first == second)
    {
      first = beckon_conversation_get_updated_at (a);
      second = beckon_conversation_get_updated_at (b);
    }
  if (first != second)
    return first > second ? -1 : 1;

  return g_strcmp0 (beckon_conversation_get_id (b), beckon_conversation_get_id (a));
}

static int
compare_pointers (gconstpointer a, gconstpointer b)
{
  return library_compare (*(BeckonConversation *const *) a, *(BeckonConversation *const *) b);
}

/* Says what changed as one run of rows: a selection finds its item again among those that came. */
static void
library_replace (BeckonLibrary *self, GPtrArray *conversations)
{
  g_autoptr (GPtrArray) old = self->conversations;
  guint first = 0, last = 0;

  self->conversations = g_ptr_array_ref (conversations);

  while (first < MIN (old->len, conversations->len)
         && g_ptr_array_index (old, first) == g_ptr_array_index (conversations, first))
    first++;
  while (last < MIN (old->len, conversations->len) - first
         && g_ptr_array_index (old, old->len - 1 - last)
         == g_ptr_array_index (conversations, conversations->len - 1 - last))
    last++;

  if (first + last < MAX (old->len, conversations->len))
    g_list_model_items_changed (G_LIST_MODEL (self), first, old->len - first - last,
                                conversations->len - first - last);
}

/* Merges two ordered lists of pointers. */
static GPtrArray *
library_merge (GPtrArray *first, GPtrArray *second)
{
  GPtrArray *merged = g_ptr_array_sized_new (first->len + second->len);
  guint at = 0;

  for (guint i = 0; i < first->len; i++)
    {
      while (at < second->len && library_compare (g_ptr_array_index (second, at), g_ptr_array_index (first, i)) < 0)
        g_ptr_array_add (merged, g_ptr_array_index (second, at++));
      g_ptr_array_add (merged, g_ptr_array_index (first, i));
    }
  while (at < second->len)
    g_ptr_array_add (merged, g_ptr_array_index (second, at++));

  return merged;
}

/* Nearly all of them are where they belong, so only the others are sorted: a long list is gone through once. */
void
beckon_library_sort (BeckonLibrary *self)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_sized_new (self->conversations->len);
  g_autoptr (GPtrArray) moved = g_ptr_array_new ();
  g_autoptr (GPtrArray) sorted = NULL;

  for (guint i = 0; i < self->conversations->len; i++)
    {
      BeckonConversation *conversation = g_ptr_array_index (self->conversations, i);

      if (kept->len == 0 || library_compare (g_ptr_array_index (kept, kept->len - 1), conversation) <= 0)
        g_ptr_array_add (kept, conversation);
      else
        g_ptr_array_add (moved, conversation);
    }
  g_ptr_array_extend (moved, self->fresh, NULL, NULL);
  g_ptr_array_set_size (self->fresh, 0);

  g_ptr_array_sort (moved, compare_pointers);
  sorted = library_merge (kept, moved);
  library_replace (self, sorted);
}

void
beckon_library_remove_entry (BeckonLibrary *self, BeckonConversation *conversation)
{
  G_GNUC_UNUSED g_autoptr (BeckonConversation) held = g_object_ref (conversation);
  g_autoptr (GPtrArray) rest = g_ptr_array_copy (self->conversations, NULL, NULL);

  g_ptr_array_remove (rest, conversation);
  g_ptr_array_remove (self->fresh, conversation);
  beckon_library_doubt (self, beckon_conversation_get_id (conversation));
  g_hash_table_remove (self->dirty, beckon_conversation_get_id (conversation));
  g_hash_table_remove (self->entries, beckon_conversation_get_id (conversation));
  library_replace (self, rest);
}

/* The object */

static void
beckon_library_dispose (GObject *object)
{
  BeckonLibrary *self = BECKON_LIBRARY (object);

  if (self->store != NULL)
    beckon_library_flush (self);
  beckon_library_stop_watching_deletions (self);
  g_clear_handle_id (&self->count_source, g_source_remove);
  if (self->clock != NULL)
    beckon_clock_remove (self->clock, self->reload_timeout);
  self->reload_timeout = 0;
  g_clear_object (&self->vault);
  g_clear_object (&self->store);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (beckon_library_parent_class)->dispose (object);
}

static void
beckon_library_finalize (GObject *object)
{
  BeckonLibrary *self = BECKON_LIBRARY (object);

  g_ptr_array_unref (self->conversations);
  g_ptr_array_unref (self->fresh);
  g_hash_table_unref (self->doubted);
  beckon_listing_unref (self->listing);
  g_hash_table_unref (self->entries);
  g_hash_table_unref (self->dirty);
  g_hash_table_unref (self->hidden);
  g_clear_pointer (&self->removals, g_ptr_array_unref);

  G_OBJECT_CLASS (beckon_library_parent_class)->finalize (object);
}

typedef enum
{
  SIGNAL_LOADED,
  SIGNAL_GONE,
} BeckonLibrarySignal;

static guint signals[SIGNAL_GONE + 1];

static void
beckon_library_class_init (BeckonLibraryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_library_dispose;
  object_class->finalize = beckon_library_finalize;
  signals[SIGNAL_LOADED] = g_signal_new ("loaded", BECKON_TYPE_LIBRARY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  signals[SIGNAL_GONE] = g_signal_new ("gone", BECKON_TYPE_LIBRARY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                       G_TYPE_STRING);
}

static void
beckon_library_init (BeckonLibrary *self)
{
  self->default_mode = BECKON_MODE_DEFAULT;
  self->conversations = g_ptr_array_new ();
  self->fresh = g_ptr_array_new ();
  self->listing = beckon_listing_new ();
  self->doubted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) beckon_library_entry_free);
  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) beckon_library_entry_free);
  self->dirty = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

BeckonLibrary *
beckon_library_new (BeckonStore *store, BeckonClock *clock)
{
  BeckonLibrary *self;

  g_return_val_if_fail (BECKON_IS_STORE (store), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_LIBRARY, NULL);
  self->store = g_object_ref (store);
  self->clock = g_object_ref (clock);
  g_signal_connect_object (store, "changed-elsewhere", G_CALLBACK (beckon_library_reload), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "requests-moved", G_CALLBACK (beckon_library_count_soon), self, G_CONNECT_SWAPPED);

  return self;
}

void
beckon_library_load_async (BeckonLibrary *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_LIBRARY (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_library_load_async);
  beckon_library_read (self, task);
}

void
beckon_library_load_first_async (BeckonLibrary *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (!self->is_loaded);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_library_load_async);
  beckon_library_read_first (self, task);
}

gboolean
beckon_library_is_loaded (BeckonLibrary *self)
{
  g_return_val_if_fail (BECKON_IS_LIBRARY (self), FALSE);

  return self->is_loaded;
}

void
beckon_library_say_loaded (BeckonLibrary *self)
{
  g_signal_emit (self, signals[SIGNAL_LOADED], 0);
}

void
beckon_library_say_gone (BeckonLibrary *self, const char *conversation_id)
{
  g_signal_emit (self, signals[SIGNAL_GONE], 0, conversation_id);
}

BECKON_FINISH_BOOLEAN (beckon_library_load, BeckonLibrary)

static BeckonConversation *
create (BeckonLibrary *self, gboolean temporary)
{
  g_autoptr (BeckonConversation) conversation = NULL;
  g_autofree char *id = beckon_id_new ();

  conversation = beckon_conversation_new (id, beckon_clock_get_real_time (self->clock));
  beckon_conversation_set_temporary (conversation, temporary);
  beckon_conversation_set_mode (conversation, self->default_mode);
  beckon_conversation_set_sequence (conversation, self->last_sequence + 1);
  beckon_conversation_set_loaded (conversation, TRUE);
  beckon_library_follow_draft (self, beckon_library_add_entry (self, conversation, FALSE));
  beckon_library_doubt (self, id);
  beckon_library_sort (self);

  return conversation;
}

void
beckon_library_set_default_mode (BeckonLibrary *self, BeckonMode mode)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));

  self->default_mode = mode;
}

BeckonConversation *
beckon_library_create (BeckonLibrary *self)
{
  g_return_val_if_fail (BECKON_IS_LIBRARY (self), NULL);

  return create (self, FALSE);
}

BeckonConversation *
beckon_library_create_temporary (BeckonLibrary *self)
{
  g_return_val_if_fail (BECKON_IS_LIBRARY (self), NULL);

  return create (self, TRUE);
}

BeckonConversation *
beckon_library_lookup (BeckonLibrary *self, const char *conversation_id)
{
  BeckonLibraryEntry *entry;

  g_return_val_if_fail (BECKON_IS_LIBRARY (self), NULL);
  g_return_val_if_fail (conversation_id != NULL, NULL);

  entry = g_hash_table_lookup (self->entries, conversation_id);

  return entry != NULL ? entry->conversation : NULL;
}

static void
on_path_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_library_take_path (g_task_get_task_data (task), messages, -1);
  g_task_return_boolean (task, TRUE);
}

static void
library_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonConversation *conversation = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  if (!beckon_conversation_get_loaded (conversation))
    {
      beckon_conversation_set_has_earlier (conversation, FALSE);
      beckon_conversation_set_messages (conversation, messages);
      beckon_conversation_set_loaded (conversation, TRUE);
    }
  else if (!beckon_library_merge_messages (conversation, messages))
    {
      beckon_store_load_messages_async (BECKON_STORE (source), beckon_conversation_get_id (conversation),
                                        g_task_get_cancellable (task), on_path_read, g_object_ref (task));
      return;
    }
  g_task_return_boolean (task, TRUE);
}

void
beckon_library_refresh_async (BeckonLibrary *self, BeckonConversation *conversation, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  gint64 first_seq;
  GTask *task;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_library_refresh_async);
  g_task_set_task_data (task, g_object_ref (conversation), g_object_unref);
  first_seq = beckon_conversation_get_loaded (conversation) ? beckon_library_find_open_seq (conversation) : 0;
  beckon_store_load_messages_from_async (self->store, beckon_conversation_get_id (conversation), first_seq, cancellable,
                                         library_on_read, task);
}

BECKON_FINISH_BOOLEAN (beckon_library_refresh, BeckonLibrary)

void
beckon_library_touch (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonLibraryEntry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  entry = beckon_library_find_entry (self, conversation);
  if (entry == NULL)
    return;

  entry->is_stored = TRUE;
  beckon_library_doubt (self, beckon_conversation_get_id (conversation));
  if (beckon_conversation_get_sequence (conversation) < self->last_sequence)
    beckon_conversation_set_sequence (conversation, ++self->last_sequence);
  beckon_library_sort (self);
}
