/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-fixture.h"

#include "base/beckon-base64url.h"

#include "base/beckon-json.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <string.h>

static char *
dup_field (const char *form, const char *name)
{
  g_autoptr (GHashTable) fields = soup_form_decode (form != NULL ? form : "");

  return g_strdup (g_hash_table_lookup (fields, name));
}

static BeckonFixtureReply *
reply_with (guint status, const char *headers, const char *body)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, status, headers, "application/json", body);
  return reply;
}

static BeckonFixtureReply *
fault (BeckonOauthFixture *self, const char *code)
{
  g_autofree char *body = g_strdup_printf ("{\"error\":\"%s\"}", code);

  self->n_faults++;
  return reply_with (400, NULL, body);
}

/* --- Proofs of a key ---------------------------------------------------------------------------------------------- */

static guchar *
decode (const char *text, gsize *length)
{
  g_autoptr (GString) padded = g_string_new (text);

  g_strdelimit (g_strdelimit (padded->str, "-", '+'), "_", '/');
  while (padded->len % 4 != 0)
    g_string_append_c (padded, '=');
  return g_base64_decode (padded->str, length);
}

static JsonObject *
decode_object (const char *text)
{
  gsize length;
  g_autofree char *json = (char *) decode (text, &length);

  return beckon_json_parse_object (json, (gssize) length, NULL);
}

static gboolean
is_signed (JsonObject *key, const char *data, gsize length, const char *signature)
{
  gsize sizes[3] = { 0 };
  g_autofree guchar *x = decode (beckon_json_get_string (key, "x"), &sizes[0]);
  g_autofree guchar *y = decode (beckon_json_get_string (key, "y"), &sizes[1]);
  g_autofree guchar *halves = decode (signature, &sizes[2]);
  gnutls_datum_t x_datum = { x, (unsigned) sizes[0] }, y_datum = { y, (unsigned) sizes[1] };
  gnutls_datum_t r = { halves, 32 }, s = { halves + 32, 32 }, whole = { 0 };
  gnutls_datum_t datum = { (guchar *) data, (unsigned) length };
  gnutls_pubkey_t public;
  gboolean is_good;

  if (sizes[0] != 32 || sizes[1] != 32 || sizes[2] != 64)
    return FALSE;
  gnutls_pubkey_init (&public);
  is_good = gnutls_pubkey_import_ecc_raw (public, GNUTLS_ECC_CURVE_SECP256R1, &x_datum, &y_datum) >= 0
            && gnutls_encode_rs_value (&whole, &r, &s) >= 0
            && gnutls_pubkey_verify_data2 (public, GNUTLS_SIGN_ECDSA_SHA256, 0, &datum, &whole) >= 0;
  gnutls_free (whole.data);
  gnutls_pubkey_deinit (public);
  return is_good;
}

JsonObject *
beckon_oauth_fixture_verify (const char *token, JsonObject *key)
{
  g_auto (GStrv) parts = g_strsplit (token, ".", -1);
  g_autoptr (JsonObject) header = NULL;
  JsonObject *claims;

  if (g_strv_length (parts) != 3)
    return NULL;
  header = decode_object (parts[0]);
  if (key == NULL)
    key = beckon_json_get_object (header, "jwk");
  if (key == NULL || g_strcmp0 (beckon_json_get_string (header, "alg"), "ES256") != 0 || json_object_has_member (key, "d")
      || !is_signed (key, token, strlen (parts[0]) + 1 + strlen (parts[1]), parts[2]))
    return NULL;
  claims = decode_object (parts[1]);
  json_object_set_string_member (claims, "key", beckon_json_get_string (key, "x"));
  json_object_set_object_member (claims, "header", g_steal_pointer (&header));
  return claims;
}

