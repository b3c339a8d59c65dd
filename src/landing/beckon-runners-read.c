/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-landing-tree.h"
#include "beckon-runners-private.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many as the kernel follows. */
#define MAX_LINKS 40

/* No configuration that anybody wrote is larger, and no script that is worth reading. */
#define MAX_CONFIG ((gsize) 1024 * 1024)
#define MAX_SCRIPT ((gsize) 256 * 1024)

/* Files that a runner's file names are read too, one of them because a program reads it unasked, and what they name counts. */
#define MAX_DEPTH 3

/* As many as agents follow. */
#define MAX_IMPORTS 5

#define MAX_MODULES 1000
#define MAX_WORDS 200000
#define MAX_BASES 16
#define MAX_NAME 64

/* More files are not read of one place, nor names in one folder of programs. */
#define MAX_OF_PLACE 100
#define MAX_PROGRAMS 2000

/* Paths. */

static char *
runners_resolve (const char *word, const char *folder)
{
  if (g_str_has_prefix (word, "~/"))
    return g_canonicalize_filename (word + 2, g_get_home_dir ());

  return g_canonicalize_filename (word, folder);
}

gboolean
beckon_runners_is_link (const char *path)
{
  struct stat info;

  return lstat (path, &info) == 0 && S_ISLNK (info.st_mode);
}

static char *
runners_show (BeckonRunners *self, const char *path)
{
  const char *relative = beckon_path_relate (path, self->folder);
  const char *at_home = beckon_path_relate (path, g_get_home_dir ());
  g_autofree char *shown = NULL;

  if (relative != NULL && *relative != '\0')
    return g_filename_display_name (relative);
  if (at_home == NULL)
    return g_filename_display_name (path);

  shown = g_filename_display_name (at_home);
  return g_strconcat ("~/", shown, NULL);
}

char *
beckon_runners_read_text (const char *path, gsize most, gsize *length, gboolean *is_odd)
{
  g_auto (BeckonFd) fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  char *text = fd >= 0 ? beckon_landing_tree_read (fd, most, length) : NULL;
  struct stat info;

  *is_odd = fd >= 0 && text == NULL && (fstat (fd, &info) != 0 || !S_ISDIR (info.st_mode));
  return text;
}

/* Naming. */

/* @folder is in the folder, or has it as a part of one work. */
static gboolean
runners_shares (BeckonRunners *self, const char *folder)
{
  return beckon_path_is_within (folder, self->folder)
         || (beckon_path_is_within (self->folder, folder) && !beckon_path_is_within (g_get_home_dir (), folder));
}

static void
runners_name_one (BeckonRunners *self, const char *path, BeckonRunnerReach reach, const BeckonRunnerReason *reason)
{
  BeckonRunnerReason *kept;

  if (g_hash_table_contains (self->named[reach], path)
      || !(reach >= BECKON_RUNNER_REACH_SCRIPTS ? runners_shares (self, path) : beckon_path_is_within (path, self->folder)))
    return;

  kept = g_new (BeckonRunnerReason, 1);
  *kept = (BeckonRunnerReason){ reason->runner, g_strdup (reason->by), g_strdup (reason->word) };
  g_hash_table_insert (self->named[reach], g_strdup (path), kept);
}

/* As the kernel goes: ".." behind a link is above of what the link leads to. @reason: (nullable): names each link on the way,
 * because a change of it chooses where the way ends. */
static char *
runners_walk (BeckonRunners *self, const char *path, const BeckonRunnerReason *reason)
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
      if (n_links < MAX_LINKS && (target = beckon_landing_tree_read_link (AT_FDCWD, next)) != NULL)
        {
          n_links++;
          if (reason != NULL)
            runners_name_one (self, next, BECKON_RUNNER_REACH_TREE, reason);
          g_string_prepend_c (rest, '/');
          g_string_prepend (rest, target);
          g_free (next);
          next = g_strdup (*target == '/' ? "/" : at);
        }
      g_free (at);
      at = g_steal_pointer (&next);
    }
  return g_steal_pointer (&at);
}

char *
beckon_runners_follow (const char *path)
{
  return runners_walk (NULL, path, NULL);
}

/* @path, absolute, each link on the way there, and where it ends. */
static void
runners_name (BeckonRunners *self, const char *path, BeckonRunnerReach reach, const BeckonRunner *runner, const char *by,
              const char *word)
{
  const BeckonRunnerReason reason = { runner, (char *) by, (char *) word };
  g_autofree char *end = runners_walk (self, path, &reason);

  runners_name_one (self, path, reach, &reason);
  runners_name_one (self, end, reach, &reason);
}

/* A link by the name of a runner's file, and what it leads to. */
static void
runners_name_link (BeckonRunners *self, const BeckonRunner *runner, const char *path, BeckonRunnerReach reach)
{
  g_autofree char *shown = NULL;

  if (!beckon_runners_is_link (path))
    return;

  shown = runners_show (self, path);
  runners_name (self, path, reach, runner, shown, NULL);
}

