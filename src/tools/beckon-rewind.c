/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rewind.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "beckon-undo.h"
#include "landing/beckon-lander.h"
#include "sandbox/beckon-folder.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The tools whose changes are kept as copies; a call of theirs that has none has lost it. */
static const char *const file_tools[] = { "write_file", "edit_file", NULL };

/* The thing at a path. */
typedef struct
{
  gboolean is_there;
  char *hash; /* (owned) (nullable): %NULL where it is not known */
} Side;

/* A path on its way back through the calls. */
typedef struct Path Path;
struct Path
{
  BeckonRewindFile *file; /* (owned) */
  char *from;             /* (owned) (nullable): the whole path that a call moved it from */
  Side now;               /* what stands there, once it was looked at, or would after the steps so far */
  Side then;              /* what stood there before the last step that was looked at */
  gboolean is_looked_at;  /* a file is read for that, so it is done where it matters */
  gboolean is_applied;    /* by any step */
  gboolean is_arrived;    /* by the last step that was looked at */
  guint applied_at;       /* the last step that was, from 1 on; 0 for none */
  gboolean is_same;       /* nothing has to be done, by what was found before anything was */
  gboolean is_half;       /* of a move, whose other half stands for both */
  gboolean is_of_git;     /* the change of its repository stands for it */
  const Path *carrier;    /* (nullable): the folder that it was moved with */
};

/* A single call. */
typedef struct
{
  BeckonToolCall *call;   /* (owned) */
  BeckonFileCopy *copy; /* (owned) (nullable) */
  GPtrArray *landings;  /* (owned) (nullable) (element-type BeckonLanding): in the order of undoing */
} Item;

typedef struct
{
  GPtrArray *items;    /* (owned) (element-type Item): in the order of undoing */
  guint next;          /* which is loaded or undone next */
  GHashTable *paths;   /* (owned) (element-type utf8 Path): by whole path */
  guint n_applied;     /* steps */
  GPtrArray *calls;    /* (owned) (element-type BeckonToolCall): that are undone */
  gboolean is_preview;
  gboolean is_redo;
  char *conversation_id;
  char *front_end;
} Work;

static void
rewind_file_free (gpointer data)
{
  BeckonRewindFile *file = data;

  g_free (file->folder);
  g_free (file->path);
  g_free (file->from);
  g_free (file->git);
  g_free (file->why);
  g_free (file);
}

void
beckon_rewind_free (BeckonRewind *rewind)
{
  if (rewind == NULL)
    return;

  g_ptr_array_unref (rewind->files);
  g_ptr_array_unref (rewind->calls);
  g_free (rewind);
}

static void
path_free (gpointer data)
{
  Path *path = data;

  g_clear_pointer (&path->file, rewind_file_free);
  g_free (path->from);
  g_free (path->now.hash);
  g_free (path->then.hash);
  g_free (path);
}

static void
item_free (gpointer data)
{
  Item *item = data;

  g_object_unref (item->call);
  g_clear_pointer (&item->copy, beckon_file_copy_free);
  g_clear_pointer (&item->landings, g_ptr_array_unref);
  g_free (item);
}

static void
work_free (gpointer data)
{
  Work *work = data;

  g_ptr_array_unref (work->items);
  g_hash_table_unref (work->paths);
  g_ptr_array_unref (work->calls);
  g_free (work->conversation_id);
  g_free (work->front_end);
  g_free (work);
}

static void
set_side (Side *side, gboolean is_there, const char *hash)
{
  char *copy = g_strdup (hash);

  g_free (side->hash);
  side->is_there = is_there;
  side->hash = copy;
}

/* An unknown content may be the same; @is_sure: it is not. */
static gboolean
is_same_side (const Side *one, const Side *other, gboolean is_sure)
{
  if (one->is_there != other->is_there)
    return FALSE;
  if (!one->is_there)
    return TRUE;
  if (one->hash == NULL || other->hash == NULL)
    return !is_sure;
  return strcmp (one->hash, other->hash) == 0;
}

