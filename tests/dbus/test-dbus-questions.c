/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-dbus-fixture.h"

#include "base/beckon-json.h"
#include "beckon-test-tool.h"
#include "request/beckon-trust-request.h"
#include "sandbox/beckon-sandbox-view.h"
#include "sandbox/beckon-sandbox.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

static JsonObject *
parse (const char *json)
{
  g_autoptr (GError) error = NULL;
  JsonObject *object = beckon_json_parse_object (json, -1, &error);

  g_assert_no_error (error);
  return object;
}

static JsonObject *
get (BeckonDbusFixture *fixture, const char *id)
{
  g_autofree char *document = NULL;

  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Get", id, NULL), ==, 0);
  document = beckon_dbus_fixture_dup_string (fixture);
  return parse (document);
}

static BeckonConversation *
conversation_of (BeckonDbusFixture *fixture, BeckonRequest *request)
{
  return beckon_library_lookup (beckon_runtime_get_library (fixture->runtime),
                                beckon_request_get_conversation_id (request));
}

#define wait_complete(fixture, conversation)                                                                           \
  beckon_agent_wait_until (beckon_conversation_get_phase (conversation) == BECKON_RUN_COMPLETE)

static void
test_list (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_auto (GStrv) documents = NULL;
  g_autoptr (JsonObject) first = NULL;

  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "List", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "(@as [],)\n");

  beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1"));
  beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c2"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "List", NULL), ==, 0);
  documents = beckon_dbus_fixture_dup_strings (fixture);
  g_assert_cmpuint (g_strv_length (documents), ==, 2);
  first = parse (documents[0]);
  g_assert_cmpstr (beckon_json_get_string (first, "kind"), ==, "question");
  g_assert_cmpstr (beckon_json_get_string (first, "state"), ==, "pending");
  g_assert_true (beckon_json_get_boolean (first, "answerable", FALSE));
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (first, "conversation"), "title"), ==, "Hello");
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (first, "asker"), "name"), ==, "Fixture");
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (first, "tool"), "name"), ==, "ask_user");
}

static void
test_get (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  const BeckonScriptCall call = { "c1", "ask_user", BECKON_SCRIPT_QUESTION };
  BeckonRequest *request
      = beckon_dbus_fixture_ask (fixture, beckon_script_calls ("Two ports are free.", &call, 1, "tool_calls"));
  g_autoptr (JsonObject) document = get (fixture, beckon_request_get_id (request));
  JsonObject *tool = beckon_json_get_object (document, "tool");
  JsonObject *item;

  g_assert_cmpstr (beckon_json_get_string (tool, "context"), ==, "Two ports are free.");
  g_assert_cmpstr (beckon_json_get_string (tool, "call"), ==, beckon_request_get_call_id (request));
  g_assert_cmpstr (beckon_json_get_string (tool, "message"), ==, beckon_request_get_message_id (request));
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (tool, "arguments"), "question"), ==, "Which port?");
  item = json_array_get_object_element (beckon_json_get_array (beckon_json_get_object (document, "question"), "items"), 0);
  g_assert_cmpstr (beckon_json_get_string (item, "question"), ==, "Which port?");
  g_assert_cmpuint (json_array_get_length (beckon_json_get_array (item, "options")), ==, 2);

  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Get", "nothing", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "NotFound", "no longer exists");
}

/* A question that the model does not wait for says so; the answer of another program reaches it as a message. */
static void
test_late (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (JsonObject) document = NULL;
  g_autofree char *sent = NULL;
  BeckonConversation *conversation;

  beckon_fixture_server_queue (fixture->server, beckon_script_call ("c1", "ask_user", "{\"question\":\"Which?\",\"wait\":false}"));
  request = g_object_ref (beckon_dbus_fixture_ask (fixture, beckon_fixture_reply_new_chat ("The rest is done")));
  conversation = conversation_of (fixture, request);
  document = get (fixture, beckon_request_get_id (request));
  g_assert_false (beckon_json_get_boolean (beckon_json_get_object (document, "question"), "wait", TRUE));

  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", beckon_request_get_id (request),
                                             "{\"kind\":\"question\",\"items\":[{\"text\":\"That\"}]}", NULL),
                   ==, 0);
  wait_complete (fixture, conversation);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 2));
  g_assert_true (g_str_has_suffix (sent, "user My answer to your earlier question \"Which?\":\nThat\n"));
}

