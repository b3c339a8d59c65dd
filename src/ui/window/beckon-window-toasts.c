/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "ui/widgets/beckon-sheet.h"

#include <glib/gi18n-lib.h>

#define UNDO_SECONDS 20

static void
on_toasts_changed (BeckonWindow *self, guint position, guint n_removed, guint n_added, GListModel *children)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GtkWidget) child = g_list_model_get_item (children, i);

      if (child != adw_toast_overlay_get_child (self->toasts))
        {
          /* Messages are written on while a toast is shown. */
          gboolean is_shown = self->view != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->view));

          gtk_widget_set_margin_bottom (child, is_shown ? beckon_conversation_view_measure_composer (self->view) : 0);
        }
    }
}

/* In what is being typed, and in all of a sheet, Ctrl+Z takes back the typing. */
static gboolean
is_typing (GtkWidget *focus)
{
  GtkTextBuffer *buffer = GTK_IS_TEXT_VIEW (focus) ? gtk_text_view_get_buffer (GTK_TEXT_VIEW (focus)) : NULL;

  if (buffer != NULL)
    return gtk_text_buffer_get_char_count (buffer) > 0;
  return GTK_IS_EDITABLE (focus) && *gtk_editable_get_text (GTK_EDITABLE (focus)) != '\0';
}

static gboolean
on_undo_key (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  g_autoptr (AdwToast) toast = NULL;

  if (self->undo_toast != NULL && !is_typing (focus) && !beckon_sheet_covers (GTK_WINDOW (self)))
    toast = g_object_ref (self->undo_toast);
  if (toast == NULL)
    return GDK_EVENT_PROPAGATE;

  /* A key that is held undoes it once. */
  g_clear_weak_pointer (&self->undo_toast);
  g_signal_emit_by_name (toast, "button-clicked");
  adw_toast_dismiss (toast);
  return GDK_EVENT_STOP;
}

void
beckon_window_follow_toasts (BeckonWindow *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  /* An empty text has an undo of its own, which comes after this. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_z, GDK_CONTROL_MASK),
                                                          gtk_callback_action_new (on_undo_key, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);

  self->toast_widgets = gtk_widget_observe_children (GTK_WIDGET (self->toasts));
  g_signal_connect_object (self->toast_widgets, "items-changed", G_CALLBACK (on_toasts_changed), self, G_CONNECT_SWAPPED);
}

/* Assistive technology presses the button without giving it the focus, which may be nowhere by then. */
static void
window_on_undo_clicked (AdwToast *toast, BeckonWindow *self)
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
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (window_on_undo_clicked), self, 0);
  adw_toast_overlay_add_toast (self->toasts, toast);
}
