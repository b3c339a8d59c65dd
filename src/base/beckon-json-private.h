/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <string.h>

/* What reading a string and decoding it share. */

#define BECKON_JSON_EVERY_BYTE(value) (~G_GUINT64_CONSTANT (0) / 255 * (value))

/* Where the next byte is that is not plain: plain is neither quote, backslash, control character nor part of a longer
 * character. */
static inline const char *
beckon_json_skip_plain (const char *at, const char *end)
{
  while (end - at >= 8)
    {
      guint64 bytes;
      guint64 quotes;
      guint64 slashes;
      guint64 special;

      memcpy (&bytes, at, 8);
      bytes = GUINT64_FROM_LE (bytes);
      quotes = bytes ^ BECKON_JSON_EVERY_BYTE ('"');
      slashes = bytes ^ BECKON_JSON_EVERY_BYTE ('\\');
      special = ((bytes - BECKON_JSON_EVERY_BYTE (0x20)) & ~bytes) | ((quotes - BECKON_JSON_EVERY_BYTE (1)) & ~quotes)
                | ((slashes - BECKON_JSON_EVERY_BYTE (1)) & ~slashes) | bytes;
      special &= BECKON_JSON_EVERY_BYTE (0x80);
      /* A borrow can only mark a byte after one that is marked rightly, so the first mark is always true. */
      if (special != 0)
        return at + __builtin_ctzll (special) / 8;
      at += 8;
    }
  while (at < end && *at != '"' && *at != '\\' && (guchar) *at >= 0x20 && (guchar) *at < 0x80)
    at++;
  return at;
}

/* Reads what follows "\u", a second escape included where both make one character. Returns how many bytes that is, 0
 * when it is no escape; a lone surrogate comes out as itself. */
gsize beckon_json_read_unicode_escape (const char *at, const char *end, gunichar *value);
