/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include <string.h>

/* --- Rounds -------------------------------------------------------------------------------------------------------- */

/* A model that never has enough, and never wants the same again. */
static BeckonFixtureReply *
call_forever (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  static gint n = 0;
  g_autofree char *arguments = g_strdup_printf ("{\"n\":%d}", g_atomic_int_add (&n, 1));

  return beckon_script_call ("call_1", "read_note", arguments);
}

static void
assert_rounds (guint set, guint expected)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("read_note", TRUE);

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  beckon_agent_fixture_set_rounds (fixture, set);
  beckon_fixture_server_set_handler (fixture->server, call_forever, NULL);
  beckon_agent_fixture_send (fixture, fixture->conversation, "Go");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_ROUND_LIMIT);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, expected);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (tool), ==, expected);
}

static void
test_rounds_one (void)
{
  assert_rounds (1, 1);
}

static void
test_rounds_default (void)
{
  assert_rounds (0, 50);
}

static void
test_rounds_most (void)
{
  assert_rounds (200, 200);
}

/* Continue counts anew. */
static void
test_rounds_continued (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  guint n;

  beckon_agent_fixture_set_rounds (fixture, 2);
  for (guint i = 0; i < 3; i++)
    beckon_agent_fixture_script (
        fixture, beckon_script_call ("call_1", "get_current_time", i == 1 ? "{\"timezone\":\"UTC\"}" : "{}"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Go");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_ROUND_LIMIT);
  n = beckon_conversation_get_n_messages (fixture->conversation);
  g_assert_cmpuint (n, ==, 3);
  g_assert_true (beckon_run_phase_can_continue (BECKON_RUN_ROUND_LIMIT));
  beckon_agent_fixture_continue (fixture);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 4);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

/* --- Many conversations -------------------------------------------------------------------------------------------- */

#define N_CONVERSATIONS 20

/* Asks whoever speaks first; echoes whoever answers. */
static BeckonFixtureReply *
ask_or_echo (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  g_autofree char *result = NULL;

  if (strstr (request->body, "\"role\":\"tool\"") == NULL)
    return beckon_script_ask ("call_same");
  result = beckon_agent_dup_result (request, "call_same");
  return beckon_fixture_reply_new_chat (result);
}

static void
shuffle (guint *order, guint n)
{
  for (guint i = 0; i < n; i++)
    order[i] = i;
  for (guint i = n - 1; i > 0; i--)
    {
      guint j = (guint) g_test_rand_int_range (0, (gint32) i + 1);
      guint held = order[i];

      order[i] = order[j];
      order[j] = held;
    }
}

static BeckonRequest *
find_request (BeckonAgentFixture *fixture, BeckonConversation *conversation)
{
  GListModel *inbox = G_LIST_MODEL (fixture->inbox);

  for (guint i = 0; i < g_list_model_get_n_items (inbox); i++)
    {
      BeckonRequest *request = beckon_agent_fixture_get_pending (fixture, i);

      if (g_str_equal (beckon_request_get_conversation_id (request), beckon_conversation_get_id (conversation)))
        return request;
    }
  g_assert_not_reached ();
}

static void
assert_own (BeckonAgentFixture *fixture, BeckonConversation *conversation, guint number)
{
  g_autofree char *shown = beckon_agent_dump (G_LIST_MODEL (conversation));
  g_autofree char *expected
      = g_strdup_printf ("user complete\n  text I am %u\n"
                         "assistant complete\n  call call_same ask_user done " BECKON_SCRIPT_QUESTION " → answer %u\n"
                         "assistant complete\n  text answer %u\n  usage 7 3\n",
                         number, number, number);

  g_assert_cmpstr (shown, ==, expected);
  beckon_agent_fixture_assert_closed (fixture, conversation);
}

static void
test_conversations (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonConversation *conversations[N_CONVERSATIONS];
  guint order[N_CONVERSATIONS];

  beckon_fixture_server_set_handler (fixture->server, ask_or_echo, NULL);
  for (guint i = 0; i < N_CONVERSATIONS; i++)
    {
      g_autofree char *text = g_strdup_printf ("I am %u", i);

      conversations[i] = beckon_agent_fixture_create (fixture);
      beckon_agent_fixture_send (fixture, conversations[i], text);
    }
  beckon_agent_fixture_wait_pending (fixture, N_CONVERSATIONS);
  for (guint i = 0; i < N_CONVERSATIONS; i++)
    g_assert_cmpuint (beckon_inbox_count_for (fixture->inbox, beckon_conversation_get_id (conversations[i])), ==, 1);

  shuffle (order, N_CONVERSATIONS);
  for (guint i = 0; i < N_CONVERSATIONS; i++)
    {
      g_autofree char *text = g_strdup_printf ("answer %u", order[i]);

      beckon_agent_fixture_answer (fixture, find_request (fixture, conversations[order[i]]), beckon_script_type (text));
    }
  for (guint i = 0; i < N_CONVERSATIONS; i++)
    {
      beckon_agent_wait_until (!beckon_conversation_is_busy (conversations[i]));
      assert_own (fixture, conversations[i], i);
    }
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2 * N_CONVERSATIONS);
}

/* Stopping one leaves the others alone. */
static void
test_one_stopped (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonConversation *other = beckon_agent_fixture_create (fixture);

  beckon_fixture_server_set_handler (fixture->server, ask_or_echo, NULL);
  beckon_agent_fixture_send (fixture, fixture->conversation, "I am 0");
  beckon_agent_fixture_send (fixture, other, "I am 1");
  beckon_agent_fixture_wait_pending (fixture, 2);
  beckon_agent_fixture_stop (fixture);
  beckon_agent_fixture_assert_closed (fixture, fixture->conversation);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_wait_pending (fixture, 1), beckon_script_type ("answer 1"));
  beckon_agent_wait_until (!beckon_conversation_is_busy (other));
  assert_own (fixture, other, 1);
}

