/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Endpoints and keys of requests, on a computer without a session bus and so without a keyring. */

#include "base/beckon-error.h"
#include "runtime/beckon-endpoints.h"

typedef struct
{
  gboolean done;
  gboolean ok;
  char *base_url;
  char *key;
  GError *error;
} Outcome;

static void
outcome_clear (Outcome *outcome)
{
  g_free (outcome->base_url);
  g_free (outcome->key);
  g_clear_error (&outcome->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static void
on_resolved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  outcome->ok = beckon_endpoint_source_resolve_finish (BECKON_ENDPOINT_SOURCE (source), result, &outcome->base_url,
                                                       &outcome->key, &outcome->error);
  outcome->done = TRUE;
}

static void
resolve (const char *url, BeckonProfileKind kind, const char *session_key, Outcome *outcome)
{
  g_autoptr (BeckonSecrets) secrets = beckon_secrets_new ();
  g_autoptr (BeckonTour) tour = beckon_tour_new ();
  g_autoptr (BeckonEndpoints) endpoints = beckon_endpoints_new (secrets, tour);
  g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, kind);

  beckon_profile_set_base_url (profile, url);
  if (session_key != NULL)
    g_assert_true (
        beckon_secrets_set_for_session (secrets, beckon_profile_get_id (profile), url, session_key, NULL));
  beckon_endpoint_source_resolve_async (BECKON_ENDPOINT_SOURCE (endpoints), profile, NULL, on_resolved, outcome);
  g_assert_false (outcome->done);
  while (!outcome->done)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_local (gconstpointer url)
{
  g_auto (Outcome) outcome = { 0 };

  resolve (url, BECKON_PROFILE_CHAT, NULL, &outcome);
  g_assert_no_error (outcome.error);
  g_assert_true (outcome.ok);
  g_assert_cmpstr (outcome.base_url, ==, url);
  g_assert_null (outcome.key);
}

static void
test_remote (gconstpointer url)
{
  g_auto (Outcome) outcome = { 0 };

  resolve (url, BECKON_PROFILE_CHAT, NULL, &outcome);
  g_assert_false (outcome.ok);
  g_assert_error (outcome.error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_null (outcome.base_url);
}

static void
test_session_key (void)
{
  g_auto (Outcome) outcome = { 0 };

  resolve ("https://models.example/v1", BECKON_PROFILE_CHAT, "sk-session", &outcome);
  g_assert_no_error (outcome.error);
  g_assert_cmpstr (outcome.key, ==, "sk-session");
}

/* The address of a profile was changed after its key was entered. */
static void
test_moved_profile (void)
{
  g_autoptr (BeckonSecrets) secrets = beckon_secrets_new ();
  g_autoptr (BeckonTour) tour = beckon_tour_new ();
  g_autoptr (BeckonEndpoints) endpoints = beckon_endpoints_new (secrets, tour);
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("moved", BECKON_PROFILE_CHAT);
  const char *const urls[] = { "https://one.example/v1", "https://evil.example/v1", "http://127.0.0.1:9/v1" };

  g_assert_true (beckon_secrets_set_for_session (secrets, "moved", urls[0], "sk-mine", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_auto (Outcome) outcome = { 0 };

      beckon_profile_set_base_url (profile, urls[i]);
      beckon_endpoint_source_resolve_async (BECKON_ENDPOINT_SOURCE (endpoints), profile, NULL, on_resolved, &outcome);
      while (!outcome.done)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpstr (outcome.key, ==, i == 0 ? "sk-mine" : NULL);
      g_assert_true (outcome.ok == (i != 1));
      if (i == 1)
        g_assert_nonnull (strstr (outcome.error->message, "is not sent to https://evil.example:443"));
    }
}

/* Resolves against endpoints that may be bound. */
static void
resolve_with (BeckonEndpoints *endpoints, const char *url, Outcome *outcome)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);

  beckon_profile_set_base_url (profile, url);
  beckon_endpoint_source_resolve_async (BECKON_ENDPOINT_SOURCE (endpoints), profile, NULL, on_resolved, outcome);
  while (!outcome->done)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_environment_key (BeckonEndpoints *endpoints, const char *url, gboolean gets_it)
{
  g_auto (Outcome) outcome = { 0 };

  resolve_with (endpoints, url, &outcome);
  g_assert_cmpstr (outcome.key, ==, gets_it ? "sk-environment" : NULL);
  if (!gets_it)
    {
      g_assert_nonnull (strstr (outcome.error->message, "BECKON_API_KEY goes to https://one.example:443 only"));
      g_assert_null (strstr (outcome.error->message, "sk-environment"));
    }
}

/* The environment's key reaches one server, whatever profiles there are. */
static void
test_environment_key (gconstpointer bound)
{
  g_autoptr (BeckonSecrets) secrets = beckon_secrets_new ();
  g_autoptr (BeckonTour) tour = beckon_tour_new ();
  g_autoptr (BeckonEndpoints) endpoints = beckon_endpoints_new (secrets, tour);

  g_setenv ("BECKON_API_KEY", "sk-environment", TRUE);
  if (bound != NULL)
    {
      beckon_endpoints_bind_environment (endpoints, bound);
      assert_environment_key (endpoints, "https://other.example/v1", FALSE);
    }
  assert_environment_key (endpoints, "https://one.example/v1", TRUE);
  assert_environment_key (endpoints, "https://ONE.example:443/another", TRUE);
  assert_environment_key (endpoints, "https://other.example/v1", FALSE);
  assert_environment_key (endpoints, "http://one.example/v1", FALSE);
  assert_environment_key (endpoints, "https://one.example:8443/v1", FALSE);
  assert_environment_key (endpoints, "https://one.example.other/v1", FALSE);
  g_unsetenv ("BECKON_API_KEY");
}

/* A program is never run for a profile without an address, or from a line that is no command. */
static void
test_key_command (void)
{
  g_autoptr (BeckonSecrets) secrets = beckon_secrets_new ();
  g_autoptr (BeckonTour) tour = beckon_tour_new ();
  g_autoptr (BeckonEndpoints) endpoints = beckon_endpoints_new (secrets, tour);
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);
  const struct
  {
    const char *command;
    const char *origin;
    const char *url;
    const char *key;
    const char *word;
  } cases[] = {
    { "echo tok-1", "https://one.example:443", "https://one.example/v1", "tok-1", NULL },
    { "echo tok-1", "https://one.example:443", "https://ONE.example:443/v2", "tok-1", NULL },
    { "echo tok-1", "https://one.example:443", "https://two.example/v1", NULL, "was entered for https://one.example:443" },
    { "echo tok-1", "https://one.example:443", "http://one.example/v1", NULL, "not sent to http://one.example:80" },
    { "echo tok-1", "", "https://one.example/v1", NULL, "was entered for" },
    { "echo tok-1", "", "nowhere", NULL, "was entered for" },
    { "echo 'tok", "https://one.example:443", "https://one.example/v1", NULL, "cannot be read" },
  };

  /* A key of the session is not asked for where there is a program. */
  g_assert_true (beckon_secrets_set_for_session (secrets, "p", "https://one.example/v1", "sk-session", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = { 0 };

      beckon_profile_set_base_url (profile, cases[i].url);
      g_object_set (profile, "key-command", cases[i].command, "key-origin", cases[i].origin, NULL);
      beckon_endpoint_source_resolve_async (BECKON_ENDPOINT_SOURCE (endpoints), profile, NULL, on_resolved, &outcome);
      while (!outcome.done)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpstr (outcome.key, ==, cases[i].key);
      if (cases[i].word != NULL && strstr (outcome.error->message, cases[i].word) == NULL)
        g_error ("“%s” does not say “%s”", outcome.error->message, cases[i].word);
    }
}

static void
test_tour (void)
{
  g_auto (Outcome) outcome = { 0 };

  resolve (NULL, BECKON_PROFILE_TOUR, NULL, &outcome);
  g_assert_no_error (outcome.error);
  g_assert_true (g_str_has_prefix (outcome.base_url, "http://127.0.0.1:"));
  g_assert_cmpuint (strlen (outcome.key), >=, 16);
}

int
main (int argc, char **argv)
{
  g_unsetenv ("BECKON_API_KEY");
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/runtime/endpoints/no-keyring/localhost", "http://localhost:11434/v1", test_local);
  g_test_add_data_func ("/runtime/endpoints/no-keyring/127-0-0-1", "http://127.0.0.1:8080/v1", test_local);
  g_test_add_data_func ("/runtime/endpoints/no-keyring/ipv6", "http://[::1]:8080/v1", test_local);
  g_test_add_data_func ("/runtime/endpoints/no-keyring/127-1", "http://127.1:8080/v1", test_local);
  g_test_add_data_func ("/runtime/endpoints/no-keyring/network", "http://192.168.1.9:8080/v1", test_local);
  g_test_add_data_func ("/runtime/endpoints/no-keyring/far-number", "http://8.513:8080/v1", test_remote);
  g_test_add_data_func ("/runtime/endpoints/no-keyring/remote", "https://api.example/v1", test_remote);
  g_test_add_data_func ("/runtime/endpoints/no-keyring/looks-local", "https://localhost.example/v1", test_remote);
  g_test_add_data_func ("/runtime/endpoints/no-keyring/user-info", "https://localhost@models.example/v1", test_remote);
  g_test_add_func ("/runtime/endpoints/session-key", test_session_key);
  g_test_add_func ("/faults/D/69-moved-profile", test_moved_profile);
  g_test_add_data_func ("/runtime/endpoints/environment-key/bound", "https://one.example/", test_environment_key);
  g_test_add_data_func ("/runtime/endpoints/environment-key/first", NULL, test_environment_key);
  g_test_add_func ("/runtime/endpoints/key-command", test_key_command);
  g_test_add_func ("/runtime/endpoints/tour", test_tour);
  return g_test_run ();
}
