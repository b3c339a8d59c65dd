/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-trigger-path.h"

#include "base/beckon-path.h"
#include "beckon-trigger-targets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files and folders of these names, with all that is in them. */
static const char *const names[] = {
  /* Shells and version managers, on entering a folder */
  ".direnv",
  ".autoenv",
  ".autoenv.zsh",
  ".tool-versions",
  ".mise.toml",
  "mise.toml",
  ".mise",
  ".rtx.toml",
  "mise.local.toml",
  ".mise.local.toml",
  ".rvmrc",
  /* Editors, on opening one */
  ".vscode",
  ".idea",
  ".zed",
  ".helix",
  ".fleet",
  ".nvim.lua",
  ".nvimrc",
  ".exrc",
  ".vimrc",
  ".lvimrc",
  ".dir-locals.el",
  ".dir-locals-2.el",
  ".devcontainer",
  ".devcontainer.json",
  /* Hooks of Git that tools manage */
  ".husky",
  ".githooks",
  ".pre-commit-config.yaml",
  ".pre-commit-config.yml",
  "lefthook.yml",
  "lefthook.yaml",
  "lefthook.toml",
  "lefthook-local.yml",
  "lefthook.json",
  "lefthook.jsonc",
  "lefthook-local.yaml",
  "lefthook-local.toml",
  "lefthook-local.json",
  "lefthook-local.jsonc",
  ".lefthook.yml",
  ".lefthook.yaml",
  ".lefthook.toml",
  ".lefthook.json",
  ".lefthook.jsonc",
  ".lefthook-local.yml",
  ".lefthook-local.yaml",
  ".lefthook-local.toml",
  ".lefthook-local.json",
  ".lefthook-local.jsonc",
  ".lefthook",
  ".lefthook-local",
  ".overcommit.yml",
  /* Package managers, whatever they are called for */
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".pnpmfile.mjs",
  "pnpmfile.js",
  ".pnp.cjs",
  ".pnp.js",
  ".pnp.loader.mjs",
  "bunfig.toml",
  "binding.gyp",
  ".mvn",
  ".bsp",
  ".bazelrc",
  "rust-toolchain.toml",
  /* Other agents */
  ".claude",
  ".cursor",
  ".mcp.json",
  ".codex",
  ".gemini",
  ".windsurf",
  ".aider.conf.yml",
  ".continue",
  ".kiro",
  ".roo",
  ".opencode",
  "opencode.json",
  /* Servers, with a person's rights there */
  ".github",
  ".gitlab-ci.yml",
  ".circleci",
  ".gitea",
  ".forgejo",
  ".woodpecker",
  ".woodpecker.yml",
  ".travis.yml",
  "Jenkinsfile",
  ".drone.yml",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  ".cirrus.yml",
  ".buildkite",
  /* Debuggers and interpreters, where they are started */
  ".gdbinit",
  ".lldbinit",
  ".pdbrc",
  ".rprofile",
  ".renviron",
  ".irbrc",
  ".ghci",
};

/* These count wherever they are. */
static const char *const names_anywhere[] = { ".envrc", ".gitmodules" };

static const char *const cargo_names[] = { "config", "config.toml" };
static const char *const mercurial_names[] = { "hgrc", "hgrc-not-shared", "sharedpath" };
static const char *const bundle_names[] = { "config" };
static const char *const config_names[] = {
  "mise",
  "mise.toml",
  "mise.local.toml",
  "lefthook.yml",
  "lefthook.yaml",
  "lefthook.toml",
  "lefthook.json",
  "lefthook.jsonc",
  "lefthook-local.yml",
  "lefthook-local.yaml",
  "lefthook-local.toml",
  "lefthook-local.json",
  "lefthook-local.jsonc",
};
static const char *const yarn_names[] = { "plugins", "releases", "sdks" };
static const char *const jujutsu_names[] = { "repo/config", "repo/config.toml", "repo/config-id" };

#define FOLDER(name, names) { name, names, G_N_ELEMENTS (names) }

/* Folders of which only some files count. */
static const struct
{
  const char *name;
  const char *const *parts;
  gsize n;
} folders[] = {
  FOLDER (".cargo", cargo_names),   FOLDER (".hg", mercurial_names), FOLDER (".bundle", bundle_names),
  FOLDER (".config", config_names), FOLDER (".yarn", yarn_names),    FOLDER (".jj", jujutsu_names),
};

