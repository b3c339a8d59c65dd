/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-desk.h"
#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNELS (beckon_channels_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannels, beckon_channels, BECKON, CHANNELS, GObject)

/**
 * BeckonChannels:
 *
 * The accounts of text channels that were set up: a list model of #BeckonChannel, by name, which follows the store. Each is
 * served by one process at a time; where that ends, another one takes over within seconds. Main thread.
 */

/** @parts: copied. */
BeckonChannels *beckon_channels_new (const BeckonChannelParts *parts) G_GNUC_WARN_UNUSED_RESULT;

/** The same, of a program's own runtime, which outlives them. */
BeckonChannels *beckon_channels_new_of (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

/** Reads them from the store. Nothing is reached. */
void     beckon_channels_load_async (BeckonChannels *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean beckon_channels_load_finish (BeckonChannels *self, GAsyncResult *result, GError **error);

/** Whether this process serves those that are on and that no other serves. %FALSE by default. */
void beckon_channels_set_serving (BeckonChannels *self, gboolean is_serving);

/** Serves one that is on, for as long as it is there, whether the others are served or not. */
void beckon_channels_serve_alone (BeckonChannels *self, BeckonChannel *channel);

/** (nullable): the conversation that a person looks at in a window of this process just now. */
void beckon_channels_set_watched (BeckonChannels *self, const char *conversation_id);

/** By name or id; %NULL if there is none. Borrowed. */
BeckonChannel *beckon_channels_find (BeckonChannels *self, const char *name);

/**
 * beckon_channels_save_async:
 * @self: the channels
 * @account: a new one without an id, or a changed one
 * @secret: (nullable): its token or password; %NULL leaves what the keyring has
 * @cancellable: (nullable): before it is written
 * @callback: called when it is stored
 * @user_data: for @callback
 *
 * Stores an account; its secret goes to the keyring first.
 */
void beckon_channels_save_async (BeckonChannels *self, BeckonChannelAccount *account, const char *secret,
                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** Borrowed: its channel; %NULL with words to be shown. */
BeckonChannel *beckon_channels_save_finish (BeckonChannels *self, GAsyncResult *result, GError **error);

/** Ends an account and removes it, with its secret. */
void     beckon_channels_remove_async (BeckonChannels *self, BeckonChannel *channel, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_channels_remove_finish (BeckonChannels *self, GAsyncResult *result, GError **error);

/** Makes a code for somebody to pair with, good for %BECKON_CHANNEL_PAIR_S seconds, in the place of an older one. */
void  beckon_channels_pair_async (BeckonChannels *self, BeckonChannel *channel, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
char *beckon_channels_pair_finish (BeckonChannels *self, GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Ends the pairing. */
void     beckon_channels_unpair_async (BeckonChannels *self, BeckonChannel *channel, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_channels_unpair_finish (BeckonChannels *self, GAsyncResult *result, GError **error);

/** Sends a line to whoever is paired; %FALSE with words if it can't be tried here. */
gboolean beckon_channels_test (BeckonChannels *self, BeckonChannel *channel, GError **error);

G_END_DECLS
