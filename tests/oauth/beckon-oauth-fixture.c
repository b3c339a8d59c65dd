/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-fixture.h"

#include "base/beckon-base64url.h"

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

static gboolean
is_good_grant (BeckonOauthFixture *self, const char *form, const char *grant)
{
  g_autofree char *verifier = dup_field (form, "code_verifier");
  g_autofree char *redirect = dup_field (form, "redirect_uri");
  g_autofree char *refresh = dup_field (form, "refresh_token");
  g_autofree char *expected = g_strdup_printf ("refresh-%u", self->n_tokens);
  g_autofree char *challenge = verifier != NULL ? beckon_base64url_digest (verifier) : NULL;

  if (g_strcmp0 (grant, "authorization_code") == 0)
    return g_strcmp0 (challenge, self->challenge) == 0 && g_strcmp0 (redirect, self->redirect) == 0;
  return g_strcmp0 (grant, "refresh_token") == 0 && g_strcmp0 (refresh, expected) == 0;
}

static BeckonFixtureReply *
give_token (BeckonOauthFixture *self, const BeckonFixtureRequest *request)
{
  const char *form = request->body;
  g_autofree char *grant = dup_field (form, "grant_type");
  g_autofree char *resource = dup_field (form, "resource");
  g_autofree char *body = NULL;

  if (g_strcmp0 (resource, self->url) != 0)
    return fault (self, "invalid_target");
  if (!is_good_grant (self, form, grant))
    return fault (self, "invalid_grant");
  self->n_tokens++;
  body = g_strdup_printf ("{\"access_token\":\"token-%1$u\",\"token_type\":\"Bearer\",\"expires_in\":3600,"
                          "\"refresh_token\":\"refresh-%1$u\"}",
                          self->n_tokens);
  return reply_with (200, NULL, body);
}

/* The protected server says yes to the last token alone. */
static BeckonFixtureReply *
serve (BeckonOauthFixture *self, const BeckonFixtureRequest *request)
{
  g_autofree char *authorization = beckon_fixture_request_dup_header (request, "Authorization");
  g_autofree char *expected = g_strdup_printf ("Bearer token-%u", self->n_tokens);

  if (g_strcmp0 (authorization, expected) != 0)
    return reply_with (401, "WWW-Authenticate: Bearer\r\n", "{}");
  return reply_with (200, NULL, self->served);
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
                         "\"token_endpoint_auth_methods_supported\":[%2$s]%3$s}", self->root, self->methods, revocation);

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
