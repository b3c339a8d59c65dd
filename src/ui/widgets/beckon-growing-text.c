/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-growing-text.h"

gsize
beckon_growing_text_compare (const GString *a, const GString *b)
{
  gsize n = 0, most = MIN (a->len, b->len);

  while (n < most && a->str[n] == b->str[n])
    n++;
  while (n > 0 && ((guchar) b->str[n] & 0xc0) == 0x80)
    n--;
  return n;
}

static void
delete_from (GtkTextBuffer *buffer, const char *text, gsize same)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_offset (buffer, &start, (int) g_utf8_strlen (text, (gssize) same));
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_delete (buffer, &start, &end);
}

gsize
beckon_growing_text_update (BeckonGrowingText *self, GtkTextBuffer *buffer, const char *text, gsize length, gsize same)
{
  GtkTextIter end;

  same = MIN (MIN (same, length), self->bytes);
  if (same < self->bytes)
    delete_from (buffer, text, same);
  if (length > same)
    {
      gtk_text_buffer_get_end_iter (buffer, &end);
      gtk_text_buffer_insert (buffer, &end, text + same, (int) (length - same));
    }
  self->bytes = length;
  return same;
}
