/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"
#include "channels/beckon-channel-http.h"

G_BEGIN_DECLS

/** Signing in begins there, unless the account's settings name another. */
#define BECKON_WECHAT_SERVER "https://ilinkai.weixin.qq.com/"

/** How long a poll is held, in seconds, where the server says nothing else; and how long anything else may take. */
#define BECKON_WECHAT_POLL_S 35
#define BECKON_WECHAT_ASK_S 15

/**
 * beckon_wechat_base_is_good:
 * @base: (nullable): an address
 * @from: (nullable): the server that named it
 *
 * Returns: %TRUE if it is an HTTPS address without user, query and fragment; HTTP on this computer counts too, but not where
 *   another computer named it
 */
gboolean beckon_wechat_base_is_good (const char *base, const char *from);

/**
 * beckon_wechat_make_post:
 * @base: the server
 * @path: relative to it, with a query
 * @token: (nullable): what proves who asks
 * @body: a JSON object
 *
 * Returns: (transfer full): a request with the headers of the iLink bot API
 */
SoupMessage *beckon_wechat_make_post (const char *base, const char *path, const char *token,
                                      const char *body) G_GNUC_WARN_UNUSED_RESULT;

/** The same without a body and a token. */
SoupMessage *beckon_wechat_make_get (const char *base, const char *path) G_GNUC_WARN_UNUSED_RESULT;

/** Begins a body, with `base_info`; the caller adds members and calls beckon_wechat_end_body(). */
void  beckon_wechat_begin_body (BeckonJsonWriter *writer, GString *body);
char *beckon_wechat_end_body (BeckonJsonWriter *writer) G_GNUC_WARN_UNUSED_RESULT;

/** %FALSE with #BeckonChannelError for an HTTP status of 400 or more, a `ret` or `errcode` other than 0, and a text that is no
 *  answer. */
gboolean beckon_wechat_check (const BeckonChannelReply *reply, GError **error);

/** As beckon_channel_http_ask_finish(), with beckon_wechat_check(). */
BeckonChannelReply *beckon_wechat_ask_finish (SoupSession *session, GAsyncResult *result,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The error for an answer that says something else than it has to. */
GError *beckon_wechat_make_odd_error (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
