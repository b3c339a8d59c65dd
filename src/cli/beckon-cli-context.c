/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-context.h"

#include "base/beckon-text.h"
#include "beckon-command.h"
#include "beckon-config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  BeckonCliContext *cli;
  char *id;
  void (*found) (BeckonCliContext *cli, BeckonConversation *header);
} Finding;

static void
cli_context_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_close_finish (BECKON_RUNTIME (source), result, &error))
    {
      beckon_command_complain (cli->command, error->message);
      cli->status = BECKON_CLI_CONTEXT_FAILED;
    }
  g_main_loop_quit (cli->loop);
}

void
beckon_cli_context_finish (BeckonCliContext *cli, const char *problem)
{
  beckon_cli_context_finish_with (cli, problem, BECKON_CLI_CONTEXT_FAILED);
}

void
beckon_cli_context_finish_with (BeckonCliContext *cli, const char *problem, int status)
{
  if (problem != NULL)
    {
      beckon_command_complain (cli->command, problem);
      cli->status = status;
    }
  beckon_runtime_close_async (cli->runtime, cli_context_on_closed, cli);
}

static void
cli_context_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error))
    cli->start (cli);
  else
    beckon_cli_context_finish (cli, error->message);
}

/* Lost output must be reported, on a full disk for example. */
static void
flush (BeckonCliContext *cli)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return;
  /* A reader that has seen enough is no problem. */
  if (errno == EPIPE)
    {
      cli->status = BECKON_COMMAND_UNREAD;
      return;
    }

  beckon_command_complain (cli->command, _("Couldn't write the output."));
  cli->status = BECKON_CLI_CONTEXT_FAILED;
}

int
beckon_cli_context_run (const char *command, void (*start) (BeckonCliContext *cli), gpointer data)
{
  BeckonCliContext cli = { .command = command, .data = data, .start = start };

  cli.loop = g_main_loop_new (NULL, FALSE);
  cli.runtime = beckon_runtime_new (NULL);
  cli.store = beckon_runtime_get_store (cli.runtime);
  beckon_health_line_follow (cli.runtime);
  beckon_runtime_set_light (cli.runtime, TRUE);
  beckon_runtime_open_async (cli.runtime, NULL, cli_context_on_opened, &cli);
  g_main_loop_run (cli.loop);
  g_clear_object (&cli.runtime);
  g_main_loop_unref (cli.loop);
  flush (&cli);

  return cli.status;
}

static void
cli_context_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Finding *finding = user_data;
  g_autofree char *id = finding->id;
  BeckonConversation *match = NULL;
  guint n_matches = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) headers = beckon_store_list_conversations_finish (BECKON_STORE (source), result, &error);

  for (guint i = 0; headers != NULL && i < headers->len; i++)
    if (*id != '\0'
        && g_ascii_strncasecmp (beckon_conversation_get_id (g_ptr_array_index (headers, i)), id, strlen (id)) == 0)
      {
        match = g_ptr_array_index (headers, i);
        n_matches++;
      }

  if (error != NULL)
    beckon_cli_context_finish (finding->cli, error->message);
  else if (n_matches == 1)
    finding->found (finding->cli, match);
  else if (n_matches > 1)
    beckon_cli_context_finish (finding->cli, _("More than one conversation begins with this id. Give more of it."));
  else
    beckon_cli_context_finish (finding->cli, _("Conversation not found. “beckonctl list” shows all of them."));
}

void
beckon_cli_context_find_async (BeckonCliContext *cli, const char *id,
                               void (*found) (BeckonCliContext *cli, BeckonConversation *header))
{
  Finding *finding = g_new0 (Finding, 1);

  finding->cli = cli;
  finding->id = g_strdup (id);
  finding->found = found;
  beckon_store_list_conversations_async (cli->store, NULL, cli_context_on_listed, finding);
}

gboolean
beckon_cli_context_parse (const char *usage, const char *summary, const GOptionEntry *entries, int *argc, char ***argv,
                          int least, int most)
{
  g_autoptr (GOptionContext) context = g_option_context_new (usage);
  g_autofree char *problem = NULL;
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context, summary);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!beckon_command_parse (context, argc, argv, &error))
    {
      beckon_command_complain (g_get_prgname () + strlen ("beckonctl "), error->message);
      return FALSE;
    }

  if (*argc - 1 >= least && *argc - 1 <= most)
    return TRUE;

  problem = *argc - 1 > most ? beckon_command_dup_surplus ((*argv)[most + 1]) : g_strdup (_("An argument is missing."));
  beckon_command_misused (g_get_prgname (), problem);
  return FALSE;
}

char *
beckon_cli_context_format_time (gint64 at)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (at / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : g_strdup ("");
}

char *
beckon_cli_context_make_safe (const char *text)
{
  return beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);
}

void
beckon_cli_context_print_json (const char *document)
{
  g_autofree char *escaped = beckon_text_json_escape_hidden (document);

  puts (escaped);
}

/* How many changes wait is no news by itself; that one waits is. */
typedef struct
{
  BeckonFault fault;
  gboolean has_unsaved;
} Said;

static void
on_problem (BeckonHealth *health, GParamSpec *pspec, gpointer user_data)
{
  Said *said = user_data;
  const char *problem = beckon_health_get_problem (health);
  gboolean has_unsaved = beckon_health_get_n_unsaved (health) > 0;

  if (problem != NULL && (said->fault != beckon_health_get_fault (health) || (has_unsaved && !said->has_unsaved)))
    beckon_command_complain (NULL, problem);
  said->fault = beckon_health_get_fault (health);
  said->has_unsaved = has_unsaved;
}

/* A person at a terminal has read it; a log has not. */
static void
on_notice (BeckonHealth *health, GParamSpec *pspec, gpointer store)
{
  if (beckon_health_get_notice (health) == NULL)
    return;

  beckon_command_complain (NULL, beckon_health_get_notice (health));
  if (isatty (STDERR_FILENO))
    beckon_store_dismiss_notice (store);
}

static void
free_said (gpointer said, GClosure *closure)
{
  g_free (said);
}

void
beckon_health_line_follow (BeckonRuntime *runtime)
{
  BeckonHealth *health;

  health = beckon_store_get_health (beckon_runtime_get_store (runtime));
  g_signal_connect_data (health, "notify::problem", G_CALLBACK (on_problem), g_new0 (Said, 1), free_said, 0);
  g_signal_connect (health, "notify::notice", G_CALLBACK (on_notice), beckon_runtime_get_store (runtime));
}
