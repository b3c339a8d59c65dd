/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-ignore.h"
#include "base/beckon-path.h"
#include "beckon-git-index.h"
#include "beckon-runners-private.h"

#include <string.h>
#include <sys/stat.h>

/* No list of ignored files that anybody wrote is larger. */
#define MAX_IGNORE ((gsize) 256 * 1024)

/* A folder in which a tool keeps what it can make again, and a file beside it without which the name means nothing. */
typedef struct
{
  const char *name;
  const char *beside; /* (nullable) */
} Cache;

static const Cache caches[] = {
  { "__pycache__", NULL },   { ".pytest_cache", NULL },      { ".mypy_cache", NULL },     { ".ruff_cache", NULL },
  { ".hypothesis", NULL },   { ".tox", NULL },               { ".nox", NULL },            { ".parcel-cache", NULL },
  { ".turbo", NULL },        { "node_modules", "package.json" }, { "target", "Cargo.toml" }, { "target", "pom.xml" },
};

typedef struct
{
  char *top;
  BeckonIgnore *excludes; /* (nullable): those of its Git directory */
  GHashTable *tracked;    /* (nullable) (element-type filename guint): modes, by relative paths; %NULL if they can't be known */
} WorkTree;

void
beckon_work_tree_free (gpointer data)
{
  WorkTree *tree = data;

  g_free (tree->top);
  beckon_ignore_free (tree->excludes);
  g_clear_pointer (&tree->tracked, g_hash_table_unref);
  g_free (tree);
}

static BeckonIgnore *
work_trees_read_ignore (const BeckonIgnore *above, const char *file, const char *relative)
{
  gboolean is_odd;
  char *text = beckon_runners_read_text (file, MAX_IGNORE, NULL, &is_odd);
  g_autoptr (GBytes) bytes = text != NULL ? g_bytes_new_take (text, strlen (text)) : NULL;

  return beckon_ignore_new (above, relative, bytes);
}

/* An empty set where Git has no index yet; %NULL where there is one that can't be read. */
static GHashTable *
work_tree_read_tracked (const char *git)
{
  g_autofree char *file = g_build_filename (git, "index", NULL);
  gboolean is_odd;
  gsize length;
  g_autofree char *bytes = beckon_runners_read_text (file, BECKON_GIT_INDEX_MAX_SIZE, &length, &is_odd);
  GHashTable *names;

  if (bytes == NULL)
    return is_odd ? NULL : g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  names = beckon_git_index_list ((const guchar *) bytes, length, BECKON_GIT_INDEX_SHA1);
  return names != NULL ? names : beckon_git_index_list ((const guchar *) bytes, length, BECKON_GIT_INDEX_SHA256);
}

