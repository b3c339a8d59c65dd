/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of conversations follows the store, and the store follows the list: what is changed here shows at once and is
 * written behind, what another process wrote is read again.
 *
 * The two must not cross. A listing is old when it arrives; if this process gave the store anything to write after it was
 * asked for, it may know less than the objects do, so it is thrown away and asked for again. A conversation whose run this
 * process drives is ahead of the store all the time; of that only the title, the profile and the number of pending requests
 * are taken over, and its messages belong to the run.
 */

#include "beckon-library-private.h"

#include "base/beckon-error.h"
#include "store/db/beckon-store-follow.h"
#include "store/queries/beckon-listing.h"
#include "store/queries/beckon-moved-calls.h"

/* The first notice is followed at once; ten replies that stream elsewhere do not make a listing for each of their pieces. */
#define RELOAD_INTERVAL_MS 200

/* A listing, or the end of one conversation, that was asked for. */
typedef struct
{
  BeckonLibrary *library;           /* (owned) */
  BeckonConversation *conversation; /* (owned) (nullable) */
  GTask *task;                      /* (owned) (nullable) */
  GHashTable *doubted;              /* (owned) (nullable): of a listing */
  guint serial;
  gboolean whole_path; /* another branch is shown */
} Reading;

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
library_follow_reading_free (Reading *reading)
{
  g_object_unref (reading->library);
  g_clear_object (&reading->conversation);
  g_clear_object (&reading->task);
  g_clear_pointer (&reading->doubted, g_hash_table_unref);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, library_follow_reading_free)

/* A notice may still come while the program ends, with the store closed: it is no longer needed then. */
static void
note_unread (const char *what, const GError *error)
{
  if (!g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    g_message ("%s: not read again: %s", what, error->message);
}

static void read_messages (Reading *reading);

static void
on_messages_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages == NULL)
    note_unread ("a conversation", error);
  else if (beckon_store_get_serial (reading->library->store) != reading->serial)
    read_messages (g_steal_pointer (&reading));
  else if (reading->whole_path)
    beckon_library_take_path (reading->conversation, messages, -1);
  else if (!beckon_library_merge_messages (reading->conversation, messages))
    {
      reading->whole_path = TRUE;
      read_messages (g_steal_pointer (&reading));
    }
}

static void
read_messages (Reading *reading)
{
  BeckonConversation *conversation = reading->conversation;

  reading->serial = beckon_store_get_serial (reading->library->store);
  if (reading->whole_path)
    beckon_store_load_messages_before_async (reading->library->store, beckon_conversation_get_id (conversation), G_MAXINT64,
                                             MAX (beckon_conversation_get_n_messages (conversation), BECKON_LIBRARY_PAGE),
                                             NULL, NULL,
                                             on_messages_read, reading);
  else
    beckon_store_load_messages_from_async (reading->library->store, beckon_conversation_get_id (conversation),
                                           beckon_library_find_open_seq (conversation), NULL, on_messages_read, reading);
}

/* %TRUE if a filter or an order may ask for what changed. */
static gboolean
update_marks (BeckonConversation *conversation, BeckonConversation *header)
{
  gboolean moved = beckon_conversation_get_pinned (conversation) != beckon_conversation_get_pinned (header)
                   || beckon_conversation_get_archived (conversation) != beckon_conversation_get_archived (header);

  beckon_conversation_set_title_source (conversation, beckon_conversation_get_title_source (header));
  beckon_conversation_set_title (conversation, beckon_conversation_get_title (header));
  beckon_conversation_set_profile_id (conversation, beckon_conversation_get_profile_id (header));
  beckon_conversation_set_waiting (conversation, beckon_conversation_get_waiting (header));
  beckon_conversation_set_pinned (conversation, beckon_conversation_get_pinned (header));
  beckon_conversation_set_archived (conversation, beckon_conversation_get_archived (header));
  beckon_conversation_set_sequence (conversation, beckon_conversation_get_sequence (header));
  beckon_conversation_set_folder (conversation, beckon_conversation_get_folder (header));
  beckon_conversation_set_mode (conversation, beckon_conversation_get_mode (header));
  beckon_conversation_set_effort (conversation, beckon_conversation_get_effort (header));
  beckon_conversation_set_seen_at (conversation, beckon_conversation_get_seen_at (header));

  return moved;
}

