/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include "base/beckon-json-schema.h"
#include "base/beckon-json.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Scripts that use the terminal: what is piped in, events, files, and how each end is told by the exit status alone. */

static const BeckonFixtureRequest *
get_request (BeckonCliFixture *fixture, guint index)
{
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), >, index);
  return beckon_fixture_server_get_request (fixture->server, index);
}

static char *
dup_conversation (BeckonCliFixture *fixture)
{
  g_assert_true (g_str_has_prefix (fixture->errors, "conversation: "));
  return g_strndup (fixture->errors + strlen ("conversation: "), 26);
}

/* --- What is piped in ---------------------------------------------------------------------------------------------- */

/* With a message it goes as a file, and without one it is the message. */
static void
test_input (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *sent = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Two"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "a\nb\n", "run", "How many lines?", NULL), ==, 0);
  beckon_cli_assert_says (get_request (fixture, 0)->body,
                          "<attached-file name=\\\"stdin\\\">\\na\\nb\\n\\n</attached-file>\\n\\nHow many lines?");

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hi"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, " Hello\nyou\n", "run", "-", NULL), ==, 0);
  sent = beckon_agent_dump_request (get_request (fixture, 1));
  g_assert_cmpstr (sent, ==, "user Hello\nyou\n");
  g_clear_pointer (&sent, g_free);

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hi"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Hello\n", "run", NULL), ==, 0);
  sent = beckon_agent_dump_request (get_request (fixture, 2));
  g_assert_cmpstr (sent, ==, "user Hello\n");
}

/* The program ends as soon as it has seen too much, whatever is still to come. */
static void
pipe_too_much (BeckonCliFixture *fixture, const char *message, const char *limit)
{
  g_autoptr (BeckonCliProcess) process = beckon_cli_process_new_in_pipe (fixture, "run", message, NULL);
  static const char data[64 * 1024];

  while (write (process->input, data, sizeof data) > 0)
    ;
  beckon_cli_process_wait (process, "Standard input is too long: at most ");
  beckon_cli_process_wait (process, limit);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 2);
}

/* Input that is too long, empty or not text costs no request. */
static void
test_bad_input (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  pipe_too_much (fixture, "Hello", "16.8");
  pipe_too_much (fixture, "-", "1.0");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, " \n", "run", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "standard input is empty");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "\x01\x02\x03\x04", "run", "Hello", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "standard input: This is neither a picture nor text");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 0);
}

/* A program that has no standard input at all has nothing piped in, and reads no other file instead. */
static void
test_closed_input (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *sent = NULL;

  fixture->lacks_input = TRUE;
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hi there"));
  process = beckon_cli_process_new_in_pipe (fixture, "run", "Hello", NULL);
  beckon_cli_process_wait (process, "Hi there");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  sent = beckon_agent_dump_request (get_request (fixture, 0));
  g_assert_cmpstr (sent, ==, "user Hello\n");
}

/* --- Files and conversations --------------------------------------------------------------------------------------- */

/* The last message alone; a run that fails leaves the file empty, and a file that can't be written costs no request. */
static void
test_last_message (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  const BeckonScriptCall call = { "call_1", "get_current_time", "{}" };
  g_autofree char *path = g_build_filename (fixture->home, "last.txt", NULL);
  g_autofree char *text = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_calls ("Let me look.", &call, 1, "tool_calls"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is late"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-o", path, "When?", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "Let me look.\nIt is late\n");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "It is late\n");
  g_clear_pointer (&text, g_free);

  beckon_cli_fixture_script (fixture, beckon_script_error (401, NULL, "Wrong"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--output-last-message", path, "When?", NULL), ==, 8);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-o", "/nowhere/last.txt", "When?", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "/nowhere/last.txt");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
}

static void
test_continue (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = NULL;
  g_autofree char *beginning = NULL;
  g_autofree char *sent = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("One"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "First", NULL), ==, 0);
  id = dup_conversation (fixture);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Two"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--last", "--quiet", "Second", NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
  beginning = g_strndup (id, 22);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Three"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-c", beginning, "Third", NULL), ==, 0);
  beckon_cli_assert_says (fixture->errors, id);
  sent = beckon_agent_dump_request (get_request (fixture, 2));
  g_assert_cmpstr (sent, ==, "user First\nassistant One\nuser Second\nassistant Two\nuser Third\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-c", "nonsense", "Fourth", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Conversation not found.");
}

