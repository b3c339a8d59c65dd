/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-anchor.h"

static int
get_font_size (GtkWidget *rows)
{
  PangoContext *context = gtk_widget_get_pango_context (rows);

  return pango_font_description_get_size (pango_context_get_font_description (context));
}

static gboolean
get_place (GtkWidget *row, GtkScrolledWindow *scroller, double *top, double *height)
{
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (row, GTK_WIDGET (scroller), &bounds))
    return FALSE;
  *top = bounds.origin.y;
  *height = bounds.size.height;
  return TRUE;
}

gboolean
beckon_transcript_anchor_is_resized (const BeckonTranscriptAnchor *anchor, GtkWidget *rows, int width)
{
  return width != anchor->width || get_font_size (rows) != anchor->font_size;
}

void
beckon_transcript_anchor_set_size (BeckonTranscriptAnchor *anchor, GtkWidget *rows, int width)
{
  anchor->width = width;
  anchor->font_size = get_font_size (rows);
}

/* The first row of which something is seen. */
void
beckon_transcript_anchor_take (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller, GtkWidget *rows)
{
  GtkWidget *row = gtk_widget_get_first_child (rows);

  while (row != NULL && !(get_place (row, scroller, &anchor->top, &anchor->height) && anchor->top + anchor->height > 0))
    row = gtk_widget_get_next_sibling (row);
  g_set_weak_pointer (&anchor->row, row);
}

void
beckon_transcript_anchor_drop (BeckonTranscriptAnchor *anchor)
{
  g_clear_weak_pointer (&anchor->row);
}

/* A row that began above the screen keeps the same part above it. */
void
beckon_transcript_anchor_keep (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  double top, height, wanted;

  if (anchor->row == NULL || !get_place (anchor->row, scroller, &top, &height))
    return;
  wanted = anchor->top >= 0 || anchor->height <= 0 ? anchor->top : anchor->top / anchor->height * height;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + top - wanted);
}
