/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-provenance.h"

#include "base/beckon-json.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/queries/beckon-call-log.h"
#include "text/beckon-call-labels.h"

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

/* Words of the log that people read translated. Translators: of a log of what was asked, decided and run. */
static const char *const words[] = {
  NC_("log", "asked"), NC_("log", "decided"), NC_("log", "settled"), NC_("log", "delivered"), NC_("log", "started"),
  NC_("log", "finished"), NC_("log", "failed"), NC_("log", "looked"), NC_("log", "landed"), NC_("log", "undone"),
  NC_("log", "redone"), NC_("log", "allow"), NC_("log", "ask"), NC_("log", "deny"), NC_("log", "answered"),
  NC_("log", "skipped"), NC_("log", "delegated"), NC_("log", "asked-back"), NC_("log", "declined"), NC_("log", "cancelled"),
  NC_("log", "timed-out"), NC_("log", "unavailable"), NC_("log", "kept"), NC_("log", "left-out"), NC_("log", "denied"),
  NC_("log", "conflict"), NC_("log", "rule"), NC_("log", "person"), NC_("log", "question"), NC_("log", "approval"),
  NC_("log", "plan"), NC_("log", "form"), NC_("log", "changes"), NC_("log", "terminal"), NC_("log", "window"),
};

static const char *
provenance_translate (const char *word)
{
  for (gsize i = 0; word != NULL && i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (words[i], word))
      return g_dpgettext2 (GETTEXT_PACKAGE, "log", word);
  return word != NULL ? word : "";
}

static void
print_file (JsonObject *file)
{
  const char *path = beckon_json_get_string (file, "path");
  const char *before = beckon_json_get_string (file, "before");
  const char *after = beckon_json_get_string (file, "after");
  const char *by = beckon_json_get_string (file, "by");
  const char *remark = beckon_json_get_string (file, "remark");
  const char *fate = provenance_translate (beckon_json_get_string (file, "fate"));
  g_autofree char *safe = beckon_cli_context_make_safe (path != NULL ? path : "");

  printf ("    %s %s  %.*s → %.*s", fate, safe, HASH_DIGITS, before != NULL ? before : "–", HASH_DIGITS,
          after != NULL ? after : "–");
  if (by != NULL)
    printf ("  %s", provenance_translate (by));
  if (remark != NULL)
    {
      g_autofree char *safe_remark = beckon_cli_context_make_safe (remark);

      printf (_("  (%s)"), safe_remark);
    }
  printf ("\n");
}

/* A line tells the call, what was decided of it and why, what became of a request, and who said so. */
static char *
provenance_describe (const BeckonProvenance *line, JsonObject *data)
{
  static const char *const members[] = { "verdict", "reason", "kind", "state", "front_end", "actor" };
  const char *verdict = beckon_json_get_string (data, "verdict");
  const char *executed = beckon_json_get_string (data, "executed");
  const char *arguments = executed != NULL || verdict == NULL ? executed : beckon_json_get_string (data, "shown");
  g_autoptr (GString) text = g_string_new (NULL);

  if (arguments != NULL && line->tool != NULL)
    {
      g_autofree char *sentence = beckon_call_labels_describe (line->tool, NULL, arguments, BECKON_CALL_PHASE_STEP);

      g_string_append (text, sentence);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *word = provenance_translate (beckon_json_get_string (data, members[i]));

      if (*word != '\0')
        g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", word);
    }
  return beckon_cli_context_make_safe (text->str);
}

/* Changes of files are told file by file. JSON has all that is stored. */
static void
print_text (const BeckonProvenance *line)
{
  g_autoptr (JsonObject) data = beckon_json_parse_object (line->data, -1, NULL);
  JsonArray *files = data != NULL ? beckon_json_get_array (data, "files") : NULL;
  g_autofree char *time = beckon_cli_context_format_time (line->at);
  g_autofree char *tool = beckon_cli_context_make_safe (line->tool != NULL ? line->tool : "–");
  g_autofree char *rest = data != NULL ? provenance_describe (line, data) : beckon_cli_context_make_safe (line->data);

  printf ("%s  %s  %s%s%s\n", time, provenance_translate (line->event), tool, *rest != '\0' ? "  " : "", rest);
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
