/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-switched-row.h"
#include "channels/beckon-channels.h"
#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNELS_PAGE (beckon_channels_page_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelsPage, beckon_channels_page, BECKON, CHANNELS_PAGE, AdwPreferencesPage)

/** The accounts of text channels, each with its state and a switch; a row opens its window, a button adds one. */
AdwPreferencesPage *beckon_channels_page_new (BeckonRuntime *runtime, BeckonChannels *channels) G_GNUC_WARN_UNUSED_RESULT;

#define BECKON_TYPE_CHANNEL_ROW (beckon_channel_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelRow, beckon_channel_row, BECKON, CHANNEL_ROW, BeckonSwitchedRow)

G_END_DECLS
