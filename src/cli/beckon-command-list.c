/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-list.h"

#include "base/beckon-json-writer.h"
#include "beckon-command.h"
#include "beckon-cli-context.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  gboolean json;
  GPtrArray *runs; /* (element-type BeckonRunRecord): those that are open */
} List;

/* A run whose process died is open, and nobody works on it. */
static gboolean
is_driven (const List *list, BeckonConversation *header)
{
  for (guint i = 0; i < list->runs->len; i++)
    {
      const BeckonRunRecord *record = g_ptr_array_index (list->runs, i);

      if (record->held && g_strcmp0 (record->conversation_id, beckon_conversation_get_id (header)) == 0)
        return TRUE;
    }
  return FALSE;
}

/* The state a person asks for before opening it. (nullable) */
static const char *
command_list_describe_state (const List *list, BeckonConversation *header)
{
  if (beckon_conversation_get_waiting (header) > 0 || !beckon_conversation_get_has_run (header))
    return NULL;
  if (beckon_conversation_is_busy (header))
    return is_driven (list, header) ? _("working") : _("can be resumed");
  if (beckon_conversation_get_phase (header) == BECKON_RUN_FAILED)
    return _("failed");
  if (beckon_run_phase_can_continue (beckon_conversation_get_phase (header)))
    return _("can be resumed");

  return beckon_conversation_get_unread (header) ? _("unread") : NULL;
}

static void
print_header (const List *list, BeckonConversation *header)
{
  g_autofree char *time = beckon_cli_context_format_time (beckon_conversation_get_updated_at (header));
  g_autofree char *title = beckon_cli_context_make_safe (beckon_conversation_get_title (header));
  guint waiting = beckon_conversation_get_waiting (header);
  const char *state;

  printf ("%s  %s  %s", beckon_conversation_get_id (header), time, *title != '\0' ? title : _("Untitled conversation"));

  state = command_list_describe_state (list, header);
  if (beckon_conversation_get_pinned (header))
    printf ("  [%s]", _("pinned"));
  if (beckon_conversation_get_archived (header))
    printf ("  [%s]", _("archived"));
  if (state != NULL)
    printf (_("  (%s)"), state);

  if (waiting > 0)
    printf (ngettext ("  (%u question is open)", "  (%u questions are open)", waiting), waiting);
  putchar ('\n');
}

static void
write_header (BeckonJsonWriter *writer, BeckonConversation *header)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "id", beckon_conversation_get_id (header));
  beckon_json_writer_member_string (writer, "title", beckon_conversation_get_title (header));
  beckon_json_writer_member_int (writer, "created_at", beckon_conversation_get_created_at (header));
  beckon_json_writer_member_int (writer, "updated_at", beckon_conversation_get_updated_at (header));
  beckon_json_writer_member_string (writer, "profile", beckon_conversation_get_profile_id (header));
  beckon_json_writer_member_string (writer, "phase",
                                    beckon_conversation_get_has_run (header)
                                    ? beckon_run_phase_to_string (beckon_conversation_get_phase (header))
                                    : NULL);
  beckon_json_writer_member_string (writer, "detail", beckon_conversation_get_detail (header));
  beckon_json_writer_member_boolean (writer, "pinned", beckon_conversation_get_pinned (header));
  beckon_json_writer_member_boolean (writer, "archived", beckon_conversation_get_archived (header));
  beckon_json_writer_member_boolean (writer, "unread", beckon_conversation_get_unread (header));
  beckon_json_writer_member_string (
    writer, "named_by", beckon_title_source_to_string (beckon_conversation_get_title_source (header)));
  beckon_json_writer_member_string (writer, "origin", beckon_conversation_get_origin_id (header));
  beckon_json_writer_member_string (writer, "origin_message", beckon_conversation_get_origin_message_id (header));
  beckon_json_writer_member_int (writer, "waiting", beckon_conversation_get_waiting (header));
  beckon_json_writer_end_object (writer);
}

static void
command_list_print_json (GPtrArray *headers)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "conversations");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < headers->len; i++)
    write_header (&writer, g_ptr_array_index (headers, i));
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_cli_context_print_json (document->str);
}

static void
command_list_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const List *list = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) headers = beckon_store_list_conversations_finish (BECKON_STORE (source), result, &error);

  if (headers == NULL)
    {
      beckon_cli_context_finish (cli, error->message);
      return;
    }

  if (list->json)
    command_list_print_json (headers);
  else
    for (guint i = 0; i < headers->len; i++)
      print_header (list, g_ptr_array_index (headers, i));
  beckon_cli_context_finish (cli, NULL);
}

static void
command_list_on_runs (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  List *list = cli->data;
  g_autoptr (GError) error = NULL;

  list->runs = beckon_store_list_open_runs_finish (BECKON_STORE (source), result, &error);
  if (list->runs == NULL)
    beckon_cli_context_finish (cli, error->message);
  else
    beckon_store_list_conversations_async (cli->store, NULL, command_list_on_listed, cli);
}

static void
command_list_start (BeckonCliContext *cli)
{
  beckon_store_list_open_runs_async (cli->store, NULL, command_list_on_runs, cli);
}

int
beckon_command_list (int argc, char **argv)
{
  List list = { 0 };
  int status;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &list.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse (NULL, _("List conversations"),
                                 entries, &argc, &argv, 0, 0))
    return BECKON_COMMAND_MISUSED;

  status = beckon_cli_context_run ("list", command_list_start, &list);
  g_clear_pointer (&list.runs, g_ptr_array_unref);
  return status;
}
