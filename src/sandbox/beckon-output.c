/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-output.h"

#include "base/beckon-text.h"

#include <string.h>

#define ESCAPE '\x1b'
#define BELL '\x07'
#define TAIL_SHOWN 4096

/* The head is filled first. Then all goes to the tail, a buffer of twice what is kept, whose first half is dropped when
 * it is full: each byte is moved at most once. */
struct _BeckonOutput
{
  GObject parent_instance;

  GString *head;
  GString *tail;
  guint64 length;
};

G_DEFINE_FINAL_TYPE (BeckonOutput, beckon_output, G_TYPE_OBJECT)

static void
beckon_output_finalize (GObject *object)
{
  BeckonOutput *self = BECKON_OUTPUT (object);

  g_string_free (self->head, TRUE);
  g_string_free (self->tail, TRUE);

  G_OBJECT_CLASS (beckon_output_parent_class)->finalize (object);
}

static void
beckon_output_class_init (BeckonOutputClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_output_finalize;
}

static void
beckon_output_init (BeckonOutput *self)
{
  self->head = g_string_new (NULL);
  self->tail = g_string_new (NULL);
}

BeckonOutput *
beckon_output_new (void)
{
  return g_object_new (BECKON_TYPE_OUTPUT, NULL);
}

static void
append_tail (BeckonOutput *self, const char *bytes, gsize length)
{
  if (length > BECKON_OUTPUT_KEPT)
    {
      bytes += length - BECKON_OUTPUT_KEPT;
      length = BECKON_OUTPUT_KEPT;
    }
  if (self->tail->len + length > 2 * BECKON_OUTPUT_KEPT)
    g_string_erase (self->tail, 0, (gssize) (self->tail->len + length - BECKON_OUTPUT_KEPT));

  g_string_append_len (self->tail, bytes, (gssize) length);
}

void
beckon_output_append (BeckonOutput *output, const char *bytes, gsize length)
{
  gsize room;

  g_return_if_fail (BECKON_IS_OUTPUT (output));
  g_return_if_fail (bytes != NULL || length == 0);

  output->length += length;
  room = MIN (length, BECKON_OUTPUT_KEPT - output->head->len);
  g_string_append_len (output->head, bytes, (gssize) room);
  if (length > room)
    append_tail (output, bytes + room, length - room);
}

guint64
beckon_output_get_length (BeckonOutput *output)
{
  g_return_val_if_fail (BECKON_IS_OUTPUT (output), 0);

  return output->length;
}

/* The end that is kept, without what stands in the buffer before it. */
static gsize
tail_length (BeckonOutput *self)
{
  return MIN (self->tail->len, BECKON_OUTPUT_KEPT);
}

static const char *
tail_start (BeckonOutput *self)
{
  return self->tail->str + self->tail->len - tail_length (self);
}

guint64
beckon_output_get_left_out (BeckonOutput *output)
{
  g_return_val_if_fail (BECKON_IS_OUTPUT (output), 0);

  return output->length - output->head->len - tail_length (output);
}

/* Behind the escape sequence that begins at @at (ECMA-48, 5.4 and 5.6): a control sequence ends with its final byte, a
 * command string with BEL or ST, anything else has one byte. */
static gsize
skip_escape (const char *bytes, gsize length, gsize at)
{
  gsize end = at + 1;

  if (end >= length)
    return length;
  if (bytes[end] == '[')
    {
      for (end++; end < length && (bytes[end] < 0x40 || bytes[end] > 0x7e); end++)
        if (bytes[end] == ESCAPE || bytes[end] == '\n')
          return end;
      return MIN (end + 1, length);
    }
  if (strchr ("]P_^X", bytes[end]) == NULL || bytes[end] == '\0')
    return end + 1;

  for (; end < length && bytes[end] != BELL; end++)
    if (bytes[end] == ESCAPE && end + 1 < length && bytes[end + 1] == '\\')
      return end + 2;
  return MIN (end + 1, length);
}

