/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-grant.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-oauth-challenge.h"
#include "beckon-oauth.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* An answer that claims more is a mistake. */
#define EXPIRES_MAX_S (10.0 * 365 * 24 * 3600)

static const struct
{
  const char *name;
  gsize offset;
} members[] = {
  { "issuer", G_STRUCT_OFFSET (BeckonOauthGrant, issuer) },
  { "resource", G_STRUCT_OFFSET (BeckonOauthGrant, resource) },
  { "token_url", G_STRUCT_OFFSET (BeckonOauthGrant, token_url) },
  { "revoke_url", G_STRUCT_OFFSET (BeckonOauthGrant, revoke_url) },
  { "client_id", G_STRUCT_OFFSET (BeckonOauthGrant, client_id) },
  { "client_secret", G_STRUCT_OFFSET (BeckonOauthGrant, client_secret) },
  { "method", G_STRUCT_OFFSET (BeckonOauthGrant, method) },
  { "redirect_uri", G_STRUCT_OFFSET (BeckonOauthGrant, redirect_uri) },
  { "access_token", G_STRUCT_OFFSET (BeckonOauthGrant, access_token) },
  { "refresh_token", G_STRUCT_OFFSET (BeckonOauthGrant, refresh_token) },
  { "scope", G_STRUCT_OFFSET (BeckonOauthGrant, scope) },
};

BeckonOauthGrant *
beckon_oauth_grant_new (void)
{
  return g_new0 (BeckonOauthGrant, 1);
}

void
beckon_oauth_grant_free (BeckonOauthGrant *grant)
{
  if (grant == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    beckon_wipe (G_STRUCT_MEMBER (char *, grant, members[i].offset));
  g_free (grant);
}

BeckonOauthGrant *
beckon_oauth_grant_copy (const BeckonOauthGrant *grant)
{
  BeckonOauthGrant *copy = beckon_oauth_grant_new ();

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    G_STRUCT_MEMBER (char *, copy, members[i].offset) = g_strdup (G_STRUCT_MEMBER (char *, grant, members[i].offset));
  copy->expires_at = grant->expires_at;
  copy->is_doubted = grant->is_doubted;
  return copy;
}

char *
beckon_oauth_grant_print (const BeckonOauthGrant *grant)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *value = G_STRUCT_MEMBER (char *, grant, members[i].offset);

      if (value != NULL)
        beckon_json_writer_member_string (&writer, members[i].name, value);
    }
  beckon_json_writer_member_int (&writer, "expires_at", grant->expires_at);
  if (grant->is_doubted)
    beckon_json_writer_member_boolean (&writer, "is_doubted", TRUE);
  beckon_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

BeckonOauthGrant *
beckon_oauth_grant_parse (const char *text)
{
  g_autoptr (BeckonJsonValue) object = beckon_json_value_parse (text, -1, NULL);
  const BeckonJsonValue *doubted;
  BeckonOauthGrant *grant;

  if (object == NULL || object->kind != BECKON_JSON_VALUE_OBJECT)
    return NULL;

  grant = beckon_oauth_grant_new ();
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    G_STRUCT_MEMBER (char *, grant, members[i].offset)
        = g_strdup (beckon_json_value_get_string (beckon_json_value_get (object, members[i].name)));
  grant->expires_at = (gint64) beckon_json_value_get_number (beckon_json_value_get (object, "expires_at"));
  doubted = beckon_json_value_get (object, "is_doubted");
  grant->is_doubted = doubted != NULL && doubted->kind == BECKON_JSON_VALUE_TRUE;
  if (beckon_json_value_get (object, "token_type") != NULL)
    beckon_oauth_grant_drop_tokens (grant);
  return grant;
}

static void
grant_replace (char **member, char *value)
{
  beckon_wipe (*member);
  *member = value;
}

void
beckon_oauth_grant_drop_tokens (BeckonOauthGrant *grant)
{
  grant_replace (&grant->access_token, NULL);
  grant_replace (&grant->refresh_token, NULL);
  grant_replace (&grant->scope, NULL);
  grant->expires_at = 0;
}

