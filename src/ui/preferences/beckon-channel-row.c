/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-row.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

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

GtkWidget *
beckon_channel_row_new (BeckonChannels *channels, BeckonChannel *channel)
{
  BeckonChannelRow *self = g_object_new (BECKON_TYPE_CHANNEL_ROW, NULL);

  self->channels = g_object_ref (channels);
  self->channel = g_object_ref (channel);
  g_signal_connect_object (channel, "changed", G_CALLBACK (channel_row_update), self, G_CONNECT_SWAPPED);
  channel_row_update (self);
  return GTK_WIDGET (self);
}

BeckonChannel *
beckon_channel_row_get_channel (BeckonChannelRow *self)
{
  return self->channel;
}
