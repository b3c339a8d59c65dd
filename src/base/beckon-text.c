/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-text.h"

#include <string.h>

#include "beckon-config.h"

static inline gboolean
continues (const char *text, gsize index)
{
  return ((guchar) text[index] & 0xc0) == 0x80;
}

static gboolean
continue_all (const char *text, gsize length)
{
  for (gsize i = 1; i < length; i++)
    {
      if (!continues (text, i))
        return FALSE;
    }
  return TRUE;
}

gsize
beckon_text_utf8_length (const char *text, gsize length)
{
  guchar first = (guchar) text[0];
  guchar second = length > 1 ? (guchar) text[1] : 0;
  gsize needed;

  if (first < 0x80)
    return 1;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  needed = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length < needed || !continue_all (text, needed))
    return 0;
  /* The first two bytes tell overlong forms, surrogates, and what lies behind the last character. */
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90)
      || (first == 0xf4 && second >= 0x90))
    return 0;
  return needed;
}

char *
beckon_text_make_valid (const char *text, gssize length, gsize *valid_length)
{
  gsize left = text == NULL ? 0 : length < 0 ? strlen (text) : (gsize) length;
  GString *valid = g_string_sized_new (left);

  while (left > 0)
    {
      gsize bytes = beckon_text_utf8_length (text, left);

      if (bytes == 0)
        g_string_append_unichar (valid, BECKON_TEXT_REPLACEMENT);
      else
        g_string_append_len (valid, text, (gssize) bytes);
      text += MAX (bytes, 1);
      left -= MAX (bytes, 1);
    }
  if (valid_length != NULL)
    *valid_length = valid->len;
  return g_string_free (valid, FALSE);
}

/* Characters without ink that the general categories do not tell. */
static gboolean
is_blank_letter (gunichar c)
{
  return c == 0x034f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 || (c >= 0x180b && c <= 0x180f)
         || c == 0x2800 || c == 0x3164 || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xffa0
         || (c >= 0xe0000 && c <= 0xe0fff);
}

static gboolean
is_hidden (gunichar c)
{
  const guint hidden_types = 1u << G_UNICODE_CONTROL | 1u << G_UNICODE_FORMAT | 1u << G_UNICODE_UNASSIGNED
                             | 1u << G_UNICODE_PRIVATE_USE | 1u << G_UNICODE_SURROGATE
                             | 1u << G_UNICODE_LINE_SEPARATOR | 1u << G_UNICODE_PARAGRAPH_SEPARATOR
                             | 1u << G_UNICODE_SPACE_SEPARATOR;

  if (c == ' ')
    return FALSE;
  return (hidden_types >> g_unichar_type (c) & 1) != 0 || is_blank_letter (c);
}

/* BeckonFileText keeps a byte that is no character as one of these. */
static gboolean
is_stray_byte (gunichar c)
{
  return c >= 0x10ff80 && c <= 0x10ffff;
}

static void
append_mark (GString *shown, gunichar c)
{
  if (is_stray_byte (c))
    g_string_append_printf (shown, "<0x%02X>", c & 0xff);
  else
    g_string_append_printf (shown, "<U+%04X>", c);
}

/* Letters that join or shape: joiners and variation selectors. */
static gboolean
is_joiner (gunichar c)
{
  return c == 0x200c || c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0x180b && c <= 0x180d)
         || (c >= 0xe0100 && c <= 0xe01ef);
}

static gboolean
is_direction_mark (gunichar c)
{
  return c == 0x200e || c == 0x200f || c == 0x061c;
}

static gboolean
is_tag (gunichar c)
{
  return c >= 0xe0000 && c <= 0xe007f;
}

/* Characters that no text of any language needs to be read. */
static gboolean
is_never_needed (gunichar c)
{
  return is_stray_byte (c) || c == 0x200b || (c >= 0x2060 && c <= 0x206f) || (c >= 0x202a && c <= 0x202e)
         || c == 0x2028 || c == 0x2029 || c == 0xfeff || c == 0x180e
         || c == 0x034f || c == 0x115f || c == 0x1160 || c == 0x3164 || c == 0xffa0
         || (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0080 && c <= 0xe00ff) || (c >= 0xe01f0 && c <= 0xe0fff);
}

