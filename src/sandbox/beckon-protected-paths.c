/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-protected-paths.h"

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "beckon-sandbox.h"
#include "beckon-folder.h"
#include "beckon-placeholder.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Relative to the folder; where the name ends with a slash it is a folder, which costs a command less than a file, Git
 * does not see it, and who looks for a file overlooks it. */
static const char *const protected_names[] = { ".envrc/", ".vscode/", ".idea/", ".mcp.json/", ".direnv/" };

/* Without a repository, or a way to make one, these are never read. Every mount costs a tenth of a millisecond. */
static const char *const protected_in_repository[] = { ".gitmodules", ".husky/" };
static const char *const protected_in_git[] = { ".git/hooks/", ".git/config", ".git/config.worktree", ".git/modules/" };

/* They have configuration of their own, for work trees elsewhere; without any, what is made here is not read. */
#define WORK_TREES ".git/worktrees/"

/* Git takes its configuration and hooks from where this leads, and is lost if it is empty: nothing can stand in for it. What
 * a command made of it goes with the command. */
#define ELSEWHERE ".git/commondir"

struct _BeckonProtectedPaths
{
  /* (owned) (element-type utf8): absolute paths that are there, or were laid */
  GPtrArray *paths;

  /* (owned) (element-type utf8): those of them that are placeholders, which it holds */
  GPtrArray *laid;

  GPtrArray *missing; /* (nullable): absolute paths that are not there, and are protected, too */
  char *folder;
  char *git;      /* (nullable): what is guarded lies below it, so it must stay where it is */
  char *unwanted; /* (nullable): what was not there, and is taken away however it is filled */
  char *link;     /* (nullable): what cannot be guarded */
  gboolean is_in_repository;
  gboolean takes_folder; /* away behind them */
  gboolean keeps_git;    /* as a whole */
};

static gboolean
is_folder_name (const char *name)
{
  return g_str_has_suffix (name, "/");
}

static gboolean
is_missing (const char *path)
{
  struct stat info;

  return lstat (path, &info) != 0;
}

static gboolean
is_link (const char *path)
{
  struct stat info;

  return lstat (path, &info) == 0 && S_ISLNK (info.st_mode);
}

/* Mounts over what is there. A link cannot be: the mount would be where it leads, and the link could be exchanged. Without .git
 * there is nothing below it; then .git itself is kept from being made, hooks and all. */
static gboolean
protect_path (BeckonProtectedPaths *self, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gsize length = strlen (path);

  if (path[length - 1] == '/')
    path[length - 1] = '\0';
  if (is_link (path))
    {
      self->link = g_steal_pointer (&path);
      return FALSE;
    }
  if (beckon_placeholder_has_room (path))
    {
      if (!beckon_placeholder_hold (path, is_folder_name (name)))
        return FALSE;
      g_ptr_array_add (self->laid, g_strdup (path));
    }

  g_ptr_array_add (self->paths, g_steal_pointer (&path));
  return TRUE;
}

static gboolean
protect_each (BeckonProtectedPaths *self, const char *folder, const char *const *names, gsize n_names)
{
  for (gsize i = 0; i < n_names; i++)
    if (!protect_path (self, folder, names[i]))
      return FALSE;

  return TRUE;
}

/* Be it a folder of its own, one within a repository, or a work tree, whose .git is a file. */
static gboolean
is_in_repository (const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  while (TRUE)
    {
      g_autofree char *git = g_build_filename (at, ".git", NULL);
      char *slash = strrchr (at, '/');

      if (!beckon_placeholder_has_room (git))
        return TRUE;
      if (slash == NULL || slash == at)
        return FALSE;
      *slash = '\0';
    }
}

static gboolean
is_folder (const char *path)
{
  struct stat info;

  return lstat (path, &info) == 0 && S_ISDIR (info.st_mode);
}

#define PROTECT(self, folder, names) protect_each (self, folder, names, G_N_ELEMENTS (names))

