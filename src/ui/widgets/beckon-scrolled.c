/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-scrolled.h"

#define AXES GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES

/* Finds the axis; FALSE if the event is an end. */
static gboolean
get_orientation (GdkEvent *event, GtkOrientation *orientation)
{
  GdkScrollDirection direction = gdk_scroll_event_get_direction (event);
  double x = 0, y = 0;
  gboolean is_vertical = direction == GDK_SCROLL_UP || direction == GDK_SCROLL_DOWN;

  if (direction == GDK_SCROLL_SMOOTH)
    {
      gdk_scroll_event_get_deltas (event, &x, &y);
      if (x == 0 && y == 0)
        return FALSE;
      is_vertical = ABS (y) >= ABS (x);
    }
  if ((gdk_event_get_modifier_state (event) & GDK_SHIFT_MASK) != 0)
    is_vertical = !is_vertical;
  *orientation = is_vertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;
  return TRUE;
}

/* Before the scrolled window's own controllers see it. */
static gboolean
scroll_past_on_event (GtkEventController *controller, GdkEvent *event)
{
  GtkWidget *scroller = gtk_event_controller_get_widget (controller);
  GtkOrientation orientation;

  if (gdk_event_get_event_type (event) == GDK_SCROLL && get_orientation (event, &orientation))
    {
      gboolean is_vertical = orientation == GTK_ORIENTATION_VERTICAL;
      GtkAdjustment *adjustment = is_vertical ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller))
                                              : gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller));
      GtkPolicyType across, down;
      gboolean listens;
      g_autoptr (GListModel) controllers = NULL;
      guint n;

      gtk_scrolled_window_get_policy (GTK_SCROLLED_WINDOW (scroller), &across, &down);

      /* A controller that listens to neither axis lets the event go on. */
      listens = (is_vertical ? down : across) != GTK_POLICY_NEVER
                && gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_lower (adjustment)
                       > gtk_adjustment_get_page_size (adjustment) + 0.5;
      controllers = gtk_widget_observe_controllers (scroller);
      n = g_list_model_get_n_items (controllers);

      for (guint i = 0; i < n; i++)
        {
          g_autoptr (GtkEventController) other = g_list_model_get_item (controllers, i);
          GtkEventControllerScrollFlags flags;

          if (!GTK_IS_EVENT_CONTROLLER_SCROLL (other))
            continue;
          flags = gtk_event_controller_scroll_get_flags (GTK_EVENT_CONTROLLER_SCROLL (other));
          gtk_event_controller_scroll_set_flags (GTK_EVENT_CONTROLLER_SCROLL (other),
                                                 listens ? flags | AXES : flags & ~(guint) AXES);
        }
    }
  return GDK_EVENT_PROPAGATE;
}

void
beckon_scroll_past (GtkWidget *inside)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (inside, GTK_TYPE_SCROLLED_WINDOW);
  GtkEventController *controller = gtk_event_controller_legacy_new ();

  g_return_if_fail (scroller != NULL);

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "event", G_CALLBACK (scroll_past_on_event), NULL);
  gtk_widget_add_controller (scroller, controller);
}

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

gboolean
beckon_unfolding_follow (GtkToggleButton *toggle, GtkImage *arrow)
{
  gboolean is_open = gtk_toggle_button_get_active (toggle);
  GtkWidget *at = is_open ? gtk_widget_get_parent (GTK_WIDGET (toggle)) : NULL;

  gtk_image_set_from_icon_name (arrow, is_open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_STATE_EXPANDED, is_open, -1);
  while (at != NULL && g_signal_lookup (BECKON_UNFOLDING_SIGNAL, G_OBJECT_TYPE (at)) == 0)
    at = gtk_widget_get_parent (at);
  if (at != NULL)
    g_signal_emit_by_name (at, BECKON_UNFOLDING_SIGNAL, toggle);
  return is_open;
}