/* The waving black flag, which tags make the flag of a region:
 * https://www.unicode.org/reports/tr51/#Sample_Valid_Emoji_Tag_Sequences */
#define FLAG ((gunichar) 0x1f3f4)
#define LONGEST_FLAG 7

typedef struct
{
  gunichar previous; /* 0 at the start, where what came before is not known */
  guint flag_length; /* tags behind a flag, and the flag; 0 elsewhere */
} Marker;

/* Whether @c, which steers how its neighbours look, does so, rather than standing where it has nothing to steer. */
static gboolean
steers (const Marker *marker, gunichar c)
{
  gunichar before = marker->previous;

  if (is_joiner (c))
    return before == 0 || ((before >= 0x80 || strchr ("0123456789#*", (int) before) != NULL) && !is_joiner (before))
           || (c == 0x200d && before == 0xfe0f);
  return !is_direction_mark (before);
}

static gboolean
is_marked (Marker *marker, gunichar c)
{
  gboolean is_byte_order_mark = c == 0xfeff && marker->previous == 0;
  gboolean is_loose_tag = is_tag (c) && (marker->flag_length == 0 || marker->flag_length > LONGEST_FLAG);
  gboolean marked = (is_never_needed (c) && !is_byte_order_mark) || is_loose_tag
                    || ((is_joiner (c) || is_direction_mark (c)) && !steers (marker, c));

  if (c == FLAG)
    marker->flag_length = 1;
  else
    marker->flag_length = is_tag (c) && marker->flag_length > 0 ? marker->flag_length + 1 : 0;
  marker->previous = c;
  return marked;
}

char *
beckon_text_mark_hidden (const char *text, gssize length)
{
  const char *end = text == NULL ? NULL : length < 0 ? text + strlen (text) : text + length;
  GString *marked = g_string_sized_new ((gsize) (end - text));
  Marker marker = { 0 };
  const char *from = text;

  for (const char *at = text; at < end; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (!is_marked (&marker, c))
        continue;
      g_string_append_len (marked, from, at - from);
      append_mark (marked, c);
      from = g_utf8_next_char (at);
    }
  g_string_append_len (marked, from, end - from);
  return g_string_free (marked, FALSE);
}

/* White space between values is all that a JSON text has of control characters, and that stays. */
char *
beckon_text_json_escape_hidden (const char *json)
{
  GString *escaped = g_string_sized_new (strlen (json));

  for (const char *at = json; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (c >= 0x7f && is_hidden (c))
        {
          if (c < 0x10000)
            g_string_append_printf (escaped, "\\u%04x", c);
          else
            g_string_append_printf (escaped, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
                                    0xdc00 + ((c - 0x10000) & 0x3ff));
        }
      else
        g_string_append_len (escaped, at, g_utf8_next_char (at) - at);
    }
  return g_string_free (escaped, FALSE);
}

char *
beckon_text_for_display (const char *text, gssize length, BeckonTextFlags flags)
{
  gsize left = text == NULL ? 0 : length < 0 ? strlen (text) : (gsize) length;
  GString *shown = g_string_sized_new (left);
  Marker marker = { 0 };

  while (left > 0)
    {
      gsize bytes = beckon_text_utf8_length (text, left);
      gunichar c = bytes == 0 ? BECKON_TEXT_REPLACEMENT : g_utf8_get_char (text);

      if (flags == BECKON_TEXT_EXACT)
        {
          if (is_hidden (c))
            append_mark (shown, c);
          else
            g_string_append_unichar (shown, c);
        }
      else if (flags == BECKON_TEXT_MARKED && is_marked (&marker, c))
        append_mark (shown, c);
      /* A line break as some systems write it is one line break. */
      else if (c != '\r' || left < 2 || text[1] != '\n')
        {
          if (c == '\n' || c == '\t')
            g_string_append_unichar (shown, c);
          else if (c < 0x20)
            g_string_append_unichar (shown, 0x2400 + c);
          else if (c == 0x7f)
            g_string_append_unichar (shown, 0x2421);
          else if (c >= 0x80 && c < 0xa0)
            g_string_append_unichar (shown, BECKON_TEXT_REPLACEMENT);
          else
            g_string_append_unichar (shown, c);
        }
      text += MAX (bytes, 1);
      left -= MAX (bytes, 1);
    }
  return g_string_free (shown, FALSE);
}

