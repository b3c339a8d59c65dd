/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sign-ins to a server on loopback that is its own authorization server, with a browser that says yes. */

#include "beckon-oauth-fixture.h"
#include "beckon-test-store.h"
#include "beckon-test-wallet.h"
#include "oauth/beckon-oauth-grant.h"
#include "oauth/beckon-oauth.h"

#include <string.h>

#define CHALLENGE "Bearer scope=\"read\""
#define NOW G_GINT64_CONSTANT (1795000000000000)

typedef struct
{
  BeckonOauthFixture *fixture;
  BeckonClock *clock;
  BeckonOauth *oauth;
  GCancellable *cancellable;
  guint n_pages;
} Test;

typedef struct
{
  gboolean is_done;
  char *token;
  GError *error;
} Result;

static void
set_up (Test *test, gconstpointer data)
{
  memset (test, 0, sizeof *test);
  test->fixture = beckon_oauth_fixture_new ();
  test->clock = beckon_clock_new_manual (NOW);
  test->cancellable = g_cancellable_new ();
  test->oauth = beckon_oauth_new (test->fixture->url, NULL, "server", test->clock);
}

static void
tear_down (Test *test, gconstpointer data)
{
  g_assert_finalize_object (test->oauth);
  g_object_unref (test->cancellable);
  beckon_oauth_fixture_free (test->fixture);
  g_object_unref (test->clock);
}

static void
browse (const char *url, gpointer user_data)
{
  Test *test = user_data;

  test->n_pages++;
  beckon_oauth_fixture_browse (url, test->fixture);
}

/* A person who does not come back. */
static void
ignore (const char *url, gpointer user_data)
{
  ((Test *) user_data)->n_pages++;
}

static void
on_token (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Result *into = user_data;

  into->token = beckon_oauth_get_token_finish (BECKON_OAUTH (source), result, &into->error);
  into->is_done = TRUE;
}

static void
on_refused (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Result *into = user_data;

  into->token = beckon_oauth_refused_finish (BECKON_OAUTH (source), result, &into->error);
  into->is_done = TRUE;
}

static void
clear (Result *result)
{
  g_clear_pointer (&result->token, g_free);
  g_clear_error (&result->error);
  result->is_done = FALSE;
}

static void
refuse (Test *test, guint status, const char *challenge, const char *token, Result *result)
{
  clear (result);
  beckon_oauth_refused_async (test->oauth, status, challenge, token, test->cancellable, on_refused, result);
  WAIT (result->is_done);
}

static void
get_token (Test *test, Result *result)
{
  clear (result);
  beckon_oauth_get_token_async (test->oauth, NULL, on_token, result);
  WAIT (result->is_done);
}

static void
assert_token (Test *test, Result *result, const char *token)
{
  g_assert_no_error (result->error);
  g_assert_cmpstr (result->token, ==, token);
  g_assert_cmpuint (test->fixture->n_faults, ==, 0);
}

static void
sign_in (Test *test, Result *result)
{
  beckon_oauth_set_browser (test->oauth, browse, test);
  refuse (test, 401, CHALLENGE, NULL, result);
}

static void
test_whole (Test *test, gconstpointer data)
{
  Result result = { 0 };

  get_token (test, &result);
  assert_token (test, &result, NULL);
  sign_in (test, &result);
  assert_token (test, &result, "token-1");
  g_assert_cmpuint (test->n_pages, ==, 1);
  g_assert_cmpuint (test->fixture->n_registrations, ==, 1);
  get_token (test, &result);
  assert_token (test, &result, "token-1");
  clear (&result);
}

static void
test_needed (Test *test, gconstpointer data)
{
  Result result = { 0 };

  refuse (test, 401, CHALLENGE, NULL, &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_NEEDED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->fixture->server), ==, 0);
  clear (&result);
}

static void
on_signed_in (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Result *into = user_data;

  beckon_oauth_sign_in_finish (BECKON_OAUTH (source), result, &into->error);
  into->is_done = TRUE;
}

