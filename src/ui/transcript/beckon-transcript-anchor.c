/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-anchor.h"

static int
get_font_size (BeckonRowList *rows)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (rows));

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

/* The first one of which something is seen. */
static void
find_row (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller, BeckonRowList *rows)
{
  for (GtkWidget *row = beckon_row_list_get_first (rows); row != NULL; row = beckon_row_list_get_next (row))
    if (get_place (row, scroller, &anchor->top, &anchor->height) && anchor->top + anchor->height > 0)
      {
        g_set_weak_pointer (&anchor->row, row);
        return;
      }
}

void
beckon_transcript_anchor_take (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller, BeckonRowList *rows, int width)
{
  int font_size = get_font_size (rows);
  gboolean was_laid_out = anchor->width > 0;

  if (width == anchor->width && font_size == anchor->font_size)
    return;
  anchor->width = width;
  anchor->font_size = font_size;
  if (was_laid_out && anchor->row == NULL)
    find_row (anchor, scroller, rows);
}

void
beckon_transcript_anchor_drop (BeckonTranscriptAnchor *anchor)
{
  g_clear_weak_pointer (&anchor->row);
}

/* Of a row that began above what is seen, the same part is above it. */
void
beckon_transcript_anchor_keep (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  double top, height, wanted;

  if (anchor->row == NULL)
    return;
  if (get_place (anchor->row, scroller, &top, &height))
    {
      wanted = anchor->top >= 0 || anchor->height <= 0 ? anchor->top : anchor->top / anchor->height * height;
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + top - wanted);
    }
  g_clear_weak_pointer (&anchor->row);
}
