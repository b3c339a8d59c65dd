/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNEL_SIGN_IN (beckon_channel_sign_in_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelSignIn, beckon_channel_sign_in, BECKON, CHANNEL_SIGN_IN, AdwPreferencesGroup)

/**
 * BeckonChannelSignIn:
 *
 * Leads a person through a sign-in of a channel: a code to scan, words of what comes next, a field for what the phone shows. It
 * is hidden where a token is entered instead. Main thread.
 */

/** Set once. */
void beckon_channel_sign_in_set_channel (BeckonChannelSignIn *self, BeckonChannel *channel);

G_END_DECLS
