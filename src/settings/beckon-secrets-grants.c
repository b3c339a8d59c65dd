/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-secrets-private.h"

#include "base/beckon-finish.h"
#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "beckon-keyring.h"

#include <glib/gi18n-lib.h>

static const SecretSchema schema = {
  BECKON_APPLICATION_ID ".Grant",
  SECRET_SCHEMA_NONE,
  {
    { "server", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { "origin", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { NULL, 0 },
  },
};

static void
on_peeked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char *text = beckon_keyring_peek_finish (result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, text, beckon_keyring_wipe);
}

static void
grants_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char *text = beckon_keyring_lookup_finish (result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, text, beckon_keyring_wipe);
}

static void
load_async (BeckonOauthStore *store, const char *id, const char *server, gboolean is_quiet, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (store, cancellable, callback, user_data);
  g_autofree char *origin = beckon_uri_dup_origin (server);
  const BeckonKeyringItem item = { &schema, id, origin, beckon_clock_get_system (), TRUE };

  g_task_set_source_tag (task, load_async);
  if (is_quiet)
    beckon_keyring_peek_async (&item, cancellable, on_peeked, task);
  else
    beckon_keyring_lookup_async (&item, cancellable, grants_on_loaded, task);
}

static BECKON_FINISH_POINTER (char *, load, BeckonOauthStore)

static void
grants_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_keyring_store_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
save_async (BeckonOauthStore *store, const char *id, const char *server, const char *text, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (store, cancellable, callback, user_data);
  g_autofree char *origin = beckon_uri_dup_origin (server);
  /* Translators: how a sign-in is called in the system's keyring; %s is a server's address */
  g_autofree char *label = beckon_text_printf (_("Beckon: sign-in at %s"), origin);
  const BeckonKeyringItem item = { &schema, id, origin, beckon_clock_get_system (), TRUE };

  g_task_set_source_tag (task, save_async);
  beckon_keyring_store_async (&item, label, text, cancellable, grants_on_saved, task);
}

static BECKON_FINISH_BOOLEAN (save, BeckonOauthStore)

void
beckon_secrets_oauth_store_init (BeckonOauthStoreInterface *iface)
{
  iface->load_async = load_async;
  iface->load_finish = load_finish;
  iface->save_async = save_async;
  iface->save_finish = save_finish;
}