/* The content of the folder. */
static void
rewind_look (Path *path)
{
  const BeckonRewindFile *file = path->file;
  g_autoptr (BeckonFolder) folder = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *hash = NULL;
  struct stat info;
  gboolean is_there;

  if (path->is_looked_at || path->is_applied)
    return;

  path->is_looked_at = TRUE;
  folder = *file->folder != '\0' ? beckon_folder_new (file->folder, NULL) : NULL;
  is_there = folder != NULL && beckon_folder_look_at (folder, file->path, &info);
  bytes = is_there && S_ISREG (info.st_mode) ? beckon_folder_read (folder, file->path, NULL) : NULL;
  hash = bytes != NULL ? beckon_file_copy_hash (bytes) : NULL;
  set_side (&path->now, is_there, hash);
}

static Path *
get_path (Work *work, const char *folder, const char *relative)
{
  g_autofree char *whole = g_build_filename (folder, relative, NULL);
  Path *path = g_hash_table_lookup (work->paths, whole);

  if (path != NULL)
    return path;

  path = g_new0 (Path, 1);
  path->file = g_new0 (BeckonRewindFile, 1);
  path->file->folder = g_strdup (folder);
  path->file->path = g_strdup (relative);
  g_hash_table_insert (work->paths, g_steal_pointer (&whole), path);
  return path;
}

/* The first reason stands: what is behind it follows from it. */
static void
rewind_refuse (Path *path, const char *why)
{
  if (path->file->why == NULL && why != NULL)
    path->file->why = g_strdup (why);
}

static char *
dup_changed_words (const char *path)
{
  g_autofree char *shown = beckon_text_for_display (path, -1, BECKON_TEXT_EXACT);

  return beckon_text_printf (_("“%s” was changed since, so it is left as it is."), shown);
}

/* The state that a step needs, and the one that it makes. */
static void
get_sides_of_copy (const BeckonFileCopy *copy, Side *expected, Side *goal)
{
  g_autofree char *hash = copy->before != NULL ? beckon_file_copy_hash (copy->before) : NULL;

  set_side (expected, *copy->after_hash != '\0', *copy->after_hash != '\0' ? copy->after_hash : NULL);
  set_side (goal, copy->before != NULL || (copy->undone_at == 0 && copy->is_withheld), hash);
}

static void
get_sides_of_change (const BeckonFileChange *change, gboolean is_redo, Side *expected, Side *goal)
{
  Side *before = is_redo ? expected : goal;
  Side *after = is_redo ? goal : expected;

  set_side (before, beckon_file_change_was_there (change), change->before_hash);
  set_side (after, beckon_file_change_is_there (change), change->kept_hunks == NULL ? change->after_hash : NULL);
}

static void
move_to (Work *work, Path *path, const Side *goal, gboolean is_done, const char *why)
{
  set_side (&path->then, goal->is_there, goal->hash);
  path->is_arrived = is_done;
  if (is_done)
    {
      set_side (&path->now, goal->is_there, goal->hash);
      path->is_applied = TRUE;
      path->applied_at = ++work->n_applied;
    }
  else
    rewind_refuse (path, why);
}

static gboolean
is_beneath (const char *path, const char *folder)
{
  return strcmp (path, folder) != 0 && beckon_path_is_within (path, folder);
}

/* A step since was about something in this folder, or about a folder that this is in: what is here then is not known. */
static gboolean
is_blurred (Work *work, const Path *path)
{
  g_autofree char *whole = g_build_filename (path->file->folder, path->file->path, NULL);
  GHashTableIter iter;
  gpointer other, value;

  g_hash_table_iter_init (&iter, work->paths);
  while (g_hash_table_iter_next (&iter, &other, &value))
    if (((Path *) value)->applied_at > path->applied_at && (is_beneath (other, whole) || is_beneath (whole, other)))
      return TRUE;
  return FALSE;
}

/* Most conversations have one folder. */
static const char *
find_folder (Work *work)
{
  for (guint i = 0; i < work->items->len; i++)
    {
      const Item *item = g_ptr_array_index (work->items, i);

      if (item->copy != NULL)
        return item->copy->folder;
      if (item->landings != NULL)
        return ((const BeckonLanding *) g_ptr_array_index (item->landings, 0))->folder;
    }
  return "";
}

/* Its call changed a file, and what that was has made room for newer copies. */
static void
foresee_lost (Work *work, const Item *item)
{
  g_autoptr (JsonObject) arguments
    = beckon_json_parse_object (beckon_tool_call_get_effective_arguments (item->call), -1, NULL);
  const char *name = arguments != NULL ? beckon_json_get_string (arguments, "path") : NULL;
  Path *path;
  Side unknown = { .is_there = TRUE };

  if (name == NULL || !g_strv_contains (file_tools, beckon_tool_call_get_name (item->call)))
    return;
  path = get_path (work, find_folder (work), name);
  move_to (work, path, &unknown, FALSE, _("What it was is no longer kept."));
}

