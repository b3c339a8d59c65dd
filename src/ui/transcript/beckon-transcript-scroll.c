/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-scroll.h"

/* The least distance from an edge, in pixels, to be well on screen. */
#define EDGE 24

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
