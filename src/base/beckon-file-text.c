/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-file-text.h"

#include "beckon-line-diff.h"
#include "beckon-text.h"

#include <string.h>

/* A stray byte's character in the text; nobody assigns these. */
#define STRAY ((gunichar) 0x10ff00)

#define BYTE_ORDER_MARK ((gunichar) 0xfeff)

static const struct
{
  const char *bytes;
  const char *encoding;
} marks[] = { { "\357\273\277", "UTF-8" }, { "\377\376", "UTF-16LE" }, { "\376\377", "UTF-16BE" } };

/* --- Decoding ----------------------------------------------------------------------------------------------------- */

/* NUL ends a text, and more than one control character in a hundred bytes is something else than text. */
static gboolean
file_text_is_plain (const char *data, gsize length)
{
  gsize n_controls = 0;

  for (gsize i = 0; i < length; i++)
    {
      guchar c = (guchar) data[i];

      if (c == '\0')
        return FALSE;
      n_controls += (c < 0x20 && strchr ("\t\n\r\f\033", c) == NULL) || c == 0x7f;
    }
  return n_controls * 100 <= length;
}

/* (nullable): only where the text gives the same bytes again. */
static char *
file_text_convert (const char *data, gsize length, const char *encoding)
{
  gsize n_text, n_back;
  g_autofree char *text = g_convert (data, (gssize) length, "UTF-8", encoding, NULL, &n_text, NULL);
  g_autofree char *back = text != NULL ? g_convert (text, (gssize) n_text, encoding, "UTF-8", NULL, &n_back, NULL) : NULL;

  if (back == NULL || n_back != length || memcmp (back, data, length) != 0 || !g_utf8_validate_len (text, n_text, NULL))
    return NULL;
  return g_steal_pointer (&text);
}

static gboolean
is_assigned (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);

      if (!g_unichar_isdefined (c) || g_unichar_type (c) == G_UNICODE_PRIVATE_USE)
        return FALSE;
    }
  return TRUE;
}

/* Without a mark, the zeros of ASCII characters tell the order of the bytes: they are all on one side. */
static char *
read_unmarked_utf16 (const char *data, gsize length, const char **encoding)
{
  gsize n_zeros[2] = { 0, 0 };
  g_autofree char *text = NULL;

  for (gsize i = 0; i < length; i++)
    n_zeros[i % 2] += data[i] == '\0';
  if (length % 2 != 0 || (n_zeros[0] == 0) == (n_zeros[1] == 0))
    return NULL;
  *encoding = n_zeros[0] > 0 ? "UTF-16BE" : "UTF-16LE";
  text = file_text_convert (data, length, *encoding);
  if (text == NULL || !file_text_is_plain (text, strlen (text)) || !is_assigned (text))
    return NULL;
  return MAX (n_zeros[0], n_zeros[1]) * 4 >= length || strchr (text, '\n') != NULL ? g_steal_pointer (&text) : NULL;
}