static gboolean
has_fate (const BeckonFileChange *change, gboolean is_redo)
{
  return change->fate == (is_redo ? BECKON_FILE_UNDONE : BECKON_FILE_KEPT);
}

/* A step since was about one of the places that this is decided with, or about a folder of theirs: a remark on the folder as it
 * is says nothing of them. */
static gboolean
is_overtaken (Work *work, const BeckonLanding *landing, const BeckonFileChange *decided)
{
  guint n_bound = decided->bound != NULL ? decided->bound->len : 0;

  for (guint i = 0; i <= n_bound; i++)
    {
      const BeckonFileChange *change = i == 0 ? decided : g_ptr_array_index (decided->bound, i - 1);
      const Path *path = get_path (work, landing->folder, change->path);

      if (path->is_applied || (decided->remark != NULL && is_blurred (work, path)))
        return TRUE;
    }
  return FALSE;
}

/* @decided: @change, or the one that it is bound to. */
static void
foresee_change (Work *work, const BeckonLanding *landing, const BeckonFileChange *change, const BeckonFileChange *decided,
                gboolean overtaken)
{
  Path *path = get_path (work, landing->folder, change->path);
  Side expected = { 0 }, goal = { 0 };
  g_autofree char *why = NULL;

  path->file->type = change->type;
  path->file->n_files = change->n_files;
  if (path->from == NULL && change->from != NULL && !beckon_file_change_was_there (change))
    path->from = g_build_filename (landing->folder, change->from, NULL);
  get_sides_of_change (change, work->is_redo, &expected, &goal);
  if (overtaken)
    rewind_look (path);
  if (landing->is_gone)
    why = g_strdup (_("What it was is no longer kept."));
  else if (!work->is_redo && decided->is_withheld)
    why = g_strdup (_("What it was is not kept: it held a secret of yours."));
  else if ((overtaken ? !is_same_side (&path->now, &expected, FALSE) : decided->remark != NULL) && !is_blurred (work, path))
    why = overtaken ? dup_changed_words (change->path) : g_strdup (decided->remark);
  move_to (work, path, &goal, why == NULL, why);
  g_free (expected.hash);
  g_free (goal.hash);
}

static void
foresee_landing (Work *work, BeckonLanding *landing)
{
  if (!work->is_redo && !landing->is_gone)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_checked = beckon_lander_check_undo (landing, &error);

      /* The changes that cannot be taken back now get a remark. */
      for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes) && !is_checked; i++)
        {
          BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

          g_free (change->remark);
          change->remark = g_strdup (error->message);
        }
    }
  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (landing->changes, i);
      gboolean overtaken;

      if (!has_fate (change, work->is_redo))
        continue;
      overtaken = is_overtaken (work, landing, change);
      foresee_change (work, landing, change, change, overtaken);
      for (guint j = 0; change->bound != NULL && j < change->bound->len; j++)
        {
          const BeckonFileChange *bound = g_ptr_array_index (change->bound, j);

          foresee_change (work, landing, bound, change, overtaken);
          if (change->from != NULL && beckon_path_is_within (bound->path, change->path))
            get_path (work, landing->folder, bound->path)->carrier = get_path (work, landing->folder, change->path);
        }
      if (change->git != NULL && change->bound != NULL)
        {
          BeckonRewindFile *file = get_path (work, landing->folder, change->path)->file;
          g_autofree char *newer = g_steal_pointer (&file->git);

          /* The changes that several calls made to one repository are told in one, the newest first. */
          file->git = newer != NULL ? g_strconcat (newer, "\n", change->git, NULL) : g_strdup (change->git);
          for (guint j = 0; j < change->bound->len; j++)
            {
              const BeckonFileChange *bound = g_ptr_array_index (change->bound, j);

              if (beckon_path_is_within (bound->path, change->path))
                get_path (work, landing->folder, bound->path)->is_of_git = TRUE;
            }
        }
    }
}