/* The error for a request's proof, %NULL for none. @token: (nullable): what it has to go with. */
static const char *
check_proof (BeckonOauthFixture *self, const BeckonFixtureRequest *request, const char *path, const char *nonce,
             const char *token)
{
  g_autofree char *proof = beckon_fixture_request_dup_header (request, "DPoP");
  g_autoptr (JsonObject) claims = proof != NULL ? beckon_oauth_fixture_verify (proof, NULL) : NULL;
  JsonObject *header = claims != NULL ? beckon_json_get_object (claims, "header") : NULL;
  g_autofree char *url = g_strconcat (self->root, path, NULL);
  g_autofree char *digest = token != NULL ? beckon_base64url_digest (token) : NULL;

  if (claims == NULL || g_strcmp0 (beckon_json_get_string (header, "typ"), "dpop+jwt") != 0
      || g_strcmp0 (beckon_json_get_string (claims, "htm"), "POST") != 0
      || g_strcmp0 (beckon_json_get_string (claims, "htu"), url) != 0
      || beckon_json_get_int (claims, "iat", 0) != self->now || g_strcmp0 (beckon_json_get_string (claims, "ath"), digest) != 0
      || beckon_json_get_string (claims, "jti") == NULL
      || !g_hash_table_add (self->proofs, g_strdup (beckon_json_get_string (claims, "jti"))))
    return "invalid_dpop_proof";
  g_hash_table_add (self->proof_keys, g_strdup (beckon_json_get_string (claims, "key")));
  if (token != NULL && g_strcmp0 (self->bound_key, beckon_json_get_string (claims, "key")) != 0)
    return "invalid_dpop_proof";
  if (nonce != NULL && (self->restless || g_strcmp0 (beckon_json_get_string (claims, "nonce"), nonce) != 0))
    return "use_dpop_nonce";
  g_free (self->bound_key);
  self->bound_key = g_strdup (beckon_json_get_string (claims, "key"));
  return NULL;
}

static char *
dup_nonce_header (BeckonOauthFixture *self, const char *nonce)
{
  self->n_nonces++;
  return self->restless ? g_strdup_printf ("DPoP-Nonce: %s-%u\r\n", nonce, self->n_nonces)
                        : g_strdup_printf ("DPoP-Nonce: %s\r\n", nonce);
}

/* The page, on which the person says yes at once. */
static BeckonFixtureReply *
visit (BeckonOauthFixture *self, const char *query)
{
  g_autofree char *state = dup_field (query, "state");
  g_autofree char *method = dup_field (query, "code_challenge_method");
  g_autofree char *resource = dup_field (query, "resource");
  g_autofree char *type = dup_field (query, "response_type");
  g_autofree char *headers = NULL;
  g_autofree char *usual = NULL;

  g_free (self->challenge);
  g_free (self->redirect);
  self->challenge = dup_field (query, "code_challenge");
  self->redirect = dup_field (query, "redirect_uri");
  if (g_strcmp0 (method, "S256") != 0 || g_strcmp0 (resource, self->url) != 0 || g_strcmp0 (type, "code") != 0 || state == NULL
      || self->redirect == NULL || !g_str_has_prefix (self->redirect, "http://127.0.0.1:"))
    return fault (self, "invalid_request");
  usual = g_strdup_printf ("code=the-code&state=%s", state);
  headers = g_strdup_printf ("Location: %s?%s%s\r\n", self->redirect, self->answer != NULL ? self->answer : usual,
                             self->add != NULL ? self->add : "");
  return reply_with (302, headers, "");
}

/* (nullable): the refusal of a request without the proof that it needs. */
static BeckonFixtureReply *
refuse_unproven (BeckonOauthFixture *self, const BeckonFixtureRequest *request)
{
  const char *problem = self->is_bound ? check_proof (self, request, "/token", self->token_nonce, NULL) : NULL;
  g_autofree char *headers = NULL;

  if (problem == NULL)
    return NULL;
  if (!g_str_equal (problem, "use_dpop_nonce"))
    return fault (self, problem);
  headers = dup_nonce_header (self, self->token_nonce);
  return reply_with (400, headers, "{\"error\":\"use_dpop_nonce\"}");
}

