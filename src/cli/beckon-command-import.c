/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-import.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-text.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/transfer/beckon-import.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  const char *file;
  gboolean json;
} Import;

static void
command_import_print_json (const BeckonImportReport *report)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "conversations");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < report->ids->len; i++)
    beckon_json_writer_string (&writer, g_ptr_array_index (report->ids, i), -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_member_int (&writer, "known", report->n_known);
  beckon_json_writer_member_int (&writer, "empty", report->n_empty);
  beckon_json_writer_member_int (&writer, "unreadable", report->n_unreadable);
  beckon_json_writer_member_int (&writer, "pictures", report->n_images);
  beckon_json_writer_member_int (&writer, "missing_pictures", report->n_missing);
  beckon_json_writer_member_int (&writer, "left_out", report->n_unknown);
  beckon_json_writer_member_string (&writer, "problem", report->problem);
  beckon_json_writer_end_object (&writer);
  beckon_cli_context_print_json (document->str);
}

static void
command_import_on_imported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report = beckon_store_import_finish (BECKON_STORE (source), result, &error);

  if (report != NULL && ((Import *) cli->data)->json)
    command_import_print_json (report);
  else if (report != NULL)
    {
      g_autofree char *words = beckon_import_report_describe (report);
      g_autofree char *safe = beckon_text_for_display (words, -1, BECKON_TEXT_PROSE);

      for (guint i = 0; i < report->ids->len; i++)
        puts (g_ptr_array_index (report->ids, i));
      /* That all went well the ids say. */
      if (strchr (safe, '\n') != NULL)
        fprintf (stderr, "%s\n", safe);
    }
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
command_import_start (BeckonCliContext *cli)
{
  const char *name = ((Import *) cli->data)->file;
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (g_str_equal (name, "-") ? "/dev/stdin" : name);

  beckon_store_import_file_async (cli->store, file, NULL, NULL, NULL, command_import_on_imported, cli);
}

int
beckon_command_import (int argc, char **argv)
{
  Import import = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &import.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse (_("FILE"),
                                 _("Import conversations"),
                                 entries, &argc, &argv, 1, 1))
    return BECKON_COMMAND_MISUSED;

  import.file = argv[1];

  return beckon_cli_context_run ("import", command_import_start, &import);
}
