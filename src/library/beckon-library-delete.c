/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Deleted conversations leave the list at once and the store hides them; for a while the object is kept for an undo. Then, or
 * when the program ends, it is doomed, and the store erases it. */

#include "beckon-library-private.h"

#include "store/db/beckon-store-follow.h"
#include "store/queries/beckon-store-secrets.h"

typedef struct
{
  BeckonLibrary *library; /* (owned) */
  char *conversation_id;  /* (owned) */
} Deletion;

static Deletion *
deletion_new (BeckonLibrary *self, BeckonConversation *conversation)
{
  Deletion *deletion = g_new0 (Deletion, 1);

  deletion->library = g_object_ref (self);
  deletion->conversation_id = g_strdup (beckon_conversation_get_id (conversation));

  return deletion;
}

static void
deletion_free (Deletion *deletion)
{
  g_object_unref (deletion->library);
  g_free (deletion->conversation_id);
  g_free (deletion);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Deletion, deletion_free)

static void
commit_doom (BeckonLibrary *self, const char *conversation_id)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  if (self->vault != NULL)
    beckon_store_forget_secrets (self->store, self->vault, conversation_id);
  /* In-memory data goes at once. */
  if (g_hash_table_contains (beckon_store_get_temporary (self->store), conversation_id))
    {
      beckon_batch_delete_conversation (batch, conversation_id);
      beckon_batch_keep (batch);
    }
  else
    beckon_batch_doom_conversation (batch, conversation_id);
  beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
  beckon_library_say_gone (self, conversation_id);
}

void
beckon_library_set_vault (BeckonLibrary *self, BeckonVault *vault)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));

  g_set_object (&self->vault, vault);
}

static BeckonLibraryEntry *
find_hidden (BeckonLibrary *self, const char *conversation_id)
{
  return g_hash_table_lookup (self->hidden, conversation_id);
}

/* A failed deletion is taken back. Otherwise its requests no longer wait, which lists learn as they do of others' writes. */
static void
on_hidden (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;
  BeckonLibrary *self = deletion->library;
  g_autoptr (GError) error = NULL;
  BeckonLibraryEntry *entry;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_signal_emit_by_name (source, "changed-elsewhere");
      return;
    }

  g_message ("a conversation was not deleted: %s", error->message);
  entry = find_hidden (self, deletion->conversation_id);
  if (entry != NULL)
    g_hash_table_remove (self->hidden, deletion->conversation_id);
  beckon_library_reload (self);
}

static void library_delete_watch (BeckonLibrary *self);

static gboolean
on_undo_over (gpointer user_data)
{
  BeckonLibrary *self = user_data;
  gint64 now = beckon_clock_get_monotonic_time (self->clock);
  GHashTableIter iter;
  gpointer id, data;

  self->undo_timeout = 0;
  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, &id, &data))
    if (((BeckonLibraryEntry *) data)->hidden_until <= now)
      {
        commit_doom (self, id);
        g_hash_table_iter_remove (&iter);
      }
  library_delete_watch (self);

  return G_SOURCE_REMOVE;
}

/* For the one that was deleted first. */
static void
library_delete_watch (BeckonLibrary *self)
{
  gint64 now = beckon_clock_get_monotonic_time (self->clock);
  gint64 first = G_MAXINT64;
  GHashTableIter iter;
  gpointer data;

  if (self->undo_timeout != 0)
    return;

  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    first = MIN (first, ((BeckonLibraryEntry *) data)->hidden_until);
  if (first != G_MAXINT64)
    self->undo_timeout = beckon_clock_add_timeout (self->clock, (guint) (MAX (first - now, 0) / 1000 + 1), on_undo_over, self);
}

static void
library_delete_hide (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonLibraryEntry *entry = beckon_library_find_entry (self, conversation);
  BeckonLibraryEntry *hidden = g_new0 (BeckonLibraryEntry, 1);

  hidden->conversation = g_object_ref (conversation);
  hidden->is_stored = TRUE;
  hidden->stored_draft = g_strdup (entry->stored_draft);
  if (entry->stored_files != NULL)
    hidden->stored_files = g_ptr_array_ref (entry->stored_files);
  hidden->hidden_until = beckon_clock_get_monotonic_time (self->clock) + BECKON_UNDO_US;
  g_hash_table_insert (self->hidden, (gpointer) beckon_conversation_get_id (conversation), hidden);

  beckon_batch_hide_conversation (batch, beckon_conversation_get_id (conversation),
                                  beckon_clock_get_real_time (self->clock));
  if (beckon_conversation_get_temporary (conversation))
    beckon_batch_keep (batch);
  beckon_store_commit_async (self->store, batch, NULL, on_hidden, deletion_new (self, conversation));
  beckon_library_remove_entry (self, conversation);
  library_delete_watch (self);
}