/* A line that a carriage return begins anew is the last of its versions, as a terminal shows it. */
static void
append_plain (GString *text, const char *bytes, gsize length)
{
  g_autoptr (GString) plain = g_string_sized_new (length);
  g_autofree char *shown = NULL;
  gsize line = 0;

  for (gsize i = 0; i < length;)
    {
      if (bytes[i] == ESCAPE)
        {
          i = skip_escape (bytes, length, i);
          continue;
        }
      if (bytes[i] == '\r')
        {
          if (i + 1 < length && bytes[i + 1] != '\n' && bytes[i + 1] != '\r')
            g_string_truncate (plain, line);
          i++;
          continue;
        }
      g_string_append_c (plain, bytes[i]);
      if (bytes[i++] == '\n')
        line = plain->len;
    }

  shown = beckon_text_for_display (plain->str, (gssize) plain->len, BECKON_TEXT_PROSE);
  g_string_append (text, shown);
}

/* A cut leaves no half of a character: at most three bytes are given up. */
static gsize
skip_broken_start (const char *bytes, gsize length)
{
  gsize n = 0;

  while (n < 3 && n < length && ((guchar) bytes[n] & 0xc0) == 0x80)
    n++;

  return n;
}

static gsize
without_broken_end (const char *bytes, gsize length)
{
  for (gsize n = 1; n <= 3 && n <= length; n++)
    {
      guchar byte = (guchar) bytes[length - n];

      if (byte < 0x80)
        break;
      if (byte >= 0xc0)
        return beckon_text_utf8_length (bytes + length - n, n) == 0 ? length - n : length;
    }

  return length;
}

char *
beckon_output_get_text (BeckonOutput *output)
{
  GString *text;
  guint64 left_out;
  gsize skipped;

  g_return_val_if_fail (BECKON_IS_OUTPUT (output), NULL);

  text = g_string_new (NULL);
  left_out = beckon_output_get_left_out (output);
  if (left_out == 0)
    {
      g_autoptr (GString) whole = g_string_new_len (output->head->str, (gssize) output->head->len);

      g_string_append_len (whole, tail_start (output), (gssize) tail_length (output));
      append_plain (text, whole->str, whole->len);
      return g_string_free (text, FALSE);
    }

  append_plain (text, output->head->str, without_broken_end (output->head->str, output->head->len));
  g_string_append_printf (text, "\n[%" G_GUINT64_FORMAT " bytes are left out here]\n", left_out);
  skipped = skip_broken_start (tail_start (output), tail_length (output));
  append_plain (text, tail_start (output) + skipped, tail_length (output) - skipped);
  return g_string_free (text, FALSE);
}

char *
beckon_output_get_tail (BeckonOutput *output, guint n_lines)
{
  GString *source;
  GString *text;
  gsize start;
  guint n_found = 0;

  g_return_val_if_fail (BECKON_IS_OUTPUT (output), NULL);
  g_return_val_if_fail (n_lines > 0, NULL);

  source = output->tail->len > 0 ? output->tail : output->head;
  start = source->len;
  while (start > 0 && source->len - start < TAIL_SHOWN)
    {
      if (source->str[start - 1] == '\n' && start < source->len && ++n_found == n_lines)
        break;
      start--;
    }
  start += start > 0 ? skip_broken_start (source->str + start, source->len - start) : 0;
  text = g_string_new (NULL);
  append_plain (text, source->str + start, source->len - start);
  return g_string_free (text, FALSE);
}

char *
beckon_output_dup_plain (const char *bytes, gsize length)
{
  GString *text = g_string_new (NULL);

  append_plain (text, bytes, length);
  return g_string_free (text, FALSE);
}

GBytes *
beckon_output_dup_all (BeckonOutput *output)
{
  g_autoptr (GString) all = NULL;

  all = g_string_new_len (output->head->str, (gssize) output->head->len);
  g_string_append_len (all, tail_start (output), (gssize) tail_length (output));
  return g_string_free_to_bytes (g_steal_pointer (&all));
}
