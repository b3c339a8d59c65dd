/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-session.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/** Cancels the open questions of a conversation that its model did not wait for: the person stopped the run. */
gboolean beckon_settle_late_end (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error);

/** Cancels those of messages that are not shown any more: there is another version of what asked them. */
gboolean beckon_settle_late_leave (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error);

/** @message_id: (nullable): the message that asked. Whether the next turn can tell an answer to it. */
gboolean beckon_settle_late_is_shown (BeckonDatabase *database, const char *message_id);

/**
 * beckon_settle_late_exec:
 * @database: a database in a writing transaction, with the settlement in it
 * @conversation_id: a conversation whose run is over
 * @state: what became of a question that its model did not wait for
 * @at: microseconds since the epoch
 * @error: return location
 *
 * Queues a run that tells the answer, which no process drives yet, if a person gave one.
 */
gboolean beckon_settle_late_exec (BeckonDatabase *database, const char *conversation_id, BeckonRequestState state, gint64 at,
                                  GError **error);

G_END_DECLS
