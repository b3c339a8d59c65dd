/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-login.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-loopback.h"
#include "base/beckon-wipe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_TEXT 4096
#define MAX_LIST 64

static const char *const flows[] = { "person", "client", "enterprise", "workload" };
static const char *const secret_names[BECKON_LOGIN_N_SECRETS] = { ":client-secret", ":client-key", ":provider-secret" };
static const char *const secret_members[BECKON_LOGIN_N_SECRETS] = { "hasClientSecret", "hasClientKey", "hasProviderSecret" };

static const struct
{
  const char *name;
  gsize offset;
} texts[] = {
  { "clientId", G_STRUCT_OFFSET (BeckonLogin, client_id) },
  { "issuer", G_STRUCT_OFFSET (BeckonLogin, issuer) },
  { "scope", G_STRUCT_OFFSET (BeckonLogin, scope) },
  { "providerUrl", G_STRUCT_OFFSET (BeckonLogin, provider_url) },
  { "providerClientId", G_STRUCT_OFFSET (BeckonLogin, provider_client_id) },
  { "tokenFile", G_STRUCT_OFFSET (BeckonLogin, token_file) },
};

BeckonLogin *
beckon_login_new (BeckonLoginFlow flow)
{
  BeckonLogin *login = g_new0 (BeckonLogin, 1);

  login->flow = flow;
  return login;
}

BeckonLogin *
beckon_login_copy (const BeckonLogin *login)
{
  BeckonLogin *copy;

  if (login == NULL)
    return NULL;

  copy = beckon_login_new (login->flow);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    G_STRUCT_MEMBER (char *, copy, texts[i].offset) = g_strdup (G_STRUCT_MEMBER (char *, login, texts[i].offset));
  copy->token_program = g_strdupv (login->token_program);
  copy->is_bound = login->is_bound;
  for (guint i = 0; i < BECKON_LOGIN_N_SECRETS; i++)
    {
      copy->has_secret[i] = login->has_secret[i];
      copy->secrets[i] = g_strdup (login->secrets[i]);
    }
  return copy;
}

void
beckon_login_free (BeckonLogin *login)
{
  if (login == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (G_STRUCT_MEMBER (char *, login, texts[i].offset));
  g_strfreev (login->token_program);
  for (guint i = 0; i < BECKON_LOGIN_N_SECRETS; i++)
    beckon_wipe (login->secrets[i]);
  g_free (login);
}

void
beckon_login_set_secret (BeckonLogin *login, BeckonLoginSecret secret, char *value)
{
  g_return_if_fail (login != NULL && secret < BECKON_LOGIN_N_SECRETS);

  beckon_wipe (login->secrets[secret]);
  login->secrets[secret] = value;
  login->has_secret[secret] = login->has_secret[secret] || value != NULL;
}

const char *
beckon_login_secret_get_name (BeckonLoginSecret secret)
{
  g_return_val_if_fail (secret < BECKON_LOGIN_N_SECRETS, NULL);

  return secret_names[secret];
}

gboolean
beckon_login_flow_read (const char *name, BeckonLoginFlow *flow)
{
  for (guint i = 0; i < G_N_ELEMENTS (flows); i++)
    if (g_strcmp0 (flows[i], name) == 0)
      {
        *flow = i;
        return TRUE;
      }
  return FALSE;
}

/* --- Checks ------------------------------------------------------------------------------------------------------- */

static gboolean
refuse (GError **error, const char *words)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, words);
  return FALSE;
}

static gboolean
is_printable (const char *text)
{
  if (text == NULL)
    return TRUE;
  for (const char *at = text; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      return FALSE;
  return *text != '\0' && strlen (text) <= MAX_TEXT && g_utf8_validate (text, -1, NULL);
}

static gboolean
is_safe_url (const char *url)
{
  g_autoptr (GUri) uri = url != NULL ? g_uri_parse (url, G_URI_FLAGS_ENCODED, NULL) : NULL;

  return uri != NULL && g_uri_get_host (uri) != NULL && g_uri_get_userinfo (uri) == NULL
         && (strcmp (g_uri_get_scheme (uri), "https") == 0 || beckon_uri_is_loopback (url));
}

static gboolean
check_texts (const BeckonLogin *login, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!is_printable (G_STRUCT_MEMBER (char *, login, texts[i].offset)))
      return refuse (error, _("A setting of the sign-in is empty or too long, or has a line break."));
  if (login->issuer != NULL && !is_safe_url (login->issuer))
    return refuse (error, _("The address of the authorization server has to begin with https."));
  if (login->token_file != NULL && !g_path_is_absolute (login->token_file))
    return refuse (error, _("The file with the token needs an absolute path."));
  if (login->token_program != NULL && (login->token_program[0] == NULL || g_strv_length (login->token_program) > MAX_LIST))
    return refuse (error, _("The program that prints the token is empty, or has too many arguments."));
  return TRUE;
}

