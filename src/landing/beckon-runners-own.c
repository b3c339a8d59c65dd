/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-runners-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static GMutex programs_lock;
static GPtrArray *programs; /* (nullable) (element-type BeckonRunnerProgram): all owned */

static void
program_free (gpointer data)
{
  BeckonRunnerProgram *program = data;

  g_free ((char *) program->server);
  g_free ((char *) program->folder);
  g_strfreev ((char **) program->argv);
  g_free (program);
}

void
beckon_runners_set_programs (const BeckonRunnerProgram *all, guint n)
{
  GPtrArray *made = g_ptr_array_new_with_free_func (program_free);

  for (guint i = 0; i < n; i++)
    {
      BeckonRunnerProgram *program = g_new (BeckonRunnerProgram, 1);

      *program = (BeckonRunnerProgram){ g_strdup (all[i].server),
                                        g_strdup (all[i].folder != NULL ? all[i].folder : g_get_home_dir ()),
                                        (const char *const *) g_strdupv ((char **) all[i].argv) };
      g_ptr_array_add (made, program);
    }
  g_mutex_lock (&programs_lock);
  g_clear_pointer (&programs, g_ptr_array_unref);
  programs = made;
  g_mutex_unlock (&programs_lock);
}

/* A command on its way through its words. */
typedef struct
{
  BeckonRunners *runners;
  const BeckonRunnerProgram *program;
  GPtrArray *bases; /* (element-type filename) */
} Command;

static char *
command_name (Command *command, const char *path, BeckonRunnerReach reach)
{
  const char *server = command->program->server;
  g_autofree char *why = server != NULL ? beckon_text_printf (_("Beckon starts it, for the server “%s”"), server)
                                        : g_strdup (_("Beckon runs it to get a key or a token"));

  return beckon_runners_name (command->runners, path, reach, beckon_runner_reason_new (NULL, why, NULL));
}

/* A program that is read calls others in turn. */
static void
command_read (Command *command, const char *path)
{
  static const BeckonRunner beckon = { "Beckon", NULL, NULL, NULL, 0 };
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_free);

  if (!beckon_path_is_within (path, command->runners->folder) && !beckon_path_is_within (path, g_get_home_dir ()))
    return;
  g_ptr_array_add (bases, g_strdup (g_ptr_array_index (command->bases, command->bases->len - 1)));
  beckon_runners_read_file (command->runners, &beckon, path, bases, 1);
}

/* A folder is what a key's program may read; to a server one is usually data, unless its command goes there. A word without a
 * slash that is a folder says more often something else. */
static void
command_note_in (Command *command, const BeckonRunnerWord *word, const char *base)
{
  const gboolean is_server = command->program->server != NULL;
  g_autofree char *path = g_str_has_prefix (word->word, "~/") ? g_build_filename (g_get_home_dir (), word->word + 2, NULL)
                          : g_path_is_absolute (word->word)   ? g_strdup (word->word)
                                                              : g_build_filename (base, word->word, NULL);
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *end = NULL;

  if (is_folder && !word->is_folder && (is_server || strchr (word->word, '/') == NULL))
    return;

  end = command_name (command, path, is_folder && is_server ? BECKON_RUNNER_REACH_SCRIPTS : BECKON_RUNNER_REACH_TREE);
  if (is_folder || !g_file_test (end, G_FILE_TEST_IS_REGULAR))
    return;
  if (word->is_read && beckon_path_is_within (end, command->runners->folder))
    {
      g_autofree char *beside = g_path_get_dirname (end);

      g_free (command_name (command, beside, BECKON_RUNNER_REACH_SCRIPTS));
    }
  command_read (command, end);
}

/* Any word may be a program's name: another may stand before it in the path for programs. */
static void
command_note (const BeckonRunnerWord *word, gpointer data)
{
  Command *command = data;
  const char *variable = g_getenv ("PATH");
  g_auto (GStrv) folders = g_strsplit (variable != NULL ? variable : "", ":", -1);
  guint n = command->bases->len;

  if (word->is_variable && strcmp (word->word, ".") == 0)
    return;
  for (guint i = 0; i < n; i++)
    command_note_in (command, word, g_ptr_array_index (command->bases, i));
  if (word->is_folder)
    g_ptr_array_add (command->bases, beckon_runners_resolve (word->word, g_ptr_array_index (command->bases, 0)));
  for (guint i = 0; strchr (word->word, '/') == NULL && folders[i] != NULL; i++)
    {
      BeckonRunnerWord plain = { .word = word->word };
      g_autofree char *folder = g_canonicalize_filename (folders[i], g_get_home_dir ());

      command_note_in (command, &plain, folder);
    }
}

static void
command_add (BeckonRunners *self, const BeckonRunnerProgram *program)
{
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *line = g_strjoinv (" ", (char **) program->argv);
  Command command = { self, program, bases };

  g_ptr_array_add (bases, g_strdup (program->folder));
  beckon_runner_words_foreach (line, command_note, &command);
  /* As they are, too: paths with spaces, and signs that a shell never sees. */
  for (guint i = 0; program->argv[i] != NULL; i++)
    {
      const char *value = strchr (program->argv[i], '=');
      const BeckonRunnerWord whole = { .word = program->argv[i] };
      const BeckonRunnerWord behind = { .word = value != NULL ? value + 1 : NULL };

      if (*whole.word != '\0' && *whole.word != '-')
        command_note (&whole, &command);
      if (value != NULL && value[1] != '\0')
        command_note (&behind, &command);
      /* python -m NAME, go run NAME: the folder that it starts in holds the program. */
      if (program->server != NULL && (strcmp (whole.word, "-m") == 0 || strcmp (whole.word, "run") == 0)
          && strcmp (program->folder, g_get_home_dir ()) != 0)
        g_free (command_name (&command, program->folder, BECKON_RUNNER_REACH_SCRIPTS));
    }
}

void
beckon_runners_read_own (BeckonRunners *self)
{
  g_autoptr (GPtrArray) all = NULL;

  g_mutex_lock (&programs_lock);
  all = programs != NULL ? g_ptr_array_ref (programs) : NULL;
  g_mutex_unlock (&programs_lock);
  for (guint i = 0; all != NULL && i < all->len; i++)
    command_add (self, g_ptr_array_index (all, i));
}
