/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-show.h"

#include "agent/beckon-prompt-facts.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/transfer/beckon-export.h"
#include "text/beckon-conversation-text.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  const char *id;
  gboolean json;
  int branch; /* 0: the one that is shown */
  BeckonConversation *conversation; /* (owned) (nullable) */
} Show;

static void
command_show_on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *document = beckon_store_export_finish (BECKON_STORE (source), result, &error);

  if (document != NULL)
    beckon_cli_context_print_json (document);
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

/* The files that the last request was made with. */
static void
on_prefixes (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPrefixes) prefixes = beckon_store_load_prefixes_finish (BECKON_STORE (source), result, &error);
  g_autofree char *files = prefixes != NULL ? beckon_prompt_facts_dup_files (prefixes) : NULL;

  if (files != NULL && *files != '\0')
    printf ("\n*%s*\n%s\n", _("Instructions, skills and commands of the folder:"), files);
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
command_show_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Show *show = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages != NULL)
    {
      g_autofree char *text = NULL;
      const char *detail;
      g_autofree char *safe = NULL;

      beckon_conversation_set_messages (show->conversation, messages);
      text = beckon_conversation_text_to_markdown (show->conversation);
      fputs (text, stdout);

      /* The last run is that of what is shown. */
      detail = beckon_conversation_get_detail (show->conversation);
      safe = beckon_cli_context_make_safe (detail != NULL ? detail : "");
      if (show->branch == 0 && beckon_conversation_get_has_run (show->conversation)
          && beckon_conversation_get_phase (show->conversation) == BECKON_RUN_FAILED)
        printf ("\n*%s %s*\n", _("Failed:"), safe);
    }
  if (messages != NULL)
    beckon_store_load_prefixes_async (cli->store, beckon_conversation_get_id (show->conversation), NULL, on_prefixes, cli);
  else
    beckon_cli_context_finish (cli, error->message);
}

static void
command_show_on_found (BeckonCliContext *cli, BeckonConversation *header)
{
  Show *show = cli->data;
  const char *id = beckon_conversation_get_id (header);

  if (show->json)
    {
      beckon_store_export_async (cli->store, id, NULL, command_show_on_exported, cli);
      return;
    }

  show->conversation = g_object_ref (header);
  if (show->branch > 0)
    beckon_store_load_branch_async (cli->store, id, (guint) show->branch, NULL, command_show_on_loaded, cli);
  else
    beckon_store_load_messages_async (cli->store, id, NULL, command_show_on_loaded, cli);
}

static void
command_show_start (BeckonCliContext *cli)
{
  beckon_cli_context_find_async (cli, ((Show *) cli->data)->id, command_show_on_found);
}

int
beckon_command_show (int argc, char **argv)
{
  Show show = { 0 };
  int status;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &show.json, N_("Print JSON"), NULL },
    { "branch", 'b', 0, G_OPTION_ARG_INT, &show.branch, N_("Print this branch, from 1"),
      N_("NUMBER") },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse (_("ID"),
                                 _("Print a conversation"),
                                 entries, &argc, &argv, 1, 1))
    return BECKON_COMMAND_MISUSED;

  if (show.branch < 0 || (show.branch > 0 && show.json))
    {
      g_printerr ("%s\n", _("Set --branch to a number from 1. It can't be used with --json, which has all branches."));
      return BECKON_COMMAND_MISUSED;
    }
  show.id = argv[1];
  status = beckon_cli_context_run ("show", command_show_start, &show);
  g_clear_object (&show.conversation);

  return status;
}
