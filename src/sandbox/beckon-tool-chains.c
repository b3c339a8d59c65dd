/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "beckon-config.h"

#include "beckon-tool-chains.h"

#include "base/beckon-path.h"
#include "beckon-sandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PLACES 12
#define MAX_MASKS 200
#define MASK_DEPTH 3

/* Comes behind the chains' folders. */
#define SYSTEM_PATH "/usr/local/bin:/usr/bin:/bin"

/* Paths are relative to @root, which is relative to the home.
 *
 * @shown: folders and files that hold no secrets; behind "PLACE>" what is shown there, because more is written beside it; after
 *   "?" only where there is no network
 * @programs: what comes into PATH; of a pattern the last match, by version
 * @variables: NAME=PATH, relative to the root; of an absolute path, that */
typedef struct
{
  const char *name;
  const char *title;
  const char *root;
  const char *shown[MAX_PLACES];
  const char *programs[3];
  const char *variables[2];
} Known;

static const Known known[] = {
  { "rust", "Rust", ".cargo", { "bin", "?/tmp/home/.cargo/registry>registry" }, { "bin" }, { NULL } },
  { "rust", "Rust", ".rustup", { "/tmp/home/.rustup/toolchains>toolchains", "/tmp/home/.rustup/settings.toml>settings.toml" },
    { NULL }, { NULL } },
  { "go", "Go", "go", { "bin", "?/tmp/home/go/pkg/mod>pkg/mod" }, { "bin" }, { NULL } },
  { "go", "Go", "sdk", { "." }, { "go*/bin" }, { NULL } },
  { "go", "Go", ".local/go", { "bin", "pkg", "src", "lib", "go.env", "VERSION" }, { "bin" }, { NULL } },
  { "nvm", "Node (nvm)", ".nvm", { "versions", "alias", "nvm.sh", "nvm-exec" }, { "versions/node/*/bin" }, { "NVM_DIR=." } },
  { "fnm", "Node (fnm)", ".local/share/fnm", { "node-versions", "aliases" }, { "node-versions/*/installation/bin" }, { NULL } },
  { "volta", "Node (Volta)", ".volta", { "bin", "tools" }, { "bin" }, { "VOLTA_HOME=." } },
  { "pnpm", "pnpm", ".local/share/pnpm", { "pnpm", "pnpx", "global", "nodejs" }, { "." }, { NULL } },
  { "deno", "Deno", ".deno", { "bin" }, { "bin" }, { NULL } },
  { "bun", "Bun", ".bun", { "bin" }, { "bin" }, { NULL } },
  { "pyenv", "Python (pyenv)", ".pyenv",
    { "bin", "completions", "libexec", "plugins", "pyenv.d", "shims", "src", "version", "versions" }, { "shims", "bin" },
    { "PYENV_ROOT=." } },
  { "uv", "Python (uv)", ".local/share/uv", { "python", "tools" }, { NULL }, { NULL } },
  { "pipx", "Python (pipx)", ".local/share/pipx", { "venvs", "shared" }, { NULL }, { NULL } },
  { "conda", "Conda", "miniconda3", { "bin", "condabin", "envs", "include", "lib", "libexec", "share", "ssl", "conda-meta" },
    { "bin" }, { NULL } },
  { "conda", "Conda", "miniforge3", { "bin", "condabin", "envs", "include", "lib", "libexec", "share", "ssl", "conda-meta" },
    { "bin" }, { NULL } },
  { "conda", "Conda", "anaconda3", { "bin", "condabin", "envs", "include", "lib", "libexec", "share", "ssl", "conda-meta" },
    { "bin" }, { NULL } },
  { "rbenv", "Ruby (rbenv)", ".rbenv",
    { "bin", "completions", "libexec", "plugins", "rbenv.d", "shims", "version", "versions" },
    { "shims", "bin" }, { "RBENV_ROOT=." } },
  { "sdkman", "Java (SDKMAN!)", ".sdkman", { "candidates" }, { "candidates/*/current/bin" }, { NULL } },
  { "dotnet", ".NET", ".dotnet", { "dotnet", "host", "packs", "sdk", "sdk-manifests", "shared", "templates", "tools" },
    { ".", "tools" }, { "DOTNET_ROOT=." } },
  { "ghcup", "Haskell (GHCup)", ".ghcup", { "bin", "ghc", "hls", "lib", "share" }, { "bin" }, { NULL } },
  { "julia", "Julia", ".juliaup", { "bin" }, { "bin" }, { NULL } },
  { "julia", "Julia", ".julia", { "juliaup" }, { NULL }, { NULL } },
  { "asdf", "asdf", ".asdf", { "bin", "installs", "lib", "libexec", "plugins", "shims" }, { "shims", "bin" },
    { "ASDF_DATA_DIR=." } },
  { "mise", "mise", ".local/share/mise", { "installs", "shims" }, { "shims" }, { "MISE_DATA_DIR=." } },
  { "local", "~/.local/bin", ".local/bin", { "." }, { "." }, { NULL } },
  { "local", "~/.local/bin", ".local/lib", { "." }, { NULL }, { NULL } },
};