/* The first name in a Git directory, of what everyday commands write. */
static const char *const git_files[] = {
  "index",         "HEAD",        "ORIG_HEAD",        "FETCH_HEAD",  "MERGE_HEAD",     "MERGE_MSG",  "MERGE_MODE",
  "MERGE_RR",      "AUTO_MERGE",  "CHERRY_PICK_HEAD", "REVERT_HEAD", "COMMIT_EDITMSG", "SQUASH_MSG", "TAG_EDITMSG",
  "NOTES_EDITMSG", "packed-refs", "shallow",          "gc.log",      "gc.pid",
};
static const char *const git_ref_folders[] = { "refs", "logs" };
static const char *const git_folders[] = { "reftable", "rr-cache" };
static const char *const git_object_info[] = { "packs", "commit-graph", "commit-graphs" };

/* The first name in a Git directory that is not called .git, of what Git reads there. */
static const char *const git_names[] = {
  "config",  "config.worktree", "hooks",   "info",         "commondir",    "gitdir",    "worktrees", "modules",
  "objects", "branches",        "remotes", "rebase-merge", "rebase-apply", "sequencer", "common",    ".git",
};

static gboolean
is_among (const char *name, const char *const *list, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (g_ascii_strcasecmp (name, list[i]) == 0)
      return TRUE;

  return FALSE;
}

#define IS_AMONG(name, list) is_among (name, list, G_N_ELEMENTS (list))

static gboolean
is_hex (const char *name, gsize length)
{
  return strlen (name) == length && strspn (name, "0123456789abcdefABCDEF") == length;
}

static gboolean
is_name (const char *name, const char *other)
{
  return g_ascii_strcasecmp (name, other) == 0;
}

#define HAS_ANY(rest, list) has_any (rest, list, G_N_ELEMENTS (list))

static gboolean
has_any (char **rest, const char *const *list, gsize n)
{
  for (guint i = 0; rest[i] != NULL; i++)
    if (is_among (rest[i], list, n))
      return TRUE;

  return FALSE;
}

/* No folder is a Git directory without one of these in it, and none of them is what everyday commands write deeper down. */
static gboolean
holds_directory (char **rest)
{
  static const char *const names_of_one[] = {
    "config", "config.worktree", "hooks", "objects", "commondir", "gitdir", "info", "modules", "worktrees", ".git",
  };

  return HAS_ANY (rest, names_of_one);
}

/* A branch may be called config or info, which tell Git nothing without objects beside them, or a word where those are. */
static gboolean
is_everyday_ref (char **rest)
{
  static const char *const names_of_one[] = { "objects", "commondir", "gitdir", ".git" };

  return !HAS_ANY (rest, names_of_one);
}

/* @rest begins behind objects/. */
static gboolean
is_everyday_object (char **rest)
{
  if (rest[0] == NULL)
    return TRUE;
  if (is_name (rest[0], "info"))
    return rest[1] == NULL || (IS_AMONG (rest[1], git_object_info) && !holds_directory (rest + 2));
  if (rest[1] == NULL)
    return is_hex (rest[0], 2) || is_name (rest[0], "pack") || g_str_has_prefix (rest[0], "tmp_obj");
  if (rest[2] != NULL)
    return FALSE;
  if (is_name (rest[0], "pack"))
    return !holds_directory (rest + 1) && !is_name (rest[1], "HEAD") && !is_name (rest[1], "refs");

  return is_hex (rest[0], 2)
         && (is_hex (rest[1], 38) || is_hex (rest[1], 62) || g_str_has_prefix (rest[1], "tmp_obj"));
}

/* Git writes most files under this name first. */
static char *
without_lock (const char *name)
{
  return g_str_has_suffix (name, ".lock") ? g_strndup (name, strlen (name) - strlen (".lock")) : g_strdup (name);
}

typedef struct
{
  char **names; /* of the path */
  gboolean (*is_git) (const char *folder, gpointer data);
  gpointer data;
} Path;

