/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"
#include "beckon-llama.h"

#include "llm/beckon-probe.h"

#include <string.h>

/* A llama-server, by both protocols. */

#define FORECAST "get_forecast"
#define TWO "Call get_forecast({\"city\":\"Paris\"}) and get_forecast({\"city\":\"Rome\"}) at once."

typedef struct
{
  BeckonExchange *exchange;
  BeckonLlama *llama;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer kind)
{
  fixture->exchange = beckon_exchange_new ();
  fixture->llama = beckon_llama_new ();
  beckon_fixture_server_set_handler (fixture->exchange->server, beckon_llama_play, fixture->llama);
  beckon_profile_set_kind (fixture->exchange->request->profile, (BeckonProfileKind) GPOINTER_TO_INT (kind));
}

static void
tear_down (Fixture *fixture, gconstpointer kind)
{
  beckon_exchange_free (fixture->exchange);
  beckon_llama_free (fixture->llama);
}

static void
add_tool (Fixture *fixture)
{
  g_autoptr (BeckonToolDefinition) tool
    = beckon_tool_definition_new (FORECAST, "The weather", "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}",
                                  TRUE);

  beckon_llm_request_add_tool (fixture->exchange->request, tool);
}

static void
say (Fixture *fixture, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, 0);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  g_ptr_array_set_size (fixture->exchange->request->messages, 0);
  beckon_llm_request_add_message (fixture->exchange->request, message);
}

static void
run (Fixture *fixture)
{
  beckon_exchange_start (fixture->exchange);
  beckon_exchange_wait (fixture->exchange);
}

static void
assert_log (Fixture *fixture, const char *pattern)
{
  if (fixture->exchange->error != NULL || !g_pattern_match_simple (pattern, fixture->exchange->log->str))
    g_error ("%s is not %s%s", fixture->exchange->log->str, pattern,
             fixture->exchange->error != NULL ? fixture->exchange->error->message : "");
}

static void
test_reply (Fixture *fixture, gconstpointer kind)
{
  run (fixture);
  assert_log (fixture, "text Hello!\n*usage ?* 1\nend complete\n");
}

static guint
count_calls (Fixture *fixture)
{
  guint n = g_str_has_prefix (fixture->exchange->log->str, "call ");

  for (const char *at = strstr (fixture->exchange->log->str, "\ncall "); at != NULL; at = strstr (at + 1, "\ncall "))
    n++;
  return n;
}

/* Calls that have no place but their order are each there once. */
static void
test_calls (Fixture *fixture, gconstpointer kind)
{
  add_tool (fixture);
  say (fixture, TWO);
  run (fixture);
  assert_log (fixture, "call 0 *00000000 get_forecast {\"city\":\"Paris\"}\n*call 1 *00000001 get_forecast {\"city\":\"Rome\"}\n"
                       "*usage ?* 0\nend *\n");
  g_assert_cmpuint (count_calls (fixture), ==, 2);
}

static void
test_reasoning (Fixture *fixture, gconstpointer kind)
{
  beckon_llama_set_reasoning (fixture->llama, TRUE);
  run (fixture);
  assert_log (fixture, "reasoning Let me see.\n*text Hello!\n*usage ?* 1\nend complete\n");
}

/* The protocol of responses does not say that it was: llama-server sends "completed" in any case. */
static void
test_length (Fixture *fixture, gconstpointer kind)
{
  gboolean is_chat = GPOINTER_TO_INT (kind) == BECKON_PROFILE_CHAT;

  beckon_profile_set_output_limit (fixture->exchange->request->profile, 5);
  say (fixture, "Count.");
  run (fixture);
  assert_log (fixture, is_chat ? "text 1 2 3 4 5\nusage ?* 5\nend length\n" : "text 1 2 3 4 5\n*usage ?* 5\nend complete\n");
}

static void
assert_failed (Fixture *fixture, BeckonLlmError code, const char *words)
{
  run (fixture);
  beckon_exchange_assert_failed (fixture->exchange, "", code, words);
}

static void
test_failures (Fixture *fixture, gconstpointer kind)
{
  beckon_llama_set_loading (fixture->llama, 1);
  assert_failed (fixture, BECKON_LLM_ERROR_LOADING, "is still loading the model (HTTP 503): Loading model");
  beckon_llama_set_busy (fixture->llama, 1);
  assert_failed (fixture, BECKON_LLM_ERROR_SERVER, "no slot available");
  beckon_llama_set_key (fixture->llama, "sk-another");
  assert_failed (fixture, BECKON_LLM_ERROR_AUTH, "does not accept the key (HTTP 401): Invalid API Key");
  beckon_llama_set_key (fixture->llama, BECKON_EXCHANGE_KEY);
  beckon_llama_set_window (fixture->llama, 20);
  assert_failed (fixture, BECKON_LLM_ERROR_CONTEXT, "exceeds the available context size (20 tokens)");
  beckon_llama_set_window (fixture->llama, 8192);
  add_tool (fixture);
  beckon_llama_set_jinja (fixture->llama, FALSE);
  assert_failed (fixture, BECKON_LLM_ERROR_REJECTED, "tools param requires --jinja flag");
  beckon_llama_set_jinja (fixture->llama, TRUE);
  run (fixture);
  assert_log (fixture, "text Hello!\n*");
}

