/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-undo.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-worker.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-runners.h"
#include "sandbox/beckon-folder.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Undoing and making again are the same, the other way round: what is there now is kept in place of what is put there. */
typedef struct
{
  char *conversation_id;
  BeckonToolCall *call;
  char *front_end;
  gboolean is_redo;
  BeckonFileCopy *copy;   /* (owned) (nullable): of a file tool; as it is stored, then as it is to be */
  GPtrArray *landings;    /* (owned) (nullable) (element-type BeckonLanding): of a command, likewise, the newest first */
  GError *missing;        /* (owned) (nullable): why there is no copy */
  GBytes *now;            /* (owned) (nullable): the file as it stands in the folder */
  gboolean is_resumed;    /* a process began it that is gone */
  gboolean is_moved;      /* by that process, which could not store it any more */
} Undo;

static void
undo_free (gpointer data)
{
  Undo *undo = data;

  g_free (undo->conversation_id);
  g_object_unref (undo->call);
  g_free (undo->front_end);
  g_clear_pointer (&undo->copy, beckon_file_copy_free);
  g_clear_pointer (&undo->landings, g_ptr_array_unref);
  g_clear_error (&undo->missing);
  g_clear_pointer (&undo->now, g_bytes_unref);
  g_free (undo);
}

static gboolean
refuse_changed (const BeckonFileCopy *copy, GError **error)
{
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                         _("“%s” was changed since, so it is left as it is."), copy->path);
  return FALSE;
}

/* As the copy says that it is; %TRUE with @now, which is %NULL where there is no file. */
static gboolean
check_now (const BeckonFileCopy *copy, BeckonFolder *folder, GBytes **now, GError **error)
{
  g_autoptr (GError) read_error = NULL;
  g_autoptr (GBytes) found = beckon_folder_read (folder, copy->path, &read_error);
  g_autofree char *hash = found != NULL ? beckon_file_copy_hash (found) : NULL;
  gboolean is_missing = g_error_matches (read_error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);

  if (is_missing && *copy->after_hash != '\0')
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("“%s” no longer exists."), copy->path);
      return FALSE;
    }
  if (hash != NULL && strcmp (hash, copy->after_hash) != 0)
    return refuse_changed (copy, error);
  if (hash == NULL && !is_missing)
    {
      g_propagate_error (error, g_steal_pointer (&read_error));
      return FALSE;
    }

  *now = g_steal_pointer (&found);
  return TRUE;
}

static gboolean
put_there (const BeckonFileCopy *copy, BeckonFolder *folder, GBytes *now, GError **error)
{
  if (copy->before != NULL)
    return beckon_folder_write (folder, copy->path, copy->before, now, error);
  if (!beckon_folder_remove (folder, copy->path, now, error))
    return FALSE;

  beckon_folder_remove_parents (folder, copy->path, copy->n_folders);
  return TRUE;
}

/* The process that is gone had put it there. */
static gboolean
undo_is_there (const BeckonFileCopy *copy, BeckonFolder *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) found = beckon_folder_read (folder, copy->path, &error);

  if (copy->before == NULL)
    return g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);

  return found != NULL && g_bytes_equal (found, copy->before);
}

/* Errors of the folder are English, for models; only the reasons that a person meets are said anew. */
static gboolean
refuse_put (const BeckonFileCopy *copy, const GError *folder_error, GError **error)
{
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         /* Translators: the second %s is what the system said */
                         _("“%s” cannot be put back: %s"), copy->path, folder_error->message);
  return FALSE;
}

/* Made again, a file is written without being asked about: nothing else may have come to run it. */
static gboolean
check_runner (const BeckonFileCopy *copy, GBytes *now, GError **error)
{
  g_autofree char *path = beckon_folder_resolve (copy->folder, copy->path, NULL);
  g_autofree char *before = now != NULL ? g_strndup (g_bytes_get_data (now, NULL), g_bytes_get_size (now)) : NULL;
  g_autofree char *after = g_strndup (g_bytes_get_data (copy->before, NULL), g_bytes_get_size (copy->before));
  g_autofree char *why = beckon_runner_why (copy->folder, path != NULL ? path : copy->path,
                                            &(BeckonRunnerChange){ .before = before, .after = after });

  if (why != NULL)
    /* Translators: a file, and why it is left as it is */
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("“%s” is left as it is: %s"), copy->path, why);
  return why == NULL;
}