static int
compare_files (gconstpointer one, gconstpointer other)
{
  const BeckonRewindFile *first = *(BeckonRewindFile *const *) one;
  const BeckonRewindFile *second = *(BeckonRewindFile *const *) other;
  int order = strcmp (first->folder, second->folder);

  return order != 0 ? order : strcmp (first->path, second->path);
}

static BeckonRewindFate
get_fate (const Path *path)
{
  if (path->is_same)
    return BECKON_REWIND_AS_IT_WAS;
  if (!path->is_applied || !(path->is_arrived || is_same_side (&path->now, &path->then, TRUE)))
    return BECKON_REWIND_REFUSED;
  return path->then.is_there ? BECKON_REWIND_RESTORED : BECKON_REWIND_DELETED;
}

/* (nullable): where a file that was moved, and perhaps moved on, was at first. @is_half: marks the places on its way */
static Path *
find_origin (Work *work, const Path *path, gboolean is_half)
{
  Path *at = g_hash_table_lookup (work->paths, path->from);

  for (guint n = g_hash_table_size (work->paths); at != NULL && at->from != NULL; n--)
    {
      if (n == 0)
        return NULL;
      at->is_half = at->is_half || is_half;
      at = g_hash_table_lookup (work->paths, at->from);
    }
  return at;
}

/* A file that was moved on is moved once, to where it came in the end. */
static void
join_moves (Work *work)
{
  g_autoptr (GHashTable) left = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer whole, value;

  g_hash_table_iter_init (&iter, work->paths);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((Path *) value)->from != NULL)
      g_hash_table_add (left, ((Path *) value)->from);
  g_hash_table_iter_init (&iter, work->paths);
  while (g_hash_table_iter_next (&iter, &whole, &value))
    if (((Path *) value)->from != NULL && !g_hash_table_contains (left, whole))
      {
        Path *path = value;
        Path *origin = find_origin (work, path, FALSE);
        Path *to = work->is_redo ? path : origin;
        Path *from = work->is_redo ? origin : path;

        /* The places of a move become one. */
        if (origin != NULL && get_fate (to) == BECKON_REWIND_RESTORED && get_fate (from) == BECKON_REWIND_DELETED)
          {
            find_origin (work, path, TRUE);
            to->file->from = g_strdup (from->file->path);
            to->file->type = path->file->type;
            from->is_half = TRUE;
          }
      }
}

/* A folder that is moved stands for what goes with it. */
static gboolean
is_told_elsewhere (Work *work, const Path *path)
{
  return path->is_half || path->is_of_git
         || (path->carrier != NULL && (path->carrier->is_half || path->carrier->file->from != NULL)
             && get_fate (path) == (work->is_redo ? BECKON_REWIND_RESTORED : BECKON_REWIND_DELETED));
}

static BeckonRewind *
make_result (Work *work)
{
  BeckonRewind *rewind = g_new0 (BeckonRewind, 1);
  GHashTableIter iter;
  gpointer value;

  rewind->files = g_ptr_array_new_with_free_func (rewind_file_free);
  rewind->calls = g_ptr_array_ref (work->calls);
  rewind->is_redo = work->is_redo;
  join_moves (work);
  g_hash_table_iter_init (&iter, work->paths);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ((Path *) value)->is_half = is_told_elsewhere (work, value);
  g_hash_table_iter_init (&iter, work->paths);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Path *path = value;

      if (path->is_half)
        continue;
      path->file->fate = get_fate (path);
      if (path->file->fate != BECKON_REWIND_REFUSED)
        g_clear_pointer (&path->file->why, g_free);
      else
        rewind_refuse (path, _("It is left as it is."));
      g_ptr_array_add (rewind->files, g_steal_pointer (&path->file));
    }
  g_ptr_array_sort (rewind->files, compare_files);
  return rewind;
}

static void
record_change (Work *work, const BeckonLanding *was, const BeckonFileChange *change, gboolean is_done, const char *why)
{
  Side expected = { 0 }, goal = { 0 };

  get_sides_of_change (change, work->is_redo, &expected, &goal);
  move_to (work, get_path (work, was->folder, change->path), &goal, is_done, why);
  g_free (expected.hash);
  g_free (goal.hash);
}

