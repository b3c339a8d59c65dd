/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channels.h"
#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-sheet.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNEL_EDITOR (beckon_channel_editor_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelEditor, beckon_channel_editor, BECKON, CHANNEL_EDITOR, BeckonSheet)

/**
 * beckon_channel_editor_new:
 * @runtime: for profiles
 * @channels: where it is saved
 * @channel: (nullable): what is changed; %NULL for a new one, whose kind is chosen
 *
 * Signal `saved` (BeckonChannel): it is stored, and the editor is about to go.
 */
GtkWidget *beckon_channel_editor_new (BeckonRuntime *runtime, BeckonChannels *channels,
                                      BeckonChannel *channel) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
