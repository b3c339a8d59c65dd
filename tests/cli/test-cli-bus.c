/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The questions on the session bus while nothing but terminals runs, as another program of the session meets them. */

#include "base/beckon-json.h"
#include "beckon-agent-fixture.h"
#include "beckon-cli-fixture.h"
#include "dbus/beckon-questions.h"

#include <gio/gunixsocketaddress.h>
#include <signal.h>
#include <string.h>

#define APPLICATION "io.github.beckon.Beckon"

/* --- What another program hears and says --------------------------------------------------------------------------- */

typedef struct
{
  GDBusConnection *connection;
  GString *log;   /* signals, a line each */
  GString *owner; /* who has the name */
  guint subscription;
  guint watch;
} Listener;

static void
on_signal (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *signal,
           GVariant *parameters, gpointer user_data)
{
  g_autofree char *text = g_variant_print (parameters, FALSE);

  g_string_append_printf (user_data, "%s %s\n", signal, text);
}

static void
on_appeared (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  g_string_assign (user_data, owner);
}

static void
on_vanished (GDBusConnection *connection, const char *name, gpointer user_data)
{
  g_string_assign (user_data, "");
}

static void
listener_init (Listener *listener)
{
  g_autoptr (GError) error = NULL;

  listener->connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_assert_no_error (error);
  listener->log = g_string_new (NULL);
  listener->owner = g_string_new (NULL);
  listener->subscription = g_dbus_connection_signal_subscribe (
      listener->connection, BECKON_QUESTIONS_NAME, BECKON_QUESTIONS_INTERFACE, NULL, BECKON_QUESTIONS_PATH, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, on_signal, listener->log, NULL);
  listener->watch = g_bus_watch_name_on_connection (listener->connection, BECKON_QUESTIONS_NAME,
                                                    G_BUS_NAME_WATCHER_FLAGS_NONE, on_appeared, on_vanished,
                                                    listener->owner, NULL);
}

static void
listener_clear (Listener *listener)
{
  g_bus_unwatch_name (listener->watch);
  g_dbus_connection_signal_unsubscribe (listener->connection, listener->subscription);
  beckon_agent_fixture_settle ();
  g_string_free (listener->log, TRUE);
  g_string_free (listener->owner, TRUE);
  g_clear_object (&listener->connection);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Listener, listener_clear)

#define wait_signal(listener, words) beckon_agent_wait_until (strstr ((listener)->log->str, words) != NULL)
#define wait_owner(listener) beckon_agent_wait_until (*(listener)->owner->str != '\0')

/* As gdbus prints it; asserts that it succeeds. Caller frees. */
static char *
call (const char *method, const char *first, const char *second)
{
  g_autofree char *name = g_strconcat (BECKON_QUESTIONS_INTERFACE ".", method, NULL);
  const char *const arguments[] = { "gdbus", "call", "--session", "--timeout", "30", "--dest", BECKON_QUESTIONS_NAME,
                                    "--object-path", BECKON_QUESTIONS_PATH, "--method", name, first, second, NULL };
  char *output = NULL;
  g_autofree char *errors = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, &errors, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (status, ==, 0);
  return output;
}

static JsonObject *
parse_only (const char *output)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = g_variant_parse (G_VARIANT_TYPE ("(as)"), output, NULL, NULL, &error);
  g_auto (GStrv) documents = NULL;
  JsonObject *object;

  g_assert_no_error (error);
  g_variant_get (value, "(^as)", &documents);
  g_assert_cmpuint (g_strv_length (documents), ==, 1);
  object = beckon_json_parse_object (documents[0], -1, &error);
  g_assert_no_error (error);
  return object;
}

static char *
dup_only_id (void)
{
  g_autofree char *output = call ("List", NULL, NULL);
  g_autoptr (JsonObject) request = parse_only (output);

  return g_strdup (beckon_json_get_string (request, "id"));
}

static BeckonCliFixture *
fixture_new (void)
{
  BeckonCliFixture *fixture = beckon_cli_fixture_new_with_model ();

  fixture->has_bus = TRUE;
  return fixture;
}

static void
ask (BeckonCliFixture *fixture)
{
  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
}

/* --- Cases --------------------------------------------------------------------------------------------------------- */