static void
test_by_hand (Test *test, gconstpointer data)
{
  Result result = { 0 };

  beckon_oauth_sign_in_async (test->oauth, browse, test, NULL, on_signed_in, &result);
  WAIT (result.is_done);
  assert_token (test, &result, NULL);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/mcp"), ==, 1);
  get_token (test, &result);
  assert_token (test, &result, "token-1");

  /* Again, for another account: this program is known there already. */
  clear (&result);
  beckon_oauth_sign_in_async (test->oauth, browse, test, NULL, on_signed_in, &result);
  WAIT (result.is_done);
  assert_token (test, &result, NULL);
  get_token (test, &result);
  assert_token (test, &result, "token-2");
  g_assert_cmpuint (test->fixture->n_registrations, ==, 1);
  clear (&result);
}

/* Five requests are refused at once: one sign-in, one token. */
static void
test_together (Test *test, gconstpointer data)
{
  Result results[5] = { 0 };

  beckon_oauth_set_browser (test->oauth, browse, test);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    beckon_oauth_refused_async (test->oauth, 401, CHALLENGE, NULL, NULL, on_refused, &results[i]);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      WAIT (results[i].is_done);
      assert_token (test, &results[i], "token-1");
      clear (&results[i]);
    }
  g_assert_cmpuint (test->n_pages, ==, 1);
}

/* Before its end, by whoever needs it first; the refresh token that came with it is the next one. */
static void
test_renewal (Test *test, gconstpointer data)
{
  Result results[3] = { 0 };

  sign_in (test, &results[0]);
  beckon_clock_advance (test->clock, 3599 * 1000);
  clear (&results[0]);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    beckon_oauth_get_token_async (test->oauth, NULL, on_token, &results[i]);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      WAIT (results[i].is_done);
      assert_token (test, &results[i], "token-2");
    }
  beckon_clock_advance (test->clock, 120 * 1000);
  refuse (test, 401, CHALLENGE, "token-2", &results[0]);
  assert_token (test, &results[0], "token-3");
  g_assert_cmpuint (test->n_pages, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    clear (&results[i]);
}

/* A refresh token that was revoked: the person again, with the same registration where the port is free. */
static void
test_revoked (Test *test, gconstpointer data)
{
  Result result = { 0 };

  sign_in (test, &result);
  test->fixture->n_tokens = 7;
  beckon_clock_advance (test->clock, 120 * 1000);
  beckon_oauth_set_browser (test->oauth, NULL, NULL);
  refuse (test, 401, CHALLENGE, "token-1", &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_NEEDED);
  g_assert_cmpuint (test->fixture->n_faults, ==, 1);
  get_token (test, &result);
  g_assert_null (result.token);
  test->fixture->n_faults = 0;
  sign_in (test, &result);
  assert_token (test, &result, "token-8");
  clear (&result);
}

/* Scopes that are missing are asked for beside those that there are; asked for already, they are not asked for again. */
static void
test_scopes (Test *test, gconstpointer data)
{
  Result result = { 0 };

  sign_in (test, &result);
  refuse (test, 403, "Bearer error=\"insufficient_scope\", scope=\"write\"", "token-1", &result);
  assert_token (test, &result, "token-2");
  g_assert_nonnull (strstr (beckon_oauth_fixture_get_last (test->fixture, "/authorize")->path, "&scope=read%20write&"));
  refuse (test, 403, "Bearer error=\"insufficient_scope\", scope=\"write\"", "token-2", &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED);
  refuse (test, 403, NULL, "token-2", &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED);
  g_assert_cmpuint (test->n_pages, ==, 2);
  clear (&result);
}

