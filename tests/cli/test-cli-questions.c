/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "beckon-agent-fixture.h"
#include "beckon-cli-fixture.h"
#include "beckon-test-tool.h"
#include "text/beckon-plain-text.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define TWO                                                                                                            \
  "{\"questions\":[{\"question\":\"Which port?\",\"options\":[\"8080\",\"9090\"]},"                                    \
  "{\"question\":\"Which days?\",\"options\":[\"Mon\",\"Tue\",\"Wed\"],\"multiple\":true}]}"

static char *
dup_result (BeckonCliFixture *fixture, guint index)
{
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), >, index);
  return beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, index), "call_1");
}

/* The last line of what was printed, as a request. */
static JsonObject *
parse_last_line (BeckonCliFixture *fixture)
{
  g_autofree char *output = g_strchomp (g_strdup (fixture->output));
  const char *line = strrchr (output, '\n');
  g_autoptr (GError) error = NULL;
  JsonObject *object = beckon_json_parse_object (line != NULL ? line + 1 : output, -1, &error);

  g_assert_no_error (error);
  return object;
}

/* The last one of the list. */
static JsonObject *
parse_question (BeckonCliFixture *fixture)
{
  g_autoptr (JsonObject) document = parse_last_line (fixture);
  JsonArray *questions = beckon_json_get_array (document, "questions");

  g_assert_cmpuint (json_array_get_length (questions), >, 0);
  return json_object_ref (json_array_get_object_element (questions, json_array_get_length (questions) - 1));
}

/* Runs until the model asks, and returns the request's id. */
static char *
detach (BeckonCliFixture *fixture, BeckonFixtureReply *question)
{
  g_autoptr (JsonObject) request = NULL;

  beckon_cli_fixture_script (fixture, question);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 10);
  request = parse_last_line (fixture);
  return g_strdup (beckon_json_get_string (request, "id"));
}

/* The program ends with the question; another one answers it later, and continues. */
static void
test_detach (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  const BeckonScriptCall call = { "call_1", "ask_user", BECKON_SCRIPT_QUESTION };
  g_autoptr (JsonObject) request = NULL;
  g_autofree char *result = NULL;
  const char *id;

  beckon_cli_fixture_script (fixture, beckon_script_calls ("Two are free.", &call, 1, "tool_calls"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 10);
  g_assert_true (g_str_has_prefix (fixture->output, "Two are free.\n{"));
  beckon_cli_assert_says (fixture->errors, "beckonctl answer");
  request = parse_last_line (fixture);
  id = beckon_json_get_string (request, "id");
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (request, "tool"), "context"), ==, "Two are free.");
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (request, "asker"), "name"), ==, "Fixture");

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "2", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "It is set\n");
  g_assert_cmpstr (fixture->errors, ==, "");
  result = dup_result (fixture, 1);
  g_assert_cmpstr (result, ==, "9090");
}

/* An edit that waits is listed with its difference, as the terminal's card has it. */
static void
test_difference (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = g_dir_make_tmp ("beckon-cli-questions-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "notes.txt", NULL);

  g_assert_true (g_file_set_contents (path, "one\ntwo\nthree\n", -1, NULL));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "edit_file", "{\"path\":\"notes.txt\",\"old_text\":\"two\","
                                                                                 "\"new_text\":\"deux\"}"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--folder", folder, "--detach-on-ask", "Change it", NULL), ==, 10);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "] Edit notes.txt +1 −1");
  beckon_cli_assert_says (fixture->output, "\n-two\n+deux\n");
  beckon_cli_assert_says (fixture->output, "\nAnswer with: beckonctl answer ");
  g_assert_null (strstr (fixture->output, "old_text"));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* The model does not wait: the program ends once all else is done, and the answer goes to the model as a message. */
static void
test_late (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (JsonObject) request = NULL;
  g_autofree char *sent = NULL;
  const char *id;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "ask_user", "{\"question\":\"Which port?\",\"wait\":false}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("The rest is done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 10);
  g_assert_true (g_str_has_prefix (fixture->output, "The rest is done\n{"));
  request = parse_last_line (fixture);
  g_assert_false (beckon_json_get_boolean (beckon_json_get_object (request, "question"), "wait", TRUE));
  id = beckon_json_get_string (request, "id");

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "9090", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "It is set\n");
  g_assert_cmpstr (fixture->errors, ==, "");
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 2));
  g_assert_true (g_str_has_suffix (sent, "assistant The rest is done\nuser My answer to your earlier question \"Which port?\":\n"
                                         "9090\n"));
}

