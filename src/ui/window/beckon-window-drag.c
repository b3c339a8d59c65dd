/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "ui/conversation/beckon-conversation-content.h"
#include "ui/sidebar/beckon-sidebar-row.h"

/* A conversation is dragged out of the list: to a file manager as a file, to anything else as text. */

/* (nullable): the row that is there. */
static GtkWidget *
find_row (BeckonWindow *self, double x, double y)
{
  GtkWidget *at = gtk_widget_pick (GTK_WIDGET (self->sidebar), x, y, GTK_PICK_DEFAULT);
  GtkWidget *row = at != NULL ? gtk_widget_get_ancestor (at, BECKON_TYPE_SIDEBAR_ROW) : NULL;

  return row != NULL && beckon_sidebar_row_get_conversation (BECKON_SIDEBAR_ROW (row)) != NULL ? row : NULL;
}

static GdkContentProvider *
on_prepare (GtkDragSource *source, double x, double y, BeckonWindow *self)
{
  GtkWidget *row = self->runtime != NULL ? find_row (self, x, y) : NULL;
  g_autoptr (GdkPaintable) icon = NULL;

  if (row == NULL)
    return NULL;
  icon = gtk_widget_paintable_new (row);
  gtk_drag_source_set_icon (source, icon, 12, 12);
  return beckon_conversation_content_new (beckon_runtime_get_library (self->runtime),
                                          beckon_sidebar_row_get_conversation (BECKON_SIDEBAR_ROW (row)));
}

void
beckon_window_let_drag (BeckonWindow *self)
{
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  /* Before the list, which takes a press for a choice at once. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (source), GTK_PHASE_CAPTURE);
  g_signal_connect (source, "prepare", G_CALLBACK (on_prepare), self);
  gtk_widget_add_controller (GTK_WIDGET (self->sidebar), GTK_EVENT_CONTROLLER (source));
}