/* Each case leads astray, and no code or token is asked for by it. */
static const struct
{
  const char *name;
  const char *path;
  const char *body; /* %s is the root */
  int code;
} hostile[] = {
  { "resource", "/.well-known/oauth-protected-resource/mcp",
    "{\"resource\":\"https://evil.example/mcp\",\"authorization_servers\":[\"%1$s\"]}", BECKON_OAUTH_ERROR_UNSAFE },
  { "issuer-file", "/.well-known/oauth-protected-resource/mcp",
    "{\"resource\":\"%1$s/mcp\",\"authorization_servers\":[\"file:///etc\"]}", BECKON_OAUTH_ERROR_UNSAFE },
  { "issuer-plain", "/.well-known/oauth-protected-resource/mcp",
    "{\"resource\":\"%1$s/mcp\",\"authorization_servers\":[\"http://as.example\"]}", BECKON_OAUTH_ERROR_UNSAFE },
  { "no-issuer", "/.well-known/oauth-protected-resource/mcp", "{\"resource\":\"%1$s/mcp\"}", BECKON_OAUTH_ERROR_PROTOCOL },
  { "other-name", "/.well-known/oauth-authorization-server",
    "{\"issuer\":\"%1$s/tenant\",\"authorization_endpoint\":\"%1$s/authorize\",\"token_endpoint\":\"%1$s/token\","
    "\"code_challenge_methods_supported\":[\"S256\"]}", BECKON_OAUTH_ERROR_UNSAFE },
  { "no-pkce", "/.well-known/oauth-authorization-server",
    "{\"issuer\":\"%1$s\",\"authorization_endpoint\":\"%1$s/authorize\",\"token_endpoint\":\"%1$s/token\"}",
    BECKON_OAUTH_ERROR_UNSAFE },
  { "page-command", "/.well-known/oauth-authorization-server",
    "{\"issuer\":\"%1$s\",\"authorization_endpoint\":\"file:/c:/windows/system32/calc.exe\",\"token_endpoint\":\"%1$s/token\","
    "\"code_challenge_methods_supported\":[\"S256\"]}", BECKON_OAUTH_ERROR_UNSAFE },
  { "token-plain", "/.well-known/oauth-authorization-server",
    "{\"issuer\":\"%1$s\",\"authorization_endpoint\":\"%1$s/authorize\",\"token_endpoint\":\"http://as.example/token\","
    "\"code_challenge_methods_supported\":[\"S256\"]}", BECKON_OAUTH_ERROR_UNSAFE },
  { "no-registration", "/.well-known/oauth-authorization-server",
    "{\"issuer\":\"%1$s\",\"authorization_endpoint\":\"%1$s/authorize\",\"token_endpoint\":\"%1$s/token\","
    "\"code_challenge_methods_supported\":[\"S256\"]}", BECKON_OAUTH_ERROR_REFUSED },
};

static void
test_hostile (Test *test, gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  Result result = { 0 };
  g_auto (GStrv) parts = g_strsplit (hostile[i].body, "%1$s", -1);
  g_autofree char *body = g_strjoinv (test->fixture->root, parts);

  beckon_oauth_fixture_set (test->fixture, hostile[i].path, 200, NULL, body);
  sign_in (test, &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, hostile[i].code);
  g_assert_cmpuint (test->n_pages, ==, 0);
  g_assert_null (beckon_oauth_fixture_get_last (test->fixture, "/token"));
  clear (&result);
}

/* The browser's answer: under the wrong name nothing of it is used, nor its error shown. */
static const struct
{
  const char *name;
  gboolean names_itself;
  const char *answer;
  const char *add; /* %s is the root */
  int code;        /* -1 for none */
} brought[] = {
  { "iss-same", TRUE, NULL, "&iss=%1$s", -1 },
  { "iss-same-unannounced", FALSE, NULL, "&iss=%1$s", -1 },
  { "iss-missing", TRUE, NULL, "", BECKON_OAUTH_ERROR_UNSAFE },
  { "iss-wrong", TRUE, NULL, "&iss=https%%3A%%2F%%2Fevil.example", BECKON_OAUTH_ERROR_UNSAFE },
  { "iss-wrong-unannounced", FALSE, NULL, "&iss=https%%3A%%2F%%2Fevil.example", BECKON_OAUTH_ERROR_UNSAFE },
  { "iss-slash", TRUE, NULL, "&iss=%1$s/", BECKON_OAUTH_ERROR_UNSAFE },
  { "denied", FALSE, "error=access_denied", "", BECKON_OAUTH_ERROR_REFUSED },
  { "denied-by-another", TRUE, "error=access_denied", "&iss=https%%3A%%2F%%2Fevil.example", BECKON_OAUTH_ERROR_UNSAFE },
  { "nothing", FALSE, "x=y", "", BECKON_OAUTH_ERROR_PROTOCOL },
};

static char *
fill (BeckonOauthFixture *fixture, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "%1$s", -1);
  g_autofree char *filled = g_strjoinv (fixture->root, parts);
  g_auto (GStrv) again = g_strsplit (filled, "%%", -1);

  return g_strjoinv ("%", again);
}

static void
visit_with (const char *url, gpointer user_data)
{
  Test *test = user_data;
  const char *state = strstr (url, "&state=");

  test->n_pages++;
  if (test->fixture->answer != NULL)
    {
      g_autofree char *words = g_strdup_printf ("%s%.*s", test->fixture->answer, (int) (7 + 43), state);

      g_mutex_lock (&test->fixture->mutex);
      test->fixture->answer = g_intern_string (words);
      g_mutex_unlock (&test->fixture->mutex);
    }
  beckon_oauth_fixture_browse (url, test->fixture);
}

