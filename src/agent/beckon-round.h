/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-prompt-prefix.h"
#include "agent/beckon-reply.h"
#include "agent/beckon-run.h"
#include "agent/beckon-tries.h"
#include "domain/beckon-run-phase.h"

G_BEGIN_DECLS

/**
 * BeckonRoundEnd:
 * @BECKON_ROUND_CALLS: the reply is whole and has calls
 * @BECKON_ROUND_SEARCHES: the provider paused it in the middle of a search; given back as it is, it goes on
 * @BECKON_ROUND_THOUGHTS: the reply is whole and has nothing but reasoning
 * @BECKON_ROUND_ENDED: the turn is over
 * @BECKON_ROUND_FAILED: it failed, and nothing that could be tried is left
 */
typedef enum
{
  BECKON_ROUND_CALLS,
  BECKON_ROUND_SEARCHES,
  BECKON_ROUND_THOUGHTS,
  BECKON_ROUND_ENDED,
  BECKON_ROUND_FAILED,
} BeckonRoundEnd;

/**
 * BeckonRoundResult:
 * @end: how it ended
 * @event: with %BECKON_ROUND_ENDED, what happens to the run
 * @status: with %BECKON_ROUND_ENDED, of the message
 * @detail: (nullable): with %BECKON_ROUND_ENDED and %BECKON_ROUND_FAILED, the reason in words for the person
 */
typedef struct
{
  BeckonRoundEnd end;
  BeckonRunEvent event;
  BeckonMessageStatus status;
  const char *detail;
} BeckonRoundResult;

typedef struct _BeckonTurn BeckonTurn;

#define BECKON_TYPE_ROUND (beckon_round_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRound, beckon_round, BECKON, ROUND, GObject)

/**
 * BeckonRound:
 *
 * One request to the model: it is made to fit, sent, streamed into a reply, and sent again where that may help. A request that
 * would not fit has what came first summarized before: the model writes a summary, and from then on is told that in its place;
 * nothing is taken out of the conversation. A reply that breaks off is asked for again as one that never came, because no call
 * of it starts before it is whole. Main thread.
 */

/**
 * beckon_round_new:
 * @parts: what to work with; references are taken
 * @conversation: the conversation, all of it loaded
 * @tries: (transfer none): the run's; it lives until the round has ended or was cancelled
 * @prefix: (transfer none): likewise
 * @cancellable: cancels what is under way
 * @run: whose it is, and which it moves; it outlives the round's end
 * @turn: told of the end by beckon_turn_take_result(), once, unless the round is cancelled
 *
 * Returns: (transfer full): a round that has not begun
 */
BeckonRound *beckon_round_new (const BeckonAgentParts *parts, BeckonConversation *conversation, BeckonTries *tries,
                               BeckonPromptPrefix *prefix, GCancellable *cancellable, BeckonRun *run,
                               BeckonTurn *turn) G_GNUC_WARN_UNUSED_RESULT;

/** Sends the request. %FALSE if the round has ended already. */
gboolean beckon_round_begin (BeckonRound *round);

/** The batch given to beckon_run_store_for_round() is stored. */
void beckon_round_resume (BeckonRound *round);

/** Ignores all later events of the provider; the reply keeps what was sent. Any time, more than once. */
void beckon_round_cancel (BeckonRound *round);

/** The reply, as far as it was received; borrowed. */
BeckonReply *beckon_round_get_reply (BeckonRound *round);

G_END_DECLS
