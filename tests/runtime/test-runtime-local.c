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

/* Four servers: it answers, it has no model, it is something else, it is not there. */
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

/* A key that was typed counts before one that is kept. */
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

/* --- The models of a server --------------------------------------------------------------------------------------- */

#define MODELS "{\"data\":[{\"id\":\"zeta\"},{\"id\":\"alpha\",\"created\":1},{\"id\":\"Beta\"},{\"id\":\"alpha\"}]}"

typedef struct
{
  BeckonFixtureServer *server;
  BeckonProfileTester *tester;
  BeckonProfile *profile;
} Asked;

static void
set_up (Asked *asked, gconstpointer data)
{
  g_autoptr (BeckonSecrets) secrets = beckon_secrets_new ();
  g_autoptr (BeckonTour) tour = beckon_tour_new ();
  g_autoptr (BeckonEndpoints) endpoints = beckon_endpoints_new (secrets, tour);

  asked->server = beckon_fixture_server_new (0);
  asked->tester = beckon_profile_tester_new (BECKON_ENDPOINT_SOURCE (endpoints));
  asked->profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  beckon_profile_set_base_url (asked->profile, beckon_fixture_server_get_base_url (asked->server));
}

static void
tear_down (Asked *asked, gconstpointer data)
{
  g_object_unref (asked->profile);
  g_object_unref (asked->tester);
  beckon_fixture_server_free (asked->server);
}

/* The list is in the order of its names, and known again for the server that it is from alone. */
static void
test_listed (Asked *asked, gconstpointer data)
{
  static const char *const names[] = { "alpha", "Beta", "zeta" };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) models = NULL;

  beckon_profile_set_model (asked->profile, "Beta");
  g_assert_null (beckon_profile_tester_find (asked->tester, asked->profile));
  answer (asked->server, MODELS);
  beckon_profile_tester_list_models_async (asked->tester, asked->profile, "sk-typed", NULL, on_result, &result);
  wait_for (&result);
  models = beckon_profile_tester_list_models_finish (asked->tester, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (models->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < models->len; i++)
    g_assert_cmpstr (beckon_listed_model_get_name (g_ptr_array_index (models, i)), ==, names[i]);

  g_assert_nonnull (beckon_profile_tester_find (asked->tester, asked->profile));
  beckon_profile_set_model (asked->profile, "beta");
  g_assert_null (beckon_profile_tester_find (asked->tester, asked->profile));
  beckon_profile_set_model (asked->profile, "Beta");
  beckon_profile_set_base_url (asked->profile, "https://other.example");
  g_assert_null (beckon_profile_tester_find (asked->tester, asked->profile));
}

/* The words say so where a person has to choose, and the profile is as it was. */
static void
test_not_chosen (Asked *asked, gconstpointer data)
{
  static const struct
  {
    const char *body;
    const char *words;
  } cases[] = {
    { MODELS, "Choose one of the server’s models." },
    { "{\"data\":[]}", "The server lists no models. Enter a model name." },
    { "{\"data\":7}", NULL },
    { "<html>", NULL },
  };

  beckon_profile_set_model (asked->profile, "mine");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      answer (asked->server, cases[i].body);
      beckon_profile_tester_choose_async (asked->tester, asked->profile, NULL, NULL, NULL, on_result, &result);
      wait_for (&result);
      g_assert_false (beckon_profile_tester_choose_finish (asked->tester, result, &error));
      if (cases[i].words != NULL)
        g_assert_cmpstr (error->message, ==, cases[i].words);
      g_assert_nonnull (error);
      g_assert_cmpstr (beckon_profile_get_model (asked->profile), ==, "mine");
    }
}

/* At a proxy's address the provider that was chosen says which model is the newest. */
static void
test_chosen (Asked *asked, gconstpointer data)
{
  static const char body[] = "{\"data\":[{\"id\":\"claude-haiku-4-5\"},{\"id\":\"claude-sonnet-4-5\"},{\"id\":\"other\"}]}";
  BeckonPreset *preset = beckon_preset_lookup ("anthropic");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  answer (asked->server, body);
  beckon_profile_tester_choose_async (asked->tester, asked->profile, preset, NULL, NULL, on_result, &result);
  wait_for (&result);
  g_assert_true (beckon_profile_tester_choose_finish (asked->tester, result, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (beckon_profile_get_model (asked->profile), ==, "claude-sonnet-4-5");
}

static void
test_cancelled (Asked *asked, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_hold (reply, "hold");
  beckon_fixture_reply_add_response (reply, 200, NULL, "application/json", MODELS);
  beckon_fixture_server_queue (asked->server, reply);
  beckon_profile_tester_choose_async (asked->tester, asked->profile, NULL, NULL, cancellable, on_result, &result);
  while (beckon_fixture_server_count_held (asked->server, "hold") == 0)
    g_main_context_iteration (NULL, FALSE);
  g_cancellable_cancel (cancellable);
  wait_for (&result);
  g_assert_false (beckon_profile_tester_choose_finish (asked->tester, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  beckon_fixture_server_release (asked->server, "hold");
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
#define ADD(name, function) g_test_add ("/runtime/scout/" name, Asked, NULL, set_up, function, tear_down)
  ADD ("listed", test_listed);
  ADD ("not-chosen", test_not_chosen);
  ADD ("chosen", test_chosen);
  ADD ("cancelled", test_cancelled);
  g_test_add_func ("/runtime/local/prices", test_prices);
  return g_test_run ();
}
