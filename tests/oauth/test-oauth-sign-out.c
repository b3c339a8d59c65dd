/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sign-outs at a server on loopback that is its own authorization server, whatever that and the keyring do. */

#include "base/beckon-wipe.h"
#include "beckon-oauth-fixture.h"
#include "beckon-test-store.h"
#include "oauth/beckon-oauth-grant.h"
#include "oauth/beckon-oauth.h"

#include <string.h>

#define NOW G_GINT64_CONSTANT (1795000000000000)

typedef struct
{
  BeckonOauthFixture *fixture;
  BeckonClock *clock;
  TestStore *store;
  BeckonOauth *oauth;
  gboolean is_done;
  gboolean is_out;
  char *notice;
  GError *error;
} Test;

static void
use_another (Test *test)
{
  g_clear_object (&test->oauth);
  test->oauth = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (test->store), "server", test->clock);
}

static void
set_up (Test *test, gconstpointer data)
{
  memset (test, 0, sizeof *test);
  test->fixture = beckon_oauth_fixture_new ();
  test->fixture->revokes = TRUE;
  test->clock = beckon_clock_new_manual (NOW);
  test->store = g_object_new (TEST_TYPE_STORE, NULL);
  use_another (test);
}

static void
forget (Test *test)
{
  g_clear_pointer (&test->notice, g_free);
  g_clear_error (&test->error);
  test->is_done = FALSE;
}

static void
tear_down (Test *test, gconstpointer data)
{
  forget (test);
  g_assert_finalize_object (test->oauth);
  g_object_unref (test->store);
  beckon_oauth_fixture_free (test->fixture);
  g_object_unref (test->clock);
}

static void
on_signed_in (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Test *test = user_data;

  beckon_oauth_sign_in_finish (BECKON_OAUTH (source), result, &test->error);
  test->is_done = TRUE;
}

static void
sign_in (Test *test)
{
  forget (test);
  beckon_oauth_sign_in_async (test->oauth, beckon_oauth_fixture_browse, test->fixture, NULL, on_signed_in, test);
  WAIT (test->is_done);
  g_assert_no_error (test->error);
}

static void
on_signed_out (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Test *test = user_data;

  test->is_out = beckon_oauth_sign_out_finish (BECKON_OAUTH (source), result, &test->notice, &test->error);
  test->is_done = TRUE;
}

static void
begin_sign_out (Test *test)
{
  forget (test);
  beckon_oauth_sign_out_async (test->oauth, NULL, on_signed_out, test);
}

static void
sign_out (Test *test)
{
  begin_sign_out (test);
  WAIT (test->is_done);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Test *test = user_data;

  test->is_out = !beckon_oauth_look_finish (BECKON_OAUTH (source), result, &test->error);
  if (test->store->is_broken)
    g_clear_error (&test->error);
  test->is_done = TRUE;
}

static gboolean
is_signed_in (Test *test, gboolean may_ask)
{
  forget (test);
  beckon_oauth_look_async (test->oauth, may_ask, NULL, on_looked, test);
  WAIT (test->is_done);
  return !test->is_out;
}

/* Signed out, here and in the keyring; @is_told: the person hears that the server did not do its part. */
static void
assert_out (Test *test, gboolean is_told)
{
  g_assert_no_error (test->error);
  g_assert_true (test->is_out);
  g_assert_cmpint (test->notice != NULL, ==, is_told);
  g_assert_null (test->store->text);
  g_assert_false (is_signed_in (test, TRUE));
  g_assert_no_error (test->error);
}

static void
assert_revoked (Test *test, guint n, const char *first, const char *second)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&test->fixture->mutex);
  GPtrArray *revoked = test->fixture->revoked;

  g_assert_cmpuint (revoked->len, ==, n);
  if (n > 0)
    g_assert_cmpstr (g_ptr_array_index (revoked, 0), ==, first);
  if (n > 1)
    g_assert_cmpstr (g_ptr_array_index (revoked, 1), ==, second);
  g_assert_cmpuint (test->fixture->n_faults, ==, 0);
}

/* --- Cases -------------------------------------------------------------------------------------------------------- */

static void
test_revoked (Test *test, gconstpointer data)
{
  sign_in (test);
  sign_out (test);
  assert_out (test, FALSE);
  assert_revoked (test, 2, "refresh_token refresh-1", "access_token token-1");
  sign_out (test);
  assert_out (test, FALSE);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/revoke"), ==, 2);
}

/* The tokens that another process keeps, or has renewed, are revoked. */
static void
test_from_keyring (Test *test, gconstpointer data)
{
  sign_in (test);
  use_another (test);
  sign_out (test);
  assert_out (test, FALSE);
  assert_revoked (test, 2, "refresh_token refresh-1", "access_token token-1");
}

/* An access token that has ended is none to be revoked. */
static void
test_expired (Test *test, gconstpointer data)
{
  sign_in (test);
  beckon_clock_advance (test->clock, 3601 * 1000);
  sign_out (test);
  assert_out (test, FALSE);
  assert_revoked (test, 1, "refresh_token refresh-1", NULL);
}

static void
test_not_named (Test *test, gconstpointer data)
{
  test->fixture->revokes = FALSE;
  sign_in (test);
  sign_out (test);
  assert_out (test, FALSE);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/revoke"), ==, 0);
}