/* All matches of these patterns come into PATH. */
#define EACH "*/current/bin"

/* Usual names of credentials, wherever they are. */
static const char *const secrets[] = {
  ".credentials", ".env",     ".git-credentials", ".netrc",   ".npmrc",           ".pypirc", ".yarnrc.yml", "_netrc",
  "auth.json",    "auth.toml", ".condarc",        "condarc",  "credentials",      "credentials.json", "credentials.toml",
  "netrc",        "npmrc",     "pip.conf",        ".git",     ".ssh",             ".gnupg",
};

struct _BeckonToolChainView
{
  GString *arguments;
  GString *path;
  GPtrArray *shown; /* (element-type utf8): ends with NULL */
  guint n_masks;
};

static void
tool_chain_free (BeckonToolChain *chain)
{
  g_free (chain->folder);
  g_free (chain);
}

/* (nullable): where it really is: a link from within it leads nowhere else. */
static char *
chains_resolve (const char *root, const char *name)
{
  g_autofree char *path = g_build_filename (root, name, NULL);
  g_autofree char *real = realpath (path, NULL);

  return real != NULL && beckon_path_is_within (real, root) ? g_steal_pointer (&real) : NULL;
}

/* (nullable): the folder of a chain, which may itself be a link. */
static char *
resolve_root (const char *home, const Known *chain)
{
  g_autofree char *path = g_build_filename (home, chain->root, NULL);
  g_autofree char *real = realpath (path, NULL);
  g_autofree char *real_home = realpath (home, NULL);

  if (real == NULL || real_home == NULL || beckon_path_is_within (real_home, real) || beckon_sandbox_is_private (real))
    return NULL;
  return g_steal_pointer (&real);
}

static const char *
skip_target (const char *shown)
{
  const char *end = strchr (shown, '>');

  return end != NULL ? end + 1 : shown;
}

static gboolean
chains_is_there (const char *home, const Known *chain)
{
  g_autofree char *root = resolve_root (home, chain);

  for (guint i = 0; root != NULL && i < MAX_PLACES && chain->shown[i] != NULL; i++)
    {
      g_autofree char *path = chains_resolve (root, skip_target (chain->shown[i]));

      if (path != NULL)
        return TRUE;
    }

  return FALSE;
}

static BeckonToolChain *
find_named (GPtrArray *found, const char *name)
{
  for (guint i = 0; i < found->len; i++)
    if (g_str_equal (((BeckonToolChain *) g_ptr_array_index (found, i))->name, name))
      return g_ptr_array_index (found, i);

  return NULL;
}