static gboolean
is_good_grant (BeckonOauthFixture *self, const char *form, const char *grant)
{
  g_autofree char *verifier = dup_field (form, "code_verifier");
  g_autofree char *redirect = dup_field (form, "redirect_uri");
  g_autofree char *refresh = dup_field (form, "refresh_token");
  g_autofree char *assertion = dup_field (form, "assertion");
  g_autofree char *expected = g_strdup_printf ("refresh-%u", self->n_tokens);
  g_autofree char *challenge = verifier != NULL ? beckon_base64url_digest (verifier) : NULL;

  if (g_strcmp0 (grant, "authorization_code") == 0)
    return g_strcmp0 (challenge, self->challenge) == 0 && g_strcmp0 (redirect, self->redirect) == 0;
  if (g_strcmp0 (grant, "refresh_token") == 0)
    return g_strcmp0 (refresh, expected) == 0;
  if (g_strcmp0 (grant, "urn:ietf:params:oauth:grant-type:jwt-bearer") == 0)
    return g_strcmp0 (assertion, "voucher") == 0;
  return g_strcmp0 (grant, "client_credentials") == 0;
}

static BeckonFixtureReply *
give_token (BeckonOauthFixture *self, const BeckonFixtureRequest *request)
{
  const char *form = request->body;
  g_autofree char *grant = dup_field (form, "grant_type");
  g_autofree char *resource = dup_field (form, "resource");
  BeckonFixtureReply *refusal;
  gboolean is_person = g_strcmp0 (grant, "authorization_code") == 0 || g_strcmp0 (grant, "refresh_token") == 0;
  g_autofree char *refresh = NULL;
  g_autofree char *body = NULL;

  if (g_strcmp0 (resource, self->url) != 0)
    return fault (self, "invalid_target");
  refusal = refuse_unproven (self, request);
  if (refusal != NULL)
    return refusal;
  if (!is_good_grant (self, form, grant))
    return fault (self, "invalid_grant");
  self->n_tokens++;
  refresh = is_person ? g_strdup_printf (",\"refresh_token\":\"refresh-%u\"", self->n_tokens) : g_strdup ("");
  body = g_strdup_printf ("{\"access_token\":\"token-%u\",\"token_type\":\"%s\",\"expires_in\":3600%s}", self->n_tokens,
                          self->is_bound ? "DPoP" : "Bearer", refresh);
  return reply_with (200, NULL, body);
}

/* The identity provider, which vouches for whom it knows. */
static BeckonFixtureReply *
exchange (BeckonOauthFixture *self, const char *form)
{
  static const char *const expected[][2] = {
    { "grant_type", "urn:ietf:params:oauth:grant-type:token-exchange" },
    { "requested_token_type", "urn:ietf:params:oauth:token-type:id-jag" },
    { "subject_token_type", "urn:ietf:params:oauth:token-type:id_token" },
    { "subject_token", "identity" },
  };
  g_autofree char *audience = dup_field (form, "audience");
  g_autofree char *resource = dup_field (form, "resource");

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *field = dup_field (form, expected[i][0]);

      if (g_strcmp0 (field, expected[i][1]) != 0)
        return fault (self, "invalid_request");
    }
  if (g_strcmp0 (audience, self->root) != 0 || g_strcmp0 (resource, self->url) != 0)
    return fault (self, "invalid_target");
  return reply_with (200, NULL, "{\"access_token\":\"voucher\",\"token_type\":\"N_A\",\"issued_token_type\":"
                                "\"urn:ietf:params:oauth:token-type:id-jag\"}");
}

