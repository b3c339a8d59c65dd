/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sign-ins without a person: with a secret or a key of this program, and with what an identity provider or a platform says. */

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "beckon-oauth-fixture.h"
#include "beckon-test-store.h"
#include "beckon-test-wallet.h"
#include "oauth/beckon-oauth-key.h"
#include "oauth/beckon-oauth.h"

#include <string.h>

#define NOW_S G_GINT64_CONSTANT (1795000000)
#define JWT_BEARER "urn:ietf:params:oauth:grant-type:jwt-bearer"

typedef struct
{
  BeckonOauthFixture *fixture;
  BeckonClock *clock;
  TestStore *store;
  TestWallet *wallet;
  BeckonLogin *login;
  BeckonOauth *oauth;
  char *token;
  GError *error;
  gboolean is_done;
} Test;

static void
set_up (Test *test, gconstpointer data)
{
  memset (test, 0, sizeof *test);
  test->fixture = beckon_oauth_fixture_new ();
  test->clock = beckon_clock_new_manual (NOW_S * G_USEC_PER_SEC);
  test->store = g_object_new (TEST_TYPE_STORE, NULL);
  test->wallet = g_object_new (TEST_TYPE_WALLET, NULL);
  test->oauth = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (test->store), "server", test->clock);
}

static void
tear_down (Test *test, gconstpointer data)
{
  g_free (test->token);
  g_clear_error (&test->error);
  g_assert_finalize_object (test->oauth);
  beckon_login_free (test->login);
  g_object_unref (test->wallet);
  g_object_unref (test->store);
  beckon_oauth_fixture_free (test->fixture);
  g_object_unref (test->clock);
}

static void
use_login (Test *test, BeckonLoginFlow flow)
{
  test->login = beckon_login_new (flow);
  test->login->client_id = g_strdup ("robot");
  test->login->issuer = g_strdup (test->fixture->root);
}

static void
use_secret (Test *test, BeckonLoginSecret secret, char *value)
{
  test->login->has_secret[secret] = TRUE;
  g_free (test->wallet->secrets[secret]);
  test->wallet->secrets[secret] = value;
}

static void
use_provider (Test *test)
{
  use_login (test, BECKON_LOGIN_ENTERPRISE);
  test->login->provider_url = g_strconcat (test->fixture->root, "/idp", NULL);
  test->login->provider_client_id = g_strdup ("beckon-at-idp");
  test->wallet->token = g_strdup ("identity");
}

static void
on_refused (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Test *test = user_data;

  test->token = beckon_oauth_refused_finish (BECKON_OAUTH (source), result, &test->error);
  test->is_done = TRUE;
}

static void
refuse (Test *test, const char *token)
{
  g_autofree char *before = g_strdup (token);

  g_clear_pointer (&test->token, g_free);
  g_clear_error (&test->error);
  test->is_done = FALSE;
  beckon_oauth_refused_async (test->oauth, 401, "Bearer scope=\"read\"", before, NULL, on_refused, test);
  WAIT (test->is_done);
}

/* Without a browser and without a word to anybody. */
static void
sign_in (Test *test)
{
  beckon_oauth_set_login (test->oauth, test->login, BECKON_OAUTH_WALLET (test->wallet));
  refuse (test, NULL);
}

static void
assert_token (Test *test, const char *token)
{
  g_assert_no_error (test->error);
  g_assert_cmpstr (test->token, ==, token);
  g_assert_cmpuint (test->fixture->n_faults, ==, 0);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/authorize"), ==, 0);
  g_assert_cmpuint (test->fixture->n_registrations, ==, 0);
}

static void
assert_field (Test *test, const char *path, const char *name, const char *value)
{
  g_autofree char *field = beckon_oauth_fixture_dup_field (test->fixture, path, name);

  g_assert_cmpstr (field, ==, value);
}

static void
assert_authorization (Test *test, const char *path, const char *value)
{
  g_autofree char *header = beckon_fixture_request_dup_header (beckon_oauth_fixture_get_last (test->fixture, path),
                                                               "Authorization");

  g_assert_cmpstr (header, ==, value);
}

/* --- The client's own secret -------------------------------------------------------------------------------------- */