static void
test_brought (Test *test, gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  Result result = { 0 };
  g_autofree char *add = fill (test->fixture, brought[i].add);
  g_autofree char *metadata
      = g_strdup_printf ("{\"issuer\":\"%1$s\",\"authorization_endpoint\":\"%1$s/authorize\",\"token_endpoint\":\"%1$s/token\","
                         "\"registration_endpoint\":\"%1$s/register\",\"code_challenge_methods_supported\":[\"S256\"],"
                         "\"authorization_response_iss_parameter_supported\":%2$s}",
                         test->fixture->root, brought[i].names_itself ? "true" : "false");

  beckon_oauth_fixture_set (test->fixture, "/.well-known/oauth-authorization-server", 200, NULL, metadata);
  test->fixture->answer = brought[i].answer;
  test->fixture->add = add;
  beckon_oauth_set_browser (test->oauth, visit_with, test);
  refuse (test, 401, CHALLENGE, NULL, &result);
  if (brought[i].code < 0)
    assert_token (test, &result, "token-1");
  else
    {
      g_assert_error (result.error, BECKON_OAUTH_ERROR, brought[i].code);
      g_assert_null (beckon_oauth_fixture_get_last (test->fixture, "/token"));
    }
  clear (&result);
}

/* The server and the authorization server write one name with and without the slash of an empty path. What comes back in the
 * browser is still held against the name that the authorization server gives itself, and a client of one name is one of the other. */
static void
test_slash (Test *test, gconstpointer data)
{
  gboolean is_behind = GPOINTER_TO_INT (data);
  Result result = { 0 };
  g_autofree char *resource = g_strdup_printf ("{\"resource\":\"%s\",\"authorization_servers\":[\"%s%s\"]}", test->fixture->url,
                                               test->fixture->root, is_behind ? "" : "/");
  g_autofree char *metadata
      = g_strdup_printf ("{\"issuer\":\"%1$s%2$s\",\"authorization_endpoint\":\"%1$s/authorize\",\"token_endpoint\":\"%1$s/token\","
                         "\"registration_endpoint\":\"%1$s/register\",\"code_challenge_methods_supported\":[\"S256\"],"
                         "\"authorization_response_iss_parameter_supported\":true}",
                         test->fixture->root, is_behind ? "/" : "");
  g_autofree char *add = g_strdup_printf ("&iss=%s%s", test->fixture->root, is_behind ? "/" : "");

  beckon_oauth_fixture_set (test->fixture, "/.well-known/oauth-protected-resource/mcp", 200, NULL, resource);
  beckon_oauth_fixture_set (test->fixture, "/.well-known/oauth-authorization-server", 200, NULL, metadata);
  test->fixture->add = add;
  sign_in (test, &result);
  assert_token (test, &result, "token-1");
  beckon_clock_advance (test->clock, 3600 * 1000);
  refuse (test, 401, CHALLENGE, "token-1", &result);
  assert_token (test, &result, "token-2");
  clear (&result);
}

/* A stranger's visit at the port changes nothing, and the time ends it. */
static void
test_stranger (Test *test, gconstpointer data)
{
  Result result = { 0 };

  test->fixture->answer = "code=stolen&state=guessed";
  beckon_oauth_set_browser (test->oauth, browse, test);
  beckon_oauth_refused_async (test->oauth, 401, CHALLENGE, NULL, NULL, on_refused, &result);
  WAIT (beckon_oauth_fixture_count (test->fixture, "/authorize") == 1);
  for (guint i = 0; i < 50; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_false (result.is_done);
  beckon_clock_advance (test->clock, 601 * 1000);
  WAIT (result.is_done);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_FAILED);
  g_assert_null (beckon_oauth_fixture_get_last (test->fixture, "/token"));
  clear (&result);
}

