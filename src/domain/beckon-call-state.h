/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonCallState:
 * @BECKON_CALL_PROPOSED: the model asked for it; nothing is decided
 * @BECKON_CALL_AWAITING: a request is pending with a person
 * @BECKON_CALL_DECIDED: it may start
 * @BECKON_CALL_STARTED: the tool was begun; the commit came before the beginning
 * @BECKON_CALL_DONE: it has its one result (an answer, an output, an error or a refusal); final
 * @BECKON_CALL_UNKNOWN: a changing tool was running when its holder died
 * @BECKON_CALL_CANCELLED: the run was stopped; the call has a result that says so; final
 *
 * Where one tool call stands.
 */
typedef enum
{
  BECKON_CALL_PROPOSED,
  BECKON_CALL_AWAITING,
  BECKON_CALL_DECIDED,
  BECKON_CALL_STARTED,
  BECKON_CALL_DONE,
  BECKON_CALL_UNKNOWN,
  BECKON_CALL_CANCELLED,
} BeckonCallState;

#define BECKON_CALL_N_STATES (BECKON_CALL_CANCELLED + 1)

/**
 * BeckonCallEvent:
 * @BECKON_CALL_EVENT_ALLOWED: policy allows it
 * @BECKON_CALL_EVENT_ASKED: policy, or the tool itself, asks a person
 * @BECKON_CALL_EVENT_DENIED: policy denies it, or its arguments cannot be used
 * @BECKON_CALL_EVENT_SETTLED_GO: the person lets it run, or retries an unknown one
 * @BECKON_CALL_EVENT_SETTLED_RESULT: the person's answer is its result (`ask_user`, a refusal, a skip)
 * @BECKON_CALL_EVENT_SETTLED_LOOK: the person lets the tool of an unknown one look what became of it
 * @BECKON_CALL_EVENT_SETTLED_LAND: the person decides what of the changes of a started one lands
 * @BECKON_CALL_EVENT_STARTED: the start was committed
 * @BECKON_CALL_EVENT_RESULT: the result was committed; of a call that nothing has to run for, at once
 * @BECKON_CALL_EVENT_STOPPED: the run was stopped
 * @BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED: the process driving the run died; a decided call that policy still allows, or a
 *   started one that only reads
 * @BECKON_CALL_EVENT_HOLDER_DIED: the same for a call that a person had decided, or a started one that changes things
 *
 * What can happen to a call.
 */
typedef enum
{
  BECKON_CALL_EVENT_ALLOWED,
  BECKON_CALL_EVENT_ASKED,
  BECKON_CALL_EVENT_DENIED,
  BECKON_CALL_EVENT_SETTLED_GO,
  BECKON_CALL_EVENT_SETTLED_RESULT,
  BECKON_CALL_EVENT_SETTLED_LOOK,
  BECKON_CALL_EVENT_SETTLED_LAND,
  BECKON_CALL_EVENT_STARTED,
  BECKON_CALL_EVENT_RESULT,
  BECKON_CALL_EVENT_STOPPED,
  BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED,
  BECKON_CALL_EVENT_HOLDER_DIED,
} BeckonCallEvent;

#define BECKON_CALL_N_EVENTS (BECKON_CALL_EVENT_HOLDER_DIED + 1)

/**
 * beckon_call_state_next:
 * @state: where the call stands
 * @event: what happened
 * @next: (out) (optional): where it stands then; untouched when the pair is not in the table
 *
 * The table of a call's life. Pure; any thread.
 *
 * Returns: %TRUE if the pair is in the table; a caller that gets %FALSE has a programming error
 */
gboolean beckon_call_state_next (BeckonCallState state, BeckonCallEvent event, BeckonCallState *next);

/**
 * beckon_call_state_is_final:
 * @state: a state
 *
 * Returns: %TRUE for done and cancelled
 */
gboolean beckon_call_state_is_final (BeckonCallState state);

/**
 * beckon_call_state_to_string:
 * @state: a state
 *
 * Returns: the word it is stored as, such as "awaiting"; static
 */
const char *beckon_call_state_to_string (BeckonCallState state);

/**
 * beckon_call_state_from_string:
 * @word: (nullable): a stored word
 * @state: (out): the state
 *
 * Returns: %FALSE if @word names no state
 */
gboolean beckon_call_state_from_string (const char *word, BeckonCallState *state);

G_END_DECLS