/* (nullable): the top of the work tree that @path is in. */
static char *
work_tree_find_top (const char *path)
{
  g_autofree char *at = g_path_get_dirname (path);

  while (strcmp (at, "/") != 0)
    {
      g_autofree char *git = g_build_filename (at, ".git", NULL);
      char *parent;

      if (g_file_test (git, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&at);
      parent = g_path_get_dirname (at);
      g_free (at);
      at = parent;
    }

  return NULL;
}

static const WorkTree *
work_trees_find (BeckonRunners *self, const char *path)
{
  g_autofree char *top = work_tree_find_top (path);
  WorkTree *tree = top != NULL ? g_hash_table_lookup (self->trees, top) : NULL;
  g_autofree char *git = NULL;
  g_autofree char *exclude = NULL;

  if (top == NULL || tree != NULL)
    return tree;

  git = beckon_runners_find_git (top);
  exclude = git != NULL ? g_build_filename (git, "info", "exclude", NULL) : NULL;
  tree = g_new0 (WorkTree, 1);
  tree->top = g_steal_pointer (&top);
  tree->tracked = git != NULL ? work_tree_read_tracked (git) : NULL;
  tree->excludes = exclude != NULL ? work_trees_read_ignore (NULL, exclude, ".") : NULL;
  g_hash_table_insert (self->trees, tree->top, tree);
  return tree;
}

/* The lists that hold for what is directly in @folder, from that of the work tree down. */
static const BeckonIgnore *
work_trees_get_ignore (BeckonRunners *self, const WorkTree *tree, const char *folder)
{
  const char *relative = beckon_path_relate (folder, tree->top);
  BeckonIgnore *ignore = g_hash_table_lookup (self->ignores, folder);
  const BeckonIgnore *above = tree->excludes;
  g_autofree char *file = NULL;

  if (ignore != NULL)
    return ignore;

  if (*relative != '\0')
    {
      g_autofree char *parent = g_path_get_dirname (folder);

      above = work_trees_get_ignore (self, tree, parent);
    }
  file = g_build_filename (folder, ".gitignore", NULL);
  ignore = work_trees_read_ignore (above, file, *relative != '\0' ? relative : ".");
  g_hash_table_insert (self->ignores, g_strdup (folder), ignore);
  return ignore;
}

/* All that is in an ignored folder is ignored, whatever is said of it by itself. */
static gboolean
work_tree_overlooks (BeckonRunners *self, const WorkTree *tree, const char *relative, gboolean is_folder)
{
  for (const char *slash = strchr (relative, '/');; slash = strchr (slash + 1, '/'))
    {
      g_autofree char *name = slash != NULL ? g_strndup (relative, (gsize) (slash - relative)) : g_strdup (relative);
      g_autofree char *path = g_build_filename (tree->top, name, NULL);
      g_autofree char *folder = g_path_get_dirname (path);

      if (beckon_ignore_matches (work_trees_get_ignore (self, tree, folder), name, slash != NULL || is_folder))
        return TRUE;
      if (slash == NULL)
        return FALSE;
    }
}

static gboolean
work_tree_may_track (const WorkTree *tree, const char *path)
{
  return tree->tracked == NULL || g_hash_table_contains (tree->tracked, beckon_path_relate (path, tree->top));
}

/* A tracked program is run by its name, whatever stands there in between: nothing, or a link. */
gboolean
beckon_runners_is_program (BeckonRunners *self, const char *path, const BeckonRunnerChange *change)
{
  g_autofree char *whole = g_build_filename (self->folder, path, NULL);
  const gboolean is_link = S_ISLNK (change->mode_after);
  const gboolean was_run = S_ISREG (change->mode_before) && ((change->mode_before | change->mode_after) & 0111) != 0;
  const WorkTree *tree = work_trees_find (self, whole);
  const char *relative = tree != NULL ? beckon_path_relate (whole, tree->top) : NULL;

  if (tree == NULL || beckon_runner_table_is_installed (path) || !(S_ISREG (change->mode_after) || is_link))
    return FALSE;
  if (tree->tracked == NULL || is_link)
    return work_tree_may_track (tree, whole);

  return (GPOINTER_TO_UINT (g_hash_table_lookup (tree->tracked, relative)) & 0111) != 0
         || (was_run && (work_tree_may_track (tree, whole) || !work_tree_overlooks (self, tree, relative, FALSE)));
}

/* The folder that @path lies in, or is, counts. */
static gboolean
is_in_cache (const char *path, gboolean is_folder)
{
  g_autofree char *folder = is_folder ? g_strdup (path) : g_path_get_dirname (path);

  for (char *slash = strrchr (folder, '/'); slash != NULL && slash != folder; slash = strrchr (folder, '/'))
    {
      const char *name = slash + 1;

      *slash = '\0';
      for (guint i = 0; i < G_N_ELEMENTS (caches); i++)
        {
          g_autofree char *beside = caches[i].beside != NULL ? g_build_filename (folder, caches[i].beside, NULL) : NULL;

          if (strcmp (name, caches[i].name) == 0 && (beside == NULL || g_file_test (beside, G_FILE_TEST_IS_REGULAR)))
            return TRUE;
        }
    }

  return FALSE;
}

gboolean
beckon_runners_is_by_product (BeckonRunners *self, const char *path, gboolean is_folder)
{
  g_autofree char *whole = g_build_filename (self->folder, path, NULL);
  const WorkTree *tree = work_trees_find (self, whole);

  if (tree != NULL && work_tree_may_track (tree, whole))
    return FALSE;
  return is_in_cache (whole, is_folder)
         || (tree != NULL && work_tree_overlooks (self, tree, beckon_path_relate (whole, tree->top), is_folder));
}
