/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channels-page.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-channel-editor.h"
#include "beckon-channel-row.h"
#include "beckon-channel-window.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>

struct _BeckonChannelsPage
{
  AdwPreferencesPage parent_instance;

  BeckonRuntime *runtime;   /* (owned) */
  BeckonChannels *channels; /* (owned) */

  GtkListBox *channels_list;
  GtkWidget *no_channels;
};

G_DEFINE_FINAL_TYPE (BeckonChannelsPage, beckon_channels_page, ADW_TYPE_PREFERENCES_PAGE)

static void
channels_page_show_toast (BeckonChannelsPage *self, const char *words)
{
  beckon_toast_show (GTK_WIDGET (self), beckon_toast_new (words));
}

/* A channel that is gone leaves its name. */
static void
channels_page_on_removed (BeckonChannelsPage *self, const char *name)
{
  g_autofree char *shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
  /* Translators: a channel */
  g_autofree char *words = beckon_text_printf (_("%s removed"), shown);

  channels_page_show_toast (self, words);
}

static void
show_channel (BeckonChannelsPage *self, BeckonChannel *channel)
{
  GtkWidget *window = beckon_channel_window_new (self->runtime, self->channels, channel);

  g_signal_connect_object (window, "removed", G_CALLBACK (channels_page_on_removed), self, G_CONNECT_SWAPPED);
  beckon_sheet_present (BECKON_SHEET (window), GTK_WIDGET (self));
}

static void
channels_page_on_add_clicked (BeckonChannelsPage *self)
{
  GtkWidget *editor = beckon_channel_editor_new (self->runtime, self->channels, NULL);

  /* The next thing is to sign in, or to pair: the window of the new one has both. */
  g_signal_connect_object (editor, "saved", G_CALLBACK (show_channel), self, G_CONNECT_SWAPPED);
  beckon_sheet_present (BECKON_SHEET (editor), GTK_WIDGET (self));
}

static void
channels_page_on_row_activated (BeckonChannelsPage *self, GtkWidget *row)
{
  show_channel (self, beckon_channel_row_get_channel (BECKON_CHANNEL_ROW (row)));
}

static void
channels_page_on_items_changed (BeckonChannelsPage *self, guint position, guint removed, guint added, GListModel *model)
{
  guint n = g_list_model_get_n_items (model);

  for (guint i = 0; i < removed; i++)
    gtk_list_box_remove (self->channels_list, GTK_WIDGET (gtk_list_box_get_row_at_index (self->channels_list, (int) position)));
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (BeckonChannel) channel = g_list_model_get_item (model, position + i);
      GtkWidget *row = beckon_channel_row_new (self->channels, channel);

      g_signal_connect_object (row, "activated", G_CALLBACK (channels_page_on_row_activated), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "failed", G_CALLBACK (channels_page_show_toast), self, G_CONNECT_SWAPPED);
      gtk_list_box_insert (self->channels_list, row, (int) (position + i));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->channels_list), n > 0);
  gtk_widget_set_visible (self->no_channels, n == 0);
}

static void
beckon_channels_page_dispose (GObject *object)
{
  BeckonChannelsPage *self = BECKON_CHANNELS_PAGE (object);

  g_clear_object (&self->runtime);
  g_clear_object (&self->channels);
  G_OBJECT_CLASS (beckon_channels_page_parent_class)->dispose (object);
}

static void
beckon_channels_page_class_init (BeckonChannelsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_channels_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/channels-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelsPage, channels_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelsPage, no_channels);
  gtk_widget_class_bind_template_callback (widget_class, channels_page_on_add_clicked);
}

static void
beckon_channels_page_init (BeckonChannelsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwPreferencesPage *
beckon_channels_page_new (BeckonRuntime *runtime, BeckonChannels *channels)
{
  BeckonChannelsPage *self = g_object_new (BECKON_TYPE_CHANNELS_PAGE, NULL);
  GListModel *model = G_LIST_MODEL (channels);

  self->runtime = g_object_ref (runtime);
  self->channels = g_object_ref (channels);
  g_signal_connect_object (model, "items-changed", G_CALLBACK (channels_page_on_items_changed), self, G_CONNECT_SWAPPED);
  channels_page_on_items_changed (self, 0, 0, g_list_model_get_n_items (model), model);
  return ADW_PREFERENCES_PAGE (self);
}
