/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** The most that one attachment may have, and how many of one message are looked at. */
#define BECKON_CHANNEL_ATTACHMENT_MAX (20 * 1024 * 1024)
#define BECKON_CHANNEL_MAX_ATTACHMENTS 8

/** The most bytes of a text that comes in, of an address and of an id; what is longer is cut, or not taken at all. */
#define BECKON_CHANNEL_TEXT_MAX (64 * 1024)
#define BECKON_CHANNEL_ID_MAX 512

/** The most bytes of what only a server reads again: a file's reference, a context. A longer one is not taken. */
#define BECKON_CHANNEL_REFERENCE_MAX 4096

/** The most bytes of a #BeckonChannelChoice's code: Telegram gives a button 64. */
#define BECKON_CHANNEL_CODE_MAX 48

/**
 * BeckonChannelChoice:
 * @label: words for a button, valid UTF-8
 * @code: ASCII that comes back as #BeckonChannelIncoming.code when it is pressed, at most %BECKON_CHANNEL_CODE_MAX bytes
 */
typedef struct
{
  char *label;
  char *code;
} BeckonChannelChoice;

/**
 * BeckonChannelOutgoing:
 * @id: a ULID, the same at each try, for protocols that can tell a repetition (`client_id`, an XMPP stanza's id)
 * @address: to whom
 * @title: one line that gives nothing away, for adapters that send no text
 * @text: the text, valid UTF-8, within the adapter's limits already
 * @choices: (element-type BeckonChannelChoice): buttons, in their order; may be empty. Adapters without buttons leave
 *   them out: @text says how to answer all the same
 * @edits: (nullable): the remote id of the message that this takes the place of
 * @context: (nullable): the newest #BeckonChannelIncoming.context of this peer
 * @conversation_id: (nullable): what it tells of
 *
 * A message that leaves. Built, then not changed; reference counted. Any thread.
 */
typedef struct
{
  char *id;
  char *address;
  char *title;
  char *text;
  GPtrArray *choices;
  char *edits;
  char *context;
  char *conversation_id;
} BeckonChannelOutgoing;

/** @id: (nullable): %NULL makes one. The others as above; fill in @edits, @context and @conversation_id before anyone else
 *  sees it. */
BeckonChannelOutgoing *beckon_channel_outgoing_new (const char *id, const char *address, const char *title,
                                                    const char *text) G_GNUC_WARN_UNUSED_RESULT;
void                   beckon_channel_outgoing_add_choice (BeckonChannelOutgoing *outgoing, const char *label,
                                                           const char *code);
BeckonChannelOutgoing *beckon_channel_outgoing_ref (BeckonChannelOutgoing *outgoing);
void                   beckon_channel_outgoing_unref (BeckonChannelOutgoing *outgoing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelOutgoing, beckon_channel_outgoing_unref)

/**
 * BeckonChannelAttachment:
 * @reference: what the adapter fetches it by: a file's id, an address, a JSON object; only the adapter reads it
 * @name: (nullable): a file's name as the sender says
 * @media_type: (nullable): as the sender says
 * @size: bytes as the server says; -1 where it does not
 *
 * A file that came with a message. Nothing of it is fetched before its sender is known to be allowed.
 */
typedef struct
{
  char *reference;
  char *name;
  char *media_type;
  gint64 size;
} BeckonChannelAttachment;

/**
 * BeckonChannelIncoming:
 * @id: the message's id, unique within the account
 * @address: from whom; what the peer is known by from now on, never a name that it can choose
 * @name: (nullable): what the peer calls itself; shown, never compared
 * @text: (nullable): what was written, or said, valid UTF-8; %NULL for a button
 * @code: (nullable): the code of the button that was pressed
 * @button_message: (nullable): with @code, the remote id of the message with the button
 * @quote: (nullable): text, or the remote id, of the message that this replies to
 * @context: (nullable): kept for the peer and handed back with what is sent to it
 * @is_group: more than one person reads there; the desk answers nothing in a group
 * @at: microseconds since the epoch as the server says; 0 where it does not
 * @number: where messages of both sides are counted together, its place among them, as remote ids are; 0 elsewhere
 * @attachments: (element-type BeckonChannelAttachment): may be empty
 *
 * A message that came, parsed and bounded by the adapter. Filled in, then not changed; reference counted.
 */
typedef struct
{
  char *id;
  char *address;
  char *name;
  char *text;
  char *code;
  char *button_message;
  char *quote;
  char *context;
  gboolean is_group;
  gint64 at;
  gint64 number;
  GPtrArray *attachments;
} BeckonChannelIncoming;

/** Bytes that are no character become U+FFFD; a text that is too long is cut. @text: (nullable). */
BeckonChannelIncoming *beckon_channel_incoming_new (const char *id, const char *address,
                                                    const char *text) G_GNUC_WARN_UNUSED_RESULT;
/** Cuts what was filled in since to the same bounds. */
void                   beckon_channel_incoming_bound (BeckonChannelIncoming *incoming);
/** Beyond %BECKON_CHANNEL_MAX_ATTACHMENTS, and with a longer reference than is taken, nothing is added.
 * @name, @media_type: (nullable). */
void                   beckon_channel_incoming_add_attachment (BeckonChannelIncoming *incoming, const char *reference,
                                                               const char *name, const char *media_type, gint64 size);
BeckonChannelIncoming *beckon_channel_incoming_ref (BeckonChannelIncoming *incoming);
void                   beckon_channel_incoming_unref (BeckonChannelIncoming *incoming);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelIncoming, beckon_channel_incoming_unref)

G_END_DECLS
