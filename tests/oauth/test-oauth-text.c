/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts of servers about a sign-in, read without a server. */

#include "base/beckon-base64url.h"
#include "oauth/beckon-oauth-challenge.h"
#include "oauth/beckon-oauth.h"
#include "oauth/beckon-oauth-grant.h"
#include "oauth/beckon-oauth-metadata.h"
#include "oauth/beckon-oauth-url.h"

#include <string.h>

static void
test_challenges (void)
{
  static const struct
  {
    const char *header;
    const char *error;
    const char *scope;
    const char *resource;
  } cases[] = {
    { NULL, NULL, NULL, NULL },
    { "", NULL, NULL, NULL },
    { "Bearer", NULL, NULL, NULL },
    { "Bearer error=invalid_token", "invalid_token", NULL, NULL },
    { "bearer scope=\"a b\", error=\"insufficient_scope\"", "insufficient_scope", "a b", NULL },
    { "Basic realm=\"x, Bearer scope=\\\"no\\\"\", Bearer scope=\"yes\"", NULL, "yes", NULL },
    { "Negotiate YWJj==, Bearer resource_metadata=\"https://a.example/m\"", NULL, NULL, "https://a.example/m" },
    { "Bearer resource_metadata = \"https://a.example/m\" , scope = one", NULL, "one", "https://a.example/m" },
    { "Bearer scope=\"first\", Bearer scope=\"second\"", NULL, "first", NULL },
    { "Bearer scope=\"first\", Basic scope=\"second\"", NULL, "first", NULL },
    { "Basic scope=\"first\"", NULL, NULL, NULL },
    { "Bearer scope=\"not closed", NULL, NULL, NULL },
    { "Bearer scope=\"a\\\"b\"", NULL, NULL, NULL },
    { "Bearer scope=\"\xc3\xa4\"", NULL, NULL, NULL },
    { "Bearer ,,, scope=\"a\",", NULL, "a", NULL },
    { "Bearer scope=\"a\" \x01 error=\"b\"", NULL, "a", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonOauthChallenge) challenge = beckon_oauth_challenge_parse (cases[i].header);

      g_assert_cmpstr (challenge->error, ==, cases[i].error);
      g_assert_cmpstr (challenge->scope, ==, cases[i].scope);
      g_assert_cmpstr (challenge->resource_metadata, ==, cases[i].resource);
    }
}

/* Any bytes end: no read behind the text, no loop. */
static void
test_random_challenges (void)
{
  static const char alphabet[] = "Bearer scope=\",\\ \t/=x";

  for (guint i = 0; i < 20000; i++)
    {
      char text[40] = { 0 };
      g_autoptr (BeckonOauthChallenge) challenge = NULL;

      for (int n = g_test_rand_int_range (0, sizeof text - 1), k = 0; k < n; k++)
        text[k] = alphabet[g_test_rand_int_range (0, sizeof alphabet - 1)];
      challenge = beckon_oauth_challenge_parse (text);
      g_assert_nonnull (challenge);
    }
}

static void
test_scopes (void)
{
  g_autofree char *joined = beckon_oauth_scope_join (" a  b a", "c b");
  g_autofree char *none = beckon_oauth_scope_join (NULL, " ");

  g_assert_cmpstr (joined, ==, "a b c");
  g_assert_null (none);
  g_assert_true (beckon_oauth_scope_has ("a b", "b"));
  g_assert_true (beckon_oauth_scope_has ("a b", NULL));
  g_assert_true (beckon_oauth_scope_has (NULL, NULL));
  g_assert_false (beckon_oauth_scope_has ("a b", "ab"));
  g_assert_false (beckon_oauth_scope_has (NULL, "a"));
}

static void
test_addresses (void)
{
  static const char *const good[] = { "https://a.example", "https://a.example:8443/x?y=z", "http://127.0.0.1:3000/",
                                      "http://[::1]/", "http://localhost/x" };
  static const char *const bad[] = { NULL, "", "a.example", "http://a.example/", "file:///etc/passwd", "javascript:alert(1)",
                                     "https://user@a.example/", "https://a.example/#x", "https:///x", "ftp://a.example/",
                                     "https://a.example/a b", "https://a.example/\n", "http://127.0.0.1.a.example/",
                                     "http://localhost.a.example/", "https://a.example\"&calc", "x-calc:1" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (beckon_oauth_url_check (good[i], &error));
      g_assert_no_error (error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_oauth_url_check (bad[i], &error));
      g_assert_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_UNSAFE);
    }
}

