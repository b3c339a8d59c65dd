/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-text-height.h"

#define PENDING "beckon-text-height"
#define WIDTH "beckon-text-height-width"

/* While sizes are given out the width may change and change back, each time: only another one than the last counts. */
static gboolean
on_idle (gpointer user_data)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (user_data));
  int width = adjustment != NULL ? (int) gtk_adjustment_get_page_size (adjustment) : 0;

  g_object_set_data (user_data, PENDING, NULL);
  if (GPOINTER_TO_INT (g_object_get_data (user_data, WIDTH)) == width)
    return G_SOURCE_REMOVE;
  g_object_set_data (user_data, WIDTH, GINT_TO_POINTER (width));
  gtk_widget_queue_resize (user_data);
  return G_SOURCE_REMOVE;
}

/* Not at once: sizes are being given out, and the lines are not laid out anew yet. That has a higher priority. */
static void
on_width_changed (GtkWidget *view)
{
  if (g_object_get_data (G_OBJECT (view), PENDING) != NULL)
    return;
  g_object_set_data (G_OBJECT (view), PENDING, GINT_TO_POINTER (TRUE));
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_idle, g_object_ref (view), g_object_unref);
}

static void
on_adjustment_changed (GtkWidget *view)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (view));

  if (adjustment != NULL)
    g_signal_connect_object (adjustment, "notify::page-size", G_CALLBACK (on_width_changed), view, G_CONNECT_SWAPPED);
}

void
beckon_text_height_follow (GtkTextView *view)
{
  g_signal_connect (view, "notify::hadjustment", G_CALLBACK (on_adjustment_changed), NULL);
  on_adjustment_changed (GTK_WIDGET (view));
}