static void
record (Work *work, const Item *item, const GError *error)
{
  if (item->copy != NULL)
    {
      Side expected = { 0 }, goal = { 0 };

      get_sides_of_copy (item->copy, &expected, &goal);
      move_to (work, get_path (work, item->copy->folder, item->copy->path), &goal, error == NULL,
               error != NULL ? error->message : NULL);
      g_free (expected.hash);
      g_free (goal.hash);
    }
  else if (item->landings == NULL)
    foresee_lost (work, item);
  for (guint i = 0; item->landings != NULL && i < item->landings->len; i++)
    {
      const BeckonLanding *was = g_ptr_array_index (item->landings, i);
      const BeckonLanding *landing = error == NULL ? beckon_tool_call_find_landing (item->call, was->id) : NULL;

      for (guint j = 0; j < beckon_change_set_get_n_changes (was->changes); j++)
        {
          const BeckonFileChange *before = beckon_change_set_get (was->changes, j);
          const BeckonFileChange *after = landing != NULL ? beckon_change_set_get (landing->changes, j) : NULL;
          const char *why = after != NULL ? after->remark : error != NULL ? error->message : NULL;
          gboolean is_done = after != NULL && has_fate (after, !work->is_redo);

          if (!has_fate (before, work->is_redo))
            continue;
          record_change (work, was, before, is_done, why);
          for (guint k = 0; before->bound != NULL && k < before->bound->len; k++)
            record_change (work, was, g_ptr_array_index (before->bound, k), is_done, why);
        }
    }
}

static void undo_next (GTask *task);

static void
rewind_on_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  const Item *item = g_ptr_array_index (work->items, work->next);
  BeckonFileCopies *copies = BECKON_FILE_COPIES (source);
  g_autoptr (GError) error = NULL;

  if (work->is_redo ? beckon_redo_finish (copies, result, &error) : beckon_undo_finish (copies, result, &error))
    g_ptr_array_add (work->calls, g_object_ref (item->call));
  record (work, item, error);
  work->next++;
  undo_next (task);
}

static void
undo_next (GTask *task)
{
  Work *work = g_task_get_task_data (task);
  BeckonFileCopies *copies = g_task_get_source_object (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_autoptr (GError) stopped = NULL;

  g_cancellable_set_error_if_cancelled (cancellable, &stopped);
  while (work->next < work->items->len)
    {
      const Item *item = g_ptr_array_index (work->items, work->next);

      if ((item->copy != NULL || item->landings != NULL) && stopped == NULL)
        {
          (work->is_redo ? beckon_redo_async : beckon_undo_async) (copies, work->conversation_id, item->call, work->front_end,
                                                                   cancellable, rewind_on_undone, g_object_ref (task));
          return;
        }
      record (work, item, stopped);
      work->next++;
    }
  for (guint i = 0; i < work->items->len; i++)
    beckon_landings_end (BECKON_LANDINGS (copies),
                         beckon_tool_call_get_id (((const Item *) g_ptr_array_index (work->items, i))->call));
  g_task_return_pointer (task, make_result (work), (GDestroyNotify) beckon_rewind_free);
}

static void
rewind_on_begun (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_landings_begin_finish (BECKON_LANDINGS (source), result, &error))
    undo_next (task);
  else
    g_task_return_error (task, error);
}

