/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-alone.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-oauth-error.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FORM "application/x-www-form-urlencoded"
#define JWT_BEARER "urn:ietf:params:oauth:grant-type:jwt-bearer"
#define TOKEN_EXCHANGE "urn:ietf:params:oauth:grant-type:token-exchange"
#define ID_TOKEN "urn:ietf:params:oauth:token-type:id_token"
#define ID_JAG "urn:ietf:params:oauth:token-type:id-jag"

typedef struct
{
  BeckonOauthParts parts;
  const BeckonOauthGrant *grant;
  char *token;         /* (nullable): what vouches */
  BeckonOauthNet *net; /* (nullable): to the identity provider, which the person named */
} Flow;

static void
flow_free (Flow *flow)
{
  beckon_wipe (flow->token);
  g_clear_object (&flow->net);
  g_free (flow);
}

/* --- The authorization server ------------------------------------------------------------------------------------- */

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonOauthAnswer *answer = beckon_oauth_token_ask_finish (result, &error);

  if (answer != NULL)
    g_task_return_pointer (task, answer, (GDestroyNotify) beckon_oauth_answer_free);
  else
    g_task_return_error (task, error);
}

/* @assertion: (nullable) */
static void
ask (GTask *task, const char *type, const char *assertion)
{
  Flow *flow = g_task_get_task_data (task);
  GString *form = g_string_new (NULL);

  beckon_oauth_form_add (form, "grant_type", type);
  beckon_oauth_form_add (form, "assertion", assertion);
  beckon_oauth_form_add (form, "scope", flow->grant->scope);
  beckon_oauth_token_ask_async (&flow->parts, flow->grant, form, g_task_get_cancellable (task), on_answered,
                                g_object_ref (task));
}

/* --- The identity provider ---------------------------------------------------------------------------------------- */

/* (transfer full) (nullable): the grant for the authorization server, which is in the place of a token. */
static char *
read_grant (const BeckonOauthAnswer *answer)
{
  g_autoptr (BeckonJsonValue) object = beckon_json_value_parse (answer->body, (gssize) answer->length, NULL);
  const char *type = beckon_json_value_get_string (beckon_json_value_get (object, "issued_token_type"));
  const char *token = beckon_json_value_get_string (beckon_json_value_get (object, "access_token"));

  if (g_strcmp0 (type, ID_JAG) != 0 || token == NULL || *token == '\0' || strlen (token) > BECKON_OAUTH_VALUE_MAX)
    return NULL;
  return g_strdup (token);
}

static void
on_exchanged (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Flow *flow = g_task_get_task_data (task);
  const char *provider = flow->parts.login->provider_url;
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);
  beckon_autowipe char *grant = NULL;
  g_autofree char *host = NULL;

  if (answer != NULL)
    error = beckon_oauth_token_make_error (provider, answer);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  grant = read_grant (answer);
  if (grant != NULL)
    {
      ask (task, JWT_BEARER, grant);
      return;
    }
  host = beckon_oauth_url_dup_host (provider);
  g_task_return_error (task, beckon_text_error_new (BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_PROTOCOL,
                                                    /* Translators: a server's name; a token is what a sign-in gives */
                                                    _("%s ended the sign-in without a token."), host));
}

/* @secret: (nullable): of this program at the identity provider. */
static void
exchange (GTask *task, const char *secret)
{
  Flow *flow = g_task_get_task_data (task);
  const BeckonLogin *login = flow->parts.login;
  const BeckonOauthGrant client = { .client_id = login->provider_client_id,
                                    .method = (char *) beckon_oauth_grant_choose_method (NULL, NULL, secret != NULL) };
  GString *form = g_string_new (NULL);
  beckon_autowipe char *authorization = NULL;
  beckon_autowipe char *body = NULL;
  BeckonOauthAsk request = { .url = login->provider_url, .type = FORM };

  beckon_oauth_form_add (form, "grant_type", TOKEN_EXCHANGE);
  beckon_oauth_form_add (form, "requested_token_type", ID_JAG);
  beckon_oauth_form_add (form, "audience", flow->grant->issuer);
  beckon_oauth_form_add (form, "resource", flow->grant->resource);
  beckon_oauth_form_add (form, "scope", flow->grant->scope);
  beckon_oauth_form_add (form, "subject_token", flow->token);
  beckon_oauth_form_add (form, "subject_token_type", ID_TOKEN);
  authorization = beckon_oauth_grant_sign (&client, secret, form);
  body = g_string_free (form, FALSE);
  request.body = body;
  request.authorization = authorization;
  flow->net = beckon_oauth_net_new (login->provider_url, flow->parts.clock);
  beckon_oauth_net_ask_async (flow->net, &request, g_task_get_cancellable (task), on_exchanged, g_object_ref (task));
}

static void
on_secret (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonOauthWallet *wallet = BECKON_OAUTH_WALLET (source);
  GError *error = NULL;
  beckon_autowipe char *secret = BECKON_OAUTH_WALLET_GET_IFACE (wallet)->get_secret_finish (wallet, result, &error);

  if (secret != NULL)
    exchange (task, secret);
  else
    g_task_return_error (task, error);
}

/* --- What vouches ------------------------------------------------------------------------------------------------- */

static void
on_token (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Flow *flow = g_task_get_task_data (task);
  BeckonOauthWallet *wallet = BECKON_OAUTH_WALLET (source);
  GError *error = NULL;

  flow->token = BECKON_OAUTH_WALLET_GET_IFACE (wallet)->get_token_finish (wallet, result, &error);
  if (flow->token == NULL)
    g_task_return_error (task, error);
  else if (flow->parts.login->flow == BECKON_LOGIN_WORKLOAD)
    ask (task, JWT_BEARER, flow->token);
  else if (flow->parts.login->has_secret[BECKON_LOGIN_SECRET_PROVIDER])
    BECKON_OAUTH_WALLET_GET_IFACE (wallet)
      ->get_secret_async (wallet, BECKON_LOGIN_SECRET_PROVIDER, g_task_get_cancellable (task), on_secret,
                          g_object_ref (task));
  else
    exchange (task, NULL);
}

void
beckon_oauth_alone_async (const BeckonOauthParts *parts, const BeckonOauthGrant *grant, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Flow *flow = g_new0 (Flow, 1);

  g_task_set_source_tag (task, beckon_oauth_alone_async);
  flow->parts = *parts;
  flow->grant = grant;
  g_task_set_task_data (task, flow, (GDestroyNotify) flow_free);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (parts->login->flow == BECKON_LOGIN_CLIENT)
    ask (task, "client_credentials", NULL);
  else
    BECKON_OAUTH_WALLET_GET_IFACE (parts->wallet)
      ->get_token_async (parts->wallet, cancellable, on_token, g_object_ref (task));
}

BeckonOauthAnswer *
beckon_oauth_alone_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_oauth_alone_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