/* A conversation that waits for an answer takes no message, and the hint is a command that works as it is printed. */
static void
test_continue_asked (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  const char *hint;
  g_autofree char *code = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 10);
  hint = strstr (fixture->errors, "beckonctl answer ");
  g_assert_nonnull (hint);
  code = g_strndup (hint + strlen ("beckonctl answer "), 4);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--last", "And now?", NULL), ==, 3);
  g_assert_cmpstr (fixture->output, ==, "");
  beckon_cli_assert_says (fixture->errors, code);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", code, "1", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "It is set\n");
}

/* --- Events -------------------------------------------------------------------------------------------------------- */

static BeckonJsonSchema *
read_schema (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "io.github.beckon.Beckon.Run1.schema.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  BeckonJsonSchema *schema;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  schema = beckon_json_schema_new (text, -1, BECKON_JSON_SCHEMA_2020_12, &error);
  g_assert_no_error (error);
  return schema;
}

/* The events that the program printed, each valid; also written beside the tests, for a validator of somebody else. */
static GPtrArray *
parse_events (BeckonCliFixture *fixture)
{
  GPtrArray *events = g_ptr_array_new_with_free_func ((GDestroyNotify) json_object_unref);
  g_autoptr (BeckonJsonSchema) schema = read_schema ();
  g_auto (GStrv) lines = g_strsplit (fixture->output, "\n", -1);
  const char *folder = g_getenv ("BECKON_EVENTS");

  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) faults = NULL;
      JsonObject *event = beckon_json_parse_object (lines[i], -1, &error);

      g_assert_no_error (error);
      faults = beckon_json_schema_validate_text (schema, lines[i], -1);
      if (faults != NULL)
        g_error ("%s: %s", lines[i], ((BeckonJsonProblem *) g_ptr_array_index (faults, 0))->message);
      g_ptr_array_add (events, event);
    }
  if (folder != NULL)
    {
      g_autofree char *name = g_strdup_printf ("%s/%s.jsonl", folder, strrchr (g_test_get_path (), '/') + 1);

      g_assert_true (g_file_set_contents (name, fixture->output, -1, NULL));
    }
  g_assert_cmpuint (events->len, >=, 2);
  return events;
}

static const char *
get_type (GPtrArray *events, guint index)
{
  return beckon_json_get_string (g_ptr_array_index (events, index), "type");
}

static JsonObject *
find_event (GPtrArray *events, const char *type)
{
  for (guint i = 0; i < events->len; i++)
    if (g_str_equal (get_type (events, i), type))
      return g_ptr_array_index (events, i);
  g_error ("there is no event %s", type);
}

static void
test_events (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  const BeckonScriptCall call = { "call_1", "get_current_time", "{}" };
  g_autoptr (GPtrArray) events = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *id = NULL;
  JsonObject *last;

  beckon_cli_fixture_script (fixture, beckon_script_calls ("Let me \xe2\x80\xae look.", &call, 1, "tool_calls"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is late"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--json", "When?", NULL), ==, 0);
  id = dup_conversation (fixture);
  /* Characters that would steer a terminal are escapes. */
  g_assert_null (strstr (fixture->output, "\xe2\x80\xae"));
  events = parse_events (fixture);
  g_assert_cmpstr (get_type (events, 0), ==, "start");
  g_assert_cmpint (beckon_json_get_int (g_ptr_array_index (events, 0), "version", 0), ==, 1);
  g_assert_cmpstr (beckon_json_get_string (g_ptr_array_index (events, 0), "conversation"), ==, id);
  g_assert_cmpstr (beckon_json_get_string (find_event (events, "call"), "tool"), ==, "get_current_time");
  g_assert_false (beckon_json_get_boolean (find_event (events, "result"), "error", TRUE));
  g_assert_cmpstr (beckon_json_get_string (find_event (events, "call"), "call"), ==,
                   beckon_json_get_string (find_event (events, "result"), "call"));
  for (guint i = 0; i < events->len; i++)
    if (g_str_equal (get_type (events, i), "text"))
      g_string_append (text, beckon_json_get_string (g_ptr_array_index (events, i), "text"));
  g_assert_cmpstr (text->str, ==, "Let me \xe2\x80\xae look.It is late");
  last = g_ptr_array_index (events, events->len - 1);
  g_assert_cmpstr (beckon_json_get_string (last, "type"), ==, "end");
  g_assert_cmpint (beckon_json_get_int (last, "status", -1), ==, 0);
  g_assert_cmpstr (beckon_json_get_string (last, "phase"), ==, "complete");
  g_assert_cmpstr (beckon_json_get_string (last, "text"), ==, "It is late");
}