/* The answer of another program is the call's result, and the run goes on with it. */
static void
test_reply (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonRequest) request = g_object_ref (beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1")));
  BeckonConversation *conversation = conversation_of (fixture, request);
  g_autoptr (JsonObject) document = NULL;
  g_autofree char *result = NULL;
  JsonObject *settlement;

  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", beckon_request_get_id (request),
                                             "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"]}]}", NULL),
                   ==, 0);
  g_assert_cmpstr (fixture->output, ==, "()\n");
  wait_complete (fixture, conversation);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "c1");
  g_assert_cmpstr (result, ==, "9090");

  document = get (fixture, beckon_request_get_id (request));
  settlement = beckon_json_get_object (document, "settlement");
  g_assert_cmpstr (beckon_json_get_string (document, "state"), ==, "answered");
  g_assert_false (beckon_json_get_boolean (document, "answerable", TRUE));
  g_assert_cmpstr (beckon_json_get_string (settlement, "front_end"), ==, "dbus");
  g_assert_cmpstr (beckon_json_get_string (settlement, "summary"), ==, "9090");

  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", beckon_request_get_id (request), "{\"kind\":\"delegated\"}",
                                             NULL),
                   !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "AlreadySettled", g_get_user_name ());
}

static void
test_reject (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonRequest) request = g_object_ref (beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1")));
  BeckonConversation *conversation = conversation_of (fixture, request);

  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reject", beckon_request_get_id (request), "Not now", NULL), ==, 0);
  beckon_agent_wait_until (beckon_conversation_get_phase (conversation) == BECKON_RUN_DISMISSED);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_DECLINED);
  g_assert_cmpstr (beckon_request_get_front_end (request), ==, "dbus");
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reject", "nothing", "''", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "NotFound", "no longer exists");
}

/* An answer that does not fit is refused by its field, and settles nothing. */
static void
test_invalid (void)
{
  static const struct
  {
    const char *answer;
    const char *field;
  } cases[] = {
    { "9090", "answer: " },
    { "{\"kind\":\"question\",\"kind\":\"question\"}", "answer: " },
    { "[]", "answer: " },
    { "{}", "kind: " },
    { "{\"kind\":\"cancelled\"}", "kind: " },
    { "{\"kind\":\"timed-out\"}", "kind: " },
    { "{\"kind\":\"approved\"}", "kind: " },
    { "{\"kind\":\"question\"}", "items: " },
    { "{\"kind\":\"question\",\"items\":[]}", "items: " },
    { "{\"kind\":\"question\",\"items\":[1]}", "items[0]: " },
    { "{\"kind\":\"question\",\"items\":[{}]}", "items[0].selected: " },
    { "{\"kind\":\"question\",\"items\":[{\"selected\":[\"1\"]}]}", "items[0].selected: " },
    { "{\"kind\":\"question\",\"items\":[{\"selected\":[\"8080\",\"9090\"]}]}", "items[0].selected: " },
    { "{\"kind\":\"question\",\"items\":[{\"selected\":[8080]}]}", "items[0].selected: " },
    { "{\"kind\":\"question\",\"items\":[{\"text\":8080}]}", "items[0].text: " },
    { "{\"kind\":\"question\",\"items\":[{\"text\":\"  \"}]}", "items[0].selected: " },
    { "{\"kind\":\"question\",\"items\":[{\"text\":\"a\",\"skipped\":true}]}", "items[0].skipped: " },
    { "{\"kind\":\"question\",\"items\":[{\"skipped\":1}]}", "items[0].skipped: " },
    { "{\"kind\":\"question\",\"items\":[{\"label\":\"8080\"}]}", "items[0].label: " },
    { "{\"kind\":\"question\",\"items\":[{\"selected\":[\"8080\"]},{}]}", "items: " },
    { "{\"kind\":\"question\",\"items\":[{\"selected\":[\"8080\"]}],\"text\":\"a\"}", "text: " },
    { "{\"kind\":\"asked-back\"}", "text: " },
    { "{\"kind\":\"asked-back\",\"text\":1}", "text: " },
  };
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  BeckonRequest *request = beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1"));

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *quoted = g_strdup_printf ("'%s'", cases[i].answer);
      int status = beckon_dbus_fixture_call (fixture, "Reply", beckon_request_get_id (request), quoted, NULL);

      g_test_message ("%s", cases[i].answer);
      g_assert_cmpint (status, !=, 0);
      beckon_dbus_fixture_assert_error (fixture, "Invalid", cases[i].field);
      g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
    }
}

