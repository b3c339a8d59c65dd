/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-llama.h"
#include "beckon-test-tool.h"

#include <string.h>

/* Whole runs against a llama-server: no call runs twice, a model that is loading is waited for, and what is too long is sent
 * shorter. */

typedef struct
{
  BeckonAgentFixture *fixture;
  BeckonLlama *llama;
  BeckonTestTool *tool; /* (owned): read_note */
} Talk;

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static Talk *
talk_new (BeckonProfileKind kind)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("llama", kind);
  Talk *talk = g_new0 (Talk, 1);
  gboolean done = FALSE;

  talk->fixture = beckon_agent_fixture_new ();
  talk->llama = beckon_llama_new ();
  beckon_llama_set_window (talk->llama, 100000);
  beckon_fixture_server_set_handler (talk->fixture->server, beckon_llama_play, talk->llama);
  beckon_profile_set_name (profile, "Llama");
  beckon_profile_set_base_url (profile, beckon_fixture_server_get_base_url (talk->fixture->server));
  beckon_profile_set_model (profile, "qwen3-8b-q4_k_m.gguf");
  beckon_profiles_save_async (talk->fixture->profiles, profile, NULL, on_saved, &done);
  beckon_agent_wait_until (done);
  beckon_settings_set_default_profile (talk->fixture->settings, "llama");
  talk->tool = beckon_test_tool_new ("read_note", TRUE);
  beckon_tool_registry_add (talk->fixture->tools, BECKON_TOOL (talk->tool));
  return talk;
}

static void
talk_free (Talk *talk)
{
  g_object_unref (talk->tool);
  beckon_agent_fixture_free (talk->fixture);
  beckon_llama_free (talk->llama);
  g_free (talk);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Talk, talk_free)

static void
say (Talk *talk, const char *text)
{
  beckon_agent_fixture_send (talk->fixture, talk->fixture->conversation, text);
}

static const BeckonFixtureRequest *
get_last (Talk *talk)
{
  return beckon_fixture_server_get_request (talk->fixture->server,
                                            beckon_fixture_server_count_requests (talk->fixture->server) - 1);
}

static void
assert_says (Talk *talk, const char *words)
{
  const char *detail = beckon_conversation_get_detail (talk->fixture->conversation);

  if (detail == NULL || strstr (detail, words) == NULL)
    g_error ("“%s” does not say “%s”", detail, words);
}

/* Each call runs once, and each result goes back once. */
static void
test_calls (gconstpointer kind)
{
  g_autoptr (Talk) talk = talk_new ((BeckonProfileKind) GPOINTER_TO_INT (kind));

  beckon_test_tool_set_result (talk->tool, "Milk");
  say (talk, "Call read_note({\"n\":1}) and read_note({\"n\":2}) at once.");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (talk->tool), ==, 2);
  g_assert_cmpuint (beckon_fixture_server_count_requests (talk->fixture->server), ==, 2);
  g_assert_nonnull (strstr (beckon_part_get_text (beckon_message_get_part (
                              beckon_conversation_get_message (talk->fixture->conversation, 2), 0)), "It says: Milk, Milk"));
}

/* A model that is loading is asked again every other second, however often, and the person sees why. */
static void
test_loading (gconstpointer kind)
{
  g_autoptr (Talk) talk = talk_new ((BeckonProfileKind) GPOINTER_TO_INT (kind));

  beckon_llama_set_loading (talk->llama, 10);
  say (talk, "Hello");
  for (guint i = 0; i < 10; i++)
    {
      beckon_agent_fixture_wait_phase (talk->fixture, BECKON_RUN_RETRY_WAIT);
      assert_says (talk, "is still loading the model");
      g_assert_cmpuint (beckon_fixture_server_count_requests (talk->fixture->server), ==, i + 1);
      beckon_clock_advance (talk->fixture->clock, 2000);
      beckon_agent_wait_until (beckon_fixture_server_count_requests (talk->fixture->server) == i + 2);
    }
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
}

/* After ten minutes it is a failure like others. */
static void
test_loading_for_ever (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT);
  guint n = 0;

  beckon_llama_set_loading (talk->llama, 100000);
  say (talk, "Hello");
  beckon_agent_fixture_wait_phase (talk->fixture, BECKON_RUN_RETRY_WAIT);
  while (beckon_conversation_get_phase (talk->fixture->conversation) != BECKON_RUN_FAILED && n < 20)
    {
      n++;
      beckon_clock_advance (talk->fixture->clock, 60 * 1000);
      beckon_agent_wait_until (beckon_fixture_server_count_requests (talk->fixture->server) == n + 1
                               && beckon_conversation_get_phase (talk->fixture->conversation) != BECKON_RUN_REQUESTING);
    }
  g_assert_cmpuint (n, >=, 10);
  g_assert_cmpuint (n, <, 15);
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_FAILED);
  assert_says (talk, "is still loading the model");
}

