/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Views of a long conversation need the end, and more when a person goes there; the agent needs all of it. A read always covers
 * the end from some place on, so that the list has no holes. Several reads may be under way at the same time: a later one
 * brings only what is missing, and one that would leave a hole, because messages were released meanwhile, is repeated.
 */

#include "beckon-library-private.h"
#include "base/beckon-finish.h"
#include "store/db/beckon-store-follow.h"

typedef enum
{
  WANT_END,
  WANT_MESSAGE,
  WANT_EARLIER,
  WANT_ALL,
} Want;

typedef struct
{
  Want want;
  BeckonConversation *conversation; /* (owned) */
  char *message_id;                 /* (owned) (nullable) */
  gint64 end_seq;                   /* of what is being read */
  gboolean was_shown;               /* the branch that the message is on */
} Paging;

static void
paging_free (Paging *paging)
{
  g_object_unref (paging->conversation);
  g_free (paging->message_id);
  g_free (paging);
}

static gint64
get_first_seq (BeckonConversation *conversation)
{
  return beckon_conversation_get_n_messages (conversation) > 0
           ? beckon_message_get_seq (beckon_conversation_get_message (conversation, 0))
           : G_MAXINT64;
}

static gboolean
library_pages_is_there (Paging *paging)
{
  if (!beckon_conversation_get_loaded (paging->conversation))
    return FALSE;
  if (!beckon_conversation_get_has_earlier (paging->conversation))
    return TRUE;

  switch (paging->want)
    {
    case WANT_END:
      return TRUE;

    case WANT_MESSAGE:
      return beckon_conversation_find_message (paging->conversation, paging->message_id) != NULL;

    case WANT_EARLIER:
    case WANT_ALL:
    default:
      return FALSE;
    }
}

/* Meanwhile another branch may be shown. */
static gboolean
joins (BeckonConversation *conversation, BeckonMessage *last_read)
{
  BeckonMessage *first = beckon_conversation_get_message (conversation, 0);

  return beckon_message_get_seq (last_read) >= beckon_message_get_seq (first)
         || g_strcmp0 (beckon_message_get_parent_id (first), beckon_message_get_id (last_read)) == 0;
}

/* %FALSE if it does not join what is there. */
static gboolean
library_pages_merge (Paging *paging, GPtrArray *messages)
{
  BeckonConversation *conversation = paging->conversation;
  BeckonMessage *first = messages->len > 0 ? g_ptr_array_index (messages, 0) : NULL;
  gint64 first_seq = first != NULL ? beckon_message_get_seq (first) : 0;
  gboolean has_earlier
    = first != NULL && beckon_message_get_parent_id (first) != NULL && paging->want != WANT_ALL;

  if (!beckon_conversation_get_loaded (conversation))
    {
      if (paging->end_seq != G_MAXINT64)
        return FALSE;
      beckon_conversation_set_has_earlier (conversation, has_earlier);
      beckon_conversation_set_messages (conversation, messages);
      beckon_conversation_set_loaded (conversation, TRUE);
      return TRUE;
    }

  if (get_first_seq (conversation) > paging->end_seq)
    return FALSE;
  if (first_seq >= get_first_seq (conversation))
    return TRUE;
  if (first != NULL && !joins (conversation, g_ptr_array_index (messages, messages->len - 1)))
    return FALSE;

  beckon_conversation_set_has_earlier (conversation, has_earlier);
  beckon_conversation_prepend_messages (conversation, messages);

  return TRUE;
}

static void library_pages_read_page (GTask *task);
static void read_path (GTask *task);

/* A message may be on a branch that is not shown: then that is the one to show. Where it cannot be shown, because something
 * goes on or waits, there is what there was. */
static gboolean
is_elsewhere (Paging *paging)
{
  return paging->want == WANT_MESSAGE && !paging->was_shown
         && beckon_conversation_find_message (paging->conversation, paging->message_id) == NULL;
}

