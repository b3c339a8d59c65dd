/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-session.h"
#include "request/beckon-request.h"
#include "request/beckon-settlement.h"
#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonSettleMode:
 * @BECKON_SETTLE_ANSWER: an answer, in a transaction of its own; a request whose ground is gone becomes cancelled, and one
 *   that a tool of a dead process asked unavailable
 * @BECKON_SETTLE_STRICT: in a transaction of the run's own; an earlier settlement wins and the transaction fails
 * @BECKON_SETTLE_LENIENT: likewise, but a request that was settled is left as it is
 */
typedef enum
{
  BECKON_SETTLE_ANSWER,
  BECKON_SETTLE_STRICT,
  BECKON_SETTLE_LENIENT,
} BeckonSettleMode;

/**
 * beckon_settle_exec:
 * @session: its database is in a writing transaction
 * @settlement: what is to be settled
 * @mode: see #BeckonSettleMode
 * @keep: (out): %TRUE if the transaction is to be committed even though this fails
 * @error: return location
 *
 * Writes the settlement, the call's move, its result and the provenance.
 *
 * Returns: %FALSE with %BECKON_REQUEST_ERROR_ALREADY_SETTLED, %BECKON_REQUEST_ERROR_UNKNOWN, %BECKON_ERROR_CONFLICT or
 *   an error of the store
 */
gboolean beckon_settle_exec (BeckonSession *session, const BeckonSettlement *settlement, BeckonSettleMode mode,
                             gboolean *keep, GError **error);

/** Whether somebody was first, and then with the error that says who; without a transaction, so that who comes too late holds
 *  up nobody. */
gboolean beckon_settle_is_over (BeckonDatabase *database, const char *request_id, GError **error);

/** Prepares what an answer will need, so that it need not wait for that. */
void beckon_settle_warm (BeckonDatabase *database);

/** Cancels what the conversation's last turn still asks, because something else is the next message. */
gboolean beckon_settle_turn_cancel (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error);

/** Cancels the open questions of a conversation that its model did not wait for: the person stopped the run. */
gboolean beckon_settle_late_end (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error);

/** Cancels those of messages that are not shown any more: there is another version of what asked them. */
gboolean beckon_settle_late_leave (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error);

/**
 * BeckonLateAnswer:
 * @request_id: (owned): which question
 * @call_id: (owned) (nullable): the call that asked it
 * @text: (owned): the message that it is to become
 * @is_dismissed: the person dismissed it
 *
 * The answer to a question that the model did not wait for, or its end without one.
 */
typedef struct
{
  char *request_id;
  char *call_id;
  char *text;
  gboolean is_dismissed;
} BeckonLateAnswer;

/**
 * BeckonLateAnswers:
 * @answers: (owned) (element-type BeckonLateAnswer): those that are no message yet, in the order in which they were given
 * @n_open: how many such questions are open
 *
 * What became of the questions of a conversation that its model did not wait for.
 */
typedef struct
{
  GPtrArray *answers;
  guint n_open;
} BeckonLateAnswers;

/** @text: (transfer full) */
BeckonLateAnswer *beckon_late_answer_new (const char *request_id, const char *call_id, char *text,
                                          gboolean is_dismissed) G_GNUC_WARN_UNUSED_RESULT;

BeckonLateAnswers *beckon_late_answers_new (void) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_late_answers_free (BeckonLateAnswers *answers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLateAnswers, beckon_late_answers_free)

G_END_DECLS
