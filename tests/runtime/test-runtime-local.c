/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Model servers on this computer, and a profile that is tried before it is saved. */

#include "beckon-fixture-server.h"
#include "runtime/beckon-local-models.h"
#include "runtime/beckon-profile-tester.h"
#include "runtime/beckon-endpoints.h"

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
add_candidate (GPtrArray *candidates, const char *name, const char *url)
{
  BeckonProfile *profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);

  beckon_profile_set_name (profile, name);
  beckon_profile_set_base_url (profile, url);
  g_ptr_array_add (candidates, profile);
}

static void
answer (BeckonFixtureServer *server, const char *body)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, 200, NULL, "application/json", body);
  beckon_fixture_server_queue (server, reply);
}

/* One that answers, one that has no model, one that is something else, one that is not there. */
static void
test_found (void)
{
  g_autoptr (BeckonFixtureServer) good = beckon_fixture_server_new (0);
  g_autoptr (BeckonFixtureServer) empty = beckon_fixture_server_new (0);
  g_autoptr (BeckonFixtureServer) other = beckon_fixture_server_new (0);
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *header = NULL;

  g_setenv ("BECKON_API_KEY", "sk-environment", TRUE);
  add_candidate (candidates, "Nobody", "http://127.0.0.1:9/v1");
  add_candidate (candidates, "Other", beckon_fixture_server_get_base_url (other));
  add_candidate (candidates, "Good", beckon_fixture_server_get_base_url (good));
  add_candidate (candidates, "Empty", beckon_fixture_server_get_base_url (empty));
  answer (good, "{\"data\":[{\"id\":\"llama\"},{\"id\":\"qwen\"}]}");
  answer (empty, "{\"data\":[]}");
  answer (other, "<html>A printer</html>");
  beckon_local_models_find_async (candidates, NULL, on_result, &result);
  wait_for (&result);
  found = beckon_local_models_find_finish (result, NULL);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpstr (beckon_profile_get_name (g_ptr_array_index (found, 0)), ==, "Good");
  g_assert_cmpstr (beckon_profile_get_model (g_ptr_array_index (found, 0)), ==, "llama");
  /* No key goes to what merely listens there. */
  header = beckon_fixture_request_dup_header (beckon_fixture_server_get_request (other, 0), "Authorization");
  g_assert_null (header);
  g_unsetenv ("BECKON_API_KEY");
}

static void
test_candidates (void)
{
  g_autoptr (GPtrArray) candidates = beckon_local_models_get_candidates ();

  g_assert_cmpuint (candidates->len, ==, 4);
  g_assert_cmpstr (beckon_profile_get_base_url (g_ptr_array_index (candidates, 0)), ==, "http://127.0.0.1:11434");
}

/* What was typed counts before what is kept. */
static void
test_entered_key (void)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  g_autoptr (BeckonSecrets) secrets = beckon_secrets_new ();
  g_autoptr (BeckonTour) tour = beckon_tour_new ();
  g_autoptr (BeckonEndpoints) endpoints = beckon_endpoints_new (secrets, tour);
  g_autoptr (BeckonProfileTester) tester = beckon_profile_tester_new (BECKON_ENDPOINT_SOURCE (endpoints));
  g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  const char *const keys[] = { NULL, "sk-typed" };

  g_object_set (profile, "name", "Test", "model", "m", "base-url", beckon_fixture_server_get_base_url (server), NULL);
  g_assert_true (beckon_secrets_set_for_session (secrets, beckon_profile_get_id (profile),
                                                  beckon_profile_get_base_url (profile), "sk-kept", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autofree char *header = NULL;

      beckon_fixture_server_queue (server, beckon_fixture_reply_new_chat ("OK"));
      beckon_profile_tester_test_async (tester, profile, keys[i], NULL, on_result, &result);
      wait_for (&result);
      g_assert_true (beckon_profile_tester_test_finish (tester, result, NULL, NULL));
      header = beckon_fixture_request_dup_header (beckon_fixture_server_get_request (server, i), "Authorization");
      g_assert_cmpstr (header, ==, keys[i] == NULL ? "Bearer sk-kept" : "Bearer sk-typed");
    }
}

/* Prices of the table hold at the maker's own service alone; what the list says holds anywhere. */
static void
test_prices (void)
{
  static const struct
  {
    const char *url;
    double listed;
    BeckonFactSource source;
    double price;
  } cases[] = {
    { "https://api.anthropic.com", -1, BECKON_FACT_TABLE, 2 },
    { "https://api.anthropic.com", 7, BECKON_FACT_SERVER, 7 },
    { "https://gateway.example.com", -1, BECKON_FACT_UNKNOWN, 0 },
    { "https://gateway.example.com", 7, BECKON_FACT_SERVER, 7 },
    { "http://127.0.0.1:8080", -1, BECKON_FACT_UNKNOWN, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_ANTHROPIC);
      BeckonModelDetails details = BECKON_MODEL_DETAILS_INIT;
      g_autoptr (BeckonListedModel) model = NULL;

      details.facts.prices[BECKON_PRICE_INPUT] = details.facts.prices[BECKON_PRICE_OUTPUT] = cases[i].listed;
      details.facts.prices_from = cases[i].listed >= 0 ? BECKON_FACT_SERVER : BECKON_FACT_UNKNOWN;
      model = beckon_listed_model_new ("claude-sonnet-5", &details);
      beckon_profile_set_base_url (profile, cases[i].url);
      beckon_profile_set_model (profile, "claude-sonnet-5");
      beckon_profile_tester_keep_facts (model, profile);
      g_assert_cmpint (beckon_profile_get_price_source (profile), ==, cases[i].source);
      g_assert_cmpfloat (beckon_profile_get_effective_price (profile, BECKON_PRICE_INPUT), ==, cases[i].price);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runtime/local/found", test_found);
  g_test_add_func ("/runtime/local/candidates", test_candidates);
  g_test_add_func ("/runtime/scout/entered-key", test_entered_key);
  g_test_add_func ("/runtime/local/prices", test_prices);
  return g_test_run ();
}
