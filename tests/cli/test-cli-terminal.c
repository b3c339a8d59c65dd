/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include "beckon-agent-fixture.h"

#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* A real pseudo-terminal: what was typed before a card was shown never answers it. */

#define PASTE(text) "\033[200~" text "\033[201~"
#define QUEUED "Queued for after this turn"

/* A round's tokens, and no more, fit in a line of the screen. */
#define EDIT(to) "{\"path\":\"a.py\",\"old_text\":\"return 1\",\"new_text\":\"return " to "\"}"

static BeckonFixtureReply *
slow_call (guint milliseconds, const char *id, const char *name, const char *arguments)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_pause (reply, milliseconds);
  beckon_fixture_reply_add_chat_call (reply, 0, id, name, arguments);
  beckon_fixture_reply_add_chat_finish (reply, "tool_calls");
  beckon_fixture_reply_add_chat_done (reply);
  return reply;
}

static char *
dup_history (BeckonCliFixture *fixture, guint index)
{
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), >, index);
  return beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, index));
}

static BeckonCliProcess *
start_chat (BeckonCliFixture *fixture)
{
  BeckonCliProcess *process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);

  beckon_cli_process_wait (process, "> ");
  return process;
}

static void
quit (BeckonCliProcess *process)
{
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/quit");
  beckon_cli_process_finish (process);
}

/* A word that does not fit goes to the next line, whole; code and what has no blanks is left as it is. */
static void
test_wrapped (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *blank = g_strnfill (70, 'a');
  g_autofree char *dense = g_strnfill (100, 'b');
  g_autofree char *text = g_strdup_printf ("%s unbreakable tail\n```\n%s unbreakable\n```\n%s end", blank, blank, dense);
  g_autofree char *code = g_strdup_printf ("```\r\n%s unbreakable\r\n```\r\n%s end", blank, dense);

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat (text));
  process = start_chat (fixture);
  beckon_cli_process_type (process, "Go");
  beckon_cli_process_wait (process, "a unbreaka\033[8D\033[K\r\nunbreakable tail\r\n");
  beckon_cli_process_wait (process, code);
  quit (process);
}

/* --- Before a card ------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonCliFixture *fixture;
  BeckonCliProcess *process;
  char *folder;
  char *file;
} Edited;

static void
edited_set_up (Edited *edited, gconstpointer data)
{
  edited->fixture = beckon_cli_fixture_new_with_model ();
  edited->folder = g_build_filename (edited->fixture->home, "site", NULL);
  edited->file = g_build_filename (edited->folder, "a.py", NULL);
  g_assert_cmpint (g_mkdir_with_parents (edited->folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (edited->file, "def f():\n    return 1\n", -1, NULL));
  beckon_cli_fixture_script (edited->fixture, slow_call (300, "call_1", "edit_file", EDIT ("666")));
  edited->process = beckon_cli_process_new_in_terminal (edited->fixture, "chat", "--mode", "everything", "--folder",
                                                        edited->folder, NULL);
  beckon_cli_process_wait (edited->process, "> ");
}

static void
edited_tear_down (Edited *edited, gconstpointer data)
{
  beckon_cli_process_free (edited->process);
  beckon_cli_fixture_free (edited->fixture);
  g_free (edited->folder);
  g_free (edited->file);
}

static void
assert_holds (Edited *edited, const char *line)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (edited->file, &text, NULL, NULL));
  beckon_cli_assert_says (text, line);
}

static void
test_number (Edited *edited, gconstpointer typed)
{
  beckon_cli_process_press (edited->process, typed);
  beckon_cli_process_wait (edited->process, "return 666");
  beckon_cli_process_wait (edited->process, "\n> ");
  assert_holds (edited, "return 1\n");
  beckon_cli_process_type (edited->process, "/stop");
  beckon_cli_process_wait (edited->process, "Stopped");
  assert_holds (edited, "return 1\n");
  g_assert_cmpuint (beckon_fixture_server_count_requests (edited->fixture->server), ==, 1);
}

/* The second Enter came before the second card. */
static void
test_enter_twice (Edited *edited, gconstpointer data)
{
  beckon_cli_fixture_script (edited->fixture, beckon_script_call ("call_2", "edit_file",
    "{\"path\":\"a.py\",\"old_text\":\"return 666\",\"new_text\":\"return 7\"}"));
  beckon_cli_process_type (edited->process, "go");
  beckon_cli_process_wait (edited->process, "return 666");
  beckon_cli_process_wait (edited->process, "\n> ");
  beckon_cli_process_press (edited->process, "1\n1\n");
  beckon_cli_process_wait (edited->process, QUEUED);
  beckon_cli_process_wait (edited->process, "return 7");
  beckon_cli_process_wait (edited->process, "\n> ");
  assert_holds (edited, "return 666\n");
  beckon_cli_process_type (edited->process, "/stop");
  beckon_cli_process_wait (edited->process, "Stopped");
  assert_holds (edited, "return 666\n");
}

