/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tokens that are bound to a key (DPoP), at a server that checks every proof. */

#include "base/beckon-json.h"
#include "beckon-oauth-fixture.h"
#include "beckon-test-store.h"
#include "beckon-test-wallet.h"
#include "mcp/beckon-mcp-http.h"
#include "oauth/beckon-oauth-grant.h"
#include "oauth/beckon-oauth-proof.h"
#include "oauth/beckon-oauth-token.h"

#include <string.h>

#define CHALLENGE "DPoP scope=\"read\""
#define NOW_S G_GINT64_CONSTANT (1795000000)

typedef struct
{
  BeckonOauthFixture *fixture;
  BeckonClock *clock;
  TestStore *store;
  BeckonOauth *oauth;
  char *token;
  GError *error;
  guint n_pages;
  gboolean is_done;
} Test;

static void
set_up (Test *test, gconstpointer data)
{
  memset (test, 0, sizeof *test);
  test->fixture = beckon_oauth_fixture_new ();
  test->fixture->is_bound = TRUE;
  test->fixture->now = NOW_S;
  test->clock = beckon_clock_new_manual (NOW_S * G_USEC_PER_SEC);
  test->store = g_object_new (TEST_TYPE_STORE, NULL);
  test->oauth = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (test->store), "server", test->clock);
}

static void
tear_down (Test *test, gconstpointer data)
{
  g_free (test->token);
  g_clear_error (&test->error);
  g_assert_finalize_object (test->oauth);
  g_object_unref (test->store);
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

static void
on_refused (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Test *test = user_data;

  test->token = beckon_oauth_refused_finish (BECKON_OAUTH (source), result, &test->error);
  test->is_done = TRUE;
}

static void
refuse (Test *test, BeckonOauth *oauth, const char *challenge, const char *token)
{
  g_clear_pointer (&test->token, g_free);
  g_clear_error (&test->error);
  test->is_done = FALSE;
  beckon_oauth_refused_async (oauth, 401, challenge, token, NULL, on_refused, test);
  WAIT (test->is_done);
}

static void
sign_in (Test *test)
{
  beckon_oauth_set_browser (test->oauth, browse, test);
  refuse (test, test->oauth, CHALLENGE, NULL);
}

static void
assert_token (Test *test, const char *token)
{
  g_assert_no_error (test->error);
  g_assert_cmpstr (test->token, ==, token);
  g_assert_cmpuint (test->fixture->n_faults, ==, 0);
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Test *test = user_data;
  g_autoptr (GBytes) body = soup_session_send_and_read_finish (SOUP_SESSION (source), result, NULL);

  test->is_done = TRUE;
}

/* A request to the server, (transfer full). */
static SoupMessage *
ask (Test *test, BeckonOauth *oauth, const char *token)
{
  SoupMessage *message = soup_message_new (SOUP_METHOD_POST, test->fixture->url);

  beckon_oauth_sign_message (oauth, token, message);
  test->is_done = FALSE;
  soup_session_send_and_read_async (test->fixture->session, message, G_PRIORITY_DEFAULT, NULL, on_sent, test);
  WAIT (test->is_done);
  return message;
}

static void
assert_served (Test *test, BeckonOauth *oauth, const char *token)
{
  g_autoptr (SoupMessage) message = ask (test, oauth, token);

  g_assert_cmpuint (soup_message_get_status (message), ==, 200);
  g_assert_false (beckon_oauth_take_nonce (oauth, message));
  g_assert_cmpuint (test->fixture->n_faults, ==, 0);
}

static guint
count_keys (Test *test)
{
  return g_hash_table_size (test->fixture->proof_keys);
}

static void
test_whole (Test *test, gconstpointer data)
{
  g_autoptr (JsonObject) kept = NULL;

  sign_in (test);
  assert_token (test, "token-1");
  assert_served (test, test->oauth, "token-1");
  assert_served (test, test->oauth, "token-1");
  g_assert_cmpuint (g_hash_table_size (test->fixture->proofs), ==, 3);
  g_assert_cmpuint (count_keys (test), ==, 1);
  kept = beckon_json_parse_object (test->store->text, -1, NULL);
  g_assert_cmpstr (beckon_json_get_string (kept, "token_type"), ==, "DPoP");
  g_assert_nonnull (beckon_json_get_string (kept, "proof_key"));
}

/* A stolen token is of no use with another key, nor with the plain scheme. */
static void
test_stolen (Test *test, gconstpointer data)
{
  g_autoptr (TestStore) other_store = g_object_new (TEST_TYPE_STORE, NULL);
  BeckonOauth *thief = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (other_store), "thief", test->clock);
  g_autoptr (SoupMessage) plain = NULL;

  sign_in (test);
  plain = ask (test, thief, "token-1");
  g_assert_cmpuint (soup_message_get_status (plain), ==, 401);
  assert_served (test, test->oauth, "token-1");
  g_assert_finalize_object (thief);
}

