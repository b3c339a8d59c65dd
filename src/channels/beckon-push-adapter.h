/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-kind.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PUSH_ADAPTER (beckon_push_adapter_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPushAdapter, beckon_push_adapter, BECKON, PUSH_ADAPTER, BeckonChannelAdapter)

/**
 * BeckonPushAdapter:
 *
 * Notifications by HTTP: each is posted to an address, as ntfy topics and UnifiedPush endpoints take it. Nothing comes back, so
 * that questions are answered on the desktop, and nobody is paired. Only a line without content is sent, unless the account's
 * settings say that the text may go instead: the people who run the server can read it.
 */

/** The kind "push". */
extern const BeckonChannelKind beckon_push_kind;

G_END_DECLS