/* Pasted text decides nothing, whatever line breaks it has; a number that is typed does. */
static void
test_pasted_decision (Edited *edited, gconstpointer data)
{
  beckon_cli_fixture_script (edited->fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_cli_process_type (edited->process, "go");
  beckon_cli_process_wait (edited->process, "return 666");
  beckon_cli_process_wait (edited->process, "\n> ");
  beckon_cli_process_press (edited->process, PASTE ("1\n1\n1\n"));
  beckon_cli_process_wait (edited->process, "1");
  assert_holds (edited, "return 1\n");
  beckon_cli_process_press (edited->process, "\n");
  beckon_cli_process_wait (edited->process, "Pasted text decides nothing here.");
  beckon_cli_process_wait (edited->process, "beckonctl answer ");
  beckon_cli_process_wait (edited->process, "> ");
  assert_holds (edited, "return 1\n");
  beckon_cli_process_type (edited->process, "1");
  beckon_cli_process_wait (edited->process, "Done");
  assert_holds (edited, "return 666\n");
  quit (edited->process);
}

/* A sentence is the next message, and is said to be. */
static void
test_sentence (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *answered = NULL;
  g_autofree char *next = NULL;

  beckon_cli_fixture_script (fixture, slow_call (300, "call_1", "ask_user",
    "{\"question\":\"Delete the old database?\",\"options\":[\"Yes\",\"No\"]}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Kept"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Tests follow"));
  process = start_chat (fixture);
  beckon_cli_process_type (process, "go");
  beckon_cli_process_type (process, "yes, and also add tests please");
  beckon_cli_process_wait (process, QUEUED);
  beckon_cli_process_wait (process, "Delete the old database?");
  beckon_cli_process_wait (process, "\n> ");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  beckon_cli_process_type (process, "2");
  beckon_cli_process_wait (process, "Kept");
  beckon_cli_process_wait (process, "Tests follow");
  quit (process);
  answered = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  g_assert_cmpstr (answered, ==, "No");
  next = dup_history (fixture, 2);
  beckon_cli_assert_says (next, "user yes, and also add tests please\n");
}

/* A line that was half typed when the card came is finished as the message that it was. */
static void
test_half_typed (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *next = NULL;

  beckon_cli_fixture_script (fixture, slow_call (300, "call_1", "ask_user", BECKON_SCRIPT_QUESTION));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Noted"));
  process = start_chat (fixture);
  beckon_cli_process_type (process, "go");
  beckon_cli_process_press (process, "8080 is the o");
  beckon_cli_process_wait (process, "9090");
  beckon_cli_process_wait (process, "8080 is the o");
  beckon_cli_process_press (process, "ld one\n");
  beckon_cli_process_wait (process, QUEUED);
  beckon_cli_process_wait (process, "\n> ");
  beckon_cli_process_type (process, "2");
  beckon_cli_process_wait (process, "It is set");
  beckon_cli_process_wait (process, "Noted");
  quit (process);
  next = dup_history (fixture, 2);
  beckon_cli_assert_says (next, "tool call_1 9090\n");
  beckon_cli_assert_says (next, "user 8080 is the old one\n");
}

/* Starts a reply that does not end, and queues two messages meanwhile. */
static BeckonCliProcess *
queue_two (BeckonCliFixture *fixture)
{
  BeckonCliProcess *process = start_chat (fixture);

  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "word", "word"));
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "Half a ");
  beckon_cli_process_type (process, "the first one");
  beckon_cli_process_wait (process, "Enter sends it with the agent's next step; Up takes it back.");
  beckon_cli_process_type (process, "the second one");
  beckon_cli_process_wait (process, "Enter sends all that is queued");
  return process;
}

