/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The life of a tool call as a constant table: a row per state, a column per event. A cell holds the next state plus one, so
 * that the zero of a cell nobody wrote means "not in the table". What a caller may do is thereby data: it can be walked by a
 * test, and a change of it is one line in a diff.
 */

#include "beckon-call-state.h"

#include "base/beckon-words.h"

#define TO(state) ((guint8) (BECKON_CALL_##state + 1))

static const guint8 table[BECKON_CALL_N_STATES][BECKON_CALL_N_EVENTS] = {
  [BECKON_CALL_PROPOSED] = {
    [BECKON_CALL_EVENT_ALLOWED] = TO (DECIDED),
    [BECKON_CALL_EVENT_ASKED] = TO (AWAITING),
    [BECKON_CALL_EVENT_DENIED] = TO (DONE),
    [BECKON_CALL_EVENT_RESULT] = TO (DONE),
    [BECKON_CALL_EVENT_STOPPED] = TO (CANCELLED),
    [BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED] = TO (PROPOSED),
    [BECKON_CALL_EVENT_HOLDER_DIED] = TO (PROPOSED),
  },
  [BECKON_CALL_AWAITING] = {
    [BECKON_CALL_EVENT_SETTLED_GO] = TO (DECIDED),
    [BECKON_CALL_EVENT_SETTLED_RESULT] = TO (DONE),
    [BECKON_CALL_EVENT_STOPPED] = TO (CANCELLED),
    [BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED] = TO (AWAITING),
    [BECKON_CALL_EVENT_HOLDER_DIED] = TO (AWAITING),
  },
  [BECKON_CALL_DECIDED] = {
    [BECKON_CALL_EVENT_ASKED] = TO (AWAITING),
    [BECKON_CALL_EVENT_DENIED] = TO (DONE),
    [BECKON_CALL_EVENT_STARTED] = TO (STARTED),
    [BECKON_CALL_EVENT_STOPPED] = TO (CANCELLED),
    [BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED] = TO (DECIDED),
    [BECKON_CALL_EVENT_HOLDER_DIED] = TO (AWAITING),
  },
  [BECKON_CALL_STARTED] = {
    [BECKON_CALL_EVENT_SETTLED_LAND] = TO (STARTED),
    [BECKON_CALL_EVENT_RESULT] = TO (DONE),
    [BECKON_CALL_EVENT_STOPPED] = TO (CANCELLED),
    [BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED] = TO (DECIDED),
    [BECKON_CALL_EVENT_HOLDER_DIED] = TO (UNKNOWN),
  },
  [BECKON_CALL_UNKNOWN] = {
    [BECKON_CALL_EVENT_SETTLED_GO] = TO (DECIDED),
    [BECKON_CALL_EVENT_SETTLED_RESULT] = TO (DONE),
    [BECKON_CALL_EVENT_SETTLED_LOOK] = TO (UNKNOWN),
    [BECKON_CALL_EVENT_RESULT] = TO (DONE),
    [BECKON_CALL_EVENT_STOPPED] = TO (CANCELLED),
    [BECKON_CALL_EVENT_HOLDER_DIED_ALLOWED] = TO (UNKNOWN),
    [BECKON_CALL_EVENT_HOLDER_DIED] = TO (UNKNOWN),
  },
};

static const char *const words[BECKON_CALL_N_STATES] = {
  [BECKON_CALL_PROPOSED] = "proposed",
  [BECKON_CALL_AWAITING] = "awaiting",
  [BECKON_CALL_DECIDED] = "decided",
  [BECKON_CALL_STARTED] = "started",
  [BECKON_CALL_DONE] = "done",
  [BECKON_CALL_UNKNOWN] = "unknown",
  [BECKON_CALL_CANCELLED] = "cancelled",
};

gboolean
beckon_call_state_next (BeckonCallState state, BeckonCallEvent event, BeckonCallState *next)
{
  guint8 cell;

  g_return_val_if_fail ((guint) state < BECKON_CALL_N_STATES, FALSE);
  g_return_val_if_fail ((guint) event < BECKON_CALL_N_EVENTS, FALSE);

  cell = table[state][event];
  if (cell == 0)
    return FALSE;

  if (next != NULL)
    *next = (BeckonCallState) (cell - 1);

  return TRUE;
}

gboolean
beckon_call_state_is_final (BeckonCallState state)
{
  return state == BECKON_CALL_DONE || state == BECKON_CALL_CANCELLED;
}

BECKON_WORDS_TO (BeckonCallState, beckon_call_state_to_string, words)
BECKON_WORDS_FROM (BeckonCallState, beckon_call_state_from_string, words)