/* Shells look for programs there. */
static void
runners_name_programs (BeckonRunners *self, const BeckonRunner *runner, const char *folder, const char *by, const char *word)
{
  g_autoptr (GDir) entries = NULL;
  const char *name;

  if (beckon_path_is_within (self->folder, folder) && strcmp (self->folder, folder) != 0)
    return;

  runners_name (self, folder, BECKON_RUNNER_REACH_PROGRAMS, runner, by, word);
  entries = g_dir_open (folder, 0, NULL);
  for (guint i = 0; i < MAX_PROGRAMS && entries != NULL && (name = g_dir_read_name (entries)) != NULL; i++)
    {
      g_autofree char *program = g_build_filename (folder, name, NULL);
      g_autofree char *end = beckon_runners_is_link (program) ? beckon_runners_follow (program) : NULL;

      if (end != NULL && !g_file_test (end, G_FILE_TEST_IS_DIR))
        runners_name (self, end, BECKON_RUNNER_REACH_FILE, runner, by, name);
    }
}

/* Reads the file @path, one of @runner's, whose names count from the folders @bases, and what it names so deep. */
static void runners_read_file (BeckonRunners *self, const BeckonRunner *runner, const char *path, GPtrArray *bases,
                               guint depth);

/* The same, of names that count from @base. */
static void
runners_read (BeckonRunners *self, const BeckonRunner *runner, const char *path, const char *base, guint depth)
{
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (bases, g_strdup (base));
  runners_read_file (self, runner, path, bases, depth);
}

/* Hooks of Git, whose names count from the work tree. */
static void
runners_read_hooks (BeckonRunners *self, const char *work_tree, const char *hooks)
{
  const BeckonRunner *runner = beckon_runner_table_find (".githooks", NULL);
  g_autoptr (GDir) entries = g_dir_open (hooks, 0, NULL);
  const char *name;

  for (guint i = 0; i < MAX_OF_PLACE && entries != NULL && (name = g_dir_read_name (entries)) != NULL; i++)
    {
      g_autofree char *hook = g_build_filename (hooks, name, NULL);

      runners_name_link (self, runner, hook, BECKON_RUNNER_REACH_TREE);
      if (!g_str_has_suffix (name, ".sample"))
        runners_read (self, runner, hook, work_tree, 0);
    }
}

/* Reading. */

/* A file of a runner, or a command of Beckon's own, whose words are looked up. */
typedef struct
{
  BeckonRunners *runners;
  const BeckonRunner *runner;
  const BeckonRunner *says; /* (nullable): the same in a reason; %NULL: that is a sentence */
  const BeckonRunnerProgram *own; /* (nullable): the command */
  char *shown; /* the file for people; of a command the sentence */
  GPtrArray *bases; /* (element-type filename) */
  GPtrArray *folders; /* (element-type filename): that it speaks of */
  guint depth;
  gboolean is_config; /* of Git */
  gboolean is_any;    /* each word counts that names a file */
  gboolean is_shell;  /* it is a script for one, or as good as that */
  gboolean is_path;   /* and each may be a folder of programs: a variable stands where one is said */
  gboolean has_python;
} Reading;

static gboolean
reading_is_first (BeckonRunners *self, const char *base, const char *path, guint depth)
{
  return g_hash_table_add (self->seen, g_strdup_printf ("%s//%s//%u", base, path, depth));
}

static void
reading_follow (Reading *reading, const char *path, guint depth)
{
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_free);

  if (!beckon_path_is_within (path, reading->runners->folder) && !beckon_path_is_within (path, g_get_home_dir ()))
    return;
  for (guint i = 0; i < reading->bases->len; i++)
    g_ptr_array_add (bases, g_strdup (g_ptr_array_index (reading->bases, i)));
  runners_read_file (reading->runners, reading->runner, path, bases, depth);
}

static void
reading_name (Reading *reading, const char *path, BeckonRunnerReach reach, const char *word)
{
  runners_name (reading->runners, path, reach, reading->says, reading->shown, word);
}

/* Notes what a server must not make where nothing is yet, in any folder from which the name may count. Only what is said to
 * be run counts, in a shell's script or where a key of a runner's own file says so: elsewhere many words look like a path. */
static void
reading_await (Reading *reading, const BeckonRunnerWord *word, const char *path)
{
  const char *slash = strrchr (word->word, '/');
  const char *name = slash != NULL ? slash + 1 : word->word;
  const gboolean is_script = *name != '.' && beckon_runner_words_is_script_name (name);
  const gboolean is_run = word->is_run && (reading->is_shell ? !word->is_value || reading->is_config : word->is_command);
  const char *sign = strpbrk (word->word, "*?[]{}()<>%|@#:;,!=$\"'` ");
  gboolean is_base = FALSE;
  gboolean is_sure = sign == NULL && strspn (name, ".") < strlen (name);
  g_autofree char *end = NULL;

  if (word->is_path)
    is_sure = is_sure && reading->is_shell && (word->is_value || (word->is_command && !word->is_run));
  else if (slash == NULL)
    is_sure = is_sure && is_script && word->is_read && (reading->is_shell || reading->is_any);
  else if (reading->is_shell || reading->own != NULL)
    is_sure = is_sure && (is_script || is_run || word->is_read);
  else
    is_sure = is_sure && reading->is_any && (is_script || is_run);
  for (guint i = 0; is_sure && i < reading->bases->len; i++)
    {
      g_autofree char *there = runners_resolve (word->word, g_ptr_array_index (reading->bases, i));

      is_sure = !g_file_test (there, G_FILE_TEST_IS_REGULAR);
      is_base = is_base || strcmp (there, path) == 0;
    }
  end = is_sure ? beckon_runners_follow (path) : NULL;
  if (is_sure && (is_base || word->is_prefix || reading->own != NULL) && !beckon_runner_table_is_installed (end)
      && beckon_path_is_within (end, reading->runners->folder) && strcmp (end, reading->runners->folder) != 0)
    g_ptr_array_add (reading->runners->awaited, g_steal_pointer (&end));
}

