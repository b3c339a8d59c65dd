/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Signing in, with a provider of our own that keeps to https://openrouter.ai/docs/oauth and RFC 7636, and a browser that
 * follows its redirects. */

#include "base/beckon-error.h"
#include "beckon-fixture-server.h"
#include "llm/beckon-sign-in.h"

#include <libsoup/soup.h>
#include <string.h>

/* --- The provider: it runs on threads of its own. ----------------------------------------------------------------- */

typedef struct
{
  BeckonFixtureServer *server;
  GMutex mutex;
  guint n_codes;
  GHashTable *challenges; /* (element-type utf8 utf8): by the code, until it was used */
  const char *refusal;    /* in the place of a code */
  gboolean forgets;       /* which challenge it was */
  const char *keys[2];    /* in the place of the exchange: a status and a body */
} Provider;

static char *
get_member (const char *query, const char *name)
{
  g_autoptr (GHashTable) members = soup_form_decode (query);

  return g_strdup (g_hash_table_lookup (members, name));
}

static char *
get_text (const char *body, const char *name)
{
  g_autofree char *pattern = g_strdup_printf ("\"%s\":\"([^\"]*)\"", name);
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  return g_regex_match (regex, body, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
}

static BeckonFixtureReply *
reply_with (guint status, const char *headers, const char *body)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, status, headers, "application/json", body);
  return reply;
}

/* The page on which the person says yes, or no. */
static BeckonFixtureReply *
authorize (Provider *provider, const char *path)
{
  const char *query = strchr (path, '?') + 1;
  g_autofree char *callback = get_member (query, "callback_url");
  g_autofree char *challenge = get_member (query, "code_challenge");
  g_autofree char *method = get_member (query, "code_challenge_method");
  g_autofree char *code = g_strdup_printf ("code-%u", ++provider->n_codes);
  g_autofree char *location = NULL;

  g_assert_cmpstr (method, ==, "S256");
  g_assert_cmpuint (strlen (challenge), ==, 43);
  g_assert_true (g_str_has_prefix (callback, "http://localhost:"));
  g_hash_table_insert (provider->challenges, g_strdup (code), g_strdup (provider->forgets ? "another" : challenge));
  location = provider->refusal != NULL ? g_strdup_printf ("Location: %s?%s\r\n", callback, provider->refusal)
                                       : g_strdup_printf ("Location: %s?code=%s\r\n", callback, code);
  return reply_with (302, location, "");
}

static char *
hash (const char *verifier)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize length = sizeof digest;
  char *text;

  g_checksum_update (sum, (const guchar *) verifier, -1);
  g_checksum_get_digest (sum, digest, &length);
  text = g_base64_encode (digest, length);
  g_strdelimit (g_strdelimit (text, "+", '-'), "/", '_');
  text[strcspn (text, "=")] = '\0';
  return text;
}

static BeckonFixtureReply *
hand_out (Provider *provider, const BeckonFixtureRequest *request)
{
  g_autofree char *code = get_text (request->body, "code");
  g_autofree char *verifier = get_text (request->body, "code_verifier");
  g_autofree char *method = get_text (request->body, "code_challenge_method");
  g_autofree char *hashed = verifier != NULL ? hash (verifier) : NULL;
  g_autofree char *key = g_strdup_printf ("{\"key\":\"sk-or-v1-%s\",\"user_id\":\"u\"}", code);
  const char *challenge = code != NULL ? g_hash_table_lookup (provider->challenges, code) : NULL;
  gboolean is_right = challenge != NULL && g_strcmp0 (challenge, hashed) == 0;

  g_assert_cmpstr (request->method, ==, "POST");
  if (g_strcmp0 (method, "S256") != 0)
    return reply_with (400, NULL, "{\"error\":{\"message\":\"Invalid code_challenge_method\"}}");
  if (code != NULL)
    g_hash_table_remove (provider->challenges, code);
  return is_right ? reply_with (200, NULL, key)
                  : reply_with (403, NULL, "{\"error\":{\"message\":\"Invalid code or code_verifier\"}}");
}

