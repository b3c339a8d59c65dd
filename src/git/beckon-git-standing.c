/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-git-standing.h"

#include "base/beckon-path.h"
#include "base/beckon-text.h"
#include "beckon-git-elsewhere.h"
#include "beckon-git-private.h"

#include <stdlib.h>
#include <string.h>

#define HEADS "refs/heads/"
#define LONGEST_NAME 100

typedef struct
{
  gint64 deadline;
  gsize n;
} Count;

static int
count_on_progress (const git_diff *diff, const char *old_path, const char *new_path, void *count)
{
  return g_get_monotonic_time () >= ((const Count *) count)->deadline ? GIT_EUSER : 0;
}

/* A file may be staged and changed again. */
static int
count_on_change (const git_diff *diff, const git_diff_delta *delta, const char *spec, void *count)
{
  return ++((Count *) count)->n > 2 * BECKON_GIT_STANDING_MOST ? GIT_EUSER : 0;
}

/* (nullable): the tree of the last commit. */
static git_tree *
standing_open_tree (git_repository *repository)
{
  g_autoptr (git_reference) head = NULL;
  git_object *tree = NULL;

  return git_repository_head (&head, repository) == 0 && git_reference_peel (&tree, head, GIT_OBJECT_TREE) == 0
           ? (git_tree *) tree
           : NULL;
}

/* (nullable) (transfer full): how many files below @folder, a path in the work tree, are not what was committed last; %NULL if
 * that takes too long. A new folder counts as one, as Git lists it. */
static char *
standing_count (git_repository *repository, const char *folder, guint patience_ms)
{
  Count count = { g_get_monotonic_time () + (gint64) patience_ms * 1000, 0 };
  g_autoptr (git_tree) tree = standing_open_tree (repository);
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  g_autoptr (git_diff) diff = NULL;
  const char *where = *folder != '\0' ? " in this folder" : "";
  gsize n = BECKON_GIT_STANDING_MOST + 1;

  options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_IGNORE_SUBMODULES
                  | GIT_DIFF_SKIP_BINARY_CHECK | GIT_DIFF_DISABLE_PATHSPEC_MATCH;
  options.progress_cb = count_on_progress;
  options.notify_cb = count_on_change;
  options.payload = &count;
  if (*folder != '\0')
    options.pathspec = (git_strarray){ (char **) &folder, 1 };
  if (git_diff_tree_to_workdir_with_index (&diff, repository, tree, &options) == 0)
    n = git_diff_num_deltas (diff);
  else if (count.n <= 2 * BECKON_GIT_STANDING_MOST)
    return NULL;
  if (n > BECKON_GIT_STANDING_MOST)
    return g_strdup_printf ("with over %d changed files%s", BECKON_GIT_STANDING_MOST, where);
  if (n == 0)
    return g_strdup_printf ("with nothing uncommitted%s", where);
  return g_strdup_printf ("with %" G_GSIZE_FORMAT " changed file%s%s", n, n == 1 ? "" : "s", where);
}

/* A file or a link in the folder that names somebody else's Git directory is not believed. */
static gboolean
standing_is_own (git_repository *repository, const char *folder, const char *work_tree)
{
  char *git = realpath (git_repository_path (repository), NULL);
  gboolean is_within = git != NULL && beckon_path_is_within (git, work_tree);
  g_autoptr (BeckonGitElsewhere) elsewhere = is_within ? NULL : beckon_git_elsewhere_find (folder);

  free (git);
  return is_within || elsewhere != NULL;
}

char *
beckon_git_standing_describe (const char *folder, guint patience_ms)
{
  char *real = realpath (folder, NULL);
  g_autofree char *path = g_strdup (real);
  g_autoptr (git_repository) repository = path != NULL ? beckon_git_find_repository (path) : NULL;
  const char *work_tree = repository != NULL ? git_repository_workdir (repository) : NULL;
  g_autofree char *whole = work_tree != NULL ? g_canonicalize_filename (work_tree, "/") : NULL;
  g_autofree char *branch = NULL;
  g_autofree char *count = NULL;
  g_autoptr (git_reference) head = NULL;
  const char *target;
  const char *name;
  g_autofree char *shown = NULL;

  free (real);
  if (whole == NULL || !beckon_path_is_within (path, whole) || !standing_is_own (repository, path, whole))
    return NULL;
  target = git_reference_lookup (&head, repository, "HEAD") == 0 ? git_reference_symbolic_target (head) : NULL;
  name = target != NULL && g_str_has_prefix (target, HEADS) ? target + strlen (HEADS) : NULL;
  shown = name != NULL ? beckon_text_for_display (name, -1, BECKON_TEXT_EXACT) : NULL;
  if (shown == NULL)
    branch = g_strdup ("no branch (a detached HEAD)");
  else
    {
      g_autofree char *cut = g_utf8_strlen (shown, -1) > LONGEST_NAME ? g_utf8_substring (shown, 0, LONGEST_NAME) : NULL;

      branch = g_strdup_printf ("the branch \"%s%s\"", cut != NULL ? cut : shown, cut != NULL ? "…" : "");
    }
  count = standing_count (repository, strcmp (path, whole) == 0 ? "" : beckon_path_relate (path, whole), patience_ms);
  return count != NULL ? g_strdup_printf ("%s, %s", branch, count) : g_steal_pointer (&branch);
}
