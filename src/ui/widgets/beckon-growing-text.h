/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * BeckonGrowingText:
 *
 * Keeps a text buffer equal to a text that mostly grows, by changing only its end. All zero at the start.
 */
typedef struct
{
  gsize bytes; /* of the text that the buffer shows */
} BeckonGrowingText;

/**
 * beckon_growing_text_update:
 * @self: what was shown
 * @buffer: always the same one, which nobody else changes
 * @text: what to show
 * @length: its bytes
 * @same: how many bytes of it, from the beginning, are certainly what they were at the last call
 *
 * Returns: how many bytes stayed
 */
gsize beckon_growing_text_update (BeckonGrowingText *self, GtkTextBuffer *buffer, const char *text, gsize length,
                                  gsize same);

/** How many bytes @a and @b have in common at their beginning, whole characters only. */
gsize beckon_growing_text_compare (const GString *a, const GString *b);

G_END_DECLS