static void
test_places (void)
{
  static const struct
  {
    const char *url;
    const char *resource;
    const char *issuer;
  } cases[] = {
    { "https://a.example", "https://a.example/.well-known/oauth-protected-resource",
      "https://a.example/.well-known/oauth-authorization-server https://a.example/.well-known/openid-configuration" },
    { "https://A.example:8443/", "https://a.example:8443/.well-known/oauth-protected-resource",
      "https://a.example:8443/.well-known/oauth-authorization-server https://a.example:8443/.well-known/openid-configuration" },
    { "https://a.example/p/mcp",
      "https://a.example/.well-known/oauth-protected-resource/p/mcp https://a.example/.well-known/oauth-protected-resource",
      "https://a.example/.well-known/oauth-authorization-server/p/mcp https://a.example/.well-known/openid-configuration/p/mcp "
      "https://a.example/p/mcp/.well-known/openid-configuration" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) resources = beckon_oauth_url_list_resource_metadata (cases[i].url);
      g_auto (GStrv) issuers = beckon_oauth_url_list_server_metadata (cases[i].url);
      g_autofree char *resource = g_strjoinv (" ", resources);
      g_autofree char *issuer = g_strjoinv (" ", issuers);

      g_assert_cmpstr (resource, ==, cases[i].resource);
      g_assert_cmpstr (issuer, ==, cases[i].issuer);
    }
}

