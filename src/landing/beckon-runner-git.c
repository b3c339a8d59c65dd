/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-runner-git.h"

#include <string.h>

/* The first name in a Git directory, of what everyday commands write. */
static const char *const git_files[] = {
  "index",         "HEAD",        "ORIG_HEAD",        "FETCH_HEAD",  "MERGE_HEAD",     "MERGE_MSG",  "MERGE_MODE",
  "MERGE_RR",      "AUTO_MERGE",  "CHERRY_PICK_HEAD", "REVERT_HEAD", "COMMIT_EDITMSG", "SQUASH_MSG", "TAG_EDITMSG",
  "NOTES_EDITMSG", "packed-refs", "shallow",          "gc.log",      "gc.pid", NULL,
};
static const char *const git_ref_folders[] = { "refs", "logs", NULL };
static const char *const git_folders[] = { "reftable", "rr-cache", NULL };
static const char *const git_object_info[] = { "packs", "commit-graph", "commit-graphs", NULL };

/* The first name in a Git directory that is not called .git, of what Git reads there. */
static const char *const git_names[] = {
  "config",  "config.worktree", "hooks",   "info",         "commondir",    "gitdir",    "worktrees", "modules",
  "objects", "branches",        "remotes", "rebase-merge", "rebase-apply", "sequencer", "common",    ".git", NULL,
};

static gboolean
git_is_name (const char *name, const char *other)
{
  return g_ascii_strcasecmp (name, other) == 0;
}

static gboolean
git_is_among (const char *name, const char *const *list)
{
  while (*list != NULL && !git_is_name (name, *list))
    list++;
  return *list != NULL;
}

static gboolean
git_is_hex (const char *name, gsize length)
{
  return strlen (name) == length && strspn (name, "0123456789abcdefABCDEF") == length;
}

/* No folder is a Git directory without one of these in it, and none of them is what everyday commands write deeper down. A
 * branch may be called as the first are, which tell Git nothing without objects beside them, or a word where those are. */
static gboolean
git_holds_directory (char **rest, gboolean is_ref)
{
  static const char *const names_of_one[] = {
    "config", "config.worktree", "hooks", "info", "modules", "worktrees", "objects", "commondir", "gitdir", ".git", NULL,
  };

  while (*rest != NULL && !git_is_among (*rest, names_of_one + (is_ref ? 6 : 0)))
    rest++;
  return *rest != NULL;
}

/* @rest begins behind objects/. */
static gboolean
git_is_everyday_object (char **rest)
{
  if (rest[0] == NULL)
    return TRUE;
  if (git_is_name (rest[0], "info"))
    return rest[1] == NULL || (git_is_among (rest[1], git_object_info) && !git_holds_directory (rest + 2, FALSE));
  if (rest[1] == NULL)
    return git_is_hex (rest[0], 2) || git_is_name (rest[0], "pack") || g_str_has_prefix (rest[0], "tmp_obj");
  if (rest[2] != NULL)
    return FALSE;
  if (git_is_name (rest[0], "pack"))
    return !git_holds_directory (rest + 1, FALSE) && !git_is_name (rest[1], "HEAD") && !git_is_name (rest[1], "refs");

  return git_is_hex (rest[0], 2)
         && (git_is_hex (rest[1], 38) || git_is_hex (rest[1], 62) || g_str_has_prefix (rest[1], "tmp_obj"));
}

/* Git writes most files under this name first. */
static char *
git_drop_lock (const char *name)
{
  return g_str_has_suffix (name, ".lock") ? g_strndup (name, strlen (name) - strlen (".lock")) : g_strdup (name);
}

typedef struct
{
  char **names; /* of the path */
  BeckonRunnerLook look;
  gpointer data;
} Path;