void
beckon_library_delete (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonLibraryEntry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  beckon_library_flush_drafts (self);
  entry = beckon_library_find_entry (self, conversation);
  if (entry == NULL)
    return;

  if (!entry->is_stored
      || (beckon_conversation_get_loaded (conversation) && beckon_conversation_get_n_messages (conversation) == 0
          && beckon_conversation_has_empty_draft (conversation)))
    {
      /* An empty conversation can't be restored. */
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      beckon_batch_delete_conversation (batch, beckon_conversation_get_id (conversation));
      if (beckon_conversation_get_temporary (conversation))
        beckon_batch_keep (batch);
      beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
      beckon_library_say_gone (self, beckon_conversation_get_id (conversation));
      beckon_library_remove_entry (self, conversation);
    }
  else
    library_delete_hide (self, conversation);
}

/* The object from before the deletion is shown at once; later changes are read. */
static void
on_restored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;
  BeckonLibrary *self = deletion->library;
  BeckonConversation *conversation = beckon_library_lookup (self, deletion->conversation_id);
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_message ("a conversation was not put back: %s", error->message);
      if (conversation != NULL)
        beckon_library_remove_entry (self, conversation);
      return;
    }

  beckon_library_reload (self);
}

gboolean
beckon_library_can_restore (BeckonLibrary *self, BeckonConversation *conversation)
{
  g_return_val_if_fail (BECKON_IS_LIBRARY (self), FALSE);
  g_return_val_if_fail (BECKON_IS_CONVERSATION (conversation), FALSE);

  return find_hidden (self, beckon_conversation_get_id (conversation)) != NULL;
}

gboolean
beckon_library_restore (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonLibraryEntry *hidden;
  BeckonLibraryEntry *entry;
  BeckonBatch *batch;

  g_return_val_if_fail (BECKON_IS_LIBRARY (self), FALSE);
  g_return_val_if_fail (BECKON_IS_CONVERSATION (conversation), FALSE);

  hidden = find_hidden (self, beckon_conversation_get_id (conversation));
  if (hidden == NULL)
    return FALSE;

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_restore_conversation (batch, beckon_conversation_get_id (conversation));
  beckon_store_commit_async (self->store, batch, NULL, on_restored, deletion_new (self, conversation));
  entry = beckon_library_add_entry (self, hidden->conversation, TRUE);
  beckon_library_doubt (self, beckon_conversation_get_id (conversation));
  entry->stored_draft = g_steal_pointer (&hidden->stored_draft);
  entry->stored_files = g_steal_pointer (&hidden->stored_files);
  g_hash_table_remove (self->hidden, beckon_conversation_get_id (conversation));
  beckon_library_sort (self);

  return TRUE;
}

void
beckon_library_doom_hidden (BeckonLibrary *self)
{
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      commit_doom (self, id);
      g_hash_table_iter_remove (&iter);
    }
  beckon_library_doom_removed (self);
}

static gboolean
on_leftovers_due (gpointer user_data)
{
  BeckonLibrary *self = user_data;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  gint64 before = beckon_clock_get_real_time (self->clock) - BECKON_UNDO_US;

  self->leftover_timeout = 0;
  if (self->vault != NULL)
    beckon_store_forget_hidden_secrets (self->store, self->vault, before);
  beckon_batch_doom_hidden (batch, before);
  beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);

  return G_SOURCE_REMOVE;
}

void
beckon_library_watch_leftovers (BeckonLibrary *self)
{
  if (self->leftover_timeout == 0)
    self->leftover_timeout =
      beckon_clock_add_timeout (self->clock, 2 * BECKON_UNDO_US / 1000, on_leftovers_due, self);
}

void
beckon_library_stop_watching_deletions (BeckonLibrary *self)
{
  if (self->clock != NULL)
    {
      beckon_clock_remove (self->clock, self->undo_timeout);
      beckon_clock_remove (self->clock, self->leftover_timeout);
      beckon_clock_remove (self->clock, self->removal_timeout);
    }
  self->undo_timeout = self->leftover_timeout = self->removal_timeout = 0;
}
