/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-cut-proxy.h"
#include "beckon-prosody.h"

#include "channels/beckon-xmpp-adapter.h"

G_BEGIN_DECLS

#define BECKON_XMPP_ACCOUNT "beckon@" BECKON_PROSODY_DOMAIN
#define BECKON_XMPP_ANNA "anna@" BECKON_PROSODY_PEERS
#define BECKON_XMPP_PASSWORD "correct-horse"

/**
 * BeckonXmppCase:
 *
 * A real server, an adapter, and what came to it. Members are the test's.
 */
typedef struct
{
  BeckonProsody *prosody;
  BeckonCutProxy *network; /* (nullable) */
  BeckonChannelAdapter *adapter;
  GPtrArray *messages;
  gboolean holds; /* nothing is stored by itself */
} BeckonXmppCase;

/** The @nth message that came; borrowed. */
BeckonChannelIncoming *beckon_xmpp_case_get (BeckonXmppCase *self, guint nth);
/** Each wait is for one event that must come, or the test's timeout ends it. */
void beckon_xmpp_case_wait (BeckonXmppCase *self, guint n);
void beckon_xmpp_case_wait_state (BeckonXmppCase *self, BeckonChannelState state);
/** Starts the adapter. @password: (nullable). */
void beckon_xmpp_case_start_at (BeckonXmppCase *self, guint16 port, const char *password);
/** For a case without a server. */
void beckon_xmpp_case_make_adapter (BeckonXmppCase *self);
/** Starts a server and makes an adapter; %FALSE where it was skipped. @options: (nullable). */
gboolean beckon_xmpp_case_open (BeckonXmppCase *self, const char *certificate, const char *options);
/** Starts the adapter and waits until it is connected. */
void beckon_xmpp_case_begin (BeckonXmppCase *self);
/** The same, through @network. */
void beckon_xmpp_case_begin_behind_network (BeckonXmppCase *self);
void beckon_xmpp_case_close (BeckonXmppCase *self);
/** The adapter's problem has @part in its words. */
void beckon_xmpp_case_assert_problem (BeckonXmppCase *self, const char *part);
/** For beckon_channel_adapter_send_async(); @user_data is where the id goes, or "! " and the error. */
void beckon_xmpp_case_on_sent (GObject *source, GAsyncResult *result, gpointer user_data);
/** Waits for that; borrowed. */
char *beckon_xmpp_case_wait_end (char **end);
/** Sends to Anna. @edits: (nullable). Caller frees what beckon_xmpp_case_on_sent() says. */
char *beckon_xmpp_case_send (BeckonXmppCase *self, const char *text, const char *edits);
/** Anna writes; @body is XML. */
void beckon_xmpp_case_write (BeckonXmppCase *self, const char *id, const char *body);
/** Anna writes, and asks to be told what becomes of it. */
void beckon_xmpp_case_ask_receipt (BeckonXmppCase *self, const char *id);
/** Waits until the server's log has @part. */
void beckon_xmpp_case_wait_log (BeckonXmppCase *self, const char *part);
/** How often it has. */
guint beckon_xmpp_case_count_log (BeckonXmppCase *self, const char *part);

G_END_DECLS