/* The first @n names looked at as a folder. */
static gboolean
git_looks_like_one (const Path *path, guint n)
{
  g_autoptr (GString) folder = g_string_new (n == 0 ? "." : NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (folder, "%s%s", i > 0 ? "/" : "", path->names[i]);
  return path->look != NULL && path->look (folder->str, path->data);
}

/* The names from @first on stand in a Git directory. */
static gboolean
git_is_everyday (const Path *path, guint first)
{
  char **rest = path->names + first;
  g_autofree char *name = git_drop_lock (rest[0]);

  if (git_is_name (rest[0], "objects"))
    return git_is_everyday_object (rest + 1);
  if (git_is_name (rest[0], "lfs"))
    return rest[1] != NULL && (git_is_name (rest[1], "objects") || git_is_name (rest[1], "tmp"))
           && !git_holds_directory (rest + 2, FALSE);
  /* Directories of submodules may have several names, those of work trees have one. */
  if (git_is_name (rest[0], "modules") || git_is_name (rest[0], "worktrees"))
    {
      for (guint i = first + 2; path->names[i - 1] != NULL && path->names[i] != NULL; i++)
        if (git_looks_like_one (path, i))
          return git_is_everyday (path, i);
      return FALSE;
    }
  /* Written for those who fetch over plain HTTP, and read by nobody here. */
  if (git_is_name (rest[0], "info"))
    {
      g_autofree char *written = rest[1] != NULL && rest[2] == NULL ? git_drop_lock (rest[1]) : NULL;

      return written != NULL && git_is_name (written, "refs");
    }
  if (git_is_among (rest[0], git_ref_folders))
    return !git_holds_directory (rest + 1, TRUE);
  if (git_is_among (rest[0], git_folders))
    return !git_holds_directory (rest + 1, FALSE);

  return rest[1] == NULL && (git_is_among (name, git_files) || g_str_has_prefix (rest[0], "sharedindex."));
}

gboolean
beckon_runner_git_obeys (const char *path, BeckonRunnerLook look, gpointer data)
{
  g_auto (GStrv) names = NULL;
  Path whole;
  guint n, git = 0;

  g_return_val_if_fail (path != NULL, TRUE);

  names = g_strsplit (path, "/", -1);
  whole = (Path){ names, look, data };
  n = g_strv_length (names);
  /* The Git directory that it is in is the first: a HEAD in a plain folder makes it one. */
  while (git < n && !git_is_name (names[git], ".git")
         && !(git_is_among (names[git], git_names) && git_looks_like_one (&whole, git)))
    git++;
  if (git == n)
    return n > 0 && git_is_name (names[n - 1], "HEAD") && !git_looks_like_one (&whole, n - 1);
  /* A .git that is made anew, and one that is a file, tell Git everything. */
  if (git_is_name (names[git], ".git"))
    return git + 1 == n || !git_looks_like_one (&whole, git + 1) || !git_is_everyday (&whole, git + 1);

  return !git_is_everyday (&whole, git);
}

gboolean
beckon_runner_git_holds (const char *path, BeckonRunnerLook look, gpointer data)
{
  g_auto (GStrv) names = NULL;

  names = g_strsplit (path, "/", -1);
  for (guint i = 0; names[i] != NULL; i++)
    if (git_is_name (names[i], ".git") || git_looks_like_one (&(Path){ names, look, data }, i))
      return TRUE;

  return FALSE;
}

gboolean
beckon_runner_git_reads_index (const char *path, BeckonRunnerLook look, gpointer data)
{
  g_auto (GStrv) names = NULL;
  g_autofree char *name = NULL;
  guint n;

  names = g_strsplit (path, "/", -1);
  n = g_strv_length (names);
  if (n == 0)
    return FALSE;

  name = git_drop_lock (names[n - 1]);
  if (!git_is_name (name, "index") && g_ascii_strncasecmp (name, "sharedindex.", strlen ("sharedindex.")) != 0)
    return FALSE;

  return (n > 1 && git_is_name (names[n - 2], ".git")) || git_looks_like_one (&(Path){ names, look, data }, n - 1);
}