/* Its run fails: the question stays, and its answer resumes the conversation, once. */
static void
test_late_behind_failure (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (JsonObject) request = NULL;
  g_autofree char *sent = NULL;
  const char *id;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "ask_user", "{\"question\":\"Which port?\",\"wait\":false}"));
  beckon_cli_fixture_script (fixture, beckon_script_error (401, NULL, "no"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 8);
  beckon_cli_assert_says (fixture->errors, "A question is still open. Answer it with: beckonctl chat -c ");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", "--json", NULL), ==, 0);
  request = parse_question (fixture);
  id = beckon_json_get_string (request, "id");

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "9090", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "It is set\n");
  g_assert_cmpstr (fixture->errors, ==, "");
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 2));
  g_assert_true (g_str_has_suffix (sent, "user My answer to your earlier question \"Which port?\":\n9090\n"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "8080", NULL), ==, 1);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
}

/* Beside it a message is sent, and the question stays. A dismissal begins nothing. */
static void
test_late_beside_message (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (JsonObject) request = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "ask_user", "{\"question\":\"Which port?\",\"wait\":false}"));
  beckon_cli_fixture_script (fixture, beckon_script_error (401, NULL, "no"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Set it up", NULL), ==, 8);
  beckon_cli_fixture_script (fixture, beckon_script_error (401, NULL, "no"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "--last", "Again", NULL), ==, 8);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", "--json", NULL), ==, 0);
  request = parse_question (fixture);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", beckon_json_get_string (request, "id"), "--json",
                                           "{\"kind\":\"declined\"}", NULL),
                   ==, 0);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
}

/* An answer given in a folder is told with the same question there, and can be listed and forgotten. */
static void
test_answers (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = g_build_filename (fixture->home, "project", NULL);
  g_autoptr (JsonObject) request = NULL;
  g_autoptr (JsonObject) list = NULL;
  JsonObject *first;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
      g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "--folder", folder, "Set it up", NULL), ==,
                       10);
      g_clear_pointer (&request, json_object_unref);
      request = parse_last_line (fixture);
      g_assert_true (json_object_has_member (request, "last") == (i > 0));
      beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
      g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", beckon_json_get_string (request, "id"), "2", NULL), ==, 0);
    }
  first = json_array_get_object_element (beckon_json_get_array (request, "last"), 0);
  g_assert_cmpstr (json_array_get_string_element (beckon_json_get_array (first, "selected"), 0), ==, "9090");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answers", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Which port?");
  beckon_cli_assert_says (fixture->output, "9090");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answers", "list", "--json", "--folder", folder, NULL), ==, 0);
  list = parse_last_line (fixture);
  g_assert_cmpuint (json_array_get_length (beckon_json_get_array (list, "answers")), ==, 1);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answers", "forget", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answers", "forget", "--folder", "/nowhere", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answers", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "9090");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answers", "forget", "--all", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answers", "list", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
}

/* The model asks again: the program ends again. */
static void
test_detach_again (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *first = detach (fixture, beckon_script_ask ("call_1"));
  g_autoptr (JsonObject) second = NULL;
  const char *id;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_2"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", first, "8080", NULL), ==, 10);
  second = parse_last_line (fixture);
  id = beckon_json_get_string (second, "id");
  g_assert_cmpstr (id, !=, first);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "--you-choose", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "It is set\n");
}

