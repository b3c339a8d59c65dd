/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "beckon-agent-victim.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"

#include <string.h>

/* A process is killed in every state of a run; whoever comes next finds the truth and goes on from there. The numbers are
 * those of the list of faults. */

#define ASKED "user complete\n  text Hello\nassistant complete\n  call call_7 ask_user awaiting " BECKON_SCRIPT_QUESTION "\n"
#define TOLD "user Hello\nassistant\n  call call_7 ask_user " BECKON_SCRIPT_QUESTION "\n"

static void
script (BeckonAgentVictim *victim, BeckonFixtureReply *reply)
{
  beckon_agent_fixture_script (victim->base, reply);
}

/* Returns the id of the question that is open and stored. @reply: (nullable): what the model says to the answer. */
static char *
start_asking (BeckonAgentVictim *victim, const char *reply)
{
  char *id;

  script (victim, beckon_script_ask ("call_7"));
  if (reply != NULL)
    script (victim, beckon_fixture_reply_new_chat (reply));
  beckon_agent_victim_start (victim, "send");
  id = beckon_agent_victim_wait_pending (victim, 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, ASKED);
  return id;
}

/* Continue, as the person would with the button. */
static void
retry_well (BeckonAgentVictim *victim, const char *history)
{
  guint n = beckon_fixture_server_count_requests (victim->base->server);

  beckon_agent_fixture_assert_closed (victim->next, victim->next->conversation);
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_continue (victim->next);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (victim->base->server) == n + 1);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (victim->next, n, history);
}

/* 71: the message was stored, and nothing was asked yet. */
static void
test_queued (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  beckon_agent_victim_start (victim, "queue");
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_QUEUED, "user complete\n  text Hello\n");
  script (victim, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (victim->next, 0, "user Hello\n");
}

static void
test_requesting (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  script (victim, beckon_script_silent ("never"));
  beckon_agent_victim_start (victim, "send");
  beckon_agent_wait_until (beckon_fixture_server_count_held (victim->base->server, "never") == 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_REQUESTING, NULL);
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_CUT_OFF);
  g_assert_nonnull (beckon_conversation_get_detail (victim->next->conversation));
  beckon_agent_fixture_assert_shown (victim->next, "user complete\n  text Hello\n");
  retry_well (victim, "user Hello\n");
}

static void
test_retry_wait (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  script (victim, beckon_script_error (429, "Retry-After: 50\r\n", "Slow down"));
  beckon_agent_victim_start (victim, "send");
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_RETRY_WAIT, NULL);
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_CUT_OFF);
  retry_well (victim, "user Hello\n");
}

/* The beginning of the reply waits for the first words of the next try: it is kept, as a part. */
static void
test_retry_after_words (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  script (victim, beckon_script_cut ("Half"));
  script (victim, beckon_script_silent ("never"));
  beckon_agent_victim_start (victim, "send");
  beckon_agent_wait_until (beckon_fixture_server_count_held (victim->base->server, "never") == 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_RETRY_WAIT,
                                   "user complete\n  text Hello\nassistant streaming\n  text Half\n");
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_CUT_OFF);
  beckon_agent_fixture_assert_shown (victim->next, "user complete\n  text Hello\nassistant cut-off\n  text Half\n");
  retry_well (victim, "user Hello\n");
}

/* With the first words of the next try nothing is left of the one before. */
static void
test_replaced (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  script (victim, beckon_script_cut ("Half a wo"));
  script (victim, beckon_script_held ("Here", "never", ""));
  beckon_agent_victim_start (victim, "send");
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_RECEIVING,
                                   "user complete\n  text Hello\nassistant streaming\n  text Here\n");
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_CUT_OFF);
  beckon_agent_fixture_assert_shown (victim->next, "user complete\n  text Hello\nassistant cut-off\n  text Here\n");
  retry_well (victim, "user Hello\n");
}

/* 71: what came up to the last flush is kept, marked as cut off, and not sent again. */
static void
test_receiving (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Half ");
  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_chat_text (reply, "a word");
  beckon_fixture_reply_add_hold (reply, "never");
  script (victim, reply);
  beckon_agent_victim_start (victim, "send");
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_RECEIVING,
                                   "user complete\n  text Hello\nassistant streaming\n  text Half a word\n");
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_CUT_OFF);
  beckon_agent_fixture_assert_shown (victim->next,
                                     "user complete\n  text Hello\nassistant cut-off\n  text Half a word\n");
  retry_well (victim, "user Hello\n");
}