static void
test_resources (void)
{
  static const struct
  {
    const char *resource;
    const char *server;
    gboolean covers;
  } cases[] = {
    { "https://a.example/mcp", "https://a.example/mcp", TRUE },
    { "https://a.example/", "https://a.example/mcp", TRUE },
    { "https://a.example", "https://a.example/mcp", TRUE },
    { "https://A.EXAMPLE:443/mcp", "https://a.example/mcp", TRUE },
    { "https://a.example/mcp/", "https://a.example/mcp", TRUE },
    { "https://a.example/mcp", "https://a.example/mcp/sub", TRUE },
    { "https://a.example/mc", "https://a.example/mcp", FALSE },
    { "https://a.example/mcp/sub", "https://a.example/mcp", FALSE },
    { "https://b.example/mcp", "https://a.example/mcp", FALSE },
    { "http://a.example/mcp", "https://a.example/mcp", FALSE },
    { "https://a.example:444/mcp", "https://a.example/mcp", FALSE },
    { "https://a.example/mcp#x", "https://a.example/mcp", FALSE },
    { "https://a.example/mcp?t=1", "https://a.example/mcp", FALSE },
    { "nothing", "https://a.example/mcp", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (beckon_oauth_url_covers (cases[i].resource, cases[i].server), ==, cases[i].covers);
}

#define AS(issuer, more) \
  "{\"issuer\":\"" issuer "\",\"authorization_endpoint\":\"https://as.example/a\"," \
  "\"token_endpoint\":\"https://as.example/t\"," more "\"code_challenge_methods_supported\":[\"plain\",\"S256\"]}"

static void
test_issuers (void)
{
  static const struct
  {
    const char *json;
    int code; /* -1 for none */
  } cases[] = {
    { AS ("https://as.example", ""), -1 },
    { AS ("https://as.example", "\"registration_endpoint\":\"https://as.example/r\","), -1 },
    { AS ("https://as.example/", ""), -1 },
    { AS ("https://as.example//", ""), BECKON_OAUTH_ERROR_UNSAFE },
    { AS ("https://as.example/tenant", ""), BECKON_OAUTH_ERROR_UNSAFE },
    { AS ("https://as.example?/", ""), BECKON_OAUTH_ERROR_UNSAFE },
    { AS ("https://AS.example", ""), BECKON_OAUTH_ERROR_UNSAFE },
    { AS ("https://evil.example", ""), BECKON_OAUTH_ERROR_UNSAFE },
    { AS ("https://as.example", "\"registration_endpoint\":\"file:///etc/passwd\","), BECKON_OAUTH_ERROR_UNSAFE },
    { "{\"issuer\":\"https://as.example\",\"authorization_endpoint\":\"https://as.example/a\",\"token_endpoint\":"
      "\"https://as.example/t\"}", BECKON_OAUTH_ERROR_UNSAFE },
    { "{\"issuer\":\"https://as.example\",\"authorization_endpoint\":\"x-calc:1\",\"token_endpoint\":\"https://as.example/t\","
      "\"code_challenge_methods_supported\":[\"S256\"]}", BECKON_OAUTH_ERROR_UNSAFE },
    { "{\"issuer\":\"https://as.example\",\"authorization_endpoint\":\"https://as.example/a\","
      "\"code_challenge_methods_supported\":[\"S256\"]}", BECKON_OAUTH_ERROR_PROTOCOL },
    { "{\"issuer\":\"https://as.example\",\"authorization_endpoint\":7,\"token_endpoint\":\"https://as.example/t\","
      "\"code_challenge_methods_supported\":[\"S256\"]}", BECKON_OAUTH_ERROR_PROTOCOL },
    { "[]", BECKON_OAUTH_ERROR_PROTOCOL },
    { "", BECKON_OAUTH_ERROR_PROTOCOL },
    { "{", BECKON_OAUTH_ERROR_PROTOCOL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonOauthIssuer) issuer
          = beckon_oauth_issuer_parse (cases[i].json, strlen (cases[i].json), "https://as.example", &error);

      if (cases[i].code < 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, BECKON_OAUTH_ERROR, cases[i].code);
      g_assert_true ((issuer != NULL) == (cases[i].code < 0));
    }
}

/* A lone slash is no path; everything else of a name counts. */
static void
test_issuer_names (void)
{
  static const struct
  {
    const char *one;
    const char *other;
    gboolean is_same;
  } cases[] = {
    { "https://a.example", "https://a.example/", TRUE },
    { "https://a.example:8443/", "https://a.example:8443", TRUE },
    { "https://a.example/", "https://a.example/", TRUE },
    { "https://a.example/tenant", "https://a.example/tenant/", FALSE },
    { "https://a.example", "https://a.example//", FALSE },
    { "https://a.example", "https://a.example/?", FALSE },
    { "https://a.example?x", "https://a.example?x/", FALSE },
    { "https://a.example", "http://a.example/", FALSE },
    { "https://a.example", "https://A.example/", FALSE },
    { "https://a.example", "https://a.example.evil/", FALSE },
    { "https://a.example", NULL, FALSE },
    { NULL, NULL, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (beckon_oauth_url_is_issuer (cases[i].one, cases[i].other), ==, cases[i].is_same);
      g_assert_cmpint (beckon_oauth_url_is_issuer (cases[i].other, cases[i].one), ==, cases[i].is_same);
    }
}

/* An address that no sign-in needs keeps none from happening, and is not used where it is not safe. */
static void
test_revocation_endpoint (void)
{
  static const char *const cases[][2] = {
    { "", NULL },
    { ",\"revocation_endpoint\":7", NULL },
    { ",\"revocation_endpoint\":\"http://as.example/revoke\"", NULL },
    { ",\"revocation_endpoint\":\"file:///etc/passwd\"", NULL },
    { ",\"revocation_endpoint\":\"https://as.example/revoke\"", "https://as.example/revoke" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *json
          = g_strdup_printf ("{\"issuer\":\"https://as.example\",\"authorization_endpoint\":\"https://as.example/a\","
                             "\"token_endpoint\":\"https://as.example/t\",\"code_challenge_methods_supported\":[\"S256\"]%s}",
                             cases[i][0]);
      g_autoptr (BeckonOauthIssuer) issuer = beckon_oauth_issuer_parse (json, strlen (json), "https://as.example", NULL);

      g_assert_nonnull (issuer);
      g_assert_cmpstr (issuer->revoke_url, ==, cases[i][1]);
    }
}

static void
test_tokens (void)
{
  static const struct
  {
    const char *json;
    gboolean is_good;
  } cases[] = {
    { "{\"access_token\":\"a\",\"token_type\":\"bearer\",\"expires_in\":10}", TRUE },
    { "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":\"10\",\"refresh_token\":\"r\"}", TRUE },
    { "{\"access_token\":\"a\",\"token_type\":\"mac\"}", FALSE },
    { "{\"access_token\":\"a\"}", FALSE },
    { "{\"access_token\":\"a\\r\\nX: y\",\"token_type\":\"Bearer\"}", FALSE },
    { "{\"access_token\":\"\",\"token_type\":\"Bearer\"}", FALSE },
    { "{\"access_token\":7,\"token_type\":\"Bearer\"}", FALSE },
    { "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"refresh_token\":\" \"}", FALSE },
    { "access_token=a&token_type=bearer", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonOauthGrant) grant = beckon_oauth_grant_new ();

      grant->issuer = g_strdup ("https://as.example");
      grant->refresh_token = g_strdup ("before");
      g_assert_cmpint (beckon_oauth_grant_take_tokens (grant, cases[i].json, strlen (cases[i].json), 1000, &error), ==,
                       cases[i].is_good);
      g_assert_cmpstr (grant->access_token, ==, cases[i].is_good ? "a" : NULL);
      g_assert_cmpint (grant->expires_at, ==, cases[i].is_good ? 1000 + 10 * G_USEC_PER_SEC : 0);
      if (!cases[i].is_good)
        {
          g_assert_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_PROTOCOL);
          g_assert_cmpstr (grant->refresh_token, ==, "before");
        }
    }
}

/* A sign-in is the same after the keyring. */
static void
test_keeping (void)
{
  g_autoptr (BeckonOauthGrant) grant = beckon_oauth_grant_new ();
  g_autoptr (BeckonOauthGrant) again = NULL;
  g_autofree char *text = NULL;
  g_autofree char *other = NULL;

  grant->issuer = g_strdup ("https://as.example");
  grant->client_id = g_strdup ("ü\"\\\n");
  grant->access_token = g_strdup ("token");
  grant->expires_at = G_GINT64_CONSTANT (1795000000123456);
  text = beckon_oauth_grant_print (grant);
  again = beckon_oauth_grant_parse (text);
  other = beckon_oauth_grant_print (again);
  g_assert_cmpstr (text, ==, other);
  g_assert_null (beckon_oauth_grant_parse ("[]"));
  g_assert_null (beckon_oauth_grant_parse ("{\"issuer\":\"a\",\"issuer\":\"b\"}"));
}

/* Tokens that an earlier version bound to a key can't be used; how this program is registered can. */
static void
test_bound_before (void)
{
  g_autoptr (BeckonOauthGrant) grant
      = beckon_oauth_grant_parse ("{\"issuer\":\"https://as.example\",\"client_id\":\"c\",\"access_token\":\"a\","
                                  "\"refresh_token\":\"r\",\"token_type\":\"DPoP\",\"proof_key\":\"k\"}");

  g_assert_nonnull (grant);
  g_assert_cmpstr (grant->client_id, ==, "c");
  g_assert_null (grant->access_token);
  g_assert_null (grant->refresh_token);
}

/* RFC 7636, appendix B; RFC 6749, 2.3.1 */
static void
test_proofs (void)
{
  g_autofree char *challenge = beckon_base64url_digest ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
  g_autofree char *one = beckon_base64url_random ();
  g_autofree char *other = beckon_base64url_random ();
  g_autoptr (BeckonOauthGrant) grant = beckon_oauth_grant_new ();
  g_autoptr (GString) form = g_string_new (NULL);
  g_autofree char *basic = NULL;

  g_assert_cmpstr (challenge, ==, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  g_assert_cmpuint (strlen (one), ==, 43);
  g_assert_cmpstr (one, !=, other);

  grant->client_id = g_strdup ("a:b");
  grant->client_secret = g_strdup ("c d");
  grant->method = g_strdup ("client_secret_basic");
  basic = beckon_oauth_grant_sign (grant, NULL, form);
  g_assert_cmpstr (basic, ==, "Basic YSUzQWI6YyUyMGQ=");
  g_assert_cmpstr (form->str, ==, "");
  g_free (grant->method);
  grant->method = g_strdup ("client_secret_post");
  g_assert_null (beckon_oauth_grant_sign (grant, NULL, form));
  g_assert_cmpstr (form->str, ==, "client_id=a%3Ab&client_secret=c%20d");

  g_assert_cmpstr (beckon_oauth_grant_choose_method (NULL, NULL, TRUE), ==, "client_secret_basic");
  g_assert_cmpstr (beckon_oauth_grant_choose_method ("none client_secret_post", NULL, TRUE), ==, "client_secret_post");
  g_assert_cmpstr (beckon_oauth_grant_choose_method (NULL, "client_secret_post", TRUE), ==, "client_secret_post");
  g_assert_cmpstr (beckon_oauth_grant_choose_method ("client_secret_basic", "private_key_jwt", FALSE), ==, "none");
}

static void
test_codes (void)
{
  static const char json[] = "{\"error\":\"invalid_grant\",\"error_description\":\"<b>\"}";
  static const char hostile[] = "{\"error\":\"Send your password to https://evil.example\"}";
  g_autofree char *code = beckon_oauth_dup_error_code (json, strlen (json));

  g_assert_cmpstr (code, ==, "invalid_grant");
  g_assert_null (beckon_oauth_dup_error_code (hostile, strlen (hostile)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/oauth/text/challenges", test_challenges);
  g_test_add_func ("/oauth/text/challenges/random", test_random_challenges);
  g_test_add_func ("/oauth/text/scopes", test_scopes);
  g_test_add_func ("/oauth/text/addresses", test_addresses);
  g_test_add_func ("/oauth/text/places", test_places);
  g_test_add_func ("/oauth/text/resources", test_resources);
  g_test_add_func ("/oauth/text/issuers", test_issuers);
  g_test_add_func ("/oauth/text/issuer-names", test_issuer_names);
  g_test_add_func ("/oauth/text/revocation-endpoint", test_revocation_endpoint);
  g_test_add_func ("/oauth/text/tokens", test_tokens);
  g_test_add_func ("/oauth/text/keeping", test_keeping);
  g_test_add_func ("/oauth/text/bound-before", test_bound_before);
  g_test_add_func ("/oauth/text/proofs", test_proofs);
  g_test_add_func ("/oauth/text/codes", test_codes);
  return g_test_run ();
}
