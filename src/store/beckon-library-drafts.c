/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-library-private.h"

#define DRAFT_DELAY_MS 500

/* Each in a batch of its own: what is temporary goes another way. */
static void
write_draft (BeckonLibrary *self, BeckonLibraryEntry *entry)
{
  const char *draft = beckon_conversation_get_draft (entry->conversation);
  BeckonBatch *batch;

  if (g_strcmp0 (draft, entry->stored_draft) == 0)
    return;

  g_free (entry->stored_draft);
  entry->stored_draft = g_strdup (draft);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_keep (batch);
  if (!entry->is_stored)
    beckon_batch_put_conversation (batch, entry->conversation);
  entry->is_stored = TRUE;
  beckon_batch_set_draft (batch, beckon_conversation_get_id (entry->conversation), draft);
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

/* Whoever changes it: a run that begins empties it, and an older text must not be written after that. */
static void
on_draft_changed (BeckonLibrary *self, GParamSpec *pspec, BeckonConversation *conversation)
{
  if (beckon_library_find_entry (self, conversation) == NULL)
    return;

  g_hash_table_add (self->dirty, g_strdup (beckon_conversation_get_id (conversation)));
  if (self->draft_timeout == 0)
    self->draft_timeout = beckon_clock_add_timeout (self->clock, DRAFT_DELAY_MS, on_draft_due, self);
}

void
beckon_library_save_draft (BeckonLibrary *self, BeckonConversation *conversation, const char *draft)
{
  BeckonLibraryEntry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  entry = beckon_library_find_entry (self, conversation);
  if (entry != NULL && entry->stored_draft == NULL)
    {
      entry->stored_draft = g_strdup (beckon_conversation_get_draft (conversation));
      g_signal_connect_object (conversation, "notify::draft", G_CALLBACK (on_draft_changed), self, G_CONNECT_SWAPPED);
    }

  beckon_conversation_set_draft (conversation, draft);
}