/* Enter alone sends all of them with the next step, in their order. */
static void
test_queued_together (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = queue_two (fixture);
  g_autofree char *next = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Both are heard"));
  beckon_cli_process_press (process, "\n");
  /* Lines are taken one after another. */
  beckon_cli_process_type (process, "/keep");
  beckon_cli_process_wait (process, "Nothing runs in the background.");
  beckon_fixture_server_release (fixture->server, "word");
  beckon_cli_process_wait (process, "Both are heard");
  quit (process);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  next = dup_history (fixture, 1);
  beckon_cli_assert_says (next, "user the first one\n\nthe second one\n");
}

/* Up brings the last one back to be changed, and it is queued no more. */
static void
test_queued_taken_back (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = queue_two (fixture);
  g_autofree char *next = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Both are heard"));
  beckon_cli_process_press (process, "\033[A");
  beckon_cli_process_wait (process, "the second one");
  beckon_cli_process_type (process, ", changed");
  beckon_cli_process_wait (process, "Enter sends all that is queued");
  beckon_cli_process_press (process, "\n");
  /* Lines are taken one after another. */
  beckon_cli_process_type (process, "/keep");
  beckon_cli_process_wait (process, "Nothing runs in the background.");
  beckon_fixture_server_release (fixture->server, "word");
  beckon_cli_process_wait (process, "Both are heard");
  quit (process);
  next = dup_history (fixture, 1);
  beckon_cli_assert_says (next, "user the first one\n\nthe second one, changed\n");
}

/* Messages that are still queued after a stop are on the screen, and can be dropped. */
static void
test_queued_dropped (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = queue_two (fixture);
  g_autofree char *next = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It went on"));
  beckon_cli_process_type (process, "/stop");
  beckon_cli_process_wait (process, "Still queued:");
  beckon_cli_process_wait (process, "the first one");
  beckon_cli_process_wait (process, "the second one");
  beckon_cli_process_type (process, "/drop");
  beckon_cli_process_wait (process, "Dropped the queued messages.");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/continue");
  beckon_cli_process_wait (process, "It went on");
  quit (process);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  next = dup_history (fixture, 1);
  g_assert_null (strstr (next, "the first one"));
  g_assert_null (strstr (next, "the second one"));
}

#define CLOCK(zone) "{\"title\":\"Time\",\"steps\":[{\"id\":\"a\",\"tool\":\"get_current_time\",\"arguments\":{\"timezone\":\"" zone "\"}}]}"

/* A plan may be pasted as /json printed it: it is shown as it was changed, and runs when its person says so. */
static void
test_pasted_plan (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *told = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "propose_plan", CLOCK ("UTC")));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is late"));
  process = start_chat (fixture);
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "Accept and run");
  beckon_cli_process_wait (process, "\n> ");
  beckon_cli_process_press (process, PASTE ("{\n  \"title\": \"Time\",\n  \"steps\": [\n    {\"id\":\"a\",\"tool\":\"get_current_time\","
                                            "\"arguments\":{\"timezone\":\"Asia/Tokyo\"}}\n  ]\n}\n") "\n");
  beckon_cli_process_wait (process, "timezone: Asia/Tokyo");
  beckon_cli_process_wait (process, "This is the plan as you changed it.");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "1");
  beckon_cli_process_wait (process, "It is late");
  quit (process);
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  beckon_cli_assert_says (told, "\"changed_by_the_user\"");
  beckon_cli_assert_says (told, "(Asia/Tokyo)");
}

/* A secret that comes too early is neither shown nor kept nor sent. */
static void
test_early_secret (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *told = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "ask_user",
                                                          "{\"questions\":[{\"question\":\"The token?\",\"secret\":true}]}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  process = start_chat (fixture);
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "The token?");
  beckon_cli_process_wait (process, "\n");
  beckon_cli_process_type (process, "canary 7f3a");
  while (strstr (process->all->str, "Type it again.") == NULL)
    {
      g_assert_null (strstr (process->all->str, "canary"));
      beckon_cli_process_read (process);
    }
  beckon_cli_process_wait (process, "Type it again.");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_press (process, "x\025" PASTE ("second\nlinf") "\177e\n");
  beckon_cli_process_wait (process, "It is set");
  quit (process);
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, 1), "call_1");
  beckon_cli_assert_says (told, "secret:the-token-");
  g_assert_null (strstr (process->all->str, "second"));
}

