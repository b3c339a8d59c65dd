/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-selection-bar.h"

#include <glib/gi18n-lib.h>

struct _BeckonSelectionBar
{
  AdwBin parent_instance;

  BeckonTranscript *transcript; /* (owned) (nullable) */

  GtkLabel *label;
  GtkWidget *copy_button;
  GtkWidget *plain_button;
  GtkWidget *quote_button;
  GtkWidget *delete_button;
};

G_DEFINE_FINAL_TYPE (BeckonSelectionBar, beckon_selection_bar, ADW_TYPE_BIN)

static void
act (BeckonSelectionBar *self, const char *action)
{
  gtk_widget_activate_action (GTK_WIDGET (self->transcript), action, NULL);
}

static void
selection_bar_on_copy (BeckonSelectionBar *self)
{
  act (self, "transcript.copy-selected");
}

static void
on_copy_plain (BeckonSelectionBar *self)
{
  act (self, "transcript.copy-selected-plain");
}

static void
on_quote (BeckonSelectionBar *self)
{
  act (self, "transcript.quote-selected");
}

static void
on_delete (BeckonSelectionBar *self)
{
  act (self, "transcript.delete-selected");
}

static void
on_done (BeckonSelectionBar *self)
{
  act (self, "transcript.end-selection");
}

static void
on_selected_changed (BeckonSelectionBar *self)
{
  guint n = beckon_transcript_get_n_selected (self->transcript);
  g_autofree char *text
    = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u message selected", "%u messages selected", n), n);

  gtk_widget_set_visible (GTK_WIDGET (self), beckon_transcript_get_selecting (self->transcript));
  gtk_label_set_text (self->label, text);
  gtk_widget_set_sensitive (self->copy_button, n > 0);
  gtk_widget_set_sensitive (self->plain_button, n > 0);
  gtk_widget_set_sensitive (self->quote_button, n > 0);
  gtk_widget_set_sensitive (self->delete_button, n > 0);
}

void
beckon_selection_bar_set_transcript (BeckonSelectionBar *self, BeckonTranscript *transcript)
{
  g_return_if_fail (self->transcript == NULL);

  self->transcript = g_object_ref (transcript);
  g_signal_connect_object (transcript, "notify::n-selected", G_CALLBACK (on_selected_changed), self, G_CONNECT_SWAPPED);
  on_selected_changed (self);
}

static void
beckon_selection_bar_dispose (GObject *object)
{
  g_clear_object (&BECKON_SELECTION_BAR (object)->transcript);
  G_OBJECT_CLASS (beckon_selection_bar_parent_class)->dispose (object);
}

static void
beckon_selection_bar_class_init (BeckonSelectionBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_selection_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/selection-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSelectionBar, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSelectionBar, copy_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonSelectionBar, plain_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonSelectionBar, quote_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonSelectionBar, delete_button);
  gtk_widget_class_bind_template_callback (widget_class, selection_bar_on_copy);
  gtk_widget_class_bind_template_callback (widget_class, on_copy_plain);
  gtk_widget_class_bind_template_callback (widget_class, on_quote);
  gtk_widget_class_bind_template_callback (widget_class, on_delete);
  gtk_widget_class_bind_template_callback (widget_class, on_done);
}

static void
beckon_selection_bar_init (BeckonSelectionBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