/* An answer without an end, one without a beginning, and one that is too long. */
static void
test_slow (Test *test, gconstpointer data)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  Result result = { 0 };

  beckon_fixture_reply_add (reply, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", -1);
  beckon_fixture_reply_add_hold (reply, "never");
  beckon_oauth_fixture_set_reply (test->fixture, "/.well-known/oauth-protected-resource/mcp", reply);
  beckon_oauth_set_browser (test->oauth, browse, test);
  beckon_oauth_refused_async (test->oauth, 401, CHALLENGE, NULL, NULL, on_refused, &result);
  WAIT (beckon_fixture_server_count_held (test->fixture->server, "never") == 1);
  beckon_clock_advance (test->clock, 31 * 1000);
  WAIT (result.is_done);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_FAILED);
  clear (&result);
}

static void
test_huge (Test *test, gconstpointer data)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  Result result = { 0 };

  beckon_fixture_reply_add (reply, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n", -1);
  beckon_fixture_reply_add_repeated (reply, "                ", -1, 1 << 20);
  beckon_fixture_reply_add_close (reply);
  beckon_oauth_fixture_set_reply (test->fixture, "/.well-known/oauth-protected-resource/mcp", reply);
  sign_in (test, &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_PROTOCOL);
  clear (&result);
}

/* A redirect to another server gets nothing; a metadata place that only has a page is none. */
static void
test_redirects (Test *test, gconstpointer data)
{
  Result result = { 0 };

  beckon_oauth_fixture_set (test->fixture, "/token", 307, "Location: https://evil.example/token\r\n", "");
  sign_in (test, &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 1);
  clear (&result);
}

static void
test_old (Test *test, gconstpointer data)
{
  Result result = { 0 };

  beckon_oauth_fixture_set (test->fixture, "/.well-known/oauth-protected-resource/mcp", 200, NULL, "<!DOCTYPE html>");
  beckon_oauth_fixture_set (test->fixture, "/.well-known/oauth-authorization-server", 404, NULL, "");
  sign_in (test, &result);
  assert_token (test, &result, "token-1");
  clear (&result);
}

/* Cancelled while the person is in the browser: the port is closed, and the next sign-in works. */
static void
test_cancelled (Test *test, gconstpointer data)
{
  Result result = { 0 };

  beckon_oauth_set_browser (test->oauth, ignore, test);
  beckon_oauth_refused_async (test->oauth, 401, CHALLENGE, NULL, test->cancellable, on_refused, &result);
  WAIT (test->n_pages == 1);
  g_cancellable_cancel (test->cancellable);
  WAIT (result.is_done);
  g_assert_error (result.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_cancellable_reset (test->cancellable);
  sign_in (test, &result);
  assert_token (test, &result, "token-1");
  clear (&result);
}

/* No token, code or verifier stands in an error, whatever a server says. */
static void
test_quiet (Test *test, gconstpointer data)
{
  Result result = { 0 };

  sign_in (test, &result);
  beckon_clock_advance (test->clock, 120 * 1000);
  beckon_oauth_fixture_set (test->fixture, "/token", 500, NULL, "{\"error\":\"refresh-1 token-1\"}");
  refuse (test, 401, CHALLENGE, "token-1", &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_FAILED);
  g_assert_null (strstr (result.error->message, "token-1"));
  g_assert_null (strstr (result.error->message, "refresh-1"));
  clear (&result);
}

/* --- What is kept ------------------------------------------------------------------------------------------------- */

static void
use_store (Test *test, TestStore *store)
{
  g_assert_finalize_object (test->oauth);
  test->oauth = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (store), "server", test->clock);
}

/* The next start has the token without the person, and asks the keyring only for a server that wants one. */
static void
test_kept (Test *test, gconstpointer data)
{
  g_autoptr (TestStore) store = g_object_new (TEST_TYPE_STORE, NULL);
  Result result = { 0 };

  use_store (test, store);
  sign_in (test, &result);
  assert_token (test, &result, "token-1");
  use_store (test, store);
  store->n_loads = 0;
  get_token (test, &result);
  assert_token (test, &result, NULL);
  g_assert_cmpuint (store->n_loads, ==, 0);
  refuse (test, 401, CHALLENGE, NULL, &result);
  assert_token (test, &result, "token-1");
  g_assert_cmpuint (test->n_pages, ==, 1);
  clear (&result);
}