/* 72: a call that was being received leaves nothing. */
static void
test_receiving_call (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "I write.");
  beckon_fixture_reply_add_chat_call (reply, 0, "call_7", "read_note", "{\"te");
  beckon_fixture_reply_add_hold (reply, "never");
  script (victim, reply);
  beckon_agent_victim_start (victim, "send");
  beckon_agent_wait_until (beckon_fixture_server_count_held (victim->base->server, "never") == 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_RECEIVING, NULL);
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_CUT_OFF);
  beckon_agent_fixture_assert_shown (victim->next, "user complete\n  text Hello\nassistant cut-off\n  text I write.\n");
  retry_well (victim, "user Hello\n");
}

/* 73, 78: the same card, answerable, with what was half typed; the answer is the result of the original call. */
static void
test_question (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *id = NULL;
  BeckonRequest *request;
  BeckonToolCall *call;

  script (victim, beckon_script_ask ("call_7"));
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_victim_start (victim, "draft");
  id = beckon_agent_victim_wait_pending (victim, 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, ASKED);
  beckon_agent_victim_replace (victim);

  request = beckon_agent_fixture_wait_pending (victim->next, 1);
  g_assert_cmpstr (beckon_request_get_id (request), ==, id);
  g_assert_cmpstr (beckon_request_get_draft (request), ==, "{\"text\":\"half an ans\"}");
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_WAITING);
  call = beckon_conversation_find_call (victim->next->conversation, beckon_request_get_call_id (request));
  g_assert_true (beckon_tool_call_get_request (call) == G_OBJECT (request));
  beckon_agent_fixture_answer (victim->next, request, beckon_script_type ("half an answer, and the rest"));
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (victim->next, 1, TOLD "tool call_7 half an answer, and the rest\n");
}

/* 78: answered while nobody drives the run: the answer is stored, and the next start goes on with it. */
static void
test_answered_meanwhile (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *id = NULL;

  id = start_asking (victim, "Done");
  beckon_agent_victim_kill (victim);
  beckon_agent_victim_answer (victim, id, beckon_script_pick ("9090"));
  beckon_agent_victim_succeed (victim);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (victim->next, 1, TOLD "tool call_7 9090\n");
}

/* Dismissed while nobody drives the run: it ends as a dismissed run does. */
static void
test_dismissed_meanwhile (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *id = NULL;

  id = start_asking (victim, NULL);
  beckon_agent_victim_kill (victim);
  beckon_agent_victim_answer (victim, id, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  beckon_agent_victim_succeed (victim);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_DISMISSED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (victim->base->server), ==, 1);
}

/* A question was answered, and the process died before it told the model. */
static void
test_answered_undelivered (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *id = NULL;

  id = start_asking (victim, "Done");
  beckon_agent_victim_freeze (victim);
  beckon_agent_victim_answer (victim, id, beckon_script_pick ("8080"));
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (victim->next, 1, TOLD "tool call_7 8080\n");
}

static void
start_writing (BeckonAgentVictim *victim)
{
  g_autofree char *id = NULL;

  script (victim, beckon_script_call ("call_7", "write_note", "{\"n\":1}"));
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_victim_start (victim, "send");
  id = beckon_agent_victim_wait_pending (victim, 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, NULL);
  beckon_agent_victim_answer (victim, id, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_victim_wait_stored (
      victim, BECKON_RUN_CALLING,
      "user complete\n  text Hello\nassistant complete\n  call call_7 write_note started {\"n\":1}\n");
}

static BeckonRequest *
wait_unknown (BeckonAgentVictim *victim)
{
  BeckonRequest *request = beckon_agent_fixture_wait_pending (victim->next, 1);

  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_WAITING);
  g_assert_true (BECKON_IS_OUTCOME_REQUEST (request));
  g_assert_cmpstr (beckon_request_get_tool (request), ==, "write_note");
  g_assert_cmpstr (beckon_request_get_arguments (request), ==, "{\"n\":1}");
  g_assert_cmpint (beckon_request_get_started_at (request), >, 0);
  beckon_agent_fixture_assert_shown (
      victim->next, "user complete\n  text Hello\nassistant complete\n  call call_7 write_note unknown {\"n\":1}\n");
  beckon_agent_fixture_assert_same (victim->next, victim->next->conversation);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 0);
  return request;
}

