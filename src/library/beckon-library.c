/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-library.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-id.h"
#include "base/beckon-list-model.h"
#include "base/beckon-text-printf.h"
#include "domain/beckon-tool-call.h"
#include "request/beckon-request.h"
#include "store/db/beckon-store-follow.h"
#include "store/queries/beckon-listing.h"
#include "store/queries/beckon-call-log.h"
#include "store/queries/beckon-store-secrets.h"
#include "store/transfer/beckon-copy.h"

#include <glib/gi18n-lib.h>

/** How many messages are read at a time: more than any screen holds. */
#define BECKON_LIBRARY_PAGE 100

/** Messages that were taken out of a conversation and can be put back. */
typedef struct _BeckonLibraryRemoval BeckonLibraryRemoval;

struct _BeckonLibrary
{
  GObject parent_instance;

  BeckonStore *store;
  BeckonVault *vault; /* (owned) (nullable) */ /* (owned) */
  BeckonClock *clock; /* (owned) */

  GPtrArray *conversations; /* (element-type BeckonConversation): newest first; owned by the entries */
  GHashTable *entries;      /* (owned) (element-type utf8 BeckonLibraryEntry): by id */
  GHashTable *hidden;       /* (owned) (element-type utf8 BeckonLibraryEntry): deleted here, and can be put back */
  GPtrArray *fresh;         /* (owned) (element-type BeckonConversation): entries that the list does not show yet */
  BeckonListing *listing;   /* (owned): what the store was when it was last read */
  GHashTable *doubted;      /* (owned) (element-type utf8): ids of what changed here since */
  BeckonMode default_mode;
  gint64 last_sequence;     /* the largest of any conversation that was seen */

  /* in progress */
  gboolean is_loaded;
  gboolean is_reloading;
  gboolean reload_again;
  guint reload_timeout; /* until it has passed nothing is read again */
  GHashTable *dirty; /* (owned) (element-type utf8): ids of conversations whose draft is not stored yet */
  guint draft_timeout;
  guint count_source;
  guint undo_timeout;     /* until the first of the hidden cannot be put back any more */
  GPtrArray *removals;    /* (owned) (element-type BeckonLibraryRemoval): messages that can be put back; oldest first */
  guint removal_timeout;  /* until the first of them cannot */
  guint leftover_timeout; /* until what was deleted before this program began cannot be put back any more */
};

/** A row of the list. */
typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  gboolean is_stored;
  gboolean is_listed; /* the store told of it */
  gboolean is_ours;   /* when it did, this process drove a run of it */
  gboolean is_on_other_path; /* what was read of its messages may not be of the branch that is shown */
  char *stored_draft; /* (owned) (nullable): what the store has or is about to get; %NULL until it matters */
  GPtrArray *stored_files; /* (owned) (nullable) (element-type BeckonPart): likewise, of what is attached */
  gint64 hidden_until; /* of a hidden one: monotonic */
  gint64 logged;       /* how far the log of what was undone is followed */
  gboolean is_following; /* it is being read */
  gboolean follow_again;
} BeckonLibraryEntry;

static BeckonLibraryEntry *library_find_entry (BeckonLibrary *self, BeckonConversation *conversation);
static void library_doubt (BeckonLibrary *self, const char *conversation_id);
static void library_count_soon (BeckonLibrary *self);

/* How a loaded conversation follows another process that drives it. Messages, parts and text only ever grow, a call only
 * moves on and gets at most one result; so what was read is compared piece by piece with what is there, and the difference
 * is added.
 */

static gboolean
is_settled (BeckonMessage *message)
{
  if (beckon_message_get_status (message) == BECKON_MESSAGE_STREAMING)
    return FALSE;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      if (call != NULL && !beckon_call_state_is_final (beckon_tool_call_get_state (call)))
        return FALSE;
    }

  return TRUE;
}

/* The place of the first message that may still change, or of the next one if none can. */
static gint64
library_find_open_seq (BeckonConversation *conversation)
{
  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i);

      if (!is_settled (message))
        return beckon_message_get_seq (message);
    }

  return beckon_conversation_get_next_seq (conversation);
}

static BeckonToolCall *
find_by_id (BeckonToolCall *planned, const char *id)
{
  for (guint i = 0; i < beckon_tool_call_get_n_steps (planned); i++)
    if (g_str_equal (beckon_tool_call_get_id (beckon_tool_call_get_step (planned, i)), id))
      return beckon_tool_call_get_step (planned, i);

  return NULL;
}

static void merge_call (BeckonToolCall *call, BeckonToolCall *read);

static gboolean
is_same_landing (const BeckonLanding *landing, const BeckonLanding *read)
{
  return landing != NULL && landing->state == read->state && landing->undone_at == read->undone_at
         && landing->is_gone == read->is_gone;
}