typedef struct
{
  const char *name;
  const char *question;
  const char *words[4];
  const char *result;
} Form;

static const Form forms[] = {
  { "number", BECKON_SCRIPT_QUESTION, { "2" }, "9090" },
  { "label", BECKON_SCRIPT_QUESTION, { "8080" }, "8080" },
  { "words", BECKON_SCRIPT_QUESTION, { "the", "usual", "one" }, "the usual one" },
  { "skip", BECKON_SCRIPT_QUESTION, { "--skip" }, "The user skipped this question" },
  { "you-choose", BECKON_SCRIPT_QUESTION, { "--you-choose" }, "The user left the choice to you. Choose what fits best, say what you chose, and go on." },
  { "ask-back", BECKON_SCRIPT_QUESTION, { "--ask-back", "Why not both?" }, "{\"status\":\"asked_back\",\"text\":\"Why not both?\"}" },
  { "json", BECKON_SCRIPT_QUESTION, { "--json", "{\"kind\":\"question\",\"items\":[{\"selected\":[\"8080\"],\"text\":\"for now\"}]}" }, "8080 — for now" },
  { "text", BECKON_SCRIPT_QUESTION, { "--text", "9" }, "9" },
  { "text-like-a-number", BECKON_SCRIPT_QUESTION, { "--text", "2" }, "2" },
  { "several", TWO, { "2", "1,3" },
    "{\"status\":\"answered\",\"answers\":[{\"question\":\"Which port?\",\"selected\":[\"9090\"],\"text\":\"\",\"skipped\":false},"
    "{\"question\":\"Which days?\",\"selected\":[\"Mon\",\"Wed\"],\"text\":\"\",\"skipped\":false}]}" },
  { "one-of-several-skipped", TWO, { "/skip", "any day" },
    "{\"status\":\"answered\",\"answers\":[{\"question\":\"Which port?\",\"selected\":[],\"text\":\"\",\"skipped\":true},"
    "{\"question\":\"Which days?\",\"selected\":[],\"text\":\"any day\",\"skipped\":false}]}" },
};

static void
test_form (gconstpointer data)
{
  const Form *form = data;
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = detach (fixture, beckon_script_call ("call_1", "ask_user", form->question));
  g_autofree char *result = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, form->words[0], form->words[1], form->words[2], NULL),
                   ==, 0);
  g_assert_cmpstr (fixture->output, ==, "Good\n");
  result = dup_result (fixture, 1);
  g_assert_cmpstr (result, ==, form->result);
}

/* A reply that is no answer is refused in words, and the question stays open. */
static void
test_refused (void)
{
  static const struct
  {
    const char *words[3];
    int status;
    const char *says;
  } cases[] = {
    { { NULL }, 2, "--help" },
    { { "--skip", "--you-choose" }, 2, "not several" },
    { { "--you-choose", "2" }, 2, "not several" },
    { { "--run" }, 1, "instead of approving" },
    { { "--arguments", "{}" }, 1, "instead of approving" },
    { { "--text", "9090" }, 1, "choose from the list" },
    { { "--json", "{\"kind\":\"question\",\"items\":[{\"selected\":[\"1\"]}]}" }, 1, "items[0].selected: " },
    { { "--ask-back", " " }, 1, "Write your question" },
    { { "3" }, 1, "from 1 to 2" },
    { { "anything" }, 1, "from 1 to 2" },
  };
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = detach (fixture, beckon_script_call ("call_1", "ask_user",
                                                             "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\"],"
                                                             "\"allow_freeform\":false}"));

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s %s", cases[i].words[0], cases[i].words[1]);
      g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, cases[i].words[0], cases[i].words[1], NULL), ==,
                       cases[i].status);
      beckon_cli_assert_says (fixture->errors, cases[i].says);
    }

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", "zzzz", "1", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "no longer exists");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

