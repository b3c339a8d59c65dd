/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-script.h"

#include <json-glib/json-glib.h>

/* --- What the model says ------------------------------------------------------------------------------------------- */

BeckonFixtureReply *
beckon_script_calls (const char *text, const BeckonScriptCall *calls, guint n, const char *finish)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  if (text != NULL)
    beckon_fixture_reply_add_chat_text (reply, text);
  for (guint i = 0; i < n; i++)
    beckon_fixture_reply_add_chat_call (reply, i, calls[i].id, calls[i].name, calls[i].arguments);
  beckon_fixture_reply_add_chat_finish (reply, finish);
  beckon_fixture_reply_add_chat_done (reply);
  return reply;
}

BeckonFixtureReply *
beckon_script_call (const char *id, const char *name, const char *arguments)
{
  const BeckonScriptCall call = { id, name, arguments };

  return beckon_script_calls (NULL, &call, 1, "tool_calls");
}

BeckonFixtureReply *
beckon_script_ask (const char *id)
{
  return beckon_script_call (id, "ask_user", BECKON_SCRIPT_QUESTION);
}

BeckonFixtureReply *
beckon_script_held (const char *text, const char *gate, const char *rest)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, text);
  beckon_fixture_reply_add_hold (reply, gate);
  beckon_fixture_reply_add_chat_text (reply, rest);
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  return reply;
}

BeckonFixtureReply *
beckon_script_silent (const char *gate)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_hold (reply, gate);
  beckon_fixture_reply_add_close (reply);
  return reply;
}

BeckonFixtureReply *
beckon_script_cut (const char *text)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, text);
  beckon_fixture_reply_add_close (reply);
  return reply;
}

BeckonFixtureReply *
beckon_script_error (guint status, const char *headers, const char *message)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  g_autofree char *body = g_strdup_printf ("{\"error\":{\"message\":\"%s\"}}", message);

  beckon_fixture_reply_add_response (reply, status, headers, "application/json", body);
  return reply;
}

BeckonAnswer *
beckon_script_pick (const char *label)
{
  BeckonAnswer *answer = beckon_answer_new_question (1);

  beckon_answer_select (answer, 0, label);
  return answer;
}

BeckonAnswer *
beckon_script_type (const char *text)
{
  BeckonAnswer *answer = beckon_answer_new_question (1);

  beckon_answer_set_item_text (answer, 0, text);
  return answer;
}

/* --- What is in a conversation ------------------------------------------------------------------------------------- */

static void
dump_call (GString *dump, BeckonToolCall *call)
{
  const char *edited = beckon_tool_call_get_edited_arguments (call);

  g_string_append_printf (dump, "  call %s %s %s %s", beckon_tool_call_get_provider_id (call),
                          beckon_tool_call_get_name (call),
                          beckon_call_state_to_string (beckon_tool_call_get_state (call)),
                          beckon_tool_call_get_arguments (call));
  if (edited != NULL)
    g_string_append_printf (dump, " edited %s", edited);
  if (beckon_tool_call_get_result (call) != NULL)
    g_string_append_printf (dump, " %s %s", beckon_tool_call_get_is_error (call) ? "⇒" : "→",
                            beckon_tool_call_get_result (call));
  for (guint i = 0; i < beckon_tool_call_get_n_images (call); i++)
    {
      BeckonPart *image = beckon_tool_call_get_image (call, i);
      g_autofree char *digest = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) beckon_part_get_text (image),
                                                             beckon_part_get_length (image));

      g_string_append_printf (dump, " [%s %s %s]", beckon_part_get_origin (image), beckon_part_get_media_type (image), digest);
    }
  g_string_append_c (dump, '\n');
}

static void
dump_part (GString *dump, BeckonPart *part)
{
  switch (beckon_part_get_kind (part))
    {
    case BECKON_PART_TEXT:
      g_string_append_printf (dump, "  text %s\n", beckon_part_get_text (part));
      break;
    case BECKON_PART_REASONING:
      g_string_append_printf (dump, "  reasoning %s\n", beckon_part_get_text (part));
      break;
    case BECKON_PART_CALL:
      dump_call (dump, beckon_part_get_call (part));
      break;
    case BECKON_PART_OPAQUE:
    case BECKON_PART_IMAGE:
    default:
      g_string_append_printf (dump, "  opaque %s\n", beckon_part_get_text (part));
      break;
    }
}

static void
dump_message (GString *dump, BeckonMessage *message)
{
  const BeckonUsage *usage = beckon_message_get_usage (message);

  g_string_append_printf (dump, "%s %s\n", beckon_message_get_role (message) == BECKON_ROLE_USER ? "user" : "assistant",
                          beckon_message_status_to_string (beckon_message_get_status (message)));
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    dump_part (dump, beckon_message_get_part (message, i));
  if (usage != NULL && usage->input >= 0)
    g_string_append_printf (dump, "  usage %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", usage->input, usage->output);
}