/* UTF-8 as long as most of what is beyond ASCII is. */
static char *
read_strays (const char *data, gsize length)
{
  g_autoptr (GString) text = g_string_sized_new (length);
  gsize n_good = 0, n_stray = 0;

  for (gsize i = 0, n; i < length; i += MAX (n, 1))
    {
      n = beckon_text_utf8_length (data + i, length - i);
      n_good += n > 1 ? n : 0;
      n_stray += n == 0;
      if (n > 0)
        g_string_append_len (text, data + i, (gssize) n);
      else
        g_string_append_unichar (text, STRAY + (guchar) data[i]);
    }
  return n_good >= n_stray ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Most characters of a Chinese text are among the frequent ones and the punctuation of GB 2312; accented letters never are. */
static gboolean
looks_chinese (const char *data, gsize length)
{
  gsize n_pairs = 0, n_frequent = 0;

  for (gsize i = 0; i + 1 < length; i++)
    {
      guchar lead = (guchar) data[i];

      if (lead < 0x81)
        continue;
      n_pairs++;
      n_frequent += (guchar) data[++i] >= 0xa1 && ((lead >= 0xa1 && lead <= 0xa9) || (lead >= 0xb0 && lead <= 0xd7));
    }
  return n_frequent * 2 > n_pairs;
}

/* (nullable): the text as it is in the file but for the encoding and the mark. */
static char *
file_text_decode (BeckonFileText *file, const char *data, gsize length)
{
  static const char *const one_byte[] = { "WINDOWS-1252", "ISO-8859-1" };
  gboolean has_c1 = FALSE;
  char *text = NULL;

  file->encoding = "UTF-8";
  for (guint i = 0; i < G_N_ELEMENTS (marks) && !file->has_mark; i++)
    if (length >= strlen (marks[i].bytes) && memcmp (data, marks[i].bytes, strlen (marks[i].bytes)) == 0)
      {
        file->has_mark = TRUE;
        file->encoding = marks[i].encoding;
        data += strlen (marks[i].bytes);
        length -= strlen (marks[i].bytes);
      }
  if (file->has_mark && !g_str_equal (file->encoding, "UTF-8"))
    {
      text = file_text_convert (data, length, file->encoding);
      if (text != NULL)
        return text;
      data -= 2;
      length += 2;
      file->has_mark = FALSE;
      file->encoding = "UTF-8";
    }
  if (g_utf8_validate_len (data, length, NULL))
    return g_strndup (data, length);
  if (memchr (data, '\0', length) != NULL)
    return file->has_mark ? NULL : read_unmarked_utf16 (data, length, &file->encoding);
  if (!file_text_is_plain (data, length))
    return NULL;
  text = read_strays (data, length);
  file->has_strays = text != NULL;
  if (text != NULL || file->has_mark)
    return text;
  if (looks_chinese (data, length) && (text = file_text_convert (data, length, "GB18030")) != NULL && is_assigned (text))
    {
      file->encoding = "GB18030";
      return text;
    }
  g_free (text);
  for (gsize i = 0; i < length; i++)
    has_c1 |= (guchar) data[i] >= 0x80 && (guchar) data[i] < 0xa0;
  text = NULL;
  for (guint i = has_c1 ? 0 : 1; i < G_N_ELEMENTS (one_byte) && text == NULL; i++)
    {
      file->encoding = one_byte[i];
      text = file_text_convert (data, length, one_byte[i]);
    }
  return text;
}

static BeckonLineEnds
find_ends (const char *text)
{
  gboolean has_lf = FALSE, has_crlf = FALSE, has_cr = FALSE;

  for (const char *at = text; (at = strpbrk (at, "\r\n")) != NULL; at++)
    {
      if (*at == '\n')
        has_lf |= at == text || at[-1] != '\r';
      else if (at[1] == '\n')
        has_crlf = TRUE;
      else
        has_cr = TRUE;
    }
  if (has_crlf)
    return has_lf ? BECKON_LINE_ENDS_MIXED : BECKON_LINE_ENDS_CRLF;
  return has_cr && !has_lf ? BECKON_LINE_ENDS_CR : BECKON_LINE_ENDS_LF;
}

/* In place. */
static void
join_ends (char *text)
{
  char *to = text;

  for (const char *from = text; *from != '\0'; from++)
    if (from[0] != '\r' || from[1] != '\n')
      *to++ = *from;
  *to = '\0';
}

BeckonFileText *
beckon_file_text_new (GBytes *bytes)
{
  g_autoptr (BeckonFileText) file = NULL;
  gsize length;
  const char *data;

  g_return_val_if_fail (bytes != NULL, NULL);

  data = g_bytes_get_data (bytes, &length);
  file = g_new0 (BeckonFileText, 1);
  file->text = file_text_decode (file, length > 0 ? data : "", length);
  if (file->text == NULL)
    return NULL;
  file->ends = find_ends (file->text);
  if (file->ends == BECKON_LINE_ENDS_MIXED)
    file->mixed = g_strdup (file->text);
  if (file->ends == BECKON_LINE_ENDS_CR)
    g_strdelimit (file->text, "\r", '\n');
  else if (file->ends != BECKON_LINE_ENDS_LF)
    join_ends (file->text);
  file->length = strlen (file->text);
  file->has_hidden = beckon_file_text_hides (file->text);
  return g_steal_pointer (&file);
}

void
beckon_file_text_free (BeckonFileText *file)
{
  if (file == NULL)
    return;

  g_free (file->text);
  g_free (file->mixed);
  g_free (file);
}

/* --- Encoding ----------------------------------------------------------------------------------------------------- */

static gboolean
ends_with_crlf (const char *line)
{
  const char *end = strchr (line, '\n');

  return end != NULL && end > line && end[-1] == '\r';
}

/* The lines of a file that mixes line ends, as pointers into it. */
static GPtrArray *
split_lines (const char *text)
{
  GPtrArray *lines = g_ptr_array_new ();

  for (const char *end; text != NULL && *text != '\0'; text = end != NULL ? end + 1 : NULL)
    {
      g_ptr_array_add (lines, (gpointer) text);
      end = strchr (text, '\n');
    }
  return lines;
}

/* An added line takes the end of the removed one in whose place it is, or of the one above. */
static char *
mix_ends (const BeckonFileText *file, const char *text)
{
  g_autoptr (GPtrArray) lines = split_lines (file->mixed);
  g_autoptr (BeckonLineDiff) diff = beckon_line_diff_new (file->text, text);
  GString *mixed = g_string_new (NULL);
  guint removed = 0, n_removed = 0; /* the first of a run of removed lines that no added one has replaced yet */

  for (guint i = 0; i < beckon_line_diff_get_n_lines (diff); i++)
    {
      const BeckonLineDiffLine *line = beckon_line_diff_get_line (diff, i);
      guint number = line->before > 0 ? line->before - 1 : 0;

      if (line->kind == BECKON_LINE_DIFF_REMOVED)
        {
          removed = n_removed++ == 0 ? number : removed;
          continue;
        }
      if (line->kind == BECKON_LINE_DIFF_ADDED && n_removed > 0)
        {
          number = removed++;
          n_removed--;
        }
      else if (line->kind == BECKON_LINE_DIFF_ADDED && number > 0)
        number--;
      else if (line->kind == BECKON_LINE_DIFF_SAME)
        n_removed = 0;
      g_string_append_len (mixed, line->text, (gssize) line->length);
      if (line->text[line->length] != '\n')
        continue;
      /* The last line may have had none. */
      while (number > 0 && strchr (g_ptr_array_index (lines, number), '\n') == NULL)
        number--;
      g_string_append (mixed, ends_with_crlf (g_ptr_array_index (lines, number)) ? "\r\n" : "\n");
    }
  return g_string_free (mixed, FALSE);
}

static char *
restore_ends (const BeckonFileText *file, const char *text)
{
  GString *restored;

  if (file->ends == BECKON_LINE_ENDS_LF)
    return g_strdup (text);
  if (file->ends == BECKON_LINE_ENDS_MIXED)
    return mix_ends (file, text);
  if (file->ends == BECKON_LINE_ENDS_CR)
    return g_strdelimit (g_strdup (text), "\n", '\r');
  restored = g_string_new (text);
  g_string_replace (restored, "\n", "\r\n", 0);
  return g_string_free (restored, FALSE);
}

/* A byte that is no character was shown as one that the text has not: U+FFFD in its place would be written over it. */
static gboolean
is_lost (const BeckonFileText *file, gunichar c)
{
  return c == BECKON_TEXT_REPLACEMENT && g_utf8_strchr (file->text, -1, c) == NULL;
}

static GByteArray *
encode_utf8 (const BeckonFileText *file, const char *text, gunichar *missing)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!file->has_strays)
    {
      g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
      return g_steal_pointer (&bytes);
    }
  for (const char *next; *text != '\0'; text = next)
    {
      gunichar c = g_utf8_get_char (text);
      guint8 stray = (guint8) (c & 0xff);

      next = g_utf8_next_char (text);
      if (is_lost (file, c))
        {
          *missing = c;
          return NULL;
        }
      if (c >= (STRAY | 0x80) && c <= (STRAY | 0xff))
        g_byte_array_append (bytes, &stray, 1);
      else
        g_byte_array_append (bytes, (const guint8 *) text, (guint) (next - text));
    }
  return g_steal_pointer (&bytes);
}