/* A number that no choice has is taken for a slip: one question is asked again, and nothing is sent of several. */
static void
test_out_of_range (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *one = detach (fixture, beckon_script_ask ("call_1"));
  g_autofree char *two = detach (fixture, beckon_script_call ("call_2", "ask_user", TWO));

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", one, "9", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "“9” is not a choice from 1 to 2. To send it as text, use: --text 9\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", one, "0", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", one, "--text", "9", "--text", "8", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Give “--text” 1 time");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", one, "--text", "9", "2", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", two, "2", "1,9", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "“1,9” is not a choice from 1 to 3. To send texts, give --text once for each question.");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", "--json", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, one);
  beckon_cli_assert_says (fixture->output, two);
}

/* Not within a transaction: then nothing could be written at all. */
static void
freeze (BeckonCliFixture *fixture, BeckonCliProcess *process, const char *conversation_id)
{
  do
    {
      g_assert_cmpint (kill (process->pid, SIGCONT), ==, 0);
      g_assert_cmpint (kill (process->pid, SIGSTOP), ==, 0);
    }
  while (beckon_cli_fixture_run (fixture, "", "pin", conversation_id, NULL) != 0);
}

/* The program that drives the run is frozen: who approves a call is told what to do should it end. */
static void
test_driver_frozen (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) driver = NULL;
  g_autoptr (BeckonCliProcess) answer = NULL;
  g_autofree char *folder = g_build_filename (fixture->home, "work", NULL);
  g_autofree char *conversation_id = NULL;
  g_autofree char *id = NULL;
  g_autofree char *command = NULL;
  gint64 deadline;

  g_assert_no_errno (g_mkdir (folder, 0700));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "write_file", "{\"path\":\"a\",\"content\":\"A\"}"));
  driver = beckon_cli_process_new_in_terminal (fixture, "run", "--folder", folder, "Hello", NULL);
  beckon_cli_process_wait (driver, "1. Run");
  beckon_cli_process_wait (driver, "> ");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  conversation_id = g_strndup (fixture->output, 26);
  freeze (fixture, driver, conversation_id);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", NULL), ==, 0);
  id = g_strndup (fixture->output, 26);
  answer = beckon_cli_process_new_in_pipe (fixture, "answer", id, "--run", NULL);
  deadline = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;
  while (*fixture->output != '\0')
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", NULL), ==, 0);
    }
  g_assert_cmpint (kill (answer->pid, SIGINT), ==, 0);
  beckon_cli_process_wait (answer, "isn't responding");
  command = g_strdup_printf ("resume with: beckonctl resume %s\n", conversation_id);
  beckon_cli_process_wait (answer, command);
  g_assert_cmpint (beckon_cli_process_finish (answer), ==, 0);
  beckon_cli_process_kill (driver);
}

#define SECRET "hunter2-k3x9q"

/* A secret on the command line is for everybody to see: it is refused there, and read from the standard input. */
static void
test_masked (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = detach (fixture, beckon_script_call ("call_1", "ask_user",
                                                             "{\"questions\":[{\"question\":\"The token?\",\"secret\":true}]}"));
  const char *json = "{\"kind\":\"question\",\"items\":[{\"text\":\"" SECRET "\"}]}";
  g_autofree char *result = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, SECRET, NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "--secret-stdin");
  g_assert_null (strstr (fixture->errors, SECRET));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "--json", json, NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "--secret-stdin");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "\xff", "answer", id, "--secret-stdin", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, SECRET, "answer", id, "--secret-stdin", "word", NULL), ==, 2);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, SECRET "\n", "answer", id, "--secret-stdin", NULL), ==, 0);
  g_assert_null (strstr (fixture->output, SECRET));
  result = dup_result (fixture, 1);
  beckon_cli_assert_says (result, "secret:the-token-");
  g_assert_null (strstr (result, SECRET));
}

