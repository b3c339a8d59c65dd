/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-slice.h"

#include "beckon-json-private.h"
#include "beckon-text.h"

static gboolean
read_hex (const char *at, const char *end, gunichar *value)
{
  *value = 0;
  if (end - at < 4)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (at[i]);

      if (digit < 0)
        return FALSE;
      *value = *value * 16 + (gunichar) digit;
    }
  return TRUE;
}

static inline gboolean
is_high_surrogate (gunichar value)
{
  return value >= 0xd800 && value <= 0xdbff;
}

static inline gboolean
is_low_surrogate (gunichar value)
{
  return value >= 0xdc00 && value <= 0xdfff;
}

gsize
beckon_json_read_unicode_escape (const char *at, const char *end, gunichar *value)
{
  gunichar low;

  if (!read_hex (at, end, value))
    return 0;
  if (!is_high_surrogate (*value) || end - at < 10 || at[4] != '\\' || at[5] != 'u'
      || !read_hex (at + 6, end, &low) || !is_low_surrogate (low))
    return 4;
  *value = 0x10000 + ((*value - 0xd800) << 10) + (low - 0xdc00);
  return 10;
}

gboolean
beckon_json_slice_decoded_equals (const BeckonJsonSlice *slice, const char *text)
{
  g_autoptr (GString) said = g_string_new (NULL);

  beckon_json_slice_append_to (slice, said);
  return said->len == strlen (text) && memcmp (said->str, text, said->len) == 0;
}

const char *
beckon_json_slice_decode (const BeckonJsonSlice *slice, GString *scratch, gsize *length)
{
  *length = slice->length;
  if (!slice->escaped)
    return slice->text;
  g_string_truncate (scratch, 0);
  beckon_json_slice_append_to (slice, scratch);
  *length = scratch->len;
  return scratch->str;
}

static const char *
append_escape (const char *at, const char *end, GString *string, gboolean *exact)
{
  gunichar value;
  gsize length;

  if (at[1] != 'u')
    {
      g_string_append_c (string, beckon_json_is_short_escape (at) ? beckon_json_letters[(guchar) at[1]] : at[1]);
      return at + 2;
    }
  length = beckon_json_read_unicode_escape (at + 2, end, &value);
  if (value >= 0xd800 && value <= 0xdfff)
    {
      value = BECKON_TEXT_REPLACEMENT;
      *exact = FALSE;
    }
  if (value == 0)
    g_string_append_c (string, '\0');
  else
    g_string_append_unichar (string, value);
  return at + 2 + length;
}

/* Longer characters stand together. */
static const char *
append_characters (const char *at, const char *end, GString *string, gboolean *exact)
{
  const char *begin = at;
  gsize length;

  do
    {
      length = beckon_text_utf8_length (at, (gsize) (end - at));
      at += length;
    }
  while (length > 0 && at < end && (guchar) *at >= 0x80);
  g_string_append_len (string, begin, at - begin);
  if (length > 0)
    return at;
  g_string_append_unichar (string, BECKON_TEXT_REPLACEMENT);
  *exact = FALSE;
  return at + 1;
}

const char *
beckon_json_append_plain (const char *at, const char *end, GString *string)
{
  char *to;
  gsize length = (gsize) (end - at);
  const gsize before = string->len;

  /* Room for what is left of a slice and the byte that ends the string; copying may write a little beyond what it adds. */
  if (string->allocated_len - string->len <= length + BECKON_JSON_COPY_STEP)
    {
      g_string_set_size (string, string->len + length + BECKON_JSON_COPY_STEP);
      g_string_truncate (string, before);
    }
  to = string->str + string->len;
  at = beckon_json_copy_text (at, end, &to);
  while (at < end)
    {
      const char *plain = beckon_json_copy_plain (at, end, to);

      to += plain - at;
      at = plain;
      if (end - at < 2 || !beckon_json_is_short_escape (at))
        break;
      *to++ = beckon_json_letters[(guchar) at[1]];
      at += 2;
    }
  string->len = (gsize) (to - string->str);
  *to = '\0';
  return at;
}

gboolean
beckon_json_slice_append_to (const BeckonJsonSlice *slice, GString *string)
{
  const char *at = slice->text;
  const char *end;
  gboolean exact = TRUE;

  if (!slice->escaped)
    {
      g_string_append_len (string, at, (gssize) slice->length);
      return TRUE;
    }
  end = at + slice->length;
  while (at < end)
    {
      at = beckon_json_append_plain (at, end, string);
      if (at < end && *at == '\\')
        at = append_escape (at, end, string, &exact);
      else if (at < end)
        at = append_characters (at, end, string, &exact);
    }
  return exact;
}

gboolean
beckon_json_slice_to_int (const BeckonJsonSlice *slice, gint64 *value)
{
  const char *at = slice->text;
  const char *end = at + slice->length;
  gboolean negative = at < end && *at == '-';
  guint64 limit = (guint64) G_MAXINT64 + (negative ? 1 : 0);
  guint64 sum = 0;

  if (negative)
    at++;
  if (at == end)
    return FALSE;
  for (; at < end; at++)
    {
      guint digit = (guint) (*at - '0');

      if (!g_ascii_isdigit (*at) || sum > (limit - digit) / 10)
        return FALSE;
      sum = sum * 10 + digit;
    }
  *value = (gint64) (negative ? 0 - sum : sum);
  return TRUE;
}
