/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of conversations follows the store, and the store follows the list: what is changed here shows at once and is
 * written behind, what another process wrote is read again.
 *
 * The two must not cross. A listing is old when it arrives; if this process gave the store anything to write after it was
 * asked for, it may know less than the objects do, so it is thrown away and asked for again. A conversation whose run this
 * process drives is ahead of the store all the time; of that only the title, the profile and the number of pending requests
 * are taken over, and its messages belong to the run.
 */

#include "beckon-config.h"

#include "beckon-library.h"

#include "base/beckon-id.h"
#include "beckon-library-private.h"
#include "beckon-store-private.h"

#define DRAFT_DELAY_MS 500

struct _BeckonLibrary
{
  GObject parent_instance;

  BeckonStore *store; /* (owned) */
  BeckonClock *clock; /* (owned) */

  GPtrArray *conversations; /* (element-type BeckonConversation): newest first; owned by the entries */
  GHashTable *entries;      /* (owned) (element-type utf8 Entry): by id */

  /* in progress */
  gboolean is_loaded;
  gboolean is_reloading;
  gboolean reload_again;
  GHashTable *dirty; /* (owned) (element-type utf8): ids of conversations whose draft is not stored yet */
  guint draft_timeout;
  guint count_source;
};

typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  gboolean is_stored;
  char *stored_draft; /* (owned) (nullable): what the store has or is about to get; %NULL until it matters */
} Entry;

/* A listing, or the end of one conversation, that was asked for. */
typedef struct
{
  BeckonLibrary *library;           /* (owned) */
  BeckonConversation *conversation; /* (owned) (nullable) */
  GTask *task;                      /* (owned) (nullable) */
  guint serial;
} Reading;

static GType
get_item_type (GListModel *model)
{
  return BECKON_TYPE_CONVERSATION;
}

static guint
get_n_items (GListModel *model)
{
  return BECKON_LIBRARY (model)->conversations->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  BeckonLibrary *self = BECKON_LIBRARY (model);

  return position < self->conversations->len ? g_object_ref (g_ptr_array_index (self->conversations, position)) : NULL;
}

static void
beckon_library_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonLibrary, beckon_library, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_library_list_model_init))

static void
entry_free (Entry *entry)
{
  g_object_unref (entry->conversation);
  g_free (entry->stored_draft);
  g_free (entry);
}

static Reading *
reading_new (BeckonLibrary *self, BeckonConversation *conversation, GTask *task)
{
  Reading *reading = g_new0 (Reading, 1);

  reading->library = g_object_ref (self);
  g_set_object (&reading->conversation, conversation);
  reading->task = task;

  return reading;
}

static void
reading_free (Reading *reading)
{
  g_object_unref (reading->library);
  g_clear_object (&reading->conversation);
  g_clear_object (&reading->task);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

/* The list */

static Entry *
find_entry (BeckonLibrary *self, BeckonConversation *conversation)
{
  return g_hash_table_lookup (self->entries, beckon_conversation_get_id (conversation));
}

static Entry *
add_entry (BeckonLibrary *self, BeckonConversation *conversation, gboolean is_stored)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->conversation = g_object_ref (conversation);
  entry->is_stored = is_stored;
  g_hash_table_insert (self->entries, (gpointer) beckon_conversation_get_id (conversation), entry);

  return entry;
}

static int
compare (BeckonConversation *a, BeckonConversation *b)
{
  gint64 first = beckon_conversation_get_updated_at (a);
  gint64 second = beckon_conversation_get_updated_at (b);

  if (first != second)
    return first > second ? -1 : 1;

  return g_strcmp0 (beckon_conversation_get_id (b), beckon_conversation_get_id (a));
}

static int
compare_pointers (gconstpointer a, gconstpointer b)
{
  return compare (*(BeckonConversation *const *) a, *(BeckonConversation *const *) b);
}

/* Says what changed as one run of rows: a selection finds its item again among those that came. */
static void
replace (BeckonLibrary *self, GPtrArray *conversations)
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

static void
sort (BeckonLibrary *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_sized_new (g_hash_table_size (self->entries));
  GHashTableIter iter;
  gpointer entry;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    g_ptr_array_add (sorted, ((Entry *) entry)->conversation);

  g_ptr_array_sort (sorted, compare_pointers);
  replace (self, sorted);
}

