/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-path.h"
#include "beckon-install-scripts.h"
#include "beckon-trigger-targets-private.h"

#include <string.h>

/* More of scripts are not looked at in one search. */
#define MAX_WORDS 50000

/* The file of direnv, which runs again when anything changes that it reads. */

static gboolean
is_reading (const char *word)
{
  static const char *const commands[] = { ".", "source", "source_env", "source_env_if_exists", "dotenv", "dotenv_if_exists" };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (word, commands[i]) == 0)
      return TRUE;

  return FALSE;
}

/* The files that a command reads where it is told none. */
static void
add_usual (BeckonTriggerSearch *search, const char *folder, const char *word)
{
  static const struct
  {
    const char *word;
    const char *file;
  } files[] = {
    { "dotenv", ".env" },     { "dotenv_if_exists", ".env" }, { "make", "Makefile" },    { "make", "makefile" },
    { "make", "GNUmakefile" }, { "nix", "shell.nix" },         { "nix", "default.nix" }, { "flake", "flake.nix" },
    { "flake", "flake.lock" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (strcmp (word, files[i].word) == 0)
      {
        g_autofree char *path = g_build_filename (folder, files[i].file, NULL);

        beckon_trigger_search_add_path (search, path);
      }
}

/* Files that a line reads one after the other: "for f in env.d/" and a pattern. */
static void
add_pattern (BeckonTriggerSearch *search, const char *folder, const char *word)
{
  g_autofree char *path = beckon_trigger_search_resolve (word, folder);
  const char *relative = beckon_path_relate (path, search->folder);
  BeckonTriggerTarget *target;

  if (relative == NULL || *relative == '\0')
    return;

  target = g_new0 (BeckonTriggerTarget, 1);
  target->pattern = (gsize) (relative - path);
  target->path = g_steal_pointer (&path);
  g_ptr_array_add (search->targets, target);
}

static gboolean
is_installed (BeckonTriggerSearch *search, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path + strlen (search->folder), "/", -1);

  return g_strv_contains ((const char *const *) names, "node_modules");
}

/* Shells look for programs there. What is installed for a package is not to be changed by hand. */
static void
add_programs (BeckonTriggerSearch *search, const char *folder, const char *word)
{
  g_autofree char *path = beckon_trigger_search_resolve (word, folder);
  g_autofree char *real = beckon_trigger_search_follow (path);
  g_autoptr (GDir) entries = NULL;
  const char *name;

  if (!beckon_path_is_within (path, search->folder) || is_installed (search, path))
    return;

  beckon_trigger_search_take (search, g_strdup (path), TRUE);
  if (strcmp (real, path) != 0)
    beckon_trigger_search_take (search, g_strdup (real), TRUE);
  entries = g_dir_open (path, 0, NULL);
  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *program = g_build_filename (path, name, NULL);
      g_autofree char *end = beckon_trigger_search_is_link (program) ? beckon_trigger_search_follow (program) : NULL;

      if (end != NULL && beckon_path_is_within (end, search->folder) && !g_file_test (end, G_FILE_TEST_IS_DIR)
          && !is_installed (search, end))
        beckon_trigger_search_take (search, g_steal_pointer (&end), FALSE);
    }
}

/* With a variable before it, a word tells only by its end which folder it is. */
static void
add_programs_of_word (BeckonTriggerSearch *search, const char *folder, const char *word, gboolean is_prefix)
{
  const char *slash = strchr (word, '/');
  g_autofree char *programs = is_prefix ? g_build_filename (word, "bin", NULL) : NULL;

  if (is_prefix)
    add_programs (search, folder, programs);
  else
    add_programs (search, folder, word);
  if (!is_prefix && slash != NULL && slash[1] != '\0' && strspn (word, "./") < (gsize) (slash - word + 1))
    add_programs (search, folder, slash + 1);
}

static gboolean
has_word (char **words, const char *word)
{
  for (guint i = 0; words[i] != NULL && *words[i] != '#'; i++)
    if (strcmp (words[i], word) == 0)
      return TRUE;

  return FALSE;
}

/* A line that changes the path for programs. */
static void
add_programs_of_line (BeckonTriggerSearch *search, const char *folder, char **words)
{
  gboolean is_prefix = has_word (words, "load_prefix");

  if (has_word (words, "layout") && has_word (words, "php"))
    add_programs (search, folder, "vendor/bin");
  if (!is_prefix && !has_word (words, "PATH") && !has_word (words, "PATH_add"))
    return;

  for (guint i = 0; words[i] != NULL && *words[i] != '#'; i++)
    if (*words[i] != '\0')
      add_programs_of_word (search, folder, words[i], is_prefix);
}

/* A command says what it reads, whether that is there or not. Any other word is a file that is there: of folders, most are
 * those of the sources. */
static void
add_words_of_line (BeckonTriggerSearch *search, const char *folder, const char *line)
{
  g_auto (GStrv) words = g_strsplit_set (line, SHELL_SIGNS, -1);
  gboolean is_loop = has_word (words, "for");
  gboolean is_read = FALSE;

  add_programs_of_line (search, folder, words);
  for (guint i = 0; words[i] != NULL && *words[i] != '#'; i++)
    {
      g_autofree char *path = *words[i] != '\0' ? beckon_trigger_search_resolve (words[i], folder) : NULL;

      if (path != NULL && !g_file_test (path, G_FILE_TEST_IS_DIR)
          && (is_read || g_file_test (path, G_FILE_TEST_EXISTS)))
        beckon_trigger_search_add_path (search, path);
      if ((is_read || is_loop) && strpbrk (words[i], "*?[") != NULL)
        add_pattern (search, folder, words[i]);
      is_read = is_read || is_reading (words[i]);
      add_usual (search, folder, words[i]);
    }
}