char *
beckon_agent_dump (GListModel *messages)
{
  g_autoptr (GString) dump = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (messages); i++)
    {
      g_autoptr (BeckonMessage) message = g_list_model_get_item (messages, i);

      dump_message (dump, message);
    }
  return g_string_free (g_steal_pointer (&dump), FALSE);
}

char *
beckon_agent_dump_array (GPtrArray *messages)
{
  g_autoptr (GString) dump = g_string_new (NULL);

  for (guint i = 0; i < messages->len; i++)
    dump_message (dump, g_ptr_array_index (messages, i));
  return g_string_free (g_steal_pointer (&dump), FALSE);
}

/* --- What the model was told --------------------------------------------------------------------------------------- */

static JsonObject *
parse_body (JsonParser *parser, const BeckonFixtureRequest *request)
{
  g_autoptr (GError) error = NULL;

  json_parser_load_from_data (parser, request->body, (gssize) request->length, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

static const char *
get_content (JsonObject *message)
{
  if (!json_object_has_member (message, "content") || json_object_get_null_member (message, "content"))
    return "";
  return json_object_get_string_member (message, "content");
}

static void
dump_calls_sent (GString *dump, JsonObject *message)
{
  JsonArray *calls;

  if (!json_object_has_member (message, "tool_calls"))
    return;
  calls = json_object_get_array_member (message, "tool_calls");
  for (guint i = 0; i < json_array_get_length (calls); i++)
    {
      JsonObject *call = json_array_get_object_element (calls, i);
      JsonObject *function = json_object_get_object_member (call, "function");

      g_string_append_printf (dump, "  call %s %s %s\n", json_object_get_string_member (call, "id"),
                              json_object_get_string_member (function, "name"),
                              json_object_get_string_member (function, "arguments"));
    }
}

static void
dump_message_sent (GString *dump, JsonObject *message)
{
  const char *role = json_object_get_string_member (message, "role");

  if (g_str_equal (role, "system"))
    return;
  g_string_append (dump, role);
  if (g_str_equal (role, "tool"))
    g_string_append_printf (dump, " %s", json_object_get_string_member (message, "tool_call_id"));
  if (*get_content (message) != '\0')
    g_string_append_printf (dump, " %s", get_content (message));
  g_string_append_c (dump, '\n');
  dump_calls_sent (dump, message);
}

char *
beckon_agent_dump_request (const BeckonFixtureRequest *request)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *messages = json_object_get_array_member (parse_body (parser, request), "messages");
  g_autoptr (GString) dump = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (messages); i++)
    dump_message_sent (dump, json_array_get_object_element (messages, i));
  return g_string_free (g_steal_pointer (&dump), FALSE);
}

/* Built-in tools come and go; these are the ones that a test is about, and those that tests bring. */
static gboolean
is_watched (const char *name)
{
  return g_str_equal (name, "ask_user") || g_str_equal (name, "get_current_time") || g_str_has_suffix (name, "_note");
}

char *
beckon_agent_dump_tools (const BeckonFixtureRequest *request)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *body = parse_body (parser, request);
  g_autoptr (GString) names = g_string_new (NULL);
  JsonArray *tools;

  if (!json_object_has_member (body, "tools"))
    return g_strdup ("");
  tools = json_object_get_array_member (body, "tools");
  for (guint i = 0; i < json_array_get_length (tools); i++)
    {
      JsonObject *function = json_object_get_object_member (json_array_get_object_element (tools, i), "function");
      const char *name = json_object_get_string_member (function, "name");

      if (is_watched (name))
        g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", name);
    }
  return g_string_free (g_steal_pointer (&names), FALSE);
}

char *
beckon_agent_dup_system (const BeckonFixtureRequest *request)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *messages = json_object_get_array_member (parse_body (parser, request), "messages");
  JsonObject *first = json_array_get_object_element (messages, 0);

  g_assert_cmpstr (json_object_get_string_member (first, "role"), ==, "system");
  return g_strdup (json_object_get_string_member (first, "content"));
}

char *
beckon_agent_dup_result (const BeckonFixtureRequest *request, const char *call_id)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *messages = json_object_get_array_member (parse_body (parser, request), "messages");
  char *result = NULL;

  for (guint i = 0; i < json_array_get_length (messages); i++)
    {
      JsonObject *message = json_array_get_object_element (messages, i);

      if (!g_str_equal (json_object_get_string_member (message, "role"), "tool") ||
          !g_str_equal (json_object_get_string_member (message, "tool_call_id"), call_id))
        continue;
      g_assert_null (result);
      result = g_strdup (get_content (message));
    }
  g_assert_nonnull (result);
  return result;
}
