/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/beckon-tries.h"
#include "beckon-agent-fixture.h"
#include "net/beckon-llm-error.h"

/* When a failed request is sent again, and to whom: without a run, and without sending anything. */

#define SECOND G_USEC_PER_SEC

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
add_profile (BeckonAgentFixture *fixture, const char *id, const char *const *fallbacks)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (id, BECKON_PROFILE_CHAT);
  gboolean done = FALSE;

  beckon_profile_set_name (profile, id);
  beckon_profile_set_base_url (profile, "http://127.0.0.1:1/v1");
  beckon_profile_set_model (profile, id);
  beckon_profile_set_fallbacks (profile, fallbacks);
  beckon_profiles_save_async (fixture->profiles, profile, NULL, on_saved, &done);
  beckon_agent_wait_until (done);
}

/* The tries of a profile "own" with these fallbacks, of which "gone" is not there. */
static BeckonTries *
make_tries (BeckonAgentFixture *fixture, const char *const *fallbacks)
{
  for (guint i = 0; fallbacks[i] != NULL; i++)
    if (!g_str_equal (fallbacks[i], "gone"))
      add_profile (fixture, fallbacks[i], NULL);
  add_profile (fixture, "own", fallbacks);
  return beckon_tries_new (fixture->profiles, fixture->settings, "own");
}

static BeckonNextTry
fail_at (BeckonTries *tries, BeckonLlmError code, gint64 retry_after_ms, gint64 now, gint64 *delay_ms)
{
  g_autoptr (GError) error = g_error_new_literal (BECKON_LLM_ERROR, (int) code, "No");

  return beckon_tries_fail (tries, error, retry_after_ms, now, delay_ms);
}

static BeckonNextTry
fail (BeckonTries *tries, BeckonLlmError code, gint64 retry_after_ms)
{
  gint64 delay_ms;

  return fail_at (tries, code, retry_after_ms, 1, &delay_ms);
}

static void
assert_profile (BeckonTries *tries, const char *id)
{
  g_assert_cmpstr (beckon_profile_get_id (beckon_tries_get_profile (tries)), ==, id);
}

static const char *const nobody[] = { NULL };
static const char *const two[] = { "first", "gone", "second", NULL };

/* Each time it waits twice as long and up to a quarter more; the third failure is the last. */
static void
test_backoff (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTries) tries = make_tries (fixture, nobody);

  for (guint round = 0; round < 2; round++)
    {
      gint64 delay_ms;

      beckon_tries_begin (tries);
      g_assert_cmpint (fail_at (tries, BECKON_LLM_ERROR_SERVER, -1, 1, &delay_ms), ==, BECKON_NEXT_TRY_LATER);
      g_assert_true (delay_ms >= 1000 && delay_ms < 1250);
      g_assert_cmpint (fail_at (tries, BECKON_LLM_ERROR_RATE, -1, 1, &delay_ms), ==, BECKON_NEXT_TRY_LATER);
      g_assert_true (delay_ms >= 2000 && delay_ms < 2500);
      g_assert_cmpint (fail_at (tries, BECKON_LLM_ERROR_SERVER, -1, 1, &delay_ms), ==, BECKON_NEXT_TRY_NONE);
    }
}

static void
test_retry_after (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTries) tries = make_tries (fixture, nobody);
  gint64 delay_ms;

  g_assert_cmpint (fail_at (tries, BECKON_LLM_ERROR_RATE, 60000, 1, &delay_ms), ==, BECKON_NEXT_TRY_LATER);
  g_assert_cmpint (delay_ms, ==, 60000);
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_RATE, 60001), ==, BECKON_NEXT_TRY_NONE);
}

/* Another try would be answered in the same way. */
static void
test_hopeless (void)
{
  static const BeckonLlmError codes[] = { BECKON_LLM_ERROR_AUTH, BECKON_LLM_ERROR_REJECTED, BECKON_LLM_ERROR_MODEL };
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTries) tries = make_tries (fixture, nobody);

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      beckon_tries_begin (tries);
      g_assert_cmpint (fail (tries, codes[i], 1), ==, BECKON_NEXT_TRY_NONE);
    }
}

/* A model that is being loaded is waited for as long as that takes, for ten minutes, and then fails like any server. */
static void
test_loading (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTries) tries = make_tries (fixture, nobody);
  gint64 delay_ms;

  for (gint64 second = 1; second < 600; second += 2)
    {
      g_assert_cmpint (fail_at (tries, BECKON_LLM_ERROR_LOADING, -1, second * SECOND, &delay_ms), ==, BECKON_NEXT_TRY_LATER);
      g_assert_cmpint (delay_ms, ==, 2000);
    }
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (fail_at (tries, BECKON_LLM_ERROR_LOADING, -1, 601 * SECOND, &delay_ms), ==, BECKON_NEXT_TRY_LATER);
  g_assert_cmpint (fail_at (tries, BECKON_LLM_ERROR_LOADING, -1, 601 * SECOND, &delay_ms), ==, BECKON_NEXT_TRY_NONE);
}

/* They are asked in their order, each once; one that is not there is passed over, and the run stays with the last. */
static void
test_fallbacks (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTries) tries = make_tries (fixture, two);

  assert_profile (tries, "own");
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_REJECTED, -1), ==, BECKON_NEXT_TRY_NONE);
  assert_profile (tries, "own");
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_AUTH, -1), ==, BECKON_NEXT_TRY_FALLBACK);
  assert_profile (tries, "first");
  /* A fallback has tries of its own. */
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_SERVER, -1), ==, BECKON_NEXT_TRY_LATER);
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_SERVER, -1), ==, BECKON_NEXT_TRY_LATER);
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_SERVER, -1), ==, BECKON_NEXT_TRY_FALLBACK);
  assert_profile (tries, "second");
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_AUTH, -1), ==, BECKON_NEXT_TRY_NONE);
  beckon_tries_begin (tries);
  assert_profile (tries, "second");
}

/* A fallback is asked at once rather than after five seconds. */
static void
test_impatient (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTries) tries = make_tries (fixture, two);

  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_RATE, 5000), ==, BECKON_NEXT_TRY_LATER);
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_RATE, 5001), ==, BECKON_NEXT_TRY_FALLBACK);
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_RATE, 5001), ==, BECKON_NEXT_TRY_FALLBACK);
  /* No profile is left to ask. */
  g_assert_cmpint (fail (tries, BECKON_LLM_ERROR_RATE, 5001), ==, BECKON_NEXT_TRY_LATER);
}

/* The profile of a run may be deleted while it runs. */
static void
test_gone (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autofree char *in_use = beckon_settings_dup_default_profile (fixture->settings);
  g_autoptr (BeckonTries) tries = beckon_tries_new (fixture->profiles, fixture->settings, "gone");

  assert_profile (tries, in_use);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/tries/backoff", test_backoff);
  g_test_add_func ("/agent/tries/retry-after", test_retry_after);
  g_test_add_func ("/agent/tries/hopeless", test_hopeless);
  g_test_add_func ("/agent/tries/loading", test_loading);
  g_test_add_func ("/agent/tries/fallbacks", test_fallbacks);
  g_test_add_func ("/agent/tries/impatient", test_impatient);
  g_test_add_func ("/agent/tries/gone", test_gone);
  return g_test_run ();
}
