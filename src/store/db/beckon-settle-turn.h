/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-session.h"

G_BEGIN_DECLS

/**
 * beckon_settle_turn_is_precondition:
 * @database: a database in a transaction
 * @conversation_id: whose last turn
 * @message_id: (nullable): the message that asked
 *
 * Returns: %TRUE if the conversation's last turn ended with what this message asked, so that an answer begins the next one
 */
gboolean beckon_settle_turn_is_precondition (BeckonDatabase *database, const char *conversation_id, const char *message_id);

/**
 * beckon_settle_turn_exec:
 * @database: a database in a writing transaction, with the settlement of one of the message's requests in it
 * @conversation_id: whose turn
 * @message_id: the message that asked
 * @at: microseconds since the epoch
 * @error: return location
 *
 * When nothing of the turn is pending any more: makes what was answered the person's next message and queues a run on it,
 * which no process drives yet. If nothing was answered the turn counts as dismissed.
 */
gboolean beckon_settle_turn_exec (BeckonDatabase *database, const char *conversation_id, const char *message_id, gint64 at,
                                  GError **error);

/** Queues a run as the conversation's last one was, which no process drives yet. @at: microseconds since the epoch */
gboolean beckon_settle_turn_queue (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error);

/** Cancels what the conversation's last turn still asks, because something else is the next message. */
gboolean beckon_settle_turn_cancel (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error);

G_END_DECLS
