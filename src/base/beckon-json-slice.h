/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

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

/** %TRUE if the name or string says exactly @text. */
gboolean beckon_json_slice_equals (const BeckonJsonSlice *slice, const char *text);

/**
 * beckon_json_slice_decode:
 * @slice: a name or string
 * @scratch: emptied and used when the string is not as it is written
 * @length: (out): bytes; the string may hold NUL
 *
 * Returns: valid UTF-8, not ended by NUL; in the text that was read or in @scratch
 */
const char *beckon_json_slice_decode (const BeckonJsonSlice *slice, GString *scratch, gsize *length);

/** Adds what the name or string says to @string. */
void beckon_json_slice_append_to (const BeckonJsonSlice *slice, GString *string);

/** %FALSE when the number is no integer or outside of 64 bits. */
gboolean beckon_json_slice_to_int (const BeckonJsonSlice *slice, gint64 *value);

G_END_DECLS