/* Every other form of an answer. */
static void
test_forms (void)
{
  static const struct
  {
    const char *answer;
    BeckonRequestState state;
  } cases[] = {
    { "{\"kind\":\"delegated\"}", BECKON_REQUEST_DELEGATED },
    { "{\"kind\":\"asked-back\",\"text\":\"Why?\"}", BECKON_REQUEST_ASKED_BACK },
    { "{\"kind\":\"question\",\"items\":[{\"skipped\":true}]}", BECKON_REQUEST_SKIPPED },
    { "{\"kind\":\"question\",\"items\":[{\"selected\":[\"8080\"],\"text\":\"for now\"}]}", BECKON_REQUEST_ANSWERED },
    { "{\"kind\":\"question\",\"items\":[{\"text\":\"7070\"}]}", BECKON_REQUEST_ANSWERED },
    { "{\"kind\":\"declined\",\"text\":\"No\"}", BECKON_REQUEST_DECLINED },
  };
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRequest) request = g_object_ref (beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1")));
      BeckonConversation *conversation = conversation_of (fixture, request);

      beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
      g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", beckon_request_get_id (request), cases[i].answer, NULL),
                       ==, 0);
      g_assert_cmpint (beckon_request_get_state (request), ==, cases[i].state);
      beckon_agent_wait_until (!beckon_conversation_is_busy (conversation));
    }
}

static void
set_approvals (BeckonDbusFixture *fixture, gboolean allowed)
{
  g_settings_set_boolean (beckon_settings_get_gsettings (beckon_runtime_get_settings (fixture->runtime)),
                          "dbus-answer-approvals", allowed);
}

/* Off until the person allows it; then the same Reply approves, changes and denies. */
static void
test_approval (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("paint_door", FALSE);
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (JsonObject) document = NULL;
  g_autofree char *result = NULL;
  BeckonConversation *conversation;
  const char *id;

  beckon_tool_registry_add (beckon_runtime_get_tools (fixture->runtime), BECKON_TOOL (tool));
  request = g_object_ref (beckon_dbus_fixture_ask (fixture, beckon_script_call ("c1", "paint_door", "{\"path\":\"a\"}")));
  conversation = conversation_of (fixture, request);
  id = beckon_request_get_id (request);

  document = get (fixture, id);
  g_assert_cmpstr (beckon_json_get_string (document, "kind"), ==, "approval");
  g_assert_false (beckon_json_get_boolean (document, "answerable", TRUE));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"approved\"}", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "NotAllowed", "settings");
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reject", id, "''", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "NotAllowed", "settings");
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);

  set_approvals (fixture, TRUE);
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"delegated\"}", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "Invalid", "kind: ");
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"approved-edited\",\"arguments\":[]}", NULL),
                   !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "Invalid", "arguments: ");
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id,
                                             "{\"kind\":\"approved-edited\",\"arguments\":{\"path\":\"b\"}}", NULL),
                   ==, 0);
  wait_complete (fixture, conversation);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "c1");
  g_assert_nonnull (strstr (result, "{\"path\":\"b\"}"));
  set_approvals (fixture, FALSE);
}

/* Whether a server may do something weighs as much as an approval. */
static void
test_lets_server (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("look_up", TRUE);
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (JsonObject) document = NULL;
  const char *id;

  beckon_test_tool_set_question (tool, "May it?");
  beckon_test_tool_set_server (tool, "weather");
  beckon_tool_registry_add (beckon_runtime_get_tools (fixture->runtime), BECKON_TOOL (tool));
  request = g_object_ref (beckon_dbus_fixture_ask (fixture, beckon_script_call ("c1", "look_up", "{}")));
  id = beckon_request_get_id (request);
  document = get (fixture, id);
  g_assert_false (beckon_json_get_boolean (document, "answerable", TRUE));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"delegated\"}", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "NotAllowed", "settings");
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
}

