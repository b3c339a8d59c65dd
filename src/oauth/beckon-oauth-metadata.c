/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-metadata.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-oauth-challenge.h"
#include "beckon-oauth.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LIST_MAX 256
#define ISSUERS_MAX 8

void
beckon_oauth_resource_free (BeckonOauthResource *resource)
{
  if (resource == NULL)
    return;

  g_free (resource->resource);
  g_strfreev (resource->issuers);
  g_free (resource->scopes);
  g_free (resource);
}

void
beckon_oauth_issuer_free (BeckonOauthIssuer *issuer)
{
  if (issuer == NULL)
    return;

  g_free (issuer->issuer);
  g_free (issuer->authorize_url);
  g_free (issuer->token_url);
  g_free (issuer->register_url);
  g_free (issuer->revoke_url);
  g_free (issuer->scopes);
  g_free (issuer->methods);
  g_free (issuer);
}

static void
set_malformed (GError **error, const char *server)
{
  g_autofree char *host = beckon_oauth_url_dup_host (server);

  beckon_text_set_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_PROTOCOL,
                         /* Translators: a server's name */
                         _("%s describes its sign-in in a way that Beckon doesn’t understand."), host);
}

static BeckonJsonValue *
parse_object (const char *json, gsize length, const char *server, GError **error)
{
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (json, (gssize) length, NULL);

  if (value != NULL && value->kind == BECKON_JSON_VALUE_OBJECT)
    return g_steal_pointer (&value);
  set_malformed (error, server);
  return NULL;
}

static const char *
get_string (const BeckonJsonValue *object, const char *name)
{
  return beckon_json_value_get_string (beckon_json_value_get (object, name));
}

static gboolean
is_true (const BeckonJsonValue *object, const char *name)
{
  const BeckonJsonValue *value = beckon_json_value_get (object, name);

  return value != NULL && value->kind == BECKON_JSON_VALUE_TRUE;
}

/* (transfer full) (nullable): the words of an array, separated by spaces; entries that are none are left out. */
static char *
metadata_dup_words (const BeckonJsonValue *object, const char *name)
{
  const BeckonJsonValue *list = beckon_json_value_get (object, name);
  g_autoptr (GString) words = g_string_new (NULL);
  guint n = list != NULL && list->kind == BECKON_JSON_VALUE_ARRAY ? beckon_json_value_get_n_children (list) : 0;

  for (guint i = 0; i < MIN (n, LIST_MAX); i++)
    {
      const char *word = beckon_json_value_get_string (beckon_json_value_get_child (list, i));

      if (word != NULL && *word != '\0' && strchr (word, ' ') == NULL && beckon_oauth_scope_is_valid (word))
        g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", word);
    }
  return words->len > 0 && beckon_oauth_scope_is_valid (words->str) ? g_strdup (words->str) : NULL;
}

static char **
dup_issuers (const BeckonJsonValue *object, GError **error)
{
  const BeckonJsonValue *list = beckon_json_value_get (object, "authorization_servers");
  g_autoptr (GStrvBuilder) issuers = g_strv_builder_new ();
  guint n = list != NULL && list->kind == BECKON_JSON_VALUE_ARRAY ? beckon_json_value_get_n_children (list) : 0;

  for (guint i = 0; i < MIN (n, ISSUERS_MAX); i++)
    {
      const char *issuer = beckon_json_value_get_string (beckon_json_value_get_child (list, i));

      if (!beckon_oauth_url_check (issuer, error))
        return NULL;
      g_strv_builder_add (issuers, issuer);
    }
  return g_strv_builder_end (issuers);
}

