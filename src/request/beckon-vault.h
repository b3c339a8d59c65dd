/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>

G_BEGIN_DECLS

#define BECKON_TYPE_VAULT (beckon_vault_get_type ())
G_DECLARE_INTERFACE (BeckonVault, beckon_vault, BECKON, VAULT, GObject)

/**
 * BeckonVault:
 *
 * Where the values behind handles are: the system's keyring, or this process's memory where there is none. Nothing else in
 * the program ever stores a value. All calls on the main thread; asynchronous ones call back later.
 */
struct _BeckonVaultInterface
{
  GTypeInterface parent_iface;

  void (*keep_async) (BeckonVault *self, const char *handle, const char *value, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*keep_finish) (BeckonVault *self, GAsyncResult *result, GError **error);

  void (*look_up_async) (BeckonVault *self, const char *handle, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data);
  char *(*look_up_finish) (BeckonVault *self, GAsyncResult *result, GError **error);

  void (*forget) (BeckonVault *self, const char *handle);
  gboolean (*is_for_session) (BeckonVault *self, const char *handle);
  gboolean (*is_at_hand) (BeckonVault *self, const char *handle);

  void (*flush_async) (BeckonVault *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*flush_finish) (BeckonVault *self, GAsyncResult *result, GError **error);
};

/** Keeps @value, in the keyring if there is one, otherwise until this process ends; fails only when it is cancelled. */
void     beckon_vault_keep_async (BeckonVault *self, const char *handle, const char *value, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_vault_keep_finish (BeckonVault *self, GAsyncResult *result, GError **error);

/** The value, to be wiped by the caller; %NULL without an error where it is not there any more. */
void  beckon_vault_look_up_async (BeckonVault *self, const char *handle, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
char *beckon_vault_look_up_finish (BeckonVault *self, GAsyncResult *result, GError **error);

/** Takes a value out, sooner or later, and says nothing. */
void beckon_vault_forget (BeckonVault *self, const char *handle);

/** Calls back once everything that beckon_vault_forget() was told is done, for the end of the program. */
void     beckon_vault_flush_async (BeckonVault *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean beckon_vault_flush_finish (BeckonVault *self, GAsyncResult *result, GError **error);

/** The value is gone when this process ends, because there was no keyring. */
gboolean beckon_vault_is_for_session (BeckonVault *self, const char *handle);

/** The value is in this process, so that looking it up asks no keyring and does not fail. */
gboolean beckon_vault_is_at_hand (BeckonVault *self, const char *handle);

/*
 * A handle stands for a secret that a person typed: "secret:photo-token-k3x9q2mf7d". Whoever sees one knows what it is for
 * and not what it is. It has nothing in it that JSON, a URL or a shell would write otherwise.
 */

/** @name: (nullable): what it is for, in any writing. Caller frees. */
char *beckon_secret_handle_new (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** The first handle in @text, borrowed; %NULL if there is none. @length: (out): its bytes. */
const char *beckon_secret_handle_find (const char *text, gsize *length);

/** Whether @text is a handle and nothing else. @text: (nullable). */
gboolean beckon_secret_handle_is (const char *text);

G_END_DECLS