/* The protected server says yes to the last token alone, and where that is bound, with a proof. */
static BeckonFixtureReply *
serve (BeckonOauthFixture *self, const BeckonFixtureRequest *request)
{
  g_autofree char *authorization = beckon_fixture_request_dup_header (request, "Authorization");
  g_autofree char *token = g_strdup_printf ("token-%u", self->n_tokens);
  g_autofree char *expected = g_strconcat (self->is_bound ? "DPoP " : "Bearer ", token, NULL);
  const char *problem;
  g_autofree char *nonce = NULL;
  g_autofree char *headers = NULL;

  if (g_strcmp0 (authorization, expected) != 0)
    return reply_with (401, self->is_bound ? "WWW-Authenticate: DPoP scope=\"read\"\r\n" : "WWW-Authenticate: Bearer\r\n",
                       "{}");
  problem = self->is_bound ? check_proof (self, request, "/mcp", self->server_nonce, token) : NULL;
  if (problem == NULL)
    return reply_with (200, NULL, self->served);
  if (g_str_equal (problem, "use_dpop_nonce"))
    nonce = dup_nonce_header (self, self->server_nonce);
  else
    self->n_faults++;
  headers = g_strdup_printf ("WWW-Authenticate: DPoP error=\"%s\"\r\n%s", problem, nonce != NULL ? nonce : "");
  return reply_with (401, headers, "{}");
}

static BeckonFixtureReply *
describe (BeckonOauthFixture *self)
{
  g_autofree char *body
      = g_strdup_printf ("{\"resource\":\"%s\",\"authorization_servers\":[\"%s\"],\"scopes_supported\":[\"read\"]}", self->url,
                         self->root);

  return reply_with (200, NULL, body);
}

static BeckonFixtureReply *
describe_issuer (BeckonOauthFixture *self)
{
  g_autofree char *revocation
      = self->revokes ? g_strdup_printf (",\"revocation_endpoint\":\"%s/revoke\"", self->root) : g_strdup ("");
  g_autofree char *body
      = g_strdup_printf ("{\"issuer\":\"%1$s\",\"authorization_endpoint\":\"%1$s/authorize\",\"token_endpoint\":\"%1$s/token\","
                         "\"registration_endpoint\":\"%1$s/register\",\"code_challenge_methods_supported\":[\"S256\"],"
                         "\"token_endpoint_auth_methods_supported\":[%2$s]%3$s%4$s}", self->root, self->methods,
                         self->is_bound ? ",\"dpop_signing_alg_values_supported\":[\"ES256\"]" : "", revocation);

  return reply_with (200, NULL, body);
}

/* RFC 7009 */
static BeckonFixtureReply *
take_revocation (BeckonOauthFixture *self, const char *form)
{
  g_autofree char *token = dup_field (form, "token");
  g_autofree char *hint = dup_field (form, "token_type_hint");
  g_autofree char *client = dup_field (form, "client_id");
  g_autofree char *resource = dup_field (form, "resource");

  if (token == NULL || hint == NULL || g_strcmp0 (client, "the-client") != 0 || resource != NULL)
    return fault (self, "invalid_request");
  g_ptr_array_add (self->revoked, g_strconcat (hint, " ", token, NULL));
  return reply_with (200, NULL, "");
}

static BeckonFixtureReply *
answer (BeckonOauthFixture *self, const BeckonFixtureRequest *request, const char *path)
{
  BeckonFixtureReply *other = g_hash_table_lookup (self->replies, path);
  const char *query = strchr (request->path, '?');

  if (other != NULL)
    return beckon_fixture_reply_ref (other);
  if (g_str_equal (path, "/.well-known/oauth-protected-resource/mcp"))
    return describe (self);
  if (g_str_equal (path, "/.well-known/oauth-authorization-server"))
    return describe_issuer (self);
  if (g_str_equal (path, "/register"))
    {
      self->n_registrations++;
      return reply_with (201, NULL, "{\"client_id\":\"the-client\"}");
    }
  if (g_str_equal (path, "/authorize"))
    return visit (self, query != NULL ? query + 1 : NULL);
  if (g_str_equal (path, "/token"))
    return give_token (self, request);
  if (g_str_equal (path, "/revoke"))
    return take_revocation (self, request->body);
  if (g_str_equal (path, "/idp"))
    return exchange (self, request->body);
  if (g_str_equal (path, "/mcp"))
    return serve (self, request);
  return reply_with (404, NULL, "{}");
}