static void
return_done (GTask *task, gboolean is_done, GError *error)
{
  if (is_done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
verify_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  Undo *undo = task_data;
  gboolean is_done;
  BeckonFileCopy *copy = undo->copy;
  g_autoptr (GError) folder_error = NULL;
  g_autoptr (BeckonFolder) folder = beckon_folder_new (copy->folder, &folder_error);
  g_autoptr (GBytes) now = NULL;

  if (folder != NULL && check_now (copy, folder, &now, &folder_error))
    {
      g_clear_pointer (&undo->now, g_bytes_unref);
      undo->now = g_steal_pointer (&now);
      if (copy->before != NULL && undo->now == NULL)
        copy->n_folders = beckon_folder_count_missing (folder, copy->path);
      is_done = !undo->is_redo || check_runner (copy, undo->now, &error);
    }
  else if (folder != NULL && undo->is_resumed && undo_is_there (copy, folder))
    {
      undo->is_moved = TRUE;
      is_done = TRUE;
    }
  else if (!g_error_matches (folder_error, BECKON_ERROR, BECKON_ERROR_CONFLICT))
    is_done = refuse_put (copy, folder_error, &error);
  else
    {
      g_propagate_error (&error, g_steal_pointer (&folder_error));
      is_done = FALSE;
    }

  return_done (task, is_done, error);
}

static void
swap_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  Undo *undo = task_data;
  gboolean is_done;
  BeckonFileCopy *copy = undo->copy;
  g_autoptr (GError) folder_error = NULL;
  g_autoptr (BeckonFolder) folder = beckon_folder_new (copy->folder, &folder_error);

  if (folder != NULL && (undo->is_moved || put_there (copy, folder, undo->now, &folder_error)))
    {
      g_autofree char *path = g_strdup (copy->path);
      guint n_changed = copy->before != NULL ? copy->n_folders + 2 : 1;
      struct stat info;
      gint64 undone_at;
      char *hash;

      /* A file that is put back here does not count as changed since, for a command whose changes are undone next. */
      while (n_changed > 0 && strcmp (path, ".") != 0)
        {
          char *parent = g_path_get_dirname (path);

          if (beckon_folder_look_at (folder, path, &info))
            {
              beckon_lander_ledger_note (&info);
              n_changed--;
            }
          g_free (path);
          path = parent;
        }
      /* The other way round from now on. */
      undone_at = undo->is_redo ? 0 : g_get_real_time ();
      hash = copy->before != NULL ? beckon_file_copy_hash (copy->before) : g_strdup ("");
      g_clear_pointer (&copy->before, g_bytes_unref);
      g_free (copy->after_hash);
      copy->after_hash = hash;
      copy->undone_at = undone_at;
      if (undo->now != NULL && (undone_at == 0 || !copy->is_after_withheld))
        copy->before = g_bytes_ref (undo->now);
      is_done = TRUE;
    }
  else if (g_error_matches (folder_error, BECKON_ERROR, BECKON_ERROR_CONFLICT))
    is_done = refuse_changed (copy, &error);
  else
    is_done = refuse_put (copy, folder_error, &error);

  return_done (task, is_done, error);
}

/* The move is noted before it begins. @now: (nullable) */
static void
undo_begin (BeckonLandings *landings, GTask *task, GBytes *now, GAsyncReadyCallback callback)
{
  Undo *undo = g_task_get_task_data (task);
  const char *ids[] = { beckon_tool_call_get_id (undo->call), NULL };

  beckon_landings_begin_async (landings, ids, undo->is_redo, undo->front_end, now, callback, g_object_ref (task));
}

/* Takes @error. What could not be opened now, a resumed one tries again at the next start. */
static void
undo_end (BeckonLandings *landings, GTask *task, GError *error)
{
  Undo *undo = g_task_get_task_data (task);

  if (!undo->is_resumed || !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    beckon_landings_end (landings, beckon_tool_call_get_id (undo->call));
  g_task_return_error (task, error);
}

static void
run_on_thread (GTask *task, GTaskThreadFunc function, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) phase = g_task_new (g_task_get_source_object (task), NULL, callback, g_object_ref (task));

  g_task_set_source_tag (phase, run_on_thread);
  g_task_set_task_data (phase, g_task_get_task_data (task), NULL);
  beckon_worker_run_for_person (phase, function);
}

