/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Lets the keys of a message that has the focus work in @transcript; @rows: in it, its messages. */
void beckon_transcript_add_keys (GtkWidget *transcript, GtkWidget *rows);

/**
 * beckon_transcript_move_focus:
 * @scroller: what scrolls them
 * @rows: the rows
 * @state_line: what is below them
 * @last_row: (nullable): the row that had the focus last
 * @direction: where to
 *
 * Moves the focus with Tab: into one row that is on screen, through what it holds, and on out of the rows; from row to row the
 * arrows go. %FALSE
 * when there is nothing left in that direction.
 */
gboolean beckon_transcript_move_focus (GtkScrolledWindow *scroller, GtkWidget *rows, GtkWidget *state_line,
                                       GtkWidget *last_row, GtkDirectionType direction);

G_END_DECLS