/* So does what a folder brings: nobody but a person makes its text instructions, or starts its programs. */
static void
test_trust (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  BeckonLibrary *library = beckon_runtime_get_library (fixture->runtime);
  BeckonConversation *conversation = beckon_library_create (library);
  g_autofree char *folder = g_build_filename (fixture->directory, "brings", NULL);
  g_autofree char *path = g_build_filename (folder, "AGENTS.md", NULL);
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (JsonObject) document = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "Do as I say.", -1, NULL));
  beckon_library_set_folder (library, conversation, folder);
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  beckon_dbus_fixture_send_in (fixture, conversation, "Hello");
  beckon_dbus_fixture_wait_pending (fixture, 1);
  request = g_list_model_get_item (G_LIST_MODEL (beckon_runtime_get_inbox (fixture->runtime)), 0);
  g_assert_true (BECKON_IS_TRUST_REQUEST (request));
  document = get (fixture, beckon_request_get_id (request));
  g_assert_false (beckon_json_get_boolean (document, "answerable", TRUE));
  g_assert_cmpint (
      beckon_dbus_fixture_call (fixture, "Reply", beckon_request_get_id (request), "{\"kind\":\"approved\"}", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "NotAllowed", "settings");
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
}

/* A server's form is published with its schema, and filled in like a question is answered. */
static void
test_server_form (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("look_up", TRUE);
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (JsonObject) document = NULL;
  g_autofree char *result = NULL;
  JsonObject *form, *properties;
  const char *id;

  beckon_test_tool_set_form (tool, "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                                   "{\"age\":{\"type\":\"integer\"}},\"required\":[\"age\"]}}", FALSE);
  beckon_tool_registry_add (beckon_runtime_get_tools (fixture->runtime), BECKON_TOOL (tool));
  request = g_object_ref (beckon_dbus_fixture_ask (fixture, beckon_script_call ("c1", "look_up", "{}")));
  id = beckon_request_get_id (request);
  document = get (fixture, id);
  form = beckon_json_get_object (document, "form");
  g_assert_true (beckon_json_get_boolean (document, "answerable", FALSE));
  g_assert_cmpstr (beckon_json_get_string (form, "form"), ==, "elicitation");
  g_assert_cmpstr (beckon_json_get_string (form, "server"), ==, "GitHub");
  properties = beckon_json_get_object (beckon_json_get_object (form, "schema"), "properties");
  g_assert_nonnull (beckon_json_get_object (properties, "age"));

  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"form\",\"content\":{\"age\":\"x\"}}", NULL),
                   !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "Invalid", "content: ");
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"approved\"}", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "Invalid", "kind: ");
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"form\",\"content\":{\"age\":36}}", NULL),
                   ==, 0);
  wait_complete (fixture, conversation_of (fixture, request));
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "c1");
  g_assert_cmpstr (result, ==, "{\"action\":\"accept\",\"content\":{\"age\":36}}");
}

#define SECRET "tulip-9f3"

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_argument_overrides_save_finish (BECKON_ARGUMENT_OVERRIDES (source), result, NULL);
}

static void
mask (BeckonDbusFixture *fixture, const char *tool, const char *name)
{
  g_autoptr (BeckonToolParameter) parameter = beckon_tool_parameter_new (tool, NULL, name);
  gboolean saved = FALSE;

  parameter->access = BECKON_FORM_MASKED;
  beckon_argument_overrides_save_async (beckon_runtime_get_parameters (fixture->runtime), parameter, NULL, on_saved, &saved);
  beckon_agent_wait_until (saved);
}

static void
keep_signal (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *signal,
             GVariant *parameters, gpointer user_data)
{
  g_autofree char *text = g_variant_print (parameters, FALSE);

  g_string_append_printf (user_data, "%s %s;", signal, text);
}

static void
assert_masked (const char *text)
{
  if (strstr (text, SECRET) != NULL || strstr (text, BECKON_PARAMETERS_MASK) == NULL)
    g_error ("“%s” shows what is masked, or no mask", text);
}

static const char *
get_first_id (BeckonDbusFixture *fixture)
{
  g_autoptr (BeckonRequest) first
      = g_list_model_get_item (G_LIST_MODEL (beckon_runtime_get_inbox (fixture->runtime)), 0);

  return beckon_request_get_id (first);
}