/* The terminal's question is listed, told, and answered by another program; the terminal goes on. */
static void
test_answer (gconstpointer command)
{
  g_auto (Listener) listener = { 0 };
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *id = NULL;
  g_autofree char *runs = NULL;
  g_autofree char *replied = NULL;
  g_autofree char *result = NULL;
  g_autofree char *asked = NULL;

  listener_init (&listener);
  ask (fixture);
  process = beckon_cli_process_new_in_terminal (fixture, command, g_str_equal (command, "run") ? "Set it up" : NULL, NULL);
  if (g_str_equal (command, "chat"))
    {
      beckon_cli_process_wait (process, "> ");
      beckon_cli_process_type (process, "Set it up");
    }
  beckon_cli_process_wait (process, "Which port?");
  wait_owner (&listener);
  id = dup_only_id ();
  asked = g_strdup_printf ("Asked ('%s'", id);
  wait_signal (&listener, asked);
  runs = call ("Runs", NULL, NULL);
  beckon_cli_assert_says (runs, "\"title\":\"Set it up\"");
  beckon_cli_assert_says (runs, "\"driven\":true");

  g_free (call ("Reply", id, "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"]}]}"));
  beckon_cli_process_wait (process, "It is set");
  replied = g_strdup_printf ("Replied ('%s', 'answered'", id);
  wait_signal (&listener, replied);
  if (g_str_equal (command, "chat"))
    {
      beckon_cli_process_wait (process, "> ");
      beckon_cli_process_type (process, "/quit");
    }
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  g_assert_cmpstr (result, ==, "9090");
  beckon_agent_wait_until (*listener.owner->str == '\0');
}

static void
test_reject (void)
{
  g_auto (Listener) listener = { 0 };
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *id = NULL;

  listener_init (&listener);
  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  process = beckon_cli_process_new_in_terminal (fixture, "run", "Set it up", NULL);
  beckon_cli_process_wait (process, "Which port?");
  wait_owner (&listener);
  id = dup_only_id ();
  g_free (call ("Reject", id, "Not now"));
  wait_signal (&listener, "'declined', 'Not now')");
  beckon_cli_process_wait (process, "You dismissed the question");
  beckon_cli_process_finish (process);
}

/* A program that ends with its question has told of it before. */
static void
test_detach (void)
{
  g_auto (Listener) listener = { 0 };
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  const BeckonScriptCall question = { "call_1", "ask_user", BECKON_SCRIPT_QUESTION };

  listener_init (&listener);
  beckon_cli_fixture_script (fixture, beckon_script_calls ("Two are free.", &question, 1, "tool_calls"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 10);
  wait_signal (&listener, "Asked");
  beckon_cli_assert_says (listener.log->str, "\"context\":\"Two are free.\"");
  g_assert_null (strstr (strstr (listener.log->str, "Asked") + 1, "Asked"));
}

/* A second program has the name once the first is gone, even by force, and tells from then on. */
static void
test_next_owner (void)
{
  g_auto (Listener) listener = { 0 };
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonCliProcess) first = NULL;
  g_autoptr (BeckonCliProcess) second = NULL;
  g_autofree char *owner = NULL;
  g_autofree char *id = NULL;

  listener_init (&listener);
  first = beckon_cli_process_new_in_pipe (fixture, "questions", "--follow", NULL);
  wait_owner (&listener);
  owner = g_strdup (listener.owner->str);
  ask (fixture);
  second = beckon_cli_process_new_in_terminal (fixture, "run", "Set it up", NULL);
  beckon_cli_process_wait (second, "Which port?");
  beckon_cli_process_wait (first, "Which port?");
  wait_signal (&listener, "Asked");
  g_assert_cmpstr (listener.owner->str, ==, owner);

  beckon_cli_process_kill (first);
  beckon_agent_wait_until (*listener.owner->str != '\0' && !g_str_equal (listener.owner->str, owner));
  id = dup_only_id ();
  g_free (call ("Reply", id, "{\"kind\":\"delegated\"}"));
  beckon_cli_process_wait (second, "It is set");
  wait_signal (&listener, "'delegated'");
  g_assert_cmpint (beckon_cli_process_finish (second), ==, 0);
}

static void
on_application_called (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                       const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  g_string_append_printf (user_data, "%s;", method);
  g_dbus_method_invocation_return_value (invocation, g_variant_new_parsed ("(@as [],)"));
}

