/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-keys.h"

#include "beckon-message-menu.h"
#include "beckon-transcript.h"

/* The row that has the focus itself, not something in it. */
static GtkWidget *
get_focused_row (GtkWidget *rows)
{
  GtkWidget *row = gtk_widget_get_focus_child (rows);

  return row != NULL && gtk_widget_is_focus (row) ? row : NULL;
}

static gboolean
on_key_pressed (GtkWidget *rows, guint keyval, guint keycode, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  GtkWidget *row = get_focused_row (rows);
  GtkWidget *next = NULL;

  if (row == NULL)
    return GDK_EVENT_PROPAGATE;
  if ((modifiers == 0 && keyval == GDK_KEY_Menu) || (modifiers == GDK_SHIFT_MASK && keyval == GDK_KEY_F10))
    {
      beckon_message_menu_popup (gtk_widget_get_ancestor (rows, BECKON_TYPE_TRANSCRIPT), BECKON_MESSAGE_ROW (row), NULL);
      return GDK_EVENT_STOP;
    }
  if (modifiers == GDK_CONTROL_MASK && keyval == GDK_KEY_c)
    {
      beckon_message_row_copy (BECKON_MESSAGE_ROW (row));
      return GDK_EVENT_STOP;
    }
  if (modifiers != 0 || (keyval != GDK_KEY_Up && keyval != GDK_KEY_Down && keyval != GDK_KEY_Escape))
    return GDK_EVENT_PROPAGATE;
  if (keyval == GDK_KEY_Up)
    next = gtk_widget_get_prev_sibling (row);
  else if (keyval == GDK_KEY_Down)
    next = gtk_widget_get_next_sibling (row);
  if (next != NULL)
    gtk_widget_grab_focus (next);
  else if (keyval != GDK_KEY_Up)
    gtk_widget_activate_action (rows, "conversation.focus-composer", NULL);
  return GDK_EVENT_STOP;
}

void
beckon_transcript_add_keys (GtkWidget *transcript, GtkWidget *rows)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), rows);
  gtk_widget_add_controller (transcript, keys);
}
