/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"


#include <string.h>

static const char *
get_detail (BeckonAgentFixture *fixture)
{
  const char *detail = beckon_conversation_get_detail (fixture->conversation);

  g_assert_nonnull (detail);
  return detail;
}

static void
assert_detail (BeckonAgentFixture *fixture, const char *words)
{
  if (strstr (get_detail (fixture), words) == NULL)
    g_error ("“%s” does not say “%s”", get_detail (fixture), words);
}

/* After an end with a button: a new run on the same history. */
static void
retry_well (BeckonAgentFixture *fixture, const char *history)
{
  guint n = beckon_fixture_server_count_requests (fixture->server);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_continue (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == n + 1);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, n, history);
  g_assert_null (beckon_conversation_get_detail (fixture->conversation));
}

static void
test_unauthorized (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "Incorrect API key provided"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "Incorrect API key provided");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\n");
  retry_well (fixture, "user Hello\n");
}

/* The failure says what mends it: the level goes with every request. */
static void
test_effort (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  const char *words = "Unsupported parameter: 'reasoning_effort' is not supported with this model";

  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, words));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_null (strstr (get_detail (fixture), "--effort default"));
  beckon_library_set_effort (fixture->library, fixture->conversation, BECKON_EFFORT_HIGH);
  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, words));
  beckon_agent_fixture_continue (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "with this model. Set the reasoning effort to Model Default");
  assert_detail (fixture, "--effort default");
}

/* Three tries, each after a longer while, and the person sees the wait. */
static void
test_server_error (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  gint64 retry_at;

  for (guint i = 0; i < 3; i++)
    beckon_agent_fixture_script (fixture, beckon_script_error (500, NULL, "Boom"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  assert_detail (fixture, "Boom");
  retry_at = beckon_conversation_get_retry_at (fixture->conversation);
  g_assert_cmpint (retry_at - beckon_clock_get_real_time (fixture->clock), >=, 1000 * 1000);
  g_assert_cmpint (retry_at - beckon_clock_get_real_time (fixture->clock), <, 1250 * 1000);
  g_assert_cmpint (beckon_agent_fixture_get_open_phase (fixture->store), ==, BECKON_RUN_RETRY_WAIT);

  beckon_clock_advance (fixture->clock, 999);
  beckon_agent_fixture_sync (fixture);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  beckon_clock_advance (fixture->clock, 251);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_REQUESTING);
  g_assert_cmpint (beckon_conversation_get_retry_at (fixture->conversation), ==, 0);

  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  beckon_clock_advance (fixture->clock, 2500);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
  retry_well (fixture, "user Hello\n");
}

static void
test_server_recovers (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_error (503, NULL, "Busy"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  beckon_clock_advance (fixture->clock, 1250);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\n"
                                              "assistant complete\n  text Here\n  usage 7 3\n");
}

static void
test_rate (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_error (429, "Retry-After: 7\r\n", "Slow down"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  g_assert_cmpint (beckon_conversation_get_retry_at (fixture->conversation), ==,
                   beckon_clock_get_real_time (fixture->clock) + 7 * G_TIME_SPAN_SECOND);
  beckon_clock_advance (fixture->clock, 6999);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_RETRY_WAIT);
  beckon_clock_advance (fixture->clock, 1);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

/* Longer than a person would wait without being asked: no try, and it says when. */
static void
test_rate_too_long (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_error (429, "Retry-After: 86400\r\n", "Come back tomorrow"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "Come back tomorrow");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

/* Tries are counted for each round by itself. */
static void
test_retry_each_round (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  for (guint round = 0; round < 2; round++)
    {
      beckon_agent_fixture_script (fixture, beckon_script_error (500, NULL, "Boom"));
      beckon_agent_fixture_script (fixture, beckon_script_error (500, NULL, "Boom"));
      beckon_agent_fixture_script (fixture, round == 0 ? beckon_script_call ("call_1", "get_current_time", "{}")
                                                       : beckon_fixture_reply_new_chat ("Done"));
    }
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  for (guint waits = 0; waits < 4; waits++)
    {
      beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
      beckon_clock_advance (fixture->clock, 2500);
    }
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 6);
}

#define HELLO "user complete\n  text Hello\n"
#define HERE HELLO "assistant complete\n  text Here\n  usage 7 3\n"

/* The words that came stay on the screen and in the store while it is waited for the next try. */
static void
wait_and_retry (BeckonAgentFixture *fixture, const char *shown)
{
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  beckon_agent_fixture_assert_shown (fixture, shown);
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
  g_assert_cmpint (beckon_conversation_get_retry_at (fixture->conversation), >, 0);
  beckon_clock_advance (fixture->clock, 2500);
}

static void
use_up_tries (BeckonAgentFixture *fixture, const char *shown)
{
  for (guint i = 0; i < 2; i++)
    wait_and_retry (fixture, shown);
}

static void
script_cuts (BeckonAgentFixture *fixture, const char *text)
{
  for (guint i = 0; i < 3; i++)
    beckon_agent_fixture_script (fixture, beckon_script_cut (text));
}

/* The tries are those of a request that failed before its reply began; what came of the last one is kept. */
static void
test_cut_off (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  script_cuts (fixture, "Half a wo");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  use_up_tries (fixture, HELLO "assistant streaming\n  text Half a wo\n");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_CUT_OFF);
  assert_detail (fixture, "before it was complete");
  beckon_agent_fixture_assert_shown (fixture, HELLO "assistant cut-off\n  text Half a wo\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
  retry_well (fixture, "user Hello\n");
}

/* The words that came stay until there is something to take their place, which does it whole. */
static void
test_replaced (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_hold (reply, "begin");
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Here");
  beckon_fixture_reply_add_hold (reply, "go on");
  beckon_fixture_reply_add_chat_text (reply, " it is");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, beckon_script_cut ("Half a wo"));
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  wait_and_retry (fixture, HELLO "assistant streaming\n  text Half a wo\n");
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->server, "begin") == 1);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_REQUESTING);
  assert_detail (fixture, "Trying again");
  beckon_agent_fixture_assert_shown (fixture, HELLO "assistant streaming\n  text Half a wo\n");
  beckon_fixture_server_release (fixture->server, "begin");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RECEIVING);
  beckon_agent_fixture_sync (fixture);
  beckon_agent_fixture_assert_shown (fixture, HELLO "assistant streaming\n  text Here\n");
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
  beckon_fixture_server_release (fixture->server, "go on");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_shown (fixture, HELLO "assistant complete\n  text Here it is\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  beckon_agent_fixture_assert_sent (fixture, 1, "user Hello\n");
  g_assert_cmpuint (beckon_message_get_n_versions (beckon_conversation_get_message (fixture->conversation, 1)), ==, 1);
  beckon_agent_fixture_restart (fixture);
  beckon_agent_fixture_assert_shown (fixture, HELLO "assistant complete\n  text Here it is\n");
}