void
beckon_trigger_search_look_at_envrc (BeckonTriggerSearch *search, const char *folder, const char *name)
{
  static const char *const here[] = { "${PWD}", "$PWD", "$(pwd)" };
  g_autofree char *file = g_build_filename (folder, name, NULL);
  g_autoptr (GString) whole = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree char *text = NULL;
  gsize length;
  gboolean is_odd;

  text = beckon_trigger_search_read_bounded (file, &length, &is_odd);
  if (is_odd && !g_file_test (file, G_FILE_TEST_IS_DIR))
    beckon_trigger_search_take (search, g_strdup (search->folder), FALSE);
  if (text == NULL || !beckon_trigger_search_is_first (search, folder, file))
    return;

  whole = g_string_new (text);
  for (guint i = 0; i < G_N_ELEMENTS (here); i++)
    g_string_replace (whole, here[i], ".", 0);
  g_string_replace (whole, "\\\n", " ", 0);
  lines = g_strsplit (whole->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    add_words_of_line (search, folder, lines[i]);
}

/* Scripts that installing a package runs. */

typedef struct
{
  BeckonTriggerSearch *search;
  const char *folder; /* of the package */
} Package;

/* A word with a slash is a path, whether it is there or not. Node finds a file without its ending. */
static void
add_script_word (BeckonTriggerSearch *search, const char *folder, const char *word)
{
  static const char *const endings[] = { ".js", ".cjs", ".mjs", "/index.js" };
  g_autofree char *path = beckon_trigger_search_resolve (word, folder);
  gboolean is_there = g_file_test (path, G_FILE_TEST_EXISTS);
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);

  if (beckon_path_is_within (search->folder, path) && !is_folder)
    return;

  if (!is_folder && (is_there || strchr (word, '/') != NULL))
    beckon_trigger_search_add_path (search, path);
  for (guint i = 0; i < G_N_ELEMENTS (endings) && (!is_there || is_folder); i++)
    {
      g_autofree char *whole = g_strconcat (path, endings[i], NULL);

      if (g_file_test (whole, G_FILE_TEST_IS_REGULAR))
        beckon_trigger_search_add_path (search, whole);
    }
}

/* @list: separated by spaces */
static gboolean
is_listed (const char *word, const char *list)
{
  g_auto (GStrv) words = g_strsplit (list, " ", -1);

  return g_strv_contains ((const char *const *) words, word);
}

/* Which words of a command are run, or may be. */
typedef enum
{
  NEXT_WORD,
  ALL_WORDS,
  NO_WORDS,
} RunWords;

static RunWords
get_next_words (RunWords words, const char *word)
{
  if (words != NEXT_WORD || is_listed (word, "npx exec time"))
    return words;

  return is_listed (word, ". source env cross-env node nodejs sh bash dash zsh ksh python python3 ruby perl php deno bun tsx "
                          "ts-node make")
             ? ALL_WORDS
             : NO_WORDS;
}

/* @is_any: any of the words counts; otherwise a program, and what that runs. */
static void
add_simple_command (Package *package, char **base, const char *command, gboolean is_any)
{
  g_auto (GStrv) words = g_strsplit_set (command, " \t\"'`<>{}!=$,:", -1);
  RunWords run = is_any ? ALL_WORDS : NEXT_WORD;
  const char *last = "";

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (*words[i] == '\0' || *words[i] == '-' || package->search->n_words > MAX_WORDS)
        continue;
      if (++package->search->n_words > MAX_WORDS)
        beckon_trigger_search_take (package->search, g_strdup (package->search->folder), FALSE);
      if (strcmp (last, "cd") == 0)
        {
          g_autofree char *parent = g_steal_pointer (base);

          *base = beckon_trigger_search_resolve (words[i], parent);
        }
      else if (run != NO_WORDS)
        {
          add_script_word (package->search, package->folder, words[i]);
          if (strcmp (*base, package->folder) != 0)
            add_script_word (package->search, *base, words[i]);
          add_usual (package->search, *base, words[i]);
        }
      run = get_next_words (run, words[i]);
      last = words[i];
    }
}

static void
note_script (const char *command, gboolean is_direct, gpointer data)
{
  Package *package = data;
  g_auto (GStrv) commands = g_strsplit_set (command, ";&|()\n\r", -1);
  g_autofree char *base = g_strdup (package->folder);

  for (guint i = 0; commands[i] != NULL; i++)
    add_simple_command (package, &base, commands[i], is_direct);
}

/* Below node_modules nothing is installed but by the package manager. */
void
beckon_trigger_search_look_at_package (BeckonTriggerSearch *search, const char *folder)
{
  g_autofree char *file = g_build_filename (folder, "package.json", NULL);
  const char *relative = beckon_path_relate (file, search->folder);
  Package package = { search, folder };
  g_autofree char *text = NULL;
  gsize length;
  gboolean is_odd;

  if ((relative != NULL && !beckon_install_scripts_are_in (relative)) || !beckon_trigger_search_is_first (search, folder, file))
    return;

  beckon_trigger_search_add_link (search, folder, "package.json");
  text = beckon_trigger_search_read_bounded (file, &length, &is_odd);
  if (is_odd && !g_file_test (file, G_FILE_TEST_IS_DIR))
    beckon_trigger_search_take (search, g_strdup (search->folder), FALSE);
  if (text != NULL)
    beckon_install_scripts_foreach (text, note_script, &package);
}