static void
foresee_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Work *work = task_data;
  GHashTableIter iter;
  gpointer value;

  /* Everything is looked at before anything is changed. */
  for (guint i = 0; i < work->items->len; i++)
    {
      const Item *item = g_ptr_array_index (work->items, i);

      if (item->copy != NULL)
        {
          const BeckonFileCopy *copy = item->copy;
          Path *path = get_path (work, copy->folder, copy->path);
          Side expected = { 0 }, goal = { 0 };
          g_autofree char *why = NULL;
          gboolean is_kept = work->is_redo ? copy->before != NULL : !copy->is_withheld;

          rewind_look (path);
          get_sides_of_copy (copy, &expected, &goal);
          if ((copy->undone_at > 0) != work->is_redo)
            why = g_strdup (work->is_redo ? _("This change is not undone.") : _("This change was undone already."));
          else if (!is_kept)
            why = g_strdup (_("What it was is not kept: it held a secret of yours."));
          else if (!is_same_side (&path->now, &expected, FALSE) && !is_blurred (work, path))
            why = dup_changed_words (copy->path);
          move_to (work, path, &goal, why == NULL, why);
          g_free (expected.hash);
          g_free (goal.hash);
        }
      else if (item->landings == NULL)
        foresee_lost (work, item);
      for (guint j = 0; item->landings != NULL && j < item->landings->len; j++)
        foresee_landing (work, g_ptr_array_index (item->landings, j));
    }

  g_hash_table_iter_init (&iter, work->paths);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Path *path = value;

      rewind_look (path);
      path->is_same = !path->is_applied && is_same_side (&path->now, &path->then, TRUE);
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_foreseen (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  GHashTableIter iter;
  gpointer value;
  g_autoptr (GPtrArray) ids = NULL;

  g_task_propagate_boolean (G_TASK (result), NULL);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (work->is_preview)
    {
      /* A preview's calls are all with kept data. */
      for (guint i = 0; i < work->items->len; i++)
        {
          const Item *item = g_ptr_array_index (work->items, i);

          if (item->copy != NULL || item->landings != NULL)
            g_ptr_array_add (work->calls, g_object_ref (item->call));
        }
      g_task_return_pointer (task, make_result (work), (GDestroyNotify) beckon_rewind_free);
      return;
    }

  /* From now on what is done counts, and no longer what was foreseen. */
  g_hash_table_iter_init (&iter, work->paths);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Path *path = value;

      path->is_applied = FALSE;
    }
  work->next = 0;
  /* All of it is noted before the first call, so that a process that ends in the middle leaves nothing half rewound. */
  ids = g_ptr_array_new ();
  for (guint i = 0; i < work->items->len; i++)
    {
      const Item *item = g_ptr_array_index (work->items, i);

      if (item->copy != NULL || item->landings != NULL)
        g_ptr_array_add (ids, (gpointer) beckon_tool_call_get_id (item->call));
    }
  g_ptr_array_add (ids, NULL);
  beckon_landings_begin_async (g_task_get_source_object (task), (const char *const *) ids->pdata, work->is_redo,
                               work->front_end, NULL, rewind_on_begun, g_object_ref (task));
}

/* The changes of each call are read first. */

static void load_next (GTask *task);

static void
on_landing (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  Item *item = g_ptr_array_index (work->items, work->next);
  GError *error = NULL;

  item->landings = beckon_landings_get_finish (BECKON_LANDINGS (source), result, &error);
  if (item->landings == NULL && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_error (&error);
  if (item->landings != NULL && work->is_redo)
    {
      GPtrArray *array = item->landings;

      for (guint i = 0; i < array->len / 2; i++)
        {
          gpointer one = array->pdata[i];

          array->pdata[i] = array->pdata[array->len - 1 - i];
          array->pdata[array->len - 1 - i] = one;
        }
    }
  work->next++;
  load_next (task);
}

static void
rewind_on_copy (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Work *work = g_task_get_task_data (task);
  Item *item = g_ptr_array_index (work->items, work->next);
  GError *error = NULL;

  item->copy = beckon_file_copies_get_finish (BECKON_FILE_COPIES (source), result, &error);
  if (item->copy == NULL && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_error (&error);
  if (item->copy == NULL && !g_strv_contains (file_tools, beckon_tool_call_get_name (item->call)))
    {
      beckon_landings_get_async (BECKON_LANDINGS (source), beckon_tool_call_get_id (item->call), g_task_get_cancellable (task),
                                 on_landing, g_object_ref (task));
      return;
    }
  work->next++;
  load_next (task);
}

static void
load_next (GTask *task)
{
  Work *work = g_task_get_task_data (task);
  g_autoptr (GTask) phase = NULL;

  if (work->next < work->items->len)
    {
      const Item *item = g_ptr_array_index (work->items, work->next);

      beckon_file_copies_get_async (g_task_get_source_object (task), beckon_tool_call_get_id (item->call),
                                    g_task_get_cancellable (task), rewind_on_copy, g_object_ref (task));
      return;
    }

  phase = g_task_new (g_task_get_source_object (task), NULL, on_foreseen, g_object_ref (task));
  g_task_set_source_tag (phase, load_next);
  g_task_set_task_data (phase, work, NULL);
  beckon_worker_run_for_person (phase, foresee_on_thread);
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

static BeckonRewind *
rewind_finish (BeckonFileCopies *copies, GAsyncResult *result, gpointer tag, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* @owned: (transfer full) */
static void
rewind_start (GTask *owned, GPtrArray *calls, const char *conversation_id, const char *front_end, gboolean is_preview,
              gboolean is_redo)
{
  g_autoptr (GTask) task = owned;
  Work *work = g_new0 (Work, 1);

  g_task_set_check_cancellable (task, FALSE);
  work->items = g_ptr_array_new_with_free_func (item_free);
  work->paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, path_free);
  work->calls = g_ptr_array_new_with_free_func (g_object_unref);
  work->conversation_id = g_strdup (conversation_id);
  work->front_end = g_strdup (front_end);
  work->is_preview = is_preview;
  work->is_redo = is_redo;
  g_task_set_task_data (task, work, work_free);
  for (guint i = 0; i < calls->len; i++)
    {
      Item *item = g_new0 (Item, 1);

      item->call = g_object_ref (g_ptr_array_index (calls, is_redo ? calls->len - 1 - i : i));
      g_ptr_array_add (work->items, item);
    }
  load_next (task);
}

void
beckon_rewind_preview_async (BeckonFileCopies *copies, GPtrArray *calls, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (calls != NULL);

  rewind_start (make_task (copies, beckon_rewind_preview_async, cancellable, callback, user_data), calls, NULL, NULL, TRUE,
                FALSE);
}

BeckonRewind *
beckon_rewind_preview_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error)
{
  return rewind_finish (copies, result, beckon_rewind_preview_async, error);
}

void
beckon_rewind_async (BeckonFileCopies *copies, const char *conversation_id, GPtrArray *calls, const char *front_end,
                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (conversation_id != NULL && calls != NULL && front_end != NULL);

  rewind_start (make_task (copies, beckon_rewind_async, cancellable, callback, user_data), calls, conversation_id, front_end,
                FALSE,
                FALSE);
}

BeckonRewind *
beckon_rewind_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error)
{
  return rewind_finish (copies, result, beckon_rewind_async, error);
}

void
beckon_rewind_redo_async (BeckonFileCopies *copies, const char *conversation_id, GPtrArray *calls, const char *front_end,
                          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (conversation_id != NULL && calls != NULL && front_end != NULL);

  rewind_start (make_task (copies, beckon_rewind_redo_async, cancellable, callback, user_data), calls, conversation_id,
                front_end,
                FALSE, TRUE);
}

BeckonRewind *
beckon_rewind_redo_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error)
{
  return rewind_finish (copies, result, beckon_rewind_redo_async, error);
}