static void
test_thoughts_cut (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_reasoning (reply, "Hm.");
  beckon_fixture_reply_add_close (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  wait_and_retry (fixture, HELLO "assistant streaming\n  reasoning Hm.\n");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_shown (fixture, HERE);
}

/* The next tries say nothing at all: what the first said is kept, with the reason of the last. */
static void
test_left (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_cut ("Half"));
  for (guint i = 0; i < 2; i++)
    beckon_agent_fixture_script (fixture, beckon_script_error (500, NULL, "Boom"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  use_up_tries (fixture, HELLO "assistant streaming\n  text Half\n");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "Boom");
  beckon_agent_fixture_assert_shown (fixture, HELLO "assistant failed\n  text Half\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  retry_well (fixture, "user Hello\n");
}

/* No partial reply is ever taken for a whole one, even if the next try ends well and empty. */
static void
test_left_by_refusal (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_cut ("Half"));
  beckon_agent_fixture_script (fixture, beckon_script_calls (NULL, NULL, 0, "content_filter"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  wait_and_retry (fixture, HELLO "assistant streaming\n  text Half\n");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FILTERED);
  beckon_agent_fixture_assert_shown (fixture, HELLO "assistant cut-off\n  text Half\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
}

static void
test_stopped_while_retrying (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

      beckon_agent_fixture_script (fixture, beckon_script_cut ("Half"));
      beckon_agent_fixture_script (fixture, beckon_script_silent ("never"));
      beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
      beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
      if (i == 1)
        {
          beckon_clock_advance (fixture->clock, 1250);
          beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->server, "never") == 1);
        }
      beckon_agent_stop (fixture->agent, fixture->conversation);
      beckon_agent_fixture_wait_end (fixture, BECKON_RUN_STOPPED);
      beckon_agent_fixture_assert_shown (fixture, HELLO "assistant stopped\n  text Half\n");
      beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
      g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, i + 1);
    }
}