GPtrArray *
beckon_tool_chains_find (const char *home)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) tool_chain_free);

  g_return_val_if_fail (home != NULL, found);

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (chains_is_there (home, &known[i]))
      {
        BeckonToolChain *chain = find_named (found, known[i].name);

        if (chain == NULL)
          {
            chain = g_new0 (BeckonToolChain, 1);
            chain->name = known[i].name;
            chain->title = known[i].title;
            chain->folder = g_build_filename ("~", known[i].root, NULL);
            g_ptr_array_add (found, chain);
          }
        else
          {
            g_autofree char *before = chain->folder;

            chain->folder = g_strdup_printf ("%s, ~/%s", before, known[i].root);
          }
      }

  return found;
}

static gboolean
is_secret (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    if (g_ascii_strcasecmp (name, secrets[i]) == 0)
      return TRUE;

  return g_str_has_prefix (name, "credentials.") || g_str_has_prefix (name, "id_");
}

static void
mask (BeckonToolChainView *self, const char *path, gboolean is_folder)
{
  if (++self->n_masks > MAX_MASKS)
    return;
  if (is_folder)
    beckon_bwrap_add (self->arguments, "--perms", "0500", "--size", "4096", "--tmpfs", path, NULL);
  else
    beckon_bwrap_add (self->arguments, "--dev-bind", "/dev/null", path, NULL);
}