/* The state of its changes: of a file tool a word, of a command all that landed. */
static void
merge_change (BeckonToolCall *call, BeckonToolCall *read)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (read);

  if (landings->len == 0 && beckon_tool_call_get_change (read) != BECKON_CALL_CHANGE_NONE)
    beckon_tool_call_set_change (call, beckon_tool_call_get_change (read));
  for (guint i = landings->len; i > 0; i--)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i - 1);

      if (!is_same_landing (beckon_tool_call_find_landing (call, landing->id), landing))
        beckon_tool_call_take_landing (call, beckon_landing_copy (landing));
    }
}

/* Takes over what another process undid of the conversation's calls, or made again: (element-type utf8 BeckonToolCall); of
 * one whose run this process drives, too. */
static void
library_merge_moved (BeckonConversation *conversation, GHashTable *moved)
{
  for (guint i = 0; g_hash_table_size (moved) > 0 && i < beckon_conversation_get_n_messages (conversation); i++)
    {
      g_autoptr (GPtrArray) calls = beckon_message_list_calls (beckon_conversation_get_message (conversation, i));

      for (guint j = 0; j < calls->len; j++)
        {
          BeckonToolCall *read = g_hash_table_lookup (moved, beckon_tool_call_get_id (g_ptr_array_index (calls, j)));

          if (read != NULL)
            merge_change (g_ptr_array_index (calls, j), read);
        }
    }
}

static void
merge_call (BeckonToolCall *call, BeckonToolCall *read)
{
  GObject *request = beckon_tool_call_get_request (read);

  if (request != NULL)
    beckon_tool_call_set_request (call, request);
  merge_change (call, read);
  if (beckon_tool_call_get_result (call) == NULL && beckon_tool_call_get_result (read) != NULL)
    {
      beckon_tool_call_add_images_of (call, read);
      beckon_tool_call_set_end (call, beckon_tool_call_get_exit_status (read), beckon_tool_call_get_output_length (read));
      beckon_tool_call_set_result (call, beckon_tool_call_get_result (read), beckon_tool_call_get_is_error (read));
    }
  beckon_tool_call_set_settled_arguments (call, beckon_tool_call_get_settled_arguments (read));
  beckon_tool_call_set_redacted (call, beckon_tool_call_get_redacted (read));
  beckon_tool_call_set_edited_arguments (call, beckon_tool_call_get_edited_arguments (read));
  beckon_tool_call_set_read_only (call, beckon_tool_call_get_read_only (read));
  beckon_tool_call_set_times (call, beckon_tool_call_get_started_at (read), beckon_tool_call_get_finished_at (read));
  beckon_tool_call_set_step_outcome (call, beckon_tool_call_get_step_outcome (read));
  beckon_tool_call_set_state (call, beckon_tool_call_get_state (read));
  /* A step was read as one of the object that was read, so it is made anew for the one that is there. */
  if (beckon_tool_call_get_plan (read) != NULL
      && (beckon_tool_call_get_plan (call) == NULL
          || !beckon_plan_equal (beckon_tool_call_get_plan (call), beckon_tool_call_get_plan (read))))
    beckon_tool_call_set_plan (call, beckon_tool_call_get_plan (read));

  for (guint i = 0; i < beckon_tool_call_get_n_steps (read); i++)
    {
      BeckonToolCall *other = beckon_tool_call_get_step (read, i);
      BeckonToolCall *known = find_by_id (call, beckon_tool_call_get_id (other));
      g_autoptr (BeckonToolCall) step = NULL;

      if (known != NULL)
        {
          merge_call (known, other);
          continue;
        }
      step = beckon_tool_call_new_step (beckon_tool_call_get_id (other), call, beckon_tool_call_get_step_id (other),
                                        beckon_tool_call_get_name (other), beckon_tool_call_get_arguments (other));
      merge_call (step, other);
      beckon_tool_call_add_step (call, step);
    }
}

static void
merge_message (BeckonMessage *message, BeckonMessage *read)
{
  guint n_known = beckon_message_get_n_parts (message);

  for (guint i = 0; i < beckon_message_get_n_parts (read); i++)
    {
      BeckonPart *newer = beckon_message_get_part (read, i);
      BeckonPart *part = i < n_known ? beckon_message_get_part (message, i) : NULL;
      gsize length = part != NULL ? beckon_part_get_length (part) : 0;

      if (part == NULL)
        beckon_message_add_part (message, newer);
      else if (beckon_part_get_kind (part) != beckon_part_get_kind (newer))
        continue;
      else if (beckon_part_get_kind (part) == BECKON_PART_CALL)
        merge_call (beckon_part_get_call (part), beckon_part_get_call (newer));
      else if (beckon_part_get_length (newer) > length)
        beckon_part_append (part, beckon_part_get_text (newer) + length, beckon_part_get_length (newer) - length);
    }

  beckon_message_set_parent_id (message, beckon_message_get_parent_id (read));
  beckon_message_set_version (message, beckon_message_get_version (read), beckon_message_get_n_versions (read));
  beckon_message_set_n_left (message, beckon_message_get_n_left (read));
  beckon_message_set_usage (message, beckon_message_get_usage (read));
  beckon_message_set_status (message, beckon_message_get_status (read));
}