static BeckonFixtureReply *
on_request (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  Provider *provider = user_data;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&provider->mutex);

  if (g_str_has_prefix (request->path, "/auth?"))
    return authorize (provider, request->path);
  g_assert_cmpstr (request->path, ==, "/v1/auth/keys");
  if (provider->keys[0] != NULL && g_str_equal (provider->keys[0], "hold"))
    {
      BeckonFixtureReply *reply = beckon_fixture_reply_new ();

      beckon_fixture_reply_add_hold (reply, "never");
      return reply;
    }
  if (provider->keys[0] != NULL)
    return reply_with ((guint) atoi (provider->keys[0]), "Location: http://127.0.0.1:9/\r\n", provider->keys[1]);
  return hand_out (provider, request);
}

typedef struct
{
  Provider provider;
  BeckonClock *clock;
  SoupSession *browser;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_mutex_init (&fixture->provider.mutex);
  fixture->provider.challenges = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  fixture->provider.server = beckon_fixture_server_new (0);
  beckon_fixture_server_set_handler (fixture->provider.server, on_request, &fixture->provider);
  fixture->clock = beckon_clock_new_manual (0);
  fixture->browser = soup_session_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  soup_session_abort (fixture->browser);
  g_object_unref (fixture->browser);
  g_object_unref (fixture->clock);
  beckon_fixture_server_free (fixture->provider.server);
  g_hash_table_unref (fixture->provider.challenges);
  g_mutex_clear (&fixture->provider.mutex);
}

/* --- The person --------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonSignIn *sign_in;
  char *address;
  char *callback;
  gboolean done;
  char *key;
  GError *error;
} Attempt;

static void
on_signed_in (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Attempt *attempt = user_data;

  g_assert_false (attempt->done);
  attempt->key = beckon_sign_in_run_finish (BECKON_SIGN_IN (source), result, &attempt->error);
  attempt->done = TRUE;
}

static Attempt *
begin (Fixture *fixture, GCancellable *cancellable)
{
  Attempt *attempt = g_new0 (Attempt, 1);
  g_autofree char *authorize_url = NULL;
  g_autofree char *exchange_url = NULL;
  g_autoptr (GError) error = NULL;
  const char *base = beckon_fixture_server_get_base_url (fixture->provider.server);

  authorize_url = g_strdup_printf ("http://127.0.0.1:%u/auth", beckon_fixture_server_get_port (fixture->provider.server));
  exchange_url = g_strconcat (base, "/auth/keys", NULL);
  attempt->sign_in = beckon_sign_in_new (authorize_url, exchange_url, fixture->clock);
  attempt->address = g_strdup (beckon_sign_in_listen (attempt->sign_in, &error));
  g_assert_no_error (error);
  attempt->callback = get_member (strchr (attempt->address, '?') + 1, "callback_url");
  beckon_sign_in_run_async (attempt->sign_in, cancellable, on_signed_in, attempt);
  return attempt;
}

static void
attempt_free (Attempt *attempt)
{
  g_object_unref (attempt->sign_in);
  g_free (attempt->address);
  g_free (attempt->callback);
  g_free (attempt->key);
  g_clear_error (&attempt->error);
  g_free (attempt);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Attempt, attempt_free)

static void
on_page (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* The status, 0 where nobody listens; @page (nullable) gets what is shown. */
static guint
visit (Fixture *fixture, const char *method, const char *address, char **page)
{
  g_autoptr (SoupMessage) message = soup_message_new (method, address);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GBytes) body = NULL;

  if (!g_str_equal (method, "GET") && !g_str_equal (method, "HEAD"))
    {
      g_autoptr (GBytes) form = g_bytes_new_static ("code=stolen", 11);

      soup_message_set_request_body_from_bytes (message, "application/x-www-form-urlencoded", form);
    }
  soup_session_send_and_read_async (fixture->browser, message, G_PRIORITY_DEFAULT, NULL, on_page, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  body = soup_session_send_and_read_finish (fixture->browser, result, NULL);
  if (page != NULL)
    *page = g_strndup (body != NULL && g_bytes_get_size (body) > 0 ? g_bytes_get_data (body, NULL) : "",
                       body != NULL ? g_bytes_get_size (body) : 0);
  if (body != NULL && soup_message_get_status (message) == SOUP_STATUS_OK)
    g_assert_cmpstr (soup_message_headers_get_one (soup_message_get_response_headers (message), "Content-Security-Policy"),
                     ==, "default-src 'none'");
  return body != NULL ? soup_message_get_status (message) : 0;
}

static void
wait_for (Attempt *attempt)
{
  while (!attempt->done)
    g_main_context_iteration (NULL, TRUE);
}