static void
test_events_asked (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (GPtrArray) events = NULL;
  JsonObject *request;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--json", "--detach-on-ask", "Set it up", NULL), ==, 10);
  events = parse_events (fixture);
  request = beckon_json_get_object (find_event (events, "request"), "request");
  g_assert_cmpstr (beckon_json_get_string (request, "kind"), ==, "question");
  g_assert_cmpint (beckon_json_get_int (g_ptr_array_index (events, events->len - 1), "status", -1), ==, 10);
}

/* The program is done when all but the question is; what became of that is an event once the model is told. */
static void
test_events_late (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) events = NULL;
  g_autofree char *id = NULL;
  g_autofree char *conversation = NULL;
  JsonObject *request;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "ask_user", "{\"question\":\"Which?\",\"wait\":false}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("The rest is done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--json", "--detach-on-ask", "Set it up", NULL), ==, 10);
  before = parse_events (fixture);
  request = beckon_json_get_object (find_event (before, "request"), "request");
  g_assert_false (beckon_json_get_boolean (beckon_json_get_object (request, "question"), "wait", TRUE));
  g_assert_nonnull (find_event (before, "result"));
  id = g_strdup (beckon_json_get_string (request, "id"));
  conversation = g_strdup (beckon_json_get_string (g_ptr_array_index (before, 0), "conversation"));

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "reject", id, NULL), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--json", "-c", conversation, "Go on", NULL), ==, 0);
  events = parse_events (fixture);
  g_assert_cmpstr (beckon_json_get_string (find_event (events, "answer"), "request"), ==, id);
  beckon_cli_assert_says (beckon_json_get_string (find_event (events, "answer"), "text"), "The user dismissed this question");
}

static void
test_events_failed (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (GPtrArray) events = NULL;
  JsonObject *last;

  beckon_cli_fixture_script (fixture, beckon_script_error (503, "Retry-After: 0\r\n", "Busy"));
  beckon_cli_fixture_script (fixture, beckon_script_error (401, NULL, "Wrong key"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--json", "When?", NULL), ==, 8);
  events = parse_events (fixture);
  beckon_cli_assert_says (beckon_json_get_string (find_event (events, "wait"), "text"), "Busy");
  last = g_ptr_array_index (events, events->len - 1);
  g_assert_cmpint (beckon_json_get_int (last, "status", -1), ==, 8);
  g_assert_cmpstr (beckon_json_get_string (last, "phase"), ==, "failed");
  beckon_cli_assert_says (beckon_json_get_string (last, "detail"), "Wrong key");
  g_assert_cmpstr (beckon_json_get_string (last, "text"), ==, "");
}

/* A reply that broke off is replaced by another message, which is the reply. */
static void
test_events_replaced (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (GPtrArray) events = NULL;
  static const char *const types[] = { "start", "text", "wait", "replaced", "text", "end" };

  beckon_cli_fixture_script (fixture, beckon_script_cut ("Half"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--json", "When?", NULL), ==, 0);
  events = parse_events (fixture);
  g_assert_cmpuint (events->len, ==, G_N_ELEMENTS (types));
  for (guint i = 0; i < events->len; i++)
    g_assert_cmpstr (get_type (events, i), ==, types[i]);
  g_assert_cmpstr (beckon_json_get_string (g_ptr_array_index (events, 3), "message"), ==,
                   beckon_json_get_string (g_ptr_array_index (events, 1), "message"));
  g_assert_cmpstr (beckon_json_get_string (g_ptr_array_index (events, 4), "message"), !=,
                   beckon_json_get_string (g_ptr_array_index (events, 1), "message"));
  g_assert_cmpstr (beckon_json_get_string (g_ptr_array_index (events, 4), "text"), ==, "Here");
  g_assert_cmpstr (beckon_json_get_string (g_ptr_array_index (events, 5), "text"), ==, "Here");
}

/* Tokens of each request, and what they cost by the prices of the profile. */
static void
test_events_usage (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (GPtrArray) events = NULL;
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  JsonObject *usage;

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Hi");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chunk (reply, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":200,"
                                         "\"prompt_tokens_details\":{\"cached_tokens\":10}}}\n\n", -1);
  beckon_fixture_reply_add_chat_done (reply);
  beckon_fixture_reply_add_last_chunk (reply);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Fixture", "--price-input", "2", "--price-output", "10",
                                           "--currency", "EUR", NULL), ==, 0);
  beckon_cli_fixture_script (fixture, reply);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--json", "Hello", NULL), ==, 0);
  events = parse_events (fixture);
  usage = beckon_json_get_object (g_ptr_array_index (events, events->len - 1), "usage");
  g_assert_cmpint (beckon_json_get_int (usage, "input", -1), ==, 1000);
  g_assert_cmpint (beckon_json_get_int (usage, "cached", -1), ==, 10);
  g_assert_cmpint (beckon_json_get_int (usage, "output", -1), ==, 200);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (usage, "cost"), 0.004, 0.0005);
  g_assert_cmpstr (beckon_json_get_string (usage, "currency"), ==, "EUR");
}