static void
test_basic (Test *test, gconstpointer data)
{
  test->fixture->methods = "\"client_secret_post\",\"client_secret_basic\"";
  use_login (test, BECKON_LOGIN_CLIENT);
  test->login->scope = g_strdup ("write");
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, g_strdup ("s:e&c"));
  sign_in (test);
  assert_token (test, "token-1");
  assert_field (test, "/token", "grant_type", "client_credentials");
  assert_field (test, "/token", "scope", "read write");
  assert_field (test, "/token", "client_secret", NULL);
  assert_authorization (test, "/token", "Basic cm9ib3Q6cyUzQWUlMjZj");
  /* Its secret stays in the wallet alone. */
  g_assert_null (strstr (test->store->text, "s:e&c"));

  /* A token that has ended is replaced in the same way. */
  refuse (test, "token-1");
  assert_token (test, "token-2");
}

static void
test_post (Test *test, gconstpointer data)
{
  test->fixture->methods = "\"client_secret_post\"";
  use_login (test, BECKON_LOGIN_CLIENT);
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, g_strdup ("s:e&c"));
  sign_in (test);
  assert_token (test, "token-1");
  assert_field (test, "/token", "client_id", "robot");
  assert_field (test, "/token", "client_secret", "s:e&c");
  assert_authorization (test, "/token", NULL);
}

static JsonObject *
read_public (BeckonOauthKey *key)
{
  GString *text = g_string_new (NULL);
  g_autofree char *json = NULL;
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  g_assert_true (beckon_oauth_key_write_public (key, &writer, NULL));
  json = g_string_free (text, FALSE);
  return beckon_json_parse_object (json, -1, NULL);
}

static void
test_key (Test *test, gconstpointer data)
{
  g_autoptr (BeckonOauthKey) key = beckon_oauth_key_generate (NULL);
  g_autoptr (JsonObject) public = read_public (key);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autoptr (JsonObject) claims = NULL;

  test->fixture->methods = "\"private_key_jwt\"";
  use_login (test, BECKON_LOGIN_CLIENT);
  use_secret (test, BECKON_LOGIN_SECRET_KEY, beckon_oauth_key_print (key, NULL));
  sign_in (test);
  assert_token (test, "token-1");
  assert_authorization (test, "/token", NULL);
  assert_field (test, "/token", "client_secret", NULL);
  assert_field (test, "/token", "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
  first = beckon_oauth_fixture_dup_field (test->fixture, "/token", "client_assertion");
  claims = beckon_oauth_fixture_verify (first, public);
  g_assert_nonnull (claims);
  g_assert_cmpstr (beckon_json_get_string (claims, "iss"), ==, "robot");
  g_assert_cmpstr (beckon_json_get_string (claims, "sub"), ==, "robot");
  g_assert_cmpstr (beckon_json_get_string (claims, "aud"), ==, test->fixture->root);
  g_assert_cmpint (beckon_json_get_int (claims, "iat", 0), ==, NOW_S);
  g_assert_cmpint (beckon_json_get_int (claims, "exp", 0), ==, NOW_S + 300);
  g_assert_nonnull (beckon_json_get_string (claims, "jti"));
  g_assert_null (beckon_json_get_object (beckon_json_get_object (claims, "header"), "jwk"));

  /* Each is used once. */
  refuse (test, "token-1");
  assert_token (test, "token-2");
  second = beckon_oauth_fixture_dup_field (test->fixture, "/token", "client_assertion");
  g_assert_cmpstr (first, !=, second);
}

/* A key that is none, as a keyring could hold: nothing is sent. */
static void
test_bad_key (Test *test, gconstpointer data)
{
  use_login (test, BECKON_LOGIN_CLIENT);
  use_secret (test, BECKON_LOGIN_SECRET_KEY, g_strdup ("bm8ga2V5"));
  sign_in (test);
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_null (strstr (test->error->message, "bm8ga2V5"));
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 0);
}

static void
test_missing_secret (Test *test, gconstpointer data)
{
  use_login (test, BECKON_LOGIN_CLIENT);
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, NULL);
  sign_in (test);
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 0);
}

/* A server that names an authorization server of its own gets nothing for it. */
static void
test_elsewhere (Test *test, gconstpointer data)
{
  use_login (test, BECKON_LOGIN_CLIENT);
  g_free (test->login->issuer);
  test->login->issuer = g_strdup ("https://as.example");
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, g_strdup ("secret"));
  sign_in (test);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_UNSAFE);
  g_assert_cmpuint (test->wallet->n_secrets, ==, 0);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 0);
}