void
beckon_oauth_grant_drop_client (BeckonOauthGrant *grant)
{
  beckon_oauth_grant_drop_tokens (grant);
  grant_replace (&grant->client_id, NULL);
  grant_replace (&grant->client_secret, NULL);
  grant_replace (&grant->method, NULL);
  grant->is_doubted = FALSE;
}

/* --- Who this program is ------------------------------------------------------------------------------------------ */

#define BASIC "client_secret_basic"
#define POST "client_secret_post"
#define NONE "none"

static const char *
find_method (const char *name)
{
  static const char *const known[] = { BASIC, POST, NONE };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (name, known[i]) == 0)
      return known[i];
  return NULL;
}

const char *
beckon_oauth_grant_choose_method (const char *methods, const char *registered, gboolean has_secret)
{
  const char *known = find_method (registered);

  if (!has_secret)
    return NONE;
  if (known != NULL && strcmp (known, NONE) != 0 && (methods == NULL || beckon_oauth_scope_has (methods, known)))
    return known;
  if (methods == NULL || beckon_oauth_scope_has (methods, BASIC))
    return BASIC;
  if (beckon_oauth_scope_has (methods, POST))
    return POST;
  return beckon_oauth_scope_has (methods, NONE) ? NONE : BASIC;
}

char *
beckon_oauth_grant_sign (const BeckonOauthGrant *grant, const char *secret, GString *form)
{
  const char *used = secret != NULL ? secret : grant->client_secret;

  if (g_strcmp0 (grant->method, BASIC) == 0 && used != NULL)
    {
      g_autofree char *name = g_uri_escape_string (grant->client_id, NULL, FALSE);
      beckon_autowipe char *word = g_uri_escape_string (used, NULL, FALSE);
      beckon_autowipe char *pair = g_strconcat (name, ":", word, NULL);
      beckon_autowipe char *encoded = g_base64_encode ((const guchar *) pair, strlen (pair));

      /* RFC 6749, 2.3.1 */
      return g_strconcat ("Basic ", encoded, NULL);
    }
  beckon_oauth_form_add (form, "client_id", grant->client_id);
  if (g_strcmp0 (grant->method, POST) == 0)
    beckon_oauth_form_add (form, "client_secret", used);
  return NULL;
}

char *
beckon_oauth_grant_make_page (const BeckonOauthGrant *grant, const char *authorize_url, const char *state,
                              const char *challenge)
{
  g_autoptr (GString) query = g_string_new (NULL);

  beckon_oauth_form_add (query, "response_type", "code");
  beckon_oauth_form_add (query, "client_id", grant->client_id);
  beckon_oauth_form_add (query, "redirect_uri", grant->redirect_uri);
  beckon_oauth_form_add (query, "scope", grant->scope);
  beckon_oauth_form_add (query, "state", state);
  beckon_oauth_form_add (query, "code_challenge", challenge);
  beckon_oauth_form_add (query, "code_challenge_method", "S256");
  beckon_oauth_form_add (query, "resource", grant->resource);
  if (grant->scope != NULL && beckon_oauth_scope_has (grant->scope, "offline_access"))
    beckon_oauth_form_add (query, "prompt", "consent");
  return g_strconcat (authorize_url, strchr (authorize_url, '?') != NULL ? "&" : "?", query->str, NULL);
}

