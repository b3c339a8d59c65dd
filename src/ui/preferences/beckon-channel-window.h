/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel.h"
#include "channels/beckon-channels.h"
#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-sheet.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNEL_WINDOW (beckon_channel_window_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelWindow, beckon_channel_window, BECKON, CHANNEL_WINDOW, BeckonSheet)

/**
 * BeckonChannelWindow:
 *
 * A channel in a window: how it is, signing in, who is paired, and what can be done with it. Signal `removed` (name): it is
 * gone, and the window is about to go.
 */
GtkWidget *beckon_channel_window_new (BeckonRuntime *runtime, BeckonChannels *channels,
                                      BeckonChannel *channel) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
