/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-message.h"

G_BEGIN_DECLS

/** The most bytes of a cursor, of a context and of a ticket of the iLink bot API. */
#define BECKON_WECHAT_TOKEN_MAX (64 * 1024)

/**
 * BeckonWechatUpdates:
 * @messages: (element-type BeckonChannelIncoming): what persons wrote to the bot itself, in its order
 * @cursor: (nullable): where to go on after them; %NULL as before
 * @poll_ms: how long the next poll may be held; 0 as before
 *
 * What a poll brought.
 */
typedef struct
{
  GPtrArray *messages;
  char *cursor;
  gint64 poll_ms;
} BeckonWechatUpdates;

void beckon_wechat_updates_clear (BeckonWechatUpdates *updates);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonWechatUpdates, beckon_wechat_updates_clear)

/**
 * beckon_wechat_updates_read:
 * @text: the answer to `getupdates`
 * @length: its bytes
 * @updates: (out caller-allocates): what is in it
 *
 * Groups, what the bot itself sent, and messages that are not whole yet are left out.
 *
 * Returns: %FALSE if it is no such answer; then @updates is not to be used
 */
gboolean beckon_wechat_updates_read (const char *text, gsize length, BeckonWechatUpdates *updates);

/** The body of a `getupdates`. @cursor: (nullable). Caller frees. */
char *beckon_wechat_make_poll (const char *cursor) G_GNUC_WARN_UNUSED_RESULT;

/** The body of a `sendmessage`. Caller frees. */
char *beckon_wechat_make_message (const BeckonChannelOutgoing *outgoing) G_GNUC_WARN_UNUSED_RESULT;

/** The `message_id` of the answer to it, as digits; "" without one. Caller frees. */
char *beckon_wechat_read_message_id (const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
