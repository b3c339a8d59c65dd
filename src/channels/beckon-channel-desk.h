/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-parts.h"
#include "channels/beckon-channel.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNEL_DESK (beckon_channel_desk_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelDesk, beckon_channel_desk, BECKON, CHANNEL_DESK, GObject)

/**
 * BeckonChannelDesk:
 *
 * The desk of one account, while it is served here: what waits in the inbox is sent to whoever is paired, what they write or
 * press settles it or goes to their conversation, and what ended says so in the messages that asked. Requests are stored before
 * they are sent, and buttons of old messages still work after a restart. Main thread.
 */
BeckonChannelDesk *beckon_channel_desk_new (BeckonChannel *channel,
                                            const BeckonChannelParts *parts) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the conversation that a person looks at in a window just now: what waits there is not sent. */
void beckon_channel_desk_set_watched (BeckonChannelDesk *desk, const char *conversation_id);

/** Sends a line that was asked for, as a test of the account. %FALSE if nobody is paired. */
gboolean beckon_channel_desk_send_test (BeckonChannelDesk *desk, const char *text);

G_END_DECLS