static void
remove_entry (BeckonLibrary *self, BeckonConversation *conversation)
{
  g_autoptr (BeckonConversation) held = g_object_ref (conversation);
  g_autoptr (GPtrArray) rest = g_ptr_array_copy (self->conversations, NULL, NULL);

  g_ptr_array_remove (rest, conversation);
  g_hash_table_remove (self->dirty, beckon_conversation_get_id (conversation));
  g_hash_table_remove (self->entries, beckon_conversation_get_id (conversation));
  replace (self, rest);
}

/* Following the store */

static void read_messages (Reading *reading);

static void
on_messages_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages == NULL)
    g_message ("a conversation was not read again: %s", error->message);
  else if (beckon_store_get_serial (reading->library->store) != reading->serial)
    read_messages (g_steal_pointer (&reading));
  else
    beckon_library_merge_messages (reading->conversation, messages);
}

static void
read_messages (Reading *reading)
{
  BeckonConversation *conversation = reading->conversation;

  reading->serial = beckon_store_get_serial (reading->library->store);
  beckon_store_load_messages_from_async (reading->library->store, beckon_conversation_get_id (conversation),
                                         beckon_library_find_open_seq (conversation), NULL, on_messages_read, reading);
}

static void
update (BeckonLibrary *self, BeckonConversation *conversation, BeckonConversation *header)
{
  beckon_conversation_set_title (conversation, beckon_conversation_get_title (header));
  beckon_conversation_set_profile_id (conversation, beckon_conversation_get_profile_id (header));
  beckon_conversation_set_waiting (conversation, beckon_conversation_get_waiting (header));
  if (beckon_store_header_is_ours (header))
    return;

  beckon_conversation_set_updated_at (conversation, beckon_conversation_get_updated_at (header));
  if (beckon_conversation_get_has_run (header))
    beckon_conversation_set_phase (conversation, beckon_conversation_get_phase (header),
                                   beckon_conversation_get_detail (header),
                                   beckon_conversation_get_retry_at (header));
  if (beckon_conversation_get_loaded (conversation))
    read_messages (reading_new (self, conversation, NULL));
}

static void
take_header (BeckonLibrary *self, BeckonConversation *header)
{
  Entry *entry = find_entry (self, header);

  if (entry == NULL)
    {
      add_entry (self, header, TRUE);
      return;
    }

  entry->is_stored = TRUE;
  update (self, entry->conversation, header);
}

/* What another process deleted; what was never stored is not there either, and stays. */
static void
drop_missing (BeckonLibrary *self, GPtrArray *headers)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer data;

  for (guint i = 0; i < headers->len; i++)
    g_hash_table_add (listed, (gpointer) beckon_conversation_get_id (g_ptr_array_index (headers, i)));

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    {
      Entry *entry = data;

      if (entry->is_stored && !g_hash_table_contains (listed, beckon_conversation_get_id (entry->conversation)))
        g_ptr_array_add (missing, entry->conversation);
    }

  for (guint i = 0; i < missing->len; i++)
    remove_entry (self, g_ptr_array_index (missing, i));
}

static void
take_in (BeckonLibrary *self, GPtrArray *headers)
{
  drop_missing (self, headers);
  for (guint i = 0; i < headers->len; i++)
    take_header (self, g_ptr_array_index (headers, i));
  sort (self);
}

static void read_headers (Reading *reading);

static void
end_reload (BeckonLibrary *self)
{
  gboolean again = self->reload_again;

  self->is_reloading = FALSE;
  self->reload_again = FALSE;
  if (again)
    {
      self->is_reloading = TRUE;
      read_headers (reading_new (self, NULL, NULL));
    }
}

static void
on_headers_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  BeckonLibrary *self = reading->library;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) headers = beckon_store_list_conversations_finish (BECKON_STORE (source), result, &error);

  if (headers != NULL && beckon_store_get_serial (self->store) != reading->serial)
    {
      read_headers (g_steal_pointer (&reading));
      return;
    }

  if (headers != NULL)
    {
      self->is_loaded = TRUE;
      take_in (self, headers);
    }

  if (reading->task == NULL)
    {
      if (error != NULL)
        g_message ("the conversations were not read again: %s", error->message);
      end_reload (self);
    }
  else if (error != NULL)
    g_task_return_error (reading->task, g_steal_pointer (&error));
  else
    g_task_return_boolean (reading->task, TRUE);
}