/* Plays a turn of a chat: something is typed at a random moment, before the card or little later, then the question is
 * answered with 9090. */
static void
type_ahead (BeckonCliFixture *fixture, BeckonCliProcess *process, guint turn)
{
  static const char *const early[] = { "1\n", "1\n1\n", "1", "8080\n", "\n1\n", PASTE ("1\n") };
  const char *typed = early[g_test_rand_int_range (0, G_N_ELEMENTS (early))];
  gboolean is_open = !g_str_has_suffix (typed, "\n");
  gboolean is_two = g_str_has_prefix (typed, "1\n1");
  g_autofree char *id = g_strdup_printf ("call_%u", turn);
  g_autofree char *told = NULL;
  guint asked;

  beckon_cli_fixture_script (fixture, slow_call ((guint) g_test_rand_int_range (0, 200), id, "ask_user", BECKON_SCRIPT_QUESTION));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("It is set"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Noted"));
  if (is_two)
    beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Noted"));
  asked = beckon_fixture_server_count_requests (fixture->server);
  beckon_cli_process_type (process, "go");
  if (g_test_rand_bit ())
    beckon_cli_process_wait (process, "Which port?");
  else
    g_usleep ((gulong) g_test_rand_int_range (0, 200) * 1000);
  beckon_cli_process_press (process, typed);
  if (is_open)
    {
      beckon_cli_process_wait (process, "9090");
      beckon_cli_process_press (process, "\n");
    }
  beckon_cli_process_wait (process, QUEUED);
  if (is_two)
    beckon_cli_process_wait (process, QUEUED);
  beckon_cli_process_wait (process, "\n> ");
  beckon_cli_process_type (process, "2");
  beckon_cli_process_wait (process, "It is set");
  beckon_cli_process_wait (process, "Noted");
  if (is_two)
    beckon_cli_process_wait (process, "Noted");
  beckon_cli_process_wait (process, "> ");
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (fixture->server, asked + 1), id);
  g_assert_cmpstr (told, ==, "9090");
}

static void
test_random (void)
{
  const char *many = g_getenv ("BECKON_TYPE_AHEAD");
  guint turns = many != NULL ? (guint) atoi (many) : g_test_slow () ? 40 : 4;

  for (guint done = 0; done < turns;)
    {
      g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
      g_autoptr (BeckonCliProcess) process = start_chat (fixture);

      for (guint turn = 0; turn < 20 && done < turns; turn++, done++)
        type_ahead (fixture, process, turn);
      beckon_cli_process_kill (process);
    }
}

/* --- Keys -------------------------------------------------------------------------------------------------------------- */

static void
assert_types (const char *keys, const char *message)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = start_chat (fixture);
  g_autofree char *sent = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_cli_process_press (process, keys);
  beckon_cli_process_wait (process, "Done");
  quit (process);
  sent = dup_history (fixture, 0);
  g_assert_cmpstr (sent, ==, message);
}

static void
test_edited_line (void)
{
  assert_types ("\xe4\xbd\xa0\xe5\xa5\xbd\xe5\x90\x97\177\n", "user \xe4\xbd\xa0\xe5\xa5\xbd\n");
  assert_types ("one two\027three\n", "user one three\n");
  assert_types ("bc\001a\033[C\033[C\033[Dx\n", "user abxc\n");
  assert_types ("one\033\rtwo\r", "user one\ntwo\n");
  assert_types ("rubbish\025fine\n", "user fine\n");
}

static void
test_paste (void)
{
  g_autofree char *long_line = g_strnfill (6003, 'x');
  g_autofree char *keys = g_strconcat (long_line, "\n", NULL);
  g_autofree char *message = g_strconcat ("user ", long_line, "\n", NULL);

  assert_types (PASTE ("one\ntwo\nthree") "\n", "user one\ntwo\nthree\n");
  assert_types (PASTE ("one\r\ntwo\rthree\n") "\n", "user one\ntwo\nthree\n");
  assert_types (keys, message);
}

