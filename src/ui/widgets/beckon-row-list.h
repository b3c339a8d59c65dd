/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ROW_LIST (beckon_row_list_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRowList, beckon_row_list, BECKON, ROW_LIST, GtkBox)

/**
 * BeckonRowList:
 *
 * Widgets below each other, which come and go while one scrolls. Where one does, GTK looks at the style of everything in
 * its siblings anew; so the rows are in sections, of which there is always one more, and only those of a section are
 * siblings. What is done with them is done through these functions alone, and on the main thread.
 */

/** The space below each row, in pixels. */
#define BECKON_ROW_LIST_SPACE 12

/** Rows are borrowed; %NULL where there is none. */
GtkWidget *beckon_row_list_get_first (BeckonRowList *list);
GtkWidget *beckon_row_list_get_last (BeckonRowList *list);
GtkWidget *beckon_row_list_get_next (GtkWidget *row);
GtkWidget *beckon_row_list_get_previous (GtkWidget *row);

/** The row that holds @widget (nullable) or is it; %NULL if that is none of the list's. */
GtkWidget *beckon_row_list_find (BeckonRowList *list, GtkWidget *widget);

/** Takes @row, which is floating or borrowed, in behind @previous; with %NULL before all others. */
void beckon_row_list_insert (BeckonRowList *list, GtkWidget *row, GtkWidget *previous);

/**
 * beckon_row_list_make_room:
 * @list: a list
 * @at_start: before the first row, rather than behind the last one
 *
 * Sees to it that the next row there disturbs only few others. Where that takes something, it takes about as long as some
 * rows do: leave those for the next frame.
 *
 * Returns: %TRUE if it took something
 */
gboolean beckon_row_list_make_room (BeckonRowList *list, gboolean at_start);

void beckon_row_list_remove (BeckonRowList *list, GtkWidget *row);
void beckon_row_list_clear (BeckonRowList *list);

G_END_DECLS