/* Not every file system says it at once. */
static gboolean
is_folder (DIR *folder, const struct dirent *entry)
{
  struct stat info;

  if (entry->d_type != DT_UNKNOWN)
    return entry->d_type == DT_DIR;
  return fstatat (dirfd (folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR (info.st_mode);
}

/* @source is where it lies, @target where it is shown. A link shows nothing that is not shown anyway. */
static void
mask_secrets (BeckonToolChainView *self, const char *source, const char *target, guint depth)
{
  DIR *folder = opendir (source);
  struct dirent *entry;

  if (folder == NULL)
    return;
  while ((entry = readdir (folder)) != NULL)
    {
      g_autofree char *below = g_build_filename (source, entry->d_name, NULL);
      g_autofree char *shown = g_build_filename (target, entry->d_name, NULL);

      if (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, "..") || entry->d_type == DT_LNK)
        continue;
      if (is_secret (entry->d_name))
        mask (self, shown, is_folder (folder, entry));
      else if (depth > 0 && is_folder (folder, entry))
        mask_secrets (self, below, shown, depth - 1);
    }
  closedir (folder);
}

static void
chains_show (BeckonToolChainView *self, const char *root, const char *shown, gboolean network)
{
  const char *end = strchr (shown, '>');
  const char *begin = *shown == '?' ? shown + 1 : shown;
  g_autofree char *source = chains_resolve (root, skip_target (shown));
  g_autofree char *target = end != NULL ? g_strndup (begin, (gsize) (end - begin)) : g_strdup (source);

  const gsize length = self->arguments->len;
  const guint n_masks = self->n_masks;

  if (source == NULL || (*shown == '?' && network))
    return;
  beckon_bwrap_add (self->arguments, "--ro-bind-try", source, target, NULL);
  mask_secrets (self, source, target, MASK_DEPTH);
  if (self->n_masks <= MAX_MASKS)
    {
      if (end == NULL)
        g_ptr_array_insert (self->shown, 0, g_steal_pointer (&source));
      return;
    }

  /* A place with so many is not shown. */
  g_string_truncate (self->arguments, length);
  self->n_masks = n_masks;
}

/* By numbers where there are some: 10 comes behind 9. */
static int
compare_versions (gconstpointer one, gconstpointer other)
{
  return strverscmp (*(const char *const *) one, *(const char *const *) other);
}

/* (nullable): the folder of a chain that commands in @folder may be shown. */
static char *
resolve_root_for (const char *home, const Known *chain, const char *folder)
{
  g_autofree char *root = resolve_root (home, chain);

  if (root == NULL || beckon_path_is_within (folder, root) || beckon_path_is_within (root, folder))
    return NULL;
  return g_steal_pointer (&root);
}

static void
add_chain (BeckonToolChainView *self, const char *home, const Known *chain, const char *folder, gboolean network)
{
  g_autofree char *root = resolve_root_for (home, chain, folder);

  if (root == NULL || !chains_is_there (home, chain))
    return;

  for (guint i = 0; i < MAX_PLACES && chain->shown[i] != NULL; i++)
    chains_show (self, root, chain->shown[i], network);
  for (guint i = 0; i < G_N_ELEMENTS (chain->programs) && chain->programs[i] != NULL; i++)
    {
      const char *pattern = chain->programs[i];
      g_autofree char *whole = g_build_filename (root, pattern, NULL);
      g_autoptr (GPtrArray) paths = g_ptr_array_new ();
      gboolean takes_each = g_str_has_suffix (pattern, EACH);
      glob_t found;

      if (glob (whole, 0, NULL, &found) == 0)
        {
          for (gsize j = 0; j < found.gl_pathc; j++)
            if (strchr (found.gl_pathv[j], ':') == NULL)
              g_ptr_array_add (paths, found.gl_pathv[j]);
          g_ptr_array_sort (paths, compare_versions);
          for (guint j = takes_each || paths->len == 0 ? 0 : paths->len - 1; j < paths->len; j++)
            g_string_append_printf (self->path, "%s:", (const char *) g_ptr_array_index (paths, j));
          globfree (&found);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (chain->variables) && chain->variables[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (chain->variables[i], "=", 2);
      g_autofree char *path = g_str_equal (parts[1], ".") ? g_strdup (root) : g_build_filename (root, parts[1], NULL);

      beckon_bwrap_add (self->arguments, "--setenv", parts[0], path, NULL);
    }
}

BeckonToolChainView *
beckon_tool_chains_look (const char *home, const char *const *names, const char *folder, gboolean network)
{
  BeckonToolChainView *self;

  g_return_val_if_fail (home != NULL && names != NULL && folder != NULL, NULL);

  self = g_new0 (BeckonToolChainView, 1);
  self->arguments = g_string_new (NULL);
  self->path = g_string_new (NULL);
  self->shown = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->shown, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strv_contains (names, known[i].name))
      add_chain (self, home, &known[i], folder, network);
  return self;
}

gboolean
beckon_tool_chains_show (const char *home, const char *const *names, const char *folder, const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *root = g_strv_contains (names, known[i].name) ? resolve_root_for (home, &known[i], folder) : NULL;

      for (guint k = 0; root != NULL && beckon_path_is_within (path, root) && k < MAX_PLACES && known[i].shown[k] != NULL; k++)
        {
          g_autofree char *place = strchr (known[i].shown[k], '>') == NULL ? chains_resolve (root, known[i].shown[k]) : NULL;

          if (place != NULL && beckon_path_is_within (path, place))
            return TRUE;
        }
    }
  return FALSE;
}

const char *
beckon_tool_chain_view_get_path (const BeckonToolChainView *view)
{
  g_return_val_if_fail (view != NULL, "");

  return view->path->str;
}

const char *const *
beckon_tool_chain_view_list_shown (const BeckonToolChainView *view)
{
  g_return_val_if_fail (view != NULL, NULL);

  return (const char *const *) view->shown->pdata;
}

void
beckon_tool_chain_view_add_arguments (BeckonToolChainView *view, GString *arguments)
{
  g_autofree char *path = NULL;

  g_string_append_len (arguments, view->arguments->str, (gssize) view->arguments->len);
  if (view->path->len == 0)
    return;
  path = g_strconcat (view->path->str, SYSTEM_PATH, NULL);
  beckon_bwrap_add (arguments, "--setenv", "PATH", path, NULL);
}

void
beckon_tool_chain_view_free (BeckonToolChainView *view)
{
  if (view == NULL)
    return;

  g_string_free (view->arguments, TRUE);
  g_string_free (view->path, TRUE);
  g_ptr_array_unref (view->shown);
  g_free (view);
}