/* Ctrl+C has an end event, too, with what came until then. */
static void
test_events_stopped (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "never", "word"));
  process = beckon_cli_process_new_in_pipe (fixture, "run", "--json", "Hello", NULL);
  beckon_cli_process_end_input (process);
  beckon_cli_process_wait (process, "Half a ");
  kill (process->pid, SIGINT);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 130);
  beckon_cli_assert_says (process->all->str, "{\"type\":\"end\",\"status\":130,\"phase\":\"stopped\"");
  beckon_cli_assert_says (process->all->str, "\"text\":\"Half a \"}\n");
}

/* --- Exit status --------------------------------------------------------------------------------------------------- */

/* The reader goes away in the middle of a reply: the run stops, the piece that came is kept, and it can be resumed. */
static void
test_unread (gconstpointer option)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "never", "word"));
  process = beckon_cli_process_new_in_pipe (fixture, "run", "Hello", option, NULL);
  beckon_cli_process_end_input (process);
  beckon_cli_process_wait (process, "Half a ");
  close (process->output);
  process->output = -1;
  g_assert_cmpint (beckon_cli_process_reap (process), ==, 141);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "(can be resumed)");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "show", "0", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Half a");
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("whole"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", "0", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "whole\n");
}

static void
assert_ends (BeckonCliFixture *fixture, BeckonFixtureReply *reply, int status)
{
  beckon_cli_fixture_script (fixture, reply);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, status);
}

/* Lines that come later are not waited for, either. */
static void
test_unread_list (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 10);
  process = beckon_cli_process_new_in_pipe (fixture, "questions", "--follow", NULL);
  beckon_cli_process_wait (process, "Which port?");
  close (process->output);
  process->output = -1;
  g_assert_cmpint (beckon_cli_process_reap (process), ==, 141);
}

/* Each of a real cause. A stop is in test-cli-run.c, a question in test-cli-questions.c, files left alone in test-cli-undo.c. */
static void
test_statuses (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  assert_ends (fixture, beckon_fixture_reply_new_chat ("Fine"), 0);
  assert_ends (fixture, beckon_script_error (400, NULL, "Bad request"), 1);
  assert_ends (fixture, beckon_script_calls ("Half", NULL, 0, "length"), 6);
  assert_ends (fixture, beckon_script_error (402, NULL, "No credit"), 6);
  for (guint i = 0; i < 2; i++)
    beckon_cli_fixture_script (fixture, beckon_script_cut ("Half"));
  assert_ends (fixture, beckon_script_cut ("Half"), 7);
  assert_ends (fixture, beckon_script_error (403, NULL, "Not yours"), 8);

  /* No server listens at that address. */
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Gone", "--base-url", "http://127.0.0.1:1/v1",
                                           "--model", "m", "--no-lookup", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Gone", "Hello", NULL), ==, 7);
  /* The program that prints the key fails. */
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Fixture", "--key-command", "/bin/false", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 8);
}

