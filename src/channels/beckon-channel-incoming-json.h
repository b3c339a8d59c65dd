/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-message.h"

G_BEGIN_DECLS

/** Writes what the store keeps of a message until it is handled: all but its id, its address and its context. Caller frees. */
char *beckon_channel_incoming_to_json (const BeckonChannelIncoming *incoming) G_GNUC_WARN_UNUSED_RESULT;

/** The message again; empty where @json can't be read. Caller owns. */
BeckonChannelIncoming *beckon_channel_incoming_from_json (const char *id, const char *address,
                                                          const char *json) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