/* The tokens of a reply that is replaced are paid for as well. */
static void
test_usage (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Half");
  beckon_fixture_reply_add_chat_usage (reply, 5, 2);
  beckon_fixture_reply_add_close (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  beckon_clock_advance (fixture->clock, 1250);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_shown (fixture, HELLO "assistant complete\n  text Here\n  usage 12 5\n");
}

/* A message instead of the button: then the model sees what it had said. */
static void
test_cut_off_then_message (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  script_cuts (fixture, "Half a wo");
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  use_up_tries (fixture, HELLO "assistant streaming\n  text Half a wo\n");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_CUT_OFF);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Go on");
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 4);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 3, "user Hello\nassistant Half a wo\nuser Go on\n");
}

/* A call that was whole when the reply was cut is dropped with it: nobody said that it was all. One of the next try takes the
 * place of the words. */
static void
test_cut_off_with_call (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("read_note", TRUE);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "I read.");
  beckon_fixture_reply_add_chat_call (reply, 0, "call_1", "read_note", "{}");
  beckon_fixture_reply_add_close (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_2", "read_note", "{}"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  wait_and_retry (fixture, HELLO "assistant streaming\n  text I read.\n");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_conversation_get_n_messages (fixture->conversation), ==, 3);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  beckon_agent_fixture_assert_sent (fixture, 2, "user Hello\nassistant\n  call call_2 read_note {}\n"
                                                "tool call_2 read_note did {}\n");
}

static void
test_reset (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Half");
  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_reset (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  wait_and_retry (fixture, HELLO "assistant streaming\n  text Half\n");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_shown (fixture, HERE);
}

/* Idle for longer than it may be, in the middle of a reply. */
static void
test_idle (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_held ("Half", "never", ""));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RECEIVING);
  beckon_clock_advance (fixture->clock, 301 * 1000);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_CUT_OFF);
  g_assert_nonnull (beckon_conversation_get_detail (fixture->conversation));
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\nassistant cut-off\n  text Half\n");
}

static void
script_error_inside (BeckonAgentFixture *fixture, const char *text)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  if (text != NULL)
    beckon_fixture_reply_add_chat_text (reply, text);
  beckon_fixture_reply_add_chunk (reply, "data: {\"error\":{\"message\":\"Overloaded\",\"type\":\"server_error\"}}\n\n", -1);
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, reply);
}

/* An error within counts with those before the reply. */
static void
test_error_inside (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  script_error_inside (fixture, "Half");
  beckon_agent_fixture_script (fixture, beckon_script_error (500, NULL, "Boom"));
  script_error_inside (fixture, "Half a");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  use_up_tries (fixture, HELLO "assistant streaming\n  text Half\n");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "Overloaded");
  beckon_agent_fixture_assert_shown (fixture, HELLO "assistant failed\n  text Half a\n");
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  retry_well (fixture, "user Hello\n");
}

/* An error before anything was shown is like one before the reply: tried again. */
static void
test_error_inside_first (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  for (guint i = 0; i < 3; i++)
    script_error_inside (fixture, NULL);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  for (guint i = 0; i < 2; i++)
    {
      beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
      beckon_clock_advance (fixture->clock, 2500);
    }
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "Overloaded");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 3);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\n");
}

static void
test_rejected_inside (gconstpointer text)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  if (text != NULL)
    beckon_fixture_reply_add_chat_text (reply, text);
  beckon_fixture_reply_add_chunk (reply, "data: {\"error\":{\"message\":\"Bad tool\",\"type\":\"invalid_request\"}}\n\n", -1);
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "Bad tool");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