/* A path is set: in Git's configuration that of hooks, or of what else is read; elsewhere a folder of programs. */
static gboolean
reading_note_place (Reading *reading, const BeckonRunnerWord *word, const char *path)
{
  g_autofree char *programs = word->is_prefix ? g_build_filename (path, "bin", NULL) : NULL;

  reading_await (reading, word, programs != NULL ? programs : path);
  if (!reading->is_config)
    {
      runners_name_programs (reading->runners, reading->says, programs != NULL ? programs : path, reading->shown,
                              word->word);
      return FALSE;
    }

  if (strcmp (path, reading->runners->folder) == 0 || !beckon_path_is_within (reading->runners->folder, path))
    {
      reading_name (reading, path, BECKON_RUNNER_REACH_TREE, word->word);
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        runners_read_hooks (reading->runners, g_ptr_array_index (reading->bases, 0), path);
      else
        reading_follow (reading, path, reading->depth);
    }
  return TRUE;
}

/* Interpreters find a file without its ending, and one in a folder by its usual name. */
static void
reading_note_endings (Reading *reading, const BeckonRunnerWord *word, const char *path)
{
  static const char *const endings[]
      = { ".js", ".cjs", ".mjs", ".ts", ".py", ".sh", ".rb", "/index.js", "/__main__.py", "/__init__.py" };

  /* In a package: "from tools import check". */
  if (word->is_read && reading->bases->len < MAX_BASES && g_file_test (path, G_FILE_TEST_IS_DIR))
    g_ptr_array_add (reading->bases, g_strdup (path));
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *whole = g_strconcat (path, endings[i], NULL);

      if (!g_file_test (whole, G_FILE_TEST_IS_REGULAR))
        continue;
      reading_name (reading, whole, BECKON_RUNNER_REACH_FILE, word->word);
      reading_follow (reading, whole, reading->depth + 1);
    }
}

/* (transfer none) (element-type utf8 GPtrArray): what is in @folder, by keys of the table. */
static GHashTable *
runners_list_usual (BeckonRunners *self, const char *folder)
{
  GHashTable *files = g_hash_table_lookup (self->usual, folder);
  g_autoptr (GDir) entries = files == NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  if (files != NULL)
    return files;

  files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_hash_table_insert (self->usual, g_strdup (folder), files);
  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL)
    {
      g_auto (GStrv) keys = beckon_runner_table_list_keys (name, TRUE, FALSE);

      for (guint i = 0; keys[i] != NULL; i++)
        {
          GPtrArray *names = g_hash_table_lookup (files, keys[i]);

          if (names == NULL)
            {
              names = g_ptr_array_new_with_free_func (g_free);
              g_hash_table_insert (files, g_strdup (keys[i]), names);
            }
          g_ptr_array_add (names, g_build_filename (folder, name, NULL));
        }
    }
  return files;
}

/* The files that a program reads unasked, and the program itself where a package brings it. A package's own scripts are known,
 * and so is what they call in it. A folder with such a file is what a command of Beckon's own works on. */