/* Answers that others may see may still be on the command line, as may the skipping of secret ones. */
static void
test_masked_among_others (void)
{
  static const char question[] = "{\"questions\":[{\"question\":\"The name?\"},"
                                 "{\"question\":\"The token?\",\"secret\":true}]}";
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = detach (fixture, beckon_script_call ("call_1", "ask_user", question));
  g_autofree char *result = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "Photos", SECRET, NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "--secret-stdin");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, SECRET "\n", "answer", id, "--secret-stdin", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "2 replies");
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Photos\n" SECRET "\n", "answer", id, "--secret-stdin", NULL), ==, 0);
  result = dup_result (fixture, 1);
  beckon_cli_assert_says (result, "Photos");
  beckon_cli_assert_says (result, "secret:the-token-");
  g_assert_null (strstr (result, SECRET));
}

/* The error names who was first; the answer that came too late changes nothing. */
static void
test_already_settled (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = detach (fixture, beckon_script_ask ("call_1"));

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "1", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "2", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, g_get_user_name ());
  beckon_cli_assert_says (fixture->errors, "in the terminal");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
}

/* The code, which is what a person types, leads to the same words as the whole id. */
static void
test_already_settled_by_code (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = detach (fixture, beckon_script_ask ("call_1"));
  g_autofree char *small = g_ascii_strdown (id + strlen (id) - 4, -1);
  g_autofree char *code = g_strconcat ("#", small, NULL);

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", code, "1", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", code, "2", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "in the terminal");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", small + 1, "2", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "no longer exists");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
}

static void
test_reject (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = detach (fixture, beckon_script_ask ("call_1"));
  g_autofree char *result = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "reject", id, "Not", "now", NULL), ==, 0);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Then not"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", "0", NULL),
                   ==, 0);
  g_assert_cmpstr (fixture->output, ==, "Then not\n");
  result = dup_result (fixture, 1);
  g_assert_cmpstr (result, ==, "The user dismissed this question. They said: Not now");
}

/* A run that waits is shown again; one that nobody drives goes on. */
static void
test_resume (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = NULL;
  g_autoptr (JsonObject) again = NULL;
  g_autoptr (BeckonCliProcess) process = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "othing to resume");
  id = detach (fixture, beckon_script_ask ("call_1"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", NULL), ==, 10);
  again = parse_last_line (fixture);
  g_assert_cmpstr (beckon_json_get_string (again, "id"), ==, id);

  /* In a terminal it is asked there. */
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  process = beckon_cli_process_new_in_terminal (fixture, "resume", NULL);
  beckon_cli_process_wait (process, "Which port?");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "It is set");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

static void
test_which (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *first = detach (fixture, beckon_script_ask ("call_1"));
  g_autofree char *second = detach (fixture, beckon_script_ask ("call_1"));

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Set it up");
  beckon_cli_assert_says (fixture->errors, "More than one");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", "0", "1", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "ore than one");
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", second, "1", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", "--detach-on-ask", NULL), ==, 10);
}

/* A run is stopped wherever it is: one that nobody drives, and one of a program that lives. */
static void
test_stop (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = detach (fixture, beckon_script_ask ("call_1"));
  g_autoptr (BeckonCliProcess) process = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "stop", NULL), ==, 0);
  beckon_cli_assert_says (fixture->errors, "Stopped");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "1", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "stop", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Nothing is running.");

  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "never", "word"));
  process = beckon_cli_process_new_in_pipe (fixture, "chat", NULL);
  beckon_cli_process_type (process, "Hello");
  beckon_cli_process_wait (process, "Half a ");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "stop", NULL), ==, 0);
  beckon_cli_process_wait (process, "Stopped");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 130);
}

