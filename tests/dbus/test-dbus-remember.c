/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules that another program has made with an approval: the choices that the window has, and no other. */

#include "beckon-dbus-fixture.h"

#include "base/beckon-json.h"
#include "beckon-test-tool.h"

static void
set_approvals (BeckonDbusFixture *fixture, gboolean allowed)
{
  g_settings_set_boolean (beckon_settings_get_gsettings (beckon_runtime_get_settings (fixture->runtime)),
                          "dbus-answer-approvals", allowed);
}

static void
assert_lists_choices (BeckonDbusFixture *fixture, const char *id)
{
  g_autofree char *text = NULL;
  g_autoptr (JsonObject) document = NULL;
  JsonArray *choices;

  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Get", id, NULL), ==, 0);
  text = beckon_dbus_fixture_dup_string (fixture);
  document = beckon_json_parse_object (text, -1, NULL);
  choices = beckon_json_get_array (beckon_json_get_object (document, "approval"), "remember");
  g_assert_cmpuint (json_array_get_length (choices), ==, 2);
  g_assert_cmpstr (json_array_get_string_element (choices, 0), ==, "paint_door · /srv/doors/a");
  g_assert_cmpstr (json_array_get_string_element (choices, 1), ==, "paint_door · everything in /srv/doors");
}

static void
assert_refused (BeckonDbusFixture *fixture, const char *id)
{
  static const struct
  {
    const char *answer;
    const char *field;
  } cases[] = {
    { "{\"kind\":\"approved\",\"remember\":\"always\"}", "remember: " },
    { "{\"kind\":\"approved\",\"remember\":{}}", "remember.scope: " },
    { "{\"kind\":\"approved\",\"remember\":{\"scope\":\"today\"}}", "remember.scope: " },
    { "{\"kind\":\"approved\",\"remember\":{\"scope\":\"always\",\"choice\":0}}", "remember.choice: " },
    { "{\"kind\":\"approved\",\"remember\":{\"scope\":\"always\",\"choice\":3}}", "remember.choice: " },
    { "{\"kind\":\"approved\",\"remember\":{\"scope\":\"always\",\"choice\":4294967297}}", "remember.choice: " },
    { "{\"kind\":\"approved\",\"remember\":{\"scope\":\"always\",\"choice\":\"1\"}}", "remember.choice: " },
    { "{\"kind\":\"approved\",\"remember\":{\"scope\":\"always\",\"tool\":\"x\"}}", "remember.tool: " },
    { "{\"kind\":\"approved-edited\",\"arguments\":{},\"remember\":{\"scope\":\"always\"}}", "remember: " },
    { "{\"kind\":\"declined\",\"remember\":{\"scope\":\"always\"}}", "remember: " },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].answer);
      g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, cases[i].answer, NULL), !=, 0);
      beckon_dbus_fixture_assert_error (fixture, "Invalid", cases[i].field);
    }
}

static void
assert_remembers (BeckonDbusFixture *fixture, const char *arguments, const char *conversation_id)
{
  BeckonRules *rules = beckon_runtime_get_rules (fixture->runtime);
  const BeckonRule *rule;

  beckon_agent_wait_until (beckon_rules_get_snapshot (rules)->len == 1);
  rule = g_ptr_array_index (beckon_rules_get_snapshot (rules), 0);
  g_assert_cmpstr (rule->tool, ==, "paint_door");
  g_assert_cmpstr (rule->arguments, ==, arguments);
  g_assert_cmpint (rule->verdict, ==, BECKON_VERDICT_ALLOW);
  g_assert_cmpstr (rule->conversation_id, ==, conversation_id);
}

