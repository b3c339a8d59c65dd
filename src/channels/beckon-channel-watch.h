/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel.h"

G_BEGIN_DECLS

/** How long a channel may fail before a person is told: a network comes and goes. */
#define BECKON_CHANNEL_WATCH_PATIENCE_MS (2 * 60 * 1000)

#define BECKON_TYPE_CHANNEL_WATCH (beckon_channel_watch_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelWatch, beckon_channel_watch, BECKON, CHANNEL_WATCH, GObject)

/**
 * BeckonChannelWatch:
 *
 * Looks after the channels that are served here and that somebody is paired with: one that does not work is told of once, until
 * it works again. Main thread.
 *
 * Signal `failing` (#BeckonChannel): it is signed out, or has failed for a while; beckon_channel_dup_words() says why.
 * Signal `recovered` (const char *id): it was told of, and works, or is no longer served here.
 */

/** @channels: (element-type BeckonChannel): kept, with @clock. */
BeckonChannelWatch *beckon_channel_watch_new (GListModel *channels, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
