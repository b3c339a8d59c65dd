/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-trigger-targets.h"

#include "base/beckon-path.h"
#include "beckon-git-config.h"
#include "beckon-trigger-path.h"
#include "beckon-trigger-targets-private.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many as the kernel follows. */
#define MAX_LINKS 40

/* Git includes no deeper. */
#define MAX_INCLUDES 10

/* No configuration that anybody wrote is larger. */
#define MAX_CONFIG (1024 * 1024)

/* More are not listed of one Git directory. */
#define MAX_MODULES 1000

/* No command of anybody's goes to more folders. */
#define MAX_BASES 16

/* Commands that Beckon runs itself, each in one text with line breaks between its words. */
static GMutex own_lock;
static GStrv own_commands;

/* A file of configuration, and from where its values are read. */
typedef struct
{
  BeckonTriggerSearch *search;
  const char *work_tree;
  const char *file;
  guint depth;
} Config;

static void
target_free (gpointer data)
{
  BeckonTriggerTarget *target = data;

  g_free (target->path);
  g_free (target);
}

/* Takes @path. */
void
beckon_trigger_search_take (BeckonTriggerSearch *search, char *path, gboolean is_for_programs)
{
  BeckonTriggerTarget *target = g_new0 (BeckonTriggerTarget, 1);

  target->path = path;
  target->is_for_programs = is_for_programs;
  g_ptr_array_add (search->targets, target);
}

/* Finds where the link at @path ends, whether anything is there or not. */
char *
beckon_trigger_search_follow (const char *path)
{
  g_autofree char *at = g_strdup (path);

  for (guint i = 0; i < MAX_LINKS; i++)
    {
      g_autofree char *target = g_file_read_link (at, NULL);
      g_autofree char *parent = g_path_get_dirname (at);
      char *real = realpath (at, NULL);

      if (real != NULL)
        {
          g_free (at);
          at = g_strdup (real);
          free (real);
          break;
        }
      if (target == NULL)
        break;
      g_free (at);
      at = g_canonicalize_filename (target, parent);
    }
  return g_steal_pointer (&at);
}

gboolean
beckon_trigger_search_is_link (const char *path)
{
  struct stat info;

  return lstat (path, &info) == 0 && S_ISLNK (info.st_mode);
}

/* Each link on the way may be changed as well as the end. */
static void
add_steps (BeckonTriggerSearch *search, const char *path)
{
  g_autofree char *at = g_strdup (path);

  for (guint i = 0; i < MAX_LINKS && beckon_trigger_search_is_link (at); i++)
    {
      g_autofree char *next = g_file_read_link (at, NULL);
      g_autofree char *parent = g_path_get_dirname (at);

      if (next == NULL)
        break;
      g_free (at);
      at = g_canonicalize_filename (next, parent);
      beckon_trigger_search_take (search, g_strdup (at), FALSE);
    }
  beckon_trigger_search_take (search, beckon_trigger_search_follow (path), FALSE);
}

void
beckon_trigger_search_add_link (BeckonTriggerSearch *search, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (beckon_trigger_search_is_link (path))
    add_steps (search, path);
}

static void
add_links_in (BeckonTriggerSearch *search, const char *folder)
{
  g_autoptr (GDir) entries = g_dir_open (folder, 0, NULL);
  const char *name;

  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL)
    beckon_trigger_search_add_link (search, folder, name);
}

/* Git's configuration. */

