/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-questions.h"

#include "beckon-bus-host.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "beckon-documents.h"
#include "store/queries/beckon-request-contexts.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "text/beckon-plain-approval.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

typedef struct
{
  gboolean follow;
  gboolean json;
  gboolean ends;
  GPtrArray *requests; /* (owned) (nullable): to be printed, the first one being */
  GHashTable *contexts; /* (owned) (nullable) */
  gboolean are_stale;   /* more came since the contexts were read */
  BeckonBusHost *host; /* (owned) (nullable) */
} Questions;

/* @preview, @problem: (nullable): of an approval */
static void
print_request (BeckonRequest *request, const BeckonRequestContext *context, const BeckonCallPreview *preview,
               const char *problem)
{
  g_autofree char *title = beckon_cli_context_make_safe (context != NULL ? context->title : "");
  g_autofree char *time = beckon_cli_context_format_time (beckon_request_get_asked_at (request));

  printf ("%s  %s  %s\n", beckon_request_get_id (request), time, title);
  for (guint i = 0; i < beckon_plain_text_n_items (request); i++)
    {
      g_autofree char *text = preview != NULL || problem != NULL
                                ? beckon_plain_approval_format_listed (request, preview, problem)
                              : i == 0 ? beckon_plain_text_format_with_code (request, i)
                                       : beckon_plain_text_format (request, i);

      puts (text);
    }
  /* Changes have lines of their own for each reply. */
  if (beckon_request_get_changes (request) == NULL)
    {
      g_autofree char *code = beckon_plain_text_dup_code (request);

      /* Translators: the command stays as it is; %s is a question's code, and … stands for the reply */
      printf (_("Answer with: beckonctl answer %s …"), code);
      putchar ('\n');
    }
  putchar ('\n');
}

static void
command_questions_finish (BeckonCliContext *cli, const GError *error)
{
  Questions *questions = cli->data;

  fflush (stdout);
  if (error != NULL || !questions->follow)
    beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
on_printed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_documents_print_finish (BECKON_RUNTIME (source), result, &error);
  command_questions_finish (user_data, error);
}

static void print_next (BeckonCliContext *cli);

static void
print_first (BeckonCliContext *cli, const BeckonCallPreview *preview, const char *problem)
{
  Questions *questions = cli->data;
  BeckonRequest *request = g_ptr_array_index (questions->requests, 0);

  print_request (request, g_hash_table_lookup (questions->contexts, beckon_request_get_id (request)), preview, problem);
  g_ptr_array_remove_index (questions->requests, 0);
}

/* The change that a call would make is shown as the terminal's card does. */
static void
on_preview (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonCallPreview) preview
    = beckon_call_previewer_preview_finish (BECKON_CALL_PREVIEWER (source), result, &error);

  print_first (user_data, preview, error != NULL ? error->message : NULL);
  print_next (user_data);
}

static void
on_contexts (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Questions *questions = cli->data;
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&questions->contexts, g_hash_table_unref);
  questions->contexts = beckon_store_load_contexts_finish (BECKON_STORE (source), result, &error);
  if (questions->contexts != NULL)
    {
      print_next (cli);
      return;
    }
  g_ptr_array_set_size (questions->requests, 0);
  command_questions_finish (cli, error);
}

static void
load_contexts (BeckonCliContext *cli)
{
  ((Questions *) cli->data)->are_stale = FALSE;
  beckon_store_load_contexts_async (cli->store, NULL, NULL, on_contexts, cli);
}

static void
print_next (BeckonCliContext *cli)
{
  Questions *questions = cli->data;
  BeckonCallPreviewer *previewer = beckon_inbox_get_previewer (beckon_runtime_get_inbox (cli->runtime));

  while (questions->requests->len > 0)
    {
      BeckonRequest *request = g_ptr_array_index (questions->requests, 0);

      const BeckonApprovalDetails *details = beckon_request_get_details (request);

      if (questions->are_stale)
        {
          load_contexts (cli);
          return;
        }
      if (BECKON_IS_APPROVAL_REQUEST (request) && previewer != NULL && (details == NULL || details->server == NULL)
          && beckon_call_previewer_has_preview (previewer, beckon_request_get_tool (request)))
        {
          beckon_call_previewer_preview_async (previewer, request, beckon_request_get_arguments (request), NULL, on_preview,
                                               cli);
          return;
        }
      print_first (cli, NULL, NULL);
    }
  command_questions_finish (cli, NULL);
}