static GByteArray *
encode_other (const BeckonFileText *file, const char *text, gunichar *missing)
{
  gsize n_read = 0, n_written = 0;
  char *converted = g_convert (text, -1, file->encoding, "UTF-8", &n_read, &n_written, NULL);

  if (converted != NULL)
    return g_byte_array_new_take ((guint8 *) converted, n_written);
  *missing = g_utf8_get_char_validated (text + n_read, -1);
  if (*missing >= (gunichar) -2)
    *missing = BECKON_TEXT_REPLACEMENT;
  return NULL;
}

GBytes *
beckon_file_text_encode (const BeckonFileText *file, const char *text, gunichar *missing)
{
  g_autofree char *ended = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  const char *mark = "";

  g_return_val_if_fail (text != NULL && missing != NULL, NULL);

  if (file == NULL)
    return g_bytes_new (text, strlen (text));
  for (guint i = 0; i < G_N_ELEMENTS (marks) && file->has_mark; i++)
    if (g_str_equal (file->encoding, marks[i].encoding))
      mark = marks[i].bytes;
  ended = restore_ends (file, text);
  bytes = g_str_equal (file->encoding, "UTF-8") ? encode_utf8 (file, ended, missing) : encode_other (file, ended, missing);
  if (bytes == NULL)
    return NULL;
  g_byte_array_prepend (bytes, (const guint8 *) mark, (guint) strlen (mark));
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/* --- What can't be seen ------------------------------------------------------------------------------------------- */

/* Characters that beckon_text_mark_hidden() leaves. */
static gboolean
is_control (gunichar c)
{
  return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0) || c == BYTE_ORDER_MARK;
}

