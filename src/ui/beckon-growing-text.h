/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * BeckonGrowingText:
 *
 * Keeps a text buffer equal to a text that grows, by inserting only what is new. The text has two parts: @text only grows;
 * @tail, the line still coming, grows too until it ends, then it becomes part of @text, perhaps a little changed.
 */
typedef struct
{
  gsize text;      /* bytes of the text that the buffer shows */
  gsize tail;      /* bytes of the tail that it shows */
  int tail_offset; /* characters before the tail */
} BeckonGrowingText;

/** Brings @buffer up to date. @reset: it is another text; start anew. */
void beckon_growing_text_update (BeckonGrowingText *self, GtkTextBuffer *buffer, const GString *text, const char *tail,
                                 gboolean reset);

G_END_DECLS
