/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonRunPhase:
 * @BECKON_RUN_QUEUED: stored, not yet driven
 * @BECKON_RUN_REQUESTING: a request to the provider is under way, nothing came back yet; an earlier try may still show
 * @BECKON_RUN_RETRY_WAIT: the provider asked for patience, or broke off; the next try has a time
 * @BECKON_RUN_RECEIVING: the reply is streaming
 * @BECKON_RUN_CALLING: tool calls are being decided or running
 * @BECKON_RUN_WAITING: no call can move without a person, the first round can't begin, or the model is done but for the
 *   answers to questions that it did not wait for
 * @BECKON_RUN_COMPLETE: the model finished its turn
 * @BECKON_RUN_STOPPED: the person stopped it
 * @BECKON_RUN_DISMISSED: the person dismissed a question, which stops the run; it can be continued
 * @BECKON_RUN_FAILED: it failed; the reason is stored beside the phase
 * @BECKON_RUN_CUT_OFF: the reply ended without the protocol's own end
 * @BECKON_RUN_LENGTH: the model reached its output limit
 * @BECKON_RUN_ROUND_LIMIT: the limit of rounds was reached; it can be continued
 * @BECKON_RUN_REFUSED: the model refused
 * @BECKON_RUN_FILTERED: the provider's content filter ended the reply
 * @BECKON_RUN_PAUSED: the provider paused the turn and expects to be called again
 * @BECKON_RUN_ASKED: the turn ended with a question; its answer is the next message and begins the next run
 *
 * Where one run (one turn of the agent) stands. Everything from @BECKON_RUN_COMPLETE on is an end.
 */
typedef enum
{
  BECKON_RUN_QUEUED,
  BECKON_RUN_REQUESTING,
  BECKON_RUN_RETRY_WAIT,
  BECKON_RUN_RECEIVING,
  BECKON_RUN_CALLING,
  BECKON_RUN_WAITING,
  BECKON_RUN_COMPLETE,
  BECKON_RUN_STOPPED,
  BECKON_RUN_DISMISSED,
  BECKON_RUN_FAILED,
  BECKON_RUN_CUT_OFF,
  BECKON_RUN_LENGTH,
  BECKON_RUN_ROUND_LIMIT,
  BECKON_RUN_REFUSED,
  BECKON_RUN_FILTERED,
  BECKON_RUN_PAUSED,
  BECKON_RUN_ASKED,
} BeckonRunPhase;

#define BECKON_RUN_N_PHASES (BECKON_RUN_ASKED + 1)

/**
 * BeckonRunEvent:
 * @BECKON_RUN_EVENT_REQUEST: a request is sent to the provider (first, next round, or a retry that is due)
 * @BECKON_RUN_EVENT_RETRY: the provider is to be tried again later
 * @BECKON_RUN_EVENT_OUTPUT: the first piece of a reply came
 * @BECKON_RUN_EVENT_CALLS: the reply is stored and has tool calls
 * @BECKON_RUN_EVENT_WAIT: no call can move without a person, the first round can't begin, or the reply is stored, has no calls,
 *   and questions are open
 * @BECKON_RUN_EVENT_RESUME: a person's answer lets a call move, or goes to the model
 * @BECKON_RUN_EVENT_COMPLETE: the reply is stored and has no calls, and no question is open
 * @BECKON_RUN_EVENT_STOP: the person stops it
 * @BECKON_RUN_EVENT_DISMISS: the person dismissed a question
 * @BECKON_RUN_EVENT_FAIL: an error ended it
 * @BECKON_RUN_EVENT_CUT: the stream ended without its end
 * @BECKON_RUN_EVENT_LENGTH: output limit
 * @BECKON_RUN_EVENT_LIMIT: round limit
 * @BECKON_RUN_EVENT_REFUSE: refusal
 * @BECKON_RUN_EVENT_FILTER: content filter
 * @BECKON_RUN_EVENT_PAUSE: the provider paused its turn
 * @BECKON_RUN_EVENT_HOLDER_DIED: the process that drove it is gone
 * @BECKON_RUN_EVENT_ASK: the reply is stored and asks something that ends the turn
 *
 * What can happen to a run.
 */