/* 76: a changing tool was running. It is not run again by itself. */
static void
test_writing_again (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  start_writing (victim);
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_answer (victim->next, wait_unknown (victim), beckon_answer_new (BECKON_ANSWER_RETRY, NULL));
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 1);
  beckon_agent_fixture_assert_sent (victim->next, 1, "user Hello\nassistant\n  call call_7 write_note {\"n\":1}\n"
                                                     "tool call_7 write_note did {\"n\":1}\n");
}

/* The person looked: what they say is the result, and nothing runs. */
static void
test_writing_looked (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *result = NULL;

  start_writing (victim);
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_answer (victim->next, wait_unknown (victim),
                               beckon_answer_new (BECKON_ANSWER_LOOKED, "The note is there."));
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 0);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (victim->base->server, 1), "call_7");
  g_assert_nonnull (strstr (result, "The user looked at what became of it and says: The note is there."));
}

static void
let_look (BeckonAgentVictim *victim)
{
  BeckonRequest *request = wait_unknown (victim);

  g_assert_true (beckon_request_get_can_verify (request));
  beckon_agent_fixture_answer (victim->next, request, beckon_answer_new (BECKON_ANSWER_LOOKED, NULL));
}

/* The tool looks, and what it finds is the result. */
static void
test_writing_tool_looks (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *result = NULL;

  start_writing (victim);
  beckon_agent_victim_replace (victim);
  beckon_test_tool_set_found (victim->write, "the note is there");
  let_look (victim);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 0);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (victim->base->server, 1), "call_7");
  g_assert_nonnull (strstr (result, "The tool looked at what became of it: the note is there"));
  beckon_agent_fixture_assert_closed (victim->next, victim->next->conversation);
}

/* The tool can't tell: the person is asked again, and has the rest to choose from. */
static void
test_writing_tool_cannot_tell (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *first = NULL;
  BeckonRequest *request;

  start_writing (victim);
  beckon_agent_victim_replace (victim);
  first = g_strdup (beckon_request_get_id (wait_unknown (victim)));
  let_look (victim);
  request = wait_unknown (victim);
  g_assert_cmpstr (beckon_request_get_id (request), !=, first);
  g_assert_false (beckon_request_get_can_verify (request));
  beckon_agent_fixture_answer (victim->next, request, beckon_answer_new (BECKON_ANSWER_SKIP, NULL));
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 0);
}

/* The tool was to verify, and no process was there to let it: the next one does not guess what was meant, but asks. */
static void
test_writing_look_meanwhile (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *first = NULL;

  start_writing (victim);
  beckon_agent_victim_kill (victim);
  beckon_agent_victim_start (victim, "recover");
  first = beckon_agent_victim_wait_pending (victim, 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, NULL);
  beckon_agent_victim_freeze (victim);
  beckon_agent_victim_answer (victim, first, beckon_answer_new (BECKON_ANSWER_LOOKED, NULL));
  beckon_agent_victim_replace (victim);
  g_assert_cmpstr (beckon_request_get_id (wait_unknown (victim)), !=, first);
}

/* Skipped: the model is told that nobody knows, not that nothing was changed. */
static void
test_writing_skipped (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *result = NULL;

  start_writing (victim);
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_answer (victim->next, wait_unknown (victim), beckon_answer_new (BECKON_ANSWER_SKIP, NULL));
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 0);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (victim->base->server, 1), "call_7");
  g_assert_nonnull (strstr (result, "not known"));
  g_assert_null (strstr (result, "nothing was changed"));
}

static void
test_writing_stopped (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  BeckonToolCall *call;

  start_writing (victim);
  beckon_agent_victim_replace (victim);
  call = beckon_conversation_find_call (victim->next->conversation, beckon_request_get_call_id (wait_unknown (victim)));
  beckon_agent_fixture_stop (victim->next);
  beckon_agent_fixture_assert_closed (victim->next, victim->next->conversation);
  g_assert_nonnull (strstr (beckon_tool_call_get_result (call), "not known"));
  g_assert_null (strstr (beckon_tool_call_get_result (call), "nothing was changed"));
}

/* Killed again while it is asked: the same question, once. */
static void
test_writing_killed_twice (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *first = NULL;

  start_writing (victim);
  beckon_agent_victim_kill (victim);
  beckon_agent_victim_start (victim, "recover");
  first = beckon_agent_victim_wait_pending (victim, 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, NULL);
  beckon_agent_victim_replace (victim);
  g_assert_cmpstr (beckon_request_get_id (wait_unknown (victim)), ==, first);
}

