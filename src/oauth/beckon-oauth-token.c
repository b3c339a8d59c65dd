/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-oauth-token.h"

#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-config.h"
#include "beckon-oauth-challenge.h"
#include "beckon-oauth.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

#define FORM "application/x-www-form-urlencoded"

typedef struct
{
  BeckonOauthParts parts;
  const BeckonOauthGrant *grant;
  char *form;
} Asking;

static void
asking_free (Asking *asking)
{
  beckon_wipe (asking->form);
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

static void
oauth_token_on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonOauthAnswer *answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);

  if (answer != NULL)
    g_task_return_pointer (task, answer, (GDestroyNotify) beckon_oauth_answer_free);
  else
    g_task_return_error (task, error);
}

/* @secret: (nullable): from the wallet */
static void
token_send (GTask *task, const char *secret)
{
  Asking *asking = g_task_get_task_data (task);
  GString *form = g_string_new (asking->form);
  beckon_autowipe char *authorization = NULL;
  beckon_autowipe char *body = NULL;
  BeckonOauthAsk request = { .url = asking->grant->token_url, .type = FORM };

  beckon_oauth_form_add (form, "resource", asking->grant->resource);
  authorization = beckon_oauth_grant_sign (asking->grant, secret, form);
  body = g_string_free (form, FALSE);
  request.body = body;
  request.authorization = authorization;
  beckon_oauth_net_ask_async (asking->parts.net, &request, g_task_get_cancellable (task), oauth_token_on_answered,
                              g_object_ref (task));
}

static void
oauth_token_on_secret (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonOauthWallet *wallet = BECKON_OAUTH_WALLET (source);
  GError *error = NULL;
  beckon_autowipe char *secret = BECKON_OAUTH_WALLET_GET_IFACE (wallet)->get_secret_finish (wallet, result, &error);

  if (secret != NULL)
    token_send (task, secret);
  else
    g_task_return_error (task, error);
}

/* A program that registered itself has its secret in the grant. */
static gboolean
needs_wallet (Asking *asking)
{
  const BeckonLogin *login = asking->parts.login;

  return login != NULL && asking->parts.wallet != NULL && login->has_secret
         && g_strcmp0 (login->client_id, asking->grant->client_id) == 0;
}

void
beckon_oauth_token_ask_async (const BeckonOauthParts *parts, const BeckonOauthGrant *grant, GString *form,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Asking *asking = g_new0 (Asking, 1);

  g_task_set_source_tag (task, beckon_oauth_token_ask_async);
  asking->parts = *parts;
  asking->grant = grant;
  asking->form = g_string_free (form, FALSE);
  g_task_set_task_data (task, asking, (GDestroyNotify) asking_free);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (needs_wallet (asking))
    BECKON_OAUTH_WALLET_GET_IFACE (parts->wallet)
      ->get_secret_async (parts->wallet, cancellable, oauth_token_on_secret, g_object_ref (task));
  else
    token_send (task, NULL);
}

BECKON_FINISH_LONE_POINTER (BeckonOauthAnswer *, beckon_oauth_token_ask)

G_DEFINE_INTERFACE (BeckonOauthWallet, beckon_oauth_wallet, G_TYPE_OBJECT)

static void
beckon_oauth_wallet_default_init (BeckonOauthWalletInterface *iface)
{
}