/* Another program that lives drives the run: the answer reaches it, and that is said. */
static void
test_driven_elsewhere (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autoptr (JsonObject) request = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  process = beckon_cli_process_new_in_pipe (fixture, "chat", NULL);
  beckon_cli_process_type (process, "Set it up");
  beckon_cli_process_wait (process, "Which port?");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", "--json", NULL), ==, 0);
  request = parse_question (fixture);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "othing to resume");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", beckon_json_get_string (request, "id"), "2", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
  beckon_cli_assert_says (fixture->errors, "The agent resumes in the Beckon window");
  beckon_cli_process_wait (process, "It is set");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

static void
test_questions (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = NULL;
  g_autofree char *code = NULL;
  g_autoptr (JsonObject) request = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
  id = detach (fixture, beckon_script_ask ("call_1"));
  code = g_ascii_strdown (id + strlen (id) - BECKON_PLAIN_CODE_LENGTH, -1);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", NULL), ==, 0);
  g_assert_true (g_str_has_prefix (fixture->output, id));
  beckon_cli_assert_says (fixture->output, "  Set it up\n");
  beckon_cli_assert_says (fixture->output, code);
  beckon_cli_assert_says (fixture->output, "Which port?\n1. 8080\n2. 9090\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", "--json", NULL), ==, 0);
  request = parse_question (fixture);
  g_assert_cmpstr (beckon_json_get_string (request, "id"), ==, id);

  /* The code that is shown is enough to answer. */
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", code, "1", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
}

/* Questions are shown as they come, and so are their ends. */
static void
test_follow (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) words = beckon_cli_process_new_in_pipe (fixture, "questions", "--follow", NULL);
  g_autoptr (BeckonCliProcess) lines = beckon_cli_process_new_in_pipe (fixture, "questions", "--follow", "--json", NULL);
  g_autofree char *id = detach (fixture, beckon_script_ask ("call_1"));

  beckon_cli_process_wait (words, "Which port?");
  beckon_cli_process_wait (lines, "\"state\":\"pending\"");
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "2", NULL), ==, 0);
  beckon_cli_process_wait (words, "9090 (in the terminal)");
  beckon_cli_process_wait (lines, "\"state\":\"answered\"");
  kill (words->pid, SIGINT);
  kill (lines->pid, SIGTERM);
  g_assert_cmpint (beckon_cli_process_finish (words), ==, 0);
  g_assert_cmpint (beckon_cli_process_finish (lines), ==, 0);
}

static void
time_out (const char *directory, const char *id)
{
  BeckonAgentFixture *other = beckon_agent_fixture_new_over (directory, "http://127.0.0.1:1");
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_TIMED_OUT, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_agent_fixture_try_answer (other->inbox, id, g_steal_pointer (&answer), &error));
  g_assert_no_error (error);
  beckon_agent_fixture_free (other);
}

/* A deadline of another process ends the question: the terminal that waits continues, and an answer that comes too late is
 * refused in words. */
static void
test_timed_out (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *directory = beckon_cli_fixture_dup_data_directory (fixture);
  g_autoptr (BeckonCliProcess) watching = beckon_cli_process_new_in_pipe (fixture, "questions", "--follow", NULL);
  g_autoptr (BeckonCliProcess) waiting = NULL;
  g_autoptr (JsonObject) request = NULL;
  g_autofree char *id = NULL;
  g_autofree char *result = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Then later"));
  waiting = beckon_cli_process_new_in_terminal (fixture, "run", "Set it up", NULL);
  beckon_cli_process_wait (waiting, "Which port?");
  beckon_cli_process_wait (watching, "Which port?");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "questions", "--json", NULL), ==, 0);
  request = parse_question (fixture);
  id = g_strdup (beckon_json_get_string (request, "id"));
  time_out (directory, id);
  beckon_cli_process_wait (watching, "Timed out");
  beckon_cli_process_wait (waiting, "Then later");
  g_assert_cmpint (beckon_cli_process_finish (waiting), ==, 0);
  kill (watching->pid, SIGINT);
  g_assert_cmpint (beckon_cli_process_finish (watching), ==, 0);
  result = dup_result (fixture, 1);
  g_assert_cmpstr (result, ==, "The user did not answer in the time that was set. Nobody has chosen anything.");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "1", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "ended without an answer");
}