/* The file is put back already: what could not be written now is written later. */
static void
undo_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!beckon_file_copies_put_finish (BECKON_FILE_COPIES (source), result, &error)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED))
    g_message ("that a change was undone could not be stored: %s", error->message);
  beckon_tool_call_set_change (undo->call, undo->is_redo ? BECKON_CALL_CHANGE_KEPT : BECKON_CALL_CHANGE_UNDONE);
  g_task_return_boolean (task, TRUE);
}

static void
on_swapped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  GError *error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    undo_end (BECKON_LANDINGS (source), task, error);
  else
    beckon_file_copies_put_async (BECKON_FILE_COPIES (source), undo->conversation_id, undo->copy, undo->front_end,
                                  g_get_real_time (), undo_on_stored, g_steal_pointer (&task));
}

static void
on_swap_begun (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_landings_begin_finish (BECKON_LANDINGS (source), result, &error))
    run_on_thread (task, swap_on_thread, on_swapped);
  else
    g_task_return_error (task, error);
}

static void
undo_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  gboolean is_kept = undo->is_redo || !undo->copy->is_after_withheld;
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    undo_begin (BECKON_LANDINGS (source), task, is_kept ? undo->now : NULL, on_swap_begun);
  else
    undo_end (BECKON_LANDINGS (source), task, error);
}

static gboolean
check_copy (Undo *undo, GError **error)
{
  const BeckonFileCopy *copy = undo->copy;
  gboolean is_undone = copy->undone_at > 0;

  if (is_undone != undo->is_redo)
    {
      beckon_tool_call_set_change (undo->call, is_undone ? BECKON_CALL_CHANGE_UNDONE : BECKON_CALL_CHANGE_KEPT);
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                           is_undone ? _("This change was undone already.") : _("This change is not undone."));
      return FALSE;
    }
  if (!is_undone && copy->is_withheld)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             /* Translators: %s is a file */
                             _("“%s” held a secret of yours when it was changed, so no copy of it was kept. Change it back "
                               "by hand."),
                             copy->path);
      return FALSE;
    }
  if (is_undone && copy->before == NULL)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             /* Translators: %s is a file */
                             _("What the call had made of “%s” is not kept, so it cannot be made again."), copy->path);
      return FALSE;
    }
  return TRUE;
}

/* The changes of a command, all in one, however often they landed. */

static gboolean
move_landing (BeckonLanding *landing, gboolean is_redo, GError **error)
{
  guint n_kept = beckon_change_set_count (landing->changes, BECKON_FILE_KEPT);
  gboolean is_moved;

  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->fate == BECKON_FILE_KEPT || change->fate == BECKON_FILE_UNDONE)
        g_clear_pointer (&change->remark, g_free);
    }
  is_moved = is_redo ? beckon_lander_redo (landing, error) : beckon_lander_undo (landing, error);
  if (!is_moved)
    return FALSE;
  if (beckon_change_set_count (landing->changes, BECKON_FILE_KEPT) == n_kept)
    {
      /* Everything was refused; the first of the reasons stands for all. */
      for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
        {
          const BeckonFileChange *change = beckon_change_set_get (landing->changes, i);
          g_autofree char *path = beckon_file_change_dup_shown_path (change);

          if (change->remark == NULL || (change->fate != BECKON_FILE_KEPT && change->fate != BECKON_FILE_UNDONE))
            continue;
          /* Translators: a file, and why it is left as it is */
          beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("“%s” is left as it is: %s"), path,
                                 change->remark);
          return FALSE;
        }
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("Nothing of it could be put back."));
      return FALSE;
    }

  landing->state = is_redo ? BECKON_LANDING_LANDED : BECKON_LANDING_UNDONE;
  landing->undone_at = is_redo ? 0 : g_get_real_time ();
  return TRUE;
}

