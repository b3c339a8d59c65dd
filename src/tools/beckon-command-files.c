/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-files.h"

#include "base/beckon-path.h"
#include "beckon-file-stamp.h"
#include "policy/beckon-shell.h"
#include "sandbox/beckon-folder.h"
#include "sandbox/beckon-sandbox.h"
#include "sandbox/beckon-tool-chains.h"

#include <fnmatch.h>
#include <string.h>

/* A line is bounded, and so is how often the file system is asked for it. */
#define MAX_LOOKS 16384
#define MAX_PATHS (BECKON_FILE_STAMP_MAX_PATHS - 1)
#define MAX_FOLDERS 8

/* Ends a name in a line that is not understood. */
#define BETWEEN " \t\r\n'\"`$(){}[];&|<>,!"

typedef struct
{
  BeckonEffects *effects;
  const char *const *tool_chains; /* (nullable) */
  GPtrArray *folders; /* (element-type utf8): where the command may be by then */
  GHashTable *seen;   /* (element-type utf8): what was looked for */
  gboolean is_led;    /* the word before was cd */
  guint n_looks;
  guint n_paths;
} Search;

static void
add_named (Search *search, const char *folder, const char *name)
{
  BeckonEffects *effects = search->effects;
  g_autofree char *whole = g_canonicalize_filename (name, folder);
  g_autofree char *resolved = NULL;
  gboolean is_outside;

  if (!beckon_path_is_within (whole, effects->folder) || search->n_paths == MAX_PATHS || search->n_looks == MAX_LOOKS
      || !g_hash_table_add (search->seen, g_strdup (whole)))
    return;

  search->n_looks++;
  if (g_file_test (whole, G_FILE_TEST_IS_DIR))
    beckon_effects_add_alias (effects, whole);
  if (!g_file_test (whole, G_FILE_TEST_IS_REGULAR | G_FILE_TEST_IS_SYMLINK))
    return;

  search->n_paths++;
  resolved = beckon_folder_resolve (effects->folder, whole, &is_outside);
  if (strcmp (resolved, whole) != 0)
    beckon_effects_add_alias (effects, whole);
  beckon_effects_add_path (effects, resolved);
  /* A virtual environment's programs are links to those of the system, or of a tool chain. */
  effects->leaves_folder
      = effects->leaves_folder
        || (is_outside
            && (!beckon_sandbox_shows_of_system (resolved)
                && (search->tool_chains == NULL
                    || !beckon_tool_chains_show (g_get_home_dir (), search->tool_chains, search->effects->folder, resolved))));
}

static void
add_name (Search *search, const char *name)
{
  for (guint i = 0; i < search->folders->len; i++)
    add_named (search, g_ptr_array_index (search->folders, i), name);
}

static void add_pieces (Search *search, const char *line);

/* Adds the name in --option=name, NAME=name, -oname and @name; and a word may be a line of its own, to a shell. */
static void
add_word (Search *search, const char *word)
{
  const char *value = strchr (word, '=');

  if (search->is_led)
    {
      guint n_folders = search->folders->len;

      for (guint i = 0; i < n_folders && search->folders->len < MAX_FOLDERS; i++)
        {
          g_autofree char *whole = g_canonicalize_filename (word, g_ptr_array_index (search->folders, i));

          if (g_file_test (whole, G_FILE_TEST_IS_DIR))
            g_ptr_array_add (search->folders, g_steal_pointer (&whole));
        }
    }
  /* The next word is a folder to go to. */
  search->is_led = strcmp (word, "cd") == 0 || strcmp (word, "pushd") == 0 || strcmp (word, "-C") == 0;
  add_name (search, word);
  if (value != NULL && value[1] != '\0')
    add_name (search, value + 1);
  if (word[0] == '@' && word[1] != '\0')
    add_name (search, word + 1);
  if (word[0] == '-' && word[1] != '\0' && word[1] != '-' && word[2] != '\0')
    add_name (search, word + 2);
  if (strpbrk (word, BETWEEN) != NULL)
    add_pieces (search, word);
}

/* The names that a pattern stands for, as far as it leads into no folder that is not named. */
static void
add_matching (Search *search, const char *pattern)
{
  g_autofree char *parent = g_path_get_dirname (pattern);
  g_autofree char *base = g_path_get_basename (pattern);

  if (strpbrk (parent, "*?[") != NULL)
    return;
  for (guint i = 0; i < search->folders->len; i++)
    {
      g_autofree char *folder = g_canonicalize_filename (parent, g_ptr_array_index (search->folders, i));
      gboolean is_within = beckon_path_is_within (folder, search->effects->folder);
      g_autoptr (GDir) directory = is_within ? g_dir_open (folder, 0, NULL) : NULL;
      const char *name;

      while (directory != NULL && search->n_looks < MAX_LOOKS && (name = g_dir_read_name (directory)) != NULL)
        {
          search->n_looks++;
          if (fnmatch (base, name, 0) == 0)
            add_named (search, folder, name);
        }
    }
}

static void
command_files_add_words (Search *search, GPtrArray *words)
{
  for (guint i = 0; i < words->len; i++)
    {
      const BeckonShellWord *word = g_ptr_array_index (words, i);

      add_word (search, word->text);
      if ((word->flags & BECKON_SHELL_WORD_GLOB) != 0)
        add_matching (search, word->text);
    }
}

static void
add_pieces (Search *search, const char *line)
{
  g_auto (GStrv) pieces = g_strsplit_set (line, BETWEEN, -1);
  g_auto (GStrv) quoted = NULL;

  for (guint i = 0; pieces[i] != NULL; i++)
    if (*pieces[i] != '\0')
      add_word (search, pieces[i]);
  /* Quoted text may be one name, blanks and all. */
  quoted = g_strsplit_set (line, "'\"", -1);
  for (guint i = 1; quoted[0] != NULL && quoted[i] != NULL; i++)
    if (*quoted[i] != '\0')
      add_name (search, quoted[i]);
}

void
beckon_command_files_add (BeckonEffects *effects, const char *directory, const char *line, const char *const *tool_chains)
{
  g_autoptr (GPtrArray) segments = NULL;
  Search search = { .effects = effects, .tool_chains = tool_chains };

  segments = beckon_shell_parse (line, NULL);
  search.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  search.folders = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (search.folders, g_strdup (directory));
  for (guint i = 0; segments != NULL && i < segments->len; i++)
    {
      const BeckonShellSegment *segment = g_ptr_array_index (segments, i);

      command_files_add_words (&search, segment->assignments);
      command_files_add_words (&search, segment->words);
      for (guint j = 0; j < segment->redirections->len; j++)
        add_word (&search, ((BeckonShellRedirection *) g_ptr_array_index (segment->redirections, j))->target->text);
    }
  if (segments == NULL)
    add_pieces (&search, line);
  g_ptr_array_unref (search.folders);
  g_hash_table_unref (search.seen);
}