char *
beckon_text_json_for_display (const char *json)
{
  g_autofree char *spaced = g_strdelimit (g_strdup (json), "\t\r", ' ');
  g_auto (GStrv) lines = g_strsplit (spaced, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      g_autofree char *raw = *line;

      *line = beckon_text_for_display (raw, -1, BECKON_TEXT_EXACT);
    }
  return g_strjoinv ("\n", lines);
}

/* More blanks in a row than anybody indents by. */
#define MANY_BLANKS 24

/* Characters after which a line of a command goes on below. */
#define LONG_COMMAND_LINE 600

#define LONG_LINE 4000

static char *
count_blanks (const char *line)
{
  GString *counted = g_string_new (NULL);

  while (*line != '\0')
    {
      gsize blanks = strspn (line, " ");
      gsize letters = strcspn (line + blanks, " ");

      if (blanks >= MANY_BLANKS)
        g_string_append_printf (counted, "<%" G_GSIZE_FORMAT " spaces>", blanks);
      else
        g_string_append_len (counted, line, (gssize) blanks);
      g_string_append_len (counted, line + blanks, (gssize) letters);
      line += blanks + letters;
    }
  return g_string_free (counted, FALSE);
}

char *
beckon_text_command_for_display (const char *command)
{
  g_auto (GStrv) lines = g_strsplit (command != NULL ? command : "", "\n", -1);
  GString *shown = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *exact = beckon_text_for_display (lines[i], -1, BECKON_TEXT_EXACT);
      g_autofree char *counted = count_blanks (exact);
      const char *line;
      glong left;

      if (i > 0)
        g_string_append_c (shown, '\n');
      line = counted;
      left = g_utf8_strlen (line, -1);
      for (; left > LONG_COMMAND_LINE; left -= LONG_COMMAND_LINE)
        {
          const char *end = g_utf8_offset_to_pointer (line, LONG_COMMAND_LINE);

          g_string_append_len (shown, line, end - line);
          g_string_append (shown, "\n↳ ");
          line = end;
        }
      g_string_append (shown, line);
    }
  return g_string_free (shown, FALSE);
}

gboolean
beckon_text_has_long_line (const char *text)
{
  while (*text != '\0')
    {
      gsize length = strcspn (text, "\n");

      if (length > LONG_LINE)
        return TRUE;
      text += length + (text[length] == '\n');
    }
  return FALSE;
}

gboolean
beckon_text_has_hidden (const char *text, gssize length)
{
  gsize left = text == NULL ? 0 : length < 0 ? strlen (text) : (gsize) length;

  while (left > 0)
    {
      gsize bytes = beckon_text_utf8_length (text, left);

      if (bytes == 0 || is_hidden (g_utf8_get_char (text)))
        return TRUE;
      text += bytes;
      left -= bytes;
    }
  return FALSE;
}

char *
beckon_text_shorten (const char *text, guint n_chars)
{
  const char *at = text;

  g_return_val_if_fail (n_chars > 0, NULL);

  if (text == NULL)
    return g_strdup ("");
  for (guint i = 0; i < n_chars - 1 && *at != '\0'; i++)
    at = g_utf8_next_char (at);
  if (*at == '\0' || *g_utf8_next_char (at) == '\0')
    return g_strdup (text);
  return g_strdup_printf ("%.*s…", (int) (at - text), text);
}