static void
test_refused (Test *test, gconstpointer data)
{
  use_login (test, BECKON_LOGIN_CLIENT);
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, g_strdup ("canary"));
  beckon_oauth_fixture_set (test->fixture, "/token", 401, NULL, "{\"error\":\"invalid_client\"}");
  sign_in (test);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED);
  g_assert_nonnull (strstr (test->error->message, "invalid_client"));
  g_assert_null (strstr (test->error->message, "canary"));
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 1);
}

/* An authorization server for programs alone has no page for people, and no PKCE. */
static void
test_no_page (Test *test, gconstpointer data)
{
  g_autofree char *metadata = g_strdup_printf ("{\"issuer\":\"%1$s\",\"token_endpoint\":\"%1$s/token\"}", test->fixture->root);

  beckon_oauth_fixture_set (test->fixture, "/.well-known/oauth-authorization-server", 200, NULL, metadata);
  use_login (test, BECKON_LOGIN_CLIENT);
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, g_strdup ("secret"));
  sign_in (test);
  assert_token (test, "token-1");
}

/* A sign-in by another client of the same server is not used. */
static void
test_other_client (Test *test, gconstpointer data)
{
  use_login (test, BECKON_LOGIN_CLIENT);
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, g_strdup ("secret"));
  sign_in (test);
  assert_token (test, "token-1");
  g_assert_finalize_object (test->oauth);
  test->oauth = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (test->store), "server", test->clock);
  sign_in (test);
  assert_token (test, "token-1");
  g_assert_finalize_object (test->oauth);
  test->oauth = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (test->store), "server", test->clock);
  g_free (test->login->client_id);
  test->login->client_id = g_strdup ("another");
  sign_in (test);
  assert_token (test, "token-2");
}

/* A sign-in at the issuer that was entered before is not renewed: the new one's secret doesn't go there. */
static void
test_other_issuer (Test *test, gconstpointer data)
{
  use_login (test, BECKON_LOGIN_CLIENT);
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, g_strdup ("secret"));
  sign_in (test);
  assert_token (test, "token-1");
  g_assert_finalize_object (test->oauth);
  test->oauth = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (test->store), "server", test->clock);
  g_free (test->login->issuer);
  test->login->issuer = g_strdup ("https://elsewhere.example");
  sign_in (test);
  g_assert_nonnull (test->error);
  g_assert_null (test->token);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 1);
}

/* A plain token of before is not used when the settings ask for bound ones. */
static void
test_now_bound (Test *test, gconstpointer data)
{
  use_login (test, BECKON_LOGIN_CLIENT);
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, g_strdup ("secret"));
  sign_in (test);
  assert_token (test, "token-1");
  g_assert_finalize_object (test->oauth);
  test->oauth = beckon_oauth_new (test->fixture->url, BECKON_OAUTH_STORE (test->store), "server", test->clock);
  test->login->is_bound = TRUE;
  test->fixture->is_bound = TRUE;
  test->fixture->now = NOW_S;
  sign_in (test);
  assert_token (test, "token-2");
}

/* --- What others say ---------------------------------------------------------------------------------------------- */

static void
test_workload (Test *test, gconstpointer data)
{
  use_login (test, BECKON_LOGIN_WORKLOAD);
  test->wallet->token = g_strdup ("voucher");
  sign_in (test);
  assert_token (test, "token-1");
  assert_field (test, "/token", "grant_type", JWT_BEARER);
  assert_field (test, "/token", "client_id", "robot");
  assert_authorization (test, "/token", NULL);
  g_assert_null (strstr (test->store->text, "voucher"));

  /* A platform's token is read anew: it is short-lived. */
  refuse (test, "token-1");
  assert_token (test, "token-2");
  g_assert_cmpuint (test->wallet->n_tokens, ==, 2);
}

/* An assertion that has expired: said once, and nothing else is tried. */
static void
test_expired (Test *test, gconstpointer data)
{
  use_login (test, BECKON_LOGIN_WORKLOAD);
  test->wallet->token = g_strdup ("expired");
  sign_in (test);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED);
  g_assert_nonnull (strstr (test->error->message, "invalid_grant"));
  g_assert_null (strstr (test->error->message, "expired"));
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 1);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/authorize"), ==, 0);
}

