/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A working folder on a file system that is slow, or does not answer: the main loop looks nothing up there. */

#include "base/beckon-json.h"
#include "beckon-agent-fixture.h"
#include "beckon-slow-files.h"
#include "beckon-tree.h"
#include "landing/beckon-landing-place.h"
#include "request/beckon-approval-request.h"
#include "sandbox/beckon-sandbox-view.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define DELAY_MS 30

typedef struct
{
  BeckonAgentFixture *agent;
  BeckonOutputStore *spool;
  char *folder;
} Test;

/* Arguments that hold this are counted each time that they are parsed. */
#define MARK "counted-content"

static gint n_parsed;

static void
note_parsed (const char *text)
{
  if (text != NULL && g_str_has_prefix (text, "{\"path\"") && strstr (text, MARK) != NULL)
    g_atomic_int_inc (&n_parsed);
}

#define COUNTED(type, name)                                                                                                   \
  type __real_##name (const char *text, gssize length, GError **error);                                                       \
  type __wrap_##name (const char *text, gssize length, GError **error);                                                       \
  type __wrap_##name (const char *text, gssize length, GError **error)                                                        \
  {                                                                                                                           \
    note_parsed (text);                                                                                                       \
    return __real_##name (text, length, error);                                                                               \
  }

COUNTED (JsonNode *, beckon_json_parse)
COUNTED (JsonObject *, beckon_json_parse_object)
COUNTED (BeckonJsonValue *, beckon_json_value_parse)

static void
on_learned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_sandbox_view_learn_finish (result, NULL);
}

static void
set_up (Test *test, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-agent-slow-XXXXXX", NULL);
  gboolean is_learned = FALSE;

  test->folder = realpath (made, NULL);
  test->agent = beckon_agent_fixture_new ();
  test->spool = beckon_output_store_new ();
  beckon_tool_registry_add_working (test->agent->tools, &(BeckonToolParts){
                                                            .copies = BECKON_FILE_COPIES (test->agent->store),
                                                            .memory = BECKON_MEMORY (test->agent->store),
                                                            .outputs = test->spool,
                                                        });
  beckon_conversation_set_folder (test->agent->conversation, test->folder);
  if (g_strcmp0 (data, "instructions") != 0)
    beckon_settings_leave_out_folder_instructions (test->agent->settings);
  beckon_sandbox_view_learn_async (test->folder, NULL, on_learned, &is_learned);
  beckon_agent_wait_until (is_learned);
}

static void
tear_down (Test *test, gconstpointer data)
{
  beckon_slow_files_set (NULL, 0);
  beckon_agent_fixture_free (test->agent);
  beckon_agent_wait_until (G_OBJECT (test->spool)->ref_count == 1);
  g_assert_finalize_object (test->spool);
  beckon_tree_remove (test->folder);
  g_free (test->folder);
}

static void
script (Test *test, const char *tool, const char *arguments)
{
  const BeckonScriptCall calls[] = { { "call_1", tool, arguments } };

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
}

/* The longest time between two turns of the main loop. */
typedef struct
{
  gint64 last;
  gint64 longest;
  guint source;
} Gap;

static gboolean
on_turn (gpointer data)
{
  Gap *gap = data;
  gint64 now = g_get_monotonic_time ();

  gap->longest = MAX (gap->longest, now - gap->last);
  gap->last = now;
  return G_SOURCE_CONTINUE;
}

static void
begin_gap (Gap *gap)
{
  *gap = (Gap){ .last = g_get_monotonic_time () };
  gap->source = g_timeout_add (1, on_turn, gap);
}

static void
assert_no_look_up (const char *what)
{
  if (beckon_slow_files_count_main () > 0)
    g_test_message ("%s: %s", what, beckon_slow_files_get_first ());
  g_assert_cmpuint (beckon_slow_files_count_main (), ==, 0);
}

static BeckonToolCall *
get_call (Test *test)
{
  return beckon_part_get_call (
      beckon_message_get_part (beckon_conversation_get_message (test->agent->conversation, 1), 0));
}