static void
test_nonces (Test *test, gconstpointer data)
{
  g_autoptr (SoupMessage) first = NULL;

  test->fixture->token_nonce = "for-tokens";
  test->fixture->server_nonce = "for-requests";
  sign_in (test);
  assert_token (test, "token-1");
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 2);
  /* A server has one nonce at a time: its own is asked for. */
  first = ask (test, test->oauth, "token-1");
  g_assert_cmpuint (soup_message_get_status (first), ==, 401);
  g_assert_true (beckon_oauth_take_nonce (test->oauth, first));
  assert_served (test, test->oauth, "token-1");
  assert_served (test, test->oauth, "token-1");
  g_assert_cmpuint (count_keys (test), ==, 1);
}

/* A token endpoint that is never content is left alone soon. */
static void
test_restless (Test *test, gconstpointer data)
{
  test->fixture->token_nonce = "another";
  test->fixture->restless = TRUE;
  sign_in (test);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED);
  g_assert_nonnull (strstr (test->error->message, "use_dpop_nonce"));
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 1 + BECKON_OAUTH_NONCE_TRIES);
  g_assert_cmpuint (test->n_pages, ==, 1);
}

/* A token endpoint that asks for the nonce that it was sent is not asked again. */
static void
test_same_nonce (Test *test, gconstpointer data)
{
  beckon_oauth_fixture_set (test->fixture, "/token", 400, "DPoP-Nonce: same\r\n", "{\"error\":\"use_dpop_nonce\"}");
  sign_in (test);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 2);
}

static void
on_got (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Test *test = user_data;

  g_clear_pointer (&test->token, g_free);
  test->token = beckon_oauth_get_token_finish (BECKON_OAUTH (source), result, &test->error);
  test->is_done = TRUE;
}

static void
renew (Test *test, BeckonOauth *oauth)
{
  beckon_clock_advance (test->clock, 3590 * 1000);
  test->fixture->now += 3590;
  test->is_done = FALSE;
  beckon_oauth_get_token_async (oauth, NULL, on_got, test);
  WAIT (test->is_done);
}

/* Renewed with the same key, which a nonce does not change. */
static void
test_renewal (Test *test, gconstpointer data)
{
  sign_in (test);
  test->fixture->token_nonce = "later";
  renew (test, test->oauth);
  assert_token (test, "token-2");
  assert_served (test, test->oauth, "token-2");
  g_assert_cmpuint (count_keys (test), ==, 1);
}

/* Another process has the key from the keyring, and what it renews is good here. */
static void
test_two (Test *test, gconstpointer data)
{
  BeckonOauth *other = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (test->store), "server", test->clock);

  sign_in (test);
  refuse (test, other, CHALLENGE, NULL);
  assert_token (test, "token-1");
  assert_served (test, other, "token-1");
  renew (test, other);
  assert_token (test, "token-2");
  refuse (test, test->oauth, CHALLENGE, "token-1");
  assert_token (test, "token-2");
  assert_served (test, test->oauth, "token-2");
  assert_served (test, other, "token-2");
  g_assert_cmpuint (count_keys (test), ==, 1);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 2);
  g_assert_finalize_object (other);
}

