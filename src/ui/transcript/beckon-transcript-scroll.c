/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-scroll.h"

#include "beckon-message-row.h"

/* The least distance from an edge, in pixels, to be well on screen. */
#define EDGE 24
#define GAP 12

void
beckon_transcript_scroll_to (GtkScrolledWindow *scroller, GtkWidget *widget)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  double page = gtk_adjustment_get_page_size (adjustment);
  double value = gtk_adjustment_get_value (adjustment);
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (widget, GTK_WIDGET (scroller), &bounds))
    return;
  if (bounds.origin.y < 0 || bounds.size.height > page)
    gtk_adjustment_set_value (adjustment, value + bounds.origin.y - GAP);
  else if (bounds.origin.y + bounds.size.height > page)
    gtk_adjustment_set_value (adjustment, value + bounds.origin.y + bounds.size.height + GAP - page);
}

gboolean
beckon_transcript_scroll_to_tall_card (GtkScrolledWindow *scroller, GtkWidget *rows, GtkWidget **shown)
{
  double page = gtk_adjustment_get_page_size (gtk_scrolled_window_get_vadjustment (scroller));
  GtkWidget *row = gtk_widget_get_last_child (rows);
  GtkWidget *card = row != NULL ? beckon_message_row_get_pending_card (BECKON_MESSAGE_ROW (row)) : NULL;

  if (card == NULL || card == *shown || gtk_widget_get_height (card) <= page)
    return FALSE;

  g_set_weak_pointer (shown, card);
  beckon_transcript_scroll_to (scroller, card);
  return TRUE;
}

void
beckon_transcript_scroll_to_mark (GtkScrolledWindow *scroller, const BeckonMark *mark)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  double page = gtk_adjustment_get_page_size (adjustment);
  graphene_rect_t area;
  graphene_point_t at;

  beckon_match_get_area (mark, &area);
  if (!gtk_widget_compute_point (mark->widget, GTK_WIDGET (scroller), &area.origin, &at))
    return;
  if (at.y < EDGE || at.y + MIN (area.size.height, 2 * EDGE) > page - EDGE)
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + at.y - page / 3);
}

gboolean
beckon_transcript_is_on_screen (GtkScrolledWindow *scroller, GtkWidget *widget)
{
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (widget, GTK_WIDGET (scroller), &bounds))
    return FALSE;
  return bounds.origin.y + bounds.size.height > EDGE &&
         bounds.origin.y < (float) gtk_widget_get_height (GTK_WIDGET (scroller)) - EDGE;
}