static void
on_path_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Paging *paging = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_library_take_path (paging->conversation, messages, -1);
  beckon_library_read_files (g_task_get_source_object (task), paging->conversation, g_object_ref (task));
}

static void
library_pages_on_shown (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      read_path (g_steal_pointer (&task));
      return;
    }
  g_debug ("the branch of a message is not shown: %s", error->message);
  g_task_return_boolean (task, TRUE);
}

static void
show_branch (GTask *task)
{
  BeckonLibrary *self = g_task_get_source_object (task);
  Paging *paging = g_task_get_task_data (task);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  paging->was_shown = TRUE;
  beckon_batch_show_message (batch, beckon_conversation_get_id (paging->conversation), paging->message_id);
  beckon_store_commit_async (self->store, batch, NULL, library_pages_on_shown, task);
}

static void
read_path (GTask *task)
{
  BeckonLibrary *self = g_task_get_source_object (task);
  Paging *paging = g_task_get_task_data (task);

  beckon_store_load_messages_before_async (self->store, beckon_conversation_get_id (paging->conversation), G_MAXINT64,
                                           BECKON_LIBRARY_PAGE, paging->message_id, g_task_get_cancellable (task), on_path_read,
                                           task);
}

static void
on_page_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonLibrary *self = g_task_get_source_object (task);
  Paging *paging = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (!library_pages_merge (paging, messages))
    library_pages_read_page (g_steal_pointer (&task));
  else if (is_elsewhere (paging))
    show_branch (g_steal_pointer (&task));
  else
    beckon_library_read_files (self, paging->conversation, g_steal_pointer (&task));
}

static void
library_pages_read_page (GTask *task)
{
  BeckonLibrary *self = g_task_get_source_object (task);
  Paging *paging = g_task_get_task_data (task);
  BeckonConversation *conversation = paging->conversation;

  if (library_pages_is_there (paging))
    {
      if (is_elsewhere (paging) && beckon_conversation_get_n_messages (conversation) > 0)
        {
          show_branch (task);
          return;
        }
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }

  paging->end_seq = beckon_conversation_get_loaded (conversation) ? get_first_seq (conversation) : G_MAXINT64;
  beckon_store_load_messages_before_async (self->store, beckon_conversation_get_id (conversation), paging->end_seq,
                                           paging->want == WANT_ALL ? 0 : BECKON_LIBRARY_PAGE, paging->message_id,
                                           g_task_get_cancellable (task), on_page_read, task);
}

static void
page (BeckonLibrary *self, BeckonConversation *conversation, Want want, const char *message_id,
      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Paging *paging = g_new0 (Paging, 1);

  paging->want = want;
  paging->conversation = g_object_ref (conversation);
  paging->message_id = g_strdup (message_id);
  g_task_set_source_tag (task, beckon_library_open_async);
  g_task_set_task_data (task, paging, (GDestroyNotify) paging_free);
  library_pages_read_page (task);
}

void
beckon_library_open_async (BeckonLibrary *self, BeckonConversation *conversation, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  page (self, conversation, WANT_ALL, NULL, cancellable, callback, user_data);
}

void
beckon_library_open_end_async (BeckonLibrary *self, BeckonConversation *conversation, const char *message_id,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  page (self, conversation, message_id != NULL ? WANT_MESSAGE : WANT_END, message_id, cancellable, callback, user_data);
}

void
beckon_library_open_earlier_async (BeckonLibrary *self, BeckonConversation *conversation, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  page (self, conversation, WANT_EARLIER, NULL, cancellable, callback, user_data);
}

BECKON_FINISH_BOOLEAN (beckon_library_open, BeckonLibrary)

/* A run works with all of it, and what was not stored yet could not be read again. */
void
beckon_library_leave (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonLibraryEntry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  entry = beckon_library_find_entry (self, conversation);
  if (entry != NULL && entry->is_stored && !beckon_conversation_is_busy (conversation))
    beckon_conversation_forget_earlier (conversation, BECKON_LIBRARY_PAGE);
}