static gboolean
follows_last (BeckonConversation *conversation, BeckonMessage *read)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  const char *last = n > 0 ? beckon_message_get_id (beckon_conversation_get_message (conversation, n - 1)) : NULL;

  return g_strcmp0 (beckon_message_get_parent_id (read), last) == 0;
}

/* Brings the end of a conversation up to what was read: (element-type BeckonMessage). What only grows is added to, what is
 * already so stays untouched, so that views keep their rows. %FALSE if it belongs to another branch. */
static gboolean
library_merge_messages (BeckonConversation *conversation, GPtrArray *messages)
{
  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *read = g_ptr_array_index (messages, i);
      BeckonMessage *known = beckon_conversation_find_message (conversation, beckon_message_get_id (read));

      if (known != NULL)
        merge_message (known, read);
      else if (!follows_last (conversation, read))
        return FALSE;
      else
        beckon_conversation_add_message (conversation, read);
    }

  return TRUE;
}

/* The objects that are there, brought up to what was read, and those that are new. */
static GPtrArray *
library_merge_unify (BeckonConversation *conversation, GPtrArray *messages)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *unified = g_ptr_array_new_full (messages->len, g_object_unref);

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i);

      g_hash_table_insert (known, (gpointer) beckon_message_get_id (message), message);
    }
  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *read = g_ptr_array_index (messages, i);
      BeckonMessage *message = g_hash_table_lookup (known, beckon_message_get_id (read));

      if (message != NULL)
        merge_message (message, read);
      g_ptr_array_add (unified, g_object_ref (message != NULL ? message : read));
    }

  return unified;
}

/* Counts the messages before it that stay. */
static guint
find_join (BeckonConversation *conversation, GPtrArray *messages, gint64 first_seq)
{
  const char *parent = messages->len > 0 ? beckon_message_get_parent_id (g_ptr_array_index (messages, 0)) : NULL;
  guint position = 0;

  if (parent != NULL)
    return beckon_conversation_find_position (conversation, parent, &position) ? position + 1 : 0;
  if (messages->len > 0 || first_seq < 0)
    return 0;
  while (position < beckon_conversation_get_n_messages (conversation)
         && beckon_message_get_seq (beckon_conversation_get_message (conversation, position)) < first_seq)
    position++;

  return position;
}

/* Makes its list what was read. Messages that were there stay the same objects. */
static void
library_take_path (BeckonConversation *conversation, GPtrArray *messages, gint64 first_seq)
{
  g_autoptr (GPtrArray) unified = library_merge_unify (conversation, messages);
  guint join = find_join (conversation, messages, first_seq);
  guint n_same = 0;

  if (join == 0)
    beckon_conversation_set_has_earlier (conversation,
                                         messages->len > 0
                                         && beckon_message_get_parent_id (g_ptr_array_index (messages, 0)) != NULL);
  while (n_same < unified->len && join + n_same < beckon_conversation_get_n_messages (conversation)
         && beckon_conversation_get_message (conversation, join + n_same) == g_ptr_array_index (unified, n_same))
    n_same++;
  if (n_same > 0)
    g_ptr_array_remove_range (unified, 0, n_same);
  beckon_conversation_replace_tail (conversation, join + n_same, unified);
}

/* Which branch of a conversation is shown, and messages that are taken out of it. Both are written first; what is then read is
 * what the list becomes. */

typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  gint64 first_seq;                 /* from which on it changes */
  GStrv removed;                    /* (owned) (nullable) */
} Change;

struct _BeckonLibraryRemoval
{
  char *conversation_id;
  GStrv message_ids;
  gint64 first_seq; /* from which on they are missing */
  gint64 until;     /* monotonic */
};

static void
library_branches_change_free (Change *change)
{
  g_object_unref (change->conversation);
  g_strfreev (change->removed);
  g_free (change);
}

static void
removal_free (BeckonLibraryRemoval *removal)
{
  g_free (removal->conversation_id);
  g_strfreev (removal->message_ids);
  g_free (removal);
}

static GPtrArray *
get_removals (BeckonLibrary *self)
{
  if (self->removals == NULL)
    self->removals = g_ptr_array_new_with_free_func ((GDestroyNotify) removal_free);

  return self->removals;
}

