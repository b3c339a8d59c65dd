/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-landing-look.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-worker.h"
#include "beckon-lander.h"
#include "beckon-landing-root.h"
#include "beckon-landing-tree.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_COUNTED 100000

void
beckon_landing_look_free (BeckonLandingLook *look)
{
  g_ptr_array_unref (look->files);
  g_free (look);
}

static void
landing_look_add_file (BeckonLandingLook *look, const char *path, const struct stat *info)
{
  BeckonFileType type = S_ISREG (info->st_mode) ? BECKON_FILE_REGULAR
                        : S_ISLNK (info->st_mode) ? BECKON_FILE_LINK : BECKON_FILE_OTHER;
  BeckonFileChange *file;

  if (look->files->len >= BECKON_LANDING_LOOK_MAX_FILES)
    {
      look->n_left++;
      return;
    }
  file = beckon_file_change_new (path, BECKON_FILE_CREATED, type);
  file->size = type == BECKON_FILE_REGULAR ? (guint64) info->st_size : 0;
  file->mode_after = info->st_mode & 07777;
  g_ptr_array_add (look->files, file);
}

/* Folders that cannot be read are passed over: the number of files says that it is there. */
static void
list_folder (BeckonLandingLook *look, BeckonEntries *entries, const char *path, guint depth, GCancellable *cancellable)
{
  const char *name;
  struct stat info;

  while (look->n_left < MOST_COUNTED && !g_cancellable_is_cancelled (cancellable)
         && (name = beckon_landing_tree_next (entries)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      g_autoptr (BeckonEntries) below = NULL;

      if (!beckon_landing_tree_look (dirfd (entries), name, &info)
          || beckon_landing_tree_is_whiteout (dirfd (entries), name, &info))
        continue;
      if (!S_ISDIR (info.st_mode))
        landing_look_add_file (look, inner, &info);
      else if (depth < BECKON_LANDING_TREE_MAX_DEPTH
               && (below = beckon_landing_tree_list (dirfd (entries), name, FALSE)) != NULL)
        list_folder (look, below, inner, depth + 1, cancellable);
    }
}

static int
landing_look_compare_paths (gconstpointer one, gconstpointer other)
{
  const BeckonFileChange *const *first = one, *const *second = other;

  return strcmp ((*first)->path, (*second)->path);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const char *const *target = data; /* an absolute path, and one below it */
  g_auto (BeckonFd) root = open (target[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_auto (BeckonFd) folder = root >= 0 ? beckon_landing_tree_open (root, target[1], O_RDONLY | O_DIRECTORY) : -1;
  g_autoptr (BeckonEntries) entries = folder >= 0 ? beckon_landing_tree_list (folder, ".", FALSE) : NULL;
  BeckonLandingLook *look;

  if (entries == NULL)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("This folder can't be read now."));
      return;
    }
  look = g_new0 (BeckonLandingLook, 1);
  look->files = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_file_change_free);
  list_folder (look, entries, target[1], 0, cancellable);
  g_ptr_array_sort (look->files, landing_look_compare_paths);
  g_task_return_pointer (task, look, (GDestroyNotify) beckon_landing_look_free);
}

void
beckon_landing_look_async (const BeckonLanding *landing, const BeckonFileChange *change, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  gboolean waits = change->kind != BECKON_FILE_DELETED
                   && (landing->state == BECKON_LANDING_WAITING || landing->state == BECKON_LANDING_DECIDED);
  g_autofree char *layer = g_build_filename (landing->place, "upper", NULL);
  const char *const target[] = { waits ? layer : landing->folder, change->path, NULL };

  g_task_set_source_tag (task, beckon_landing_look_async);
  g_task_set_task_data (task, g_strdupv ((char **) target), (GDestroyNotify) g_strfreev);
  beckon_worker_run_for_person (task, look_in_thread);
}

BECKON_FINISH_LONE_POINTER (BeckonLandingLook *, beckon_landing_look)

static gboolean
is_conflict (const BeckonLandingRoot *root, const BeckonFileChange *change)
{
  g_autofree char *name = g_path_get_basename (change->path);
  g_autofree char *parent = g_path_get_dirname (change->path);
  g_auto (BeckonFd) folder = beckon_landing_root_open_at (root, parent, O_RDONLY | O_DIRECTORY);
  gboolean is_new = !beckon_file_change_was_there (change), is_there;
  struct stat info;

  if (folder < 0)
    return !is_new;
  is_there = beckon_landing_tree_look (folder, name, &info);
  if (is_new || !is_there)
    return is_new == is_there;
  return info.st_ino != change->before_inode
         || (beckon_landing_tree_get_ctime (&info) != change->before_changed_at && !beckon_lander_ledger_has (&info));
}

/* Its own, or that of anything bound to it. */
static gboolean
has_conflict (const BeckonLandingRoot *root, const BeckonFileChange *change)
{
  if (change->type != BECKON_FILE_FOLDER && is_conflict (root, change) && !beckon_landing_root_is_index (root, change, TRUE))
    return TRUE;
  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    if (has_conflict (root, g_ptr_array_index (change->bound, i)))
      return TRUE;
  return FALSE;
}

static void
look_for_conflicts_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const BeckonLanding *landing = data;
  g_auto (BeckonLandingRoot) root = BECKON_LANDING_ROOT_INIT;
  g_auto (BeckonFd) place = open (landing->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  GArray *found;

  if (!beckon_landing_root_open (&root, landing->folder, place, NULL))
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("This folder can't be read now."));
      return;
    }
  found = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->fate == BECKON_FILE_OPEN && has_conflict (&root, change))
        g_array_append_val (found, i);
    }
  g_task_return_pointer (task, found, (GDestroyNotify) g_array_unref);
}

void
beckon_landing_look_for_conflicts_async (const BeckonLanding *landing, GCancellable *cancellable,
                                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, beckon_landing_look_for_conflicts_async);
  g_task_set_task_data (task, beckon_landing_copy (landing), (GDestroyNotify) beckon_landing_free);
  beckon_worker_run_for_person (task, look_for_conflicts_in_thread);
}

BECKON_FINISH_LONE_POINTER (GArray *, beckon_landing_look_for_conflicts)
