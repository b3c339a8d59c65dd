/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-codec.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/** A POST of @body, JSON, that asks for a stream; @key (nullable) goes along where @codec says. */
SoupMessage *beckon_http_message_new (GUri *uri, const BeckonCodec *codec, const char *key,
                                      GBytes *body) G_GNUC_WARN_UNUSED_RESULT;

/** Host and port of an address as they are shown to people; the port only if it is given. Caller frees. */
char *beckon_http_message_dup_host (GUri *uri);

/** %TRUE if not one byte of an answer came. */
gboolean beckon_http_message_is_unanswered (SoupMessage *message);

G_END_DECLS
