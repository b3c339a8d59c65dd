/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-victim.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-question-request.h"

#include <string.h>

/* Killed anywhere, again and again. A run reads, changes something and asks, all at once; somebody else answers as soon as
 * anything is asked; and whoever drives the run is killed after a few things were written, three times in a row. Whatever
 * the moments were, in the end the run is complete, every call has one result, and nothing was changed more often than it
 * was approved. */

#define N_STORMS 12
#define N_KILLS 3

typedef struct
{
  BeckonAgentVictim *victim;
  guint n_changes;
  guint n_approved;
  guint n_open; /* answers under way */
} Storm;

static BeckonFixtureReply *
play_model (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  const BeckonScriptCall calls[] = {
    { "call_r", "read_note", "{\"n\":1}" },
    { "call_w", "write_note", "{\"n\":2}" },
    { "call_q", "ask_user", BECKON_SCRIPT_QUESTION },
  };

  if (strstr (request->body, "\"role\":\"tool\"") != NULL)
    return beckon_fixture_reply_new_chat ("All done");
  return beckon_script_calls ("I begin.", calls, G_N_ELEMENTS (calls), "tool_calls");
}

/* The same with a plan, of which every step changes something. */
static BeckonFixtureReply *
play_planner (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  if (strstr (request->body, "\"role\":\"tool\"") != NULL)
    return beckon_fixture_reply_new_chat ("All done");
  return beckon_script_call ("call_p", "propose_plan",
                             "{\"title\":\"Notes\",\"steps\":["
                             "{\"id\":\"a\",\"tool\":\"write_note\",\"arguments\":{\"path\":\"1\"}},"
                             "{\"id\":\"b\",\"tool\":\"read_note\",\"arguments\":{\"path\":\"2\"}},"
                             "{\"id\":\"c\",\"tool\":\"write_note\",\"arguments\":{\"path\":\"3\"}}]}");
}

static void
on_change (BeckonStore *store, Storm *storm)
{
  storm->n_changes++;
}

/* Every answer counts: nobody else answers, and nothing stops the run. */
static void
take_answer (Storm *storm, BeckonInbox *inbox, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;

  storm->n_open--;
  beckon_inbox_settle_finish (inbox, result, &error);
  g_assert_no_error (error);
}

static void
on_approved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Storm *storm = user_data;

  take_answer (storm, BECKON_INBOX (source), result);
  storm->n_approved++;
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  take_answer (user_data, BECKON_INBOX (source), result);
}

static void
on_asked (GListModel *inbox, guint position, guint removed, guint added, Storm *storm)
{
  for (guint i = position; i < position + added; i++)
    {
      BeckonRequest *request = beckon_agent_fixture_get_pending (storm->victim->base, i);
      gboolean approval = !BECKON_IS_QUESTION_REQUEST (request);
      BeckonAnswerKind go = BECKON_IS_OUTCOME_REQUEST (request) ? BECKON_ANSWER_RETRY : BECKON_ANSWER_APPROVED;
      g_autoptr (BeckonAnswer) answer = approval ? beckon_answer_new (go, NULL) : beckon_script_pick ("9090");

      storm->n_open++;
      beckon_inbox_settle_async (BECKON_INBOX (inbox), beckon_request_get_id (request), answer, "terminal", NULL, NULL,
                                 approval ? on_approved : on_answered, storm);
    }
}

static gboolean
is_over (BeckonAgentVictim *victim)
{
  return beckon_agent_fixture_count_open (victim->base->store) == 0;
}

static void
kill_after (Storm *storm, const char *what, guint changes)
{
  guint until;

  beckon_agent_victim_start (storm->victim, what);
  until = storm->n_changes + changes;
  beckon_agent_wait_until (storm->n_changes >= until || is_over (storm->victim));
  beckon_agent_victim_kill (storm->victim);
}

static void
finish_well (BeckonAgentVictim *victim)
{
  beckon_agent_victim_succeed (victim);
  for (;;)
    {
      beckon_agent_wait_until (!beckon_conversation_is_busy (victim->next->conversation));
      if (beckon_conversation_get_phase (victim->next->conversation) == BECKON_RUN_COMPLETE)
        return;
      g_assert_cmpint (beckon_conversation_get_phase (victim->next->conversation), ==, BECKON_RUN_CUT_OFF);
      beckon_agent_fixture_continue (victim->next);
    }
}

static guint
count_effects (BeckonAgentVictim *victim, const char *line)
{
  g_autofree char *path = g_build_filename (victim->base->directory, "effects", NULL);
  g_autofree char *effects = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &effects, NULL, NULL));
  for (const char *at = strstr (effects, line); at != NULL; at = strstr (at + 1, line))
    n++;
  return n;
}

static void
assert_told_once (BeckonAgentVictim *victim)
{
  guint n = beckon_fixture_server_count_requests (victim->base->server);
  const BeckonFixtureRequest *last = beckon_fixture_server_get_request (victim->base->server, n - 1);
  g_autofree char *read = beckon_agent_dup_result (last, "call_r");
  g_autofree char *written = beckon_agent_dup_result (last, "call_w");
  g_autofree char *answered = beckon_agent_dup_result (last, "call_q");

  g_assert_cmpstr (read, ==, "read_note did {\"n\":1}");
  g_assert_cmpstr (written, ==, "write_note did {\"n\":2}");
  g_assert_cmpstr (answered, ==, "9090");
}