/* The path without the query. */
static char *
dup_path (const BeckonFixtureRequest *request)
{
  return g_strndup (request->path, strcspn (request->path, "?"));
}

static BeckonFixtureReply *
on_request (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  BeckonOauthFixture *self = user_data;
  g_autofree char *path = dup_path (request);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return answer (self, request, path);
}

BeckonOauthFixture *
beckon_oauth_fixture_new (void)
{
  BeckonOauthFixture *self = g_new0 (BeckonOauthFixture, 1);

  g_mutex_init (&self->mutex);
  self->server = beckon_fixture_server_new (0);
  self->root = g_strdup_printf ("http://127.0.0.1:%u", beckon_fixture_server_get_port (self->server));
  self->url = g_strconcat (self->root, "/mcp", NULL);
  self->replies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) beckon_fixture_reply_unref);
  self->session = soup_session_new ();
  self->methods = "\"none\"";
  self->served = "{}";
  self->revoked = g_ptr_array_new_with_free_func (g_free);
  self->proofs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->proof_keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  beckon_fixture_server_set_handler (self->server, on_request, self);
  return self;
}

void
beckon_oauth_fixture_free (BeckonOauthFixture *self)
{
  soup_session_abort (self->session);
  beckon_fixture_server_free (self->server);
  g_object_unref (self->session);
  g_hash_table_unref (self->replies);
  g_ptr_array_unref (self->revoked);
  g_mutex_clear (&self->mutex);
  g_free (self->url);
  g_free (self->root);
  g_free (self->challenge);
  g_free (self->redirect);
  g_hash_table_unref (self->proofs);
  g_hash_table_unref (self->proof_keys);
  g_free (self->bound_key);
  g_free (self);
}

void
beckon_oauth_fixture_set_reply (BeckonOauthFixture *self, const char *path, BeckonFixtureReply *reply)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_hash_table_replace (self->replies, g_strdup (path), reply);
}

void
beckon_oauth_fixture_set (BeckonOauthFixture *self, const char *path, guint status, const char *headers, const char *body)
{
  beckon_oauth_fixture_set_reply (self, path, reply_with (status, headers, body));
}

const BeckonFixtureRequest *
beckon_oauth_fixture_get_last (BeckonOauthFixture *self, const char *path)
{
  for (guint i = beckon_fixture_server_count_requests (self->server); i > 0; i--)
    {
      const BeckonFixtureRequest *request = beckon_fixture_server_get_request (self->server, i - 1);
      g_autofree char *own = dup_path (request);

      if (g_str_equal (own, path))
        return request;
    }
  return NULL;
}

char *
beckon_oauth_fixture_dup_field (BeckonOauthFixture *self, const char *path, const char *name)
{
  const BeckonFixtureRequest *request = beckon_oauth_fixture_get_last (self, path);

  return request != NULL ? dup_field (request->body, name) : NULL;
}

guint
beckon_oauth_fixture_count (BeckonOauthFixture *self, const char *path)
{
  guint n = 0;

  for (guint i = beckon_fixture_server_count_requests (self->server); i > 0; i--)
    {
      g_autofree char *own = dup_path (beckon_fixture_server_get_request (self->server, i - 1));

      n += g_str_equal (own, path);
    }
  return n;
}

/* libsoup follows to the loopback port as a browser does. */
void
beckon_oauth_fixture_browse (const char *url, gpointer user_data)
{
  BeckonOauthFixture *self = user_data;
  g_autoptr (SoupMessage) message = soup_message_new (SOUP_METHOD_GET, url);

  soup_session_send_and_read_async (self->session, message, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
}