static gboolean
protect_all (BeckonProtectedPaths *self)
{
  const char *folder = self->folder;
  static const char *const whole[] = { ".git/" };
  g_autofree char *git = g_build_filename (folder, ".git", NULL);
  g_autofree char *elsewhere = NULL;
  g_autofree char *work_trees = NULL;

  for (guint i = 0; self->missing != NULL && i < self->missing->len; i++)
    {
      g_autofree char *name = g_strconcat (g_ptr_array_index (self->missing, i), "/", NULL);

      if (!protect_path (self, "/", name))
        return FALSE;
    }
  if (!PROTECT (self, folder, protected_names) || (self->is_in_repository && !PROTECT (self, folder, protected_in_repository)))
    return FALSE;
  if (self->keeps_git || beckon_placeholder_has_room (git) || !is_folder (git))
    return PROTECT (self, folder, whole);

  self->git = g_steal_pointer (&git);
  elsewhere = g_build_filename (self->folder, ELSEWHERE, NULL);
  work_trees = g_build_filename (self->folder, WORK_TREES, NULL);
  if (is_missing (elsewhere))
    self->unwanted = g_steal_pointer (&elsewhere);
  return PROTECT (self, self->folder, protected_in_git)
         && (self->unwanted != NULL || protect_path (self, self->folder, ELSEWHERE))
         && (is_missing (work_trees) || protect_path (self, self->folder, WORK_TREES));
}

BeckonProtectedPaths *
beckon_protected_paths_new (const char *folder)
{
  BeckonProtectedPaths *self;

  g_return_val_if_fail (folder != NULL, NULL);

  self = g_new0 (BeckonProtectedPaths, 1);
  self->folder = g_strdup (folder);
  self->is_in_repository = is_in_repository (folder);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->laid = g_ptr_array_new_with_free_func (g_free);
  return self;
}

gboolean
beckon_protected_paths_lay (BeckonProtectedPaths *protected, GError **error)
{
  g_return_val_if_fail (protected != NULL && protected->paths->len == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (protect_all (protected))
    return TRUE;
  if (protected->link != NULL)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                   "No commands run in this folder: “%s” is a link, and a command could put something in its place that "
                   "other programs run by themselves.",
                   protected->link);
      return FALSE;
    }

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "“%s” cannot be prepared for commands: is it writable?",
               protected->folder);
  return FALSE;
}

gboolean
beckon_protected_paths_is_in_repository (BeckonProtectedPaths *protected)
{
  g_return_val_if_fail (protected != NULL, FALSE);

  return protected->is_in_repository;
}

GPtrArray *
beckon_protected_paths_get_paths (BeckonProtectedPaths *protected)
{
  g_return_val_if_fail (protected != NULL, NULL);

  return protected->paths;
}

const char *
beckon_protected_paths_get_git (BeckonProtectedPaths *protected)
{
  return protected->git;
}

/* An empty folder that cannot be written is half the cost of a read-only view of the placeholder. A command that makes it
 * writable writes into memory that goes with the command. A folder with such views in it could be moved away with them, and
 * another one be put in its place; one that is a view itself cannot. */
void
beckon_protected_paths_add_arguments (BeckonProtectedPaths *protected, GString *arguments)
{
  if (protected->git != NULL)
    beckon_bwrap_add (arguments, "--bind", protected->git, protected->git, NULL);
  for (guint i = 0; i < protected->paths->len; i++)
    {
      const char *path = g_ptr_array_index (protected->paths, i);
      gboolean is_laid = g_ptr_array_find_with_equal_func (protected->laid, path, g_str_equal, NULL);

      if (is_laid && is_folder (path))
        beckon_bwrap_add (arguments, "--perms", "0500", "--size", "4096", "--tmpfs", path, NULL);
      else
        beckon_bwrap_add (arguments, "--ro-bind", path, path, NULL);
    }
}

void
beckon_protected_paths_keep_more (BeckonProtectedPaths *protected, GPtrArray *missing)
{
  protected->keeps_git = TRUE;
  protected->missing = g_ptr_array_ref (missing);
}

void
beckon_protected_paths_take_folder (BeckonProtectedPaths *protected)
{
  protected->takes_folder = TRUE;
}

void
beckon_protected_paths_free (BeckonProtectedPaths *protected)
{
  if (protected == NULL)
    return;

  for (guint i = 0; i < protected->laid->len; i++)
    beckon_placeholder_release (g_ptr_array_index (protected->laid, i));
  if (protected->unwanted != NULL)
    g_unlink (protected->unwanted);
  if (protected->takes_folder)
    g_rmdir (protected->folder);
  g_free (protected->folder);
  g_free (protected->git);
  g_free (protected->unwanted);
  g_free (protected->link);
  g_clear_pointer (&protected->missing, g_ptr_array_unref);
  g_ptr_array_unref (protected->paths);
  g_ptr_array_unref (protected->laid);
  g_free (protected);
}

char *
beckon_protected_paths_dup_ignored (BeckonProtectedPaths *protected, const char *work_tree)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < protected->laid->len; i++)
    g_string_append_printf (names, "/%s\n",
                            beckon_path_relate (g_ptr_array_index (protected->laid, i),
                                                work_tree != NULL ? work_tree : protected->folder));
  return g_string_free (names, FALSE);
}
