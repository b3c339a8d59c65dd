/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-answers.h"

#include "base/beckon-json-writer.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/queries/beckon-store-answers.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct
{
  char *folder; /* (owned) (nullable) */
  gboolean all;
  gboolean json;
} Answers;

static void
answers_clear (Answers *answers)
{
  g_free (answers->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answers, answers_clear)

/* As a conversation keeps it; one that is gone is taken as it is written. */
static void
resolve_folder (Answers *answers)
{
  g_autofree char *given = g_steal_pointer (&answers->folder);
  char *real = given != NULL ? realpath (given, NULL) : NULL;

  if (given != NULL)
    answers->folder = real != NULL ? g_strdup (real) : g_canonicalize_filename (given, NULL);
  free (real);
}

static void
command_answers_print_json (GPtrArray *answers)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "answers");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < answers->len; i++)
    {
      const BeckonRememberedAnswer *answer = g_ptr_array_index (answers, i);
      g_autofree char *last = beckon_last_answer_to_json (answer->last);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "folder", answer->folder);
      beckon_json_writer_member_string (&writer, "question", answer->question);
      beckon_json_writer_member_string (&writer, "conversation", answer->conversation_id);
      beckon_json_writer_name (&writer, "answer");
      beckon_json_writer_raw (&writer, last, -1);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_cli_context_print_json (document->str);
}

static void
command_answers_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Answers *answers = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = beckon_store_list_answers_finish (BECKON_STORE (source), result, &error);

  if (list != NULL && answers->json)
    command_answers_print_json (list);
  for (guint i = 0; list != NULL && !answers->json && i < list->len; i++)
    {
      const BeckonRememberedAnswer *answer = g_ptr_array_index (list, i);
      g_autofree char *time = beckon_cli_context_format_time (answer->last->at);
      g_autofree char *folder = beckon_cli_context_make_safe (answer->folder);
      g_autofree char *question = beckon_cli_context_make_safe (answer->question);
      g_autofree char *words = beckon_last_answer_describe (answer->last);
      g_autofree char *safe = beckon_cli_context_make_safe (words);

      printf ("%s  %s\n    %s\n    %s\n", time, folder, question, safe);
    }
  if (list != NULL && !answers->json && list->len == 0)
    fprintf (stderr, "%s\n", _("No answers are remembered."));
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
start_list (BeckonCliContext *cli)
{
  const Answers *answers = cli->data;

  beckon_store_list_answers_async (cli->store, answers->folder, NULL, command_answers_on_listed, cli);
}

static int
run_list (int argc, char **argv)
{
  g_auto (Answers) answers = { 0 };
  const GOptionEntry entries[] = {
    { "folder", 0, 0, G_OPTION_ARG_FILENAME, &answers.folder, N_("Limit it to this folder"), N_("FOLDER") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &answers.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse ("", _("List remembered answers"), entries, &argc, &argv,
                                 0, 0))
    return BECKON_COMMAND_MISUSED;
  resolve_folder (&answers);
  return beckon_cli_context_run ("answers list", start_list, &answers);
}

static void
command_answers_on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  g_autoptr (GError) error = NULL;

  beckon_store_forget_answers_finish (BECKON_STORE (source), result, &error);
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
start_forget (BeckonCliContext *cli)
{
  const Answers *answers = cli->data;

  beckon_store_forget_answers_async (cli->store, answers->folder, NULL, NULL, command_answers_on_forgotten, cli);
}

static int
run_forget (int argc, char **argv)
{
  g_auto (Answers) answers = { 0 };
  const GOptionEntry entries[] = {
    { "folder", 0, 0, G_OPTION_ARG_FILENAME, &answers.folder, N_("Limit it to this folder"), N_("FOLDER") },
    { "all", 0, 0, G_OPTION_ARG_NONE, &answers.all, N_("Forget those of all folders"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse ("", _("Forget remembered answers"), entries, &argc,
                                 &argv, 0, 0))
    return BECKON_COMMAND_MISUSED;
  if (answers.all == (answers.folder != NULL))
    {
      beckon_command_complain ("answers forget", _("Give --folder or --all."));
      return BECKON_COMMAND_MISUSED;
    }
  resolve_folder (&answers);
  return beckon_cli_context_run ("answers forget", start_forget, &answers);
}

int
beckon_command_answers (int argc, char **argv)
{
  static const BeckonCommand commands[] = {
    { "list", N_("List remembered answers"), run_list },
    { "forget", N_("Forget remembered answers"), run_forget },
    { NULL, NULL, NULL },
  };

  return beckon_command_dispatch ("beckonctl answers", commands, argc, argv);
}