static void
test_long_paste (void)
{
  g_autoptr (GString) keys = g_string_new ("See \033[200~");
  g_autoptr (GString) message = g_string_new ("user See ");

  for (guint i = 0; i < 5000; i++)
    {
      g_string_append_printf (keys, "%srow %u", i > 0 ? "\n" : "", i);
      g_string_append_printf (message, "%srow %u", i > 0 ? "\n" : "", i);
    }
  g_string_append (keys, "\033[201~ there\n");
  g_string_append (message, " there\n");
  assert_types (keys->str, message->str);
}

static void
test_history (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = start_chat (fixture);
  g_autofree char *sent = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("One"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Two"));
  beckon_cli_process_type (process, "first");
  beckon_cli_process_wait (process, "One");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_press (process, "\033[A\n");
  beckon_cli_process_wait (process, "Two");
  quit (process);
  sent = dup_history (fixture, 1);
  g_assert_cmpstr (sent, ==, "user first\nassistant One\nuser first\n");
}

/* Ctrl+C drops what is being typed, and leaves where nothing is. */
static void
test_interrupt (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = start_chat (fixture);
  g_autofree char *sent = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_cli_process_press (process, "abc");
  beckon_cli_process_wait (process, "abc");
  beckon_cli_process_press (process, "\003");
  beckon_cli_process_wait (process, "\n> ");
  beckon_cli_process_type (process, "def");
  beckon_cli_process_wait (process, "Done");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_press (process, "\003");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  sent = dup_history (fixture, 0);
  g_assert_cmpstr (sent, ==, "user def\n");
}

/* Output goes above the line that is being typed, and in whole lines. */
static void
test_output_above (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *sent = NULL;
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Begun");
  beckon_fixture_reply_add_hold (reply, "typed");
  beckon_fixture_reply_add_chat_text (reply, " half\nA line that is whole\nThe end");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_cli_fixture_script (fixture, reply);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Noted"));
  process = start_chat (fixture);
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "Begun");
  beckon_cli_process_press (process, "nex");
  beckon_cli_process_wait (process, "\n> nex");
  beckon_fixture_server_release (fixture->server, "typed");
  beckon_cli_process_wait (process, "A line that is whole\r\n");
  beckon_cli_process_wait (process, "The end\r\n");
  beckon_cli_process_wait (process, "> nex");
  beckon_cli_process_press (process, "t\n");
  beckon_cli_process_wait (process, "Noted");
  quit (process);
  sent = dup_history (fixture, 1);
  beckon_cli_assert_says (sent, "user next\n");
}

/* Escape ends a search, and not what the agent does. */
static void
test_search_left (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = start_chat (fixture);

  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "word", "word"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Noted"));
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "Half a ");
  beckon_cli_process_press (process, "\022");
  beckon_cli_process_wait (process, "i-search");
  beckon_cli_process_press (process, "\033");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "next");
  beckon_cli_process_wait (process, QUEUED);
  beckon_fixture_server_release (fixture->server, "word");
  beckon_cli_process_wait (process, "Noted");
  quit (process);
}

/* A conversation without a folder says so, and takes one before its first message. */
static void
test_folder (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = g_build_filename (fixture->home, "site", NULL);
  g_autoptr (BeckonCliProcess) process = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  process = beckon_cli_process_new_in_terminal (fixture, "chat", NULL);
  beckon_cli_process_wait (process, "No folder: the model can’t read or write files. “/folder .” works in this folder.");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/folder ~/nowhere");
  beckon_cli_process_wait (process, "nowhere”");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/folder ~/site");
  beckon_cli_process_wait (process, "Folder: ~/site · asks before changes");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "Here");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/folder ~/site");
  beckon_cli_process_wait (process, "The folder is chosen before the first message");
  quit (process);
  beckon_cli_assert_says (beckon_fixture_server_get_request (fixture->server, 0)->body, "outside the folder");
}