/* The window is smaller than anybody said: what is left out is said by the figures that the server gives. */
static void
test_overflow (gconstpointer kind)
{
  g_autoptr (Talk) talk = talk_new ((BeckonProfileKind) GPOINTER_TO_INT (kind));
  g_autofree char *long_note = g_strnfill (24000, 'n');
  guint n, window;

  say (talk, "Hello");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  window = (guint) get_last (talk)->length / 4 + 3000;
  beckon_llama_set_window (talk->llama, window);
  beckon_test_tool_set_result (talk->tool, long_note);
  n = beckon_fixture_server_count_requests (talk->fixture->server);
  say (talk, "Call read_note({\"n\":1}).");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (talk->tool), ==, 1);
  g_assert_cmpuint (beckon_fixture_server_count_requests (talk->fixture->server), >=, n + 3);
  g_assert_cmpuint (get_last (talk)->length / 4, <=, window);
}

/* Figures are told where nothing can be left out. */
static void
test_too_small (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT);

  beckon_llama_set_window (talk->llama, 100);
  say (talk, "Hello");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_FAILED);
  assert_says (talk, "exceeds the available context size (100 tokens)");
}

/* Two conversations and one slot: the second waits for the first. */
static void
test_slots (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT);

  beckon_llama_set_occupied (talk->llama, "slot");
  say (talk, "Hello");
  beckon_agent_wait_until (beckon_fixture_server_count_held (talk->fixture->server, "slot") == 1);
  g_assert_cmpint (beckon_conversation_get_phase (talk->fixture->conversation), ==, BECKON_RUN_REQUESTING);
  beckon_fixture_server_release (talk->fixture->server, "slot");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  /* A server that doesn't wait says so, and is asked again. */
  beckon_llama_set_busy (talk->llama, 1);
  say (talk, "Hello again");
  beckon_agent_fixture_wait_phase (talk->fixture, BECKON_RUN_RETRY_WAIT);
  assert_says (talk, "no slot available");
  beckon_clock_advance (talk->fixture->clock, 1250);
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
}

/* A server without --jinja can do no tools: that is said at once, and not tried again. */
static void
test_no_tools (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT);

  beckon_llama_set_jinja (talk->llama, FALSE);
  say (talk, "Hello");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_FAILED);
  assert_says (talk, "tools param requires --jinja flag");
  g_assert_cmpuint (beckon_fixture_server_count_requests (talk->fixture->server), ==, 1);
}

/* A call of which only a part came does not run, and is made once when it comes again. */
static void
test_cut (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT);

  beckon_llama_set_cut (talk->llama, 1);
  say (talk, "Count.");
  beckon_agent_fixture_wait_phase (talk->fixture, BECKON_RUN_RETRY_WAIT);
  beckon_clock_advance (talk->fixture->clock, 1250);
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  beckon_llama_set_cut (talk->llama, 1);
  say (talk, "Call read_note({\"n\":1}).");
  beckon_agent_fixture_wait_phase (talk->fixture, BECKON_RUN_RETRY_WAIT);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (talk->tool), ==, 0);
  beckon_clock_advance (talk->fixture->clock, 1250);
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_test_tool_get_n_begun (talk->tool), ==, 1);
}

int
main (int argc, char **argv)
{
  static const BeckonProfileKind kinds[] = { BECKON_PROFILE_CHAT, BECKON_PROFILE_RESPONSES };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const char *kind = beckon_profile_kind_to_string (kinds[i]);
      g_autofree char *calls = g_strdup_printf ("/agent/llama/%s/calls", kind);
      g_autofree char *loading = g_strdup_printf ("/agent/llama/%s/loading", kind);
      g_autofree char *overflow = g_strdup_printf ("/agent/llama/%s/overflow", kind);

      g_test_add_data_func (calls, GINT_TO_POINTER (kinds[i]), test_calls);
      g_test_add_data_func (loading, GINT_TO_POINTER (kinds[i]), test_loading);
      g_test_add_data_func (overflow, GINT_TO_POINTER (kinds[i]), test_overflow);
    }
  g_test_add_func ("/agent/llama/loading-for-ever", test_loading_for_ever);
  g_test_add_func ("/agent/llama/too-small", test_too_small);
  g_test_add_func ("/agent/llama/slots", test_slots);
  g_test_add_func ("/agent/llama/no-tools", test_no_tools);
  g_test_add_func ("/agent/llama/cut", test_cut);
  return g_test_run ();
}