/* In place of the application: it takes up what nobody drives when it is called. */
static guint
play_application (Listener *listener, GString *calls)
{
  static const GDBusInterfaceVTable vtable = { .method_call = on_application_called };
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (
      "<node><interface name='" BECKON_QUESTIONS_INTERFACE "'><method name='Runs'>"
      "<arg type='as' direction='out'/></method></interface></node>",
      NULL);
  g_autoptr (GError) error = NULL;
  guint id = g_dbus_connection_register_object (listener->connection, BECKON_QUESTIONS_PATH, node->interfaces[0], &vtable,
                                                calls, NULL, &error);

  g_assert_no_error (error);
  return id;
}

/* A question whose program is gone is answered all the same. The application is called to go on with it; where there is none
 * the answer waits for “resume”. */
static void
test_left_alone (void)
{
  g_auto (Listener) listener = { 0 };
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autoptr (GString) calls = g_string_new (NULL);
  g_autofree char *id = NULL;
  g_autofree char *result = NULL;
  guint object;
  guint name;

  listener_init (&listener);
  ask (fixture);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 10);
  beckon_agent_wait_until (*listener.owner->str == '\0');
  object = play_application (&listener, calls);
  name = g_bus_own_name_on_connection (listener.connection, APPLICATION, G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL,
                                       NULL);
  process = beckon_cli_process_new_in_pipe (fixture, "questions", "--follow", NULL);
  wait_owner (&listener);
  id = dup_only_id ();
  g_free (call ("Reply", id, "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"]}]}"));
  beckon_agent_wait_until (g_str_equal (calls->str, "Runs;"));
  kill (process->pid, SIGINT);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  g_bus_unown_name (name);
  g_dbus_connection_unregister_object (listener.connection, object);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "It is set\n");
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  g_assert_cmpstr (result, ==, "9090");
}

/* Without an application a program of its own goes on with it, whatever becomes of the one that was answered. */
static void
test_left_to_nobody (void)
{
  g_auto (Listener) listener = { 0 };
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *id = NULL;
  g_autofree char *result = NULL;

  listener_init (&listener);
  ask (fixture);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 10);
  beckon_agent_wait_until (*listener.owner->str == '\0');
  process = beckon_cli_process_new_in_pipe (fixture, "questions", "--follow", NULL);
  wait_owner (&listener);
  id = dup_only_id ();
  g_free (call ("Reply", id, "{\"kind\":\"question\",\"items\":[{\"selected\":[\"9090\"]}]}"));
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  kill (process->pid, SIGINT);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  g_assert_cmpstr (result, ==, "9090");
  do
    g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "search", "set", NULL), ==, 0);
  while (strstr (fixture->output, "It is set") == NULL);
}

/* A bus that is gone, and one that takes a connection and never says a word, keep nobody. */
static void
test_broken_bus (gconstpointer listens)
{
  g_autoptr (BeckonCliFixture) fixture = fixture_new ();
  g_autofree char *own = g_strdup (g_getenv ("DBUS_SESSION_BUS_ADDRESS"));
  g_autofree char *path = g_build_filename (fixture->home, "bus", NULL);
  g_autofree char *address = g_strconcat ("unix:path=", path, NULL);
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GSocketAddress) place = g_unix_socket_address_new (path);
  g_autoptr (GError) error = NULL;

  if (GPOINTER_TO_INT (listens))
    g_socket_listener_add_address (listener, place, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, &error);
  g_assert_no_error (error);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 10);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", own, TRUE);
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli/bus/answer/chat", "chat", test_answer);
  g_test_add_data_func ("/cli/bus/answer/run", "run", test_answer);
  g_test_add_func ("/cli/bus/reject", test_reject);
  g_test_add_func ("/cli/bus/detach", test_detach);
  g_test_add_func ("/cli/bus/next-owner", test_next_owner);
  g_test_add_func ("/cli/bus/left-alone", test_left_alone);
  g_test_add_func ("/cli/bus/left-to-nobody", test_left_to_nobody);
  g_test_add_data_func ("/cli/bus/broken/gone", GINT_TO_POINTER (FALSE), test_broken_bus);
  g_test_add_data_func ("/cli/bus/broken/silent", GINT_TO_POINTER (TRUE), test_broken_bus);
  return g_test_run ();
}
