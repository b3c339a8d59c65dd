/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-git-elsewhere.h"

#include "base/beckon-path.h"
#include "beckon-git-private.h"
#include "beckon-git-story.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_INDEX (64 * 1024 * 1024)

/* As many as Git follows. */
#define MOST_BORROWED 5
#define LONGEST_NOTE 4096

/* (nullable): without links and without a slash behind it. */
static char *
elsewhere_resolve (const char *path)
{
  char *real = path != NULL ? realpath (path, NULL) : NULL;
  char *copy = g_strdup (real);

  free (real);
  return copy;
}

static gboolean
is_own_folder (const char *path)
{
  struct stat info;

  return stat (path, &info) == 0 && S_ISDIR (info.st_mode) && (info.st_uid == geteuid () || info.st_uid == 0);
}

static gboolean
elsewhere_has (GPtrArray *paths, const char *path)
{
  for (guint i = 0; i < paths->len; i++)
    if (beckon_path_is_within (path, g_ptr_array_index (paths, i)))
      return TRUE;
  return FALSE;
}

static void
elsewhere_add (GPtrArray *paths, const char *path, const char *folder)
{
  if (!elsewhere_has (paths, path) && !beckon_path_is_within (path, folder) && !beckon_path_is_within (folder, path)
      && is_own_folder (path))
    g_ptr_array_add (paths, g_strdup (path));
}

/* The Git directory of a work tree names its .git, and that of a submodule its folder; a folder without either is in the
 * work tree that the Git directory lies in. */
static gboolean
elsewhere_is_named_back (git_repository *repository, const char *git, const char *work_tree)
{
  g_autofree char *link = g_build_filename (work_tree, ".git", NULL);
  g_autofree char *own = elsewhere_resolve (link);
  g_autofree char *back = NULL;
  g_autoptr (git_config) config = NULL;
  git_buf named = { 0 };

  if (g_file_test (link, G_FILE_TEST_IS_SYMLINK))
    return FALSE;
  if (g_strcmp0 (own, git) == 0)
    return TRUE;
  if (git_repository_is_worktree (repository))
    {
      g_autofree char *file = g_build_filename (git, "gitdir", NULL);
      g_autofree char *text = NULL;
      gsize length;

      /* A path that a file in a Git directory names, counted from there; without links. */
      if (g_file_get_contents (file, &text, &length, NULL) && length <= LONGEST_NOTE)
        {
          g_autofree char *path = g_canonicalize_filename (g_strchomp (text), git);
          char *real = realpath (path, NULL);

          back = g_strdup (real);
          free (real);
        }
      return g_strcmp0 (back, own) == 0;
    }
  if (git_repository_config_snapshot (&config, repository) == 0
      && git_config_get_string_buf (&named, config, "core.worktree") == 0)
    {
      g_autofree char *path = g_canonicalize_filename (named.ptr, git);

      back = elsewhere_resolve (path);
    }
  git_buf_dispose (&named);
  return g_strcmp0 (back, work_tree) == 0;
}

static void
elsewhere_add_borrowed (GPtrArray *paths, const char *objects, const char *folder, guint depth)
{
  g_autofree char *file = g_build_filename (objects, "info", "alternates", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gsize length;

  if (depth == 0 || !g_file_get_contents (file, &text, &length, NULL) || length > LONGEST_NOTE)
    return;

  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *path = *lines[i] != '\0' && *lines[i] != '#' ? g_canonicalize_filename (lines[i], objects) : NULL;
      g_autofree char *real = elsewhere_resolve (path);
      g_autofree char *info = real != NULL ? g_build_filename (real, "info", NULL) : NULL;
      g_autofree char *packs = real != NULL ? g_build_filename (real, "pack", NULL) : NULL;

      if (real == NULL || !g_file_test (info, G_FILE_TEST_IS_DIR) || !g_file_test (packs, G_FILE_TEST_IS_DIR))
        continue;
      elsewhere_add (paths, real, folder);
      elsewhere_add_borrowed (paths, real, folder, depth - 1);
    }
}

/* Written by libgit2, to a file of its own. */
static GBytes *
elsewhere_make_index (const char *index_file, const char *within)
{
  g_autofree char *folder = g_dir_make_tmp ("beckon-index-XXXXXX", NULL);
  g_autofree char *copy = folder != NULL ? g_build_filename (folder, "index", NULL) : NULL;
  g_autoptr (git_index) index = NULL;
  g_autofree char *bytes = NULL;
  gboolean is_made = FALSE;
  struct stat info;
  gsize length;

  if (copy != NULL && stat (index_file, &info) == 0 && info.st_size <= LARGEST_INDEX
      && g_file_get_contents (index_file, &bytes, &length, NULL)
      && g_file_set_contents (copy, bytes, (gssize) length, NULL) && git_index_open (&index, copy) == 0)
    {
      is_made = TRUE;
      for (gsize i = 0; is_made && i < git_index_entrycount (index); i++)
        {
          git_index_entry entry = *git_index_get_byindex (index, i);

          if (beckon_path_is_within (entry.path, within))
            continue;
          entry.flags_extended |= GIT_INDEX_ENTRY_SKIP_WORKTREE;
          is_made = git_index_add (index, &entry) == 0;
        }
      g_clear_pointer (&bytes, g_free);
      is_made = is_made && git_index_write (index) == 0 && g_file_get_contents (copy, &bytes, &length, NULL);
    }
  if (copy != NULL)
    g_unlink (copy);
  if (folder != NULL)
    g_rmdir (folder);
  return is_made ? g_bytes_new_take (g_steal_pointer (&bytes), length) : NULL;
}