/* 76: a tool that only reads runs again. */
static void
test_reading (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  script (victim, beckon_script_call ("call_7", "read_note", "{\"n\":1}"));
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_victim_start (victim, "send");
  beckon_agent_victim_wait_stored (
      victim, BECKON_RUN_CALLING,
      "user complete\n  text Hello\nassistant complete\n  call call_7 read_note started {\"n\":1}\n");
  beckon_agent_victim_replace (victim);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->read), ==, 1);
  beckon_agent_fixture_assert_sent (victim->next, 1, "user Hello\nassistant\n  call call_7 read_note {\"n\":1}\n"
                                                     "tool call_7 read_note did {\"n\":1}\n");
}

/* 75: decided by a person, and nothing had started: it is asked again, with the arguments that were decided. */
static void
test_decided (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *id = NULL;
  BeckonRequest *request;

  script (victim, beckon_script_call ("call_7", "write_note", "{\"n\":1}"));
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_victim_start (victim, "send");
  id = beckon_agent_victim_wait_pending (victim, 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, NULL);
  beckon_agent_victim_freeze (victim);
  beckon_agent_victim_answer (victim, id, beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, "{\"n\":2}"));
  beckon_agent_victim_replace (victim);

  request = beckon_agent_fixture_wait_pending (victim->next, 1);
  g_assert_cmpstr (beckon_request_get_id (request), !=, id);
  g_assert_cmpstr (beckon_request_get_arguments (request), ==, "{\"n\":2}");
  g_assert_nonnull (strstr (beckon_request_get_reason (request), "had not started"));
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_WAITING);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 0);
  beckon_agent_fixture_answer (victim->next, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (victim->write), ==, "{\"n\":2}\n");
}

static BeckonRequest *
watch_approval (BeckonAgentVictim *victim)
{
  script (victim, beckon_script_call ("call_7", "write_note", "{\"n\":1}"));
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_victim_start (victim, "send");
  g_free (beckon_agent_victim_wait_pending (victim, 1));
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, NULL);
  beckon_agent_victim_freeze (victim);
  beckon_agent_victim_succeed (victim);
  beckon_agent_set_adopts (victim->next->agent, TRUE);
  return beckon_agent_fixture_wait_pending (victim->next, 1);
}

static void
assert_ran_unasked (BeckonAgentVictim *victim)
{
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (victim->write), ==, "{\"n\":1}\n");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (victim->next->inbox)), ==, 0);
}

/* Raised by a process that has ended, given in one that goes on: it runs, and nothing is asked a second time. */
static void
test_approved_after_the_end (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  BeckonRequest *request = watch_approval (victim);

  beckon_agent_victim_kill (victim);
  beckon_agent_fixture_answer (victim->next, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  assert_ran_unasked (victim);
}

static void leave (BeckonAgentVictim *victim);

static void
on_left (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonAgentVictim *victim = user_data;
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_agent_leave_finish (BECKON_AGENT (source), result, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  if (beckon_conversation_get_phase (victim->next->conversation) == BECKON_RUN_WAITING)
    leave (victim);
}

static void
leave (BeckonAgentVictim *victim)
{
  beckon_agent_leave_async (victim->next->agent, victim->next->conversation, on_left, victim);
}

/* A run that was just taken up still reads what it has to know. A process that would leave it, and asks again and again, stays
 * for the answer, which nobody else would carry out. */
static void
test_approved_and_left (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  script (victim, beckon_script_call ("call_7", "write_note", "{\"n\":1}"));
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_victim_start (victim, "send");
  g_free (beckon_agent_victim_wait_pending (victim, 1));
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, NULL);
  beckon_agent_victim_replace (victim);
  g_signal_connect_swapped (victim->next->inbox, "settled", G_CALLBACK (leave), victim);
  beckon_agent_fixture_answer (victim->next, beckon_agent_fixture_wait_pending (victim->next, 1),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  assert_ran_unasked (victim);
}

/* Given here while another process drove it, which ended before it began. */
static void
test_approved_before_the_end (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  BeckonRequest *request = watch_approval (victim);

  beckon_agent_fixture_answer (victim->next, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_sync (victim->next);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 0);
  beckon_agent_victim_kill (victim);
  beckon_agent_fixture_recover (victim->next);
  assert_ran_unasked (victim);
}

/* The end of the first request is heard of only after the call was asked again: it decides nothing any more. */
static void
test_decided_heard_late (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autoptr (BeckonAnswer) approved = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  g_autoptr (BeckonRequest) first = NULL;
  g_autofree char *id = NULL;
  BeckonRequest *second;

  script (victim, beckon_script_call ("call_7", "write_note", "{\"n\":1}"));
  beckon_agent_victim_start (victim, "send");
  id = beckon_agent_victim_wait_pending (victim, 1);
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, NULL);
  beckon_agent_victim_freeze (victim);
  beckon_agent_victim_answer (victim, id, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_victim_replace (victim);
  second = beckon_agent_fixture_wait_pending (victim->next, 1);
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_WAITING);

  first = beckon_approval_request_new (id, victim->conversation_id, beckon_request_get_message_id (second),
                                       beckon_request_get_call_id (second), "write_note", "{\"n\":1}", NULL, 1);
  beckon_inbox_note_settled (victim->next->inbox, first, BECKON_REQUEST_ANSWERED, approved, "terminal", NULL, 2);
  beckon_agent_fixture_sync (victim->next);
  g_assert_cmpint (beckon_conversation_get_phase (victim->next->conversation), ==, BECKON_RUN_WAITING);
  beckon_agent_fixture_assert_shown (
      victim->next, "user complete\n  text Hello\nassistant complete\n  call call_7 write_note awaiting {\"n\":1}\n");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 0);
}

