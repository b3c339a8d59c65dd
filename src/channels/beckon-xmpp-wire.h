/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-xmpp-mailbox.h"

G_BEGIN_DECLS

/** How many messages may be on their way to the store; then nothing more is read from the server. */
#define BECKON_XMPP_MAX_UNSTORED 64

/**
 * BeckonXmppWire:
 *
 * An XMPP client on a thread of its own; all that knows libstrophe. The main thread talks to it and is never held up.
 * Idle, it sleeps until the server or the main thread has something for it.
 */
typedef struct _BeckonXmppWire BeckonXmppWire;

/** @handler: static. Free with beckon_xmpp_wire_close(). */
BeckonXmppWire *beckon_xmpp_wire_new (const BeckonXmppHandler *handler, gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_xmpp_wire_connect:
 * @wire: a wire without a connection: new, or after `ended`
 * @address: the account, with the name of this client
 * @password: the account's
 * @host: a numeric address that answers
 * @port: its port
 * @is_direct: TLS comes first there, without being asked for
 *
 * Begins to connect and to sign in, over TLS alone, with a certificate that the system trusts for the account's domain.
 */
void beckon_xmpp_wire_connect (BeckonXmppWire *wire,
                               const char *address,
                               const char *password,
                               const char *host,
                               guint16 port,
                               gboolean is_direct);

/** Sends; without a connection it is dropped. @out: (transfer full). Returns a number that grows, for `accepted`. */
guint64 beckon_xmpp_wire_send (BeckonXmppWire *wire, BeckonXmppOut *out);

/** The oldest message that is not stored yet is stored, or not to be: the server may forget it. */
void beckon_xmpp_wire_stored (BeckonXmppWire *wire);

/** Breaks the connection off, as the network would. */
void beckon_xmpp_wire_cut (BeckonXmppWire *wire);

/** Ends it at once, and frees it; no handler is called any more. The server is told in the background. */
void beckon_xmpp_wire_close (BeckonXmppWire *wire);

G_END_DECLS