static void
test_remember (gconstpointer data)
{
  static const char here[] = "{\"kind\":\"approved\",\"remember\":{\"scope\":\"conversation\",\"choice\":2}}";
  static const char always[] = "{\"kind\":\"approved\",\"remember\":{\"scope\":\"always\"}}";
  gboolean is_here = GPOINTER_TO_INT (data);
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("paint_door", FALSE);
  g_autoptr (BeckonRequest) request = NULL;
  const char *id;

  beckon_tool_registry_add (beckon_runtime_get_tools (fixture->runtime), BECKON_TOOL (tool));
  request = g_object_ref (
      beckon_dbus_fixture_ask (fixture, beckon_script_call ("c1", "paint_door", "{\"path\":\"/srv/doors/a\"}")));
  id = beckon_request_get_id (request);
  assert_lists_choices (fixture, id);
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, always, NULL), !=, 0);
  beckon_dbus_fixture_assert_error (fixture, "NotAllowed", "settings");
  set_approvals (fixture, TRUE);
  assert_refused (fixture, id);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpuint (beckon_rules_get_snapshot (beckon_runtime_get_rules (fixture->runtime))->len, ==, 0);

  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", id, is_here ? here : always, NULL), ==, 0);
  beckon_agent_wait_until (beckon_request_get_state (request) == BECKON_REQUEST_ANSWERED);
  if (is_here)
    assert_remembers (fixture, "{\"path\":\"/srv/doors/**\"}", beckon_request_get_conversation_id (request));
  else
    assert_remembers (fixture, "{\"path\":\"/srv/doors/a\"}", NULL);
  beckon_agent_wait_until (!beckon_conversation_is_busy (
      beckon_library_lookup (beckon_runtime_get_library (fixture->runtime), beckon_request_get_conversation_id (request))));
  g_assert_cmpstr (beckon_test_tool_get_log (tool), ==, "{\"path\":\"/srv/doors/a\"}\n");
  set_approvals (fixture, FALSE);
}

/* A rule that another program has made decides the card that waits beside it. */
static void
test_waiting (void)
{
  static const char always[] = "{\"kind\":\"approved\",\"remember\":{\"scope\":\"always\",\"choice\":2}}";
  const BeckonScriptCall calls[] = { { "c1", "paint_door", "{\"path\":\"/srv/doors/a\"}" },
                                     { "c2", "paint_door", "{\"path\":\"/srv/doors/b\"}" } };
  g_autoptr (BeckonDbusFixture) fixture = beckon_dbus_fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("paint_door", FALSE);
  g_autoptr (BeckonRequest) first = NULL;
  g_autoptr (BeckonRequest) second = NULL;
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (fixture->runtime));

  beckon_tool_registry_add (beckon_runtime_get_tools (fixture->runtime), BECKON_TOOL (tool));
  beckon_fixture_server_queue (fixture->server, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_dbus_fixture_send (fixture, "Hello");
  beckon_dbus_fixture_wait_pending (fixture, 2);
  first = g_list_model_get_item (inbox, 0);
  second = g_list_model_get_item (inbox, 1);
  set_approvals (fixture, TRUE);
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_dbus_fixture_call (fixture, "Reply", beckon_request_get_id (first), always, NULL), ==, 0);
  beckon_agent_wait_until (!beckon_conversation_is_busy (
    beckon_library_lookup (beckon_runtime_get_library (fixture->runtime), beckon_request_get_conversation_id (first))));
  g_assert_cmpstr (beckon_request_get_front_end (first), ==, "dbus");
  g_assert_cmpstr (beckon_request_get_front_end (second), ==, "rule");
  g_assert_cmpstr (beckon_test_tool_get_log (tool), ==, "{\"path\":\"/srv/doors/a\"}\n{\"path\":\"/srv/doors/b\"}\n");
  set_approvals (fixture, FALSE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/dbus/remember/here", GINT_TO_POINTER (TRUE), test_remember);
  g_test_add_data_func ("/dbus/remember/always", GINT_TO_POINTER (FALSE), test_remember);
  g_test_add_func ("/dbus/remember/waiting", test_waiting);

  return g_test_run ();
}