/* Closed after the head: nobody has seen anything of it. */
static void
test_closed_before_output (gconstpointer data)
{
  void (*add_end) (BeckonFixtureReply *reply) = (void (*) (BeckonFixtureReply *)) data;
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chunk (reply, "data: {\"choices\":[]}\n\n", -1);
  beckon_fixture_reply_add_drain (reply);
  add_end (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  assert_detail (fixture, "before it said anything");
  beckon_clock_advance (fixture->clock, 1250);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

static void
test_empty (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  for (guint i = 0; i < 2; i++)
    beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat (""));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "empty reply");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\n");
  retry_well (fixture, "user Hello\n");
}

static void
script_thoughts (BeckonAgentFixture *fixture)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_reasoning (reply, "Hm.");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, reply);
}

/* Thoughts alone answer nothing: they stay, go to nobody, and are asked for once more. */
static void
test_thoughts (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  script_thoughts (fixture);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Here"));
  script_thoughts (fixture);
  script_thoughts (fixture);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_sent (fixture, 1, "user Hello\n");
  beckon_agent_fixture_send (fixture, fixture->conversation, "And?");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "only reasoned and gave no answer");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 4);
}

/* An empty reply is asked for once more, in other words. */
static void
test_empty_once (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat (""));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hello"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Hello\nassistant complete\n  text Hello\n  usage 7 3\n");
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (fixture->server, 1)->body, "Your last reply was empty."));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Yes"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "And?");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_null (strstr (beckon_fixture_server_get_request (fixture->server, 2)->body, "Your last reply was empty."));
}

static void
script_end (BeckonAgentFixture *fixture, const char *text, const char *finish)
{
  beckon_agent_fixture_script (fixture, beckon_script_calls (text, NULL, 0, finish));
}

static void
test_length (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  script_end (fixture, "A long st", "length");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Tell");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_LENGTH);
  retry_well (fixture, "user Tell\nassistant A long st\n");
}

static void
test_filtered (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  script_end (fixture, "A", "content_filter");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Tell");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FILTERED);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Tell\nassistant complete\n  text A\n");
  retry_well (fixture, "user Tell\n");
  /* The filtered reply is another version, not gone. */
  g_assert_cmpuint (beckon_message_get_n_versions (beckon_conversation_get_message (fixture->conversation, 1)), ==, 2);
  beckon_agent_fixture_assert_shown (fixture, "user complete\n  text Tell\n"
                                              "assistant complete\n  text Done\n  usage 7 3\n");
}

/* A reply that was filtered at once is asked for again as it was. */
static void
test_filtered_at_once (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  script_end (fixture, NULL, "content_filter");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Tell");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FILTERED);
  retry_well (fixture, "user Tell\n");
}

/* A word that nobody here knows is shown as it is; what came is kept, and the person may have it go on. */
static void
test_unknown_end (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  script_end (fixture, "A st", "out_of_luck");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Tell");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_PAUSED);
  assert_detail (fixture, "“out_of_luck”");
  retry_well (fixture, "user Tell\nassistant A st\n");
}

static void
test_unknown_end_of_nothing (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  script_end (fixture, NULL, "out_of_luck");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Tell");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  assert_detail (fixture, "“out_of_luck”");
  retry_well (fixture, "user Tell\n");
}

static void
test_refused (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chunk (reply,
                                  "data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"I will not.\"},"
                                  "\"finish_reason\":null}]}\n\n",
                                  -1);
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_agent_fixture_script (fixture, reply);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Tell");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_REFUSED);
  assert_detail (fixture, "I will not.");
  retry_well (fixture, "user Tell\n");
}

/* In the second round: what the first one did stays, and is not done again. */
static void
test_second_round (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("read_note", TRUE);

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "read_note", "{}"));
  script_cuts (fixture, "So");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  for (guint i = 0; i < 2; i++)
    {
      beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
      beckon_clock_advance (fixture->clock, 2500);
    }
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_CUT_OFF);
  retry_well (fixture, "user Hello\nassistant\n  call call_1 read_note {}\ntool call_1 read_note did {}\n");
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, 1);
}

/* The missing model is known after a restart, too. */
static void
test_model_gone (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_error (404, NULL, "The model `fixture-1` does not exist"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_true (beckon_conversation_lacks_model (fixture->conversation));
  beckon_agent_fixture_restart (fixture);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_FAILED);
  g_assert_true (beckon_conversation_lacks_model (fixture->conversation));
  g_assert_null (strstr (beckon_conversation_get_detail (fixture->conversation), "model-gone"));
}

