/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"
#include "ui/widgets/beckon-sheet.h"

/* A control that hides or becomes insensitive while it has the focus, as Stop does when it is pressed, hands it to the
 * composer. GTK would give it to the first control of the window, or to none, and the next words would do something else or be
 * lost. What a press opens takes the focus itself, before that or after it. */

static gboolean
window_may_hand_focus_on (BeckonWindow *self)
{
  return self->view != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->view)) && gtk_widget_get_visible (GTK_WIDGET (self))
         && !beckon_sheet_covers (GTK_WINDOW (self));
}

static void
window_on_focus_unmapped (GtkWidget *focus, BeckonWindow *self)
{
  GtkWidget *popover = gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER);

  /* A popover that closes gives the focus back to where it was. */
  if (gtk_window_get_focus (GTK_WINDOW (self)) == focus && popover == NULL && window_may_hand_focus_on (self))
    beckon_conversation_view_focus_composer (self->view);
}

static void
window_on_focus_changed (BeckonWindow *self)
{
  GtkWidget *before = self->focus;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean is_insensitive = before != NULL && focus == NULL && !gtk_widget_is_sensitive (before);

  if (before != NULL)
    g_signal_handlers_disconnect_by_func (before, window_on_focus_unmapped, self);
  g_set_weak_pointer (&self->focus, focus);
  if (focus != NULL)
    g_signal_connect_object (focus, "unmap", G_CALLBACK (window_on_focus_unmapped), self, 0);
  if (is_insensitive && window_may_hand_focus_on (self))
    beckon_conversation_view_focus_composer (self->view);
}

void
beckon_window_follow_focus (BeckonWindow *self)
{
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (window_on_focus_changed), NULL);
}