static void
library_follow_update (BeckonLibrary *self, BeckonConversation *conversation, BeckonConversation *header)
{
  gboolean moved = update_marks (conversation, header);

  self->last_sequence = MAX (self->last_sequence, beckon_conversation_get_sequence (header));
  if (moved)
    beckon_library_say_changed (self, conversation);
  if (beckon_store_header_is_ours (header))
    return;

  beckon_conversation_set_updated_at (conversation, beckon_conversation_get_updated_at (header));
  if (beckon_conversation_get_path (conversation) != beckon_conversation_get_path (header))
    {
      beckon_library_find_entry (self, conversation)->is_on_other_path = beckon_conversation_get_loaded (conversation);
      beckon_conversation_set_path (conversation, beckon_conversation_get_path (header));
    }
  g_object_freeze_notify (G_OBJECT (conversation));
  if (beckon_conversation_get_has_run (header))
    beckon_conversation_set_phase (conversation, beckon_conversation_get_phase (header),
                                   beckon_conversation_get_stored_detail (header),
                                   beckon_conversation_get_retry_at (header));
  beckon_conversation_set_unread (conversation, beckon_conversation_get_unread (header));
  g_object_thaw_notify (G_OBJECT (conversation));
}

static void
take_header (BeckonLibrary *self, BeckonConversation *header)
{
  BeckonLibraryEntry *entry = beckon_library_find_entry (self, header);

  if (entry == NULL)
    entry = beckon_library_add_entry (self, header, TRUE);
  else
    library_follow_update (self, entry->conversation, header);

  entry->is_stored = TRUE;
  entry->is_listed = TRUE;
  entry->is_ours = beckon_store_header_is_ours (header);
}

/* Drops another process's deletion; a conversation that was never stored stays. */
static void
library_follow_drop (BeckonLibrary *self, BeckonLibraryEntry *entry)
{
  if (entry->is_stored && !beckon_conversation_get_temporary (entry->conversation))
    {
      beckon_library_say_gone (self, beckon_conversation_get_id (entry->conversation));
      beckon_library_remove_entry (self, entry->conversation);
    }
}

static void
drop_all_but (BeckonLibrary *self, GPtrArray *headers)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer id, entry;

  for (guint i = 0; i < headers->len; i++)
    g_hash_table_add (listed, (gpointer) beckon_conversation_get_id (g_ptr_array_index (headers, i)));

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &id, &entry))
    if (!g_hash_table_contains (listed, id))
      g_ptr_array_add (missing, entry);

  for (guint i = 0; i < missing->len; i++)
    library_follow_drop (self, g_ptr_array_index (missing, i));
}

/* A message grows without its conversation's header telling so. */
static void
read_loaded (BeckonLibrary *self)
{
  g_autoptr (GPtrArray) loaded = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    {
      BeckonLibraryEntry *entry = data;

      if (!entry->is_listed || !beckon_conversation_get_loaded (entry->conversation))
        continue;
      beckon_library_read_queue (self, entry->conversation);
      if (!entry->is_ours)
        g_ptr_array_add (loaded, entry->conversation);
    }

  for (guint i = 0; i < loaded->len; i++)
    {
      Reading *reading = reading_new (self, g_ptr_array_index (loaded, i), NULL);
      BeckonLibraryEntry *entry = beckon_library_find_entry (self, reading->conversation);

      reading->whole_path = entry->is_on_other_path;
      entry->is_on_other_path = FALSE;
      read_messages (reading);
    }
}

void
beckon_library_doubt (BeckonLibrary *self, const char *conversation_id)
{
  g_hash_table_add (self->doubted, g_strdup (conversation_id));
}

static void
forget_listing (BeckonLibrary *self)
{
  beckon_listing_unref (self->listing);
  self->listing = beckon_listing_new ();
}

static void
doubt_again (BeckonLibrary *self, Reading *reading, BeckonListingNews *news)
{
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, reading->doubted);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    beckon_library_doubt (self, id);
  for (guint i = 0; i < news->gone->len; i++)
    beckon_library_doubt (self, g_ptr_array_index (news->gone, i));
  for (guint i = 0; i < news->headers->len; i++)
    beckon_library_doubt (self, beckon_conversation_get_id (g_ptr_array_index (news->headers, i)));
  if (news->is_whole)
    forget_listing (self);
}

static void read_headers (Reading *reading);

static gboolean
on_reload_allowed (gpointer user_data)
{
  BeckonLibrary *self = user_data;

  self->reload_timeout = 0;
  if (self->reload_again)
    beckon_library_reload (self);

  return G_SOURCE_REMOVE;
}

