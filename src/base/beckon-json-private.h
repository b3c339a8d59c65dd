/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <string.h>

/* Shared by string reading and decoding. */

#ifdef __SSE2__
#include <emmintrin.h>

/* Many bytes at once, where the processor has that: the bits of those that are not plain. As signed numbers, the bytes of
 * longer characters are less than a space, too. */
static inline guint
beckon_json_find_special (__m128i bytes)
{
  const __m128i special = _mm_or_si128 (_mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('"')),
                                                      _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\\'))),
                                        _mm_cmplt_epi8 (bytes, _mm_set1_epi8 (0x20)));

  return (guint) _mm_movemask_epi8 (special);
}

static inline __m128i
beckon_json_load (const char *at)
{
  return _mm_loadu_si128 ((const __m128i *) at);
}
#endif

#define BECKON_JSON_EVERY_BYTE(value) (~G_GUINT64_CONSTANT (0) / 255 * (value))

/* Finds the next byte that is not plain: plain is neither quote, backslash, control character nor part of a longer
 * character. */
static inline const char *
beckon_json_skip_plain (const char *at, const char *end)
{
#ifdef __SSE2__
  for (; end - at >= 32; at += 32)
    {
      guint special = beckon_json_find_special (beckon_json_load (at))
                      | beckon_json_find_special (beckon_json_load (at + 16)) << 16;

      if (special != 0)
        return at + __builtin_ctz (special);
    }
#endif
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

/* How far beyond its end a copy may write. */
#define BECKON_JSON_COPY_STEP 64

/* As beckon_json_skip_plain(), and copies what it passes over; what is written beyond that means nothing. */
static inline const char *
beckon_json_copy_plain (const char *at, const char *end, char *to)
{
  const char *plain;

#ifdef __SSE2__
  for (; end - at >= 32; at += 32, to += 32)
    {
      const __m128i one = beckon_json_load (at);
      const __m128i two = beckon_json_load (at + 16);
      guint special = beckon_json_find_special (one) | beckon_json_find_special (two) << 16;

      _mm_storeu_si128 ((__m128i *) to, one);
      _mm_storeu_si128 ((__m128i *) (to + 16), two);
      if (special != 0)
        return at + __builtin_ctz (special);
    }
#endif
  plain = beckon_json_skip_plain (at, end);
  memcpy (to, at, (gsize) (plain - at));
  return plain;
}

/* The character of an escape of two bytes, 0 where there is no such escape. */
extern const char beckon_json_letters[256];

/* There is a byte behind @at. */
static inline gboolean
beckon_json_is_short_escape (const char *at)
{
  return at[0] == '\\' && beckon_json_letters[(guchar) at[1]] != '\0';
}

/* Passes over plain bytes and escapes of two bytes in the widest steps that the processor has. It may stop anywhere, and does
 * before the end. */
const char *beckon_json_skip_text (const char *at, const char *end);

/* The same, and what they stand for is written; @to is moved on. It may write BECKON_JSON_COPY_STEP bytes more than that. */
const char *beckon_json_copy_text (const char *at, const char *end, char **to);

/* Appends what is plain and what has a letter for it, which is nearly all of a text; returns where something else is, or
 * @end. */
const char *beckon_json_append_plain (const char *at, const char *end, GString *string);

/* Reads what follows "\u", a second escape included where both make one character. Returns how many bytes that is, 0
 * when it is no escape; a lone surrogate comes out as itself. */
gsize beckon_json_read_unicode_escape (const char *at, const char *end, gunichar *value);