/* Two servers on one host, at two paths: what was signed in to at one is nothing at the other. */
static void
test_other_path (Test *test, gconstpointer data)
{
  g_autoptr (TestStore) store = g_object_new (TEST_TYPE_STORE, NULL);
  g_autofree char *other = g_strconcat (test->fixture->root, "/other", NULL);
  g_autofree char *below = g_strconcat (test->fixture->url, "/below", NULL);
  Result result = { 0 };

  use_store (test, store);
  sign_in (test, &result);
  g_assert_finalize_object (test->oauth);
  test->oauth = beckon_oauth_new (other, BECKON_OAUTH_STORE (store), "server", test->clock);
  refuse (test, 401, CHALLENGE, NULL, &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_NEEDED);
  get_token (test, &result);
  assert_token (test, &result, NULL);
  g_assert_finalize_object (test->oauth);
  test->oauth = beckon_oauth_new (below, BECKON_OAUTH_STORE (store), "server", test->clock);
  refuse (test, 401, CHALLENGE, NULL, &result);
  assert_token (test, &result, "token-1");
  clear (&result);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Result *into = user_data;

  into->token = g_strdup (beckon_oauth_look_finish (BECKON_OAUTH (source), result, &into->error) ? "there" : NULL);
  into->is_done = TRUE;
}

static void
look (Test *test, const char *expected)
{
  Result result = { 0 };

  beckon_oauth_look_async (test->oauth, FALSE, NULL, on_looked, &result);
  WAIT (result.is_done);
  assert_token (test, &result, expected);
  clear (&result);
}

/* A page that shows whether there is a sign-in has nobody asked to unlock the keyring, and is right after another start. */
static void
test_looked_at (Test *test, gconstpointer data)
{
  g_autoptr (TestStore) store = g_object_new (TEST_TYPE_STORE, NULL);
  Result result = { 0 };

  use_store (test, store);
  look (test, NULL);
  g_assert_cmpuint (store->n_loads, ==, 0);
  sign_in (test, &result);
  look (test, "there");
  use_store (test, store);
  store->n_loads = 0;
  look (test, "there");
  g_assert_cmpuint (store->n_loads, ==, 0);
  g_assert_cmpuint (store->n_looks, ==, 2);
  get_token (test, &result);
  assert_token (test, &result, "token-1");
  store->is_broken = TRUE;
  use_store (test, store);
  clear (&result);
  beckon_oauth_look_async (test->oauth, FALSE, NULL, on_looked, &result);
  WAIT (result.is_done);
  g_assert_error (result.error, G_IO_ERROR, G_IO_ERROR_FAILED);
  clear (&result);
}

/* A server that has forgotten the registration shows a page that leads nowhere. The next sign-in, here in another process,
 * registers anew; one that is well then is used again. What there was stays until then. */
static void
test_forgotten (Test *test, gconstpointer data)
{
  g_autoptr (TestStore) store = g_object_new (TEST_TYPE_STORE, NULL);
  g_autoptr (BeckonOauthGrant) kept = NULL;
  Result result = { 0 };

  use_store (test, store);
  sign_in (test, &result);
  clear (&result);
  beckon_oauth_sign_in_async (test->oauth, ignore, test, test->cancellable, on_signed_in, &result);
  WAIT (test->n_pages == 2);
  g_cancellable_cancel (test->cancellable);
  WAIT (result.is_done);
  g_assert_error (result.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (test->fixture->n_registrations, ==, 1);
  get_token (test, &result);
  assert_token (test, &result, "token-1");
  for (guint i = 0; i < 2; i++)
    {
      clear (&result);
      use_store (test, store);
      beckon_oauth_sign_in_async (test->oauth, browse, test, NULL, on_signed_in, &result);
      WAIT (result.is_done);
      assert_token (test, &result, NULL);
      g_assert_cmpuint (test->fixture->n_registrations, ==, 2);
    }
  kept = beckon_oauth_grant_parse (store->text);
  g_assert_false (kept->is_doubted);
  clear (&result);
}

/* At its end the token endpoint itself says that it knows no such program. */
static void
test_unknown_client (Test *test, gconstpointer data)
{
  Result result = { 0 };

  sign_in (test, &result);
  beckon_clock_advance (test->clock, 3600 * 1000);
  beckon_oauth_fixture_set (test->fixture, "/token", 401, NULL, "{\"error\":\"invalid_client\"}");
  get_token (test, &result);
  assert_token (test, &result, NULL);
  g_hash_table_remove (test->fixture->replies, "/token");
  sign_in (test, &result);
  assert_token (test, &result, "token-2");
  g_assert_cmpuint (test->fixture->n_registrations, ==, 2);
  clear (&result);
}

/* A keyring's text that is none, or one for another part of the server, is as good as nothing. */
static void
test_strange (Test *test, gconstpointer data)
{
  const char *texts[] = { "", "{}", "[]",
                          "{\"issuer\":\"https://a.example\",\"token_url\":\"https://a.example/t\",\"resource\":"
                          "\"http://127.0.0.1:1/mcp\",\"access_token\":\"stolen\",\"refresh_token\":\"r\"}" };
  g_autoptr (TestStore) store = g_object_new (TEST_TYPE_STORE, NULL);
  Result result = { 0 };

  use_store (test, store);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_free (store->text);
      store->text = g_strdup (texts[i]);
      refuse (test, 401, CHALLENGE, NULL, &result);
      g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_NEEDED);
    }
  sign_in (test, &result);
  assert_token (test, &result, "token-1");
  clear (&result);
}