/* The character that <U+200B> or <0xE9> stands for, and the bytes of that; 0 for other text. */
static gsize
parse_form (const char *text, gunichar *c)
{
  gboolean is_byte = g_str_has_prefix (text, "<0x");
  gsize n;

  if (!is_byte && !g_str_has_prefix (text, "<U+"))
    return 0;
  n = strspn (text + 3, "0123456789ABCDEF");
  if (text[3 + n] != '>' || (is_byte ? n != 2 : n < 4 || n > 6))
    return 0;
  *c = (gunichar) g_ascii_strtoull (text + 3, NULL, 16);
  if (is_byte)
    *c |= STRAY;
  return (is_byte ? *c >= (STRAY | 0x80) : *c > 0 && g_unichar_validate (*c)) ? n + 4 : 0;
}

/* Controls and the letters of such forms, which beckon_text_mark_hidden() leaves. */
static char *
write_out_rest (const char *text, gsize length)
{
  GString *out = g_string_sized_new (length);
  gunichar c;

  for (const char *at = text, *next; at < text + length; at = next)
    {
      next = g_utf8_next_char (at);
      c = g_utf8_get_char (at);
      if (is_control (c) || (c == '<' && parse_form (at, &(gunichar){ 0 }) > 0))
        g_string_append_printf (out, "<U+%04X>", c);
      else
        g_string_append_len (out, at, next - at);
    }
  return g_string_free (out, FALSE);
}

gboolean
beckon_file_text_hides (const char *text)
{
  g_autofree char *marked = beckon_text_mark_hidden (text, -1);

  if (strlen (marked) != strlen (text))
    return TRUE;
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (is_control (g_utf8_get_char (text)))
      return TRUE;
  return FALSE;
}

char *
beckon_file_text_write_out (const char *text, gssize length)
{
  g_autofree char *terminated = length < 0 ? g_strdup (text) : g_strndup (text, (gsize) length);
  g_autofree char *rest = write_out_rest (terminated, strlen (terminated));

  return beckon_text_mark_hidden (rest, -1);
}

char *
beckon_file_text_show (const BeckonFileText *file, const char *text, gssize length)
{
  if (file->has_hidden)
    return beckon_file_text_write_out (text, length);
  return length < 0 ? g_strdup (text) : g_strndup (text, (gsize) length);
}

