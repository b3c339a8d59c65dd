/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-wallet.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "base/beckon-worker.h"
#include "mcp/beckon-mcp-service.h"
#include "settings/beckon-key-programs.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct _BeckonMcpWallet
{
  GObject parent_instance;

  BeckonMcpServer *server;
  BeckonSecrets *secrets;
  BeckonKeyPrograms *programs;
};

static void beckon_mcp_wallet_oauth_wallet_init (BeckonOauthWalletInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonMcpWallet, beckon_mcp_wallet, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_OAUTH_WALLET, beckon_mcp_wallet_oauth_wallet_init))

/* --- Secrets ------------------------------------------------------------------------------------------------------ */

static void
on_secret (GObject *source, GAsyncResult *result, gpointer user_data)
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
get_secret_async (BeckonOauthWallet *wallet, BeckonLoginSecret secret, GCancellable *cancellable,
                  GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpWallet *self = BECKON_MCP_WALLET (wallet);
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  g_autofree char *id = beckon_mcp_service_make_secret_id (self->server->id, beckon_login_secret_get_name (secret));

  g_task_set_source_tag (task, get_secret_async);
  beckon_secrets_lookup_async (self->secrets, id, self->server->address, FALSE, cancellable, on_secret, task);
}

static char *
get_secret_finish (BeckonOauthWallet *wallet, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, wallet), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, get_secret_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- The token that vouches --------------------------------------------------------------------------------------- */

/* The program runs anew for each token: it alone knows how long one is good. */
static void
on_printed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpWallet *self = g_task_get_source_object (task);
  const char *const *program = (const char *const *) self->server->login->token_program;
  GError *error = NULL;
  char *token = beckon_key_programs_ask_finish (BECKON_KEY_PROGRAMS (source), result, &error);

  if (token == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_key_programs_refuse (self->programs, program, token);
  g_task_return_pointer (task, token, (GDestroyNotify) beckon_wipe);
}

/* Up to the end or to one byte too much. The number of bytes; -1 with errno. */
static gssize
read_all (int fd, char *into, gsize size)
{
  gsize length = 0;
  gssize n = 1;

  while (length < size && n != 0)
    {
      n = read (fd, into + length, size - length);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      length += (gsize) n;
    }
  return (gssize) length;
}

/* A file that is not one, such as a pipe, could be waited for without an end. The number of an error. */
static int
read_token (const char *path, char **token)
{
  beckon_autowipe char *text = g_malloc0 (BECKON_MCP_WALLET_TOKEN_MAX + 2);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  gssize length = -1;
  int problem;

  if (fd < 0)
    return errno;
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
    length = read_all (fd, text, BECKON_MCP_WALLET_TOKEN_MAX + 1);
  else
    errno = EINVAL;
  problem = length < 0 ? errno : 0;
  close (fd);
  if (problem != 0)
    return problem;
  g_strstrip (text);
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isgraph (*c))
      return EBADMSG;
  if (length > BECKON_MCP_WALLET_TOKEN_MAX || *text == '\0')
    return EBADMSG;
  *token = g_strdup (text);
  return 0;
}

static void
read_on_worker (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  char *token = NULL;
  int problem = read_token (data, &token);

  if (problem != 0)
    g_task_return_new_error (task, G_IO_ERROR, g_io_error_from_errno (problem), "%s", g_strerror (problem));
  else
    g_task_return_pointer (task, token, (GDestroyNotify) beckon_wipe);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) cause = NULL;
  char *token = g_task_propagate_pointer (G_TASK (result), &cause);
  g_autofree char *shown = NULL;

  if (token != NULL)
    {
      g_task_return_pointer (task, token, (GDestroyNotify) beckon_wipe);
      return;
    }
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&cause));
      return;
    }
  shown = beckon_text_for_display (BECKON_MCP_WALLET (source)->server->login->token_file, -1, BECKON_TEXT_EXACT);
  g_task_return_error (task, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                                    /* Translators: a path, and why, in the system's words */
                                                    _("The token in “%1$s” can’t be read (%2$s)."), shown, cause->message));
}

static void
get_token_async (BeckonOauthWallet *wallet, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpWallet *self = BECKON_MCP_WALLET (wallet);
  const BeckonLogin *login = self->server->login;
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr (GTask) reading = NULL;

  g_task_set_source_tag (task, get_token_async);
  if (login->token_program != NULL)
    {
      beckon_key_programs_ask_async (self->programs, (const char *const *) login->token_program, cancellable, on_printed,
                                     g_steal_pointer (&task));
      return;
    }
  reading = g_task_new (self, cancellable, on_read, g_steal_pointer (&task));
  g_task_set_source_tag (reading, read_on_worker);
  g_task_set_task_data (reading, g_strdup (login->token_file), g_free);
  g_task_set_return_on_cancel (reading, TRUE);
  beckon_worker_run_for_person (reading, read_on_worker);
}

static char *
get_token_finish (BeckonOauthWallet *wallet, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, wallet), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, get_token_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
beckon_mcp_wallet_oauth_wallet_init (BeckonOauthWalletInterface *iface)
{
  iface->get_secret_async = get_secret_async;
  iface->get_secret_finish = get_secret_finish;
  iface->get_token_async = get_token_async;
  iface->get_token_finish = get_token_finish;
}

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
beckon_mcp_wallet_finalize (GObject *object)
{
  BeckonMcpWallet *self = BECKON_MCP_WALLET (object);

  beckon_mcp_server_unref (self->server);
  g_object_unref (self->secrets);
  g_object_unref (self->programs);

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

BeckonOauthWallet *
beckon_mcp_wallet_new (BeckonMcpServer *server, BeckonSecrets *secrets, BeckonClock *clock)
{
  BeckonMcpWallet *self;

  g_return_val_if_fail (server != NULL && server->id != NULL && server->login != NULL, NULL);
  g_return_val_if_fail (BECKON_IS_SECRETS (secrets), NULL);

  self = g_object_new (BECKON_TYPE_MCP_WALLET, NULL);
  self->server = beckon_mcp_server_ref (server);
  self->secrets = g_object_ref (secrets);
  self->programs = beckon_key_programs_new (clock);
  return BECKON_OAUTH_WALLET (self);
}

BeckonOauth *
beckon_mcp_wallet_make_oauth (BeckonMcpServer *server, BeckonSecrets *secrets, BeckonClock *clock)
{
  BeckonOauth *oauth;
  g_autoptr (BeckonOauthWallet) wallet = NULL;

  g_return_val_if_fail (server != NULL && server->address != NULL && server->id != NULL, NULL);

  oauth = beckon_oauth_new (server->address, BECKON_OAUTH_STORE (secrets), server->id, clock);
  if (server->login == NULL)
    return oauth;
  wallet = beckon_mcp_wallet_new (server, secrets, clock);
  beckon_oauth_set_login (oauth, server->login, wallet);
  return oauth;
}
