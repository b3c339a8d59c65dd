/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "llm/beckon-codec.h"
#include "store/db/beckon-batch.h"

G_BEGIN_DECLS

/** More than this in one reply is a model that lost its way; the rest is refused one by one, never run. */
#define BECKON_REPLY_MAX_CALLS 128

/**
 * BeckonReply:
 *
 * The reply that one round is receiving, put together from events. Text and reasoning become parts of its message as they
 * come; calls are kept apart until the reply has ended, because a call that was only half received must leave nothing
 * behind. It also knows how much of the message is stored already.
 *
 * The reply may be asked for several times. What came of one try shows until there is anything of the next, which takes its
 * place, in the store within one transaction. If nothing more comes, it is what is left of the reply.
 */
typedef struct _BeckonReply BeckonReply;

BeckonReply *beckon_reply_new (void) G_GNUC_WARN_UNUSED_RESULT;
void         beckon_reply_free (BeckonReply *reply);

/** The reply is asked for, perhaps again and of another provider: its message is a new one. @now: in microseconds */
void beckon_reply_begin (BeckonReply *reply, const char *origin, gint64 now);

/** Sets the time: at first when it was asked for, then of the events that follow. Monotonic, in microseconds. Without it there
 *  is no timing. */
void beckon_reply_set_time (BeckonReply *reply, gint64 now);

/** Takes one event in. Returns %TRUE if it was the first that gave the message something to show. */
gboolean beckon_reply_feed (BeckonReply *reply, const BeckonLlmEvent *event);

/** The message, streaming; borrowed. It may have no parts. */
BeckonMessage *beckon_reply_get_message (BeckonReply *reply);

/** %TRUE once there is anything to show. */
gboolean beckon_reply_has_output (BeckonReply *reply);

/** The use of the tries before whose output is replaced; borrowed. */
const BeckonUsage *beckon_reply_get_spent (BeckonReply *reply);

/** Has @conversation show the message, in place of what came of an earlier try. Once. */
void beckon_reply_show (BeckonReply *reply, BeckonConversation *conversation);

/** Gives a call of a whole reply, which was not shown yet, the name that was meant. */
void beckon_reply_rename_call (BeckonReply *reply, guint index, const char *name);

/** (element-type BeckonToolCall): whole and faulty ones, in order; borrowed. */
GPtrArray *beckon_reply_get_calls (BeckonReply *reply);

/** How it ended; %BECKON_LLM_END_CUT_OFF until an end event came. */
BeckonLlmEnd beckon_reply_get_end (BeckonReply *reply);

/** The last error inside the stream; %NULL if there was none. */
const char *beckon_reply_get_error (BeckonReply *reply);

/** The kind of that error. */
BeckonLlmError beckon_reply_get_error_kind (BeckonReply *reply);

/** Adds to @batch what is not stored yet, the message itself first. Returns %FALSE if there is nothing to add. */
gboolean beckon_reply_flush (BeckonReply *reply, BeckonBatch *batch, const char *conversation_id);

/** Ends a message that has output, or else what is left of an earlier try: the rest of it and its status go to @batch. */
void beckon_reply_end (BeckonReply *reply, BeckonBatch *batch, const char *conversation_id, BeckonMessageStatus status);

/** Shows an end that is stored, or could not be. */
void beckon_reply_show_end (BeckonReply *reply, BeckonMessageStatus status);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonReply, beckon_reply_free)

/** Remembers what was flushed so far, and goes back to it when what was flushed since could not be written. */
void beckon_reply_mark (BeckonReply *reply);
void beckon_reply_rewind (BeckonReply *reply);

G_END_DECLS