static void
doom_first (BeckonLibrary *self)
{
  BeckonLibraryRemoval *removal = g_ptr_array_index (self->removals, 0);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_doom_messages (batch, removal->conversation_id, removal->message_ids);
  beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
  g_ptr_array_remove_index (self->removals, 0);
}

static void library_branches_watch (BeckonLibrary *self);

static gboolean
on_removal_due (gpointer user_data)
{
  BeckonLibrary *self = user_data;
  gint64 now = beckon_clock_get_monotonic_time (self->clock);

  self->removal_timeout = 0;
  while (self->removals->len > 0 && ((BeckonLibraryRemoval *) g_ptr_array_index (self->removals, 0))->until <= now)
    doom_first (self);
  library_branches_watch (self);

  return G_SOURCE_REMOVE;
}

static void
library_branches_watch (BeckonLibrary *self)
{
  gint64 now = beckon_clock_get_monotonic_time (self->clock);
  BeckonLibraryRemoval *first;

  if (self->removal_timeout != 0 || self->removals->len == 0)
    return;

  first = g_ptr_array_index (self->removals, 0);
  self->removal_timeout
    = beckon_clock_add_timeout (self->clock, (guint) (MAX (first->until - now, 0) / 1000 + 1), on_removal_due, self);
}

static void
library_branches_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  library_take_path (change->conversation, messages, change->first_seq);
  g_task_return_boolean (task, TRUE);
}

static void
library_branches_on_changed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (change->removed != NULL)
    {
      BeckonLibrary *self = g_task_get_source_object (task);
      BeckonLibraryRemoval *removal = g_new0 (BeckonLibraryRemoval, 1);

      removal->conversation_id = g_strdup (beckon_conversation_get_id (change->conversation));
      removal->message_ids = g_steal_pointer (&change->removed);
      removal->first_seq = change->first_seq;
      removal->until = beckon_clock_get_monotonic_time (self->clock) + BECKON_UNDO_US;
      g_ptr_array_add (get_removals (self), removal);
      library_branches_watch (self);
    }
  beckon_store_load_messages_from_async (BECKON_STORE (source), beckon_conversation_get_id (change->conversation),
                                         change->first_seq, NULL, library_branches_on_read, g_object_ref (task));
}

/* A task whose data is about a conversation from one of its messages on. */
static GTask *
library_branches_begin (BeckonLibrary *self, BeckonConversation *conversation, gint64 first_seq, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Change *change = g_new0 (Change, 1);

  change->conversation = g_object_ref (conversation);
  change->first_seq = first_seq;
  g_task_set_source_tag (task, beckon_library_show_version_async);
  g_task_set_task_data (task, change, (GDestroyNotify) library_branches_change_free);
  /* The written change is shown, even when cancelled. */
  g_task_set_check_cancellable (task, FALSE);

  return task;
}

/* The message before is read, too: how many follow it may change, and they need not have the same place. */
static gint64
find_before (BeckonConversation *conversation, const char *message_id)
{
  guint position = 0;

  if (!beckon_conversation_find_position (conversation, message_id, &position) || position == 0)
    return 0;

  return beckon_message_get_seq (beckon_conversation_get_message (conversation, position - 1));
}

void
beckon_library_show_version_async (BeckonLibrary *self, BeckonConversation *conversation, const char *message_id,
                                   guint version, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (message_id != NULL);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_show_version (batch, beckon_conversation_get_id (conversation), message_id, version);
  beckon_store_commit_async (self->store, batch, cancellable, library_branches_on_changed,
                             library_branches_begin (self, conversation, find_before (conversation, message_id), cancellable,
                                                     callback,
                                                     user_data));
}

void
beckon_library_show_left_async (BeckonLibrary *self, BeckonConversation *conversation, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_show_left (batch, beckon_conversation_get_id (conversation));
  /* From the last message on, whose number of branches that are left changes. */
  beckon_store_commit_async (self->store, batch, cancellable, library_branches_on_changed,
                             library_branches_begin (self, conversation,
                                                     MAX (beckon_conversation_get_next_seq (conversation) - 1, 0),
                                                     cancellable, callback, user_data));
}

