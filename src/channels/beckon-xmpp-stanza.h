/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Namespaces that both directions know. */
#define BECKON_XMPP_NS_IDS "urn:xmpp:sid:0"
#define BECKON_XMPP_NS_INFO "http://jabber.org/protocol/disco#info"
#define BECKON_XMPP_NS_FILES "jabber:x:oob"
#define BECKON_XMPP_NS_MARKERS "urn:xmpp:chat-markers:0"
#define BECKON_XMPP_NS_PING "urn:xmpp:ping"
#define BECKON_XMPP_NS_RECEIPTS "urn:xmpp:receipts"
#define BECKON_XMPP_NS_REPLY "urn:xmpp:reply:0"

/** By this id the answer with the contact list is known. */
#define BECKON_XMPP_CONTACTS_ID "beckon-contacts"

/** So begins the id of a ping; its answer has the same. */
#define BECKON_XMPP_PING_PREFIX "beckon-ping-"

/** The most entries of a contact list that are read. */
#define BECKON_XMPP_MAX_CONTACTS 1000

/**
 * BeckonXmppInKind:
 * @BECKON_XMPP_IN_CHAT: a message of a chat that has a text or files, or is encrypted
 * @BECKON_XMPP_IN_BOUNCE: a message that was sent came back with an error
 * @BECKON_XMPP_IN_SUBSCRIBE: someone asks to see whether the account is there
 * @BECKON_XMPP_IN_CONTACTS: the account's contact list, or a change of it
 * @BECKON_XMPP_IN_QUERY: someone asks the client itself for something, and expects an answer
 */
typedef enum
{
  BECKON_XMPP_IN_CHAT,
  BECKON_XMPP_IN_BOUNCE,
  BECKON_XMPP_IN_SUBSCRIBE,
  BECKON_XMPP_IN_CONTACTS,
  BECKON_XMPP_IN_QUERY,
} BeckonXmppInKind;

/**
 * BeckonXmppIn:
 * @from: the sender's full address; "" for the account's own server
 * @id: (nullable): as the sender chose it
 * @server_id: (nullable): as the account's own server chose it
 * @body: (nullable): the text, without what only repeats the message that it answers
 * @files: (nullable) (array zero-terminated=1): addresses of files that came with it; https alone
 * @reply_to: (nullable): the id of the message that it answers
 * @query: (nullable): the namespace of what a query asks for
 * @node: (nullable): of what a query asks for, a part
 * @condition: (nullable): the name of a bounce's error
 * @contacts: (nullable) (array zero-terminated=1): addresses that the account has made its contacts
 * @at: microseconds since the epoch, where a server held it back; 0 otherwise
 * @is_encrypted: it has a text that only another client can read
 * @wants_receipt: the sender asks to be told that it arrived
 * @is_markable: the sender asks to be told that it was read
 *
 * Something that a server sent, with all that is looked at. Filled in by one thread, then not changed.
 */
typedef struct
{
  BeckonXmppInKind kind;
  char *from;
  char *id;
  char *server_id;
  char *body;
  char **files;
  char *reply_to;
  char *query;
  char *node;
  char *condition;
  char **contacts;
  gint64 at;
  gboolean is_encrypted;
  gboolean wants_receipt;
  gboolean is_markable;
} BeckonXmppIn;

/** @from: (nullable): %NULL is "". Caller owns. */
BeckonXmppIn *beckon_xmpp_in_new (BeckonXmppInKind kind, const char *from) G_GNUC_WARN_UNUSED_RESULT;
void beckon_xmpp_in_free (BeckonXmppIn *in);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonXmppIn, beckon_xmpp_in_free)

/**
 * BeckonXmppOutKind:
 * @BECKON_XMPP_OUT_CHAT: a text
 * @BECKON_XMPP_OUT_RECEIPT: a message arrived
 * @BECKON_XMPP_OUT_DISPLAYED: a message was read
 * @BECKON_XMPP_OUT_COMPOSING: the account's owner writes
 * @BECKON_XMPP_OUT_ACTIVE: no longer
 * @BECKON_XMPP_OUT_PRESENCE: the account is there
 * @BECKON_XMPP_OUT_SUBSCRIBE: asks to see whether a contact is there
 * @BECKON_XMPP_OUT_SUBSCRIBED: lets a contact see whether the account is there
 * @BECKON_XMPP_OUT_FORGET: takes a contact off the list, and with that what each sees of the other
 * @BECKON_XMPP_OUT_CONTACTS: asks for the contact list
 * @BECKON_XMPP_OUT_PING: asks the server for an answer, whichever
 * @BECKON_XMPP_OUT_FEATURES: answers a query with what this client can do
 * @BECKON_XMPP_OUT_DONE: answers a query with nothing
 * @BECKON_XMPP_OUT_UNAVAILABLE: answers a query with an error
 */
typedef enum
{
  BECKON_XMPP_OUT_CHAT,
  BECKON_XMPP_OUT_RECEIPT,
  BECKON_XMPP_OUT_DISPLAYED,
  BECKON_XMPP_OUT_COMPOSING,
  BECKON_XMPP_OUT_ACTIVE,
  BECKON_XMPP_OUT_PRESENCE,
  BECKON_XMPP_OUT_SUBSCRIBE,
  BECKON_XMPP_OUT_SUBSCRIBED,
  BECKON_XMPP_OUT_FORGET,
  BECKON_XMPP_OUT_CONTACTS,
  BECKON_XMPP_OUT_PING,
  BECKON_XMPP_OUT_FEATURES,
  BECKON_XMPP_OUT_DONE,
  BECKON_XMPP_OUT_UNAVAILABLE,
} BeckonXmppOutKind;

/**
 * BeckonXmppOut:
 * @to: (nullable): to whom; the server otherwise
 * @id: (nullable): the stanza's id; messages and answers have one
 * @body: (nullable): a text, valid UTF-8
 * @refers: (nullable): the id of a message: of the one that a text takes the place of, that arrived, or that was read;
 * the node of a query
 *
 * Something to send.
 */
typedef struct
{
  BeckonXmppOutKind kind;
  char *to;
  char *id;
  char *body;
  char *refers;
} BeckonXmppOut;

/** Caller owns. */
BeckonXmppOut *beckon_xmpp_out_new (BeckonXmppOutKind kind, const char *to, const char *id) G_GNUC_WARN_UNUSED_RESULT;
void beckon_xmpp_out_free (BeckonXmppOut *out);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonXmppOut, beckon_xmpp_out_free)

/** The stanza. Caller frees. */
char *beckon_xmpp_out_to_xml (const BeckonXmppOut *out) G_GNUC_WARN_UNUSED_RESULT;

/** The address without what names one of its clients. Caller frees. */
char *beckon_xmpp_dup_bare (const char *address) G_GNUC_WARN_UNUSED_RESULT;

/** The server's part of an address; %NULL if it has none. Caller frees. */
char *beckon_xmpp_dup_domain (const char *address) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @address is user@server, with nothing after it. */
gboolean beckon_xmpp_is_account (const char *address);

/** @text without its characters from @start to before @end; all of it, if it has no such place. Caller frees. */
char *beckon_xmpp_take_out (const char *text, guint64 start, guint64 end) G_GNUC_WARN_UNUSED_RESULT;

/** Microseconds since the epoch of a time as in XEP-0082; 0 for anything else. */
gint64 beckon_xmpp_read_time (const char *stamp);

G_END_DECLS
