/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-undo.h"

#include "base/beckon-error.h"
#include "beckon-folder.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  char *conversation_id;
  BeckonToolCall *call;
  char *front_end;
  BeckonFileCopy *copy;
} Undo;

static void
undo_free (gpointer data)
{
  Undo *undo = data;

  g_free (undo->conversation_id);
  g_object_unref (undo->call);
  g_free (undo->front_end);
  g_clear_pointer (&undo->copy, beckon_file_copy_free);
  g_free (undo);
}

static gboolean
refuse_changed (const BeckonFileCopy *copy, GError **error)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
               _("“%s” was changed since, so it is left as it is."), copy->path);
  return FALSE;
}

/* Errors of the folder are English, for models; only the reasons that a person meets are said anew. */
static gboolean
put_back (const BeckonFileCopy *copy, GError **error)
{
  g_autoptr (GError) folder_error = NULL;
  g_autoptr (BeckonFolder) folder = beckon_folder_new (copy->folder, &folder_error);
  g_autoptr (GBytes) now = folder != NULL ? beckon_folder_read (folder, copy->path, &folder_error) : NULL;
  g_autofree char *hash = now != NULL ? beckon_file_copy_hash (now) : NULL;

  if (hash == NULL && g_error_matches (folder_error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("“%s” is not there any more."), copy->path);
      return FALSE;
    }
  if (hash != NULL && strcmp (hash, copy->after_hash) != 0)
    return refuse_changed (copy, error);
  if (hash != NULL
      && (copy->before != NULL ? beckon_folder_write (folder, copy->path, copy->before, now, &folder_error)
                               : beckon_folder_remove (folder, copy->path, now, &folder_error)))
    return TRUE;
  if (g_error_matches (folder_error, BECKON_ERROR, BECKON_ERROR_CONFLICT))
    return refuse_changed (copy, error);

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               /* Translators: the second %s is what the system said */
               _("“%s” cannot be put back: %s"), copy->path, folder_error->message);
  return FALSE;
}

static void
put_back_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Undo *undo = task_data;
  GError *error = NULL;

  if (put_back (undo->copy, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* The file is put back already: what could not be written now is written later. */
static void
on_noted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!beckon_file_copies_set_undone_finish (BECKON_FILE_COPIES (source), result, &error)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED))
    g_message ("that a change was undone could not be stored: %s", error->message);
  beckon_tool_call_set_change (undo->call, BECKON_CALL_CHANGE_UNDONE);
  g_task_return_boolean (task, TRUE);
}

static void
on_put_back (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  GError *error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_task_return_error (task, error);
      return;
    }

  beckon_file_copies_set_undone_async (BECKON_FILE_COPIES (source), undo->conversation_id, undo->copy, undo->front_end,
                                       g_get_real_time (), on_noted, g_steal_pointer (&task));
}

static void
on_copy (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  g_autoptr (GTask) phase = NULL;
  GError *error = NULL;

  undo->copy = beckon_file_copies_get_finish (BECKON_FILE_COPIES (source), result, &error);
  if (undo->copy == NULL)
    g_task_return_error (task, error);
  else if (undo->copy->undone_at > 0)
    {
      beckon_tool_call_set_change (undo->call, BECKON_CALL_CHANGE_UNDONE);
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("This change was undone already."));
    }
  else if (undo->copy->is_withheld)
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             /* Translators: %s is a file */
                             _("“%s” held a secret of yours when it was changed, so no copy of it was kept. Change it back by "
                               "hand."), undo->copy->path);
  else if (!g_task_return_error_if_cancelled (task))
    {
      phase = g_task_new (source, NULL, on_put_back, g_object_ref (task));
      g_task_set_source_tag (phase, on_copy);
      g_task_set_task_data (phase, undo, NULL);
      g_task_run_in_thread (phase, put_back_on_thread);
    }
}

void
beckon_undo_async (BeckonFileCopies *copies, const char *conversation_id, BeckonToolCall *call, const char *front_end,
                   GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Undo *undo;

  g_return_if_fail (BECKON_IS_FILE_COPIES (copies));
  g_return_if_fail (conversation_id != NULL && front_end != NULL);
  g_return_if_fail (BECKON_IS_TOOL_CALL (call));

  task = g_task_new (copies, cancellable, callback, user_data);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_source_tag (task, beckon_undo_async);
  undo = g_new0 (Undo, 1);
  undo->conversation_id = g_strdup (conversation_id);
  undo->call = g_object_ref (call);
  undo->front_end = g_strdup (front_end);
  g_task_set_task_data (task, undo, undo_free);
  beckon_file_copies_get_async (copies, beckon_tool_call_get_id (call), cancellable, on_copy, g_steal_pointer (&task));
}

gboolean
beckon_undo_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, copies), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_undo_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