/* (microseconds): the longest gap of the main loop while a call is decided, started and carried out. */
static gint64
write_once (Test *test)
{
  BeckonConversation *conversation = beckon_agent_fixture_create (test->agent);
  BeckonRequest *request;
  Gap gap;

  beckon_conversation_set_folder (conversation, test->folder);
  script (test, "write_file", "{\"path\":\"a/b.txt\",\"content\":\"" MARK "\"}");
  beckon_slow_files_set (test->folder, DELAY_MS);
  n_parsed = 0;
  begin_gap (&gap);
  beckon_agent_fixture_send (test->agent, conversation, "Do it");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_wait_until (beckon_conversation_get_phase (conversation) == BECKON_RUN_COMPLETE);
  g_source_remove (gap.source);
  assert_no_look_up ("write_file");
  g_assert_cmpuint (beckon_slow_files_count_other (), >, 0);
  g_assert_cmpint (n_parsed, ==, 1);
  return gap.longest;
}

/* No look-up is on the main loop, ever. How long the loop was held up is told: a busy machine decides that, too. */
static void
test_write (Test *test, gconstpointer data)
{
  gint64 gap = write_once (test);

  g_test_message ("longest gap %.1f ms; look-ups take %d ms each", (double) gap / 1000, DELAY_MS);
}

#define STEPS(more)                                                                                                           \
  "{\"title\":\"x\",\"pause\":\"every-step\",\"on_failure\":\"stop\",\"steps\":["                                     \
  "{\"id\":\"a\",\"tool\":\"list_files\",\"arguments\":{\"path\":\".\"}}" more "]}"

/* A person writes a step into a plan: what it would touch is judged without a look at it. */
static void
test_plan (Test *test, gconstpointer data)
{
  BeckonRequest *request;

  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "propose_plan", STEPS ("")));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Plan it");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_slow_files_set (test->folder, DELAY_MS);
  beckon_agent_fixture_answer (
    test->agent, request,
    beckon_answer_new (BECKON_ANSWER_PLAN,
                       STEPS (",{\"id\":\"b\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"c/d.txt\",\"content\":\"x\"}}")));
  beckon_agent_fixture_wait_pending (test->agent, 1);
  assert_no_look_up ("a plan");
  g_assert_cmpuint (beckon_slow_files_count_other (), >, 0);
  beckon_agent_fixture_stop (test->agent);
}

static void
add_tools_again (Test *test)
{
  beckon_tool_registry_add_working (test->agent->tools, &(BeckonToolParts){
                                                            .copies = BECKON_FILE_COPIES (test->agent->store),
                                                            .memory = BECKON_MEMORY (test->agent->store),
                                                            .outputs = test->spool,
                                                        });
}

/* The program ends while a command runs, and the next one looks for what became of it, where changes of commands lie. */
static void
test_takeover (Test *test, gconstpointer data)
{
  g_autofree char *id = g_strdup (beckon_conversation_get_id (test->agent->conversation));
  g_autofree char *place = beckon_landing_place_get_path ("x");
  g_autofree char *places = g_path_get_dirname (place);
  g_autofree char *real = NULL;

  if (beckon_sandbox_view_get (test->folder) == BECKON_VIEW_DIRECT)
    {
      g_test_skip ("commands have no view of their folder here");
      return;
    }
  script (test, "run_command", "{\"command\":\"sleep 1000\"}");
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_wait_until (beckon_conversation_get_n_messages (test->agent->conversation) > 1
                           && beckon_tool_call_get_can_land (get_call (test)));
  beckon_agent_fixture_restart (test->agent);
  add_tools_again (test);
  beckon_agent_fixture_open (test->agent, id);
  real = realpath (places, NULL);
  g_assert_nonnull (real);
  beckon_slow_files_set (real, DELAY_MS);
  beckon_agent_fixture_recover (test->agent);
  beckon_agent_wait_until (beckon_call_state_is_final (beckon_tool_call_get_state (get_call (test))));
  g_assert_cmpuint (beckon_slow_files_count_other (), >, 0);
  assert_no_look_up ("a takeover");
  beckon_agent_fixture_stop (test->agent);
}