/* Settings of the programs that are run are in a file of their home. */
static void
end_turns (BeckonCliFixture *fixture)
{
  g_autofree char *folder = g_build_filename (fixture->home, "config", "glib-2.0", "settings", NULL);
  g_autofree char *path = g_build_filename (folder, "keyfile", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_mkdir_with_parents (folder, 0700);
  g_file_get_contents (path, &before, NULL, NULL);
  after = before != NULL ? g_strconcat (before, "ask-user-flow='end-turn'\n", NULL)
                         : g_strdup ("[io/github/beckon/Beckon]\nask-user-flow='end-turn'\n");
  g_assert_true (g_file_set_contents (path, after, -1, NULL));
}

#define END_TURN_SENT                                                                                                  \
  "user Set it up\nassistant\n  call call_1 ask_user " BECKON_SCRIPT_QUESTION "\n"                                     \
  "tool call_1 {\"status\":\"waiting_for_user\",\"question\":\"Which port?\"}\nuser 9090\n"

/* The other flow: the turn is over, and the answer begins the next one, in whichever program it is given. */
static void
test_end_turn_detached (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = NULL;
  g_autofree char *sent = NULL;

  end_turns (fixture);
  id = detach (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "2", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "It is set\n");
  g_assert_cmpstr (fixture->errors, ==, "");
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 1));
  g_assert_cmpstr (sent, ==, END_TURN_SENT);
}

static void
test_end_turn_rejected (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = NULL;

  end_turns (fixture);
  id = detach (fixture, beckon_script_ask ("call_1"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "reject", id, NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

static void
test_end_turn_in_chat (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *sent = NULL;

  end_turns (fixture);
  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Set it up\n2\n", "chat", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Which port?");
  beckon_cli_assert_says (fixture->output, "It is set");
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 1));
  g_assert_cmpstr (sent, ==, END_TURN_SENT);
}

static void
test_end_turn_in_terminal (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;

  end_turns (fixture);
  beckon_cli_fixture_script (fixture, beckon_script_ask ("call_1"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  process = beckon_cli_process_new_in_terminal (fixture, "run", "Set it up", NULL);
  beckon_cli_process_wait (process, "Which port?");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "2");
  beckon_cli_process_wait (process, "It is set");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
}

typedef struct
{
  const char *name;
  const char *words[5];
  const char *result;
} Decision;

static const Decision decisions[] = {
  { "run", { "--run" }, "write_file did {\"path\":\"a\"}" },
  { "one", { "1" }, "write_file did {\"path\":\"a\"}" },
  { "word", { "run" }, "write_file did {\"path\":\"a\"}" },
  { "arguments", { "--arguments", "{\"path\":\"b\"}" },
    "The user changed the arguments before it ran, to: {\"path\":\"b\"}\nwrite_file did {\"path\":\"b\"}" },
  { "deny", { "--deny" }, "The user denied this call. It was not run; nothing was changed." },
  { "deny-word", { "/deny Not there" }, "The user denied this call. It was not run; nothing was changed. They said: Not there" },
};

/* An approval of a program that lives, decided in the terminal. */
static void
test_decision (gconstpointer data)
{
  const Decision *decision = data;
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *directory = beckon_cli_fixture_dup_data_directory (fixture);
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("write_file", FALSE);
  BeckonAgentFixture *window = beckon_agent_fixture_new_over (directory, beckon_fixture_server_get_base_url (fixture->server));
  BeckonConversation *conversation = beckon_agent_fixture_create (window);
  g_autofree char *result = NULL;
  BeckonRequest *request;

  beckon_tool_registry_add (window->tools, BECKON_TOOL (tool));
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "write_file", "{\"path\":\"a\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  beckon_agent_fixture_send (window, conversation, "Set it up");
  request = beckon_agent_fixture_wait_pending (window, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", beckon_request_get_id (request), decision->words[0],
                                           decision->words[1], NULL),
                   ==, 0);
  beckon_agent_wait_until (beckon_conversation_get_phase (conversation) == BECKON_RUN_COMPLETE);
  result = dup_result (fixture, 1);
  g_assert_cmpstr (result, ==, decision->result);
  beckon_agent_fixture_free (window);
}

