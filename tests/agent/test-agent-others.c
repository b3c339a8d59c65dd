/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-victim.h"

/* Runs that another process drives, or did until it died. */

/* A person has to see it by then. */
#define NOTICED_US (30 * G_TIME_SPAN_SECOND)

static void
script (BeckonAgentVictim *victim, BeckonFixtureReply *reply)
{
  beckon_agent_fixture_script (victim->base, reply);
}

/* Another process works on a tool that does not end, and this one watches. */
static void
watch_work (BeckonAgentVictim *victim)
{
  script (victim, beckon_script_call ("call_7", "read_note", "{\"n\":1}"));
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_victim_start (victim, "send");
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_CALLING,
                                   "user complete\n  text Hello\nassistant complete\n  call call_7 read_note started {\"n\":1}\n");
  beckon_agent_victim_succeed (victim);
  g_assert_false (beckon_agent_is_driving (victim->next->agent, victim->conversation_id));
}

/* Another process waits for a person. */
static void
watch_question (BeckonAgentVictim *victim)
{
  script (victim, beckon_script_ask ("call_7"));
  script (victim, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_victim_start (victim, "send");
  g_free (beckon_agent_victim_wait_pending (victim, 1));
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_WAITING, NULL);
  beckon_agent_victim_succeed (victim);
  g_assert_false (beckon_agent_is_driving (victim->next->agent, victim->conversation_id));
}

static void
stop (BeckonAgentVictim *victim)
{
  gint64 begin = g_get_monotonic_time ();

  beckon_agent_stop (victim->next->agent, victim->next->conversation);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_STOPPED);
  g_test_message ("stopped after %" G_GINT64_FORMAT " ms", (g_get_monotonic_time () - begin) / 1000);
  g_assert_cmpuint (beckon_agent_fixture_count_open (victim->base->store), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (victim->next->inbox)), ==, 0);
}

static void
test_stop_work (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  watch_work (victim);
  stop (victim);
  g_assert_cmpuint (beckon_fixture_server_count_requests (victim->base->server), ==, 1);
}

static void
test_stop_question (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  watch_question (victim);
  stop (victim);
}

/* A reply that another process begins anew takes the place of what came before here, too. */
static void
test_replaced (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  BeckonConversation *conversation;

  beckon_fixture_reply_add_hold (reply, "begin");
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Here");
  beckon_fixture_reply_add_hold (reply, "go on");
  beckon_fixture_reply_add_chat_text (reply, " it is");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  script (victim, beckon_script_cut ("Half a wo"));
  script (victim, reply);
  beckon_agent_victim_start (victim, "send");
  beckon_agent_victim_wait_stored (victim, BECKON_RUN_RETRY_WAIT, NULL);
  beckon_agent_victim_succeed (victim);
  conversation = victim->next->conversation;
  beckon_agent_fixture_assert_shown (victim->next, "user complete\n  text Hello\nassistant streaming\n  text Half a wo\n");
  beckon_agent_wait_until (beckon_fixture_server_count_held (victim->base->server, "begin") == 1);
  beckon_fixture_server_release (victim->base->server, "begin");
  beckon_agent_wait_until (beckon_fixture_server_count_held (victim->base->server, "go on") == 1);
  beckon_fixture_server_release (victim->base->server, "go on");
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  beckon_agent_wait_until (beckon_message_get_status (beckon_conversation_get_message (conversation, 1))
                           == BECKON_MESSAGE_COMPLETE);
  beckon_agent_fixture_assert_shown (victim->next, "user complete\n  text Hello\nassistant complete\n  text Here it is\n");
  beckon_agent_fixture_assert_same (victim->next, conversation);
}

/* The driver is gone, which was not noticed yet. */
static void
test_stop_dead (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  watch_work (victim);
  beckon_agent_victim_kill (victim);
  stop (victim);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->read), ==, 0);
}

/* The driver never hears of it. Who takes the run over stops it. */
static void
test_stop_frozen (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

  watch_work (victim);
  beckon_agent_set_adopts (victim->next->agent, TRUE);
  beckon_agent_victim_freeze (victim);
  beckon_agent_stop (victim->next->agent, victim->next->conversation);
  beckon_agent_fixture_sync (victim->next);
  g_assert_true (beckon_conversation_is_busy (victim->next->conversation));
  beckon_agent_victim_kill (victim);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_STOPPED);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->read), ==, 0);
}

/* Stopped at the very moment in which its driver dies: one of both stops it. */
static void
test_stop_race (void)
{
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();

      watch_work (victim);
      beckon_agent_set_adopts (victim->next->agent, TRUE);
      beckon_agent_stop (victim->next->agent, victim->next->conversation);
      g_usleep ((gulong) g_test_rand_int_range (0, 4000));
      beckon_agent_victim_kill (victim);
      beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_STOPPED);
    }
}

static void
assert_noticed (BeckonAgentVictim *victim, gint64 died_at)
{
  gint64 took;

  beckon_agent_wait_until (beckon_agent_is_driving (victim->next->agent, victim->conversation_id));
  took = g_get_monotonic_time () - died_at;
  g_test_message ("noticed after %" G_GINT64_FORMAT " ms", took / 1000);
  g_assert_cmpint (took, <, NOTICED_US);
}

/* A process that stays, as the window does, goes on by itself with what a dead one left. */
static void
test_death (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  gint64 died_at;

  watch_work (victim);
  beckon_agent_set_adopts (victim->next->agent, TRUE);
  beckon_agent_fixture_recover (victim->next);
  beckon_agent_victim_kill (victim);
  died_at = g_get_monotonic_time ();
  assert_noticed (victim, died_at);
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (victim->read), ==, 1);
}

static void
test_death_while_waiting (void)
{
  g_autoptr (BeckonAgentVictim) victim = beckon_agent_victim_new ();
  gint64 died_at;

  watch_question (victim);
  beckon_agent_set_adopts (victim->next->agent, TRUE);
  beckon_agent_fixture_recover (victim->next);
  beckon_agent_victim_kill (victim);
  died_at = g_get_monotonic_time ();
  assert_noticed (victim, died_at);
  beckon_agent_fixture_answer (victim->next, beckon_agent_fixture_get_pending (victim->next, 0), beckon_script_pick ("9090"));
  beckon_agent_fixture_wait_end (victim->next, BECKON_RUN_COMPLETE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/others/stop-work", test_stop_work);
  g_test_add_func ("/agent/others/stop-question", test_stop_question);
  g_test_add_func ("/agent/others/stop-dead", test_stop_dead);
  g_test_add_func ("/agent/others/stop-frozen", test_stop_frozen);
  g_test_add_func ("/agent/others/stop-race", test_stop_race);
  g_test_add_func ("/agent/others/replaced", test_replaced);
  g_test_add_func ("/agent/others/death", test_death);
  g_test_add_func ("/agent/others/death-while-waiting", test_death_while_waiting);
  return g_test_run ();
}
