/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "channels/beckon-channel-adapter.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/** The most that is read of an answer that is no file. */
#define BECKON_CHANNEL_HTTP_MAX (4 * 1024 * 1024)

/**
 * BeckonChannelReply:
 * @status: the status, whatever it is; redirects are not followed
 * @retry_after_s: the seconds of `Retry-After`; 0 without them
 * @body: the body; ends in NUL, which its size does not count
 * @length: its bytes
 *
 * An answer of a channel's server.
 */
typedef struct
{
  guint status;
  guint retry_after_s;
  char *body;
  gsize length;
} BeckonChannelReply;

void beckon_channel_reply_free (BeckonChannelReply *reply);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelReply, beckon_channel_reply_free)

/** Whether @url is a plain address of a server: https, or http on this computer, without a user, a query or a fragment. %FALSE
 *  with %BECKON_ERROR_INVALID, in words for people. */
gboolean beckon_channel_check_address (const char *url, GError **error);

/**
 * beckon_channel_http_ask_async:
 * @session: from beckon_http_exchange_make_session()
 * @clock: for the time
 * @message: what is asked; sent once
 * @seconds: for all of it
 * @most: the most bytes of the body
 * @cancellable: (nullable): ends it with %G_IO_ERROR_CANCELLED at once, whatever it waits for
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Asks a channel's server. Nothing of the address but its host gets into an error or a log. Main thread.
 */
void beckon_channel_http_ask_async (SoupSession *session, BeckonClock *clock, SoupMessage *message, guint seconds, gsize most,
                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** Any whole answer; %NULL with %BECKON_CHANNEL_ERROR_NETWORK, _LATE, _REFUSED (too large) or %G_IO_ERROR_CANCELLED. Caller
 *  owns. */
BeckonChannelReply *beckon_channel_http_ask_finish (SoupSession *session, GAsyncResult *result,
                                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