/* A run that a living process drives is left to it. */
static void
test_alive (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *id = NULL;

  id = start_asking (victim, "Done");
  beckon_agent_victim_succeed (victim);
  g_assert_cmpint (beckon_conversation_get_phase (victim->next->conversation), ==, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (victim->next, beckon_agent_fixture_get_pending (victim->next, 0),
                               beckon_script_pick ("8080"));
  beckon_agent_wait_until (beckon_fixture_server_count_requests (victim->base->server) == 2);
  beckon_agent_wait_until (beckon_agent_fixture_count_open (victim->base->store) == 0);
  beckon_agent_fixture_assert_sent (victim->next, 1, TOLD "tool call_7 8080\n");
  /* And what it did is seen here too. */
  beckon_agent_fixture_wait_phase (victim->next, BECKON_RUN_COMPLETE);
  beckon_agent_wait_until (beckon_conversation_get_n_messages (victim->next->conversation) == 3);
}

/* A process that was there all along takes over as well as one that is new. */
static void
test_bystander (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  script (victim, beckon_script_ask ("call_7"));
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_victim_start (victim, "send");
  g_free (beckon_agent_victim_wait_pending (victim, 1));
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, ASKED);
  beckon_agent_fixture_open (victim->base, victim->conversation_id);
  beckon_agent_victim_kill (victim);
  beckon_agent_fixture_recover (victim->base);
  beckon_agent_fixture_wait_phase (victim->base, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (victim->base, beckon_agent_fixture_wait_pending (victim->base, 1),
                               beckon_script_pick ("8080"));
  beckon_agent_fixture_wait_end (victim->base, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (victim->base, 1, TOLD "tool call_7 8080\n");
}

#define WHO \
  "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}"

/* Returns the id of the form that a call asks for, which a person had let run. */
static char *
start_form (BeckonAgentVictim *victim, gboolean resumes)
{
  char *id;

  script (victim, beckon_script_call ("call_7", "write_note", "{\"path\":\"a\"}"));
  script (victim, beckon_fixture_reply_new_chat ("Good"));
  g_setenv ("AGENT_CHILD_FORM", WHO, TRUE);
  if (resumes)
    g_setenv ("AGENT_CHILD_RESUMES", "1", TRUE);
  beckon_agent_victim_start (victim, "send");
  id = beckon_agent_victim_wait_pending (victim, 1);
  beckon_agent_victim_answer (victim, id, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_CALLING, NULL);
  g_free (id);
  return beckon_agent_victim_wait_pending (victim, 1);
}

static void
end_forms (void)
{
  g_unsetenv ("AGENT_CHILD_FORM");
  g_unsetenv ("AGENT_CHILD_RESUMES");
}

/* A form whose call is sent again by us outlives the process, and what is filled in later reaches the server, once; nobody is
 * asked about the call itself. */
static void
test_form_survives (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *id = start_form (victim, TRUE);
  g_autofree char *result = NULL;
  BeckonRequest *request;

  beckon_agent_victim_replace (victim);
  end_forms ();
  request = beckon_agent_fixture_wait_pending (victim->next, 1);
  g_assert_cmpstr (beckon_request_get_id (request), ==, id);
  beckon_agent_fixture_answer (victim->next, request, beckon_answer_new (BECKON_ANSWER_FORM, "{\"name\":\"Ada\"}"));
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  result = beckon_agent_dup_result (beckon_fixture_server_get_request (victim->base->server, 1), "call_7");
  g_assert_cmpstr (result, ==, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");
  g_assert_nonnull (strstr (beckon_test_tool_get_log (victim->write), "resumed from {\"requestState\":\"state\"}"));
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->write), ==, 1);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(BeckonRequest **) user_data = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, NULL);
}