gboolean
beckon_library_show_finish (BeckonLibrary *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_library_show_version_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
beckon_library_remove_messages_async (BeckonLibrary *self, BeckonConversation *conversation,
                                      const char *const *message_ids, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch;
  GTask *task;
  Change *change;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (message_ids != NULL && message_ids[0] != NULL);

  task = library_branches_begin (self, conversation, find_before (conversation, message_ids[0]), cancellable, callback,
                                 user_data);
  change = g_task_get_task_data (task);
  change->removed = g_strdupv ((GStrv) message_ids);
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_hide_messages (batch, beckon_conversation_get_id (conversation), (GStrv) message_ids,
                              beckon_clock_get_real_time (self->clock));
  beckon_store_commit_async (self->store, batch, cancellable, library_branches_on_changed, task);
}

void
beckon_library_restore_messages_async (BeckonLibrary *self, BeckonConversation *conversation,
                                       const char *const *message_ids, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data)
{
  GPtrArray *removals;
  BeckonBatch *batch;
  gint64 first_seq = 0;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (message_ids != NULL && message_ids[0] != NULL);

  removals = get_removals (self);
  for (guint i = 0; i < removals->len; i++)
    {
      BeckonLibraryRemoval *removal = g_ptr_array_index (removals, i);

      if (!g_str_equal (removal->conversation_id, beckon_conversation_get_id (conversation))
          || !g_strv_equal ((const char *const *) removal->message_ids, message_ids))
        continue;
      /* From this place on they are missing. */
      first_seq = removal->first_seq;
      g_ptr_array_remove_index (removals, i);
      break;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_restore_messages (batch, beckon_conversation_get_id (conversation), (GStrv) message_ids);
  beckon_store_commit_async (self->store, batch, cancellable, library_branches_on_changed,
                             library_branches_begin (self, conversation, first_seq, cancellable, callback, user_data));
}

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

/* Gives the store the drafts that still wait. */
static void
library_flush_drafts (BeckonLibrary *self)
{
  GHashTableIter iter;
  gpointer id;

  beckon_clock_remove (self->clock, self->draft_timeout);
  self->draft_timeout = 0;
  g_hash_table_iter_init (&iter, self->dirty);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      BeckonLibraryEntry *entry = g_hash_table_lookup (self->entries, id);
      gboolean new_text = g_strcmp0 (beckon_conversation_get_draft (entry->conversation), entry->stored_draft) != 0;
      gboolean new_files = has_new_files (entry);
      BeckonBatch *batch;

      if (!new_text && !new_files)
        continue;

      /* Each in a batch of its own: what is temporary goes another way. */
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
  g_hash_table_remove_all (self->dirty);
}

static gboolean
on_draft_due (gpointer user_data)
{
  BeckonLibrary *self = user_data;

  self->draft_timeout = 0;
  library_flush_drafts (self);

  return G_SOURCE_REMOVE;
}

/* All changes count: a run that begins empties it, and an older text must not be written after that. */
static void
library_drafts_on_draft_changed (BeckonLibrary *self, GParamSpec *pspec, BeckonConversation *conversation)
{
  if (library_find_entry (self, conversation) == NULL)
    return;

  g_hash_table_add (self->dirty, g_strdup (beckon_conversation_get_id (conversation)));
  if (self->draft_timeout == 0)
    self->draft_timeout = beckon_clock_add_timeout (self->clock, DRAFT_DELAY_MS, on_draft_due, self);
}

/* From now on the store gets what the draft becomes, in whichever program it changes. */
static void
library_follow_draft (BeckonLibrary *self, BeckonLibraryEntry *entry)
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
} DraftsReading;

static void
library_drafts_reading_free (DraftsReading *reading)
{
  if (reading->task != NULL)
    g_task_return_boolean (reading->task, TRUE);
  g_clear_object (&reading->task);
  g_object_unref (reading->library);
  g_object_unref (reading->conversation);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DraftsReading, library_drafts_reading_free)

static DraftsReading *
drafts_reading_new (BeckonLibrary *self, BeckonConversation *conversation, GTask *task)
{
  DraftsReading *reading = g_new0 (DraftsReading, 1);

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

static void
on_queue_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DraftsReading) reading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) queue = beckon_store_load_queue_finish (BECKON_STORE (source), result, &error);

  if (queue == NULL)
    g_debug ("the queue of a conversation was not read: %s", error->message);
  else
    {
      BeckonConversation *conversation = reading->conversation;
      GListStore *store = beckon_conversation_get_queue (conversation);

      /* Items that were there stay the same objects, so that views keep their rows. */
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
}

/* The store answers in the order in which it was asked: the queue that is read is never older than what is here. */
static void
read_queue (DraftsReading *reading)
{
  beckon_store_load_queue_async (reading->library->store, beckon_conversation_get_id (reading->conversation), NULL,
                                 on_queue_read, reading);
}

static void
on_files_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  DraftsReading *reading = user_data;
  BeckonLibraryEntry *entry = library_find_entry (reading->library, reading->conversation);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files = beckon_store_load_draft_files_finish (BECKON_STORE (source), result, &error);

  if (files == NULL)
    g_debug ("what is attached to a draft was not read: %s", error->message);
  else if (entry != NULL && entry->stored_files == NULL)
    {
      /* Newer attachments stand behind these. */
      entry->stored_files = g_ptr_array_ref (files);
      library_follow_draft (reading->library, entry);
      if (files->len > 0)
        g_list_store_splice (beckon_conversation_get_files (entry->conversation), 0, 0, files->pdata, files->len);
    }
  read_queue (reading);
}