/* Whether a tool may have written @text so for a character, rather than for these letters. */
static gboolean
is_form (const char *text)
{
  char letters[] = { 'x', '\0', '\0', '\0', '\0', '\0', '\0', '\0' };
  gunichar c;

  if (parse_form (text, &c) == 0)
    return FALSE;
  g_unichar_to_utf8 (c, letters + 1);
  return beckon_file_text_hides (letters);
}

/* <U+003C>U+200B>, which stands for the letters. */
static gboolean
is_written_out_form (const char *text)
{
  static const char less_than[] = "<U+003C>";
  char form[12] = "<";

  if (!g_str_has_prefix (text, less_than))
    return FALSE;
  g_strlcpy (form + 1, text + strlen (less_than), sizeof form - 1);
  return is_form (form);
}

static gboolean
has_forms (const char *text)
{
  for (; (text = strchr (text, '<')) != NULL; text++)
    if (is_form (text) || is_written_out_form (text))
      return TRUE;
  return FALSE;
}

char *
beckon_file_text_take (const BeckonFileText *file, const char *shown, char **unclear)
{
  g_autofree char *joined = g_strdup (shown);
  gboolean has_hidden = file != NULL && file->has_hidden;
  g_autoptr (GString) text = NULL;
  const char *at = joined;

  g_return_val_if_fail (shown != NULL && unclear != NULL, NULL);

  *unclear = NULL;
  if (file != NULL && file->ends != BECKON_LINE_ENDS_LF)
    join_ends (joined);
  if (file != NULL && file->has_mark && g_utf8_get_char (at) == BYTE_ORDER_MARK)
    at = g_utf8_next_char (at);
  if (!has_hidden && (!has_forms (at) || (file != NULL && has_forms (file->text))))
    return g_strdup (at);
  text = g_string_new (NULL);
  while (*at != '\0')
    {
      gunichar c;
      gsize length = parse_form (at, &c);

      if (!has_hidden && is_form (at))
        {
          *unclear = g_strndup (at, length);
          return NULL;
        }
      if (length > 0 && (has_hidden || is_written_out_form (at)))
        g_string_append_unichar (text, c);
      else
        {
          length = strcspn (at + 1, "<") + 1;
          g_string_append_len (text, at, (gssize) length);
        }
      at += length;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_file_text_take_name (const char *shown)
{
  GString *name = g_string_new (NULL);

  while (*shown != '\0')
    {
      gunichar c;
      gsize length = g_str_has_prefix (shown, "<U+") ? parse_form (shown, &c) : 0;
      char letter[7] = "";

      if (length > 0)
        g_unichar_to_utf8 (c, letter);
      if (length > 0 && beckon_text_has_hidden (letter, -1))
        g_string_append (name, letter);
      else
        {
          length = strcspn (shown + 1, "<") + 1;
          g_string_append_len (name, shown, (gssize) length);
        }
      shown += length;
    }
  return g_string_free (name, FALSE);
}

char *
beckon_file_text_describe (const BeckonFileText *file, guint64 size)
{
  static const char *const ends[] = { NULL, "with CR LF", "with CR", "with CR LF or LF, mixed" };
  g_autoptr (GString) note = g_string_new (NULL);

  if (!g_str_equal (file->encoding, "UTF-8") || file->has_mark || file->has_strays)
    g_string_append_printf (note, "The file is %s%s, %" G_GUINT64_FORMAT " bytes. ", file->encoding,
                            file->has_mark ? " with a byte order mark" : "", size);
  if (file->ends != BECKON_LINE_ENDS_LF)
    g_string_append_printf (note, "Its lines end %s. ", ends[file->ends]);
  if (note->len > 0)
    g_string_append (note, "edit_file and write_file keep that. ");
  if (file->has_hidden)
    g_string_append_printf (note, "%s are shown as %s; write them so in edit_file and write_file. ",
                            file->has_strays ? "Bytes that are not UTF-8, and characters that cannot be seen," :
                            "Characters that cannot be seen",
                            file->has_strays ? "<0xE9> and <U+200B>" : "<U+200B>");
  if (note->len == 0)
    return NULL;
  return g_strdup_printf ("[%.*s]", (int) note->len - 1, note->str);
}