/* A server that can't revoke keeps nobody signed in. */
static void
test_refused (Test *test, gconstpointer data)
{
  sign_in (test);
  beckon_oauth_fixture_set (test->fixture, "/revoke", 503, NULL, "{}");
  sign_out (test);
  g_assert_nonnull (strstr (test->notice, "127.0.0.1"));
  assert_out (test, TRUE);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/revoke"), ==, 2);
}

/* A server that never answers is waited for a few seconds, with all that is asked of it. */
static void
test_silent (Test *test, gconstpointer data)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  sign_in (test);
  beckon_fixture_reply_add_hold (reply, "never");
  beckon_oauth_fixture_set_reply (test->fixture, "/revoke", reply);
  begin_sign_out (test);
  WAIT (beckon_fixture_server_count_held (test->fixture->server, "never") == 1);
  beckon_clock_advance (test->clock, BECKON_OAUTH_REVOKE_MS - 1);
  g_assert_false (test->is_done);
  beckon_clock_advance (test->clock, 1);
  WAIT (test->is_done);
  assert_out (test, TRUE);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/revoke"), ==, 1);
}

/* The caller goes; the sign-out does not stop half-way. */
static void
test_left (Test *test, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  sign_in (test);
  beckon_fixture_reply_add_hold (reply, "later");
  beckon_fixture_reply_add_response (reply, 200, NULL, "application/json", "");
  beckon_oauth_fixture_set_reply (test->fixture, "/revoke", reply);
  forget (test);
  beckon_oauth_sign_out_async (test->oauth, cancellable, on_signed_out, test);
  WAIT (beckon_fixture_server_count_held (test->fixture->server, "later") == 1);
  g_cancellable_cancel (cancellable);
  WAIT (test->is_done);
  g_assert_error (test->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  beckon_fixture_server_release (test->fixture->server, "later");
  WAIT (test->store->text == NULL);
  WAIT (beckon_oauth_fixture_count (test->fixture, "/revoke") == 2);
  g_assert_false (is_signed_in (test, TRUE));
}

/* A keyring that stays locked keeps the sign-in, and the person is told; the tokens that are known here end all the same. */
static void
test_locked (Test *test, gconstpointer data)
{
  sign_in (test);
  test->store->is_locked = TRUE;
  sign_out (test);
  g_assert_false (test->is_out);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED);
  assert_revoked (test, 2, "refresh_token refresh-1", "access_token token-1");
  g_assert_nonnull (test->store->text);
  test->store->is_locked = FALSE;
  sign_out (test);
  assert_out (test, FALSE);
}

static void
on_refused (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Test *test = user_data;
  beckon_autowipe char *token = beckon_oauth_refused_finish (BECKON_OAUTH (source), result, &test->error);

  test->is_out = token == NULL;
  test->is_done = TRUE;
}

/* A sign-in in a locked keyring is one: nobody is told to sign in again. */
static void
test_locked_away (Test *test, gconstpointer data)
{
  sign_in (test);
  use_another (test);
  test->store->is_locked = TRUE;
  test->store->n_loads = 0;
  g_assert_false (is_signed_in (test, FALSE));
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED);
  g_assert_cmpuint (test->store->n_loads, ==, 0);
  g_assert_false (is_signed_in (test, TRUE));
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED);
  g_assert_cmpuint (test->store->n_loads, ==, 1);
  forget (test);
  beckon_oauth_refused_async (test->oauth, 401, "Bearer", NULL, NULL, on_refused, test);
  WAIT (test->is_done);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED);
  test->store->is_locked = FALSE;
  g_assert_true (is_signed_in (test, FALSE));
  forget (test);
  beckon_oauth_refused_async (test->oauth, 401, "Bearer", NULL, NULL, on_refused, test);
  WAIT (test->is_done);
  g_assert_no_error (test->error);
}

/* Without a keyring the sign-in was here alone. */
static void
test_no_keyring (Test *test, gconstpointer data)
{
  test->store->is_broken = TRUE;
  sign_in (test);
  sign_out (test);
  assert_out (test, FALSE);
  assert_revoked (test, 2, "refresh_token refresh-1", "access_token token-1");
}

/* A keyring that breaks while the sign-in is in it is no reason to say that it is gone. */
static void
test_broken_keyring (Test *test, gconstpointer data)
{
  sign_in (test);
  test->store->is_broken = TRUE;
  sign_out (test);
  g_assert_false (test->is_out);
  g_assert_error (test->error, G_IO_ERROR, G_IO_ERROR_FAILED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/oauth/sign-out/" name, Test, NULL, set_up, function, tear_down)
  ADD ("revoked", test_revoked);
  ADD ("from-keyring", test_from_keyring);
  ADD ("expired", test_expired);
  ADD ("not-named", test_not_named);
  ADD ("refused", test_refused);
  ADD ("silent", test_silent);
  ADD ("left", test_left);
  ADD ("locked", test_locked);
  ADD ("locked-away", test_locked_away);
  ADD ("no-keyring", test_no_keyring);
  ADD ("broken-keyring", test_broken_keyring);
  return g_test_run ();
}