/* Reads what is attached to the draft of @conversation and its queue, unless that was done, then ends @task (transfer full)
 * well. */
static void
library_read_files (BeckonLibrary *self, BeckonConversation *conversation, GTask *task)
{
  BeckonLibraryEntry *entry = library_find_entry (self, conversation);

  if (entry == NULL || entry->stored_files != NULL)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  beckon_store_load_draft_files_async (self->store, beckon_conversation_get_id (conversation), NULL, on_files_read,
                                       drafts_reading_new (self, conversation, task));
}

void
beckon_library_save_draft (BeckonLibrary *self, BeckonConversation *conversation, const char *draft)
{
  BeckonLibraryEntry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  entry = library_find_entry (self, conversation);
  if (entry != NULL)
    library_follow_draft (self, entry);

  beckon_conversation_set_draft (conversation, draft);
}

/* Views of a long conversation need the end, and more when a person goes there; the agent needs all of it. A read always covers
 * the end from some place on, so that the list has no holes. Several reads may be under way at the same time: a later one
 * brings only what is missing, and one that would leave a hole, because messages were released meanwhile, is repeated.
 */

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
pages_on_path_read (GObject *source, GAsyncResult *result, gpointer user_data)
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
  library_take_path (paging->conversation, messages, -1);
  library_read_files (g_task_get_source_object (task), paging->conversation, g_object_ref (task));
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
                                           BECKON_LIBRARY_PAGE, paging->message_id, g_task_get_cancellable (task),
                                           pages_on_path_read, task);
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
    library_read_files (self, paging->conversation, g_steal_pointer (&task));
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
pages_page (BeckonLibrary *self, BeckonConversation *conversation, Want want, const char *message_id,
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

  pages_page (self, conversation, WANT_ALL, NULL, cancellable, callback, user_data);
}

void
beckon_library_open_end_async (BeckonLibrary *self, BeckonConversation *conversation, const char *message_id,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  pages_page (self, conversation, message_id != NULL ? WANT_MESSAGE : WANT_END, message_id, cancellable, callback, user_data);
}

void
beckon_library_open_earlier_async (BeckonLibrary *self, BeckonConversation *conversation, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  pages_page (self, conversation, WANT_EARLIER, NULL, cancellable, callback, user_data);
}

BECKON_FINISH_BOOLEAN (beckon_library_open, BeckonLibrary)

/* A run works with all of it, and what was not stored yet could not be read again. */
void
beckon_library_leave (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonLibraryEntry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  entry = library_find_entry (self, conversation);
  if (entry != NULL && entry->is_stored && !beckon_conversation_is_busy (conversation))
    beckon_conversation_forget_earlier (conversation, BECKON_LIBRARY_PAGE);
}

BECKON_LIST_MODEL (BeckonLibrary, beckon_library, BECKON_TYPE_CONVERSATION, conversations)

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonLibrary, beckon_library, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_library_model_init))

static void
library_entry_free (BeckonLibraryEntry *entry)
{
  g_object_unref (entry->conversation);
  g_free (entry->stored_draft);
  g_clear_pointer (&entry->stored_files, g_ptr_array_unref);
  g_free (entry);
}

/* The list */

static BeckonLibraryEntry *
library_find_entry (BeckonLibrary *self, BeckonConversation *conversation)
{
  return g_hash_table_lookup (self->entries, beckon_conversation_get_id (conversation));
}

/* The list shows it after the next beckon_library_sort(). Borrowed. */
static BeckonLibraryEntry *
library_add_entry (BeckonLibrary *self, BeckonConversation *conversation, gboolean is_stored)
{
  BeckonLibraryEntry *entry = g_new0 (BeckonLibraryEntry, 1);

  entry->conversation = g_object_ref (conversation);
  entry->is_stored = is_stored;
  g_hash_table_insert (self->entries, (gpointer) beckon_conversation_get_id (conversation), entry);
  g_ptr_array_add (self->fresh, conversation);
  self->last_sequence = MAX (self->last_sequence, beckon_conversation_get_sequence (conversation));

  return entry;
}

/* Says that a row changed in a way that a filter or an order may ask for. */
static void
library_say_changed (BeckonLibrary *self, BeckonConversation *conversation)
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

