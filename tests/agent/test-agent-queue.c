/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "beckon-agent-victim.h"
#include "beckon-notes-fixture.h"
#include "domain/beckon-attachment.h"

#include <string.h>

/* Messages that are queued while the agent works, and those that are put before the model in the middle of a turn. */
typedef BeckonNotesFixture Case;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, beckon_notes_fixture_free)

static Case *
case_new (void)
{
  return beckon_notes_fixture_new ("write_note");
}

typedef struct
{
  gboolean is_done;
  GError *error;
} Ending;

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Ending *ending = user_data;

  ending->is_done = TRUE;
  g_task_propagate_boolean (G_TASK (result), &ending->error);
}

static void
queue_in (BeckonAgentFixture *fixture, const char *text, gboolean sends_now)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  Ending ending = { 0 };

  beckon_agent_queue_async (fixture->agent, fixture->conversation, text, files, sends_now, NULL, on_ended, &ending);
  beckon_agent_wait_until (ending.is_done);
  g_assert_no_error (ending.error);
}

static void
queue (Case *test, const char *text, gboolean sends_now)
{
  queue_in (test->agent, text, sends_now);
}

static guint
count_queued (BeckonAgentFixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (beckon_conversation_get_queue (fixture->conversation)));
}

/* Borrowed. */
static BeckonQueueItem *
get_queued (BeckonAgentFixture *fixture, guint index)
{
  g_autoptr (BeckonQueueItem) item
      = g_list_model_get_item (G_LIST_MODEL (beckon_conversation_get_queue (fixture->conversation)), index);

  g_assert_nonnull (item);
  return item;
}

static void
send_queued (BeckonAgentFixture *fixture, const char *id, GError **error)
{
  Ending ending = { 0 };

  beckon_agent_send_queued_async (fixture->agent, fixture->conversation, id, NULL, on_ended, &ending);
  beckon_agent_wait_until (ending.is_done);
  if (ending.error != NULL)
    g_propagate_error (error, ending.error);
}

static void
remove_queued (Case *test, const char *id, const char *draft, GError **error)
{
  Ending ending = { 0 };

  beckon_agent_remove_queued_async (test->agent->agent, test->agent->conversation, id, draft, NULL, on_ended, &ending);
  beckon_agent_wait_until (ending.is_done);
  if (ending.error != NULL)
    g_propagate_error (error, ending.error);
}

/* A run whose tool works. */
static void
begin (Case *test)
{
  beckon_test_tool_set_held (test->read, TRUE);
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "read_note", "{}"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 1);
}

static void
wait_quiet (Case *test, guint n_requests)
{
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == n_requests
                           && !beckon_conversation_is_busy (test->agent->conversation)
                           && beckon_agent_count_runs (test->agent->agent) == 0);
}

static void
let_end (Case *test, guint n_requests)
{
  beckon_test_tool_release (test->read);
  wait_quiet (test, n_requests);
}

/* Two go in at the boundary, in order, and the third begins the next turn: one message each. */
static void
test_steered (void)
{
  g_autoptr (Case) test = case_new ();

  begin (test);
  queue (test, "Later", FALSE);
  queue (test, "First", TRUE);
  queue (test, "Second", TRUE);
  g_assert_cmpuint (count_queued (test->agent), ==, 3);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Steered"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  let_end (test, 3);
  g_assert_cmpuint (count_queued (test->agent), ==, 0);
  beckon_agent_fixture_assert_sent (test->agent, 1,
                                    "user Go\nassistant\n  call call_1 read_note {}\ntool call_1 read_note did {}\n"
                                    "user First\n\nSecond\n");
  beckon_agent_fixture_assert_sent (test->agent, 2,
                                    "user Go\nassistant\n  call call_1 read_note {}\ntool call_1 read_note did {}\n"
                                    "user First\n\nSecond\nassistant Steered\nuser Later\n");
  beckon_agent_fixture_assert_closed (test->agent, test->agent->conversation);
}

/* A message that was queued for later is sent now after all. */
static void
test_marked (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GError) error = NULL;

  begin (test);
  queue (test, "First", FALSE);
  queue (test, "Second", FALSE);
  send_queued (test->agent, beckon_queue_item_get_id (get_queued (test->agent, 1)), &error);
  g_assert_no_error (error);
  g_assert_false (beckon_queue_item_get_sends_now (get_queued (test->agent, 0)));
  g_assert_true (beckon_queue_item_get_sends_now (get_queued (test->agent, 1)));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Steered"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  let_end (test, 3);
  beckon_agent_fixture_assert_sent (test->agent, 2,
                                    "user Go\nassistant\n  call call_1 read_note {}\ntool call_1 read_note did {}\n"
                                    "user Second\nassistant Steered\nuser First\n");
}