typedef enum
{
  BECKON_RUN_EVENT_REQUEST,
  BECKON_RUN_EVENT_RETRY,
  BECKON_RUN_EVENT_OUTPUT,
  BECKON_RUN_EVENT_CALLS,
  BECKON_RUN_EVENT_WAIT,
  BECKON_RUN_EVENT_RESUME,
  BECKON_RUN_EVENT_COMPLETE,
  BECKON_RUN_EVENT_STOP,
  BECKON_RUN_EVENT_DISMISS,
  BECKON_RUN_EVENT_FAIL,
  BECKON_RUN_EVENT_CUT,
  BECKON_RUN_EVENT_LENGTH,
  BECKON_RUN_EVENT_LIMIT,
  BECKON_RUN_EVENT_REFUSE,
  BECKON_RUN_EVENT_FILTER,
  BECKON_RUN_EVENT_PAUSE,
  BECKON_RUN_EVENT_HOLDER_DIED,
  BECKON_RUN_EVENT_ASK,
} BeckonRunEvent;

#define BECKON_RUN_N_EVENTS (BECKON_RUN_EVENT_ASK + 1)

/**
 * beckon_run_phase_next:
 * @phase: where the run stands
 * @event: what happened
 * @next: (out) (optional): where it stands then; untouched when the pair is not in the table
 *
 * The table of a run's life. A reply may begin and end in one read, so every ending of a reply is reached from
 * requesting as well as from receiving. Pure; any thread.
 *
 * Returns: %TRUE if the pair is in the table; a caller that gets %FALSE has a programming error
 */
gboolean beckon_run_phase_next (BeckonRunPhase phase, BeckonRunEvent event, BeckonRunPhase *next);

/** Whether the model is asked later, and the detail beside the phase, if there is one, says why. Pure; any thread. */
gboolean beckon_run_phase_is_delayed (BeckonRunPhase phase);

/**
 * beckon_run_phase_is_end:
 * @phase: a phase
 *
 * Returns: %TRUE if the run is over
 */
gboolean beckon_run_phase_is_end (BeckonRunPhase phase);

/**
 * beckon_run_phase_can_continue:
 * @phase: a phase
 *
 * Returns: %TRUE for an end after which a new run on the same history makes sense without a new message
 *   (dismissed, failed, cut off, length, round limit, paused, stopped)
 */
gboolean beckon_run_phase_can_continue (BeckonRunPhase phase);

/** Stands before the stored detail of a run that failed because the server does not have the model. */
#define BECKON_RUN_MODEL_GONE "model-gone\n"

/**
 * BeckonRunCause:
 * @BECKON_RUN_CAUSE_OTHER: any other cause, or none is known
 * @BECKON_RUN_CAUSE_MODEL: the server doesn't have the model
 * @BECKON_RUN_CAUSE_KEY: there is no key, or the server refuses it
 * @BECKON_RUN_CAUSE_NETWORK: the server can't be reached, or doesn't respond in time
 * @BECKON_RUN_CAUSE_LIMIT: a limit of the provider: rate, credit or the size of a request
 *
 * Why a run failed, for programs. Stored as a word on a line of its own before the sentence.
 */
typedef enum
{
  BECKON_RUN_CAUSE_OTHER,
  BECKON_RUN_CAUSE_MODEL,
  BECKON_RUN_CAUSE_KEY,
  BECKON_RUN_CAUSE_NETWORK,
  BECKON_RUN_CAUSE_LIMIT,
} BeckonRunCause;

/** A detail to store: @cause before @sentence. Caller frees. */
char *beckon_run_detail_new (BeckonRunCause cause, const char *sentence) G_GNUC_WARN_UNUSED_RESULT;

/** The cause in @detail, which may be %NULL. */
BeckonRunCause beckon_run_detail_get_cause (const char *detail);

/** The sentence in @detail, without the code before it; %NULL for %NULL. Borrowed. */
const char *beckon_run_detail_get_sentence (const char *detail);

/** Stored words, such as "retry-wait"; static. */
const char *beckon_run_phase_to_string (BeckonRunPhase phase);
gboolean    beckon_run_phase_from_string (const char *word, BeckonRunPhase *phase);

G_END_DECLS
