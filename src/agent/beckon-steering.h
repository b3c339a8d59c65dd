/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent-parts.h"
#include "store/db/beckon-run-record.h"

G_BEGIN_DECLS

/** A person's message of @text behind @files. @id: (nullable): one of its own. Caller owns. */
BeckonMessage *beckon_steering_make_message (BeckonClock *clock, const char *id, const char *text,
                                             GPtrArray *files) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_steering_take_async:
 * @parts: the store and the clock are taken from it
 * @conversation: between two rounds of its run
 * @record: the run's row as it is now; this process drives it
 * @callback: called later
 * @user_data: for @callback
 *
 * Puts the messages that a person wants the model to see now at the end of the history, in order: each leaves the queue and
 * joins the history in one transaction, whichever process queued it. Main thread.
 */
void     beckon_steering_take_async (const BeckonAgentParts *parts, BeckonConversation *conversation,
                                     const BeckonRunRecord *record, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_steering_take_finish (GAsyncResult *result, GError **error);

G_END_DECLS
