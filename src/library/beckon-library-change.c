/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A person's changes to a conversation: at once in the object, soon in the store. */

#include "beckon-config.h"

#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "beckon-library-private.h"
#include "store/transfer/beckon-copy.h"

#include <glib/gi18n-lib.h>

/* (nullable): nothing is written before the conversation itself is. Caller owns. */
static BeckonBatch *
library_change_begin (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonLibraryEntry *entry = beckon_library_find_entry (self, conversation);
  BeckonBatch *batch;

  if (entry == NULL || !entry->is_stored)
    return NULL;

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_keep (batch);
  beckon_library_doubt (self, beckon_conversation_get_id (conversation));

  return batch;
}

static void
library_change_end (BeckonLibrary *self, BeckonBatch *batch)
{
  if (batch != NULL)
    beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
}

void
beckon_library_rename (BeckonLibrary *self, BeckonConversation *conversation, const char *title)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));
  g_return_if_fail (title != NULL);

  beckon_conversation_set_title_source (conversation, BECKON_TITLE_PERSON);
  beckon_conversation_set_title (conversation, title);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_set_title (batch, beckon_conversation_get_id (conversation), title);
  library_change_end (self, batch);
}

void
beckon_library_propose_title (BeckonLibrary *self, BeckonConversation *conversation, const char *title)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));
  g_return_if_fail (title != NULL);

  if (beckon_conversation_get_title_source (conversation) != BECKON_TITLE_MESSAGE)
    return;

  beckon_conversation_set_title_source (conversation, BECKON_TITLE_MODEL);
  beckon_conversation_set_title (conversation, title);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_propose_title (batch, beckon_conversation_get_id (conversation), title);
  library_change_end (self, batch);
}

void
beckon_library_set_profile (BeckonLibrary *self, BeckonConversation *conversation, const char *profile_id)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  beckon_conversation_set_profile_id (conversation, profile_id);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_set_profile (batch, beckon_conversation_get_id (conversation), profile_id);
  library_change_end (self, batch);
}

void
beckon_library_set_pinned (BeckonLibrary *self, BeckonConversation *conversation, gboolean pinned)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  if (beckon_conversation_get_pinned (conversation) == !!pinned)
    return;

  beckon_conversation_set_pinned (conversation, pinned);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_set_pinned (batch, beckon_conversation_get_id (conversation), pinned);
  library_change_end (self, batch);
  beckon_library_say_changed (self, conversation);
}

void
beckon_library_set_archived (BeckonLibrary *self, BeckonConversation *conversation, gboolean archived)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  if (beckon_conversation_get_archived (conversation) == !!archived)
    return;

  beckon_conversation_set_archived (conversation, archived);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_set_archived (batch, beckon_conversation_get_id (conversation), archived);
  library_change_end (self, batch);
  beckon_library_say_changed (self, conversation);
}

void
beckon_library_set_folder (BeckonLibrary *self, BeckonConversation *conversation, const char *folder)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));
  g_return_if_fail (folder == NULL || g_path_is_absolute (folder));

  beckon_conversation_set_folder (conversation, folder);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_set_folder (batch, beckon_conversation_get_id (conversation), folder);
  library_change_end (self, batch);
}

void
beckon_library_set_mode (BeckonLibrary *self, BeckonConversation *conversation, BeckonMode mode)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  beckon_conversation_set_mode (conversation, mode);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_set_mode (batch, beckon_conversation_get_id (conversation), mode);
  library_change_end (self, batch);
}

void
beckon_library_set_effort (BeckonLibrary *self, BeckonConversation *conversation, BeckonEffort effort)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  beckon_conversation_set_effort (conversation, effort);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_set_effort (batch, beckon_conversation_get_id (conversation), effort);
  library_change_end (self, batch);
}

void
beckon_library_mark_read (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  if (!beckon_conversation_get_unread (conversation))
    return;

  beckon_conversation_set_unread (conversation, FALSE);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_set_unread (batch, beckon_conversation_get_id (conversation), FALSE);
  library_change_end (self, batch);
}

void
beckon_library_mark_seen (BeckonLibrary *self, BeckonConversation *conversation, gint64 seen_at)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  if (!beckon_conversation_get_has_run (conversation) || beckon_conversation_get_seen_at (conversation) >= seen_at)
    return;

  beckon_conversation_set_seen_at (conversation, seen_at);
  batch = library_change_begin (self, conversation);
  if (batch != NULL)
    beckon_batch_set_seen_at (batch, beckon_conversation_get_id (conversation), seen_at);
  library_change_end (self, batch);
}

/* Copies */

static void
on_copied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonLibrary *self = g_task_get_source_object (task);
  BeckonConversation *original = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonConversation) header = beckon_store_copy_finish (BECKON_STORE (source), result, &error);
  BeckonConversation *copy;

  if (header == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  beckon_conversation_set_temporary (header, beckon_conversation_get_temporary (original));
  copy = beckon_library_lookup (self, beckon_conversation_get_id (header));
  if (copy == NULL)
    copy = beckon_library_add_entry (self, header, TRUE)->conversation;
  beckon_library_doubt (self, beckon_conversation_get_id (copy));
  beckon_library_sort (self);
  g_task_return_pointer (task, g_object_ref (copy), g_object_unref);
}

/* Unsaved drafts are copied as well. */
static void
library_change_copy (BeckonLibrary *self, BeckonConversation *conversation, const char *last_message_id, const char *title,
                     GTask *task)
{
  g_task_set_task_data (task, g_object_ref (conversation), g_object_unref);
  beckon_library_flush_drafts (self);
  beckon_store_copy_async (self->store, beckon_conversation_get_id (conversation), last_message_id, title,
                           beckon_clock_get_real_time (self->clock), g_task_get_cancellable (task), on_copied, task);
}

void
beckon_library_duplicate_async (BeckonLibrary *self, BeckonConversation *conversation, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *title = NULL;
  GTask *task;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_library_duplicate_async);
  /* Translators: the title of a copy of a conversation. */
  title = beckon_text_printf (_("%s (copy)"), beckon_conversation_get_title (conversation));
  library_change_copy (self, conversation, NULL, title, task);
}

BECKON_FINISH_POINTER (BeckonConversation *, beckon_library_duplicate, BeckonLibrary)

void
beckon_library_branch_async (BeckonLibrary *self, BeckonConversation *conversation, const char *message_id,
                             GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));
  g_return_if_fail (message_id != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_library_branch_async);
  library_change_copy (self, conversation, message_id, beckon_conversation_get_title (conversation), task);
}

BECKON_FINISH_POINTER (BeckonConversation *, beckon_library_branch, BeckonLibrary)