/* Values that are no paths, or paths of what is neither run nor says what to run. */
static gboolean
is_harmless (const char *section, const char *key)
{
  static const char *const sections[]
      = { "author", "branch", "color", "column", "committer", "gui", "push", "safe", "url", "user" };
  static const char *const keys[] = {
    "core.worktree", "core.excludesfile", "core.attributesfile", "blame.ignorerevsfile", "commit.template",
    "mailmap.file",  "remote.fetch",      "remote.push",         "remote.pushurl",       "remote.url",
    "submodule.url", "submodule.active",  "submodule.branch",    "submodule.path",       "remote.pushdefault",
    "init.defaultbranch", "maintenance.repo", "scalar.repo",
  };
  g_autofree char *name = g_strconcat (section, ".", key, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    if (strcmp (section, sections[i]) == 0)
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (strcmp (name, keys[i]) == 0)
      return TRUE;

  return FALSE;
}

/* Nearly every value of an everyday configuration. */
static gboolean
is_simple (const char *value)
{
  static const char *const words[] = { "true", "false", "yes", "no", "on", "off", "auto", "always", "never" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (value, words[i]) == 0)
      return TRUE;

  return value[strspn (value, "0123456789")] == '\0';
}

/* Both the path and where links in it lead; nothing outside of the folder is anybody's to change here. */
void
beckon_trigger_search_add_path (BeckonTriggerSearch *search, const char *path)
{
  g_autofree char *real = beckon_trigger_search_follow (path);

  if (beckon_path_is_within (path, search->folder))
    beckon_trigger_search_take (search, g_strdup (path), FALSE);
  if (strcmp (real, path) != 0 && beckon_path_is_within (real, search->folder))
    beckon_trigger_search_take (search, g_steal_pointer (&real), FALSE);
}

char *
beckon_trigger_search_resolve (const char *word, const char *folder)
{
  if (g_str_has_prefix (word, "~/"))
    return g_canonicalize_filename (word + 2, g_get_home_dir ());

  return g_canonicalize_filename (word, folder);
}

/* Several work trees may have the same. */
gboolean
beckon_trigger_search_is_first (BeckonTriggerSearch *search, const char *work_tree, const char *path)
{
  return g_hash_table_add (search->seen, g_strconcat (work_tree, "//", path, NULL));
}

static void read_config (BeckonTriggerSearch *search, const char *work_tree, const char *file, guint depth);

/* A relative one begins where the file is that names it. */
static void
add_include (const Config *config, const char *value)
{
  g_autofree char *parent = g_path_get_dirname (config->file);
  g_autofree char *path = beckon_trigger_search_resolve (value, parent);

  beckon_trigger_search_add_path (config->search, path);
  if (config->depth < MAX_INCLUDES)
    read_config (config->search, config->work_tree, path, config->depth + 1);
}

/* A name without a slash is a program of the system's, unless there is such a file. */
static void
add_word (const Config *config, const char *word)
{
  g_autofree char *git = g_path_get_dirname (config->file);
  const char *const folders[] = { config->work_tree, git };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = beckon_trigger_search_resolve (word, folders[i]);

      if (!beckon_path_is_within (config->search->folder, path)
          && (strchr (word, '/') != NULL || g_file_test (path, G_FILE_TEST_EXISTS)))
        beckon_trigger_search_add_path (config->search, path);
    }
}

