/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-parts.h"
#include "channels/beckon-channel.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNEL_TALK (beckon_channel_talk_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelTalk, beckon_channel_talk, BECKON, CHANNEL_TALK, GObject)

/**
 * BeckonChannelTalk:
 *
 * The conversation of an account: what its person writes becomes messages in it, and what the agent says at the end of a turn
 * is sent back. The window shows the same conversation. Main thread.
 */
BeckonChannelTalk *beckon_channel_talk_new (BeckonChannel *channel,
                                            const BeckonChannelParts *parts) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_channel_talk_send_async:
 * @talk: a talk
 * @inbound: what came
 * @incoming: the same, with its attachments
 * @text: what becomes the message; may be empty where there are attachments
 * @is_new: it begins another conversation
 * @waits: while a turn runs it is sent after it, not at its next step
 * @callback: called later, once
 * @user_data: for @callback
 *
 * Stores a message in the conversation, with the mark that @inbound is handled, in one transaction: it becomes exactly one.
 */
void  beckon_channel_talk_send_async (BeckonChannelTalk *talk, const BeckonChannelInbound *inbound,
                                      BeckonChannelIncoming *incoming, const char *text, gboolean is_new, gboolean waits,
                                      GAsyncReadyCallback callback, gpointer user_data);

/** Words for the person, "" for nothing (caller frees); %NULL with words for them. */
char *beckon_channel_talk_send_finish (BeckonChannelTalk *talk, GAsyncResult *result, GError **error);

/** The account's conversation; %NULL while there is none. Borrowed. */
BeckonConversation *beckon_channel_talk_get_conversation (BeckonChannelTalk *talk);

/** The next end of a turn of that conversation is sent, though it is not the account's: something was answered in it. */
void beckon_channel_talk_follow (BeckonChannelTalk *talk, const char *conversation_id);

/** (nullable): the conversation that a person looks at just now, and that is not told of. */
void beckon_channel_talk_set_watched (BeckonChannelTalk *talk, const char *conversation_id);

/** Says what goes on, for “/status”. Caller frees. */
char *beckon_channel_talk_dup_status (BeckonChannelTalk *talk) G_GNUC_WARN_UNUSED_RESULT;

/** Begins to tell of the account's conversation, from where it was left. */
void beckon_channel_talk_begin (BeckonChannelTalk *talk);
void beckon_channel_talk_end (BeckonChannelTalk *talk);

G_END_DECLS