/* A kept key that can't be read makes room for another at the next sign-in. */
static void
test_lost_key (Test *test, gconstpointer data)
{
  g_autoptr (BeckonOauthGrant) kept = NULL;
  BeckonOauth *other = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (test->store), "server", test->clock);

  sign_in (test);
  assert_token (test, "token-1");
  kept = beckon_oauth_grant_parse (test->store->text);
  g_free (kept->proof_key);
  kept->proof_key = g_strdup ("lost");
  g_free (test->store->text);
  test->store->text = beckon_oauth_grant_print (kept);
  beckon_oauth_set_browser (other, browse, test);
  refuse (test, other, CHALLENGE, "token-1");
  assert_token (test, "token-2");
  assert_served (test, other, "token-2");
  g_assert_cmpuint (count_keys (test), ==, 2);
  g_assert_finalize_object (other);
}

/* An authorization server that knows nothing of proofs gives a plain token, which is used so. */
static void
test_plain (Test *test, gconstpointer data)
{
  g_autoptr (SoupMessage) message = NULL;

  test->fixture->is_bound = FALSE;
  sign_in (test);
  assert_token (test, "token-1");
  message = ask (test, test->oauth, "token-1");
  g_assert_cmpuint (soup_message_get_status (message), ==, 200);
  g_assert_null (soup_message_headers_get_one (soup_message_get_request_headers (message), "DPoP"));
}

/* A plain token is neither used nor kept where the person wants bound ones alone. */
static void
test_required (Test *test, gconstpointer data)
{
  g_autoptr (BeckonLogin) login = beckon_login_new (BECKON_LOGIN_PERSON);
  g_autoptr (TestWallet) wallet = g_object_new (TEST_TYPE_WALLET, NULL);

  login->is_bound = TRUE;
  beckon_oauth_set_login (test->oauth, login, BECKON_OAUTH_WALLET (wallet));
  test->fixture->is_bound = FALSE;
  sign_in (test);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_UNSAFE);
  g_assert_null (test->store->text);
  test->fixture->is_bound = TRUE;
  /* Asked for by the settings alone. */
  refuse (test, test->oauth, "Bearer", NULL);
  assert_token (test, "token-2");
  assert_served (test, test->oauth, "token-2");
}

/* A program by itself. */
static void
test_alone (Test *test, gconstpointer data)
{
  g_autoptr (BeckonLogin) login = beckon_login_new (BECKON_LOGIN_CLIENT);
  g_autoptr (TestWallet) wallet = g_object_new (TEST_TYPE_WALLET, NULL);

  login->client_id = g_strdup ("robot");
  login->has_secret[BECKON_LOGIN_SECRET_CLIENT] = TRUE;
  wallet->secrets[BECKON_LOGIN_SECRET_CLIENT] = g_strdup ("secret");
  beckon_oauth_set_login (test->oauth, login, BECKON_OAUTH_WALLET (wallet));
  test->fixture->token_nonce = "n";
  refuse (test, test->oauth, CHALLENGE, NULL);
  assert_token (test, "token-1");
  assert_served (test, test->oauth, "token-1");
  g_assert_cmpuint (test->n_pages, ==, 0);
}

/* --- The transport ------------------------------------------------------------------------------------------------ */

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Test *test = user_data;
  BeckonRpcMessage *answer = beckon_mcp_transport_call_finish (BECKON_MCP_TRANSPORT (source), result, &test->error);

  test->token = g_strdup (answer != NULL && answer->kind == BECKON_RPC_MESSAGE_RESULT ? "result" : "error");
  beckon_rpc_message_free (answer);
  test->is_done = TRUE;
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  beckon_mcp_transport_close_finish (BECKON_MCP_TRANSPORT (source), result, NULL);
  ((Test *) user_data)->is_done = TRUE;
}