/* Nearly all of them are where they belong, so only the others are sorted: a long list is gone through once. */
static void
library_sort (BeckonLibrary *self)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_sized_new (self->conversations->len);
  g_autoptr (GPtrArray) moved = g_ptr_array_new ();
  g_autoptr (GPtrArray) sorted = NULL;
  GPtrArray *merged;
  guint at;

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
  merged = g_ptr_array_sized_new (kept->len + moved->len);
  at = 0;
  /* Each list is in order. */
  for (guint i = 0; i < kept->len; i++)
    {
      while (at < moved->len && library_compare (g_ptr_array_index (moved, at), g_ptr_array_index (kept, i)) < 0)
        g_ptr_array_add (merged, g_ptr_array_index (moved, at++));
      g_ptr_array_add (merged, g_ptr_array_index (kept, i));
    }
  while (at < moved->len)
    g_ptr_array_add (merged, g_ptr_array_index (moved, at++));

  sorted = merged;
  library_replace (self, sorted);
}

static void
library_remove_entry (BeckonLibrary *self, BeckonConversation *conversation)
{
  g_autoptr (GPtrArray) rest = NULL;

  G_GNUC_UNUSED g_autoptr (BeckonConversation) held = g_object_ref (conversation);
  rest = g_ptr_array_copy (self->conversations, NULL, NULL);
  g_ptr_array_remove (rest, conversation);
  g_ptr_array_remove (self->fresh, conversation);
  library_doubt (self, beckon_conversation_get_id (conversation));
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
  if (self->clock != NULL)
    {
      beckon_clock_remove (self->clock, self->undo_timeout);
      beckon_clock_remove (self->clock, self->leftover_timeout);
      beckon_clock_remove (self->clock, self->removal_timeout);
    }
  self->undo_timeout = self->leftover_timeout = self->removal_timeout = 0;
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
  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) library_entry_free);
  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) library_entry_free);
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
  g_signal_connect_object (store, "requests-moved", G_CALLBACK (library_count_soon), self, G_CONNECT_SWAPPED);

  return self;
}

gboolean
beckon_library_is_loaded (BeckonLibrary *self)
{
  g_return_val_if_fail (BECKON_IS_LIBRARY (self), FALSE);

  return self->is_loaded;
}

/* Reports a conversation as gone for good: what others keep of it goes too. */
static void
library_say_gone (BeckonLibrary *self, const char *conversation_id)
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
  library_follow_draft (self, library_add_entry (self, conversation, FALSE));
  library_doubt (self, id);
  library_sort (self);

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
  library_take_path (g_task_get_task_data (task), messages, -1);
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
  else if (!library_merge_messages (conversation, messages))
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
  first_seq = beckon_conversation_get_loaded (conversation) ? library_find_open_seq (conversation) : 0;
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

  entry = library_find_entry (self, conversation);
  if (entry == NULL)
    return;

  entry->is_stored = TRUE;
  library_doubt (self, beckon_conversation_get_id (conversation));
  if (beckon_conversation_get_sequence (conversation) < self->last_sequence)
    beckon_conversation_set_sequence (conversation, ++self->last_sequence);
  library_sort (self);
}

/* A person's changes to a conversation: at once in the object, soon in the store. */

/* (nullable): nothing is written before the conversation itself is. Caller owns. */
static BeckonBatch *
library_change_begin (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonLibraryEntry *entry = library_find_entry (self, conversation);
  BeckonBatch *batch;

  if (entry == NULL || !entry->is_stored)
    return NULL;

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_keep (batch);
  library_doubt (self, beckon_conversation_get_id (conversation));

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
  library_say_changed (self, conversation);
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
  library_say_changed (self, conversation);
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
    copy = library_add_entry (self, header, TRUE)->conversation;
  library_doubt (self, beckon_conversation_get_id (copy));
  library_sort (self);
  g_task_return_pointer (task, g_object_ref (copy), g_object_unref);
}

/* Unsaved drafts are copied as well. */
static void
library_change_copy (BeckonLibrary *self, BeckonConversation *conversation, const char *last_message_id, const char *title,
                     GTask *task)
{
  g_task_set_task_data (task, g_object_ref (conversation), g_object_unref);
  library_flush_drafts (self);
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

/* Deleted conversations leave the list at once and the store hides them; for a while the object is kept for an undo. Then, or
 * when the program ends, it is doomed, and the store erases it. */

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
  library_say_gone (self, conversation_id);
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
  BeckonLibraryEntry *entry = library_find_entry (self, conversation);
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
  library_remove_entry (self, conversation);
  library_delete_watch (self);
}

void
beckon_library_delete (BeckonLibrary *self, BeckonConversation *conversation)
{
  BeckonLibraryEntry *entry;

  g_return_if_fail (BECKON_IS_LIBRARY (self));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  library_flush_drafts (self);
  entry = library_find_entry (self, conversation);
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
      library_say_gone (self, beckon_conversation_get_id (conversation));
      library_remove_entry (self, conversation);
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
        library_remove_entry (self, conversation);
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
  entry = library_add_entry (self, hidden->conversation, TRUE);
  library_doubt (self, beckon_conversation_get_id (conversation));
  entry->stored_draft = g_steal_pointer (&hidden->stored_draft);
  entry->stored_files = g_steal_pointer (&hidden->stored_files);
  g_hash_table_remove (self->hidden, beckon_conversation_get_id (conversation));
  library_sort (self);

  return TRUE;
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
beckon_library_flush (BeckonLibrary *self)
{
  GHashTableIter iter;
  gpointer id;

  g_return_if_fail (BECKON_IS_LIBRARY (self));

  library_flush_drafts (self);
  /* All deletions are final now, and removals of messages. */
  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      commit_doom (self, id);
      g_hash_table_iter_remove (&iter);
    }
  while (self->removals != NULL && self->removals->len > 0)
    doom_first (self);
}

