/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent-parts.h"
#include "store/db/beckon-run-record.h"

G_BEGIN_DECLS

/**
 * BeckonSteering:
 * @n_taken: messages that joined the history
 * @n_open: questions that the model did not wait for and that are open still
 * @is_dismissed: nothing was taken, because all there is to tell is that such questions were dismissed
 *
 * What a round boundary found.
 */
typedef struct
{
  guint n_taken;
  guint n_open;
  gboolean is_dismissed;
} BeckonSteering;

/** A person's message of @text behind @files. @id: (nullable): one of its own. Caller owns. */
BeckonMessage *beckon_steering_make_message (BeckonClock *clock, const char *id, const char *text,
                                             GPtrArray *files) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_steering_take_async:
 * @parts: the store and the clock are taken from it
 * @conversation: between two rounds of its run
 * @record: the run's row as it is now; this process drives it
 * @leaves_dismissed: dismissed questions are left where nothing else is to be told
 * @takes_queue: messages that wait for the end of the turn are taken, too, unless questions are open
 * @callback: called later
 * @user_data: for @callback
 *
 * Puts the answers to questions that the model did not wait for, and the messages that a person wants it to see now, at the
 * end of the history, in order: each leaves where it waited and joins the history in one transaction, whichever process put it
 * there. Main thread.
 */
void     beckon_steering_take_async (const BeckonAgentParts *parts, BeckonConversation *conversation,
                                     const BeckonRunRecord *record, gboolean leaves_dismissed, gboolean takes_queue,
                                     GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_steering_take_finish (GAsyncResult *result, BeckonSteering *steering, GError **error);

G_END_DECLS