/* Sends one message as a client does, with what its sign-in needs. */
static void
call (Test *test)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("far", BECKON_MCP_KIND_HTTP);
  g_autoptr (BeckonMcpTransport) transport = NULL;
  const BeckonMcpExchange exchange = { .method = "ping", .params = "{}" };

  server->address = g_strdup (test->fixture->url);
  transport = beckon_mcp_http_new (server, NULL, test->clock);
  beckon_oauth_set_browser (test->oauth, browse, test);
  beckon_mcp_http_set_oauth (BECKON_MCP_HTTP (transport), test->oauth);
  test->is_done = FALSE;
  beckon_mcp_transport_call_async (transport, &exchange, NULL, on_called, test);
  WAIT (test->is_done);
  test->is_done = FALSE;
  beckon_mcp_transport_close_async (transport, NULL, on_closed, test);
  WAIT (test->is_done);
}

/* The server's nonce comes with its refusal; the same token goes again with it. */
static void
test_transport (Test *test, gconstpointer data)
{
  test->fixture->server_nonce = "for-requests";
  test->fixture->served = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
  call (test);
  g_assert_no_error (test->error);
  g_assert_cmpstr (test->token, ==, "result");
  g_assert_cmpuint (test->fixture->n_faults, ==, 0);
  g_assert_cmpuint (test->n_pages, ==, 1);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 1);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/mcp"), ==, 3);
}

/* A server that is never content: no more than a few requests, no other token, and no second page for the person. */
static void
test_restless_server (Test *test, gconstpointer data)
{
  test->fixture->server_nonce = "another";
  test->fixture->restless = TRUE;
  call (test);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_PROTOCOL);
  g_assert_cmpuint (test->n_pages, ==, 1);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 1);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/mcp"), ==, 4);
}

/* --- Nonces as values --------------------------------------------------------------------------------------------- */

static void
test_values (void)
{
  static const char *const bad[] = { "", "two words", "quote\"", "back\\slash", "line\n", "\xc3\xa4" };
  BeckonOauthNonces *nonces = beckon_oauth_nonces_new ();
  g_autofree char *longest = g_strnfill (BECKON_OAUTH_NONCE_MAX, 'n');
  g_autofree char *too_long = g_strnfill (BECKON_OAUTH_NONCE_MAX + 1, 'n');

  g_assert_false (beckon_oauth_nonces_take (nonces, "https://a.example/x", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (beckon_oauth_nonces_take (nonces, "https://a.example/x", bad[i]));
  g_assert_false (beckon_oauth_nonces_take (nonces, "https://a.example/x", too_long));
  g_assert_null (beckon_oauth_nonces_get (nonces, "https://a.example/x"));
  g_assert_true (beckon_oauth_nonces_take (nonces, "https://a.example/x", longest));
  g_assert_true (beckon_oauth_nonces_take (nonces, "https://a.example/x", "one"));
  g_assert_false (beckon_oauth_nonces_take (nonces, "https://a.example/y?z", "one"));
  g_assert_cmpstr (beckon_oauth_nonces_get (nonces, "https://a.example/else"), ==, "one");
  g_assert_null (beckon_oauth_nonces_get (nonces, "https://b.example/x"));
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *url = g_strdup_printf ("https://%u.example/", i);

      g_assert_true (beckon_oauth_nonces_take (nonces, url, "n"));
      g_assert_cmpuint (g_hash_table_size (nonces), <=, 16);
    }
  g_hash_table_unref (nonces);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/oauth/bound/" name, Test, NULL, set_up, function, tear_down)
  ADD ("whole", test_whole);
  ADD ("stolen", test_stolen);
  ADD ("nonces", test_nonces);
  ADD ("restless", test_restless);
  ADD ("same-nonce", test_same_nonce);
  ADD ("renewal", test_renewal);
  ADD ("two", test_two);
  ADD ("lost-key", test_lost_key);
  ADD ("plain", test_plain);
  ADD ("required", test_required);
  ADD ("alone", test_alone);
  ADD ("transport", test_transport);
  ADD ("restless-server", test_restless_server);
  g_test_add_func ("/oauth/bound/values", test_values);
  return g_test_run ();
}