/* Those that come while others are being printed are printed with the next. */
static void
command_questions_print (BeckonCliContext *cli, GListModel *inbox, guint position, guint n)
{
  Questions *questions = cli->data;
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean is_printing;

  for (guint i = position; i < position + n; i++)
    g_ptr_array_add (added, g_list_model_get_item (inbox, i));
  if (questions->json)
    {
      beckon_documents_print_async (cli->runtime, added, !questions->follow, on_printed, cli);
      return;
    }

  is_printing = questions->requests->len > 0;
  g_ptr_array_extend_and_steal (questions->requests, g_steal_pointer (&added));
  questions->are_stale = is_printing;
  if (!is_printing)
    load_contexts (cli);
}

static void
on_added (GListModel *inbox, guint position, guint removed, guint added, gpointer user_data)
{
  if (added > 0)
    command_questions_print (user_data, inbox, position, added);
}

static void
command_questions_on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement,
                              BeckonCliContext *cli)
{
  Questions *questions = cli->data;
  g_autoptr (GPtrArray) settled = NULL;
  g_autofree char *code = NULL;
  g_autofree char *summary = NULL;

  if (questions->json)
    {
      settled = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (settled, g_object_ref (request));
      beckon_documents_print_async (cli->runtime, settled, FALSE, on_printed, cli);
      return;
    }

  code = beckon_plain_text_dup_code (request);
  summary = beckon_request_dup_summary (request);
  /* Translators: a question's code, how it ended, and where, such as "✓ [7k2m] 8080 (in the window)" */
  printf (_("✓ [%s] %s (%s)\n"), code, summary, beckon_request_front_end_to_words (beckon_request_get_front_end (request)));
  fflush (stdout);
}

static void
on_left_bus (GObject *source, GAsyncResult *result, gpointer user_data)
{
  beckon_bus_host_end_finish (BECKON_BUS_HOST (source), result);
  beckon_cli_context_finish (user_data, NULL);
}

static gboolean
on_interrupt (gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Questions *questions = cli->data;

  if (!questions->ends)
    beckon_bus_host_end_async (questions->host, on_left_bus, cli);
  questions->ends = TRUE;
  return G_SOURCE_REMOVE;
}

/* Without a reader the list ends. */
static gboolean
on_unread (int fd, GIOCondition condition, gpointer user_data)
{
  BeckonCliContext *cli = user_data;

  cli->status = BECKON_COMMAND_UNREAD;
  return on_interrupt (cli);
}

static void
command_questions_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Questions *questions = cli->data;
  BeckonInbox *inbox = BECKON_INBOX (source);
  g_autoptr (GError) error = NULL;

  if (!beckon_inbox_load_finish (inbox, result, &error))
    {
      beckon_cli_context_finish (cli, error->message);
      return;
    }

  if (questions->follow)
    {
      questions->host = beckon_bus_host_new (cli->runtime);
      g_signal_connect (inbox, "items-changed", G_CALLBACK (on_added), cli);
      g_signal_connect (inbox, "settled", G_CALLBACK (command_questions_on_settled), cli);
      g_unix_signal_add (SIGINT, on_interrupt, cli);
      g_unix_signal_add (SIGTERM, on_interrupt, cli);
      g_unix_fd_add (STDOUT_FILENO, G_IO_ERR, on_unread, cli);
    }
  command_questions_print (cli, G_LIST_MODEL (inbox), 0, g_list_model_get_n_items (G_LIST_MODEL (inbox)));
}

static void
command_questions_start (BeckonCliContext *cli)
{
  beckon_inbox_load_async (beckon_runtime_get_inbox (cli->runtime), NULL, command_questions_on_loaded, cli);
}

int
beckon_command_questions (int argc, char **argv)
{
  Questions questions = { 0 };
  int status;
  const GOptionEntry entries[] = {
    { "follow", 'f', 0, G_OPTION_ARG_NONE, &questions.follow, N_("Keep running and show new ones"),
      NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &questions.json, N_("Print JSON; with --follow, one object per line"),
      NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse (NULL,
                                 _("List questions and approvals that are waiting"),
                                 entries, &argc, &argv, 0, 0))
    return BECKON_COMMAND_MISUSED;

  questions.requests = g_ptr_array_new_with_free_func (g_object_unref);
  status = beckon_cli_context_run ("questions", command_questions_start, &questions);
  g_clear_object (&questions.host);
  g_ptr_array_unref (questions.requests);
  g_clear_pointer (&questions.contexts, g_hash_table_unref);
  return status;
}
