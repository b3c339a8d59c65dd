/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channels-page.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-channel-editor.h"
#include "beckon-channel-window.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>

struct _BeckonChannelRow
{
  BeckonSwitchedRow parent_instance;

  BeckonChannels *channels; /* (owned) */
  BeckonChannel *channel;   /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonChannelRow, beckon_channel_row, BECKON_TYPE_SWITCHED_ROW)

static void
channel_row_update (BeckonChannelRow *self)
{
  BeckonChannelAccount *account = beckon_channel_get_account (self->channel);
  const BeckonChannelKind *kind = beckon_channel_kind_find (account->kind);
  g_autofree char *state = beckon_channel_dup_words (self->channel);
  g_autofree char *shown = beckon_text_for_display (state, -1, BECKON_TEXT_PROSE);
  /* Translators: a kind of channel, such as WeChat, and how it is */
  g_autofree char *words = beckon_text_printf (_("%1$s · %2$s"), kind != NULL ? _(kind->title) : account->kind, shown);

  beckon_switched_row_show (BECKON_SWITCHED_ROW (self), account->name, words, account->is_on);
}

static void
channel_row_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelRow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_channels_save_finish (BECKON_CHANNELS (source), result, &error) != NULL || self->channel == NULL)
    return;
  channel_row_update (self);
  beckon_switched_row_fail (BECKON_SWITCHED_ROW (self), error->message);
}

static void
beckon_channel_row_switched (BeckonSwitchedRow *row, gboolean is_on)
{
  BeckonChannelRow *self = BECKON_CHANNEL_ROW (row);
  g_autoptr (BeckonChannelAccount) changed = beckon_channel_account_copy (beckon_channel_get_account (self->channel));

  changed->is_on = is_on;
  beckon_channels_save_async (self->channels, changed, NULL, NULL, channel_row_on_saved, g_object_ref (self));
}

static void
beckon_channel_row_dispose (GObject *object)
{
  BeckonChannelRow *self = BECKON_CHANNEL_ROW (object);

  g_clear_object (&self->channels);
  g_clear_object (&self->channel);
  G_OBJECT_CLASS (beckon_channel_row_parent_class)->dispose (object);
}

static void
beckon_channel_row_class_init (BeckonChannelRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_channel_row_dispose;
  BECKON_SWITCHED_ROW_CLASS (klass)->switched = beckon_channel_row_switched;
}

static void
beckon_channel_row_init (BeckonChannelRow *self)
{
}

/* A channel in a list, with a switch that turns it on and off. */
static GtkWidget *
channel_row_new (BeckonChannels *channels, BeckonChannel *channel)
{
  BeckonChannelRow *self = g_object_new (BECKON_TYPE_CHANNEL_ROW, NULL);

  self->channels = g_object_ref (channels);
  self->channel = g_object_ref (channel);
  g_signal_connect_object (channel, "changed", G_CALLBACK (channel_row_update), self, G_CONNECT_SWAPPED);
  channel_row_update (self);
  return GTK_WIDGET (self);
}

/* Borrowed. */
static BeckonChannel *
channel_row_get_channel (BeckonChannelRow *self)
{
  return self->channel;
}

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
  show_channel (self, channel_row_get_channel (BECKON_CHANNEL_ROW (row)));
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
      GtkWidget *row = channel_row_new (self->channels, channel);

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