static void
read_headers (Reading *reading)
{
  BeckonStore *store = reading->library->store;

  reading->serial = beckon_store_get_serial (store);
  beckon_store_list_conversations_async (store, reading->task != NULL ? g_task_get_cancellable (reading->task) : NULL,
                                         on_headers_read, reading);
}

static void
reload (BeckonLibrary *self)
{
  if (!self->is_loaded)
    return;

  if (self->is_reloading)
    {
      self->reload_again = TRUE;
      return;
    }

  self->is_reloading = TRUE;
  read_headers (reading_new (self, NULL, NULL));
}

static void
on_counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonLibrary) self = user_data;
  g_autoptr (GHashTable) counts = beckon_store_count_pending_finish (BECKON_STORE (source), result, NULL);

  for (guint i = 0; counts != NULL && i < self->conversations->len; i++)
    {
      BeckonConversation *conversation = g_ptr_array_index (self->conversations, i);
      gpointer count = g_hash_table_lookup (counts, beckon_conversation_get_id (conversation));

      beckon_conversation_set_waiting (conversation, GPOINTER_TO_UINT (count));
    }
}

static gboolean
count_pending (gpointer user_data)
{
  BeckonLibrary *self = user_data;

  self->count_source = 0;
  beckon_store_count_pending_async (self->store, on_counted, g_object_ref (self));

  return G_SOURCE_REMOVE;
}

/* Behind everything else: the run that an answer sets free must not wait for a badge. */
static void
on_requests_moved (BeckonLibrary *self)
{
  if (self->count_source == 0)
    self->count_source = g_idle_add (count_pending, self);
}

/* The object */

static void
beckon_library_dispose (GObject *object)
{
  BeckonLibrary *self = BECKON_LIBRARY (object);

  if (self->store != NULL)
    beckon_library_flush (self);
  g_clear_handle_id (&self->count_source, g_source_remove);
  g_clear_object (&self->store);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (beckon_library_parent_class)->dispose (object);
}

static void
beckon_library_finalize (GObject *object)
{
  BeckonLibrary *self = BECKON_LIBRARY (object);

  g_ptr_array_unref (self->conversations);
  g_hash_table_unref (self->entries);
  g_hash_table_unref (self->dirty);

  G_OBJECT_CLASS (beckon_library_parent_class)->finalize (object);
}

static void
beckon_library_class_init (BeckonLibraryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_library_dispose;
  object_class->finalize = beckon_library_finalize;
}

static void
beckon_library_init (BeckonLibrary *self)
{
  self->conversations = g_ptr_array_new ();
  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) entry_free);
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
  g_signal_connect_object (store, "changed-elsewhere", G_CALLBACK (reload), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "requests-moved", G_CALLBACK (on_requests_moved), self, G_CONNECT_SWAPPED);

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
  read_headers (reading_new (self, NULL, task));
}

gboolean
beckon_library_load_finish (BeckonLibrary *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_library_load_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

BeckonConversation *
beckon_library_create (BeckonLibrary *self)
{
  g_autoptr (BeckonConversation) conversation = NULL;
  g_autofree char *id = NULL;

  g_return_val_if_fail (BECKON_IS_LIBRARY (self), NULL);

  id = beckon_id_new ();
  conversation = beckon_conversation_new (id, beckon_clock_get_real_time (self->clock));
  beckon_conversation_set_loaded (conversation, TRUE);
  add_entry (self, conversation, FALSE);
  sort (self);

  return conversation;
}

BeckonConversation *
beckon_library_lookup (BeckonLibrary *self, const char *conversation_id)
{
  Entry *entry;

  g_return_val_if_fail (BECKON_IS_LIBRARY (self), NULL);
  g_return_val_if_fail (conversation_id != NULL, NULL);

  entry = g_hash_table_lookup (self->entries, conversation_id);

  return entry != NULL ? entry->conversation : NULL;
}

/* Opened twice at the same time it is read twice and shown once. */
static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
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
      beckon_conversation_set_messages (conversation, messages);
      beckon_conversation_set_loaded (conversation, TRUE);
    }
  g_task_return_boolean (task, TRUE);
}