char *
beckon_text_fill_in (const char *words, const char *detail)
{
  g_autofree char *shown = detail != NULL ? beckon_text_isolate (detail, words) : NULL;
  GString *text = g_string_new (words);

  if (shown != NULL)
    g_string_replace (text, "%s", shown, 1);
  return g_string_free (text, FALSE);
}

static gboolean
has_right_to_left (const char *text)
{
  for (; text != NULL && *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);

      /* Hebrew, Arabic, Syriac, Thaana, N'Ko and what follows them, with their presentation forms; and the mark. */
      if ((c >= 0x590 && c <= 0x8ff) || (c >= 0xfb1d && c <= 0xfefc) || (c >= 0x10800 && c <= 0x10fff)
          || (c >= 0x1e800 && c <= 0x1efff) || c == 0x200f)
        return TRUE;
    }
  return FALSE;
}

char *
beckon_text_isolate (const char *name, const char *words)
{
  g_return_val_if_fail (name != NULL, NULL);

  return has_right_to_left (words) || has_right_to_left (name) ? g_strconcat ("\342\201\250", name, "\342\201\251", NULL)
                                                               : g_strdup (name);
}

/* A colon or a dash would lead to what is no part of it, so they are no end either. */
static gboolean
ends_sentence (const char *text, gsize length)
{
  static const gunichar ends[] = { '.', '!', '?', 0x2026, 0x3002, 0xff01, 0xff1f };
  const char *last = g_utf8_find_prev_char (text, text + length);
  gunichar c = last != NULL ? g_utf8_get_char_validated (last, -1) : 0;

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (c == ends[i])
      return TRUE;
  return last == NULL;
}

/* No space stands beside a letter or a stop of Chinese and Japanese; one does beside a picture, which is as wide. */
static gboolean
stands_close (const char *letter)
{
  gunichar c = letter != NULL ? g_utf8_get_char_validated (letter, -1) : 0;

  return c < 0x1f000 && g_unichar_iswide (c);
}

char *
beckon_text_join_sentences (const char *first, const char *second)
{
  g_autofree char *trimmed = g_strchomp (g_strdup (first));
  gboolean is_wide = stands_close (second) || stands_close (g_utf8_find_prev_char (trimmed, trimmed + strlen (trimmed)));
  const char *stop = is_wide ? "。" : ".";

  if (ends_sentence (trimmed, strlen (trimmed)))
    stop = "";
  return g_strconcat (trimmed, stop, is_wide || *trimmed == '\0' ? "" : " ", second, NULL);
}

/* Longer texts are compared by their beginnings. */
#define MOST_COMPARED 400

static guint
hash_pair (const char *at)
{
  return ((guint) (guchar) at[0] * 31 + (guchar) at[1]) % G_N_ELEMENTS (((BeckonLikeness *) NULL)->counts);
}

void
beckon_likeness_init (BeckonLikeness *self, const char *text, gsize length)
{
  memset (self, 0, sizeof *self);
  for (gsize i = 0; i + 1 < MIN (length, MOST_COMPARED); i++)
    if (self->counts[hash_pair (text + i)] < G_MAXUINT8)
      {
        self->counts[hash_pair (text + i)]++;
        self->n++;
      }
}

guint
beckon_likeness_compare (const BeckonLikeness *self, const char *text, gsize length)
{
  BeckonLikeness left = *self;
  guint n_shared = 0, n = 0;

  for (gsize i = 0; i + 1 < MIN (length, MOST_COMPARED); i++, n++)
    if (left.counts[hash_pair (text + i)] > 0)
      {
        left.counts[hash_pair (text + i)]--;
        n_shared++;
      }
  return n + self->n > 0 ? 200 * n_shared / (n + self->n) : 0;
}

gboolean
beckon_likeness_is_same_word (const char *name, const char *other)
{
  for (;; name++, other++)
    {
      name += strspn (name, "_-");
      other += strspn (other, "_-");
      if (g_ascii_tolower (*name) != g_ascii_tolower (*other))
        return FALSE;
      if (*name == '\0')
        return TRUE;
    }
}