/* Two processes: what one renews, the other uses; a refresh token is never sent twice. */
static void
test_two (Test *test, gconstpointer data)
{
  g_autoptr (TestStore) store = g_object_new (TEST_TYPE_STORE, NULL);
  BeckonOauth *first;
  Result result = { 0 };

  use_store (test, store);
  sign_in (test, &result);
  first = g_steal_pointer (&test->oauth);
  test->oauth = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (store), "server", test->clock);
  beckon_clock_advance (test->clock, 3600 * 1000);
  refuse (test, 401, CHALLENGE, "token-1", &result);
  assert_token (test, &result, "token-2");
  g_assert_finalize_object (test->oauth);
  test->oauth = first;
  get_token (test, &result);
  assert_token (test, &result, "token-2");
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 2);
  clear (&result);
}

/* Slower than its limits are for a server that is at work: the clock is past a pause long before it is past those. */
static void
pass_time (Test *test)
{
  g_usleep (1000);
  beckon_clock_advance (test->clock, 20);
}

/* Both renew at once: the refused one uses what the other got, and the sign-in stays. */
static void
test_two_at_once (Test *test, gconstpointer data)
{
  g_autoptr (TestStore) store = g_object_new (TEST_TYPE_STORE, NULL);
  g_autoptr (BeckonOauth) other = NULL;
  Result results[2] = { 0 };
  Result result = { 0 };

  use_store (test, store);
  sign_in (test, &result);
  clear (&result);
  other = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (store), "server", test->clock);
  beckon_oauth_refused_async (other, 401, CHALLENGE, NULL, NULL, on_refused, &result);
  WAIT (result.is_done);
  assert_token (test, &result, "token-1");
  clear (&result);
  beckon_clock_advance (test->clock, 3599 * 1000);
  beckon_oauth_get_token_async (test->oauth, NULL, on_token, &results[0]);
  beckon_oauth_get_token_async (other, NULL, on_token, &results[1]);
  WAIT (results[0].is_done || results[1].is_done);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      WAIT ((pass_time (test), results[i].is_done));
      g_assert_no_error (results[i].error);
      g_assert_cmpstr (results[i].token, ==, "token-2");
      clear (&results[i]);
    }
  g_assert_cmpuint (test->fixture->n_faults, ==, 1);
  g_assert_nonnull (strstr (store->text, "token-2"));
  g_assert_cmpuint (test->n_pages, ==, 1);
}

/* Without a keyring the sign-in lasts as long as the program. */
static void
test_no_keyring (Test *test, gconstpointer data)
{
  g_autoptr (TestStore) store = g_object_new (TEST_TYPE_STORE, NULL);
  Result result = { 0 };

  store->is_broken = TRUE;
  use_store (test, store);
  sign_in (test, &result);
  assert_token (test, &result, "token-1");
  g_assert_false (beckon_oauth_is_kept (test->oauth));
  refuse (test, 401, CHALLENGE, NULL, &result);
  assert_token (test, &result, "token-1");
  clear (&result);
}

static void
on_signed_out (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Result *into = user_data;

  g_assert_true (beckon_oauth_sign_out_finish (BECKON_OAUTH (source), result, NULL, &into->error));
  into->is_done = TRUE;
}

static void
test_sign_out (Test *test, gconstpointer data)
{
  g_autoptr (TestStore) store = g_object_new (TEST_TYPE_STORE, NULL);
  Result result = { 0 };

  use_store (test, store);
  sign_in (test, &result);
  g_assert_nonnull (store->text);
  clear (&result);
  beckon_oauth_sign_out_async (test->oauth, NULL, on_signed_out, &result);
  WAIT (result.is_done);
  g_assert_null (store->text);
  get_token (test, &result);
  assert_token (test, &result, NULL);
  clear (&result);
}

