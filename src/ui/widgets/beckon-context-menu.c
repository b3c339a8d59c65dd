/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-context-menu.h"

static gboolean
context_menu_drop (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

/* The item's action runs after the popover closes. */
static void
context_menu_on_closed (GtkWidget *popover, GtkWidget *widget)
{
  gtk_widget_remove_css_class (widget, BECKON_CONTEXT_MENU_OPEN);
  g_idle_add_full (G_PRIORITY_LOW, context_menu_drop, g_object_ref (popover), g_object_unref);
}

void
beckon_context_menu_popup_with (GMenuModel *menu, const char *prefix, GActionGroup *actions, const char *name,
                                GtkWidget *parent, GtkWidget *widget, const graphene_point_t *at)
{
  GtkWidget *popover;
  graphene_rect_t bounds;
  graphene_point_t place;
  GdkRectangle target = { 0, 0, 1, 1 };
  GtkWidget *pressed;

  if (!gtk_widget_compute_bounds (widget, parent, &bounds))
    return;
  target.x = (int) (bounds.origin.x + bounds.size.width / 2);
  target.y = (int) (bounds.origin.y + MIN (bounds.size.height, 48));
  if (at != NULL && gtk_widget_compute_point (widget, parent, at, &place))
    {
      target.x = (int) place.x;
      target.y = (int) place.y;
    }
  popover = gtk_popover_menu_new_from_model (menu);
  if (actions != NULL)
    gtk_widget_insert_action_group (popover, prefix, actions);
  gtk_widget_set_parent (popover, parent);
  g_signal_connect_object (parent, "destroy", G_CALLBACK (gtk_widget_unparent), popover, G_CONNECT_SWAPPED);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &target);
  gtk_widget_set_halign (popover, at != NULL ? GTK_ALIGN_START : GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (popover), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_add_css_class (widget, BECKON_CONTEXT_MENU_OPEN);
  g_signal_connect_object (popover, "closed", G_CALLBACK (context_menu_on_closed), widget, 0);
  gtk_popover_popup (GTK_POPOVER (popover));

  /* A menu opens while the button is down, and keeps the release from what was pressed: the toolkit would leave that
   * lit. */
  pressed = at != NULL ? gtk_widget_pick (widget, at->x, at->y, GTK_PICK_DEFAULT) : NULL;
  for (; pressed != NULL; pressed = gtk_widget_get_parent (pressed))
    gtk_widget_unset_state_flags (pressed, GTK_STATE_FLAG_ACTIVE);
}

void
beckon_context_menu_popup (GMenuModel *menu, const char *name, GtkWidget *parent, GtkWidget *widget,
                           const graphene_point_t *at)
{
  beckon_context_menu_popup_with (menu, NULL, NULL, name, parent, widget, at);
}

GtkWidget *
beckon_context_menu_find_row (GtkWidget *rows, double x, double y, graphene_point_t *at, GtkWidget **inner)
{
  GtkWidget *row = gtk_widget_pick (rows, x, y, GTK_PICK_DEFAULT);

  if (inner != NULL)
    *inner = row;
  while (row != NULL && gtk_widget_get_parent (row) != rows)
    row = row != rows ? gtk_widget_get_parent (row) : NULL;
  if (row == NULL || !gtk_widget_compute_point (rows, row, &GRAPHENE_POINT_INIT ((float) x, (float) y), at))
    return NULL;
  return row;
}