static void
test_sight (Fixture *fixture, gconstpointer kind)
{
  g_autoptr (BeckonPart) image = beckon_part_new (BECKON_PART_IMAGE, NULL);

  beckon_part_set_media_type (image, "image/png");
  beckon_part_append (image, "\x89PNG", 4);
  beckon_message_add_part (g_ptr_array_index (fixture->exchange->request->messages, 0), image);
  assert_failed (fixture, BECKON_LLM_ERROR_SIGHT, "does not see pictures");
  beckon_llama_set_sight (fixture->llama, TRUE);
  run (fixture);
  assert_log (fixture, "text It is red.\n*");
}

/* A call of which a part came is none. */
static void
test_cut (Fixture *fixture, gconstpointer kind)
{
  beckon_llama_set_cut (fixture->llama, 2);
  run (fixture);
  g_assert_null (strstr (fixture->exchange->log->str, "end complete"));
  add_tool (fixture);
  say (fixture, TWO);
  run (fixture);
  g_assert_null (strstr (fixture->exchange->log->str, "end complete"));
  g_assert_cmpuint (count_calls (fixture), ==, 0);
}

/* While all slots are taken a request waits, and says nothing. */
static void
test_slots (Fixture *fixture, gconstpointer kind)
{
  beckon_llama_set_occupied (fixture->llama, "slot");
  beckon_exchange_start (fixture->exchange);
  beckon_exchange_wait_at (fixture->exchange, "slot");
  g_assert_false (fixture->exchange->done);
  g_assert_cmpuint (fixture->exchange->n_events, ==, 0);
  beckon_fixture_server_release (fixture->exchange->server, "slot");
  beckon_exchange_wait (fixture->exchange);
  assert_log (fixture, "text Hello!\n*end complete\n");
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(GPtrArray **) user_data = beckon_probe_list_finish (BECKON_PROBE (source), result, &error);
  g_assert_no_error (error);
}

static guint
list_window (Fixture *fixture)
{
  g_autoptr (BeckonProbe) probe = beckon_probe_new (BECKON_ENDPOINT_SOURCE (fixture->exchange->endpoint),
                                                    beckon_clock_get_system ());
  g_autoptr (BeckonProfile) profile = beckon_profile_copy (fixture->exchange->request->profile);
  g_autoptr (GPtrArray) models = NULL;

  beckon_profile_set_base_url (profile, beckon_fixture_server_get_base_url (fixture->exchange->server));
  beckon_probe_list_async (probe, profile, 0, NULL, on_listed, &models);
  beckon_exchange_wait_until (models != NULL);
  g_assert_cmpuint (models->len, ==, 1);
  g_assert_cmpstr (beckon_listed_model_get_name (g_ptr_array_index (models, 0)), ==, "qwen3-8b-q4_k_m.gguf");
  return beckon_listed_model_get_details (g_ptr_array_index (models, 0))->facts.window;
}

/* The window that it was started with; while the model is loading nobody knows it. */
static void
test_list (Fixture *fixture, gconstpointer kind)
{
  beckon_llama_set_window (fixture->llama, 4096);
  g_assert_cmpuint (list_window (fixture), ==, 4096);
  beckon_llama_set_loading (fixture->llama, 1);
  g_assert_cmpuint (list_window (fixture), ==, 0);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*test) (Fixture *, gconstpointer);
  } cases[] = {
    { "reply", test_reply },   { "calls", test_calls }, { "reasoning", test_reasoning }, { "length", test_length },
    { "failures", test_failures }, { "sight", test_sight }, { "cut", test_cut },          { "slots", test_slots },
    { "list", test_list },
  };
  static const BeckonProfileKind kinds[] = { BECKON_PROFILE_CHAT, BECKON_PROFILE_RESPONSES };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint j = 0; j < G_N_ELEMENTS (cases); j++)
      {
        g_autofree char *path = g_strdup_printf ("/llm/llama/%s/%s", beckon_profile_kind_to_string (kinds[i]), cases[j].name);

        g_test_add (path, Fixture, GINT_TO_POINTER (kinds[i]), set_up, cases[j].test, tear_down);
      }
  return g_test_run ();
}