/* The sign-in that the person is out for is over. */
static void
test_sign_out_meanwhile (Test *test, gconstpointer data)
{
  Result in = { 0 }, out = { 0 };

  beckon_oauth_sign_in_async (test->oauth, ignore, test, NULL, on_signed_in, &in);
  WAIT (test->n_pages == 1);
  beckon_oauth_sign_out_async (test->oauth, NULL, on_signed_out, &out);
  WAIT (out.is_done && in.is_done);
  g_assert_error (in.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  clear (&in);
  sign_in (test, &in);
  assert_token (test, &in, "token-1");
  clear (&in);
}

static void
use_client (Test *test, const char *issuer)
{
  g_autoptr (BeckonLogin) login = beckon_login_new ();
  g_autoptr (TestWallet) wallet = g_object_new (TEST_TYPE_WALLET, NULL);

  login->client_id = g_strdup ("by-hand");
  login->issuer = g_strdup (issuer);
  login->has_secret = TRUE;
  wallet->secret = g_strdup ("its-secret");
  beckon_oauth_set_login (test->oauth, login, BECKON_OAUTH_WALLET (wallet));
}

/* A program that was registered by hand; its secret goes to the authorization server that it is for. */
static void
test_client (Test *test, gconstpointer data)
{
  Result result = { 0 };
  g_autofree char *authorization = NULL;

  test->fixture->methods = "\"client_secret_basic\"";
  use_client (test, "https://as.example");
  sign_in (test, &result);
  g_assert_error (result.error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_UNSAFE);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 0);
  use_client (test, test->fixture->root);
  sign_in (test, &result);
  assert_token (test, &result, "token-1");
  g_assert_cmpuint (test->fixture->n_registrations, ==, 0);
  authorization = beckon_fixture_request_dup_header (beckon_oauth_fixture_get_last (test->fixture, "/token"), "Authorization");
  g_assert_cmpstr (authorization, ==, "Basic YnktaGFuZDppdHMtc2VjcmV0");
  clear (&result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/oauth/sign-in/" name, Test, NULL, set_up, function, tear_down)
  ADD ("whole", test_whole);
  ADD ("needed", test_needed);
  ADD ("by-hand", test_by_hand);
  ADD ("together", test_together);
  ADD ("renewal", test_renewal);
  ADD ("revoked", test_revoked);
  ADD ("scopes", test_scopes);
  ADD ("stranger", test_stranger);
  g_test_add ("/oauth/sign-in/slash/resource", Test, GINT_TO_POINTER (FALSE), set_up, test_slash, tear_down);
  g_test_add ("/oauth/sign-in/slash/issuer", Test, GINT_TO_POINTER (TRUE), set_up, test_slash, tear_down);
  ADD ("slow", test_slow);
  ADD ("huge", test_huge);
  ADD ("redirects", test_redirects);
  ADD ("old", test_old);
  ADD ("cancelled", test_cancelled);
  ADD ("quiet", test_quiet);
  ADD ("kept", test_kept);
  ADD ("other-path", test_other_path);
  ADD ("looked-at", test_looked_at);
  ADD ("forgotten", test_forgotten);
  ADD ("unknown-client", test_unknown_client);
  ADD ("strange", test_strange);
  ADD ("two", test_two);
  ADD ("two-at-once", test_two_at_once);
  ADD ("no-keyring", test_no_keyring);
  ADD ("sign-out", test_sign_out);
  ADD ("sign-out-meanwhile", test_sign_out_meanwhile);
  ADD ("client", test_client);
  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_autofree char *path = g_strconcat ("/oauth/sign-in/hostile/", hostile[i].name, NULL);

      g_test_add (path, Test, GUINT_TO_POINTER (i), set_up, test_hostile, tear_down);
    }
  for (guint i = 0; i < G_N_ELEMENTS (brought); i++)
    {
      g_autofree char *path = g_strconcat ("/oauth/sign-in/brought/", brought[i].name, NULL);

      g_test_add (path, Test, GUINT_TO_POINTER (i), set_up, test_brought, tear_down);
    }
  return g_test_run ();
}
