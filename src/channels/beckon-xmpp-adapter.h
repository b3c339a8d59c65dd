/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-kind.h"

G_BEGIN_DECLS

#define BECKON_TYPE_XMPP_ADAPTER (beckon_xmpp_adapter_get_type ())
G_DECLARE_FINAL_TYPE (BeckonXmppAdapter, beckon_xmpp_adapter, BECKON, XMPP_ADAPTER, BeckonChannelAdapter)

/**
 * BeckonXmppAdapter:
 *
 * An account of an XMPP server; the secret is its password. There is no cursor: the server keeps what is not stored
 * yet, where it knows stream management, as all but all do. Answers leave at once, but receipts, and the sight of
 * whether the account is there, are only for contacts: the first message that is sent to an address makes it one.
 */

/** The kind "xmpp", with the fields "address", "host" and "port". */
extern const BeckonChannelKind beckon_xmpp_kind;

G_END_DECLS