static void
note_value (const char *section, const char *key, const char *value, gpointer data)
{
  const Config *config = data;
  g_auto (GStrv) words = NULL;

  if (is_simple (value) || is_harmless (section, key))
    return;
  if (strcmp (key, "path") == 0 && (strcmp (section, "include") == 0 || strcmp (section, "includeif") == 0))
    {
      add_include (config, value);
      return;
    }
  if (strcmp (section, "core") == 0 && strcmp (key, "hookspath") == 0)
    {
      g_autofree char *path = beckon_trigger_search_resolve (value, config->work_tree);

      beckon_trigger_search_add_path (config->search, path);
      return;
    }

  /* A command for a shell, or a path. */
  add_word (config, value);
  words = g_strsplit_set (value, SHELL_SIGNS, -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0' && *words[i] != '-')
      add_word (config, words[i]);
}

/* %NULL where there is none. *@is_odd: (out): something is there that cannot be read so. */
char *
beckon_trigger_search_read_bounded (const char *path, gsize *length, gboolean *is_odd)
{
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  g_autofree char *text = NULL;
  struct stat info;
  gssize n = 1;

  *is_odd = FALSE;
  *length = 0;
  if (fd < 0)
    return NULL;

  *is_odd = fstat (fd, &info) != 0 || !S_ISREG (info.st_mode) || info.st_size > MAX_CONFIG;
  if (!*is_odd)
    {
      text = g_malloc (MAX_CONFIG + 1);
      while (n > 0 && *length < MAX_CONFIG && (n = read (fd, text + *length, MAX_CONFIG - *length)) > 0)
        *length += (gsize) n;
      text[*length] = '\0';
      *is_odd = n < 0;
    }
  close (fd);
  return *is_odd ? NULL : g_steal_pointer (&text);
}

/* An unreadable file may name any path: everything waits. */
static void
read_config (BeckonTriggerSearch *search, const char *work_tree, const char *file, guint depth)
{
  Config config = { search, work_tree, file, depth };
  g_autofree char *text = NULL;
  gsize length;
  gboolean is_odd;

  if (!beckon_trigger_search_is_first (search, work_tree, file))
    return;

  text = beckon_trigger_search_read_bounded (file, &length, &is_odd);
  if (is_odd)
    beckon_trigger_search_take (search, g_strdup (search->folder), FALSE);
  if (text != NULL)
    beckon_git_config_parse (text, length, note_value, &config);
}

/* The person's own configuration and the system's count in every repository, and what is relative there begins in each. */
static void
read_own_configs (BeckonTriggerSearch *search, const char *work_tree)
{
  g_autofree char *home = g_build_filename (g_get_home_dir (), ".gitconfig", NULL);
  g_autofree char *user = g_build_filename (g_get_user_config_dir (), "git", "config", NULL);

  read_config (search, work_tree, "/etc/gitconfig", 0);
  read_config (search, work_tree, user, 0);
  read_config (search, work_tree, home, 0);
}

/* Git directories. */

/* A file with one line that says where something is. */
static char *
read_pointer (const char *folder, const char *name, const char *prefix)
{
  g_autofree char *file = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  gsize length;
  gboolean is_odd;

  text = beckon_trigger_search_read_bounded (file, &length, &is_odd);
  if (text == NULL || !g_str_has_prefix (text, prefix))
    return NULL;

  g_strchomp (text);
  return beckon_trigger_search_resolve (text + strlen (prefix), folder);
}

static void
look_at_git (BeckonTriggerSearch *search, const char *work_tree, const char *git, gboolean with_modules)
{
  static const char *const names[] = { "config", "config.worktree", "hooks", "info", "modules" };
  g_autofree char *config = g_build_filename (git, "config", NULL);
  g_autofree char *own_config = g_build_filename (git, "config.worktree", NULL);
  g_autofree char *hooks = g_build_filename (git, "hooks", NULL);
  g_autofree char *modules = g_build_filename (git, "modules", NULL);
  g_autofree char *common = read_pointer (git, "commondir", "");
  g_autoptr (GDir) entries = NULL;
  const char *name;

  if (!beckon_trigger_search_is_first (search, work_tree, git))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    beckon_trigger_search_add_link (search, git, names[i]);
  add_links_in (search, hooks);
  read_own_configs (search, work_tree);
  read_config (search, work_tree, config, 0);
  read_config (search, work_tree, own_config, 0);
  if (common != NULL)
    look_at_git (search, work_tree, common, FALSE);
  entries = with_modules ? g_dir_open (modules, 0, NULL) : NULL;
  for (guint i = 0; i < MAX_MODULES && entries != NULL && (name = g_dir_read_name (entries)) != NULL; i++)
    {
      g_autofree char *module = g_build_filename (modules, name, NULL);

      look_at_git (search, work_tree, module, FALSE);
      search->is_cut = search->is_cut || i + 1 == MAX_MODULES;
    }
}

/* The Git directory of a work tree, wherever it is. */
static void
look_at_work_tree (BeckonTriggerSearch *search, const char *work_tree)
{
  g_autofree char *git = g_build_filename (work_tree, ".git", NULL);
  g_autofree char *elsewhere = NULL;

  if (g_file_test (git, G_FILE_TEST_IS_DIR))
    {
      look_at_git (search, work_tree, git, TRUE);
      return;
    }

  elsewhere = read_pointer (work_tree, ".git", "gitdir: ");
  if (elsewhere != NULL)
    look_at_git (search, work_tree, elsewhere, TRUE);
}

/* The folder. */

/* A link with the name of a folder of which some files count, and one in such a folder. */
static void
add_link_of_parts (BeckonTriggerSearch *search, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_basename (folder);
  g_autofree char *end = NULL;
  const char *const *parts;
  gsize n;

  parts = beckon_trigger_path_get_parts (parent, &n);
  for (gsize i = 0; i < n; i++)
    if (g_ascii_strcasecmp (parts[i], name) == 0)
      beckon_trigger_search_add_link (search, folder, name);

  parts = beckon_trigger_path_get_parts (name, &n);
  end = n > 0 && beckon_trigger_search_is_link (path) ? beckon_trigger_search_follow (path) : NULL;
  for (gsize i = 0; i < n && end != NULL; i++)
    {
      beckon_trigger_search_take (search, g_build_filename (end, parts[i], NULL), FALSE);
      beckon_trigger_search_add_link (search, end, parts[i]);
    }
}

static gboolean
is_folder (const char *path, const struct dirent *entry)
{
  struct stat info;

  return entry->d_type == DT_DIR
         || (entry->d_type == DT_UNKNOWN && lstat (path, &info) == 0 && S_ISDIR (info.st_mode));
}

static void
look_at (BeckonTriggerSearch *search, const char *folder, const struct dirent *entry, GQueue *next, GQueue *last)
{
  g_autofree char *path = NULL;

  if (g_ascii_strcasecmp (entry->d_name, ".git") == 0)
    {
      look_at_work_tree (search, folder);
      return;
    }
  if (strcmp (entry->d_name, "HEAD") == 0)
    {
      look_at_git (search, folder, folder, TRUE);
      return;
    }
  if (strcmp (entry->d_name, ".envrc") == 0 || g_str_has_prefix (entry->d_name, ".envrc."))
    beckon_trigger_search_look_at_envrc (search, folder, entry->d_name);
  if (strcmp (entry->d_name, "package.json") == 0)
    beckon_trigger_search_look_at_package (search, folder);
  if (entry->d_type != DT_LNK && entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
    return;

  path = g_build_filename (folder, entry->d_name, NULL);
  if (is_folder (path, entry))
    g_queue_push_tail (strcmp (entry->d_name, "node_modules") == 0 ? last : next, g_steal_pointer (&path));
  else if (beckon_trigger_path_is_name (entry->d_name))
    beckon_trigger_search_add_link (search, folder, entry->d_name);
  else
    add_link_of_parts (search, folder, entry->d_name);
}

static void
read_folder (BeckonTriggerSearch *search, const char *folder, GQueue *next, GQueue *last)
{
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *entries = fd >= 0 ? fdopendir (fd) : NULL;
  struct dirent *entry;

  if (entries == NULL && fd >= 0)
    close (fd);
  while (entries != NULL && search->left > 0 && (entry = readdir (entries)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      {
        search->left--;
        look_at (search, folder, entry, next, last);
      }
  if (entries != NULL)
    closedir (entries);
}

/* Breadth first, and what package managers install at the end. */
static void
read_all (BeckonTriggerSearch *search)
{
  GQueue next = G_QUEUE_INIT;
  GQueue last = G_QUEUE_INIT;

  g_queue_push_tail (&next, g_strdup (search->folder));
  while (search->left > 0 && (!g_queue_is_empty (&next) || !g_queue_is_empty (&last)))
    {
      g_autofree char *folder = g_queue_pop_head (g_queue_is_empty (&next) ? &last : &next);

      read_folder (search, folder, &next, &last);
    }
  search->is_cut = search->is_cut || search->left == 0;
  g_queue_clear_full (&next, g_free);
  g_queue_clear_full (&last, g_free);
}

static void
look_at_parents (BeckonTriggerSearch *search, const char *path)
{
  for (const char *at = path; (at = strchr (at, '/')) != NULL; at++)
    {
      g_autofree char *name = g_strndup (path, (gsize) (at - path));
      g_autofree char *parent = g_build_filename (search->folder, name, NULL);

      look_at_work_tree (search, parent);
      beckon_trigger_search_look_at_envrc (search, parent, ".envrc");
      beckon_trigger_search_look_at_package (search, parent);
    }
}

/* A repository that the folder is a part of may name what is in it, and so may a .envrc. */
static void
look_above_folder (BeckonTriggerSearch *search)
{
  g_autofree char *at = g_path_get_dirname (search->folder);

  while (at[1] != '\0')
    {
      char *parent = g_path_get_dirname (at);

      look_at_work_tree (search, at);
      beckon_trigger_search_look_at_envrc (search, at, ".envrc");
      beckon_trigger_search_look_at_package (search, at);
      g_free (at);
      at = parent;
    }
  look_at_work_tree (search, at);
  beckon_trigger_search_look_at_envrc (search, at, ".envrc");
}

/* Programs that Beckon runs itself. */

void
beckon_trigger_targets_set_own (const char *const *commands)
{
  g_mutex_lock (&own_lock);
  g_strfreev (own_commands);
  own_commands = g_strdupv ((char **) commands);
  g_mutex_unlock (&own_lock);
}

static GStrv
dup_own (void)
{
  GStrv commands;

  g_mutex_lock (&own_lock);
  commands = g_strdupv (own_commands);
  g_mutex_unlock (&own_lock);
  return commands;
}

/* A folder around the working folder is no file that could be changed in there. */
static void
add_own_target (BeckonTriggerSearch *search, char *path)
{
  if (strcmp (path, search->folder) != 0 && beckon_path_is_within (search->folder, path))
    g_free (path);
  else
    beckon_trigger_search_take (search, path, FALSE);
}

/* Every link on the way to @path counts, because a change of it chooses where the way ends. As the kernel goes: ".." behind
 * a link is above of what the link leads to. */
static void
add_way (BeckonTriggerSearch *search, const char *path)
{
  g_autoptr (GString) rest = g_string_new (path);
  g_autofree char *at = g_strdup ("/");
  guint n_links = 0;

  while (rest->len > 0)
    {
      gsize length = strcspn (rest->str, "/");
      g_autofree char *name = g_strndup (rest->str, length);
      g_autofree char *next = strcmp (name, "..") == 0 ? g_path_get_dirname (at) : g_build_filename (at, name, NULL);
      g_autofree char *target = NULL;

      g_string_erase (rest, 0, (gssize) MIN (length + 1, rest->len));
      if (*name == '\0' || strcmp (name, ".") == 0)
        continue;
      if (n_links < MAX_LINKS && beckon_trigger_search_is_link (next) && (target = g_file_read_link (next, NULL)) != NULL)
        {
          n_links++;
          add_own_target (search, g_steal_pointer (&next));
          g_string_prepend_c (rest, '/');
          g_string_prepend (rest, target);
          next = g_strdup (*target == '/' ? "/" : at);
        }
      g_free (at);
      at = g_steal_pointer (&next);
    }
  add_own_target (search, g_steal_pointer (&at));
}

/* A word without a slash that is a folder says more often something else. */
static void
add_own_path (BeckonTriggerSearch *search, const char *word, const char *folder, gboolean is_path)
{
  g_autofree char *path = NULL;

  if (g_str_has_prefix (word, "~/"))
    path = g_build_filename (g_get_home_dir (), word + 2, NULL);
  else
    path = g_path_is_absolute (word) ? g_strdup (word) : g_build_filename (folder, word, NULL);
  if (is_path || strchr (word, '/') != NULL || !g_file_test (path, G_FILE_TEST_IS_DIR))
    add_way (search, path);
}

/* Any word may be a program's name: another may stand before it. */
static void
add_in_search_path (BeckonTriggerSearch *search, const char *word)
{
  const char *variable = g_getenv ("PATH");
  g_auto (GStrv) folders = g_strsplit (variable != NULL ? variable : "", ":", -1);

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *folder = g_canonicalize_filename (folders[i], g_get_home_dir ());

      add_own_path (search, word, folder, FALSE);
    }
}

static gboolean
leads_to_folder (const char *word)
{
  static const char *const words[] = { "cd", "-C", "--directory", "--chdir" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (word, words[i]) == 0)
      return TRUE;

  return FALSE;
}

/* The words of a command, as they are, behind a "=", and as a shell or a list would part them. */
static GPtrArray *
part_words (const char *command)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) whole = g_string_new (command);
  g_auto (GStrv) words = NULL;

  g_string_replace (whole, "${HOME}", g_get_home_dir (), 0);
  g_string_replace (whole, "$HOME", g_get_home_dir (), 0);
  words = g_strsplit (whole->str, "\n", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) pieces = g_strsplit_set (words[i], SHELL_SIGNS "@", -1);
      const char *value = strchr (words[i], '=');

      g_ptr_array_add (parts, g_strdup (words[i]));
      if (value != NULL)
        g_ptr_array_add (parts, g_strdup (value + 1));
      for (guint j = 0; pieces[j] != NULL && pieces[1] != NULL; j++)
        g_ptr_array_add (parts, g_strdup (pieces[j]));
    }

  return parts;
}