/* No program on the bus is told what the person masked: neither who asks, nor who listens to the answers. */
static void
test_masked_plan (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("paint_door", FALSE);
  g_autoptr (GString) heard = g_string_new (NULL);
  g_autoptr (BeckonRequest) request = NULL;
  const char *id;
  guint ear = g_dbus_connection_signal_subscribe (fixture->connection, BECKON_QUESTIONS_NAME, BECKON_QUESTIONS_INTERFACE, NULL,
                                                  BECKON_QUESTIONS_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, keep_signal, heard,
                                                  NULL);

  beckon_tool_registry_add (beckon_runtime_get_tools (fixture->runtime), BECKON_TOOL (tool));
  mask (fixture, "paint_door", "path");
  request = g_object_ref (beckon_dbus_fixture_ask (
    fixture, beckon_script_call ("c1", "propose_plan",
                                 "{\"title\":\"Paint\",\"steps\":[{\"id\":\"a\",\"tool\":\"paint_door\",\"arguments\":"
                                 "{\"path\":\"" SECRET "\",\"n\":1}}]}")));
  id = beckon_request_get_id (request);
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Get", id, NULL), ==, 0);
  assert_masked (fixture->output);
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "List", NULL), ==, 0);
  assert_masked (fixture->output);

  set_approvals (fixture, TRUE);
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id,
                                             "{\"kind\":\"plan\",\"plan\":{\"title\":\"Paint\",\"pause\":\"policy\",\"steps\":"
                                             "[{\"id\":\"a\",\"tool\":\"paint_door\",\"arguments\":"
                                             "{\"path\":\"" BECKON_PARAMETERS_MASK "\",\"n\":2}}]}}",
                                             NULL),
                   ==, 0);
  beckon_dbus_fixture_wait_pending (fixture, 1);
  beckon_agent_wait_until (strstr (heard->str, "Replied") != NULL);
  assert_masked (heard->str);
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "List", NULL), ==, 0);
  assert_masked (fixture->output);
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply",
                                             get_first_id (fixture), "{\"kind\":\"approved\"}",
                                             NULL),
                   ==, 0);
  wait_complete (fixture, conversation_of (fixture, request));
  g_assert_cmpstr (beckon_test_tool_get_log (tool), ==, "{\"path\":\"" SECRET "\",\"n\":2}\n");
  set_approvals (fixture, FALSE);
  g_dbus_connection_signal_unsubscribe (fixture->connection, ear);
}

static void
test_runs (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_auto (GStrv) runs = NULL;
  g_autoptr (JsonObject) run = NULL;

  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Runs", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "(@as [],)\n");
  beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1"));
  beckon_agent_fixture_settle ();
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Runs", NULL), ==, 0);
  runs = beckon_dbus_fixture_dup_strings (fixture);
  g_assert_cmpuint (g_strv_length (runs), ==, 1);
  run = parse (runs[0]);
  g_assert_cmpstr (beckon_json_get_string (run, "phase"), ==, "waiting");
  g_assert_true (beckon_json_get_boolean (run, "driven", FALSE));
  g_assert_cmpint (beckon_json_get_int (run, "round", 0), ==, 1);
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (run, "conversation"), "title"), ==, "Hello");
}

typedef struct
{
  GString *log;
  guint subscription;
} Ear;

static void
on_signal (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *signal,
           GVariant *parameters, gpointer user_data)
{
  Ear *ear = user_data;
  const char *id;
  const char *second;

  g_variant_get_child (parameters, 0, "&s", &id);
  g_variant_get_child (parameters, 1, "&s", &second);
  if (g_str_equal (signal, "Asked"))
    {
      g_autoptr (JsonObject) document = parse (second);

      second = beckon_json_get_string (document, "id");
      g_assert_cmpstr (second, ==, id);
      g_string_append (ear->log, "Asked;");
      return;
    }
  g_string_append_printf (ear->log, "%s %s;", signal, second);
}

