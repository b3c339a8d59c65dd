/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-codec.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/**
 * beckon_http_message_new:
 * @uri: where it goes
 * @codec: what is spoken there
 * @key: (nullable): goes along where @codec says
 * @headers: (nullable): more headers, each "Name: value"; none takes the place of one that is there
 * @body: JSON
 *
 * Returns: (transfer full): a POST that asks for a stream
 */
SoupMessage *beckon_http_message_new (GUri *uri, const BeckonCodec *codec, const char *key,
                                      const char *const *headers, GBytes *body) G_GNUC_WARN_UNUSED_RESULT;

/** A GET of something whole, without what @codec says of a stream but for where the key goes. */
SoupMessage *beckon_http_message_new_get (GUri *uri, const BeckonCodec *codec, const char *key,
                                          const char *const *headers) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_http_message_watch_peer:
 * @message: a message that is not sent yet; those that this file makes are watched
 *
 * A connection that @message opens ends within a minute when nobody is at its other end any more: the network is gone, or was
 * while the computer slept. A server that is there may be silent for longer.
 */
void beckon_http_message_watch_peer (SoupMessage *message);

/** Host and port of an address as they are shown to people; the port only if it is given. Caller frees. */
char *beckon_http_message_dup_host (GUri *uri);

/** %TRUE if not one byte of an answer came. */
gboolean beckon_http_message_is_unanswered (SoupMessage *message);

G_END_DECLS