/* A form whose server was waiting on a connection ends with it, and says so; what became of the call is asked. */
static void
test_form_unavailable (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  g_autofree char *id = start_form (victim, FALSE);
  g_autofree char *summary = NULL;
  BeckonRequest *form = NULL;
  BeckonRequest *request;

  beckon_agent_victim_replace (victim);
  end_forms ();
  beckon_agent_wait_until (beckon_inbox_lookup (victim->next->inbox, id) == NULL);
  beckon_request_store_lookup_async (BECKON_REQUEST_STORE (victim->next->store), id, NULL, on_found, &form);
  beckon_agent_wait_until (form != NULL);
  g_assert_cmpint (beckon_request_get_state (form), ==, BECKON_REQUEST_UNAVAILABLE);
  summary = beckon_request_dup_summary (form);
  g_assert_nonnull (strstr (summary, "no longer waits"));
  g_object_unref (form);
  request = beckon_agent_fixture_wait_pending (victim->next, 1);
  g_assert_true (BECKON_IS_OUTCOME_REQUEST (request));
  beckon_agent_fixture_answer (victim->next, request, beckon_answer_new (BECKON_ANSWER_SKIP, NULL));
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/recovery/queued", test_queued);
  g_test_add_func ("/agent/recovery/requesting", test_requesting);
  g_test_add_func ("/agent/recovery/retry-wait", test_retry_wait);
  g_test_add_func ("/agent/recovery/retry-after-words", test_retry_after_words);
  g_test_add_func ("/agent/recovery/replaced", test_replaced);
  g_test_add_func ("/agent/recovery/receiving", test_receiving);
  g_test_add_func ("/agent/recovery/receiving-call", test_receiving_call);
  g_test_add_func ("/agent/recovery/question", test_question);
  g_test_add_func ("/agent/recovery/answered-meanwhile", test_answered_meanwhile);
  g_test_add_func ("/agent/recovery/dismissed-meanwhile", test_dismissed_meanwhile);
  g_test_add_func ("/life/4-answered-is-delivered", test_answered_undelivered);
  g_test_add_func ("/agent/recovery/writing-again", test_writing_again);
  g_test_add_func ("/agent/recovery/writing-looked", test_writing_looked);
  g_test_add_func ("/agent/recovery/writing-tool-looks", test_writing_tool_looks);
  g_test_add_func ("/agent/recovery/writing-tool-cannot-tell", test_writing_tool_cannot_tell);
  g_test_add_func ("/agent/recovery/writing-look-meanwhile", test_writing_look_meanwhile);
  g_test_add_func ("/agent/recovery/writing-skipped", test_writing_skipped);
  g_test_add_func ("/agent/recovery/writing-stopped", test_writing_stopped);
  g_test_add_func ("/agent/recovery/writing-killed-twice", test_writing_killed_twice);
  g_test_add_func ("/agent/recovery/reading", test_reading);
  g_test_add_func ("/life/4-approved-but-not-started-is-asked-again", test_decided);
  g_test_add_func ("/agent/recovery/approved-after-the-end", test_approved_after_the_end);
  g_test_add_func ("/agent/recovery/approved-and-left", test_approved_and_left);
  g_test_add_func ("/agent/recovery/approved-before-the-end", test_approved_before_the_end);
  g_test_add_func ("/agent/recovery/decided-heard-late", test_decided_heard_late);
  g_test_add_func ("/agent/recovery/alive", test_alive);
  g_test_add_func ("/agent/recovery/bystander", test_bystander);
  g_test_add_func ("/agent/recovery/form-survives", test_form_survives);
  g_test_add_func ("/agent/recovery/form-unavailable", test_form_unavailable);
  return g_test_run ();
}