/* Each is told once, in the order it happened. */
static void
test_signals (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  Ear ear = { .log = g_string_new (NULL) };
  BeckonRequest *request;

  ear.subscription = g_dbus_connection_signal_subscribe (fixture->connection, BECKON_QUESTIONS_NAME,
                                                         BECKON_QUESTIONS_INTERFACE, NULL, BECKON_QUESTIONS_PATH, NULL,
                                                         G_DBUS_SIGNAL_FLAGS_NONE, on_signal, &ear, NULL);
  request = beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1"));
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", beckon_request_get_id (request), "{\"kind\":\"delegated\"}",
                                             NULL),
                   ==, 0);
  request = beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reject", beckon_request_get_id (request), "''", NULL), ==, 0);
  beckon_agent_wait_until (strstr (ear.log->str, "Rejected") != NULL);
  beckon_agent_fixture_settle ();
  g_assert_cmpstr (ear.log->str, ==, "Asked;Replied delegated;Asked;Rejected declined;");
  g_dbus_connection_signal_unsubscribe (fixture->connection, ear.subscription);
  g_string_free (ear.log, TRUE);
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error);
  g_assert_no_error (error);
}

/* A timeout is told, and an answer that comes too late is refused in words. */
static void
test_timed_out (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_TIMED_OUT, NULL);
  g_autoptr (JsonObject) document = NULL;
  Ear ear = { .log = g_string_new (NULL) };
  BeckonRequest *request;
  g_autofree char *id = NULL;

  ear.subscription = g_dbus_connection_signal_subscribe (fixture->connection, BECKON_QUESTIONS_NAME,
                                                         BECKON_QUESTIONS_INTERFACE, NULL, BECKON_QUESTIONS_PATH, NULL,
                                                         G_DBUS_SIGNAL_FLAGS_NONE, on_signal, &ear, NULL);
  request = beckon_dbus_fixture_ask (fixture, beckon_script_ask ("c1"));
  id = g_strdup (beckon_request_get_id (request));
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  beckon_inbox_settle_async (beckon_runtime_get_inbox (fixture->runtime), id, answer, "agent", NULL, NULL, on_ended, NULL);
  beckon_agent_wait_until (strstr (ear.log->str, "Rejected timed-out;") != NULL);
  document = get (fixture, id);
  g_assert_cmpstr (beckon_json_get_string (document, "state"), ==, "timed-out");
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"delegated\"}", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "AlreadySettled", "ended without an answer");
  g_dbus_connection_signal_unsubscribe (fixture->connection, ear.subscription);
  beckon_agent_fixture_settle ();
  g_string_free (ear.log, TRUE);
}

/* Introspection shows what is published. */
static void
test_introspection (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  const char *const command[] = { "gdbus", "introspect", "--session", "--xml", "--dest", BECKON_QUESTIONS_NAME,
                                  "--object-path", BECKON_QUESTIONS_PATH, NULL };
  g_autofree char *path = g_build_filename (g_test_get_dir (G_TEST_DIST), "..", "data",
                                            BECKON_QUESTIONS_INTERFACE ".xml", NULL);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GDBusNodeInfo) found = NULL;
  g_autoptr (GDBusNodeInfo) published = NULL;
  g_autoptr (GString) one = g_string_new (NULL);
  g_autoptr (GString) other = g_string_new (NULL);
  g_autofree char *xml = NULL;
  g_autofree char *file = NULL;
  g_autoptr (GError) error = NULL;

  process = g_subprocess_newv (command, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  xml = beckon_dbus_fixture_read (process);
  found = g_dbus_node_info_new_for_xml (xml, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &file, NULL, &error);
  g_assert_no_error (error);
  published = g_dbus_node_info_new_for_xml (file, &error);
  g_assert_no_error (error);
  g_dbus_interface_info_generate_xml (g_dbus_node_info_lookup_interface (found, BECKON_QUESTIONS_INTERFACE), 0, one);
  g_dbus_interface_info_generate_xml (g_dbus_node_info_lookup_interface (published, BECKON_QUESTIONS_INTERFACE), 0, other);
  g_assert_cmpstr (one->str, ==, other->str);
}

static void
on_wanted (BeckonQuestions *questions, BeckonDbusFixture *fixture)
{
  beckon_questions_set_runtime (questions, fixture->runtime);
}

/* Calls that come before the history is open wait for it. */
static void
test_early_calls (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();

  beckon_questions_set_runtime (fixture->questions, NULL);
  g_signal_connect (fixture->questions, "wanted", G_CALLBACK (on_wanted), fixture);
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "List", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "(@as [],)\n");
}

static void
assert_holds (const char *folder, const char *name, const char *expected)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *contents = NULL;

  g_file_get_contents (path, &contents, NULL, NULL);
  g_assert_cmpstr (contents, ==, expected);
}

