/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-message-menu.h"

#include "beckon-context-menu.h"

#include <glib/gi18n-lib.h>

static void
copy_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  beckon_message_row_copy (user_data);
}

static GSimpleActionGroup *
make_actions (BeckonMessageRow *row)
{
  static const GActionEntry entries[] = { { .name = "copy", .activate = copy_action } };
  GSimpleActionGroup *group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), row);
  return group;
}

/* A reply that still comes has no end to branch from. */
static GMenuModel *
make_menu (BeckonMessage *message)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenuItem) branch = g_menu_item_new (_("_Branch from Here"), NULL);

  g_menu_append (menu, _("_Copy Message"), "message.copy");
  g_menu_item_set_action_and_target (branch, "win.branch", "s", beckon_message_get_id (message));
  if (beckon_message_get_status (message) != BECKON_MESSAGE_STREAMING)
    g_menu_append_item (menu, branch);
  return G_MENU_MODEL (menu);
}

void
beckon_message_menu_popup (GtkWidget *transcript, BeckonMessageRow *row, const graphene_point_t *at)
{
  g_autoptr (GMenuModel) menu = make_menu (beckon_message_row_get_message (row));
  g_autoptr (GSimpleActionGroup) actions = make_actions (row);

  gtk_widget_insert_action_group (transcript, "message", G_ACTION_GROUP (actions));
  beckon_context_menu_popup (menu, _("Message menu"), transcript, GTK_WIDGET (row), at);
}

/* Text that can be edited, or of which some is selected, has a menu of its own. */
static gboolean
has_own_menu (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return gtk_label_get_selection_bounds (GTK_LABEL (widget), NULL, NULL);
  if (GTK_IS_TEXT_VIEW (widget))
    return gtk_text_view_get_editable (GTK_TEXT_VIEW (widget)) ||
           gtk_text_buffer_get_has_selection (gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget)));
  return GTK_IS_TEXT (widget);
}

static gboolean
popup_at (GtkGesture *gesture, double x, double y, GtkWidget *transcript)
{
  GtkWidget *rows = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  graphene_point_t at;
  GtkWidget *inner;
  GtkWidget *row = beckon_context_menu_find_row (rows, x, y, &at, &inner);

  if (row == NULL || has_own_menu (inner))
    return FALSE;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  beckon_message_menu_popup (transcript, BECKON_MESSAGE_ROW (row), &at);
  return TRUE;
}

static void
on_pressed (GtkGesture *gesture, int n_press, double x, double y, GtkWidget *transcript)
{
  popup_at (gesture, x, y, transcript);
}

static void
on_long_pressed (GtkGesture *gesture, double x, double y, GtkWidget *transcript)
{
  popup_at (gesture, x, y, transcript);
}

static void
add (GtkWidget *rows, GtkGesture *gesture)
{
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (rows, GTK_EVENT_CONTROLLER (gesture));
}

void
beckon_message_menu_attach (GtkWidget *transcript, GtkWidget *rows)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), transcript);
  add (rows, click);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect (press, "pressed", G_CALLBACK (on_long_pressed), transcript);
  add (rows, press);
}