void
beckon_library_open_async (BeckonLibrary *self, BeckonConversation *conversation, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_library_open_async);
  g_task_set_task_data (task, g_object_ref (conversation), g_object_unref);

  if (beckon_conversation_get_loaded (conversation))
    g_task_return_boolean (task, TRUE);
  else
    beckon_store_load_messages_async (self->store, beckon_conversation_get_id (conversation), cancellable, on_opened,
                                      g_steal_pointer (&task));
}

gboolean
beckon_library_open_finish (BeckonLibrary *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_library_open_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Writing behind */

static void
store_header (BeckonLibrary *self, BeckonConversation *conversation)
{
  Entry *entry = find_entry (self, conversation);
  BeckonBatch *batch;

  if (entry == NULL || !entry->is_stored)
    return;

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_put_conversation (batch, conversation);
  beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
}

void
beckon_library_rename (BeckonLibrary *self, BeckonConversation *conversation, const char *title)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  beckon_conversation_set_title (conversation, title);
  store_header (self, conversation);
}

void
beckon_library_set_profile (BeckonLibrary *self, BeckonConversation *conversation, const char *profile_id)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  beckon_conversation_set_profile_id (conversation, profile_id);
  store_header (self, conversation);
}

/* What could not be deleted comes back. */
static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonLibrary) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    return;

  g_message ("a conversation was not deleted: %s", error->message);
  reload (self);
}

void
beckon_library_delete (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  if (find_entry (self, conversation) == NULL)
    return;

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (conversation));
  beckon_store_commit_async (self->store, batch, NULL, on_deleted, g_object_ref (self));
  remove_entry (self, conversation);
}

void
beckon_library_touch (BeckonLibrary *self, BeckonConversation *conversation)
{
  Entry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  entry = find_entry (self, conversation);
  if (entry == NULL)
    return;

  entry->is_stored = TRUE;
  sort (self);
}

static void
add_draft (BeckonLibrary *self, BeckonBatch *batch, Entry *entry)
{
  const char *draft = beckon_conversation_get_draft (entry->conversation);

  if (g_strcmp0 (draft, entry->stored_draft) == 0)
    return;

  g_free (entry->stored_draft);
  entry->stored_draft = g_strdup (draft);
  if (!entry->is_stored)
    beckon_batch_put_conversation (batch, entry->conversation);
  entry->is_stored = TRUE;
  beckon_batch_set_draft (batch, beckon_conversation_get_id (entry->conversation), draft);
}

void
beckon_library_flush (BeckonLibrary *self)
{
  GHashTableIter iter;
  BeckonBatch *batch;
  gpointer id;

  g_return_if_fail (BECKON_IS_LIBRARY (self));

  beckon_clock_remove (self->clock, self->draft_timeout);
  self->draft_timeout = 0;
  if (g_hash_table_size (self->dirty) == 0)
    return;

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_hash_table_iter_init (&iter, self->dirty);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    add_draft (self, batch, g_hash_table_lookup (self->entries, id));
  g_hash_table_remove_all (self->dirty);
  beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
}

static gboolean
on_draft_due (gpointer user_data)
{
  BeckonLibrary *self = user_data;

  self->draft_timeout = 0;
  beckon_library_flush (self);

  return G_SOURCE_REMOVE;
}

/* Whoever changes it: a run that begins empties it, and an older text must not be written after that. */
static void
on_draft_changed (BeckonLibrary *self, GParamSpec *pspec, BeckonConversation *conversation)
{
  if (find_entry (self, conversation) == NULL)
    return;

  g_hash_table_add (self->dirty, g_strdup (beckon_conversation_get_id (conversation)));
  if (self->draft_timeout == 0)
    self->draft_timeout = beckon_clock_add_timeout (self->clock, DRAFT_DELAY_MS, on_draft_due, self);
}

void
beckon_library_save_draft (BeckonLibrary *self, BeckonConversation *conversation, const char *draft)
{
  Entry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  entry = find_entry (self, conversation);
  if (entry != NULL && entry->stored_draft == NULL)
    {
      entry->stored_draft = g_strdup (beckon_conversation_get_draft (conversation));
      g_signal_connect_object (conversation, "notify::draft", G_CALLBACK (on_draft_changed), self, G_CONNECT_SWAPPED);
    }

  beckon_conversation_set_draft (conversation, draft);
}