/* The manual lists each status, in its order, and no other. */
static void
test_manual (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "man", "beckonctl.1.in", NULL);
  g_autofree char *all = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) statuses = g_string_new (NULL);
  gboolean is_in = FALSE;

  g_assert_true (g_file_get_contents (path, &all, NULL, NULL));
  lines = g_strsplit (all, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], ".SH "))
        is_in = g_str_equal (lines[i], ".SH EXIT STATUS");
      if (is_in && g_str_has_prefix (lines[i], ".B ") && g_ascii_isdigit (lines[i][3]))
        g_string_append_printf (statuses, "%s ", lines[i] + 3);
    }
  g_assert_cmpstr (statuses->str, ==, "0 1 2 3 4 5 6 7 8 10 130 141 ");
}

/* --- Help ---------------------------------------------------------------------------------------------------------- */

static void
check_line (const char *command, const char *text)
{
  static const char *const others[] = { "The ", "A ", "An ", "What ", "How ", "Which ", "Who", "It ", "Of ", "As ", "With ", NULL };
  gsize first = strcspn (text, " ");

  if (g_utf8_strlen (text, -1) >= 60 || g_str_has_suffix (text, ".") || !g_ascii_isupper (*text)
      || (first > 2 && text[first - 1] == 's' && text[first - 2] != 's'))
    g_error ("the help of %s is no short imperative: %s", command, text);
  for (guint i = 0; others[i] != NULL; i++)
    if (g_str_has_prefix (text, others[i]))
      g_error ("the help of %s is no imperative: %s", command, text);
}

/* Options and commands: two columns behind two spaces. */
static guint
check_columns (const char *command, const char *help)
{
  g_auto (GStrv) lines = g_strsplit (help, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *gap = g_str_has_prefix (lines[i], "  ") ? strstr (lines[i] + 2, "  ") : NULL;

      if (gap == NULL || strstr (lines[i], "--help") != NULL)
        continue;
      check_line (command, gap + strspn (gap, " "));
      n++;
    }
  return n;
}

static void
check_help (BeckonCliFixture *fixture, const char *command, const char *second)
{
  g_auto (GStrv) lines = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", command, second != NULL ? second : "--help", second != NULL ? "--help" : NULL,
                                           NULL), ==, 0);
  lines = g_strsplit (fixture->output, "\n", -1);
  /* Usage, the usage itself, nothing, and what it does. */
  if (g_str_equal (lines[0], "Usage:"))
    check_line (command, lines[3]);
  check_columns (command, fixture->output);
}

/* Each command and option is one short imperative line; formats are the manual's. */
static void
test_help (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "--help", NULL), ==, 0);
  n = check_columns ("beckonctl", fixture->output);
  g_assert_cmpuint (n, >=, 24);
  lines = g_strsplit (fixture->output, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (g_strchug (lines[i]), " ", 2);

      if (words[0] == NULL || words[1] == NULL || g_str_equal (words[0], "Usage:") || g_str_equal (words[0], "version")
          || g_str_equal (words[0], "debug"))
        continue;
      check_help (fixture, words[0], NULL);
    }
  check_help (fixture, "policy", "test");
  check_help (fixture, "policy", "list");
  check_help (fixture, "policy", "remove");
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/scripts/input", test_input);
  g_test_add_func ("/cli/scripts/bad-input", test_bad_input);
  g_test_add_func ("/cli/scripts/closed-input", test_closed_input);
  g_test_add_func ("/cli/scripts/last-message", test_last_message);
  g_test_add_func ("/cli/scripts/continue", test_continue);
  g_test_add_func ("/cli/scripts/continue-asked", test_continue_asked);
  g_test_add_func ("/cli/scripts/events", test_events);
  g_test_add_func ("/cli/scripts/events-asked", test_events_asked);
  g_test_add_func ("/cli/scripts/events-late", test_events_late);
  g_test_add_func ("/cli/scripts/events-failed", test_events_failed);
  g_test_add_func ("/cli/scripts/events-replaced", test_events_replaced);
  g_test_add_func ("/cli/scripts/events-usage", test_events_usage);
  g_test_add_func ("/cli/scripts/events-stopped", test_events_stopped);
  g_test_add_data_func ("/cli/scripts/unread", "--quiet", test_unread);
  g_test_add_data_func ("/cli/scripts/unread-events", "--json", test_unread);
  g_test_add_func ("/cli/scripts/unread-list", test_unread_list);
  g_test_add_func ("/cli/scripts/statuses", test_statuses);
  g_test_add_func ("/cli/scripts/manual", test_manual);
  g_test_add_func ("/cli/scripts/help", test_help);
  return g_test_run ();
}