/* The subject of a rewind. */

static gboolean
rewind_has_landed (const BeckonLanding *landing)
{
  return (landing->state == BECKON_LANDING_LANDED || landing->state == BECKON_LANDING_UNDONE)
         && beckon_change_set_can_undo (landing->changes);
}

static gboolean
has_changed_something (BeckonToolCall *call)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (call);
  BeckonCallChange change = beckon_tool_call_get_change (call);

  for (guint i = 0; i < landings->len; i++)
    if (rewind_has_landed (g_ptr_array_index (landings, i)))
      return TRUE;
  if (landings->len > 0)
    return FALSE;
  if (change == BECKON_CALL_CHANGE_NONE)
    return g_strv_contains (file_tools, beckon_tool_call_get_name (call))
           && beckon_tool_call_get_state (call) == BECKON_CALL_DONE && !beckon_tool_call_get_is_error (call);
  return change != BECKON_CALL_CHANGE_UNDONE;
}

static gboolean
is_undone (BeckonToolCall *call)
{
  return beckon_tool_call_get_change (call) == BECKON_CALL_CHANGE_UNDONE;
}

static GPtrArray *
list_calls (BeckonConversation *conversation, const char *message_id, gboolean (*is_meant) (BeckonToolCall *))
{
  GPtrArray *calls = g_ptr_array_new_with_free_func (g_object_unref);
  guint first;

  if (!beckon_conversation_find_position (conversation, message_id, &first))
    return calls;
  for (guint i = beckon_conversation_get_n_messages (conversation); i > first; i--)
    {
      g_autoptr (GPtrArray) of_message = beckon_message_list_calls (beckon_conversation_get_message (conversation, i - 1));

      for (guint j = of_message->len; j > 0; j--)
        if (is_meant (g_ptr_array_index (of_message, j - 1)))
          g_ptr_array_add (calls, g_object_ref (g_ptr_array_index (of_message, j - 1)));
    }
  return calls;
}

GPtrArray *
beckon_rewind_list_calls (BeckonConversation *conversation, const char *message_id)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (conversation), NULL);
  g_return_val_if_fail (message_id != NULL, NULL);

  return list_calls (conversation, message_id, has_changed_something);
}

