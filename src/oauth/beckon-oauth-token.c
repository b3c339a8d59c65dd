/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-token.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-oauth-challenge.h"
#include "beckon-oauth-error.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

#define FORM "application/x-www-form-urlencoded"
#define ASSERTION_TYPE "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

typedef struct
{
  BeckonOauthParts parts;
  const BeckonOauthGrant *grant;
  char *form;
  char *secret; /* (nullable): the client's secret or key, from the wallet */
  gboolean is_key;
  guint n_nonces;
} Asking;

static void send (GTask *task);

static void
asking_free (Asking *asking)
{
  beckon_wipe (asking->form);
  beckon_wipe (asking->secret);
  g_free (asking);
}

GError *
beckon_oauth_token_make_error (const char *issuer, const BeckonOauthAnswer *answer)
{
  g_autofree char *code = NULL;
  g_autofree char *host = NULL;

  if (answer->status == SOUP_STATUS_OK)
    return NULL;
  code = beckon_oauth_dup_error_code (answer->body, answer->length);
  if (code == NULL)
    code = g_strdup_printf ("%u", answer->status);
  host = beckon_oauth_url_dup_host (issuer);
  return beckon_text_error_new (BECKON_OAUTH_ERROR,
                                answer->status >= 500 ? BECKON_OAUTH_ERROR_FAILED : BECKON_OAUTH_ERROR_REFUSED,
                                /* Translators: a server's name, and a short code such as invalid_request */
                                _("%1$s refused the sign-in (%2$s)."), host, code);
}

/* Asked again with a nonce that it has not had before, it may say yes. */
static gboolean
is_for_nonce (Asking *asking, const BeckonOauthAnswer *answer, gboolean is_new)
{
  g_autofree char *code = NULL;

  if (asking->grant->proof_key == NULL || !is_new || asking->n_nonces >= BECKON_OAUTH_NONCE_TRIES
      || (answer->status != SOUP_STATUS_BAD_REQUEST && answer->status != SOUP_STATUS_UNAUTHORIZED))
    return FALSE;
  code = beckon_oauth_dup_error_code (answer->body, answer->length);
  return g_strcmp0 (code, "use_dpop_nonce") == 0;
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Asking *asking = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);

  if (answer == NULL)
    g_task_return_error (task, error);
  else if (is_for_nonce (asking, answer,
                         beckon_oauth_nonces_take (asking->parts.nonces, asking->grant->token_url, answer->nonce)))
    {
      asking->n_nonces++;
      send (task);
    }
  else
    g_task_return_pointer (task, g_steal_pointer (&answer), (GDestroyNotify) beckon_oauth_answer_free);
}

/* The statement is for one request: each has another one. */
static gboolean
add_assertion (Asking *asking, GString *form, GError **error)
{
  beckon_autowipe char *assertion
      = beckon_oauth_assertion_make (asking->secret, asking->grant->client_id, asking->grant->issuer,
                                     beckon_clock_get_real_time (asking->parts.clock), error);

  if (assertion == NULL)
    return FALSE;
  beckon_oauth_form_add (form, "client_id", asking->grant->client_id);
  beckon_oauth_form_add (form, "client_assertion_type", ASSERTION_TYPE);
  beckon_oauth_form_add (form, "client_assertion", assertion);
  return TRUE;
}

static char *
make_proof (Asking *asking, GError **error)
{
  const char *url = asking->grant->token_url;

  if (asking->grant->proof_key == NULL)
    return NULL;
  return beckon_oauth_proof_make (asking->grant->proof_key, "POST", url, beckon_oauth_nonces_get (asking->parts.nonces, url),
                                  NULL, beckon_clock_get_real_time (asking->parts.clock), error);
}

static void
send (GTask *task)
{
  Asking *asking = g_task_get_task_data (task);
  GString *form = g_string_new (asking->form);
  beckon_autowipe char *authorization = NULL;
  beckon_autowipe char *body = NULL;
  GError *error = NULL;
  g_autofree char *proof = make_proof (asking, &error);
  BeckonOauthAsk request = { .url = asking->grant->token_url, .type = FORM, .proof = proof };

  beckon_oauth_form_add (form, "resource", asking->grant->resource);
  if (error == NULL && asking->is_key)
    add_assertion (asking, form, &error);
  else if (error == NULL)
    authorization = beckon_oauth_grant_sign (asking->grant, asking->secret, form);
  body = g_string_free (form, FALSE);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  request.body = body;
  request.authorization = authorization;
  beckon_oauth_net_ask_async (asking->parts.net, &request, g_task_get_cancellable (task), on_answered, g_object_ref (task));
}

static void
on_secret (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Asking *asking = g_task_get_task_data (task);
  BeckonOauthWallet *wallet = BECKON_OAUTH_WALLET (source);
  GError *error = NULL;

  asking->secret = BECKON_OAUTH_WALLET_GET_IFACE (wallet)->get_secret_finish (wallet, result, &error);
  if (asking->secret != NULL)
    send (task);
  else
    g_task_return_error (task, error);
}

/* A program that registered itself has its secret in the grant. */
static gboolean
needs_wallet (Asking *asking, BeckonLoginSecret *secret)
{
  const BeckonLogin *login = asking->parts.login;

  if (login == NULL || asking->parts.wallet == NULL || g_strcmp0 (login->client_id, asking->grant->client_id) != 0)
    return FALSE;
  *secret = login->has_secret[BECKON_LOGIN_SECRET_KEY] ? BECKON_LOGIN_SECRET_KEY : BECKON_LOGIN_SECRET_CLIENT;
  return login->has_secret[*secret];
}

void
beckon_oauth_token_ask_async (const BeckonOauthParts *parts, const BeckonOauthGrant *grant, GString *form,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Asking *asking = g_new0 (Asking, 1);
  BeckonLoginSecret secret;

  g_task_set_source_tag (task, beckon_oauth_token_ask_async);
  asking->parts = *parts;
  asking->grant = grant;
  asking->form = g_string_free (form, FALSE);
  g_task_set_task_data (task, asking, (GDestroyNotify) asking_free);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (!needs_wallet (asking, &secret))
    {
      send (task);
      return;
    }
  asking->is_key = secret == BECKON_LOGIN_SECRET_KEY;
  BECKON_OAUTH_WALLET_GET_IFACE (parts->wallet)
    ->get_secret_async (parts->wallet, secret, cancellable, on_secret, g_object_ref (task));
}

BeckonOauthAnswer *
beckon_oauth_token_ask_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_oauth_token_ask_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