static void
reading_note_usual (Reading *reading, const BeckonRunnerWord *word, const char *base)
{
  const char *slash = strrchr (word->word, '/');
  const char *program = slash != NULL ? slash + 1 : word->word;
  const gboolean is_package = reading->runner == beckon_runner_table_get (BECKON_RUNNER_PACKAGES) && reading->depth == 0;
  g_auto (GStrv) keys = NULL;

  if (!g_ascii_isalpha (*program) || strlen (program) > MAX_NAME || (reading->is_config && !word->is_run)
      || program[strspn (program, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-")] != '\0'
      || !runners_shares (reading->runners, base))
    return;

  if (word->is_run && slash == NULL && !is_package)
    {
      g_autofree char *installed = g_build_filename (base, "node_modules", ".bin", program, NULL);

      reading_name (reading, installed, BECKON_RUNNER_REACH_FILE, word->word);
    }
  keys = beckon_runner_table_list_keys (program, FALSE, (word->is_run || word->is_read) && !reading->is_config);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *key = g_build_filename (base, keys[i], NULL);
      GPtrArray *files = g_hash_table_lookup (runners_list_usual (reading->runners, base), keys[i]);
      const BeckonRunnerReason reason = { reading->says, reading->shown, (char *) word->word };

      if (is_package && strstr (keys[i], " npm ") != NULL)
        continue;
      runners_name_one (reading->runners, key, BECKON_RUNNER_REACH_USUAL, &reason);
      for (guint j = 0; files != NULL && j < files->len; j++)
        {
          const char *file = g_ptr_array_index (files, j);

          /* Settings of many programs in one file, of which any may be of another: what they speak of does not count. */
          if (!g_str_has_suffix (file, ".toml") && !g_str_has_suffix (file, ".cfg") && !g_str_has_suffix (file, ".ini"))
            reading_follow (reading, file, reading->depth + 1);
        }
      if (files != NULL && reading->own != NULL)
        reading_name (reading, base, BECKON_RUNNER_REACH_SCRIPTS, NULL);
    }
}

/* A program that Beckon starts counts whether it is there or not. A folder is what a key's program may read; to a server one is
 * usually data, unless its command goes there, an interpreter begins there or a variable stands for it. @path: dots and all. */
static void
reading_note_own (Reading *reading, const BeckonRunnerWord *word, const char *path)
{
  const gboolean is_server = reading->own->server != NULL;
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *end = beckon_runners_follow (path);
  g_autofree char *beside = g_path_get_dirname (end);

  if (is_folder && !word->is_folder && !word->is_first && !word->is_value && (is_server || strchr (word->word, '/') == NULL))
    return;

  reading_name (reading, path, is_folder && is_server ? BECKON_RUNNER_REACH_SCRIPTS : BECKON_RUNNER_REACH_TREE, NULL);
  reading_await (reading, word, path);
  if (word->is_read && !is_folder && !g_file_test (end, G_FILE_TEST_EXISTS))
    reading_note_endings (reading, word, path);
  if (is_folder || !g_file_test (end, G_FILE_TEST_IS_REGULAR))
    return;
  if (word->is_read && beckon_path_is_within (end, reading->runners->folder))
    reading_name (reading, beside, BECKON_RUNNER_REACH_SCRIPTS, NULL);
  reading_follow (reading, end, reading->depth + 1);
}

/* The folders of programs of direnv's layouts. */
static const char *const layouts[] = { "node_modules/.bin", "vendor/bin", "bin" };

static void
reading_note_in (Reading *reading, const BeckonRunnerWord *word, const char *base)
{
  g_autofree char *path = runners_resolve (word->word, base);
  gboolean is_pattern = strpbrk (word->word, "*?") != NULL;
  const gboolean has_slash = strchr (word->word, '/') != NULL;
  const gboolean is_script = beckon_runner_words_is_script_name (word->word);
  struct stat info;
  gboolean is_there;

  if (word->is_module && reading->has_python && reading->own == NULL)
    reading_name (reading, base, BECKON_RUNNER_REACH_MODULES, "python");
  if (reading->own != NULL && (word->is_module ? reading->has_python : strcmp (word->word, "run") == 0))
    reading_name (reading, base, BECKON_RUNNER_REACH_SCRIPTS, NULL);
  if (word->is_module)
    return;
  if ((word->is_path || reading->is_path) && reading_note_place (reading, word, path))
    return;
  reading_note_usual (reading, word, base);
  if (reading->own != NULL)
    {
      g_autofree char *way = g_build_filename (base, word->word, NULL);

      reading_note_own (reading, word, strchr ("/~", *word->word) != NULL ? path : way);
      return;
    }
  if (is_pattern && (word->is_read || word->is_loop) && beckon_path_is_within (path, reading->runners->folder))
    g_ptr_array_add (reading->runners->patterns, g_strdup (path));
  if (strcmp (word->word, "layout") == 0)
    for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
      {
        g_autofree char *programs = g_build_filename (base, layouts[i], NULL);

        runners_name_programs (reading->runners, reading->says, programs, reading->shown, word->word);
      }
  if (beckon_path_is_within (reading->runners->folder, path))
    return;

  is_there = stat (path, &info) == 0;
  if (is_there && S_ISREG (info.st_mode)
      && (reading->is_any || word->is_read || (info.st_mode & 0111) != 0 || (word->is_run && is_script)))
    {
      reading_name (reading, path, BECKON_RUNNER_REACH_FILE, word->word);
      reading_follow (reading, path, reading->depth + 1);
    }
  else
    reading_await (reading, word, path);
  /* The word may come to be run. */
  if (!is_there
      && (word->is_read || (has_slash && is_script) || ((has_slash || is_script) && (reading->is_any || word->is_run))))
    reading_name (reading, path, BECKON_RUNNER_REACH_FILE, word->word);
  if (is_there && S_ISDIR (info.st_mode) && word->is_first)
    reading_name (reading, path, BECKON_RUNNER_REACH_SCRIPTS, word->word);
  if ((!is_there || S_ISDIR (info.st_mode)) && (word->is_read || word->is_run || reading->is_any))
    reading_note_endings (reading, word, path);
  /* A module by its name, as "python -m tools.check". */
  if (!is_there && (word->is_read || reading->is_any) && strchr (word->word, '.') != NULL && !has_slash)
    {
      g_autofree char *module = g_strdelimit (g_strdup (word->word), ".", '/');
      g_autofree char *whole = runners_resolve (module, base);

      reading_note_endings (reading, word, whole);
    }
}

/* Any word of a command may be a program's name: another may stand before it in the path for programs. */
static void
reading_note_in_path (Reading *reading, const char *name)
{
  const char *variable = g_getenv ("PATH");
  g_auto (GStrv) folders = g_strsplit (variable != NULL ? variable : "", ":", -1);

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *folder = g_canonicalize_filename (folders[i], g_get_home_dir ());
      g_autofree char *path = g_build_filename (folder, name, NULL);

      reading_note_own (reading, &(BeckonRunnerWord){ .word = name }, path);
    }
}

