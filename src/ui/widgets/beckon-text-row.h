/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TEXT_ROW (beckon_text_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTextRow, beckon_text_row, BECKON, TEXT_ROW, AdwPreferencesRow)

/**
 * BeckonTextRow:
 *
 * A row with its title above a text of several lines. Properties: `title` (of the row), `subtitle` (translated, may be empty),
 * `monospace`, and `text`, which can be bound. The text is named by the title for screen readers.
 */

const char *beckon_text_row_get_text (BeckonTextRow *row);
void        beckon_text_row_set_text (BeckonTextRow *row, const char *text);

/** Borrowed: where it is written, which has the focus. */
GtkWidget *beckon_text_row_get_view (BeckonTextRow *self);

G_END_DECLS
