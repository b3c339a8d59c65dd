/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-export.h"

#include "base/beckon-text.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/transfer/beckon-export.h"
#include "text/beckon-conversation-text.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  const char *id;
  char *format;
  gboolean json;
  char *file;
  BeckonConversation *conversation; /* (owned) (nullable) */
} Export;

/* A file is there whole or not at all, and no other user can read it: it holds what a person said. */
static void
give_out (BeckonCliContext *cli, const char *document)
{
  const Export *export = cli->data;
  g_autoptr (GError) error = NULL;

  if (export->file == NULL)
    fputs (document, stdout);
  else
    g_file_set_contents_full (export->file, document, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error);
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
command_export_on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *document = beckon_store_export_finish (BECKON_STORE (source), result, &error);
  g_autofree char *escaped = document != NULL ? beckon_text_json_escape_hidden (document) : NULL;
  g_autofree char *line = escaped != NULL ? g_strconcat (escaped, "\n", NULL) : NULL;

  if (line != NULL)
    give_out (cli, line);
  else
    beckon_cli_context_finish (cli, error->message);
}

static void
command_export_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Export *export = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);
  g_autofree char *text = NULL;

  if (messages == NULL)
    {
      beckon_cli_context_finish (cli, error->message);
      return;
    }

  beckon_conversation_set_messages (export->conversation, messages);
  text = beckon_conversation_text_to_markdown (export->conversation);
  give_out (cli, text);
}

static void
command_export_on_found (BeckonCliContext *cli, BeckonConversation *header)
{
  Export *export = cli->data;
  const char *id = beckon_conversation_get_id (header);

  if (g_strcmp0 (export->format, "json") == 0)
    {
      beckon_store_export_async (cli->store, id, NULL, command_export_on_exported, cli);
      return;
    }

  export->conversation = g_object_ref (header);
  beckon_store_load_messages_async (cli->store, id, NULL, command_export_on_loaded, cli);
}

static void
command_export_start (BeckonCliContext *cli)
{
  beckon_cli_context_find_async (cli, ((Export *) cli->data)->id, command_export_on_found);
}

static int
check_and_run (Export *export)
{
  gboolean is_markdown = g_strcmp0 (export->format, "markdown") == 0;

  if (export->format != NULL && (!is_markdown || export->json) && g_strcmp0 (export->format, "json") != 0)
    {
      beckon_command_complain ("export", _("Choose the format “markdown” or “json”."));
      return BECKON_COMMAND_MISUSED;
    }

  return beckon_cli_context_run ("export", command_export_start, export);
}

int
beckon_command_export (int argc, char **argv)
{
  Export export = { 0 };
  int status = BECKON_COMMAND_MISUSED;
  const GOptionEntry entries[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &export.format, N_("Choose markdown or json"),
      N_("FORMAT") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &export.json, N_("Export as JSON"), NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &export.file, N_("Write to this file"), N_("FILE") },
    G_OPTION_ENTRY_NULL,
  };

  if (beckon_cli_context_parse (_("ID"),
                                _("Export a conversation"),
                                entries, &argc, &argv, 1, 1))
    {
      export.id = argv[1];
      if (export.json && export.format == NULL)
        export.format = g_strdup ("json");
      status = check_and_run (&export);
    }
  g_clear_object (&export.conversation);
  g_free (export.format);
  g_free (export.file);

  return status;
}