/* A command starts in the person's home, and may go to a folder that it names. */
static GPtrArray *
list_bases (GPtrArray *parts)
{
  GPtrArray *bases = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (bases, g_strdup (g_get_home_dir ()));
  for (guint i = 1; i < parts->len && bases->len < MAX_BASES; i++)
    if (leads_to_folder (g_ptr_array_index (parts, i - 1)))
      g_ptr_array_add (bases, beckon_trigger_search_resolve (g_ptr_array_index (parts, i), g_get_home_dir ()));

  return bases;
}

static void
add_own_command (BeckonTriggerSearch *search, const char *command)
{
  g_autoptr (GPtrArray) parts = part_words (command);
  g_autoptr (GPtrArray) bases = list_bases (parts);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < parts->len; i++)
    {
      const char *part = g_ptr_array_index (parts, i);
      gboolean is_path = i > 0 && leads_to_folder (g_ptr_array_index (parts, i - 1));

      if (*part == '\0' || *part == '-' || (!g_hash_table_add (seen, (gpointer) part) && !is_path))
        continue;
      for (guint j = 0; j < bases->len; j++)
        add_own_path (search, part, g_ptr_array_index (bases, j), is_path);
      if (strchr (part, '/') == NULL)
        add_in_search_path (search, part);
    }
}

