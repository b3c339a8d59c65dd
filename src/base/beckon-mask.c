/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mask-private.h"

#include "beckon-json.h"
#include "beckon-json-writer.h"

#include "beckon-counted.h"

#include <string.h>

/* A form that is shorter would be found by chance. */
#define SHORTEST_HEX 8
#define SHORTEST_BASE64 6

/* A line of a longer value that is shorter tells too little of it to be looked for by itself. */
#define SHORTEST_LINE 8

/* Longer values are documents, found as they are, in JSON, and line by line. */
#define LONGEST_ENCODED 8192

static void
wipe (char *text)
{
  explicit_bzero (text, strlen (text));
  g_free (text);
}

static void
value_clear (gpointer data)
{
  BeckonMaskValue *value = data;

  wipe (value->value);
  g_free (value->replacement);
}

BeckonMask *
beckon_mask_new (void)
{
  BeckonMask *mask = g_atomic_rc_box_new0 (BeckonMask);

  mask->values = g_array_new (FALSE, FALSE, sizeof (BeckonMaskValue));
  g_array_set_clear_func (mask->values, value_clear);

  mask->plain = beckon_mask_set_new (FALSE);
  mask->spaced = beckon_mask_set_new (TRUE);
  return mask;
}

static void
mask_clear (gpointer data)
{
  BeckonMask *mask = data;

  g_array_unref (mask->values);
  beckon_mask_set_free (mask->plain);
  beckon_mask_set_free (mask->spaced);
  explicit_bzero (mask->pairs, sizeof mask->pairs);
}

BECKON_COUNTED (BeckonMask, beckon_mask, mask_clear)

gboolean
beckon_mask_is_empty (BeckonMask *mask)
{
  g_return_val_if_fail (mask != NULL, TRUE);

  return beckon_mask_set_get_n_forms (mask->plain) == 0;
}

/* Whichever thread uses it first. */
void
beckon_mask_close (BeckonMask *mask)
{
  static GMutex mutex;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  if (mask->is_closed)
    return;

  mask->is_closed = TRUE;
  beckon_mask_set_close (mask->plain);
  beckon_mask_set_close (mask->spaced);
  beckon_mask_set_mark_pairs (mask->plain, mask->pairs, mask->starts);
  beckon_mask_set_mark_pairs (mask->spaced, mask->pairs, mask->starts);
}

/* --- How a value is written --------------------------------------------------------------------------------------- */

/* Takes @form. */
static void
add_plain (BeckonMask *mask, char *form, const char *replacement)
{
  if (*form != '\0')
    beckon_mask_set_add (mask->plain, form, replacement, strlen (form) < BECKON_MASK_ANYWHERE);
  wipe (form);
}

/* Takes @form. */
static void
add_spaced (BeckonMask *mask, char *form, gsize shortest, const char *replacement)
{
  if (strlen (form) >= shortest)
    beckon_mask_set_add (mask->spaced, form, replacement, FALSE);
  wipe (form);
}

/* As it stands between the quotes of JSON. */
static char *
dup_json (const char *value)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_string (&writer, value, -1);
  g_string_truncate (text, text->len - 1);
  g_string_erase (text, 0, 1);
  return g_string_free (text, FALSE);
}

/* As programs write it that keep to ASCII. */
static char *
dup_ascii_json (const char *json)
{
  GString *text = g_string_new (NULL);

  for (const char *p = json; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c >= 0x10000)
        g_string_append_printf (text, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
      else if (c >= 0x80)
        g_string_append_printf (text, "\\u%04x", c);
      else
        g_string_append_c (text, *p);
    }
  return g_string_free (text, FALSE);
}

static char *
dup_replaced (const char *text, const char *from, const char *to)
{
  GString *made = g_string_new (text);

  g_string_replace (made, from, to, 0);
  return g_string_free (made, FALSE);
}

static void
add_json (BeckonMask *mask, const char *value, const char *replacement)
{
  char *json = dup_json (value);

  add_plain (mask, dup_ascii_json (json), replacement);
  add_plain (mask, dup_replaced (json, "/", "\\/"), replacement);
  add_plain (mask, json, replacement);
}

/* @kept: (nullable): what is not encoded beside letters and digits; %NULL: nothing. */
static char *
dup_uri (const char *value, const char *kept, gboolean is_upper)
{
  GString *text = g_string_new (NULL);

  for (const char *p = value; *p != '\0'; p++)
    {
      if (kept != NULL && (g_ascii_isalnum (*p) || strchr (kept, *p) != NULL))
        g_string_append_c (text, *p);
      else
        g_string_append_printf (text, is_upper ? "%%%02X" : "%%%02x", (guchar) *p);
    }
  return g_string_free (text, FALSE);
}

