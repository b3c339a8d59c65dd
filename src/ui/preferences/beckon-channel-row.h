/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-switched-row.h"
#include "channels/beckon-channels.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNEL_ROW (beckon_channel_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelRow, beckon_channel_row, BECKON, CHANNEL_ROW, BeckonSwitchedRow)

/** A channel in a list, with a switch that turns it on and off. */
GtkWidget *beckon_channel_row_new (BeckonChannels *channels, BeckonChannel *channel) G_GNUC_WARN_UNUSED_RESULT;

/** Borrowed. */
BeckonChannel *beckon_channel_row_get_channel (BeckonChannelRow *row);

G_END_DECLS