/* Reading is not asked about here. */
static void
test_reads (Test *test, gconstpointer tool)
{
  g_autofree char *path = g_build_filename (test->folder, "a.txt", NULL);

  g_assert_true (g_file_set_contents (path, "text", -1, NULL));
  script (test, tool, "{\"path\":\".\"}");
  beckon_slow_files_set (test->folder, DELAY_MS);
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_COMPLETE);
  assert_no_look_up (tool);
  g_assert_cmpuint (beckon_slow_files_count_other (), >, 0);
}

/* A file that other programs run: it is read before it is asked about. */
static void
test_package (Test *test, gconstpointer data)
{
  script (test, "write_file", "{\"path\":\"package.json\",\"content\":\"{\\\"scripts\\\":{\\\"install\\\":\\\"true\\\"}}\"}");
  beckon_slow_files_set (test->folder, DELAY_MS);
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_COMPLETE);
  assert_no_look_up ("package.json");
}

static const char write_arguments[] = "{\"path\":\"b.txt\",\"content\":\"" MARK "\"}";

/* The agent works as before. */
static void
assert_usable (Test *test)
{
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Here I am"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Are you there?");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_closed (test->agent, test->agent->conversation);
}

/* Look-ups that hung return, without effect. */
static void
assert_dropped (Test *test)
{
  g_autofree char *before = beckon_agent_dump (G_LIST_MODEL (test->agent->conversation));
  g_autofree char *after = NULL;
  guint n_waiting = beckon_slow_files_count_waiting ();

  g_assert_cmpuint (n_waiting, >, 0);
  beckon_slow_files_release ();
  beckon_agent_wait_until (beckon_slow_files_count_waiting () == 0);
  beckon_agent_fixture_sync (test->agent);
  after = beckon_agent_dump (G_LIST_MODEL (test->agent->conversation));
  g_assert_cmpstr (after, ==, before);
}

/* A folder that does not answer when a turn begins brings no instructions, and keeps it waiting for two seconds at most. */
static void
test_instructions (Test *test, gconstpointer data)
{
  beckon_slow_files_set (test->folder, 0);
  beckon_slow_files_stall ();
  assert_usable (test);
  assert_no_look_up ("instructions");
  assert_dropped (test);
}

/* The folder does not answer when a call is to be decided: nothing is asked, nothing runs, and a stop ends the run at once. */
static void
test_stop_deciding (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "write_file", write_arguments } };

  /* The first request of a conversation tells of the folder's repository. */
  assert_usable (test);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  beckon_slow_files_set (test->folder, 0);
  beckon_slow_files_stall ();
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_wait_until (beckon_slow_files_count_waiting () > 0);
  beckon_agent_fixture_stop (test->agent);
  g_assert_cmpint (beckon_conversation_get_phase (test->agent->conversation), ==, BECKON_RUN_STOPPED);
  assert_no_look_up ("write_file");
  assert_usable (test);
  assert_dropped (test);
  g_assert_cmpuint (beckon_inbox_count_for (test->agent->inbox, beckon_conversation_get_id (test->agent->conversation)), ==, 0);
}

static void
ask_to_write (Test *test)
{
  const BeckonScriptCall calls[] = { { "call_1", "write_file", write_arguments } };

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  beckon_slow_files_set (test->folder, 0);
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_fixture_wait_pending (test->agent, 1);
}

static void
approve (Test *test)
{
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_get_pending (test->agent, 0),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
}

/* The folder hangs when the approved call is checked once more: the call has not begun. */
static void
test_stop_starting (Test *test, gconstpointer data)
{
  ask_to_write (test);
  beckon_slow_files_stall ();
  approve (test);
  beckon_agent_wait_until (beckon_slow_files_count_waiting () > 0);
  beckon_agent_fixture_stop (test->agent);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_CANCELLED);
  g_assert_nonnull (strstr (beckon_tool_call_get_result (get_call (test)), "this call was not run"));
  assert_usable (test);
  assert_dropped (test);
}

/* The person leaves the folder for another after the call was approved, or while the approved call is checked: it is asked about
 * anew, and runs in neither before. */