static void
add_own (BeckonTriggerSearch *search)
{
  g_auto (GStrv) commands = dup_own ();

  for (guint i = 0; commands != NULL && commands[i] != NULL; i++)
    add_own_command (search, commands[i]);
}

gboolean
beckon_trigger_targets_is_own (const char *folder, const char *path)
{
  g_autoptr (GPtrArray) targets = g_ptr_array_new_with_free_func (target_free);
  BeckonTriggerSearch search = { folder, targets, NULL, 0, 0, FALSE };

  g_return_val_if_fail (folder != NULL && g_path_is_absolute (folder) && path != NULL, TRUE);

  add_own (&search);
  return beckon_trigger_targets_have (targets, path, FALSE);
}

/* All of it. */

GPtrArray *
beckon_trigger_targets_list (const char *folder, const char *path, guint n_entries, gboolean *is_cut)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  BeckonTriggerSearch search = { folder, g_ptr_array_new_with_free_func (target_free), seen, n_entries, 0, FALSE };

  g_return_val_if_fail (folder != NULL && g_path_is_absolute (folder), search.targets);

  add_own (&search);
  read_own_configs (&search, folder);
  look_at_work_tree (&search, folder);
  beckon_trigger_search_look_at_envrc (&search, folder, ".envrc");
  beckon_trigger_search_look_at_package (&search, folder);
  look_above_folder (&search);
  if (path != NULL)
    look_at_parents (&search, path);
  read_all (&search);
  if (is_cut != NULL)
    *is_cut = search.is_cut;
  return search.targets;
}