static void
test_enterprise (Test *test, gconstpointer data)
{
  test->fixture->methods = "\"client_secret_basic\"";
  use_provider (test);
  use_secret (test, BECKON_LOGIN_SECRET_CLIENT, g_strdup ("one"));
  use_secret (test, BECKON_LOGIN_SECRET_PROVIDER, g_strdup ("two"));
  sign_in (test);
  assert_token (test, "token-1");
  assert_authorization (test, "/idp", "Basic YmVja29uLWF0LWlkcDp0d28=");
  assert_field (test, "/idp", "scope", "read");
  assert_authorization (test, "/token", "Basic cm9ib3Q6b25l");
  assert_field (test, "/token", "grant_type", JWT_BEARER);
  assert_field (test, "/token", "assertion", "voucher");
  assert_field (test, "/token", "subject_token", NULL);
}

static void
test_enterprise_public (Test *test, gconstpointer data)
{
  use_provider (test);
  sign_in (test);
  assert_token (test, "token-1");
  assert_field (test, "/idp", "client_id", "beckon-at-idp");
  assert_authorization (test, "/idp", NULL);
  assert_field (test, "/token", "client_id", "robot");
}

typedef struct
{
  const char *name;
  guint status;
  const char *body;
  int code;
} Exchange;

static const Exchange exchanges[] = {
  { "refused", 400, "{\"error\":\"access_denied\"}", BECKON_OAUTH_ERROR_REFUSED },
  { "broken", 502, "<html>", BECKON_OAUTH_ERROR_FAILED },
  { "no-token", 200, "{}", BECKON_OAUTH_ERROR_PROTOCOL },
  { "other-token", 200,
    "{\"access_token\":\"voucher\",\"issued_token_type\":\"urn:ietf:params:oauth:token-type:access_token\"}",
    BECKON_OAUTH_ERROR_PROTOCOL },
};

/* An exchange that fails ends the sign-in: the authorization server is not asked for anything. */
static void
test_exchange (Test *test, gconstpointer data)
{
  const Exchange *exchange = &exchanges[GPOINTER_TO_UINT (data)];

  use_provider (test);
  beckon_oauth_fixture_set (test->fixture, "/idp", exchange->status, NULL, exchange->body);
  sign_in (test);
  g_assert_error (test->error, BECKON_OAUTH_ERROR, exchange->code);
  g_assert_null (strstr (test->error->message, "identity"));
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/idp"), ==, 1);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/token"), ==, 0);
}

static void
test_no_token (Test *test, gconstpointer data)
{
  use_provider (test);
  g_clear_pointer (&test->wallet->token, g_free);
  sign_in (test);
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  g_assert_cmpuint (beckon_oauth_fixture_count (test->fixture, "/idp"), ==, 0);
}

/* A caller who cancels while the provider thinks has its answer at once. */
static void
test_cancelled (Test *test, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_hold (reply, "thinks");
  beckon_oauth_fixture_set_reply (test->fixture, "/idp", reply);
  use_provider (test);
  beckon_oauth_set_login (test->oauth, test->login, BECKON_OAUTH_WALLET (test->wallet));
  beckon_oauth_refused_async (test->oauth, 401, "Bearer", NULL, cancellable, on_refused, test);
  WAIT (beckon_fixture_server_count_held (test->fixture->server, "thinks") == 1);
  g_cancellable_cancel (cancellable);
  WAIT (test->is_done);
  g_assert_error (test->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  beckon_fixture_server_release (test->fixture->server, "thinks");
  g_clear_error (&test->error);

  /* The next one does not wait behind it. */
  beckon_oauth_fixture_set (test->fixture, "/idp", 200, NULL,
                            "{\"access_token\":\"voucher\",\"issued_token_type\":\"urn:ietf:params:oauth:token-type:id-jag\"}");
  refuse (test, NULL);
  assert_token (test, "token-1");
}

/* --- Settings ----------------------------------------------------------------------------------------------------- */

static BeckonLogin *
read_login (const char *json)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (json, -1, NULL);

  return beckon_login_read (object);
}