static void
test_change_starting (Test *test, gconstpointer is_hanging)
{
  g_autofree char *other = g_dir_make_tmp ("beckon-agent-other-XXXXXX", NULL);
  g_autofree char *here = g_build_filename (other, "b.txt", NULL);
  g_autofree char *there = g_build_filename (test->folder, "b.txt", NULL);
  BeckonRequest *again;

  ask_to_write (test);
  if (is_hanging != NULL)
    {
      beckon_slow_files_stall ();
      approve (test);
      beckon_agent_wait_until (beckon_slow_files_count_waiting () > 0);
      beckon_conversation_set_folder (test->agent->conversation, other);
      beckon_slow_files_release ();
    }
  else
    {
      beckon_conversation_set_folder (test->agent->conversation, other);
      approve (test);
    }
  again = beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_AWAITING);
  g_assert_nonnull (strstr (beckon_request_get_reason (again), "folder has changed"));
  g_assert_false (g_file_test (here, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (there, G_FILE_TEST_EXISTS));
  approve (test);
  beckon_agent_wait_until (beckon_call_state_is_final (beckon_tool_call_get_state (get_call (test))));
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_DONE);
  g_assert_true (g_file_test (here, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (there, G_FILE_TEST_EXISTS));
  beckon_agent_fixture_stop (test->agent);
  beckon_tree_remove (other);
}

static void
on_started_elsewhere (BeckonToolCall *call, GParamSpec *pspec, BeckonConversation *conversation)
{
  if (beckon_tool_call_get_state (call) == BECKON_CALL_STARTED)
    beckon_conversation_set_folder (conversation, g_get_tmp_dir ());
}

/* The person leaves the folder while the start is being stored: nothing runs. */
static void
test_change_started (Test *test, gconstpointer data)
{
  g_autofree char *there = g_build_filename (test->folder, "b.txt", NULL);
  g_autofree char *here = g_build_filename (g_get_tmp_dir (), "b.txt", NULL);

  ask_to_write (test);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  g_signal_connect (get_call (test), "notify::state", G_CALLBACK (on_started_elsewhere), test->agent->conversation);
  approve (test);
  beckon_agent_wait_until (beckon_call_state_is_final (beckon_tool_call_get_state (get_call (test))));
  g_assert_nonnull (strstr (beckon_tool_call_get_result (get_call (test)), "Not run"));
  g_assert_false (g_file_test (there, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (here, G_FILE_TEST_EXISTS));
  beckon_agent_fixture_stop (test->agent);
}

static void
on_state (BeckonToolCall *call)
{
  if (beckon_tool_call_get_state (call) == BECKON_CALL_STARTED)
    beckon_slow_files_stall ();
}

/* The folder hangs while the tool is at work: a stop waits a moment for the tool, and then no longer. */
static void
test_stop_running (Test *test, gconstpointer data)
{
  ask_to_write (test);
  g_signal_connect (get_call (test), "notify::state", G_CALLBACK (on_state), NULL);
  approve (test);
  beckon_agent_wait_until (beckon_slow_files_count_waiting () > 0);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_STARTED);
  beckon_agent_stop (test->agent->agent, test->agent->conversation);
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpint (beckon_conversation_get_phase (test->agent->conversation), ==, BECKON_RUN_CALLING);
  beckon_clock_advance (test->agent->clock, 3000);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_STOPPED);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_CANCELLED);
  g_assert_nonnull (strstr (beckon_tool_call_get_result (get_call (test)), "Whether it took effect is not known"));
  assert_no_look_up ("write_file");
  assert_usable (test);
  assert_dropped (test);
}