/* The port is free again. */
static void
assert_closed (Fixture *fixture, Attempt *attempt)
{
  g_assert_cmpuint (visit (fixture, "GET", attempt->callback, NULL), ==, 0);
}

static void
assert_fails (Fixture *fixture, Attempt *attempt, const char *words)
{
  wait_for (attempt);
  g_assert_null (attempt->key);
  g_assert_error (attempt->error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  if (strstr (attempt->error->message, words) == NULL)
    g_error ("“%s” does not say “%s”", attempt->error->message, words);
  g_assert_null (strstr (attempt->error->message, "code-1"));
  assert_closed (fixture, attempt);
}

static void
test_right (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Attempt) attempt = begin (fixture, NULL);
  g_autofree char *page = NULL;

  g_assert_cmpuint (visit (fixture, "GET", attempt->address, &page), ==, 200);
  g_assert_nonnull (strstr (page, "You can close this window."));
  g_assert_null (strstr (page, "code-1"));
  wait_for (attempt);
  g_assert_no_error (attempt->error);
  g_assert_cmpstr (attempt->key, ==, "sk-or-v1-code-1");
  assert_closed (fixture, attempt);
}

/* Neither the verifier nor anything it could be made from leaves before the code is there. */
static void
test_secrets (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Attempt) attempt = begin (fixture, NULL);
  g_autoptr (Attempt) other = begin (fixture, NULL);
  g_autofree char *verifier = NULL;

  g_assert_cmpstr (attempt->address, !=, other->address);
  g_assert_cmpuint (strlen (strrchr (attempt->callback, '/') + 1), ==, 43);
  visit (fixture, "GET", attempt->address, NULL);
  wait_for (attempt);
  verifier = get_text (beckon_fixture_server_get_request (fixture->provider.server, 1)->body, "code_verifier");
  g_assert_cmpuint (strlen (verifier), ==, 43);
  g_assert_null (strstr (attempt->address, verifier));
}

static void
test_refused (Fixture *fixture, gconstpointer query)
{
  g_autoptr (Attempt) attempt = begin (fixture, NULL);
  g_autofree char *page = NULL;

  fixture->provider.refusal = query;
  g_assert_cmpuint (visit (fixture, "GET", attempt->address, &page), ==, 200);
  g_assert_null (strstr (page, "<b>"));
  assert_fails (fixture, attempt, "was refused in the browser");
  /* No code was exchanged. */
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->provider.server), ==, 1);
}

/* Another program of this computer is at the port first: it learns nothing, changes nothing, and the browser comes through. */
static void
test_stranger (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Attempt) attempt = begin (fixture, NULL);
  const char *path = strchr (attempt->callback + strlen ("http://"), '/');
  g_autofree char *root = g_strndup (attempt->callback, (gsize) (path - attempt->callback));
  g_autofree char *near = g_strdup (attempt->callback);
  const char *const queries[] = { "", "?code=", "?code=a%20b", "?code=a%0d%0aX-A:b", "?state=x", "?key=x" };
  const char *const methods[] = { "POST", "PUT", "HEAD", "DELETE" };
  const char *const paths[] = { "/", "/callback?code=x", "/favicon.ico", "//?code=x", "/%2e%2e/?code=x" };
  g_autofree char *page = NULL;

  near[strlen (near) - 1] ^= 1;
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *address = g_strconcat (root, paths[i], NULL);

      g_assert_cmpuint (visit (fixture, "GET", address, NULL), ==, 404);
    }
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_autofree char *address = g_strconcat (attempt->callback, queries[i], NULL);

      g_assert_cmpuint (visit (fixture, "GET", address, &page), ==, 404);
      g_assert_null (strstr (page, "close"));
      g_clear_pointer (&page, g_free);
    }
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autofree char *address = g_strconcat (attempt->callback, "?code=stolen", NULL);

      g_assert_cmpuint (visit (fixture, methods[i], address, NULL), ==, 404);
    }
  {
    g_autofree char *address = g_strconcat (near, "?code=stolen", NULL);

    g_assert_cmpuint (visit (fixture, "GET", address, NULL), ==, 404);
  }
  g_assert_false (attempt->done);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->provider.server), ==, 0);
  visit (fixture, "GET", attempt->address, NULL);
  wait_for (attempt);
  g_assert_cmpstr (attempt->key, ==, "sk-or-v1-code-1");
}

