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

G_END_DECLS