/* More than a pool of threads has hang, and a conversation in another folder goes on. */
static void
test_others (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "list_files", "{}" } };
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  g_autofree char *made = g_dir_make_tmp ("beckon-agent-quick-XXXXXX", NULL);

  for (guint i = 0; i < 20; i++)
    {
      BeckonConversation *other = beckon_agent_fixture_create (test->agent);

      g_ptr_array_add (others, other);
      beckon_conversation_set_folder (other, test->folder);
      beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Here I am"));
      beckon_agent_fixture_send (test->agent, other, "Are you there?");
      beckon_agent_wait_until (beckon_conversation_get_phase (other) == BECKON_RUN_COMPLETE);
    }
  beckon_slow_files_set (test->folder, 0);
  beckon_slow_files_stall ();
  for (guint i = 0; i < others->len; i++)
    {
      BeckonConversation *other = g_ptr_array_index (others, i);

      beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
      beckon_agent_fixture_send (test->agent, other, "Do it");
      beckon_agent_wait_until (beckon_slow_files_count_waiting () == i + 1);
    }
  beckon_conversation_set_folder (test->agent->conversation, made);
  script (test, "list_files", "{}");
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_slow_files_count_waiting (), ==, others->len);
  for (guint i = 0; i < others->len; i++)
    {
      beckon_agent_stop (test->agent->agent, g_ptr_array_index (others, i));
      beckon_agent_wait_until (beckon_conversation_get_phase (g_ptr_array_index (others, i)) == BECKON_RUN_STOPPED);
    }
  assert_dropped (test);
  beckon_tree_remove (made);
}

/* The files commands would work on cannot be found out: a stop does not wait for that, and the next message not for long. The
 * list of mounts stands for the folder, into which another process looks. */
static void
test_view (Test *test, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (test->folder, "unknown", NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  beckon_conversation_set_folder (test->agent->conversation, folder);
  beckon_slow_files_set ("/proc/self/mountinfo", 0);
  beckon_slow_files_stall ();
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_wait_until (beckon_slow_files_count_waiting () > 0);
  beckon_agent_fixture_stop (test->agent);
  assert_usable (test);
  assert_no_look_up ("a view");
  assert_dropped (test);
}

/* The program ends while a call is open, and the next one finds a folder that does not answer. */
static void
test_stop_inheriting (Test *test, gconstpointer data)
{
  g_autofree char *id = g_strdup (beckon_conversation_get_id (test->agent->conversation));

  ask_to_write (test);
  beckon_agent_fixture_restart (test->agent);
  add_tools_again (test);
  beckon_agent_fixture_open (test->agent, id);
  beckon_slow_files_stall ();
  beckon_agent_fixture_recover (test->agent);
  beckon_agent_wait_until (beckon_slow_files_count_waiting () > 0);
  beckon_agent_fixture_stop (test->agent);
  assert_no_look_up ("write_file");
  assert_usable (test);
  assert_dropped (test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/agent/slow-folder/write", Test, NULL, set_up, test_write, tear_down);
  g_test_add ("/agent/slow-folder/plan", Test, NULL, set_up, test_plan, tear_down);
  g_test_add ("/agent/slow-folder/takeover", Test, NULL, set_up, test_takeover, tear_down);
  g_test_add ("/agent/slow-folder/read-file", Test, "read_file", set_up, test_reads, tear_down);
  g_test_add ("/agent/slow-folder/list-files", Test, "list_files", set_up, test_reads, tear_down);
  g_test_add ("/agent/slow-folder/package", Test, NULL, set_up, test_package, tear_down);
  g_test_add ("/agent/slow-folder/instructions", Test, "instructions", set_up, test_instructions, tear_down);
  g_test_add ("/agent/slow-folder/stop-deciding", Test, NULL, set_up, test_stop_deciding, tear_down);
  g_test_add ("/agent/slow-folder/stop-starting", Test, NULL, set_up, test_stop_starting, tear_down);
  g_test_add ("/agent/slow-folder/change-approved", Test, NULL, set_up, test_change_starting, tear_down);
  g_test_add ("/agent/slow-folder/change-starting", Test, "hanging", set_up, test_change_starting, tear_down);
  g_test_add ("/agent/slow-folder/change-started", Test, NULL, set_up, test_change_started, tear_down);
  g_test_add ("/agent/slow-folder/stop-running", Test, NULL, set_up, test_stop_running, tear_down);
  g_test_add ("/agent/slow-folder/stop-inheriting", Test, NULL, set_up, test_stop_inheriting, tear_down);
  g_test_add ("/agent/slow-folder/view", Test, NULL, set_up, test_view, tear_down);
  g_test_add ("/agent/slow-folder/others", Test, NULL, set_up, test_others, tear_down);
  return g_test_run ();
}