static void
reading_note_word (const BeckonRunnerWord *word, gpointer data)
{
  Reading *reading = data;
  guint n = reading->bases->len;

  if (reading->runners->n_words > MAX_WORDS || strlen (word->word) >= PATH_MAX || strcmp (word->word, "true") == 0
      || strcmp (word->word, "false") == 0)
    {
      reading->runners->is_cut = reading->runners->is_cut || reading->runners->n_words > MAX_WORDS;
      return;
    }

  reading->runners->n_words++;
  if (word->is_variable && strcmp (word->word, ".") == 0)
    return;
  for (guint i = 0; i < n; i++)
    reading_note_in (reading, word, g_ptr_array_index (reading->bases, i));
  if (reading->own != NULL && strchr (word->word, '/') == NULL)
    reading_note_in_path (reading, word->word);
  for (guint i = 0; i < reading->folders->len && (word->is_variable || word->is_read); i++)
    reading_note_in (reading, word, g_ptr_array_index (reading->folders, i));
}

/* Variables and interpreters that are told their file elsewhere, and folders from which names may count. */
static void
reading_survey_word (const BeckonRunnerWord *word, gpointer data)
{
  Reading *reading = data;

  if (strlen (word->word) >= PATH_MAX)
    return;
  reading->has_python = reading->has_python || strstr (word->word, "python") != NULL;
  if (word->is_variable && strcmp (word->word, ".") == 0)
    {
      reading->is_path = reading->is_path || (word->is_path && !reading->is_config);
      reading->is_any = reading->is_any || word->is_first;
      return;
    }
  if (word->is_folder && reading->bases->len < MAX_BASES)
    g_ptr_array_add (reading->bases, runners_resolve (word->word, g_ptr_array_index (reading->bases, 0)));
  for (guint i = 0; i < reading->bases->len && reading->folders->len < MAX_BASES; i++)
    {
      g_autofree char *path = runners_resolve (word->word, g_ptr_array_index (reading->bases, i));

      if (!beckon_path_is_within (reading->runners->folder, path) && g_file_test (path, G_FILE_TEST_IS_DIR)
          && !g_ptr_array_find_with_equal_func (reading->folders, path, g_str_equal, NULL))
        g_ptr_array_add (reading->folders, g_steal_pointer (&path));
    }
}

/* @path: (nullable): that @text stands in, or it is the command of @own. */
static void
runners_read_words (BeckonRunners *self, const BeckonRunner *runner, const BeckonRunnerProgram *own, const char *path,
                    const char *text, GPtrArray *bases, guint depth)
{
  const char *ending = path != NULL ? strchr (strrchr (path, '/') + 2, '.') : NULL;
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  Reading reading = { .runners = self, .runner = runner, .own = own, .bases = bases, .folders = folders, .depth = depth };

  reading.says = own == NULL ? runner : NULL;
  reading.shown = path != NULL          ? runners_show (self, path)
                  : own->server != NULL ? beckon_text_printf (_("Beckon starts it, for the server “%s”"), own->server)
                                        : g_strdup (_("Beckon runs it to get a key or a token"));
  reading.is_config = runner == beckon_runner_table_get (BECKON_RUNNER_GIT) && depth == 0;
  /* A file without an ending is for a shell where it says so, and where the runner reads it itself. */
  if (ending != NULL)
    reading.is_shell = strcmp (ending, ".sh") == 0 || strcmp (ending, ".bash") == 0 || strcmp (ending, ".zsh") == 0;
  else if (path != NULL)
    reading.is_shell
        = g_str_has_prefix (text, "#!") ? g_strstr_len (text, (gssize) strcspn (text, "\n"), "sh") != NULL : depth == 0;
  reading.is_any = runner != beckon_runner_table_get (BECKON_RUNNER_PACKAGES) && depth == 0;
  beckon_runner_words_foreach (text, reading_survey_word, &reading);
  beckon_runner_words_foreach (text, reading_note_word, &reading);
  /* As they are, too: paths with spaces, and signs that a shell never sees. */
  for (guint i = 0; own != NULL && own->argv[i] != NULL; i++)
    {
      const char *value = strchr (own->argv[i], '=');
      const BeckonRunnerWord whole = { .word = own->argv[i] };
      BeckonRunnerWord behind = { .word = value != NULL ? value + 1 : "", .is_value = *whole.word != '-' };
      g_auto (GStrv) parts = g_strsplit (behind.word, ":", -1);

      if (*whole.word != '\0' && *whole.word != '-')
        reading_note_word (&whole, &reading);
      if (*behind.word != '\0')
        reading_note_word (&behind, &reading);
      for (guint j = 0; parts[j] != NULL; j++)
        if (*(behind.word = parts[j]) != '\0')
          reading_note_word (&behind, &reading);
    }
  /* Python looks beside the script first, whatever that imports. */
  if (path != NULL && (depth > 0 || g_str_has_suffix (path, ".py")) && strstr (text, "import") != NULL)
    {
      g_autofree char *beside = g_path_get_dirname (path);

      reading_name (&reading, beside, BECKON_RUNNER_REACH_MODULES, "import");
    }
  g_free (reading.shown);
}

/* The imports of prose: "@docs/rules.md" from the folder of the file, with "\\ " for a blank. A sentence or a part of the other
 * file may follow, so that each word that it may be counts, whether anything is there or not. */