/* A plan as it is answers one, and anything else is told what it could be. */
static void
test_plan (void)
{
  static const char plan[] = "{\"title\":\"Read\",\"steps\":[{\"id\":\"a\",\"tool\":\"fetch_url\","
                             "\"arguments\":{\"url\":\"https://example.invalid/\"}}]}";
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = detach (fixture, beckon_script_call ("call_1", "propose_plan", plan));

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "--json", "{\"title\":\"Read\"}", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "kind: expected one of asked-back, declined, approved, plan");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "--json", "{\"title\":\"Read\",\"steps\":[]}", NULL),
                   ==, 1);
  beckon_cli_assert_says (fixture->errors, "plan: ");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "/pause 2", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "There is no such step.");
  /* Accepted so, it waits before a step that may run without a question as well. */
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answer", id, "/pause 1", NULL), ==, 10);
  beckon_cli_assert_says (fixture->output, "\"pause\":\"breakpoints\"");
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/questions/detach", test_detach);
  g_test_add_func ("/cli/questions/detach-again", test_detach_again);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strconcat ("/cli/questions/answer/", forms[i].name, NULL);

      g_test_add_data_func (path, &forms[i], test_form);
    }
  for (guint i = 0; i < G_N_ELEMENTS (decisions); i++)
    {
      g_autofree char *path = g_strconcat ("/cli/questions/approval/", decisions[i].name, NULL);

      g_test_add_data_func (path, &decisions[i], test_decision);
    }
  g_test_add_func ("/cli/questions/plan", test_plan);
  g_test_add_func ("/cli/questions/refused", test_refused);
  g_test_add_func ("/cli/questions/out-of-range", test_out_of_range);
  g_test_add_func ("/cli/questions/driver-frozen", test_driver_frozen);
  g_test_add_func ("/cli/questions/masked", test_masked);
  g_test_add_func ("/cli/questions/masked-among-others", test_masked_among_others);
  g_test_add_func ("/cli/questions/already-settled", test_already_settled);
  g_test_add_func ("/cli/questions/already-settled-by-code", test_already_settled_by_code);
  g_test_add_func ("/cli/questions/late", test_late);
  g_test_add_func ("/cli/questions/difference", test_difference);
  g_test_add_func ("/cli/questions/late-behind-failure", test_late_behind_failure);
  g_test_add_func ("/cli/questions/late-beside-message", test_late_beside_message);
  g_test_add_func ("/cli/questions/answers", test_answers);
  g_test_add_func ("/cli/questions/reject", test_reject);
  g_test_add_func ("/cli/questions/resume", test_resume);
  g_test_add_func ("/cli/questions/stop", test_stop);
  g_test_add_func ("/cli/questions/which", test_which);
  g_test_add_func ("/cli/questions/driven-elsewhere", test_driven_elsewhere);
  g_test_add_func ("/cli/questions/list", test_questions);
  g_test_add_func ("/cli/questions/follow", test_follow);
  g_test_add_func ("/life/6-cli-too-late-is-refused", test_timed_out);
  g_test_add_func ("/cli/questions/end-turn/detached", test_end_turn_detached);
  g_test_add_func ("/cli/questions/end-turn/rejected", test_end_turn_rejected);
  g_test_add_func ("/cli/questions/end-turn/chat", test_end_turn_in_chat);
  g_test_add_func ("/cli/questions/end-turn/terminal", test_end_turn_in_terminal);
  return g_test_run ();
}