/* Writes @head and then what follows @piece by piece, as far as it is taken; whether it is cut off within a few megabytes. */
static gboolean
is_cut_off (Attempt *attempt, const char *head, const char *piece)
{
  g_autoptr (GUri) uri = g_uri_parse (attempt->callback, G_URI_FLAGS_NONE, NULL);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection
      = g_socket_client_connect_to_host (client, "127.0.0.1", (guint16) g_uri_get_port (uri), NULL, NULL);
  GSocket *socket = g_socket_connection_get_socket (connection);
  const gint64 end = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  g_autoptr (GError) error = NULL;
  gsize total = 0;

  g_socket_send (socket, head, strlen (head), NULL, NULL);
  while (error == NULL && total < 64 * 1024 * 1024)
    {
      gssize n = g_socket_send_with_blocking (socket, piece, strlen (piece), FALSE, NULL, &error);

      total += (gsize) MAX (n, 0);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        g_clear_error (&error);
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, FALSE);
    }
  return error != NULL;
}

/* A web page can send a body to any port of this computer; we have no use for one. */
static void
test_large (Fixture *fixture, gconstpointer head)
{
  g_autoptr (Attempt) attempt = begin (fixture, NULL);
  g_autofree char *text = g_strnfill (64 * 1024, 'x');
  g_autofree char *piece = strstr (head, "chunked") != NULL ? g_strconcat ("10000\r\n", text, "\r\n", NULL) : g_strdup (text);

  g_assert_true (is_cut_off (attempt, head, piece));
  g_assert_false (attempt->done);
  visit (fixture, "GET", attempt->address, NULL);
  wait_for (attempt);
  g_assert_cmpstr (attempt->key, ==, "sk-or-v1-code-1");
}

/* A code that came once is taken; a second one at the same path is not. */
static void
test_code_twice (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Attempt) attempt = begin (fixture, NULL);
  g_autofree char *second = g_strconcat (attempt->callback, "?code=other", NULL);
  guint status;

  fixture->provider.keys[0] = "hold";
  g_assert_cmpuint (visit (fixture, "GET", attempt->address, NULL), ==, 200);
  status = visit (fixture, "GET", second, NULL);
  g_assert_true (status == 404 || status == 0);
  g_assert_false (attempt->done);
  beckon_clock_advance (fixture->clock, BECKON_SIGN_IN_EXCHANGE_S * 1000);
  assert_fails (fixture, attempt, "gave no key");
}

/* A code that somebody else has used before. */
static void
test_code_reused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Attempt) first = begin (fixture, NULL);
  g_autoptr (Attempt) second = begin (fixture, NULL);
  g_autofree char *address = g_strconcat (second->callback, "?code=code-1", NULL);

  visit (fixture, "GET", first->address, NULL);
  wait_for (first);
  g_assert_cmpstr (first->key, ==, "sk-or-v1-code-1");
  visit (fixture, "GET", address, NULL);
  assert_fails (fixture, second, "HTTP 403): Invalid code or code_verifier");
}

static void
test_wrong_verifier (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Attempt) attempt = begin (fixture, NULL);

  fixture->provider.forgets = TRUE;
  visit (fixture, "GET", attempt->address, NULL);
  assert_fails (fixture, attempt, "Invalid code or code_verifier");
}

/* A code of one sign-in is nothing in another. */
static void
test_mixed_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Attempt) attempt = begin (fixture, NULL);
  g_autoptr (Attempt) other = begin (fixture, NULL);
  g_autoptr (SoupMessage) message = soup_message_new ("GET", other->address);
  g_autofree char *address = g_strconcat (attempt->callback, "?code=code-1", NULL);
  g_autoptr (GAsyncResult) result = NULL;

  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  soup_session_send_and_read_async (fixture->browser, message, 0, NULL, on_page, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_bytes_unref (soup_session_send_and_read_finish (fixture->browser, result, NULL));
  visit (fixture, "GET", address, NULL);
  assert_fails (fixture, attempt, "Invalid code or code_verifier");
  g_assert_false (other->done);
  beckon_clock_advance (fixture->clock, BECKON_SIGN_IN_TIMEOUT_S * 1000);
  wait_for (other);
}

static void
test_two (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Attempt) first = begin (fixture, NULL);
  g_autoptr (Attempt) second = begin (fixture, NULL);

  visit (fixture, "GET", second->address, NULL);
  visit (fixture, "GET", first->address, NULL);
  wait_for (first);
  wait_for (second);
  g_assert_cmpstr (second->key, ==, "sk-or-v1-code-1");
  g_assert_cmpstr (first->key, ==, "sk-or-v1-code-2");
}