static void
test_settings (void)
{
  static const char *const good[] = {
    "{\"flow\":\"person\"}",
    "{\"flow\":\"person\",\"isBound\":true}",
    "{\"flow\":\"client\",\"clientId\":\"a\",\"hasClientKey\":true}",
    "{\"flow\":\"client\",\"clientId\":\"a\",\"issuer\":\"https://as.example\",\"hasClientSecret\":true}",
    "{\"flow\":\"workload\",\"issuer\":\"https://as.example\",\"tokenFile\":\"/run/token\"}",
    "{\"flow\":\"workload\",\"issuer\":\"https://as.example\",\"tokenProgram\":[\"print-token\",\"-q\"]}",
    "{\"flow\":\"enterprise\",\"clientId\":\"a\",\"providerUrl\":\"https://idp.example/token\",\"providerClientId\":\"b\","
    "\"tokenFile\":\"/run/token\",\"hasProviderSecret\":true}",
  };
  static const char *const bad[] = {
    "{}",
    "{\"flow\":\"magic\"}",
    "{\"flow\":\"client\",\"clientId\":\"a\"}",
    "{\"flow\":\"client\",\"hasClientKey\":true}",
    "{\"flow\":\"client\",\"clientId\":\"a\",\"hasClientSecret\":true}",
    "{\"flow\":\"client\",\"clientId\":\"a\",\"hasClientKey\":true,\"hasClientSecret\":true,\"issuer\":\"https://as.example\"}",
    "{\"flow\":\"client\",\"clientId\":\"a\",\"hasClientKey\":true,\"issuer\":\"http://as.example\"}",
    "{\"flow\":\"client\",\"clientId\":\"a\",\"hasClientKey\":true,\"tokenFile\":\"/run/token\"}",
    "{\"flow\":\"workload\",\"tokenFile\":\"/run/token\"}",
    "{\"flow\":\"workload\",\"issuer\":\"https://as.example\",\"tokenFile\":\"token\"}",
    "{\"flow\":\"workload\",\"issuer\":\"https://as.example\",\"tokenFile\":\"/t\",\"tokenProgram\":[\"t\"]}",
    "{\"flow\":\"enterprise\",\"clientId\":\"a\",\"providerUrl\":\"http://idp.example/token\",\"providerClientId\":\"b\","
    "\"tokenFile\":\"/run/token\"}",
    "{\"flow\":\"person\",\"providerUrl\":\"https://idp.example/token\"}",
    "{\"flow\":\"person\",\"scope\":\"a\\nb\"}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (BeckonLogin) login = read_login (good[i]);
      GString *text = g_string_new (NULL);
      g_autofree char *again = NULL;
      g_autoptr (BeckonLogin) copy = NULL;
      BeckonJsonWriter writer;

      g_test_message ("%s", good[i]);
      g_assert_nonnull (login);
      beckon_json_writer_init (&writer, text);
      beckon_login_write (login, &writer);
      again = g_string_free (text, FALSE);
      copy = read_login (again);
      g_assert_true (beckon_login_equal (login, copy));
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_test_message ("%s", bad[i]);
      g_assert_null (read_login (bad[i]));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/oauth/alone/" name, Test, NULL, set_up, function, tear_down)
  ADD ("basic", test_basic);
  ADD ("post", test_post);
  ADD ("key", test_key);
  ADD ("bad-key", test_bad_key);
  ADD ("missing-secret", test_missing_secret);
  ADD ("elsewhere", test_elsewhere);
  ADD ("refused", test_refused);
  ADD ("no-page", test_no_page);
  ADD ("other-client", test_other_client);
  ADD ("other-issuer", test_other_issuer);
  ADD ("now-bound", test_now_bound);
  ADD ("workload", test_workload);
  ADD ("expired", test_expired);
  ADD ("enterprise", test_enterprise);
  ADD ("enterprise-public", test_enterprise_public);
  ADD ("no-token", test_no_token);
  ADD ("cancelled", test_cancelled);
  for (guint i = 0; i < G_N_ELEMENTS (exchanges); i++)
    {
      g_autofree char *path = g_strconcat ("/oauth/alone/exchange/", exchanges[i].name, NULL);

      g_test_add (path, Test, GUINT_TO_POINTER (i), set_up, test_exchange, tear_down);
    }
  g_test_add_func ("/oauth/alone/settings", test_settings);
  return g_test_run ();
}