static void
runners_read_imports (BeckonRunners *self, const BeckonRunner *runner, const char *path, const char *text, guint depth)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *shown = runners_show (self, path);

  for (const char *at = text; (at = strchr (at, '@')) != NULL && self->n_words < MAX_WORDS;)
    {
      const gboolean is_address = at > text && g_ascii_isalnum (at[-1]);
      g_autoptr (GString) word = g_string_new (NULL);

      while (*++at != '\0' && !g_ascii_isspace (*at) && word->len < PATH_MAX)
        g_string_append_c (word, *at == '\\' && at[1] == ' ' ? *++at : *at);
      while (word->len > 0 && !is_address)
        {
          const gboolean is_sign = strchr (".,;:!?)]}>\"'`*", word->str[word->len - 1]) != NULL;
          const char *part = strrchr (word->str, '#');
          g_autofree char *target = runners_resolve (word->str, folder);

          self->n_words++;
          runners_name (self, target, BECKON_RUNNER_REACH_FILE, runner, shown, word->str);
          if (runners_shares (self, target) || beckon_path_is_within (target, g_get_home_dir ()))
            runners_read (self, runner, target, folder, depth + 1);
          g_string_truncate (word, is_sign ? word->len - 1 : part != NULL ? (gsize) (part - word->str) : 0);
        }
    }
}

static void
runners_read_file (BeckonRunners *self, const BeckonRunner *runner, const char *path, GPtrArray *bases, guint depth)
{
  const gboolean is_prose = (runner->flags & BECKON_RUNNER_IMPORTS) != 0;
  const gboolean is_package = g_str_has_suffix (path, "/package.json");
  g_autofree char *text = NULL;
  gboolean is_odd;

  if (depth >= (is_prose ? MAX_IMPORTS : MAX_DEPTH) || !reading_is_first (self, g_ptr_array_index (bases, 0), path, depth))
    return;

  text = beckon_runners_read_text (path, depth == 0 ? MAX_CONFIG : MAX_SCRIPT, NULL, &is_odd);
  if (text != NULL && is_prose)
    {
      g_autofree char *end = beckon_runners_follow (path);

      runners_read_imports (self, runner, path, text, depth);
      if (strcmp (end, path) != 0)
        runners_read_imports (self, runner, end, text, depth);
      return;
    }
  if (text != NULL && (is_package || (runner == beckon_runner_table_get (BECKON_RUNNER_GIT) && depth == 0)))
    {
      char *commands = is_package ? beckon_runner_words_package_commands (text, TRUE) : beckon_runner_words_git_commands (text);

      g_free (text);
      text = commands;
    }
  if (text != NULL && g_str_has_suffix (path, "/.vscode/settings.json"))
    beckon_runner_words_blank_settings (text);
  /* A file that can't be read may name any path: everything waits. */
  if (is_odd && depth == 0 && (runner->flags & BECKON_RUNNER_STRICT) != 0)
    {
      g_autofree char *shown = runners_show (self, path);

      runners_name (self, self->folder, BECKON_RUNNER_REACH_TREE, runner, shown, NULL);
    }
  if (text == NULL)
    return;
  g_ptr_array_add (bases, g_path_get_dirname (path));
  runners_read_words (self, runner, NULL, path, text, bases, depth);
}

void
beckon_runners_read_command (BeckonRunners *self, const BeckonRunnerProgram *program)
{
  static const BeckonRunner beckon = { "Beckon", NULL, NULL, NULL, 0 };
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *line = g_strjoinv (" ", (char **) program->argv);

  g_ptr_array_add (bases, g_strdup (program->folder));
  runners_read_words (self, &beckon, program, NULL, line, bases, 0);
}

/* Installing a package runs what some of its scripts say. Below node_modules nothing is installed but by the package manager.
 * */
static void
runners_read_package (BeckonRunners *self, const char *folder)
{
  const BeckonRunner *runner = beckon_runner_table_get (BECKON_RUNNER_PACKAGES);
  g_autofree char *file = g_build_filename (folder, "package.json", NULL);
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  g_autofree char *commands = NULL;
  gboolean is_odd;

  if (beckon_runner_table_is_installed (file) || !reading_is_first (self, folder, file, 0))
    return;

  runners_name_link (self, runner, file, BECKON_RUNNER_REACH_FILE);
  text = beckon_runners_read_text (file, MAX_CONFIG, NULL, &is_odd);
  if (is_odd)
    runners_name (self, self->folder, BECKON_RUNNER_REACH_TREE, runner, "package.json", NULL);
  if (text == NULL)
    return;
  commands = beckon_runner_words_package_commands (text, FALSE);
  g_ptr_array_add (bases, g_strdup (folder));
  runners_read_words (self, runner, NULL, file, commands, bases, 0);
}

/* Git directories. */

/* The person's own configuration and the system's count in every repository, and what is relative there begins in each. */
static void
runners_read_own_configs (BeckonRunners *self, const char *work_tree)
{
  g_autofree char *home = g_build_filename (g_get_home_dir (), ".gitconfig", NULL);
  g_autofree char *user = g_build_filename (g_get_user_config_dir (), "git", "config", NULL);

  runners_read (self, beckon_runner_table_get (BECKON_RUNNER_GIT), "/etc/gitconfig", work_tree, 0);
  runners_read (self, beckon_runner_table_get (BECKON_RUNNER_GIT), user, work_tree, 0);
  runners_read (self, beckon_runner_table_get (BECKON_RUNNER_GIT), home, work_tree, 0);
}