static gboolean
elsewhere_is_same_entry (const git_index_entry *one, const git_index_entry *other)
{
  return other != NULL && one->mode == other->mode && git_oid_equal (&one->id, &other->id);
}

/* How many entries there are of files outside of @within. */
static gsize
elsewhere_count_outside (git_index *index, const char *within)
{
  gsize n = 0;

  for (gsize i = 0; i < git_index_entrycount (index); i++)
    n += !beckon_path_is_within (git_index_get_byindex (index, i)->path, within);
  return n;
}

gboolean
beckon_git_elsewhere_restore_index (const char *before, const char *after, const char *within)
{
  g_autofree char *was = NULL;
  g_autofree char *is = NULL;
  g_autoptr (git_index) old = NULL;
  g_autoptr (git_index) new = NULL;

  beckon_git_begin ();
  if (git_index_open (&old, before) != 0 || git_index_open (&new, after) != 0
      || elsewhere_count_outside (old, within) != elsewhere_count_outside (new, within))
    return FALSE;
  for (gsize i = 0; i < git_index_entrycount (new); i++)
    {
      const git_index_entry *entry = git_index_get_byindex (new, i);
      const git_index_entry *other = git_index_get_bypath (old, entry->path, git_index_entry_stage (entry));

      if (!beckon_path_is_within (entry->path, within)
          && (!elsewhere_is_same_entry (entry, other) || git_index_add (new, other) != 0))
        return FALSE;
    }
  if (git_index_write (new) != 0)
    return FALSE;
  was = beckon_git_dup_index_digest (before);
  is = beckon_git_dup_index_digest (after);
  return g_strcmp0 (was, is) != 0 || g_unlink (after) == 0;
}

BeckonGitElsewhere *
beckon_git_elsewhere_find (const char *folder)
{
  g_autoptr (git_repository) repository = beckon_git_find_repository (folder);
  g_autofree char *git = repository != NULL ? elsewhere_resolve (git_repository_path (repository)) : NULL;
  g_autofree char *common = repository != NULL ? elsewhere_resolve (git_repository_commondir (repository)) : NULL;
  g_autofree char *work_tree = repository != NULL ? elsewhere_resolve (git_repository_workdir (repository)) : NULL;
  g_autofree char *objects = common != NULL ? g_build_filename (common, "objects", NULL) : NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  BeckonGitElsewhere *elsewhere;

  if (git == NULL || common == NULL || work_tree == NULL || !beckon_path_is_within (folder, work_tree))
    return NULL;
  if (!beckon_path_is_within (git, folder))
    {
      if (!elsewhere_is_named_back (repository, git, work_tree))
        return NULL;
      elsewhere_add (paths, common, folder);
      elsewhere_add (paths, git, folder);
    }
  elsewhere_add_borrowed (paths, objects, folder, MOST_BORROWED);
  if (paths->len == 0)
    return NULL;

  elsewhere = g_new0 (BeckonGitElsewhere, 1);
  if (!beckon_path_is_within (git, folder) && strcmp (paths->pdata[0], common) == 0 && beckon_path_is_within (git, common))
    {
      elsewhere->git = g_strdup (common);
      elsewhere->own = g_strdup (beckon_path_relate (git, common));
    }
  if (strcmp (work_tree, folder) != 0)
    {
      elsewhere->index_file = g_build_filename (git, "index", NULL);
      elsewhere->index = elsewhere_make_index (elsewhere->index_file, beckon_path_relate (folder, work_tree));
    }
  elsewhere->work_tree = g_steal_pointer (&work_tree);
  g_ptr_array_add (paths, NULL);
  elsewhere->paths = (char **) g_ptr_array_free (g_steal_pointer (&paths), FALSE);
  return elsewhere;
}

void
beckon_git_elsewhere_free (BeckonGitElsewhere *elsewhere)
{
  if (elsewhere == NULL)
    return;

  g_strfreev (elsewhere->paths);
  g_free (elsewhere->git);
  g_free (elsewhere->own);
  g_free (elsewhere->work_tree);
  g_free (elsewhere->index_file);
  g_clear_pointer (&elsewhere->index, g_bytes_unref);
  g_free (elsewhere);
}