BeckonOauthResource *
beckon_oauth_resource_parse (const char *json, gsize length, const char *server, GError **error)
{
  g_autoptr (BeckonJsonValue) object = parse_object (json, length, server, error);
  g_autoptr (BeckonOauthResource) self = g_new0 (BeckonOauthResource, 1);

  if (object == NULL)
    return NULL;

  self->resource = g_strdup (get_string (object, "resource"));
  self->scopes = metadata_dup_words (object, "scopes_supported");
  if (self->resource != NULL && !beckon_oauth_url_covers (self->resource, server))
    {
      g_autofree char *host = beckon_oauth_url_dup_host (server);
      g_autofree char *other = beckon_text_for_display (self->resource, -1, BECKON_TEXT_EXACT);

      beckon_text_set_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_UNSAFE,
                             /* Translators: two servers; the second is an address */
                             _("%1$s asks you to sign in to another server, %2$s. Beckon doesn’t do that."), host, other);
      return NULL;
    }
  self->issuers = dup_issuers (object, error);
  if (self->issuers == NULL)
    return NULL;
  if (self->resource == NULL || *self->issuers == NULL)
    {
      set_malformed (error, server);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* @is_needed: without it nothing works. */
static gboolean
take_url (const BeckonJsonValue *object, const char *name, gboolean is_needed, const char *issuer, char **url, GError **error)
{
  const char *text = get_string (object, name);

  if (text == NULL && is_needed)
    set_malformed (error, issuer);
  if (text == NULL)
    return !is_needed;
  if (!beckon_oauth_url_check (text, error))
    return FALSE;
  *url = g_strdup (text);
  return TRUE;
}

static gboolean
check_name (const BeckonJsonValue *object, const char *issuer, GError **error)
{
  const char *name = get_string (object, "issuer");
  g_autofree char *host = NULL;
  g_autofree char *other = NULL;

  if (beckon_oauth_url_is_issuer (name, issuer))
    return TRUE;

  host = beckon_text_for_display (issuer, -1, BECKON_TEXT_EXACT);
  other = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
  beckon_text_set_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_UNSAFE,
                         /* Translators: two addresses of servers */
                         _("The sign-in at %1$s claims to be that of “%2$s”. Beckon doesn’t use it."), host, other);
  return FALSE;
}

static gboolean
check_pkce (const BeckonJsonValue *object, const char *issuer, GError **error)
{
  g_autofree char *methods = metadata_dup_words (object, "code_challenge_methods_supported");
  g_autofree char *host = NULL;

  if (methods != NULL && beckon_oauth_scope_has (methods, "S256"))
    return TRUE;

  host = beckon_oauth_url_dup_host (issuer);
  beckon_text_set_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_UNSAFE,
                         /* Translators: a server's name; PKCE is a standard, RFC 7636 */
                         _("%s doesn’t protect sign-ins with PKCE, so that others could take them over. Beckon "
                           "doesn’t use it."),
                         host);
  return FALSE;
}

BeckonOauthIssuer *
beckon_oauth_issuer_parse (const char *json, gsize length, const char *issuer, GError **error)
{
  g_autoptr (BeckonJsonValue) object = parse_object (json, length, issuer, error);
  g_autoptr (BeckonOauthIssuer) self = g_new0 (BeckonOauthIssuer, 1);
  const char *text;

  if (object == NULL || !check_name (object, issuer, error)
      || !take_url (object, "authorization_endpoint", TRUE, issuer, &self->authorize_url, error)
      || !take_url (object, "token_endpoint", TRUE, issuer, &self->token_url, error)
      || !take_url (object, "registration_endpoint", FALSE, issuer, &self->register_url, error)
      || !check_pkce (object, issuer, error))
    return NULL;

  self->issuer = g_strdup (get_string (object, "issuer"));
  /* An address that is not needed is not used where it is not safe. */
  text = get_string (object, "revocation_endpoint");
  self->revoke_url = text != NULL && beckon_oauth_url_check (text, NULL) ? g_strdup (text) : NULL;
  self->scopes = metadata_dup_words (object, "scopes_supported");
  self->methods = metadata_dup_words (object, "token_endpoint_auth_methods_supported");
  self->names_itself = is_true (object, "authorization_response_iss_parameter_supported");
  self->reads_documents = is_true (object, "client_id_metadata_document_supported");
  return g_steal_pointer (&self);
}

BeckonOauthIssuer *
beckon_oauth_issuer_guess (const char *server)
{
  BeckonOauthIssuer *self = g_new0 (BeckonOauthIssuer, 1);

  self->issuer = beckon_oauth_url_at_root (server, "");
  self->authorize_url = beckon_oauth_url_at_root (server, "/authorize");
  self->token_url = beckon_oauth_url_at_root (server, "/token");
  self->register_url = beckon_oauth_url_at_root (server, "/register");
  return self;
}
