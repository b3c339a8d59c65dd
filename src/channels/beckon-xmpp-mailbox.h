/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-xmpp-stanza.h"

G_BEGIN_DECLS

/**
 * BeckonXmppFault:
 * @BECKON_XMPP_FAULT_UNREACHED: no connection came about
 * @BECKON_XMPP_FAULT_LOST: it broke off
 * @BECKON_XMPP_FAULT_PLAIN: the server does not encrypt
 * @BECKON_XMPP_FAULT_CERTIFICATE: its certificate does not hold
 * @BECKON_XMPP_FAULT_PASSWORD: it does not take the password
 * @BECKON_XMPP_FAULT_SIGN_IN: signing in does not work there now
 * @BECKON_XMPP_FAULT_CONFLICT: another client took the connection's name
 * @BECKON_XMPP_FAULT_HOST: it does not serve the account's domain
 * @BECKON_XMPP_FAULT_CLOSED: it ended the connection in order, as before a restart
 * @BECKON_XMPP_FAULT_LARGE: it sent more at once than is taken
 *
 * Why a connection ended.
 */
typedef enum
{
  BECKON_XMPP_FAULT_UNREACHED,
  BECKON_XMPP_FAULT_LOST,
  BECKON_XMPP_FAULT_PLAIN,
  BECKON_XMPP_FAULT_CERTIFICATE,
  BECKON_XMPP_FAULT_PASSWORD,
  BECKON_XMPP_FAULT_SIGN_IN,
  BECKON_XMPP_FAULT_CONFLICT,
  BECKON_XMPP_FAULT_HOST,
  BECKON_XMPP_FAULT_CLOSED,
  BECKON_XMPP_FAULT_LARGE,
} BeckonXmppFault;

/**
 * BeckonXmppHandler:
 * @online: signed in. @is_resumed: it is the session of before, in which nothing was lost
 * @received: something came. Each %BECKON_XMPP_IN_CHAT is answered by one beckon_xmpp_wire_stored(), in their order
 * @accepted: the server has what beckon_xmpp_wire_send() gave this number, and all before it
 * @ended: the connection is no more. @detail: (nullable): what a certificate lacks, in English. @can_resume: the next
 * one may go on with the session, and what the server did not accept is sent again then
 *
 * Called on the main thread, in the order in which things happened.
 */
typedef struct
{
  void (*online) (gboolean is_resumed, gpointer user_data);
  void (*received) (const BeckonXmppIn *in, gpointer user_data);
  void (*accepted) (guint64 number, gpointer user_data);
  void (*ended) (BeckonXmppFault fault, const char *detail, gboolean can_resume, gpointer user_data);
} BeckonXmppHandler;

/**
 * BeckonXmppMailbox:
 *
 * Carries what a wire's thread tells the main thread. Closed on the main thread, it drops what is still in it. Reference
 * counted.
 */
typedef struct _BeckonXmppMailbox BeckonXmppMailbox;

/** @handler: static. Main thread. */
BeckonXmppMailbox *beckon_xmpp_mailbox_new (const BeckonXmppHandler *handler,
                                            gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;
void beckon_xmpp_mailbox_unref (BeckonXmppMailbox *mailbox);

/** From now on no handler is called. Main thread. */
void beckon_xmpp_mailbox_close (BeckonXmppMailbox *mailbox);

/** Each calls the member of the handler with its name, later. @in: (transfer full). @detail: (nullable). */
void beckon_xmpp_mailbox_online (BeckonXmppMailbox *mailbox, gboolean is_resumed);
void beckon_xmpp_mailbox_received (BeckonXmppMailbox *mailbox, BeckonXmppIn *in);
void beckon_xmpp_mailbox_accepted (BeckonXmppMailbox *mailbox, guint64 number);
void
beckon_xmpp_mailbox_ended (BeckonXmppMailbox *mailbox, BeckonXmppFault fault, const char *detail, gboolean can_resume);

G_END_DECLS