/* The list of conversations follows the store, and the store follows the list: what is changed here shows at once and is
 * written behind, what another process wrote is read again.
 *
 * The two must not cross. A listing is old when it arrives; if this process gave the store anything to write after it was
 * asked for, it may know less than the objects do, so it is thrown away and asked for again. A conversation whose run this
 * process drives is ahead of the store all the time; of that only the title, the profile and the number of pending requests
 * are taken over, and its messages belong to the run.
 */

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
    library_take_path (reading->conversation, messages, -1);
  else if (!library_merge_messages (reading->conversation, messages))
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
                                           library_find_open_seq (conversation), NULL, on_messages_read, reading);
}

static void
library_follow_update (BeckonLibrary *self, BeckonConversation *conversation, BeckonConversation *header)
{
  /* A filter or an order may ask for what changed. */
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

  self->last_sequence = MAX (self->last_sequence, beckon_conversation_get_sequence (header));
  if (moved)
    library_say_changed (self, conversation);
  if (beckon_store_header_is_ours (header))
    return;

  beckon_conversation_set_updated_at (conversation, beckon_conversation_get_updated_at (header));
  if (beckon_conversation_get_path (conversation) != beckon_conversation_get_path (header))
    {
      library_find_entry (self, conversation)->is_on_other_path = beckon_conversation_get_loaded (conversation);
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
  BeckonLibraryEntry *entry = library_find_entry (self, header);

  if (entry == NULL)
    entry = library_add_entry (self, header, TRUE);
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
      library_say_gone (self, beckon_conversation_get_id (entry->conversation));
      library_remove_entry (self, entry->conversation);
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
      /* The queue may have changed elsewhere. */
      read_queue (drafts_reading_new (self, entry->conversation, NULL));
      if (!entry->is_ours)
        g_ptr_array_add (loaded, entry->conversation);
    }

  for (guint i = 0; i < loaded->len; i++)
    {
      Reading *reading = reading_new (self, g_ptr_array_index (loaded, i), NULL);
      BeckonLibraryEntry *entry = library_find_entry (self, reading->conversation);

      reading->whole_path = entry->is_on_other_path;
      entry->is_on_other_path = FALSE;
      read_messages (reading);
    }
}

/* The next reading tells what the store has of a conversation even if it has not changed; for callers that change it here.
 * */
static void
library_doubt (BeckonLibrary *self, const char *conversation_id)
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
    library_doubt (self, id);
  for (guint i = 0; i < news->gone->len; i++)
    library_doubt (self, g_ptr_array_index (news->gone, i));
  for (guint i = 0; i < news->headers->len; i++)
    library_doubt (self, beckon_conversation_get_id (g_ptr_array_index (news->headers, i)));
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
      /* Deletions of before this program began are erased once they can no longer be undone. */
      if (self->leftover_timeout == 0)
        self->leftover_timeout = beckon_clock_add_timeout (self->clock, 2 * BECKON_UNDO_US / 1000, on_leftovers_due, self);

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
      library_sort (self);
      read_loaded (self);

      /* Writes of other processes during the first read may have come too late for it. */
      if (!self->is_loaded)
        {
          self->is_loaded = TRUE;
          if (self->reload_again)
            beckon_library_reload (self);
          /* All headers are there for the first time. */
          g_signal_emit (self, signals[SIGNAL_LOADED], 0);
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
  BeckonLibraryEntry *entry = library_find_entry (reading->library, reading->conversation);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMovedCalls) moved = beckon_moved_calls_read_finish (BECKON_STORE (source), result, &error);
  gboolean is_old = beckon_store_get_serial (reading->library->store) != reading->serial;

  if (moved == NULL)
    note_unread ("what was undone", error);
  if (entry == NULL)
    return;
  if (moved != NULL && !is_old)
    {
      library_merge_moved (reading->conversation, moved->calls);
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
  library_sort (self);
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
beckon_library_load_async (BeckonLibrary *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_LIBRARY (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_library_load_async);
  read_headers (reading_new (self, NULL, task));
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
static void
library_count_soon (BeckonLibrary *self)
{
  if (self->count_source == 0)
    self->count_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, count_pending, self, NULL);
}