static void
storm_once (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  Storm storm = { .victim = victim };
  guint n_written;

  beckon_fixture_server_set_handler (victim->base->server, play_model, NULL);
  g_signal_connect (victim->base->store, "changed-elsewhere", G_CALLBACK (on_change), &storm);
  g_signal_connect (victim->base->inbox, "items-changed", G_CALLBACK (on_asked), &storm);
  for (guint i = 0; i < N_KILLS; i++)
    kill_after (&storm, i == 0 ? "send" : "recover", (guint) g_test_rand_int_range (0, 8));
  finish_well (victim);
  beckon_agent_wait_until (storm.n_open == 0);
  g_signal_handlers_disconnect_by_data (victim->base->store, &storm);
  g_signal_handlers_disconnect_by_data (victim->base->inbox, &storm);

  beckon_agent_fixture_assert_closed (victim->next, victim->next->conversation);
  assert_told_once (victim);
  n_written = count_effects (victim, "write_note {\"n\":2}");
  g_test_message ("%u times approved, %u times written", storm.n_approved, n_written);
  g_assert_cmpuint (n_written, >=, 1);
  g_assert_cmpuint (n_written, <=, storm.n_approved);
}

/* However often its driver died: no step that was completed ran again, and each write was approved. */
static void
plan_storm_once (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  Storm storm = { .victim = victim };
  g_autofree char *told = NULL;
  guint n_written, n;

  beckon_fixture_server_set_handler (victim->base->server, play_planner, NULL);
  g_signal_connect (victim->base->store, "changed-elsewhere", G_CALLBACK (on_change), &storm);
  g_signal_connect (victim->base->inbox, "items-changed", G_CALLBACK (on_asked), &storm);
  for (guint i = 0; i < N_KILLS; i++)
    kill_after (&storm, i == 0 ? "send" : "recover", (guint) g_test_rand_int_range (0, 14));
  finish_well (victim);
  beckon_agent_wait_until (storm.n_open == 0);
  g_signal_handlers_disconnect_by_data (victim->base->store, &storm);
  g_signal_handlers_disconnect_by_data (victim->base->inbox, &storm);

  beckon_agent_fixture_assert_closed (victim->next, victim->next->conversation);
  n = beckon_fixture_server_count_requests (victim->base->server);
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (victim->base->server, n - 1), "call_p");
  g_assert_true (g_str_has_prefix (told, "{\"status\":\"completed\","));
  n_written = count_effects (victim, "write_note");
  g_test_message ("%u times approved, %u times written", storm.n_approved, n_written);
  g_assert_cmpuint (n_written, >=, 2);
  g_assert_cmpuint (n_written, <=, storm.n_approved);
}

static void
test_plan_storms (void)
{
  g_setenv ("AGENT_CHILD_QUICK", "1", TRUE);
  for (guint i = 0; i < N_STORMS / 2; i++)
    plan_storm_once ();
  g_unsetenv ("AGENT_CHILD_QUICK");
}

static void
test_storms (void)
{
  g_setenv ("AGENT_CHILD_QUICK", "1", TRUE);
  for (guint i = 0; i < N_STORMS; i++)
    storm_once ();
  g_unsetenv ("AGENT_CHILD_QUICK");
}

static BeckonFixtureReply *
play_echo (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  return beckon_fixture_reply_new_chat (strstr (request->body, "Hello again") != NULL ? "Second" : "First");
}

#define SAID "user complete\n  text Hello\nassistant complete\n  text First\n  usage 7 3\n"

/* The message is edited with the run that follows from it, or not at all; what it was before stays in both cases. */
static gboolean
edit_storm_once (guint changes)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autoptr (GError) error = NULL;
  Storm storm = { .victim = victim };
  gboolean was_edited;

  beckon_fixture_server_set_handler (victim->base->server, play_echo, NULL);
  g_signal_connect (victim->base->store, "changed-elsewhere", G_CALLBACK (on_change), &storm);
  beckon_agent_victim_start (victim, "edit");
  changes += storm.n_changes;
  beckon_agent_wait_until (storm.n_changes >= changes
                           || (beckon_fixture_server_count_requests (victim->base->server) == 2 && is_over (victim)));
  beckon_agent_victim_kill (victim);
  g_signal_handlers_disconnect_by_data (victim->base->store, &storm);
  finish_well (victim);

  beckon_agent_fixture_assert_closed (victim->next, victim->next->conversation);
  was_edited = beckon_message_get_n_versions (beckon_conversation_get_message (victim->next->conversation, 0)) == 2;
  if (was_edited)
    {
      g_autofree char *shown = beckon_agent_dump (G_LIST_MODEL (victim->next->conversation));

      /* Between them there may be a reply that was cut off. */
      g_assert_true (g_str_has_prefix (shown, "user complete\n  text Hello again\n"));
      g_assert_true (g_str_has_suffix (shown, "assistant complete\n  text Second\n  usage 7 3\n"));
      g_assert_true (beckon_agent_fixture_try_show (victim->next, 0, 0, &error));
      g_assert_no_error (error);
    }
  beckon_agent_fixture_assert_shown (victim->next, SAID);
  return was_edited;
}

static void
test_edit_storms (void)
{
  guint n_edited = 0;

  for (guint changes = 0; changes < N_STORMS; changes++)
    n_edited += edit_storm_once (changes);
  g_test_message ("%u of %u were edited", n_edited, N_STORMS);
  g_assert_cmpuint (n_edited, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/kills/storms", test_storms);
  g_test_add_func ("/agent/kills/plans", test_plan_storms);
  g_test_add_func ("/agent/kills/edits", test_edit_storms);
  return g_test_run ();
}