/* Programs keep different characters: by RFC 3986, that without the tilde, a path, what browsers do to a part, to a whole
 * address and to a form; nothing. */
static void
add_uri (BeckonMask *mask, const char *value, const char *replacement)
{
  static const char *const kept[] = { "-._~", "-._", "-._~/", "-._~!'()*", "-._~!'()*;,/?:@&=+$#", "*-._ ", NULL };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (kept); i++)
    {
      char *form = dup_uri (value, kept[i / 2], i % 2 == 0);

      if (kept[i / 2] != NULL && strchr (kept[i / 2], ' ') != NULL)
        g_strdelimit (form, " ", '+');
      add_plain (mask, form, replacement);
    }
}

static void
add_hex (BeckonMask *mask, const char *value, const char *replacement)
{
  for (guint upper = 0; upper < 2; upper++)
    {
      GString *text = g_string_new (NULL);

      for (const char *p = value; *p != '\0'; p++)
        g_string_append_printf (text, upper ? "%02X" : "%02x", (guchar) *p);
      add_spaced (mask, g_string_free (text, FALSE), SHORTEST_HEX, replacement);
    }
}

/* The digits that the value alone makes when @before other bytes stand before it: of those at its ends the neighbours have a
 * part. */
static char *
dup_base64_core (const char *value, guint before)
{
  gsize length = strlen (value);
  g_autofree guchar *bytes = g_malloc0 (before + length + 3);
  gsize from = (8 * before + 5) / 6;
  gsize to = 8 * (before + length) / 6;
  char *all;
  char *core;

  memcpy (bytes + before, value, length);
  all = g_base64_encode (bytes, before + length);
  core = to > from ? g_strndup (all + from, to - from) : g_strdup ("");
  explicit_bzero (bytes, before + length);
  wipe (all);
  return core;
}

/* Takes @form. */
static void
add_base64_form (BeckonMask *mask, char *form, gsize shortest, const char *replacement)
{
  add_spaced (mask, g_strdelimit (g_strdelimit (g_strdup (form), "+", '-'), "/", '_'), shortest, replacement);
  add_spaced (mask, form, shortest, replacement);
}

static void
add_base64 (BeckonMask *mask, const char *value, const char *replacement)
{
  char *whole = g_base64_encode ((const guchar *) value, strlen (value));

  for (guint before = 0; before < 3; before++)
    add_base64_form (mask, dup_base64_core (value, before), SHORTEST_BASE64, replacement);
  add_base64_form (mask, g_strdelimit (g_strdup (whole), "=", '\0'), SHORTEST_BASE64, replacement);
  add_base64_form (mask, whole, SHORTEST_HEX, replacement);
}

static void
add_forms (BeckonMask *mask, const char *value, const char *replacement)
{
  gsize length = strlen (value);

  add_plain (mask, g_strdup (value), replacement);
  add_json (mask, value, replacement);
  if (length < BECKON_MASK_SHORTEST || length > LONGEST_ENCODED)
    return;
  if (g_utf8_validate (value, -1, NULL))
    add_plain (mask, g_utf8_strreverse (value, -1), replacement);
  add_uri (mask, value, replacement);
  add_hex (mask, value, replacement);
  add_base64 (mask, value, replacement);
}

/* A tool may show any one of its lines. What stands around a key is in every key. */
static void
add_lines (BeckonMask *mask, const char *value, const char *replacement)
{
  g_auto (GStrv) lines = strpbrk (value, "\r\n") != NULL ? g_strsplit_set (value, "\r\n", -1) : NULL;

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      g_strstrip (lines[i]);
      if (strlen (lines[i]) >= SHORTEST_LINE && !g_str_has_prefix (lines[i], "-----"))
        add_forms (mask, lines[i], replacement);
      explicit_bzero (lines[i], strlen (lines[i]));
    }
}

static void
mask_remember (BeckonMask *mask, const char *value, const char *replacement, gboolean is_word)
{
  BeckonMaskValue made = { g_strdup (value), g_strdup (replacement), is_word };

  g_array_append_val (mask->values, made);
}

void
beckon_mask_add (BeckonMask *mask, const char *value, const char *replacement)
{
  char *stripped;

  g_return_if_fail (mask != NULL && !mask->is_closed);
  g_return_if_fail (value != NULL && *value != '\0');
  g_return_if_fail (replacement != NULL);

  if (strlen (value) < BECKON_MASK_SHORTEST)
    return;
  mask_remember (mask, value, replacement, FALSE);
  add_forms (mask, value, replacement);
  stripped = g_strstrip (g_strdup (value));
  if (strlen (stripped) >= BECKON_MASK_SHORTEST && strlen (stripped) < strlen (value))
    add_forms (mask, stripped, replacement);
  wipe (stripped);
  add_lines (mask, value, replacement);
}

