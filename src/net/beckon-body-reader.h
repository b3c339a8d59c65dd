/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _BeckonBodyReader BeckonBodyReader;

/**
 * BeckonBodyFunc:
 * @data: what came
 * @length: how much of it; 0 at the end; -1 when it broke off
 * @error: (nullable): why it broke off
 * @user_data: as given
 *
 * Returns: %TRUE to go on; it is not looked at after the end, or once the reader was stopped
 */
typedef gboolean (*BeckonBodyFunc) (const char *data, gssize length, const GError *error, gpointer user_data);

/**
 * beckon_body_reader_new:
 * @input: a response's body
 * @pace_ms: how long to let data gather while it flows; 0 takes each piece as it comes
 * @function: called for what comes, from the main loop
 * @user_data: for @function
 *
 * Returns: (transfer full): a reader that has not started
 */
BeckonBodyReader *beckon_body_reader_new (GInputStream *input, guint pace_ms, BeckonBodyFunc function,
                                          gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/** Reads until the end, until the function says no, or until it is stopped. May call the function before it returns. */
void beckon_body_reader_start (BeckonBodyReader *reader);

/**
 * beckon_body_reader_free:
 * @reader: a reader
 *
 * Stops reading and closes the body: its connection is kept if the body was read to its end, and closed otherwise. The
 * function is not called again. May be called from within the function.
 */
void beckon_body_reader_free (BeckonBodyReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonBodyReader, beckon_body_reader_free)

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