/* Escape at a card says how the agent is stopped, and takes no key with it, whether that comes later or at once. */
static void
test_escape_at_a_card (Edited *edited, gconstpointer data)
{
  beckon_cli_fixture_script (edited->fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_cli_process_type (edited->process, "go");
  beckon_cli_process_wait (edited->process, "return 666");
  beckon_cli_process_wait (edited->process, "\n> ");
  beckon_cli_process_press (edited->process, "\033");
  beckon_cli_process_wait (edited->process, "The agent waits for your reply. /stop stops it.");
  beckon_cli_process_wait (edited->process, "> ");
  assert_holds (edited, "return 1\n");
  beckon_cli_process_press (edited->process, "\0331\n");
  beckon_cli_process_wait (edited->process, "Done");
  assert_holds (edited, "return 666\n");
  quit (edited->process);
}

/* Escape behind what is typed changes nothing, and leaves the next key alone, once it is no beginning of a longer key. */
static void
test_escape_in_a_line (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = start_chat (fixture);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  g_autofree char *sent = NULL;

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Half a ");
  beckon_fixture_reply_add_pause (reply, 500);
  beckon_fixture_reply_add_chat_text (reply, "word\n");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_cli_fixture_script (fixture, reply);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Noted"));
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "Half a ");
  beckon_cli_process_press (process, "one \303\251\033");
  beckon_cli_process_wait (process, "word");
  beckon_cli_process_press (process, "d\n");
  beckon_cli_process_wait (process, "Noted");
  quit (process);
  sent = dup_history (fixture, 1);
  beckon_cli_assert_says (sent, "user one \303\251d\n");
}

/* A summary is seen while it is written, and stopped as a run is; the end of the run before is not told of again. */
static void
test_compact_stopped (void)
{
  g_autofree char *filler = g_strnfill (6000, '.');
  g_autofree char *long_message = g_strconcat (PASTE ("A long message "), filler, "\n", NULL);
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = start_chat (fixture);

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("One"));
  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "word", "word"));
  beckon_cli_fixture_script (fixture, beckon_script_held ("They ", "summary", "spoke"));
  beckon_cli_process_press (process, long_message);
  beckon_cli_process_wait (process, "One");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "Half a ");
  beckon_cli_process_type (process, "/stop");
  beckon_cli_process_wait (process, "/continue resumes.");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_type (process, "/compact");
  beckon_cli_process_wait (process, "Summarizing earlier messages…");
  beckon_cli_process_type (process, "later");
  beckon_cli_process_wait (process, QUEUED);
  beckon_cli_process_type (process, "/stop");
  while (strstr (process->all->str, "Stopped.") == NULL)
    beckon_cli_process_read (process);
  g_assert_null (strstr (process->all->str, "/continue resumes."));
  beckon_cli_assert_says (process->all->str, "Still queued:");
  quit (process);
}

/* --- The terminal -------------------------------------------------------------------------------------------------------- */

static void
get_modes (BeckonCliProcess *process, struct termios *modes)
{
  g_assert_cmpint (tcgetattr (process->output, modes), ==, 0);
}

static void
assert_modes (BeckonCliProcess *process, gboolean is_lines)
{
  struct termios modes;

  get_modes (process, &modes);
  g_assert_cmpint ((modes.c_lflag & ICANON) != 0, ==, is_lines);
  g_assert_cmpint ((modes.c_lflag & ECHO) != 0, ==, is_lines);
  g_assert_cmpint ((modes.c_iflag & ICRNL) != 0, ==, is_lines);
}

/* Its modes are those of before, however the program ends. */
static void
test_modes (void)
{
  const int signals[] = { 0, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV };

  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
      g_autoptr (BeckonCliProcess) process = start_chat (fixture);
      int status;

      assert_modes (process, FALSE);
      if (signals[i] == 0)
        beckon_cli_process_press (process, "\004");
      else
        g_assert_cmpint (kill (process->pid, signals[i]), ==, 0);
      status = beckon_cli_process_reap (process);
      g_assert_cmpint (status, ==, i < 3 ? 0 : -signals[i]);
      assert_modes (process, TRUE);
    }
}

/* Ctrl+Z gives the terminal to the shell; brought back, the line is as it was. */
static void
test_suspended (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *sent = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  process = beckon_cli_process_new_in_shell (fixture, "\"$BECKONCTL\" chat; echo shell; read -r line; fg >/dev/null; echo over");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_press (process, "hel");
  beckon_cli_process_wait (process, "hel");
  beckon_cli_process_press (process, "\032");
  beckon_cli_process_wait (process, "shell");
  assert_modes (process, TRUE);
  beckon_cli_process_type (process, "to the shell");
  beckon_cli_process_wait (process, "> hel");
  assert_modes (process, FALSE);
  beckon_cli_process_press (process, "lo\n");
  beckon_cli_process_wait (process, "Done");
  beckon_cli_process_wait (process, "> ");
  beckon_cli_process_press (process, "\004");
  beckon_cli_process_wait (process, "over");
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 0);
  sent = dup_history (fixture, 0);
  g_assert_cmpstr (sent, ==, "user hello\n");
}