GPtrArray *
beckon_rewind_list_undone (BeckonConversation *conversation, const char *message_id)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (conversation), NULL);
  g_return_val_if_fail (message_id != NULL, NULL);

  return list_calls (conversation, message_id, is_undone);
}

guint
beckon_rewind_count (const BeckonRewind *rewind, BeckonRewindFate fate, gboolean is_git)
{
  guint n = 0;

  g_return_val_if_fail (rewind != NULL, 0);

  for (guint i = 0; i < rewind->files->len; i++)
    {
      const BeckonRewindFile *file = g_ptr_array_index (rewind->files, i);

      n += file->fate == fate && (file->git != NULL) == is_git ? MAX (file->n_files, 1) : 0;
    }
  return n;
}

gboolean
beckon_rewind_has_refused (const BeckonRewind *rewind)
{
  return beckon_rewind_count (rewind, BECKON_REWIND_REFUSED, FALSE) > 0
         || beckon_rewind_count (rewind, BECKON_REWIND_REFUSED, TRUE) > 0;
}

char *
beckon_rewind_file_dup_shown_path (const BeckonRewindFile *file)
{
  g_autofree char *shown = NULL;
  g_autofree char *path = NULL;
  g_autofree char *from = NULL;

  g_return_val_if_fail (file != NULL, NULL);

  if (file->git != NULL)
    return beckon_change_set_dup_git_words (file->git);
  shown = beckon_text_for_display (file->path, -1, BECKON_TEXT_EXACT);
  path = file->type == BECKON_FILE_FOLDER ? g_strconcat (shown, "/", NULL) : g_steal_pointer (&shown);
  if (file->from == NULL)
    return g_steal_pointer (&path);
  from = beckon_text_for_display (file->from, -1, BECKON_TEXT_EXACT);
  return beckon_text_printf (file->type == BECKON_FILE_FOLDER ? _("%s/ → %s") : _("%s → %s"), from, path);
}

static void
add_clause (GString *sentence, guint n, char *clause)
{
  g_autofree char *owned = clause;

  if (n == 0)
    return;
  if (sentence->len > 0)
    g_string_append (sentence, _(", "));
  g_string_append (sentence, owned);
}

char *
beckon_rewind_dup_summary (const BeckonRewind *rewind)
{
  g_autoptr (GString) sentence = g_string_new (NULL);
  guint n;

  g_return_val_if_fail (rewind != NULL, NULL);

  n = beckon_rewind_count (rewind, BECKON_REWIND_RESTORED, FALSE);
  /* Translators: a clause of what a rewind of a folder did, such as "3 files restored, 1 file deleted, 2 files left alone" */
  add_clause (sentence, n, g_strdup_printf (rewind->is_redo ? ngettext ("%u file redone", "%u files redone", n)
                                                            : ngettext ("%u file restored", "%u files restored", n), n));
  n = beckon_rewind_count (rewind, BECKON_REWIND_RESTORED, TRUE);
  add_clause (sentence, n, g_strdup_printf (rewind->is_redo
                                              ? ngettext ("%u Git repository redone", "%u Git repositories redone", n)
                                              : ngettext ("%u Git repository restored", "%u Git repositories restored", n), n));
  n = beckon_rewind_count (rewind, BECKON_REWIND_DELETED, FALSE);
  add_clause (sentence, n, g_strdup_printf (ngettext ("%u file deleted", "%u files deleted", n), n));
  n = beckon_rewind_count (rewind, BECKON_REWIND_AS_IT_WAS, FALSE);
  add_clause (sentence, n, g_strdup_printf (ngettext ("%u file already as it was", "%u files already as they were", n), n));
  n = beckon_rewind_count (rewind, BECKON_REWIND_REFUSED, FALSE);
  add_clause (sentence, n, g_strdup_printf (ngettext ("%u file left alone", "%u files left alone", n), n));
  n = beckon_rewind_count (rewind, BECKON_REWIND_REFUSED, TRUE);
  add_clause (sentence, n, g_strdup_printf (ngettext ("%u Git repository left alone", "%u Git repositories left alone", n), n));
  return sentence->len > 0 ? g_string_free (g_steal_pointer (&sentence), FALSE) : g_strdup (_("Nothing to rewind"));
}
