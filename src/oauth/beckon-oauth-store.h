/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_OAUTH_STORE (beckon_oauth_store_get_type ())
G_DECLARE_INTERFACE (BeckonOauthStore, beckon_oauth_store, BECKON, OAUTH_STORE, GObject)

/**
 * BeckonOauthStore:
 * @load_async: looks up what was kept under @id for the server at @server; if @is_quiet, nobody is asked to unlock anything
 * @load_finish: (transfer full) (nullable): the text; %NULL without an error if there is none, with
 *   %BECKON_OAUTH_ERROR_LOCKED if there is one that can't be read until the person unlocks it
 * @save_async: keeps @text in its place; %NULL removes it
 *
 * Where sign-ins are kept: the keyring. Main thread.
 */
struct _BeckonOauthStoreInterface
{
  GTypeInterface parent_iface;

  void (*load_async) (BeckonOauthStore *self, const char *id, const char *server, gboolean is_quiet,
                      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  char *(*load_finish) (BeckonOauthStore *self, GAsyncResult *result, GError **error);
  void (*save_async) (BeckonOauthStore *self, const char *id, const char *server, const char *text, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*save_finish) (BeckonOauthStore *self, GAsyncResult *result, GError **error);
};

G_END_DECLS