static void
test_key_refused (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_error (401, NULL, "Invalid key"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_true (beckon_conversation_lacks_key (fixture->conversation));
  g_assert_false (beckon_conversation_lacks_model (fixture->conversation));
  beckon_agent_fixture_restart (fixture);
  g_assert_true (beckon_conversation_lacks_key (fixture->conversation));
}

/* The server's words may be those of the sentence that we have for it. */
static void
test_model_not_gone (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "x doesn't have this model, or no longer has it"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_false (beckon_conversation_lacks_model (fixture->conversation));
}

/* A server that refuses the effort that was chosen would refuse every request: how to choose none is said. */
static void
test_effort_refused (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();

  for (guint i = 0; i < 2; i++)
    {
      if (i == 1)
        beckon_library_set_effort (fixture->library, fixture->conversation, BECKON_EFFORT_HIGH);
      beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "Unsupported parameter: 'reasoning_effort'"));
      beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
      beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
      g_assert_cmpint (strstr (beckon_conversation_get_detail (fixture->conversation), "--effort default") != NULL, ==, i == 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/failure/unauthorized", test_unauthorized);
  g_test_add_func ("/agent/failure/effort", test_effort);
  g_test_add_func ("/agent/failure/server-error", test_server_error);
  g_test_add_func ("/agent/failure/server-recovers", test_server_recovers);
  g_test_add_func ("/agent/failure/rate", test_rate);
  g_test_add_func ("/agent/failure/rate-too-long", test_rate_too_long);
  g_test_add_func ("/agent/failure/retry-each-round", test_retry_each_round);
  g_test_add_func ("/agent/failure/cut-off", test_cut_off);
  g_test_add_func ("/agent/failure/replaced", test_replaced);
  g_test_add_func ("/agent/failure/thoughts-cut", test_thoughts_cut);
  g_test_add_func ("/agent/failure/left", test_left);
  g_test_add_func ("/agent/failure/left-by-refusal", test_left_by_refusal);
  g_test_add_func ("/agent/failure/stopped-while-retrying", test_stopped_while_retrying);
  g_test_add_func ("/agent/failure/usage", test_usage);
  g_test_add_func ("/agent/failure/cut-off-then-message", test_cut_off_then_message);
  g_test_add_func ("/agent/failure/cut-off-with-call", test_cut_off_with_call);
  g_test_add_func ("/agent/failure/reset", test_reset);
  g_test_add_func ("/agent/failure/idle", test_idle);
  g_test_add_func ("/agent/failure/error-inside", test_error_inside);
  g_test_add_func ("/faults/D/60-overloaded-inside-first", test_error_inside_first);
  g_test_add_data_func ("/faults/D/60-rejected-inside-first", NULL, test_rejected_inside);
  g_test_add_data_func ("/faults/D/60-rejected-inside", "Half", test_rejected_inside);
  g_test_add_data_func ("/faults/A/10-fin-before-output", (gconstpointer) beckon_fixture_reply_add_close,
                        test_closed_before_output);
  g_test_add_data_func ("/faults/A/11-reset-before-output", (gconstpointer) beckon_fixture_reply_add_reset,
                        test_closed_before_output);
  g_test_add_func ("/agent/failure/empty", test_empty);
  g_test_add_func ("/agent/failure/thoughts", test_thoughts);
  g_test_add_func ("/agent/failure/empty-once", test_empty_once);
  g_test_add_func ("/agent/failure/length", test_length);
  g_test_add_func ("/agent/failure/filtered", test_filtered);
  g_test_add_func ("/agent/failure/filtered-at-once", test_filtered_at_once);
  g_test_add_func ("/agent/failure/refused", test_refused);
  g_test_add_func ("/agent/failure/unknown-end", test_unknown_end);
  g_test_add_func ("/agent/failure/unknown-end-of-nothing", test_unknown_end_of_nothing);
  g_test_add_func ("/agent/failure/second-round", test_second_round);
  g_test_add_func ("/agent/failure/model-gone", test_model_gone);
  g_test_add_func ("/agent/failure/key-refused", test_key_refused);
  g_test_add_func ("/agent/failure/model-not-gone", test_model_not_gone);
  g_test_add_func ("/agent/failure/effort-refused", test_effort_refused);
  return g_test_run ();
}