typedef struct
{
  const char *name;
  const char *status;
  const char *body;
  const char *words;
} Answer;

static const Answer answers[] = {
  { "400", "400", "{\"error\":{\"message\":\"Invalid code_challenge_method\"}}", "Invalid code_challenge_method" },
  { "401", "401", "{}", "HTTP 401" },
  { "405", "405", "", "HTTP 405" },
  { "429", "429", "{\"error\":{\"message\":\"Slow down\"}}", "Slow down" },
  { "500", "500", "<h1>Oops</h1>", "HTTP 500" },
  { "503", "503", "", "overloaded" },
  { "redirect", "302", "", "is not followed" },
  { "no-json", "200", "sk-or-v1-x", "has none in it" },
  { "no-key", "200", "{\"token\":\"sk\"}", "has none in it" },
  { "number", "200", "{\"key\":5}", "has none in it" },
  { "empty-key", "200", "{\"key\":\"\"}", "has none in it" },
  { "line-break", "200", "{\"key\":\"a\\r\\nHost: b\"}", "has none in it" },
  { "empty", "200", "", "has none in it" },
  { "echo", "403", "{\"error\":{\"message\":\"Bad code-1 in body\"}}", "HTTP 403" },
};

static void
test_answer (Fixture *fixture, gconstpointer data)
{
  const Answer *answer = data;
  g_autoptr (Attempt) attempt = begin (fixture, NULL);

  fixture->provider.keys[0] = answer->status;
  fixture->provider.keys[1] = answer->body;
  visit (fixture, "GET", attempt->address, NULL);
  wait_for (attempt);
  g_assert_null (attempt->key);
  if (strstr (attempt->error->message, answer->words) == NULL)
    g_error ("“%s” does not say “%s”", attempt->error->message, answer->words);
}

/* The browser was closed. */
static void
test_time_over (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Attempt) attempt = begin (fixture, NULL);

  beckon_clock_advance (fixture->clock, (BECKON_SIGN_IN_TIMEOUT_S - 1) * 1000);
  g_assert_false (attempt->done);
  beckon_clock_advance (fixture->clock, 1000);
  assert_fails (fixture, attempt, "timed out after 5 minutes");
}

static void
assert_cancelled (Fixture *fixture, Attempt *attempt, GCancellable *cancellable)
{
  g_cancellable_cancel (cancellable);
  wait_for (attempt);
  g_assert_error (attempt->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_closed (fixture, attempt);
}

static void
test_cancel_waiting (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (Attempt) attempt = begin (fixture, cancellable);

  assert_cancelled (fixture, attempt, cancellable);
}

static void
test_cancel_exchange (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (Attempt) attempt = begin (fixture, cancellable);

  fixture->provider.keys[0] = "hold";
  visit (fixture, "GET", attempt->address, NULL);
  while (beckon_fixture_server_count_requests (fixture->provider.server) < 2)
    g_main_context_iteration (NULL, TRUE);
  assert_cancelled (fixture, attempt, cancellable);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function, data) g_test_add ("/llm/sign-in/" name, Fixture, data, set_up, function, tear_down)
  ADD ("right", test_right, NULL);
  ADD ("secrets", test_secrets, NULL);
  ADD ("denied", test_refused, "error=access_denied");
  ADD ("denied-with-markup", test_refused, "error=%3Cb%3Eno%3C/b%3E&code=code-1");
  ADD ("stranger-first", test_stranger, NULL);
  ADD ("large-body", test_large, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000000\r\n\r\n");
  ADD ("large-body-chunked", test_large, "POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  ADD ("large-head", test_large, "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ");
  ADD ("code-twice", test_code_twice, NULL);
  ADD ("code-reused", test_code_reused, NULL);
  ADD ("wrong-verifier", test_wrong_verifier, NULL);
  ADD ("code-of-another", test_mixed_up, NULL);
  ADD ("two-at-once", test_two, NULL);
  ADD ("time-over", test_time_over, NULL);
  ADD ("cancel-waiting", test_cancel_waiting, NULL);
  ADD ("cancel-exchange", test_cancel_exchange, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *path = g_strconcat ("/llm/sign-in/answer/", answers[i].name, NULL);

      g_test_add (path, Fixture, &answers[i], set_up, test_answer, tear_down);
    }
  return g_test_run ();
}
