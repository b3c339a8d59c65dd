/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Whether a code block of that language is a diff. @language: (nullable). */
gboolean beckon_diff_tags_is_diff (const char *language);

/** Whether a text is a unified diff, or begins to be one after a line or two. */
gboolean beckon_diff_tags_begins_diff (const char *text);

/**
 * beckon_diff_tags_apply:
 * @buffer: holds a unified diff, or the beginning of one
 * @has_names: lines that name the files may stand in it; hunks alone have none
 * @from: the first line that may have changed since the last call
 *
 * Lays a ground under the lines that come and go. Returns the line to go on from next time.
 */
int beckon_diff_tags_apply (GtkTextBuffer *buffer, gboolean has_names, int from);

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
