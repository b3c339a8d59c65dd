/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-wallet.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "mcp/beckon-mcp-service.h"

#include <glib/gi18n-lib.h>

struct _BeckonMcpWallet
{
  GObject parent_instance;

  BeckonMcpServer *server;
  BeckonSecrets *secrets;
};

static void beckon_mcp_wallet_oauth_wallet_init (BeckonOauthWalletInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonMcpWallet, beckon_mcp_wallet, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_OAUTH_WALLET, beckon_mcp_wallet_oauth_wallet_init))

/* --- Secrets ------------------------------------------------------------------------------------------------------ */

static void
mcp_wallet_on_secret (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpWallet *self = g_task_get_source_object (task);
  GError *error = NULL;
  char *value = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, &error);

  if (value == NULL && error == NULL)
    error = beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                                   /* Translators: a server's name */
                                   _("A secret for the sign-in to “%s” is not in the keyring. Enter it again."),
                                   self->server->name);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, value, (GDestroyNotify) beckon_wipe);
}

static void
get_secret_async (BeckonOauthWallet *wallet, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpWallet *self = BECKON_MCP_WALLET (wallet);
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  g_autofree char *id = beckon_mcp_service_make_secret_id (self->server->id, BECKON_LOGIN_SECRET_NAME);

  g_task_set_source_tag (task, get_secret_async);
  beckon_secrets_lookup_async (self->secrets, id, self->server->address, FALSE, cancellable, mcp_wallet_on_secret, task);
}

static BECKON_FINISH_POINTER (char *, get_secret, BeckonOauthWallet)

static void
beckon_mcp_wallet_oauth_wallet_init (BeckonOauthWalletInterface *iface)
{
  iface->get_secret_async = get_secret_async;
  iface->get_secret_finish = get_secret_finish;
}

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
beckon_mcp_wallet_finalize (GObject *object)
{
  BeckonMcpWallet *self = BECKON_MCP_WALLET (object);

  beckon_mcp_server_unref (self->server);
  g_object_unref (self->secrets);

  G_OBJECT_CLASS (beckon_mcp_wallet_parent_class)->finalize (object);
}

static void
beckon_mcp_wallet_class_init (BeckonMcpWalletClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_mcp_wallet_finalize;
}

static void
beckon_mcp_wallet_init (BeckonMcpWallet *self)
{
}

BeckonOauth *
beckon_mcp_wallet_make_oauth (BeckonMcpServer *server, BeckonSecrets *secrets, BeckonClock *clock)
{
  BeckonOauth *oauth;
  g_autoptr (BeckonMcpWallet) wallet = NULL;

  oauth = beckon_oauth_new (server->address, BECKON_OAUTH_STORE (secrets), server->id, clock);
  if (server->login == NULL)
    return oauth;
  wallet = g_object_new (BECKON_TYPE_MCP_WALLET, NULL);
  wallet->server = beckon_mcp_server_ref (server);
  wallet->secrets = g_object_ref (secrets);
  beckon_oauth_set_login (oauth, server->login, BECKON_OAUTH_WALLET (wallet));
  return oauth;
}