/* The newest is undone first, and the oldest made again first. The first reason stands for all if nothing could be moved. */
static gboolean
move_landings (Undo *undo, GError **error)
{
  guint n = undo->landings->len;
  gboolean is_any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      BeckonLanding *landing = g_ptr_array_index (undo->landings, undo->is_redo ? n - 1 - i : i);
      g_autoptr (GError) refused = NULL;

      if (move_landing (landing, undo->is_redo, &refused))
        is_any = TRUE;
      else if (error != NULL && *error == NULL)
        g_propagate_error (error, g_steal_pointer (&refused));
    }
  if (is_any)
    g_clear_error (error);

  return is_any;
}

static void
move_landing_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (move_landings (task_data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
show_landings (Undo *undo)
{
  for (guint i = 0; i < undo->landings->len; i++)
    beckon_tool_call_take_landing (undo->call, beckon_landing_copy (g_ptr_array_index (undo->landings, i)));
}

static void
on_landing_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!beckon_landings_put_finish (BECKON_LANDINGS (source), result, &error)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED))
    g_message ("that a command's changes were undone could not be stored: %s", error->message);
  show_landings (undo);
  g_task_return_boolean (task, TRUE);
}

static void
on_landing_moved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    {
      beckon_landings_put_async (BECKON_LANDINGS (source), undo->conversation_id, undo->landings,
                                 undo->is_redo ? "redone" : "undone", undo->front_end, g_get_real_time (), on_landing_stored,
                                 g_steal_pointer (&task));
      return;
    }

  /* Which changes were refused, and why, is still told by the call. */
  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT))
    show_landings (undo);
  undo_end (BECKON_LANDINGS (source), task, error);
}

static void
on_move_begun (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_landings_begin_finish (BECKON_LANDINGS (source), result, &error))
    run_on_thread (task, move_landing_on_thread, on_landing_moved);
  else
    g_task_return_error (task, error);
}

static gboolean
check_landing (const Undo *undo, const BeckonLanding *landing, GError **error)
{
  gboolean is_undone = beckon_change_set_count (landing->changes, BECKON_FILE_UNDONE) > 0;
  gboolean is_landed = landing->state == BECKON_LANDING_LANDED || landing->state == BECKON_LANDING_UNDONE;

  if (!is_landed)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("These changes are not saved in the folder yet."));
  else if (undo->is_redo ? !is_undone : !beckon_change_set_can_undo (landing->changes))
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                         undo->is_redo ? _("This change is not undone.")
                         : is_undone   ? _("This change was undone already.")
                         : _("Nothing of this was saved in the folder, so there is nothing to undo."));
  else if (landing->is_gone)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("What the files were is no longer kept."));
  else
    return TRUE;
  return FALSE;
}

/* Only those that can be are moved; the newest says why if there are none. */
static gboolean
check_landings (Undo *undo, GError **error)
{
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < undo->landings->len;)
    {
      g_autoptr (GError) refused = NULL;

      if (check_landing (undo, g_ptr_array_index (undo->landings, i), &refused))
        {
          i++;
          continue;
        }
      g_ptr_array_remove_index (undo->landings, i);
      if (first == NULL)
        first = g_steal_pointer (&refused);
    }
  if (undo->landings->len > 0)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}