/* A file with one line that says where something is. */
static char *
runners_read_pointer (const char *folder, const char *name, const char *prefix)
{
  g_autofree char *file = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  gboolean is_odd;

  text = beckon_runners_read_text (file, MAX_SCRIPT, NULL, &is_odd);
  if (text == NULL || !g_str_has_prefix (text, prefix))
    return NULL;

  g_strchomp (text);
  return runners_resolve (text + strlen (prefix), folder);
}

static void
runners_read_git (BeckonRunners *self, const char *work_tree, const char *git, gboolean with_modules)
{
  static const char *const names[] = { "config", "config.worktree", "hooks", "info", "modules" };
  g_autofree char *config = g_build_filename (git, "config", NULL);
  g_autofree char *own_config = g_build_filename (git, "config.worktree", NULL);
  g_autofree char *hooks = g_build_filename (git, "hooks", NULL);
  g_autofree char *modules = g_build_filename (git, "modules", NULL);
  g_autofree char *common = runners_read_pointer (git, "commondir", "");
  g_autoptr (GDir) entries = NULL;
  const char *name;

  if (!reading_is_first (self, work_tree, git, 0))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (git, names[i], NULL);

      runners_name_link (self, beckon_runner_table_get (BECKON_RUNNER_GIT), path, BECKON_RUNNER_REACH_TREE);
    }
  runners_read_hooks (self, work_tree, hooks);
  runners_read_own_configs (self, work_tree);
  runners_read (self, beckon_runner_table_get (BECKON_RUNNER_GIT), config, work_tree, 0);
  runners_read (self, beckon_runner_table_get (BECKON_RUNNER_GIT), own_config, work_tree, 0);
  if (common != NULL)
    runners_read_git (self, work_tree, common, FALSE);
  entries = with_modules ? g_dir_open (modules, 0, NULL) : NULL;
  for (guint i = 0; i < MAX_MODULES && entries != NULL && (name = g_dir_read_name (entries)) != NULL; i++)
    {
      g_autofree char *module = g_build_filename (modules, name, NULL);

      runners_read_git (self, work_tree, module, FALSE);
      self->is_cut = self->is_cut || i + 1 == MAX_MODULES;
    }
}

char *
beckon_runners_find_git (const char *work_tree)
{
  g_autofree char *git = g_build_filename (work_tree, ".git", NULL);

  return g_file_test (git, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&git)
                                               : runners_read_pointer (work_tree, ".git", "gitdir: ");
}

static void
runners_read_work_tree (BeckonRunners *self, const char *work_tree)
{
  g_autofree char *inside = g_build_filename (work_tree, ".git", NULL);
  g_autofree char *git = beckon_runners_find_git (work_tree);

  if (git == NULL)
    return;
  if (strcmp (git, inside) != 0 && strcmp (work_tree, self->folder) == 0 && self->elsewhere == NULL)
    self->elsewhere = g_strdup (git);
  runners_read_git (self, work_tree, git, TRUE);
}

/* The folder. */

/* Files that are read by the name of their folder are read where a link of that name leads, and through links there. */
static void
runners_note_link (BeckonRunners *self, const char *path, const char *name)
{
  g_autofree char *end = beckon_runners_follow (path);
  g_autoptr (GDir) entries = g_dir_open (end, 0, NULL);
  const char *entry;

  for (guint i = 0; i < MAX_OF_PLACE && entries != NULL && (entry = g_dir_read_name (entries)) != NULL; i++)
    {
      g_autofree char *inner = g_build_filename (end, entry, NULL);
      g_autofree char *as_named = g_build_filename (name, entry, NULL);
      const BeckonRunner *runner = beckon_runner_table_find (as_named, NULL);

      if (runner != NULL)
        runners_name_link (self, runner, inner, BECKON_RUNNER_REACH_TREE);
    }
  g_hash_table_insert (self->links, g_steal_pointer (&end), g_strdup (name));
}

/* A name that no table knows costs one look. */
static void
runners_look_at (BeckonRunners *self, const char *folder, const struct dirent *entry, GQueue *next, GQueue *last)
{
  g_autofree char *path = g_build_filename (folder, entry->d_name, NULL);
  const char *relative = path + strlen (self->folder) + 1;
  const BeckonRunner *runner;
  struct stat info;
  gsize start;

  if (g_ascii_strcasecmp (entry->d_name, ".git") == 0)
    {
      runners_read_work_tree (self, folder);
      return;
    }
  if (strcmp (entry->d_name, "HEAD") == 0)
    {
      runners_read_git (self, folder, folder, TRUE);
      return;
    }
  if (strcmp (entry->d_name, "package.json") == 0)
    runners_read_package (self, folder);
  if (entry->d_type == DT_DIR || (entry->d_type == DT_UNKNOWN && lstat (path, &info) == 0 && S_ISDIR (info.st_mode)))
    {
      g_queue_push_tail (strcmp (entry->d_name, "node_modules") == 0 ? last : next, g_steal_pointer (&path));
      return;
    }

  runner = beckon_runner_table_find (relative, &start);
  if (runner != NULL)
    {
      g_autofree char *base = start > 0 ? g_strndup (path, strlen (self->folder) + start) : g_strdup (self->folder);

      runners_name_link (self, runner, path, BECKON_RUNNER_REACH_TREE);
      if (beckon_runner_table_is_caller (runner, relative))
        runners_read (self, runner, path, base, 0);
    }
  else if (beckon_runner_table_find_beginning (entry->d_name) != NULL && beckon_runners_is_link (path))
    runners_note_link (self, path, entry->d_name);
}