void
beckon_trigger_targets_add_above (GPtrArray *targets, GHashTable *seen, const char *folder, const char *path)
{
  BeckonTriggerSearch search = { folder, targets, seen, 0, 0, FALSE };

  g_return_if_fail (targets != NULL && seen != NULL);
  g_return_if_fail (folder != NULL && g_path_is_absolute (folder) && path != NULL);

  look_at_parents (&search, path);
}

static gboolean
is_directly_in (const char *path, const char *folder)
{
  const char *rest = beckon_path_relate (path, folder);

  return rest != NULL && *rest != '\0' && strchr (rest, '/') == NULL;
}

static gboolean
is_matched (const BeckonTriggerTarget *target, const char *path)
{
  return strncmp (path, target->path, target->pattern) == 0
         && fnmatch (target->path + target->pattern, path + target->pattern, FNM_PATHNAME) == 0;
}

static gboolean
leads_to (const BeckonTriggerTarget *target, const char *path, gboolean is_program)
{
  if (target->is_for_programs)
    return is_program && is_directly_in (path, target->path);

  return beckon_path_is_within (path, target->path) || (target->pattern > 0 && is_matched (target, path));
}

gboolean
beckon_trigger_targets_have (GPtrArray *targets, const char *path, gboolean is_program)
{
  g_return_val_if_fail (targets != NULL && path != NULL, TRUE);

  for (guint i = 0; i < targets->len; i++)
    if (leads_to (g_ptr_array_index (targets, i), path, is_program))
      return TRUE;

  return FALSE;
}

gboolean
beckon_trigger_targets_are_in (GPtrArray *targets, const char *path)
{
  g_return_val_if_fail (targets != NULL && path != NULL, TRUE);

  for (guint i = 0; i < targets->len; i++)
    if (beckon_path_is_within (((const BeckonTriggerTarget *) g_ptr_array_index (targets, i))->path, path))
      return TRUE;

  return FALSE;
}
