/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-import.h"

#include "base/beckon-json-writer.h"
#include "beckon-command.h"
#include "beckon-errand.h"
#include "store/beckon-import.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  const char *file;
  gboolean json;
} Import;

static void
print_json (GPtrArray *ids)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "conversations");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < ids->len; i++)
    beckon_json_writer_string (&writer, g_ptr_array_index (ids, i), -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_errand_print_json (document->str);
}

static void
on_imported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ids = beckon_store_import_finish (BECKON_STORE (source), result, &error);

  if (ids != NULL && ((Import *) errand->data)->json)
    print_json (ids);
  for (guint i = 0; ids != NULL && !((Import *) errand->data)->json && i < ids->len; i++)
    puts (g_ptr_array_index (ids, i));
  beckon_errand_finish (errand, error != NULL ? error->message : NULL);
}

/* A file without an end, such as a device, is not read to its end. */
static GBytes *
read_bounded (const char *name, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (name);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autofree char *text = NULL;
  gsize length = 0;

  if (stream == NULL)
    return NULL;

  text = g_malloc (BECKON_IMPORT_MAX_BYTES + 1);
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), text, BECKON_IMPORT_MAX_BYTES + 1, &length, NULL, error))
    return NULL;

  return g_bytes_new (text, length);
}

static void
start (BeckonErrand *errand)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) text = read_bounded (((Import *) errand->data)->file, &error);

  if (text != NULL)
    beckon_store_import_async (errand->store, text, NULL, on_imported, errand);
  else
    beckon_errand_finish (errand, error->message);
}

int
beckon_command_import (int argc, char **argv)
{
  Import import = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &import.json, N_("Print one JSON document"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_errand_parse (_("FILE"),
                            _("Imports an export of Beckon, or the conversations.json of ChatGPT or Claude, and prints the "
                              "ids of the new conversations. With --json: conversations, the ids."),
                            entries, &argc, &argv, 1, 1))
    return BECKON_COMMAND_MISUSED;

  import.file = argv[1];

  return beckon_errand_run ("import", start, &import);
}