static void
test_resized (void)
{
  const struct winsize narrow = { .ws_row = 10, .ws_col = 20 };
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = start_chat (fixture);
  g_autofree char *sent = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_cli_process_press (process, "one two three four five six");
  beckon_cli_process_wait (process, "six");
  g_assert_cmpint (ioctl (process->output, TIOCSWINSZ, &narrow), ==, 0);
  beckon_cli_process_wait (process, "six");
  beckon_cli_process_press (process, "\001zero \n");
  beckon_cli_process_wait (process, "Done");
  quit (process);
  sent = dup_history (fixture, 0);
  g_assert_cmpstr (sent, ==, "user zero one two three four five six\n");
}

/* A line that is wider than the terminal goes on in the next row; and it is drawn once, not for each key. */
static void
test_wide_line (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = start_chat (fixture);
  g_autofree char *line = g_strnfill (3000, 'x');

  beckon_cli_process_press (process, line);
  beckon_cli_process_wait (process, line);
  beckon_cli_process_press (process, "\025/quit\n");
  beckon_cli_process_finish (process);
}

/* Printed words stay where they are, and the reply begins again below them. */
static void
test_begins_again (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_cut ("Half a wo"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here it is"));
  process = start_chat (fixture);
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "Half a wo");
  beckon_cli_process_wait (process, "before it was complete.");
  beckon_cli_process_wait (process, "The reply begins again:");
  beckon_cli_process_wait (process, "Here it is");
  quit (process);
}

/* --- A chat that watches ---------------------------------------------------------------------------------------------------- */

/* (transfer full): how often its main thread waited, which it does once for each time it is woken up. */
static char *
dup_waits (BeckonCliProcess *process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/status", (int) process->pid, (int) process->pid);
  g_autofree char *status = NULL;
  const char *line;

  g_assert_true (g_file_get_contents (path, &status, NULL, NULL));
  line = strstr (status, "\nvoluntary_ctxt_switches");
  g_assert_nonnull (line);
  return g_strndup (line + 1, strcspn (line + 1, "\n"));
}

/* The model has a line of life with a clock until it says something, and nothing wakes up behind the turn. */
static void
test_life (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *was = NULL;
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  gboolean is_idle = FALSE;

  beckon_fixture_reply_add_hold (reply, "thinks");
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Begun\n");
  beckon_fixture_reply_add_hold (reply, "writes");
  beckon_fixture_reply_add_chat_text (reply, "The end");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_cli_fixture_script (fixture, reply);
  process = start_chat (fixture);
  beckon_cli_process_type (process, "go");
  beckon_cli_process_wait (process, "▸ Thinking… · 0:");
  beckon_cli_process_wait (process, " · Ctrl+C stops");
  beckon_cli_process_wait (process, "\r\033[K\033[?7l▸ Thinking… · 0:");
  beckon_fixture_server_release (fixture->server, "thinks");
  beckon_cli_process_wait (process, "\r\033[KBegun\r\n");
  beckon_cli_process_wait (process, "▸ Writing… · 0:0");
  beckon_fixture_server_release (fixture->server, "writes");
  beckon_cli_process_wait (process, "\r\033[KThe end\r\n");
  beckon_cli_process_wait (process, "> ");
  was = dup_waits (process);
  for (guint i = 0; i < 10 && !is_idle; i++)
    {
      g_autofree char *before = g_steal_pointer (&was);

      g_usleep (3 * G_USEC_PER_SEC);
      was = dup_waits (process);
      is_idle = g_str_equal (before, was);
    }
  g_assert_true (is_idle);
  beckon_cli_process_type (process, "/quit");
  beckon_cli_process_finish (process);
}