static void
on_headers_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  BeckonLibrary *self = reading->library;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonListingNews) news = beckon_listing_read_finish (BECKON_STORE (source), result, &error);

  if (news != NULL && beckon_store_get_serial (self->store) != reading->serial)
    {
      doubt_again (self, reading, news);
      read_headers (g_steal_pointer (&reading));
      return;
    }

  if (news != NULL)
    {
      beckon_library_watch_leftovers (self);

      if (news->is_whole)
        drop_all_but (self, news->headers);
      else
        {
          for (guint i = 0; i < news->gone->len; i++)
            {
              BeckonLibraryEntry *entry = g_hash_table_lookup (self->entries, g_ptr_array_index (news->gone, i));

              if (entry != NULL)
                library_follow_drop (self, entry);
            }
        }
      for (guint i = 0; i < news->headers->len; i++)
        take_header (self, g_ptr_array_index (news->headers, i));
      beckon_library_sort (self);
      read_loaded (self);

      /* Writes of other processes during the first read may have come too late for it. */
      if (!self->is_loaded)
        {
          self->is_loaded = TRUE;
          if (self->reload_again)
            beckon_library_reload (self);
          beckon_library_say_loaded (self);
        }
    }
  else
    {
      forget_listing (self);
    }

  if (reading->task == NULL)
    {
      if (error != NULL)
        note_unread ("the conversations", error);
      self->is_reloading = FALSE;
      if (self->reload_timeout == 0)
        self->reload_timeout = beckon_clock_add_timeout (self->clock, RELOAD_INTERVAL_MS, on_reload_allowed, self);
    }
  else if (error != NULL)
    g_task_return_error (reading->task, g_steal_pointer (&error));
  else
    g_task_return_boolean (reading->task, TRUE);
}

static void
read_headers (Reading *reading)
{
  BeckonLibrary *self = reading->library;

  g_clear_pointer (&reading->doubted, g_hash_table_unref);
  reading->doubted = self->doubted;
  self->doubted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reading->serial = beckon_store_get_serial (self->store);
  beckon_listing_read_async (self->listing, self->store, g_hash_table_ref (reading->doubted),
                             reading->task != NULL ? g_task_get_cancellable (reading->task) : NULL, on_headers_read,
                             reading);
}

static void follow_moved (BeckonLibrary *self, BeckonLibraryEntry *entry);

static void
on_moved_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  BeckonLibraryEntry *entry = beckon_library_find_entry (reading->library, reading->conversation);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMovedCalls) moved = beckon_moved_calls_read_finish (BECKON_STORE (source), result, &error);
  gboolean is_old = beckon_store_get_serial (reading->library->store) != reading->serial;

  if (moved == NULL)
    note_unread ("what was undone", error);
  if (entry == NULL)
    return;
  if (moved != NULL && !is_old)
    {
      beckon_library_merge_moved (reading->conversation, moved->calls);
      entry->logged = moved->logged;
    }
  entry->is_following = FALSE;
  if (entry->follow_again || (moved != NULL && is_old))
    follow_moved (reading->library, entry);
}

/* Calls that another process undoes are told of also while this one drives the run, and where it follows no list. */
static void
follow_moved (BeckonLibrary *self, BeckonLibraryEntry *entry)
{
  Reading *reading;

  entry->follow_again = entry->is_following;
  if (entry->is_following || !beckon_conversation_get_loaded (entry->conversation))
    return;
  entry->is_following = TRUE;
  reading = reading_new (self, entry->conversation, NULL);
  reading->serial = beckon_store_get_serial (self->store);
  beckon_moved_calls_read_async (self->store, beckon_conversation_get_id (entry->conversation), entry->logged, on_moved_read,
                                 reading);
}

void
beckon_library_reload (BeckonLibrary *self)
{
  GHashTableIter iter;
  gpointer entry;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    follow_moved (self, entry);
  self->reload_again = !self->is_loaded || self->is_reloading || self->reload_timeout != 0;
  if (self->reload_again)
    return;

  self->is_reloading = TRUE;
  read_headers (reading_new (self, NULL, NULL));
}

void
beckon_library_read (BeckonLibrary *self, GTask *task)
{
  read_headers (reading_new (self, NULL, task));
}

static void read_first (Reading *reading);

static void
on_first_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  BeckonLibrary *self = reading->library;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonListingNews) news = beckon_listing_read_finish (BECKON_STORE (source), result, &error);

  if (news == NULL)
    {
      forget_listing (self);
      g_task_return_error (reading->task, g_steal_pointer (&error));
      return;
    }
  if (beckon_store_get_serial (self->store) != reading->serial)
    {
      forget_listing (self);
      read_first (g_steal_pointer (&reading));
      return;
    }

  for (guint i = 0; i < news->headers->len; i++)
    take_header (self, g_ptr_array_index (news->headers, i));
  beckon_library_sort (self);
  g_task_return_boolean (reading->task, TRUE);
}

static void
read_first (Reading *reading)
{
  BeckonLibrary *self = reading->library;

  reading->serial = beckon_store_get_serial (self->store);
  beckon_listing_read_first_async (self->listing, self->store, g_task_get_cancellable (reading->task), on_first_read,
                                   reading);
}

void
beckon_library_read_first (BeckonLibrary *self, GTask *task)
{
  read_first (reading_new (self, NULL, task));
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

/* Behind what else there is to do: the run that an answer sets free must not wait for a badge. But before the next frame,
 * because with slow frames nothing is dispatched behind them. */
void
beckon_library_count_soon (BeckonLibrary *self)
{
  if (self->count_source == 0)
    self->count_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, count_pending, self, NULL);
}
