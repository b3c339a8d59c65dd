/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonMask:
 *
 * Replaces secret values in text by what may be seen in their place. A value is found as it is, reversed, as it stands in
 * JSON and in URLs, in hexadecimal digits, and in Base64 wherever it begins there; the last two also broken into lines or
 * groups. Of a value of several lines each line is found by itself. The cost is linear in the text, whatever the values are.
 *
 * A value of less than %BECKON_MASK_ANYWHERE bytes is only found as a word, and one of less than %BECKON_MASK_SHORTEST not
 * at all: a text without its every "a" tells a reader nothing.
 *
 * Values are wiped when the mask is freed. Reference counted. Filled by one thread; from the first use on it is not changed,
 * and then any thread may use it.
 */
typedef struct _BeckonMask BeckonMask;

#define BECKON_MASK_SHORTEST 3
#define BECKON_MASK_ANYWHERE 6

BeckonMask *beckon_mask_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonMask *beckon_mask_ref (BeckonMask *mask);
void        beckon_mask_unref (BeckonMask *mask);

/** @value: not empty. */
void beckon_mask_add (BeckonMask *mask, const char *value, const char *replacement);

/** As beckon_mask_add(), but a short one is found as a word however short it is: a number, "true". */
void beckon_mask_add_word (BeckonMask *mask, const char *value, const char *replacement);

/** Adds all that @other finds. */
void beckon_mask_add_all (BeckonMask *mask, BeckonMask *other);

/** %TRUE if it would find nothing. */
gboolean beckon_mask_is_empty (BeckonMask *mask);

/** A whole text. Caller frees. */
char *beckon_mask_apply (BeckonMask *mask, const char *text) G_GNUC_WARN_UNUSED_RESULT;

/** The same of JSON, which it still is afterwards: a number that is replaced becomes a string. Any other text as above. */
char *beckon_mask_apply_json (BeckonMask *mask, const char *text) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mask_apply_window:
 * @mask: the mask
 * @bytes: a piece of a text, with beckon_mask_get_reach() bytes of it on both sides of the window as far as there are any
 * @length: how many
 * @from: where the window begins
 * @to: where it ends
 *
 * A page of a text. A value of which any part is in the window is replaced in it.
 *
 * Returns: (transfer full): the window
 */
GString *beckon_mask_apply_window (BeckonMask *mask, const char *bytes, gsize length, gsize from,
                                   gsize to) G_GNUC_WARN_UNUSED_RESULT;

/** How many bytes beside a page must be seen to know what is on it. */
gsize beckon_mask_get_reach (BeckonMask *mask);

/** Whether any value is in these bytes. */
gboolean beckon_mask_finds (BeckonMask *mask, const char *bytes, gsize length);

/**
 * BeckonMaskStream:
 *
 * A text that comes in pieces, cut anywhere. Any one thread.
 */
typedef struct _BeckonMaskStream BeckonMaskStream;

/** Takes a reference on @mask. */
BeckonMaskStream *beckon_mask_stream_new (BeckonMask *mask) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_mask_stream_free (BeckonMaskStream *stream);

/**
 * beckon_mask_stream_feed:
 * @stream: the stream
 * @chunk: bytes of it
 * @length: how many
 * @out: what may be seen so far is appended here
 *
 * A possible beginning of a value is held back until the bytes behind it tell; that is never more than a few times the
 * longest value.
 */
void beckon_mask_stream_feed (BeckonMaskStream *stream, const char *chunk, gsize length, GString *out);

/** The stream is over: appends what was held back. Another one may begin. */
void beckon_mask_stream_finish (BeckonMaskStream *stream, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMask, beckon_mask_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMaskStream, beckon_mask_stream_free)

G_END_DECLS
