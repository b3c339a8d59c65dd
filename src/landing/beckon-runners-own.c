/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-runners-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* As many as the kernel follows. */
#define MAX_LINKS 40

/* A program that Beckon starts, kept for every search. */
typedef struct
{
  char *server; /* (nullable) */
  char *folder;
  GStrv argv;
} Program;

static GMutex programs_lock;
static GPtrArray *programs; /* (nullable) (element-type Program) */

static void
program_free (gpointer data)
{
  Program *program = data;

  g_free (program->server);
  g_free (program->folder);
  g_strfreev (program->argv);
  g_free (program);
}

void
beckon_runners_set_programs (const BeckonRunnerProgram *all, guint n)
{
  GPtrArray *made = g_ptr_array_new_with_free_func (program_free);

  for (guint i = 0; i < n; i++)
    {
      Program *program = g_new (Program, 1);

      *program = (Program){ g_strdup (all[i].server), g_strdup (all[i].folder != NULL ? all[i].folder : g_get_home_dir ()),
                            g_strdupv ((char **) all[i].argv) };
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
  const Program *program;
  GPtrArray *bases; /* (element-type filename) */
  gboolean is_folder; /* the word before leads to one */
} Command;

static void
command_name (Command *command, const char *path, BeckonRunnerReach reach)
{
  const char *server = command->program->server;
  g_autofree char *why = server != NULL ? beckon_text_printf (_("Beckon starts it, for the server “%s”"), server)
                                        : g_strdup (_("Beckon runs it to get a key or a token"));

  /* A folder around the working folder is no file that could be changed in there. */
  if (strcmp (path, command->runners->folder) == 0 || !beckon_path_is_within (command->runners->folder, path))
    beckon_runners_name (command->runners, path, reach, beckon_runner_reason_new (NULL, why, NULL));
}

/* Every link on the way to @path counts, because a change of it chooses where the way ends. As the kernel goes: ".." behind
 * a link is above of what the link leads to. */
static char *
command_name_way (Command *command, const char *path, BeckonRunnerReach reach)
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
      if (n_links < MAX_LINKS && beckon_runners_is_link (next) && (target = g_file_read_link (next, NULL)) != NULL)
        {
          n_links++;
          command_name (command, next, BECKON_RUNNER_REACH_TREE);
          g_string_prepend_c (rest, '/');
          g_string_prepend (rest, target);
          g_free (next);
          next = g_strdup (*target == '/' ? "/" : at);
        }
      g_free (at);
      at = g_steal_pointer (&next);
    }
  command_name (command, at, reach);
  return g_steal_pointer (&at);
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

  end = command_name_way (command, path, is_folder && is_server ? BECKON_RUNNER_REACH_SCRIPTS : BECKON_RUNNER_REACH_TREE);
  if (is_folder || !g_file_test (end, G_FILE_TEST_IS_REGULAR))
    return;
  if (word->is_read && beckon_path_is_within (end, command->runners->folder))
    {
      g_autofree char *beside = g_path_get_dirname (end);

      command_name (command, beside, BECKON_RUNNER_REACH_SCRIPTS);
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
command_add (BeckonRunners *self, const Program *program)
{
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *line = g_strjoinv (" ", program->argv);
  Command command = { self, program, bases, FALSE };

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
        command_name (&command, program->folder, BECKON_RUNNER_REACH_SCRIPTS);
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