/* The first @n names looked at as a folder. */
static gboolean
looks_like_git (const Path *path, guint n)
{
  g_autoptr (GString) folder = g_string_new (n == 0 ? "." : NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (folder, "%s%s", i > 0 ? "/" : "", path->names[i]);
  return path->is_git != NULL && path->is_git (folder->str, path->data);
}

static gboolean is_everyday (const Path *path, guint first);

/* Directories of submodules may have several names, those of work trees have one. */
static gboolean
is_everyday_within (const Path *path, guint first)
{
  for (guint i = first + 2; path->names[i - 1] != NULL && path->names[i] != NULL; i++)
    if (looks_like_git (path, i))
      return is_everyday (path, i);

  return FALSE;
}

/* The names from @first on stand in a Git directory. */
static gboolean
is_everyday (const Path *path, guint first)
{
  char **rest = path->names + first;
  g_autofree char *name = without_lock (rest[0]);

  if (is_name (rest[0], "objects"))
    return is_everyday_object (rest + 1);
  if (is_name (rest[0], "lfs"))
    return rest[1] != NULL && (is_name (rest[1], "objects") || is_name (rest[1], "tmp")) && !holds_directory (rest + 2);
  if (is_name (rest[0], "modules") || is_name (rest[0], "worktrees"))
    return is_everyday_within (path, first);
  if (IS_AMONG (rest[0], git_ref_folders))
    return is_everyday_ref (rest + 1);
  if (IS_AMONG (rest[0], git_folders))
    return !holds_directory (rest + 1);

  return rest[1] == NULL && (IS_AMONG (name, git_files) || g_str_has_prefix (rest[0], "sharedindex."));
}

/* A .git that is made anew, and one that is a file, tell Git everything. */
static gboolean
is_trigger_in_git (const Path *path, guint git)
{
  return path->names[git + 1] == NULL || !looks_like_git (path, git + 1) || !is_everyday (path, git + 1);
}

static gboolean
is_trigger_of_git (const Path *path)
{
  for (guint i = 0; path->names[i] != NULL; i++)
    {
      if (is_name (path->names[i], ".git"))
        return is_trigger_in_git (path, i);
      if (IS_AMONG (path->names[i], git_names) && looks_like_git (path, i))
        return !is_everyday (path, i);
      if (is_name (path->names[i], "HEAD") && path->names[i + 1] == NULL)
        return !looks_like_git (path, i);
    }

  return FALSE;
}

/* Everyday commands of Jujutsu write its store and its operations. */
static gboolean
is_jujutsu_config (char **rest)
{
  return is_name (rest[0], "repo") && rest[1] != NULL && g_str_has_prefix (rest[1], "config");
}

/* Files that a person's own .envrc reads are called so by habit. */
static gboolean
is_envrc (const char *name)
{
  return g_ascii_strncasecmp (name, ".envrc.", strlen (".envrc.")) == 0;
}

static gboolean
is_trigger_of_others (const Path *path)
{
  gboolean is_installed = FALSE;

  for (guint i = 0; path->names[i] != NULL; i++)
    {
      const char *name = path->names[i];
      const char *next = path->names[i + 1];

      if (IS_AMONG (name, names_anywhere) || is_envrc (name))
        return TRUE;
      is_installed = is_installed || is_name (name, "node_modules");
      if (is_installed)
        continue;
      if (IS_AMONG (name, names) || (is_name (name, ".hg") && (next == NULL || IS_AMONG (next, mercurial_names)))
          || (is_name (name, ".cargo") && next != NULL && IS_AMONG (next, cargo_names))
          || (is_name (name, ".bundle") && next != NULL && IS_AMONG (next, bundle_names))
          || (is_name (name, ".config") && next != NULL && IS_AMONG (next, config_names))
          || (is_name (name, ".jj") && (next == NULL || is_jujutsu_config (path->names + i + 1)))
          || (is_name (name, ".yarn") && next != NULL && IS_AMONG (next, yarn_names)))
        return TRUE;
    }

  return FALSE;
}

gboolean
beckon_trigger_path_is_name (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);

  return IS_AMONG (name, names) || IS_AMONG (name, names_anywhere) || is_envrc (name);
}

const char *const *
beckon_trigger_path_get_parts (const char *name, gsize *n)
{
  g_return_val_if_fail (name != NULL && n != NULL, NULL);

  *n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (is_name (name, folders[i].name))
      {
        *n = folders[i].n;
        return folders[i].parts;
      }

  return NULL;
}

gboolean
beckon_trigger_path_leads (const char *path)
{
  g_auto (GStrv) split = NULL;
  guint n;
  gsize n_parts;

  g_return_val_if_fail (path != NULL, TRUE);

  split = g_strsplit (path, "/", -1);
  n = g_strv_length (split);
  if (n == 0 || g_strv_contains ((const char *const *) split, "node_modules"))
    return FALSE;

  return is_name (split[n - 1], "package.json") || beckon_trigger_path_get_parts (split[n - 1], &n_parts) != NULL
         || (n > 1 && is_name (split[n - 2], ".jj") && is_name (split[n - 1], "repo"));
}