static void
on_landing (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  GError *error = NULL;

  undo->landings = beckon_landings_get_finish (BECKON_LANDINGS (source), result, &error);
  if (undo->landings == NULL && g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    {
      g_clear_error (&error);
      undo_end (BECKON_LANDINGS (source), task, g_steal_pointer (&undo->missing));
    }
  else if (undo->landings == NULL)
    g_task_return_error (task, error);
  else if (beckon_tool_call_get_can_land (undo->call))
    undo_end (BECKON_LANDINGS (source), task,
              g_error_new_literal (BECKON_ERROR, BECKON_ERROR_CONFLICT,
                                   _("The command is still running. Its changes can be undone when it has ended.")));
  else if (!check_landings (undo, &error))
    undo_end (BECKON_LANDINGS (source), task, error);
  else if (!g_task_return_error_if_cancelled (task))
    undo_begin (BECKON_LANDINGS (source), task, NULL, on_move_begun);
}

static void
undo_on_copy (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Undo *undo = g_task_get_task_data (task);
  GError *error = NULL;

  undo->copy = beckon_file_copies_get_finish (BECKON_FILE_COPIES (source), result, &error);
  if (undo->copy == NULL && g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    {
      undo->missing = error;
      beckon_landings_get_async (BECKON_LANDINGS (source), beckon_tool_call_get_id (undo->call), g_task_get_cancellable (task),
                                 on_landing, g_object_ref (task));
    }
  else if (undo->copy == NULL)
    g_task_return_error (task, error);
  else if (!check_copy (undo, &error))
    undo_end (BECKON_LANDINGS (source), task, error);
  else if (!g_task_return_error_if_cancelled (task))
    run_on_thread (task, verify_on_thread, undo_on_looked);
}

static Undo *
undo_start (BeckonFileCopies *copies, const char *conversation_id, BeckonToolCall *call, const char *front_end,
            gboolean is_redo,
            GTask *new_task)
{
  g_autoptr (GTask) task = new_task;
  Undo *undo = g_new0 (Undo, 1);

  g_task_set_check_cancellable (task, FALSE);
  undo->conversation_id = g_strdup (conversation_id);
  undo->call = g_object_ref (call);
  undo->front_end = g_strdup (front_end);
  undo->is_redo = is_redo;
  g_task_set_task_data (task, undo, undo_free);
  beckon_file_copies_get_async (copies, beckon_tool_call_get_id (call), g_task_get_cancellable (task), undo_on_copy,
                                g_object_ref (task));
  return undo;
}

/* (transfer full) */
static GTask *
make_task (BeckonFileCopies *copies, gpointer tag, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (copies, cancellable, callback, user_data);

  g_assert (BECKON_IS_FILE_COPIES (copies) && BECKON_IS_LANDINGS (copies));
  g_task_set_source_tag (task, tag);
  return task;
}

static gboolean
undo_finish (BeckonFileCopies *copies, GAsyncResult *result, gpointer tag, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
beckon_undo_async (BeckonFileCopies *copies, const char *conversation_id, BeckonToolCall *call, const char *front_end,
                   GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  undo_start (copies, conversation_id, call, front_end, FALSE,
              make_task (copies, beckon_undo_async, cancellable, callback, user_data));
}

gboolean
beckon_undo_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error)
{
  return undo_finish (copies, result, beckon_undo_async, error);
}

void
beckon_redo_async (BeckonFileCopies *copies, const char *conversation_id, BeckonToolCall *call, const char *front_end,
                   GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  undo_start (copies, conversation_id, call, front_end, TRUE,
              make_task (copies, beckon_redo_async, cancellable, callback, user_data));
}

gboolean
beckon_redo_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error)
{
  return undo_finish (copies, result, beckon_redo_async, error);
}

void
beckon_undo_resume_async (BeckonFileCopies *copies, const char *conversation_id, BeckonToolCall *call, const char *front_end,
                          gboolean is_redo, GBytes *now, GAsyncReadyCallback callback, gpointer user_data)
{
  Undo *undo = undo_start (copies, conversation_id, call, front_end, is_redo,
                           make_task (copies, beckon_undo_resume_async, NULL, callback, user_data));

  undo->is_resumed = TRUE;
  undo->now = now != NULL ? g_bytes_ref (now) : NULL;
}

gboolean
beckon_undo_resume_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error)
{
  return undo_finish (copies, result, beckon_undo_resume_async, error);
}

GPtrArray *
beckon_undo_list_refused (BeckonToolCall *call)
{
  g_autoptr (GPtrArray) landings = NULL;
  GPtrArray *refused = g_ptr_array_new ();

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), NULL);

  landings = beckon_tool_call_list_landings (call);
  for (guint i = 0; i < landings->len; i++)
    {
      const BeckonChangeSet *changes = ((const BeckonLanding *) g_ptr_array_index (landings, i))->changes;

      for (guint j = 0; j < beckon_change_set_get_n_changes (changes); j++)
        {
          BeckonFileChange *change = beckon_change_set_get (changes, j);

          if (change->remark != NULL && (change->fate == BECKON_FILE_KEPT || change->fate == BECKON_FILE_UNDONE))
            g_ptr_array_add (refused, change);
        }
    }
  return refused;
}