/* A script reads no line of life. */
static void
test_no_life_in_a_pipe (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_pause (reply, 1500);
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "The end");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_cli_fixture_script (fixture, reply);
  process = beckon_cli_process_new_in_pipe (fixture, "chat", NULL);
  beckon_cli_process_type (process, "go");
  beckon_cli_process_end_input (process);
  beckon_cli_process_wait (process, "The end");
  beckon_cli_process_finish (process);
  g_assert_null (strstr (process->all->str, "Thinking"));
}

/* Another process drives the run: it is stopped from here, and left alone by who only quits. */
static void
test_watching (gconstpointer word)
{
  gboolean stops = g_str_equal (word, "/stop");
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) driver = NULL;
  g_autoptr (BeckonCliProcess) watcher = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "word", "word"));
  driver = start_chat (fixture);
  beckon_cli_process_type (driver, "go");
  beckon_cli_process_wait (driver, "Half a ");
  watcher = beckon_cli_process_new_in_terminal (fixture, "chat", "--last", NULL);
  while (tcgetpgrp (watcher->output) > 0)
    {
      struct termios modes;

      get_modes (watcher, &modes);
      if ((modes.c_lflag & ICANON) == 0)
        break;
      g_usleep (10 * 1000);
    }
  beckon_cli_process_type (watcher, word);
  if (stops)
    {
      beckon_cli_process_wait (driver, "Stopped");
      beckon_cli_process_wait (watcher, "Stopped");
      quit (watcher);
      return;
    }
  beckon_cli_process_finish (watcher);
  beckon_fixture_server_release (fixture->server, "word");
  beckon_cli_process_wait (driver, "word");
  quit (driver);
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/terminal/number", Edited, "go\n1\n", edited_set_up, test_number, edited_tear_down);
  g_test_add ("/cli/terminal/enter-twice", Edited, NULL, edited_set_up, test_enter_twice, edited_tear_down);
  g_test_add ("/cli/terminal/pasted-decision", Edited, NULL, edited_set_up, test_pasted_decision, edited_tear_down);
  g_test_add ("/cli/terminal/escape-at-a-card", Edited, NULL, edited_set_up, test_escape_at_a_card, edited_tear_down);
  g_test_add_func ("/cli/terminal/wrapped", test_wrapped);
  g_test_add_func ("/cli/terminal/folder", test_folder);
  g_test_add_func ("/cli/terminal/escape-in-a-line", test_escape_in_a_line);
  g_test_add_func ("/cli/terminal/sentence", test_sentence);
  g_test_add_func ("/cli/terminal/half-typed", test_half_typed);
  g_test_add_func ("/cli/terminal/queued/together", test_queued_together);
  g_test_add_func ("/cli/terminal/queued/taken-back", test_queued_taken_back);
  g_test_add_func ("/cli/terminal/queued/dropped", test_queued_dropped);
  g_test_add_func ("/cli/terminal/pasted-plan", test_pasted_plan);
  g_test_add_func ("/cli/terminal/early-secret", test_early_secret);
  g_test_add_func ("/cli/terminal/random", test_random);
  g_test_add_func ("/cli/terminal/edited-line", test_edited_line);
  g_test_add_func ("/cli/terminal/paste", test_paste);
  g_test_add_func ("/cli/terminal/long-paste", test_long_paste);
  g_test_add_func ("/cli/terminal/history", test_history);
  g_test_add_func ("/cli/terminal/interrupt", test_interrupt);
  g_test_add_func ("/cli/terminal/output-above", test_output_above);
  g_test_add_func ("/cli/terminal/search-left", test_search_left);
  g_test_add_func ("/cli/terminal/compact-stopped", test_compact_stopped);
  g_test_add_func ("/cli/terminal/modes", test_modes);
  g_test_add_func ("/cli/terminal/suspended", test_suspended);
  g_test_add_func ("/cli/terminal/resized", test_resized);
  g_test_add_func ("/cli/terminal/wide-line", test_wide_line);
  g_test_add_func ("/cli/terminal/begins-again", test_begins_again);
  g_test_add_func ("/cli/terminal/life", test_life);
  g_test_add_func ("/cli/terminal/no-life-in-a-pipe", test_no_life_in_a_pipe);
  g_test_add_data_func ("/cli/terminal/watching/stop", "/stop", test_watching);
  g_test_add_data_func ("/cli/terminal/watching/quit", "/quit", test_watching);
  return g_test_run ();
}