gboolean
beckon_trigger_path_is_one (const char *path, gboolean (*is_git) (const char *folder, gpointer data), gpointer data)
{
  g_auto (GStrv) split = NULL;
  Path whole;

  g_return_val_if_fail (path != NULL, TRUE);

  split = g_strsplit (path, "/", -1);
  whole = (Path){ split, is_git, data };
  return is_trigger_of_git (&whole) || is_trigger_of_others (&whole);
}

gboolean
beckon_trigger_path_is_git_index (const char *path, gboolean (*is_git) (const char *folder, gpointer data), gpointer data)
{
  g_auto (GStrv) split = NULL;
  g_autofree char *name = NULL;
  guint n;

  g_return_val_if_fail (path != NULL, TRUE);

  split = g_strsplit (path, "/", -1);
  n = g_strv_length (split);
  if (n == 0)
    return FALSE;

  name = without_lock (split[n - 1]);
  if (!is_name (name, "index") && g_ascii_strncasecmp (name, "sharedindex.", strlen ("sharedindex.")) != 0)
    return FALSE;

  return (n > 1 && is_name (split[n - 2], ".git")) || looks_like_git (&(Path){ split, is_git, data }, n - 1);
}

static gboolean
is_git_on_disk (const char *folder, gpointer data)
{
  g_autofree char *head = g_build_filename (data, folder, "HEAD", NULL);
  struct stat info;

  return lstat (head, &info) == 0;
}

/* The file that stands for a Git directory elsewhere: "gitdir: PATH". */
static char *
read_git_file (const char *folder, const char *file)
{
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_test (file, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents (file, &text, &length, NULL)
      || !g_str_has_prefix (text, "gitdir: "))
    return NULL;

  g_strchomp (text);
  return g_canonicalize_filename (text + strlen ("gitdir: "), folder);
}

static gboolean
is_in_git_link (const char *folder, const char *whole)
{
  g_autofree char *path = g_build_filename (folder, ".git", NULL);
  struct stat info;
  gboolean is_in = FALSE;

  if (lstat (path, &info) == 0 && S_ISLNK (info.st_mode))
    {
      char *real = realpath (path, NULL);

      is_in = real != NULL && beckon_path_is_within (whole, real);
      free (real);
    }
  return is_in;
}

static gboolean
is_executable (const char *path)
{
  struct stat info;

  return stat (path, &info) == 0 && S_ISREG (info.st_mode) && (info.st_mode & 0111) != 0;
}

/* By what Beckon runs, by links with such names, by Git's configuration, or by the .git of the folder itself. */
static gboolean
is_led_to (const char *folder, const char *whole, const char *relative)
{
  g_autofree char *file = g_build_filename (folder, ".git", NULL);
  g_autofree char *elsewhere = read_git_file (folder, file);
  const char *in_git = elsewhere != NULL ? beckon_path_relate (whole, elsewhere) : NULL;
  g_autoptr (GPtrArray) targets = NULL;
  gboolean is_cut;

  if (beckon_trigger_targets_is_own (folder, whole))
    return TRUE;
  if (in_git != NULL)
    {
      g_autofree char *inside = g_build_filename (".git", in_git, NULL);
      g_auto (GStrv) split = g_strsplit (inside, "/", -1);
      const Path path = { split, NULL, NULL };

      return split[1] == NULL || *split[1] == '\0' || !is_everyday (&path, 1)
             || beckon_trigger_path_is_git_index (inside, NULL, NULL);
    }

  if (is_in_git_link (folder, whole))
    return TRUE;

  targets = beckon_trigger_targets_list (folder, relative, BECKON_TRIGGER_TARGETS_OF_FILE, &is_cut);
  return beckon_trigger_targets_have (targets, whole, is_executable (whole))
         || (is_cut && relative != NULL && is_executable (whole));
}

gboolean
beckon_trigger_path_is_in (const char *folder, const char *path)
{
  g_autofree char *whole = NULL;
  const char *relative;

  g_return_val_if_fail (folder != NULL && g_path_is_absolute (folder), TRUE);
  g_return_val_if_fail (path != NULL, TRUE);

  whole = g_canonicalize_filename (path, folder);
  relative = beckon_path_relate (whole, folder);
  if (relative != NULL && *relative != '\0'
      && (beckon_trigger_path_is_one (relative, is_git_on_disk, (gpointer) folder)
          || beckon_trigger_path_is_git_index (relative, is_git_on_disk, (gpointer) folder)))
    return TRUE;

  return is_led_to (folder, whole, relative);
}