/* A run that another process drives cannot be driven here, and nothing of the message is stored. */
static void
test_driven_elsewhere (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  BeckonAgentFixture *other;
  g_autoptr (GError) error = NULL;

  beckon_fixture_server_set_handler (fixture->server, ask_or_echo, NULL);
  beckon_agent_fixture_send (fixture, fixture->conversation, "I am 0");
  beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_WAITING);
  other = beckon_agent_fixture_new_over (fixture->directory, beckon_fixture_server_get_base_url (fixture->server));
  beckon_agent_fixture_open (other, beckon_conversation_get_id (fixture->conversation));
  beckon_agent_fixture_recover (other);
  g_assert_false (beckon_agent_fixture_try_send (other, other->conversation, "Me too", &error));
  g_assert_nonnull (error);
  beckon_agent_fixture_free (other);

  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_wait_pending (fixture, 1), beckon_script_type ("answer 0"));
  beckon_agent_wait_until (!beckon_conversation_is_busy (fixture->conversation));
  assert_own (fixture, fixture->conversation, 0);
}

/* --- Lifetimes ----------------------------------------------------------------------------------------------------- */

/* The agent outlives the last reference to it for as long as it drives something, and no longer. */
static void
test_lifetime (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  gpointer agent = fixture->agent;
  gpointer weak = agent;

  g_object_add_weak_pointer (agent, &weak);
  beckon_agent_fixture_script (fixture, beckon_script_held ("Half", "gate", ""));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RECEIVING);
  g_assert_cmpuint (G_OBJECT (agent)->ref_count, >, 1);
  beckon_fixture_server_release (fixture->server, "gate");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_settle ();
  g_assert_cmpuint (G_OBJECT (agent)->ref_count, ==, 1);
  g_assert_nonnull (weak);
  g_object_remove_weak_pointer (agent, &weak);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/rounds/one", test_rounds_one);
  g_test_add_func ("/agent/rounds/default", test_rounds_default);
  g_test_add_func ("/agent/rounds/most", test_rounds_most);
  g_test_add_func ("/agent/rounds/continued", test_rounds_continued);
  g_test_add_func ("/agent/many/conversations", test_conversations);
  g_test_add_func ("/agent/many/one-stopped", test_one_stopped);
  g_test_add_func ("/agent/many/driven-elsewhere", test_driven_elsewhere);
  g_test_add_func ("/agent/many/lifetime", test_lifetime);
  return g_test_run ();
}
