/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-kind.h"
#include "channels/beckon-channel-outbox.h"
#include "settings/beckon-secrets.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNEL (beckon_channel_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannel, beckon_channel, BECKON, CHANNEL, GObject)

/**
 * BeckonChannel:
 *
 * An account of a text channel: its adapter, its cursor and its outbox, while this process serves it; one process at a time
 * does. Messages that come are stored with the cursor before anyone looks at them, and are handled one by one. Main thread.
 * Signals: `changed`: its account, its state or its words are other than before; `served`: this process begins to serve it;
 * `unserved`: it no longer does;
 * `stale`: the store knows more of its account than this.
 */

/**
 * BeckonChannelHandler:
 * @channel: a channel
 * @inbound: a message of whoever is paired, or of somebody who may know the pairing code
 * @incoming: what is in it
 * @user_data: as given
 *
 * Handles a message; beckon_channel_handled() says when it has, and that has been stored.
 */
typedef void (*BeckonChannelHandler) (BeckonChannel *channel, const BeckonChannelInbound *inbound,
                                      BeckonChannelIncoming *incoming, gpointer user_data);

/** @account: stored. */
BeckonChannel *beckon_channel_new (BeckonStore *store, BeckonSecrets *secrets, BeckonClock *clock,
                                   BeckonChannelAccount *account) G_GNUC_WARN_UNUSED_RESULT;

/** Borrowed. */
BeckonChannelAccount *beckon_channel_get_account (BeckonChannel *channel);
BeckonChannelAdapter *beckon_channel_get_adapter (BeckonChannel *channel);
BeckonChannelOutbox  *beckon_channel_get_outbox (BeckonChannel *channel);

/** The account was changed by the message that is being handled; that is stored with its end. */
void beckon_channel_set_account (BeckonChannel *channel, BeckonChannelAccount *account);

/** The account was changed here. beckon_channel_end_change(): that was stored, or could not be; emits `stale`. */
void beckon_channel_begin_change (BeckonChannel *channel, BeckonChannelAccount *account);
void beckon_channel_end_change (BeckonChannel *channel);

/** The account as the store has it; %FALSE if what was changed here is newer. Other settings of its kind, and another secret,
 *  need a new start. */
gboolean beckon_channel_take_listed (BeckonChannel *channel, BeckonChannelAccount *account);

/** Emits `stale`. */
void beckon_channel_note_stale (BeckonChannel *channel);

/** Set before it is served. */
void beckon_channel_set_handler (BeckonChannel *channel, BeckonChannelHandler handler, gpointer user_data);

/** Tries to serve it; nothing if it is served here already. Where another process does, try again later. */
void beckon_channel_serve (BeckonChannel *channel);

/** Ends that. */
void beckon_channel_unserve (BeckonChannel *channel);

gboolean beckon_channel_is_served (BeckonChannel *channel);

/** Whether what a sign-in brought is on its way to the keyring or the store. */
gboolean beckon_channel_is_keeping (BeckonChannel *channel);

/** The message that the handler was called with is handled. */
void beckon_channel_handled (BeckonChannel *channel);

/** How it is here; %BECKON_CHANNEL_OFF where another process serves it. */
BeckonChannelState beckon_channel_get_state (BeckonChannel *channel);

/** The same in words for people, with what to do. Caller frees. */
char *beckon_channel_dup_words (BeckonChannel *channel) G_GNUC_WARN_UNUSED_RESULT;

/** Whom the keyring knows a secret of an account by. Caller frees. */
char *beckon_channel_dup_secret_id (const BeckonChannelAccount *account) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
