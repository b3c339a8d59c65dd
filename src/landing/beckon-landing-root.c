/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-root.h"

#include "base/beckon-error.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-landing-place.h"
#include "beckon-landing-tree.h"
#include "git/beckon-git-elsewhere.h"
#include "git/beckon-git-story.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GIT ".git"
#define OWN "own"
#define WITHIN "within"

#define MAX_NOTE 8192

/* In a place: what the index holds. Of a larger one it would take longer than the start of a command. */
#define INDEX "index"
#define MAX_INDEX (4 * 1024 * 1024)

/* (nullable) */
static char *
root_read_note (int place, const char *name)
{
  g_auto (BeckonFd) fd = beckon_landing_tree_open (place, name, O_RDONLY);

  return fd >= 0 ? beckon_landing_tree_read (fd, MAX_NOTE, NULL) : NULL;
}

gboolean
beckon_landing_root_open (BeckonLandingRoot *root, const char *folder, int place, GError **error)
{
  g_auto (BeckonFd) git = beckon_landing_tree_open (place, BECKON_LANDING_ROOT_GIT, O_RDONLY | O_DIRECTORY);
  g_autofree char *shown = NULL;

  root->path = g_strdup (folder);
  root->folder = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (root->folder < 0)
    return beckon_landing_tree_refuse (folder, error);
  if (git < 0)
    return TRUE;

  root->git_path = beckon_landing_place_dup_folder (git);
  root->own = root_read_note (git, OWN);
  root->within = root_read_note (git, WITHIN);
  if (root->git_path == NULL || root->own == NULL || root->within == NULL)
    return beckon_landing_tree_refuse (folder, error);
  root->git = open (root->git_path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (root->git >= 0 && beckon_landing_place_is_of (git, root->git))
    return TRUE;

  shown = beckon_text_for_display (root->git_path, -1, BECKON_TEXT_EXACT);
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” was moved or replaced meanwhile."), shown);
  return FALSE;
}

void
beckon_landing_root_clear (BeckonLandingRoot *root)
{
  beckon_fd_close (root->folder);
  beckon_fd_close (root->git);
  g_free (root->path);
  g_free (root->git_path);
  g_free (root->own);
  g_free (root->within);
  *root = (BeckonLandingRoot) BECKON_LANDING_ROOT_INIT;
}

gboolean
beckon_landing_root_is_elsewhere (const BeckonLandingRoot *root, const char *path)
{
  const gsize length = strlen (GIT);

  return root->git_path != NULL && strncmp (path, GIT, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

gboolean
beckon_landing_root_is_others (const BeckonLandingRoot *root, const char *path)
{
  static const char *const shared[] = {
    "objects",  "refs",    "logs/refs", "info/refs", "packed-refs", "packed-refs.lock",
    "reftable", "shallow", "lfs",       "rr-cache",  "gc.log",      "gc.pid",
  };
  const char *rest = beckon_landing_root_is_elsewhere (root, path) ? path + strlen (GIT) : "";
  gboolean is_others;

  /* A folder within the main work tree has the whole, but for those of the others. */
  if (*rest == '/' && *root->own == '\0')
    return beckon_path_is_within (rest + 1, "worktrees");
  is_others = *rest == '/' && !beckon_path_is_within (rest + 1, root->own) && !beckon_path_is_within (root->own, rest + 1);

  for (guint i = 0; is_others && i < G_N_ELEMENTS (shared); i++)
    is_others = !beckon_path_is_within (rest + 1, shared[i]) && !beckon_path_is_within (shared[i], rest + 1);
  return is_others;
}

/* *@path becomes relative to what is returned. */
static int
root_pick (const BeckonLandingRoot *root, const char **path)
{
  if (!beckon_landing_root_is_elsewhere (root, *path))
    return root->folder;

  *path += strlen (GIT);
  *path = **path == '/' ? *path + 1 : ".";
  return root->git;
}

int
beckon_landing_root_open_at (const BeckonLandingRoot *root, const char *path, int flags)
{
  const int fd = root_pick (root, &path);

  return beckon_landing_tree_open (fd, path, flags);
}

int
beckon_landing_root_open_file (const BeckonLandingRoot *root, const char *path)
{
  const int fd = root_pick (root, &path);

  return beckon_landing_tree_open_file (fd, path, FALSE);
}

gboolean
beckon_landing_root_look_at (const BeckonLandingRoot *root, const char *path, struct stat *info)
{
  const int fd = root_pick (root, &path);

  return beckon_landing_tree_look_at (fd, path, info);
}

char *
beckon_landing_root_dup_git (const char *place)
{
  g_autofree char *inner = g_build_filename (place, BECKON_LANDING_ROOT_GIT, NULL);
  g_auto (BeckonFd) git = open (inner, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  return git >= 0 ? beckon_landing_place_dup_folder (git) : NULL;
}

gboolean
beckon_landing_root_is_git (const char *folder, gpointer root)
{
  g_autofree char *head = g_build_filename (folder, "HEAD", NULL);
  struct stat info;

  return beckon_landing_root_look_at (root, head, &info);
}

char *
beckon_landing_root_dup_path (const BeckonLandingRoot *root, const char *path)
{
  const char *above = root_pick (root, &path) == root->folder ? root->path : root->git_path;

  return g_canonicalize_filename (path, above);
}

gboolean
beckon_landing_root_is_index (const BeckonLandingRoot *root, const BeckonFileChange *change, gboolean before)
{
  g_auto (GStrv) contents = change->git != NULL && change->bound == NULL ? g_strsplit (change->git, " ", 2) : NULL;
  g_autofree char *file = contents != NULL ? beckon_landing_root_dup_path (root, change->path) : NULL;
  g_autofree char *digest = file != NULL ? beckon_git_dup_index_digest (file) : NULL;

  return digest != NULL && g_strv_length (contents) == 2 && strcmp (contents[before ? 0 : 1], digest) == 0;
}

gboolean
beckon_landing_root_bind_git (const char *place, const char *git, const char *own, const char *within, GError **error)
{
  g_autofree char *inner = g_build_filename (place, BECKON_LANDING_ROOT_GIT, NULL);
  g_autofree char *own_note = g_build_filename (inner, OWN, NULL);
  g_autofree char *within_note = g_build_filename (inner, WITHIN, NULL);

  return (mkdir (inner, 0700) == 0 || beckon_landing_tree_refuse (inner, error))
         && beckon_landing_place_bind (inner, git, error)
         && g_file_set_contents_full (own_note, own, -1, G_FILE_SET_CONTENTS_NONE, 0600, error)
         && g_file_set_contents_full (within_note, within, -1, G_FILE_SET_CONTENTS_NONE, 0600, error);
}

/* (transfer full): relative to the folder. */
static char *
root_dup_index (const BeckonLandingRoot *root)
{
  return g_build_filename (GIT, root->own != NULL ? root->own : "", "index", NULL);
}

void
beckon_landing_root_note_index (const char *folder, const char *place)
{
  g_auto (BeckonLandingRoot) root = BECKON_LANDING_ROOT_INIT;
  g_auto (BeckonFd) fd = open (place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  g_autofree char *note = g_build_filename (place, INDEX, NULL);
  g_autofree char *index = NULL;
  g_autofree char *file = NULL;
  g_autofree char *digest = NULL;
  struct stat info;

  if (fd < 0 || !beckon_landing_root_open (&root, folder, fd, NULL))
    return;
  index = root_dup_index (&root);
  file = beckon_landing_root_dup_path (&root, index);
  if (beckon_landing_root_look_at (&root, index, &info) && info.st_size <= MAX_INDEX)
    digest = beckon_git_dup_index_digest (file);
  if (digest != NULL)
    g_file_set_contents_full (note, digest, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL);
}

gboolean
beckon_landing_root_holds_index (const BeckonLandingRoot *root, const char *place, const char *path)
{
  g_autofree char *index = root_dup_index (root);
  g_autofree char *note = g_build_filename (place, INDEX, NULL);
  g_autofree char *file = beckon_landing_root_dup_path (root, index);
  g_autofree char *was = NULL;
  g_autofree char *is = NULL;

  if (strcmp (path, index) != 0 || !g_file_get_contents (note, &was, NULL, NULL))
    return FALSE;
  is = beckon_git_dup_index_digest (file);
  return g_strcmp0 (was, is) == 0;
}

/* An index that says nothing new goes, with the folders that were made for it. */
static gboolean
root_restore_index (const BeckonLandingRoot *root, const char *path, int place)
{
  g_autofree char *relative = g_build_filename (BECKON_LANDING_ROOT_GIT, "upper", root->own, "index", NULL);
  g_autofree char *before = g_build_filename (root->git_path, root->own, "index", NULL);
  g_autofree char *after = g_build_filename (path, relative, NULL);
  g_autofree char *above = g_path_get_dirname (relative);
  struct stat info;

  if (!beckon_landing_tree_look_at (place, relative, &info) || !S_ISREG (info.st_mode)
      || !beckon_git_elsewhere_restore_index (before, after, root->within))
    return FALSE;
  while (!beckon_landing_tree_look_at (place, relative, &info) && strlen (above) > strlen (BECKON_LANDING_ROOT_GIT "/upper")
         && unlinkat (place, above, AT_REMOVEDIR) == 0)
    {
      g_free (relative);
      relative = g_steal_pointer (&above);
      above = g_path_get_dirname (relative);
    }
  return TRUE;
}

gboolean
beckon_landing_root_join (BeckonLandingRoot *root, const char *path, int place, GError **error)
{
  g_auto (BeckonFd) git = beckon_landing_tree_open (place, BECKON_LANDING_ROOT_GIT "/upper", O_RDONLY | O_DIRECTORY);
  g_autoptr (BeckonEntries) entries = NULL;
  struct stat info;

  if (git < 0)
    return TRUE;
  root->is_beyond = *root->within != '\0' && !root_restore_index (root, path, place);
  beckon_landing_tree_remove (place, BECKON_LANDING_ROOT_GIT "/work", NULL);
  /* The name stands for what the folder's own .git led to, and for nothing else at once. */
  entries = beckon_landing_tree_list (git, ".", TRUE);
  if (beckon_landing_tree_next (entries) == NULL)
    {
      g_clear_pointer (&root->git_path, g_free);
      return beckon_landing_tree_remove (place, BECKON_LANDING_ROOT_GIT, error);
    }
  if (renameat2 (place, BECKON_LANDING_ROOT_GIT "/upper", place, "upper/" GIT, RENAME_NOREPLACE) == 0)
    return TRUE;
  if (beckon_landing_tree_look (place, "upper/" GIT, &info))
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, "%s",
                           _("The command changed “.git” in this folder as well as the Git data elsewhere that it leads to."));
  else
    beckon_landing_tree_refuse ("upper/" GIT, error);
  return FALSE;
}