/* The reply that is on its way is the last of its turn: what comes too late for a boundary begins the next one. */
static void
test_without_boundary (void)
{
  g_autoptr (Case) test = case_new ();

  beckon_agent_fixture_script (test->agent, beckon_script_held ("Half ", "gate", "whole"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_wait_until (beckon_fixture_server_count_held (test->agent->server, "gate") == 1);
  queue (test, "Now", TRUE);
  beckon_fixture_server_release (test->agent->server, "gate");
  wait_quiet (test, 2);
  beckon_agent_fixture_assert_sent (test->agent, 1, "user Go\nassistant Half whole\nuser Now\n");
}

/* A message never settles what waits for a decision, and stands behind the result. */
static void
test_waiting (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonRequest *request;

  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "write_note", "{}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  queue (test, "yes, run it", TRUE);
  beckon_agent_fixture_settle ();
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (test->agent, 1,
                                    "user Go\nassistant\n  call call_1 write_note {}\ntool call_1 write_note did {}\n"
                                    "user yes, run it\n");
}

/* A stop is a stop: what is queued stays, and the person sends it. */
static void
test_stopped (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GError) error = NULL;

  begin (test);
  queue (test, "Now", TRUE);
  beckon_agent_fixture_stop (test->agent);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_STOPPED);
  beckon_agent_wait_until (beckon_agent_count_runs (test->agent->agent) == 0);
  g_assert_cmpuint (count_queued (test->agent), ==, 1);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 1);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  send_queued (test->agent, beckon_queue_item_get_id (get_queued (test->agent, 0)), &error);
  g_assert_no_error (error);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (count_queued (test->agent), ==, 0);
}

/* A run that fails would fail again. */
static void
test_failed (void)
{
  g_autoptr (Case) test = case_new ();

  begin (test);
  queue (test, "Later", FALSE);
  beckon_agent_fixture_script (test->agent, beckon_script_error (400, NULL, "No"));
  let_end (test, 2);
  g_assert_cmpint (beckon_conversation_get_phase (test->agent->conversation), ==, BECKON_RUN_FAILED);
  g_assert_cmpuint (count_queued (test->agent), ==, 1);
}

static void
test_removed (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;

  begin (test);
  beckon_library_save_draft (test->agent->library, test->agent->conversation, "Frst");
  queue (test, "Frst", TRUE);
  g_assert_cmpstr (beckon_conversation_get_draft (test->agent->conversation), ==, "");
  id = g_strdup (beckon_queue_item_get_id (get_queued (test->agent, 0)));
  remove_queued (test, id, "Frst", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_queued (test->agent), ==, 0);
  g_assert_cmpstr (beckon_conversation_get_draft (test->agent->conversation), ==, "Frst");
  remove_queued (test, id, "Other", &error);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  g_clear_error (&error);
  send_queued (test->agent, id, &error);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  g_assert_cmpstr (beckon_conversation_get_draft (test->agent->conversation), ==, "Frst");
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  let_end (test, 2);
  beckon_agent_fixture_assert_sent (test->agent, 1,
                                    "user Go\nassistant\n  call call_1 read_note {}\ntool call_1 read_note did {}\n");
}

/* Files go the way of the text: out of the draft, into the message, and back into the draft. */
static void
test_files (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonAgentFixture *fixture = test->agent;
  g_autoptr (BeckonPart) part = beckon_attachment_new_text ("todo.txt", "water the plants", 16);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *sent = NULL;
  Ending ending = { 0 };

  begin (test);
  g_list_store_append (beckon_conversation_get_files (fixture->conversation), part);
  g_ptr_array_add (files, part);
  for (guint i = 0; i < 2; i++)
    {
      ending.is_done = FALSE;
      beckon_agent_queue_async (fixture->agent, fixture->conversation, "Do it", files, TRUE, NULL, on_ended, &ending);
      beckon_agent_wait_until (ending.is_done);
      g_assert_no_error (ending.error);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (beckon_conversation_get_files (fixture->conversation))), ==, 0);
      if (i == 0)
        {
          remove_queued (test, beckon_queue_item_get_id (get_queued (fixture, 0)), "Do it", &error);
          g_assert_no_error (error);
          g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (beckon_conversation_get_files (fixture->conversation))),
                            ==, 1);
        }
    }
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  let_end (test, 2);
  sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, 1));
  g_assert_nonnull (strstr (sent, "water the plants"));
  g_assert_nonnull (strstr (sent, "Do it"));
}

/* The queue is there again, with its order, and nothing of it goes out by itself. */
static void
test_reopened (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *id = NULL;

  begin (test);
  queue (test, "First", FALSE);
  queue (test, "Second", FALSE);
  beckon_agent_fixture_stop (test->agent);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_STOPPED);
  id = g_strdup (beckon_conversation_get_id (test->agent->conversation));
  beckon_agent_fixture_restart (test->agent);
  beckon_agent_fixture_open (test->agent, id);
  g_assert_cmpuint (count_queued (test->agent), ==, 2);
  g_assert_cmpstr (beckon_queue_item_get_text (get_queued (test->agent, 0)), ==, "First");
  g_assert_cmpstr (beckon_queue_item_get_text (get_queued (test->agent, 1)), ==, "Second");
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 1);
}

/* --- Other processes, and their death ------------------------------------------------------------------------------ */

#define N_STORMS 16

static BeckonFixtureReply *
play_model (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  if (strstr (request->body, "\"role\":\"tool\"") != NULL)
    return beckon_fixture_reply_new_chat ("Done");
  return beckon_script_call ("call_r", "read_note", "{}");
}

