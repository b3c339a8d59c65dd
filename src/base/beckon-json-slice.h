/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/**
 * BeckonJsonSlice:
 * @text: in the text that is read; for a string without its quotes
 * @length: bytes
 * @escaped: the text is not what the string says: it holds escapes, or bytes to be replaced
 *
 * Where a name, a string or a number stands.
 */
typedef struct
{
  const char *text;
  gsize length;
  gboolean escaped;
} BeckonJsonSlice;

#define BECKON_JSON_SLICE_INIT { NULL, 0, FALSE }

/** For beckon_json_slice_equals() alone. */
gboolean beckon_json_slice_decoded_equals (const BeckonJsonSlice *slice, const char *text);

/** %TRUE if the name or string says exactly @text; here, so that comparing with a literal costs no call. */
static inline gboolean
beckon_json_slice_equals (const BeckonJsonSlice *slice, const char *text)
{
  if (G_UNLIKELY (slice->escaped))
    return beckon_json_slice_decoded_equals (slice, text);
  return slice->length == strlen (text) && memcmp (slice->text, text, slice->length) == 0;
}

/**
 * beckon_json_slice_decode:
 * @slice: a name or string
 * @scratch: emptied and used when the string is not as it is written
 * @length: (out): bytes; the string may hold NUL
 *
 * Returns: valid UTF-8, not ended by NUL; in the text that was read or in @scratch
 */
const char *beckon_json_slice_decode (const BeckonJsonSlice *slice, GString *scratch, gsize *length);

/**
 * beckon_json_slice_append_to:
 * @slice: a name or string
 * @string: where to add what it says
 *
 * Returns: %FALSE if something in it was no character and U+FFFD was added in its place
 */
gboolean beckon_json_slice_append_to (const BeckonJsonSlice *slice, GString *string);

/** %FALSE when the number is no integer or outside of 64 bits. */
gboolean beckon_json_slice_to_int (const BeckonJsonSlice *slice, gint64 *value);

G_END_DECLS
