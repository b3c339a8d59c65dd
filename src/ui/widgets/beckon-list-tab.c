/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-list-tab.h"

/* A list that can't have the focus is passed over by the one that moves it, wherever the list stands. */
static gboolean
list_tab_leave (GtkWidget *list, GtkDirectionType direction)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (list));
  gboolean moved;

  gtk_widget_set_can_focus (list, FALSE);
  moved = gtk_widget_child_focus (root, direction);
  gtk_widget_set_can_focus (list, TRUE);
  return moved;
}

static gboolean
on_list_key_pressed (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType state, gpointer user_data)
{
  GtkWidget *list = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (keys));
  GdkModifierType held = state & gtk_accelerator_get_default_mod_mask ();
  gboolean back = keyval == GDK_KEY_ISO_Left_Tab || (held & GDK_SHIFT_MASK) != 0;

  if ((keyval != GDK_KEY_Tab && keyval != GDK_KEY_KP_Tab && keyval != GDK_KEY_ISO_Left_Tab) || (held & ~GDK_SHIFT_MASK) != 0)
    return GDK_EVENT_PROPAGATE;

  return list_tab_leave (list, back ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

void
beckon_list_tab_leave (GtkWidget *list)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_list_key_pressed), NULL);
  gtk_widget_add_controller (list, keys);
}