void
beckon_mask_add_word (BeckonMask *mask, const char *value, const char *replacement)
{
  g_return_if_fail (mask != NULL && !mask->is_closed);
  g_return_if_fail (value != NULL && *value != '\0');
  g_return_if_fail (replacement != NULL);

  mask_remember (mask, value, replacement, TRUE);
  add_forms (mask, value, replacement);
}

void
beckon_mask_add_all (BeckonMask *mask, BeckonMask *other)
{
  g_return_if_fail (mask != NULL && !mask->is_closed);
  g_return_if_fail (other != NULL && other != mask);

  for (guint i = 0; i < other->values->len; i++)
    {
      const BeckonMaskValue *value = &g_array_index (other->values, BeckonMaskValue, i);

      if (value->is_word)
        beckon_mask_add_word (mask, value->value, value->replacement);
      else
        beckon_mask_add (mask, value->value, value->replacement);
    }
}

/* --- Whole texts -------------------------------------------------------------------------------------------------- */

static void
append_masked (BeckonMask *mask, const char *text, gsize length, GString *out)
{
  g_autoptr (BeckonMaskStream) stream = beckon_mask_stream_new (mask);

  beckon_mask_stream_feed (stream, text, length, out);
  beckon_mask_stream_finish (stream, out);
}

char *
beckon_mask_apply (BeckonMask *mask, const char *text)
{
  GString *out;

  g_return_val_if_fail (mask != NULL && text != NULL, NULL);

  out = g_string_sized_new (strlen (text) + 1);
  append_masked (mask, text, strlen (text), out);
  return g_string_free (out, FALSE);
}

GString *
beckon_mask_apply_window (BeckonMask *mask, const char *bytes, gsize length, gsize from, gsize to)
{
  g_autoptr (BeckonMaskStream) stream = NULL;
  GString *out;

  g_return_val_if_fail (mask != NULL, NULL);
  g_return_val_if_fail (from <= to && to <= length, NULL);

  out = g_string_sized_new (to - from + 1);
  stream = beckon_mask_stream_new (mask);
  beckon_mask_stream_set_window (stream, from, to);
  beckon_mask_stream_feed (stream, bytes, length, out);
  beckon_mask_stream_finish (stream, out);
  return out;
}

/* Twice the longest form: one that is broken into lines has what breaks it in it. */
gsize
beckon_mask_get_reach (BeckonMask *mask)
{
  g_return_val_if_fail (mask != NULL, 0);

  return 2 * MAX (beckon_mask_set_get_longest (mask->plain), beckon_mask_set_get_longest (mask->spaced));
}

gboolean
beckon_mask_finds (BeckonMask *mask, const char *bytes, gsize length)
{
  g_autoptr (GString) out = NULL;
  gboolean found;

  g_return_val_if_fail (mask != NULL, FALSE);

  out = g_string_sized_new (length + 1);
  append_masked (mask, bytes, length, out);
  found = out->len != length || (length > 0 && memcmp (out->str, bytes, length) != 0);
  explicit_bzero (out->str, out->len);
  return found;
}

/* Bytes of the string behind its opening quote, without the other one. */
static gsize
measure_string (const char *text)
{
  gsize length = 0;

  while (text[length] != '\0' && text[length] != '"')
    length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
  return length;
}

static void
append_bare (BeckonMask *mask, const char *text, gsize length, GString *out)
{
  g_autoptr (GString) masked = g_string_new (NULL);

  append_masked (mask, text, length, masked);
  if (masked->len == length && memcmp (masked->str, text, length) == 0)
    g_string_append_len (out, text, (gssize) length);
  else
    g_string_append_printf (out, "\"%s\"", masked->str);
}

char *
beckon_mask_apply_json (BeckonMask *mask, const char *text)
{
  static const char structure[] = "{}[],: \t\r\n";
  GString *out;

  g_return_val_if_fail (mask != NULL && text != NULL, NULL);

  if (!beckon_json_check (text, -1, NULL))
    return beckon_mask_apply (mask, text);
  out = g_string_sized_new (strlen (text) + 1);
  while (*text != '\0')
    {
      gsize length = strspn (text, structure);

      g_string_append_len (out, text, (gssize) length);
      text += length;
      if (*text == '"')
        {
          length = measure_string (++text);
          g_string_append_c (out, '"');
          append_masked (mask, text, length, out);
          g_string_append_c (out, '"');
          text += length + 1;
          continue;
        }
      length = strcspn (text, structure);
      if (length > 0)
        append_bare (mask, text, length, out);
      text += length;
    }
  return g_string_free (out, FALSE);
}