static void
keep (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static gboolean
has_view (const char *folder)
{
  g_autoptr (GAsyncResult) probed = NULL;
  g_autoptr (GAsyncResult) learned = NULL;

  beckon_sandbox_probe_async (NULL, keep, &probed);
  beckon_agent_wait_until (probed != NULL);
  beckon_sandbox_view_learn_async (folder, NULL, keep, &learned);
  beckon_agent_wait_until (learned != NULL);
  return beckon_sandbox_probe_finish (probed, NULL) && beckon_sandbox_view_get (folder) != BECKON_VIEW_DIRECT;
}

/* A command's changes as data: another program reads them, and keeps a part. */
static void
test_changes (void)
{
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  BeckonLibrary *library = beckon_runtime_get_library (fixture->runtime);
  BeckonConversation *conversation = beckon_library_create (library);
  g_autofree char *folder = g_build_filename (fixture->directory, "work", NULL);
  g_autofree char *id = NULL;
  g_autoptr (JsonObject) document = NULL;
  g_autoptr (JsonObject) settled = NULL;
  JsonArray *files;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  if (!has_view (folder))
    {
      g_test_skip ("commands have no view of the folder here");
      return;
    }
  beckon_library_set_folder (library, conversation, folder);
  beckon_fixture_server_queue (fixture->server, beckon_script_call ("c1", "run_command",
                                                                    "{\"command\":\"echo 1 >a; echo 2 >b\"}"));
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Done"));
  beckon_dbus_fixture_send_in (fixture, conversation, "Go");
  beckon_dbus_fixture_wait_pending (fixture, 1);
  id = g_strdup (get_first_id (fixture));
  document = get (fixture, id);
  g_assert_cmpstr (beckon_json_get_string (document, "kind"), ==, "changes");
  files = beckon_json_get_array (beckon_json_get_object (document, "changes"), "files");
  g_assert_cmpuint (json_array_get_length (files), ==, 2);
  g_assert_cmpstr (beckon_json_get_string (json_array_get_object_element (files, 1), "path"), ==, "b");
  g_assert_cmpstr (beckon_json_get_string (json_array_get_object_element (files, 1), "fate"), ==, "open");
  assert_holds (folder, "a", NULL);
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"kept\"}", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "NotAllowed", "");

  set_approvals (fixture, TRUE);
  g_assert_cmpint (
    beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"kept\",\"leave_out\":[{\"change\":3}]}", NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "Invalid", "leave_out: ");
  g_assert_cmpint (
    beckon_dbus_fixture_call (fixture, "Reply", id, "{\"kind\":\"kept\",\"leave_out\":[{\"change\":2}]}", NULL), ==, 0);
  wait_complete (fixture, conversation);
  assert_holds (folder, "a", "1\n");
  assert_holds (folder, "b", NULL);
  settled = get (fixture, id);
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (beckon_json_get_object (settled, "settlement"), "answer"), "kind"),
                   ==, "kept");
  set_approvals (fixture, FALSE);
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dbus/questions/list", test_list);
  g_test_add_func ("/dbus/questions/get", test_get);
  g_test_add_func ("/dbus/questions/reply", test_reply);
  g_test_add_func ("/dbus/questions/late", test_late);
  g_test_add_func ("/dbus/questions/reject", test_reject);
  g_test_add_func ("/dbus/questions/invalid", test_invalid);
  g_test_add_func ("/dbus/questions/forms", test_forms);
  g_test_add_func ("/dbus/questions/approval", test_approval);
  g_test_add_func ("/dbus/questions/lets-server", test_lets_server);
  g_test_add_func ("/dbus/questions/trust", test_trust);
  g_test_add_func ("/dbus/questions/server-form", test_server_form);
  g_test_add_func ("/dbus/questions/masked-plan", test_masked_plan);
  g_test_add_func ("/dbus/questions/runs", test_runs);
  g_test_add_func ("/dbus/questions/signals", test_signals);
  g_test_add_func ("/life/6-dbus-too-late-is-refused", test_timed_out);
  g_test_add_func ("/dbus/questions/introspection", test_introspection);
  g_test_add_func ("/dbus/questions/changes", test_changes);
  g_test_add_func ("/dbus/questions/early-calls", test_early_calls);
  return g_test_run ();
}
