/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-row.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

struct _BeckonChannelRow
{
  AdwActionRow parent_instance;

  BeckonChannels *channels; /* (owned) */
  BeckonChannel *channel;   /* (owned) */
  GtkSwitch *on_switch;
  gboolean is_showing;
};

G_DEFINE_FINAL_TYPE (BeckonChannelRow, beckon_channel_row, ADW_TYPE_ACTION_ROW)

static guint failed_signal;

static char *
describe (BeckonChannel *channel)
{
  const char *name = beckon_channel_get_account (channel)->kind;
  const BeckonChannelKind *kind = beckon_channel_kind_find (name);
  g_autofree char *words = beckon_channel_dup_words (channel);
  g_autofree char *shown = beckon_text_for_display (words, -1, BECKON_TEXT_PROSE);

  /* Translators: a kind of channel, such as WeChat, and how it is */
  return beckon_text_printf (_("%1$s · %2$s"), kind != NULL ? _(kind->title) : name, shown);
}

/* The window's search shows titles as markup. */
static void
update (BeckonChannelRow *self)
{
  BeckonChannelAccount *account = beckon_channel_get_account (self->channel);
  g_autofree char *name = beckon_text_for_display (account->name, -1, BECKON_TEXT_EXACT);
  g_autofree char *title = g_markup_escape_text (name, -1);
  g_autofree char *words = describe (self->channel);
  g_autofree char *subtitle = g_markup_escape_text (words, -1);
  /* Translators: a switch of a channel, which is named */
  g_autofree char *spoken = beckon_text_printf (_("Use %s"), name);

  self->is_showing = TRUE;
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), subtitle);
  gtk_switch_set_active (self->on_switch, account->is_on);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->on_switch), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  self->is_showing = FALSE;
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelRow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_channels_save_finish (BECKON_CHANNELS (source), result, &error) != NULL || self->channel == NULL)
    return;
  update (self);
  g_signal_emit (self, failed_signal, 0, error->message);
}

static void
on_switched (BeckonChannelRow *self)
{
  g_autoptr (BeckonChannelAccount) changed = NULL;

  if (self->is_showing)
    return;
  changed = beckon_channel_account_copy (beckon_channel_get_account (self->channel));
  changed->is_on = gtk_switch_get_active (self->on_switch);
  beckon_channels_save_async (self->channels, changed, NULL, NULL, on_saved, g_object_ref (self));
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
  failed_signal = g_signal_new ("failed", BECKON_TYPE_CHANNEL_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
}

static void
beckon_channel_row_init (BeckonChannelRow *self)
{
  GtkWidget *next = g_object_new (GTK_TYPE_IMAGE, "icon-name", "go-next-symbolic", "accessible-role",
                                  GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

  self->on_switch = GTK_SWITCH (gtk_switch_new ());
  gtk_widget_set_valign (GTK_WIDGET (self->on_switch), GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->on_switch));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), next);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (self), 2);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (self), 4);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), TRUE);
  g_signal_connect_swapped (self->on_switch, "notify::active", G_CALLBACK (on_switched), self);
}

GtkWidget *
beckon_channel_row_new (BeckonChannels *channels, BeckonChannel *channel)
{
  BeckonChannelRow *self = g_object_new (BECKON_TYPE_CHANNEL_ROW, NULL);

  self->channels = g_object_ref (channels);
  self->channel = g_object_ref (channel);
  g_signal_connect_object (channel, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

BeckonChannel *
beckon_channel_row_get_channel (BeckonChannelRow *self)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL_ROW (self), NULL);

  return self->channel;
}
