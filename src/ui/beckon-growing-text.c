/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-growing-text.h"

#include <string.h>

static void
insert_at_end (GtkTextBuffer *buffer, const char *text, gsize length)
{
  GtkTextIter end;

  if (length == 0)
    return;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, text, (int) length);
}

static void
drop_tail (BeckonGrowingText *self, GtkTextBuffer *buffer)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_offset (buffer, &start, self->tail_offset);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_delete (buffer, &start, &end);
  self->tail = 0;
}

void
beckon_growing_text_update (BeckonGrowingText *self, GtkTextBuffer *buffer, const GString *text, const char *tail,
                            gboolean reset)
{
  gsize tail_length = strlen (tail);

  g_return_if_fail (GTK_IS_TEXT_BUFFER (buffer));

  if (reset || text->len < self->text || tail_length < self->tail)
    {
      gtk_text_buffer_set_text (buffer, "", 0);
      memset (self, 0, sizeof *self);
    }
  if (text->len > self->text)
    {
      drop_tail (self, buffer);
      insert_at_end (buffer, text->str + self->text, text->len - self->text);
      self->text = text->len;
      self->tail_offset = gtk_text_buffer_get_char_count (buffer);
    }
  if (tail_length > self->tail)
    {
      if (self->tail == 0 && self->text > 0)
        insert_at_end (buffer, "\n", 1);
      insert_at_end (buffer, tail + self->tail, tail_length - self->tail);
      self->tail = tail_length;
    }
}