char *
beckon_oauth_grant_print_registration (const BeckonOauthGrant *grant, const char *methods)
{
  gboolean is_public = methods == NULL || beckon_oauth_scope_has (methods, NONE);
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "client_name", "Beckon");
  beckon_json_writer_member_string (&writer, "application_type", "native");
  beckon_json_writer_name (&writer, "redirect_uris");
  beckon_json_writer_begin_array (&writer);
  beckon_json_writer_string (&writer, grant->redirect_uri, -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_name (&writer, "grant_types");
  beckon_json_writer_raw (&writer, "[\"authorization_code\",\"refresh_token\"]", -1);
  beckon_json_writer_name (&writer, "response_types");
  beckon_json_writer_raw (&writer, "[\"code\"]", -1);
  beckon_json_writer_member_string (&writer, "token_endpoint_auth_method",
                                    is_public ? NONE : beckon_oauth_grant_choose_method (methods, NULL, TRUE));
  if (grant->scope != NULL)
    beckon_json_writer_member_string (&writer, "scope", grant->scope);
  beckon_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

gboolean
beckon_oauth_grant_take_registration (BeckonOauthGrant *grant, const char *methods, const char *json, gsize length)
{
  g_autoptr (BeckonJsonValue) object = beckon_json_value_parse (json, (gssize) length, NULL);
  const char *id = beckon_json_value_get_string (beckon_json_value_get (object, "client_id"));
  const char *secret = beckon_json_value_get_string (beckon_json_value_get (object, "client_secret"));
  const char *method = beckon_json_value_get_string (beckon_json_value_get (object, "token_endpoint_auth_method"));

  if (id == NULL || *id == '\0' || strlen (id) > BECKON_OAUTH_VALUE_MAX
      || (secret != NULL && strlen (secret) > BECKON_OAUTH_VALUE_MAX))
    return FALSE;

  grant_replace (&grant->client_id, g_strdup (id));
  grant_replace (&grant->client_secret, secret != NULL && *secret != '\0' ? g_strdup (secret) : NULL);
  grant_replace (&grant->method, g_strdup (beckon_oauth_grant_choose_method (methods, method, grant->client_secret != NULL)));
  return TRUE;
}

/* --- What the authorization server says --------------------------------------------------------------------------- */

static gboolean
is_printable (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isgraph (*c))
      return FALSE;
  return *text != '\0' && strlen (text) <= BECKON_OAUTH_VALUE_MAX;
}

gboolean
beckon_oauth_grant_take_tokens (BeckonOauthGrant *grant, const char *json, gsize length, gint64 now, GError **error)
{
  g_autoptr (BeckonJsonValue) object = beckon_json_value_parse (json, (gssize) length, NULL);
  const char *token = beckon_json_value_get_string (beckon_json_value_get (object, "access_token"));
  const char *type = beckon_json_value_get_string (beckon_json_value_get (object, "token_type"));
  const char *next = beckon_json_value_get_string (beckon_json_value_get (object, "refresh_token"));
  g_autofree char *host = beckon_oauth_url_dup_host (grant->issuer);
  const BeckonJsonValue *value;
  long double seconds;

  if (token == NULL || !is_printable (token) || (next != NULL && !is_printable (next)))
    {
      beckon_text_set_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_PROTOCOL,
                             /* Translators: a server's name; a token is what a sign-in gives */
                             _("%s ended the sign-in without a token."), host);
      return FALSE;
    }
  if (type == NULL || g_ascii_strcasecmp (type, "Bearer") != 0)
    {
      beckon_text_set_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_PROTOCOL,
                             /* Translators: a server's name; a token is what a sign-in gives */
                             _("%s gave a token of a kind that Beckon can’t use."), host);
      return FALSE;
    }
  grant_replace (&grant->access_token, g_strdup (token));
  if (next != NULL)
    grant_replace (&grant->refresh_token, g_strdup (next));
  value = beckon_json_value_get (object, "expires_in");
  seconds = beckon_json_value_get_number (value);
  if (value != NULL && value->kind == BECKON_JSON_VALUE_STRING && value->text->len > 0 && value->text->len < 12)
    seconds = (long double) g_ascii_strtoll (value->text->str, NULL, 10);
  grant->expires_at = seconds > 0 && seconds < EXPIRES_MAX_S ? now + (gint64) (seconds * G_USEC_PER_SEC) : 0;
  return TRUE;
}

gboolean
beckon_oauth_is_error_code (const char *code)
{
  for (const char *c = code; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("_-.", *c) == NULL)
      return FALSE;
  return *code != '\0' && strlen (code) <= 64;
}

char *
beckon_oauth_dup_error_code (const char *json, gsize length)
{
  g_autoptr (BeckonJsonValue) object = beckon_json_value_parse (json, (gssize) length, NULL);
  const char *code = beckon_json_value_get_string (beckon_json_value_get (object, "error"));

  return code != NULL && beckon_oauth_is_error_code (code) ? g_strdup (code) : NULL;
}