static gboolean
check_client (const BeckonLogin *login, GError **error)
{
  gboolean has_secret = login->has_secret[BECKON_LOGIN_SECRET_CLIENT];
  gboolean has_key = login->has_secret[BECKON_LOGIN_SECRET_KEY];

  if (has_secret && has_key)
    return refuse (error, _("Give either a client secret or a private key."));
  if ((has_secret || has_key || login->flow == BECKON_LOGIN_CLIENT || login->flow == BECKON_LOGIN_ENTERPRISE)
      && login->client_id == NULL)
    return refuse (error, _("Enter the client ID under which Beckon is registered with the authorization server."));
  if (login->flow == BECKON_LOGIN_CLIENT && !has_secret && !has_key)
    return refuse (error, _("Beckon needs a client secret or a private key to sign in by itself."));
  /* A server says by itself where its sign-in is, and could name one that collects secrets. */
  if ((has_secret || login->flow == BECKON_LOGIN_WORKLOAD) && login->issuer == NULL)
    return refuse (error, _("Enter the address of the authorization server, so that secrets and tokens go to no other one."));
  return TRUE;
}

static gboolean
check_voucher (const BeckonLogin *login, GError **error)
{
  gboolean is_enterprise = login->flow == BECKON_LOGIN_ENTERPRISE;
  gboolean needs_token = is_enterprise || login->flow == BECKON_LOGIN_WORKLOAD;

  if (needs_token != (login->token_file != NULL || login->token_program != NULL)
      || (login->token_file != NULL && login->token_program != NULL))
    return refuse (error, needs_token ? _("Give either the file with the token, or the program that prints it.")
                                      : _("This way to sign in uses no file or program with a token."));
  if (is_enterprise && (!is_safe_url (login->provider_url) || login->provider_client_id == NULL))
    return refuse (error,
                   _("Enter the https address of the identity provider’s token endpoint, and Beckon’s client ID there."));
  if (!is_enterprise && (login->provider_url != NULL || login->provider_client_id != NULL
                         || login->has_secret[BECKON_LOGIN_SECRET_PROVIDER]))
    return refuse (error, _("An identity provider is for enterprise sign-ins only."));
  return TRUE;
}

gboolean
beckon_login_check (const BeckonLogin *login, GError **error)
{
  g_return_val_if_fail (login != NULL, FALSE);

  return check_texts (login, error) && check_client (login, error) && check_voucher (login, error);
}

/* --- Storing ------------------------------------------------------------------------------------------------------ */

void
beckon_login_write (const BeckonLogin *login, BeckonJsonWriter *writer)
{
  g_return_if_fail (login != NULL);

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "flow", flows[login->flow]);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *text = G_STRUCT_MEMBER (char *, login, texts[i].offset);

      if (text != NULL)
        beckon_json_writer_member_string (writer, texts[i].name, text);
    }
  if (login->token_program != NULL)
    {
      beckon_json_writer_name (writer, "tokenProgram");
      beckon_json_writer_begin_array (writer);
      for (guint i = 0; login->token_program[i] != NULL; i++)
        beckon_json_writer_string (writer, login->token_program[i], -1);
      beckon_json_writer_end_array (writer);
    }
  for (guint i = 0; i < BECKON_LOGIN_N_SECRETS; i++)
    if (login->has_secret[i])
      beckon_json_writer_member_boolean (writer, secret_members[i], TRUE);
  if (login->is_bound)
    beckon_json_writer_member_boolean (writer, "isBound", TRUE);
  beckon_json_writer_end_object (writer);
}

static char *
print (const BeckonLogin *login)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_login_write (login, &writer);
  return g_string_free (text, FALSE);
}

gboolean
beckon_login_equal (const BeckonLogin *one, const BeckonLogin *other)
{
  g_autofree char *first = one != NULL ? print (one) : NULL;
  g_autofree char *second = other != NULL ? print (other) : NULL;

  return g_strcmp0 (first, second) == 0;
}

static char **
read_program (JsonObject *object)
{
  JsonArray *list = beckon_json_get_array (object, "tokenProgram");
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = 0; list != NULL && i < MIN (json_array_get_length (list), MAX_LIST); i++)
    {
      JsonNode *node = json_array_get_element (list, i);

      if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
        return NULL;
      g_strv_builder_add (words, json_node_get_string (node));
    }
  return list != NULL ? g_strv_builder_end (words) : NULL;
}

BeckonLogin *
beckon_login_read (JsonObject *object)
{
  g_autoptr (BeckonLogin) login = beckon_login_new (BECKON_LOGIN_PERSON);

  g_return_val_if_fail (object != NULL, NULL);

  if (!beckon_login_flow_read (beckon_json_get_string (object, "flow"), &login->flow))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    G_STRUCT_MEMBER (char *, login, texts[i].offset) = g_strdup (beckon_json_get_string (object, texts[i].name));
  login->token_program = read_program (object);
  for (guint i = 0; i < BECKON_LOGIN_N_SECRETS; i++)
    login->has_secret[i] = beckon_json_get_boolean (object, secret_members[i], FALSE);
  login->is_bound = beckon_json_get_boolean (object, "isBound", FALSE);
  return beckon_login_check (login, NULL) ? g_steal_pointer (&login) : NULL;
}