static void
runners_read_folder (BeckonRunners *self, const char *folder, GQueue *next, GQueue *last)
{
  g_autoptr (BeckonEntries) entries = beckon_landing_tree_list (AT_FDCWD, folder, FALSE);
  struct dirent *entry;

  while (entries != NULL && self->left > 0 && (entry = readdir (entries)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      {
        self->left--;
        runners_look_at (self, folder, entry, next, last);
      }
}

/* A place of a runner is read with what is in it, as much as may be @left. Names there count from @base. */
static void
runners_read_place (BeckonRunners *self, const BeckonRunner *runner, const char *place, const char *base, guint *left)
{
  const char *relative = beckon_path_relate (place, base);
  g_autoptr (GDir) entries = NULL;
  const char *entry;

  runners_name_link (self, runner, place, BECKON_RUNNER_REACH_TREE);
  if (!g_file_test (place, G_FILE_TEST_IS_DIR))
    {
      if (beckon_runner_table_is_caller (runner, relative != NULL ? relative : place))
        runners_read (self, runner, place, base, 0);
      return;
    }

  entries = g_dir_open (place, 0, NULL);
  while (*left > 0 && entries != NULL && (entry = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *path = g_build_filename (place, entry, NULL);

      (*left)--;
      runners_read_place (self, runner, path, base, left);
    }
}

/* Files that stand in @folder by a name of the table are read, without looking through it. */
static void
runners_read_beside (BeckonRunners *self, const char *folder)
{
  const BeckonRunner *row;

  runners_read_work_tree (self, folder);
  runners_read_package (self, folder);
  for (guint i = 0; (row = beckon_runner_table_get (i)) != NULL; i++)
    {
      g_auto (GStrv) patterns = g_strsplit (row->files != NULL ? row->files : "", " ", -1);

      for (guint j = 0; patterns[j] != NULL && g_strcmp0 (row->callers, "") != 0; j++)
        {
          g_autofree char *path = g_build_filename (folder, patterns[j], NULL);
          guint left = MAX_OF_PLACE;

          if (*patterns[j] != '\0' && strpbrk (patterns[j], "*$") == NULL && g_file_test (path, G_FILE_TEST_EXISTS))
            runners_read_place (self, row, path, folder, &left);
        }
    }
}

void
beckon_runners_read_parents (BeckonRunners *self, const char *path)
{
  for (const char *at = path; (at = strchr (at, '/')) != NULL; at++)
    {
      g_autofree char *name = g_strndup (path, (gsize) (at - path));
      g_autofree char *parent = g_build_filename (self->folder, name, NULL);

      runners_read_beside (self, parent);
    }
}

static void
runners_read_home (BeckonRunners *self)
{
  const BeckonRunner *row;

  for (guint i = 0; (row = beckon_runner_table_get (i)) != NULL; i++)
    {
      g_auto (GStrv) places = g_strsplit (row->home != NULL ? row->home : "", " ", -1);

      for (guint j = 0; places[j] != NULL; j++)
        if (*places[j] != '\0')
          {
            g_autofree char *place = beckon_runner_table_expand (places[j]);
            guint left = MAX_OF_PLACE;

            /* All of the folder, or a part of it, is the place. */
            runners_name (self, beckon_path_is_within (self->folder, place) ? self->folder : place,
                                 BECKON_RUNNER_REACH_TREE, row, NULL, NULL);
            runners_read_place (self, row, place, g_get_home_dir (), &left);
          }
    }
}

/* Breadth first, and what package managers install at the end. */
void
beckon_runners_read_all (BeckonRunners *self)
{
  GQueue next = G_QUEUE_INIT;
  GQueue last = G_QUEUE_INIT;
  g_autofree char *above = g_strdup (self->folder);
  const char *variable = g_getenv ("PATH");
  g_auto (GStrv) folders = g_strsplit (variable != NULL ? variable : "", ":", -1);

  for (guint i = 0; folders[i] != NULL; i++)
    if (g_path_is_absolute (folders[i])
        && (beckon_path_is_within (folders[i], g_get_home_dir ()) || beckon_path_is_within (folders[i], self->folder)))
      runners_name_programs (self, NULL, folders[i], folders[i], NULL);
  runners_read_own_configs (self, self->folder);
  runners_read_home (self);
  /* A repository that the folder is a part of may name what is in it, and so may any other runner's file above. */
  while (TRUE)
    {
      char *slash = strrchr (above, '/');

      runners_read_beside (self, above);
      if (above[1] == '\0')
        break;
      slash[slash == above] = '\0';
    }
  g_queue_push_tail (&next, g_strdup (self->folder));
  while (self->left > 0 && (!g_queue_is_empty (&next) || !g_queue_is_empty (&last)))
    {
      g_autofree char *folder = g_queue_pop_head (g_queue_is_empty (&next) ? &last : &next);

      runners_read_folder (self, folder, &next, &last);
    }
  self->is_cut = self->is_cut || self->left == 0;
  g_queue_clear_full (&next, g_free);
  g_queue_clear_full (&last, g_free);
}
