/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include <glib/gi18n-lib.h>

#define UNDO_SECONDS 20

/* Messages are written on while a toast is shown. */
static void
keep_off_composer (BeckonWindow *self, GtkWidget *toast)
{
  gboolean is_shown = self->view != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->view));

  gtk_widget_set_margin_bottom (toast, is_shown ? beckon_conversation_view_measure_composer (self->view) : 0);
}

static void
on_toasts_changed (BeckonWindow *self, guint position, guint n_removed, guint n_added, GListModel *children)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GtkWidget) child = g_list_model_get_item (children, i);

      if (child != adw_toast_overlay_get_child (self->toasts))
        keep_off_composer (self, child);
    }
}

void
beckon_window_follow_toasts (BeckonWindow *self)
{
  self->toast_widgets = gtk_widget_observe_children (GTK_WIDGET (self->toasts));
  g_signal_connect_object (self->toast_widgets, "items-changed", G_CALLBACK (on_toasts_changed), self, G_CONNECT_SWAPPED);
}

/* The button goes with its toast, and the focus would go nowhere. */
static void
on_undo_clicked (AdwToast *toast, BeckonWindow *self)
{
  if (self->view != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    beckon_conversation_view_focus_composer (self->view);
}

void
beckon_window_offer_undo (BeckonWindow *self, AdwToast *toast, GCallback on_undo)
{
  /* The one before would have to go first, and its time is longer than a person waits. */
  if (self->undo_toast != NULL)
    adw_toast_dismiss (self->undo_toast);
  g_set_weak_pointer (&self->undo_toast, toast);
  /* Without a key of its own: that would be read out as part of its name. */
  adw_toast_set_button_label (toast, _("Undo"));
  adw_toast_set_timeout (toast, UNDO_SECONDS);
  g_signal_connect_object (toast, "button-clicked", on_undo, self, 0);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (on_undo_clicked), self, 0);
  adw_toast_overlay_add_toast (self->toasts, toast);
}
