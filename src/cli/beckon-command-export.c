/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-export.h"

#include "base/beckon-text.h"
#include "beckon-command.h"
#include "beckon-errand.h"
#include "store/beckon-export.h"
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

/* A file is there whole or not at all, and nobody else's to read: it holds what a person said. */
static void
give_out (BeckonErrand *errand, const char *document)
{
  const Export *export = errand->data;
  g_autoptr (GError) error = NULL;

  if (export->file == NULL)
    fputs (document, stdout);
  else
    g_file_set_contents_full (export->file, document, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error);
  beckon_errand_finish (errand, error != NULL ? error->message : NULL);
}

static void
on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *document = beckon_store_export_finish (BECKON_STORE (source), result, &error);
  g_autofree char *escaped = document != NULL ? beckon_text_json_escape_hidden (document) : NULL;
  g_autofree char *line = escaped != NULL ? g_strconcat (escaped, "\n", NULL) : NULL;

  if (line != NULL)
    give_out (errand, line);
  else
    beckon_errand_finish (errand, error->message);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  Export *export = errand->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);
  g_autofree char *text = NULL;

  if (messages == NULL)
    {
      beckon_errand_finish (errand, error->message);
      return;
    }

  beckon_conversation_set_messages (export->conversation, messages);
  text = beckon_conversation_text_to_markdown (export->conversation);
  give_out (errand, text);
}

static void
on_found (BeckonErrand *errand, BeckonConversation *header)
{
  Export *export = errand->data;
  const char *id = beckon_conversation_get_id (header);

  if (g_strcmp0 (export->format, "json") == 0)
    {
      beckon_store_export_async (errand->store, id, NULL, on_exported, errand);
      return;
    }

  export->conversation = g_object_ref (header);
  beckon_store_load_messages_async (errand->store, id, NULL, on_loaded, errand);
}

static void
start (BeckonErrand *errand)
{
  beckon_errand_find_async (errand, ((Export *) errand->data)->id, on_found);
}

static int
check_and_run (Export *export)
{
  if (export->format != NULL && g_strcmp0 (export->format, "markdown") != 0 && g_strcmp0 (export->format, "json") != 0)
    {
      fprintf (stderr, "beckonctl export: %s\n", _("The format has to be markdown or json."));
      return BECKON_COMMAND_MISUSED;
    }

  return beckon_errand_run ("export", start, export);
}

int
beckon_command_export (int argc, char **argv)
{
  Export export = { 0 };
  int status = BECKON_COMMAND_MISUSED;
  const GOptionEntry entries[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &export.format, N_("markdown, to be read, or json, which is complete"),
      N_("FORMAT") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &export.json, N_("The same as --format=json"), NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &export.file, N_("Write to this file"), N_("FILE") },
    G_OPTION_ENTRY_NULL,
  };

  if (beckon_errand_parse (_("ID"),
                           _("Exports one conversation. The beginning of its id is enough. With --json: format, version "
                             "and conversation, which has its messages with their parts, requests and runs."),
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