/* Another process drives the run: the message is put before the model there. */
static void
test_elsewhere (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  BeckonAgentFixture *base = victim->base;
  g_autoptr (BeckonAgentFixture) window
      = beckon_agent_fixture_new_over (base->directory, beckon_fixture_server_get_base_url (base->server));
  g_autofree char *request = NULL;

  beckon_agent_fixture_script (base, beckon_script_call ("call_w", "write_note", "{}"));
  beckon_agent_fixture_script (base, beckon_fixture_reply_new_chat ("Done"));
  g_setenv ("AGENT_CHILD_QUICK", "1", TRUE);
  beckon_agent_victim_start (victim, "send");
  g_unsetenv ("AGENT_CHILD_QUICK");
  request = beckon_agent_victim_wait_pending (victim, 1);
  /* Its list hears of the conversation by itself. */
  beckon_agent_wait_until (beckon_library_lookup (window->library, victim->conversation_id) != NULL);
  beckon_agent_fixture_open (window, victim->conversation_id);
  queue_in (window, "Now", TRUE);
  beckon_agent_victim_answer (victim, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_wait_until (beckon_agent_fixture_count_open (base->store) == 0);
  beckon_agent_fixture_assert_sent (base, 1,
                                    "user Hello\nassistant\n  call call_w write_note {}\ntool call_w write_note did {}\n"
                                    "user Now\n");
  beckon_agent_wait_until (count_queued (window) == 0);
}

static void
on_change (BeckonStore *store, guint *n_changes)
{
  (*n_changes)++;
}

static void
finish_well (BeckonAgentFixture *fixture)
{
  for (;;)
    {
      g_autoptr (GError) error = NULL;

      beckon_agent_wait_until (!beckon_conversation_is_busy (fixture->conversation)
                               && beckon_agent_count_runs (fixture->agent) == 0);
      if (count_queued (fixture) == 0 && beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_COMPLETE)
        return;
      if (count_queued (fixture) == 0)
        {
          beckon_agent_fixture_continue (fixture);
          continue;
        }
      send_queued (fixture, beckon_queue_item_get_id (get_queued (fixture, 0)), &error);
      g_assert_no_error (error);
    }
}

/* (transfer full): what the person said, in the order in which it is stored. */
static char *
dup_said (BeckonAgentFixture *fixture)
{
  g_autofree char *stored
      = beckon_agent_fixture_dump_stored (fixture->store, beckon_conversation_get_id (fixture->conversation));
  g_auto (GStrv) lines = g_strsplit (stored, "\n", -1);
  GString *said = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "user ") && lines[i + 1] != NULL)
      g_string_append_printf (said, "%s;", g_strstrip (lines[i + 1]));
  return g_string_free (said, FALSE);
}

/* Whenever the driver is killed, each message is in the history once, those for now before the other. */
static gboolean
storm_once (guint changes)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *said = NULL;
  guint n_changes = 0;
  guint n_left;

  beckon_fixture_server_set_handler (victim->base->server, play_model, NULL);
  g_signal_connect (victim->base->store, "changed-elsewhere", G_CALLBACK (on_change), &n_changes);
  beckon_agent_victim_start (victim, "steer");
  changes += n_changes;
  beckon_agent_wait_until (n_changes >= changes || beckon_agent_fixture_count_open (victim->base->store) == 0);
  beckon_agent_victim_kill (victim);
  g_signal_handlers_disconnect_by_data (victim->base->store, &n_changes);
  beckon_agent_victim_succeed (victim);
  n_left = count_queued (victim->next);
  finish_well (victim->next);

  beckon_agent_fixture_assert_closed (victim->next, victim->next->conversation);
  said = dup_said (victim->next);
  g_assert_cmpstr (said, ==, "text Hello;text First;text Second;text Later;");
  return n_left > 0;
}

static void
test_killed (void)
{
  guint n_left = 0;

  g_setenv ("AGENT_CHILD_QUICK", "1", TRUE);
  for (guint changes = 0; changes < N_STORMS; changes++)
    n_left += storm_once (changes);
  g_unsetenv ("AGENT_CHILD_QUICK");
  g_test_message ("%u of %u were killed with something in the queue", n_left, N_STORMS);
  g_assert_cmpuint (n_left, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/queue/steered", test_steered);
  g_test_add_func ("/agent/queue/marked", test_marked);
  g_test_add_func ("/agent/queue/without-boundary", test_without_boundary);
  g_test_add_func ("/life/9-a-queued-message-approves-nothing", test_waiting);
  g_test_add_func ("/agent/queue/stopped", test_stopped);
  g_test_add_func ("/agent/queue/failed", test_failed);
  g_test_add_func ("/agent/queue/removed", test_removed);
  g_test_add_func ("/agent/queue/files", test_files);
  g_test_add_func ("/agent/queue/reopened", test_reopened);
  g_test_add_func ("/agent/queue/elsewhere", test_elsewhere);
  g_test_add_func ("/agent/queue/killed", test_killed);
  return g_test_run ();
}
