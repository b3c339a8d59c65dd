/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-provenance.h"

#include "base/beckon-json.h"
#include "base/beckon-json-value.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/queries/beckon-provenance-query.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  char *conversation_id; /* (owned) (nullable) */
  char *event;           /* (owned) (nullable) */
  char *tool;            /* (owned) (nullable) */
  int days;
  gboolean is_text;
} Provenance;

/* Enough of a hash to tell two contents apart. */
#define HASH_DIGITS 12

static void
print_file (JsonObject *file)
{
  const char *path = beckon_json_get_string (file, "path");
  const char *before = beckon_json_get_string (file, "before");
  const char *after = beckon_json_get_string (file, "after");
  const char *by = beckon_json_get_string (file, "by");
  const char *remark = beckon_json_get_string (file, "remark");
  const char *fate = beckon_json_get_string (file, "fate");
  g_autofree char *safe = beckon_cli_context_make_safe (path != NULL ? path : "");

  printf ("    %s %s  %.*s → %.*s", fate != NULL ? fate : "", safe, HASH_DIGITS, before != NULL ? before : "–", HASH_DIGITS,
          after != NULL ? after : "–");
  if (by != NULL)
    printf ("  %s", by);
  if (remark != NULL)
    {
      g_autofree char *safe_remark = beckon_cli_context_make_safe (remark);

      printf ("  (%s)", safe_remark);
    }
  printf ("\n");
}

/* Changes of files are told file by file, all else as it is stored, but with letters in place of their numbers. */
static void
print_text (const BeckonProvenance *line)
{
  g_autoptr (JsonObject) data = beckon_json_parse_object (line->data, -1, NULL);
  JsonArray *files = data != NULL ? beckon_json_get_array (data, "files") : NULL;
  const char *actor = files != NULL ? beckon_json_get_string (data, "actor") : NULL;
  g_autofree char *time = beckon_cli_context_format_time (line->at);
  g_autofree char *tool = beckon_cli_context_make_safe (line->tool != NULL ? line->tool : "–");
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (line->data, -1, NULL);
  g_autofree char *plain = value != NULL ? beckon_json_value_print (value) : NULL;
  g_autofree char *rest = NULL;

  if (files == NULL)
    rest = beckon_cli_context_make_safe (plain != NULL ? plain : line->data);
  else if (actor != NULL)
    rest = beckon_cli_context_make_safe (actor);
  printf ("%s  %s  %s  %s\n", time, line->event, tool, rest != NULL ? rest : "");
  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    if (JSON_NODE_HOLDS_OBJECT (json_array_get_element (files, i)))
      print_file (json_array_get_object_element (files, i));
}

/* The earliest first, as a log is read. */
static void
command_provenance_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Provenance *provenance = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = beckon_store_list_provenance_finish (BECKON_STORE (source), result, &error);

  for (guint i = lines != NULL ? lines->len : 0; i > 0; i--)
    {
      const BeckonProvenance *line = g_ptr_array_index (lines, i - 1);
      g_autofree char *json = provenance->is_text ? NULL : beckon_provenance_to_json (line);

      if (json != NULL)
        beckon_cli_context_print_json (json);
      else
        print_text (line);
    }
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
command_provenance_list (BeckonCliContext *cli, const char *conversation_id)
{
  const Provenance *provenance = cli->data;
  const BeckonProvenanceFilter filter = {
    .conversation_id = conversation_id,
    .event = provenance->event,
    .tool = provenance->tool,
    .since = provenance->days > 0 ? g_get_real_time () - provenance->days * G_TIME_SPAN_DAY : 0,
  };

  beckon_store_list_provenance_async (cli->store, &filter, NULL, command_provenance_on_listed, cli);
}

static void
command_provenance_on_found (BeckonCliContext *cli, BeckonConversation *header)
{
  command_provenance_list (cli, beckon_conversation_get_id (header));
}

static void
command_provenance_start (BeckonCliContext *cli)
{
  const Provenance *provenance = cli->data;

  if (provenance->conversation_id != NULL)
    beckon_cli_context_find_async (cli, provenance->conversation_id, command_provenance_on_found);
  else
    command_provenance_list (cli, NULL);
}

int
beckon_command_provenance (int argc, char **argv)
{
  Provenance provenance = { 0 };
  int status;
  const GOptionEntry entries[] = {
    { "conversation", 'c', 0, G_OPTION_ARG_STRING, &provenance.conversation_id, N_("Show only this conversation"),
      N_("ID") },
    { "event", 0, 0, G_OPTION_ARG_STRING, &provenance.event,
      N_("Show only this event, such as started"),
      N_("EVENT") },
    { "tool", 0, 0, G_OPTION_ARG_STRING, &provenance.tool, N_("Show only calls of this tool"), N_("TOOL") },
    { "text", 0, 0, G_OPTION_ARG_NONE, &provenance.is_text, N_("Print text instead of JSON Lines"), NULL },
    { "days", 0, 0, G_OPTION_ARG_INT, &provenance.days, N_("Show only the last N days"), N_("N") },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse (NULL, _("Print the audit log"),
                                 entries, &argc, &argv, 0, 0))
    return BECKON_COMMAND_MISUSED;

  status = beckon_cli_context_run ("provenance", command_provenance_start, &provenance);
  g_free (provenance.conversation_id);
  g_free (provenance.event);
  g_free (provenance.tool);
  return status;
}
