/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonBodyKind:
 * @BECKON_BODY_UNKNOWN: nothing came yet but white space
 * @BECKON_BODY_STREAM: a stream of events
 * @BECKON_BODY_JSON: one JSON value: an error, or a reply that was not streamed
 * @BECKON_BODY_OTHER: a page, or words
 *
 * What the body of a response with a good status is.
 */
typedef enum
{
  BECKON_BODY_UNKNOWN,
  BECKON_BODY_STREAM,
  BECKON_BODY_JSON,
  BECKON_BODY_OTHER,
} BeckonBodyKind;

/**
 * beckon_body_kind_guess:
 * @type: (nullable): the media type that the response claims, without parameters
 * @data: how the body begins
 * @length: how much of it there is
 *
 * The beginning decides over the type: no line of an event stream that means anything begins like JSON or like a
 * page, and some servers call a stream something else. Pure.
 */
BeckonBodyKind beckon_body_kind_guess (const char *type, const char *data, gsize length);

G_END_DECLS
