/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The life of a run as a constant table: a row per phase, a column per event. A cell holds the next phase plus one, so that
 * the zero of a cell nobody wrote means "not in the table". Ends have no row of their own: nothing leaves them, a
 * continuation is a new run. Any live phase may fail, because the store itself may.
 */

#include "beckon-run-phase.h"

#include "base/beckon-words.h"

#include <string.h>

#define TO(phase) ((guint8) (BECKON_RUN_##phase + 1))

#define REPLY_ENDS                                                                                                     \
  [BECKON_RUN_EVENT_CALLS] = TO (CALLING), [BECKON_RUN_EVENT_COMPLETE] = TO (COMPLETE),                                \
  [BECKON_RUN_EVENT_STOP] = TO (STOPPED), [BECKON_RUN_EVENT_FAIL] = TO (FAILED), [BECKON_RUN_EVENT_CUT] = TO (CUT_OFF), \
  [BECKON_RUN_EVENT_LENGTH] = TO (LENGTH), [BECKON_RUN_EVENT_REFUSE] = TO (REFUSED),                                   \
  [BECKON_RUN_EVENT_FILTER] = TO (FILTERED), [BECKON_RUN_EVENT_PAUSE] = TO (PAUSED),                                   \
  [BECKON_RUN_EVENT_HOLDER_DIED] = TO (CUT_OFF), [BECKON_RUN_EVENT_ASK] = TO (ASKED),                                  \
  [BECKON_RUN_EVENT_WAIT] = TO (WAITING)

static const guint8 table[BECKON_RUN_N_PHASES][BECKON_RUN_N_EVENTS] = {
  [BECKON_RUN_QUEUED] = {
    [BECKON_RUN_EVENT_REQUEST] = TO (REQUESTING),
    [BECKON_RUN_EVENT_WAIT] = TO (WAITING),
    [BECKON_RUN_EVENT_STOP] = TO (STOPPED),
    [BECKON_RUN_EVENT_FAIL] = TO (FAILED),
    [BECKON_RUN_EVENT_HOLDER_DIED] = TO (QUEUED),
  },
  [BECKON_RUN_REQUESTING] = {
    REPLY_ENDS,
    [BECKON_RUN_EVENT_RETRY] = TO (RETRY_WAIT),
    [BECKON_RUN_EVENT_OUTPUT] = TO (RECEIVING),
  },
  [BECKON_RUN_RETRY_WAIT] = {
    [BECKON_RUN_EVENT_REQUEST] = TO (REQUESTING),
    [BECKON_RUN_EVENT_STOP] = TO (STOPPED),
    [BECKON_RUN_EVENT_FAIL] = TO (FAILED),
    [BECKON_RUN_EVENT_HOLDER_DIED] = TO (CUT_OFF),
  },
  [BECKON_RUN_RECEIVING] = {
    REPLY_ENDS,
    [BECKON_RUN_EVENT_RETRY] = TO (RETRY_WAIT),
    [BECKON_RUN_EVENT_REQUEST] = TO (REQUESTING),
  },
  [BECKON_RUN_CALLING] = {
    [BECKON_RUN_EVENT_REQUEST] = TO (REQUESTING),
    [BECKON_RUN_EVENT_WAIT] = TO (WAITING),
    [BECKON_RUN_EVENT_STOP] = TO (STOPPED),
    [BECKON_RUN_EVENT_DISMISS] = TO (DISMISSED),
    [BECKON_RUN_EVENT_FAIL] = TO (FAILED),
    [BECKON_RUN_EVENT_LIMIT] = TO (ROUND_LIMIT),
    [BECKON_RUN_EVENT_LENGTH] = TO (LENGTH),
    [BECKON_RUN_EVENT_HOLDER_DIED] = TO (CALLING),
  },
  [BECKON_RUN_WAITING] = {
    [BECKON_RUN_EVENT_RESUME] = TO (CALLING),
    [BECKON_RUN_EVENT_COMPLETE] = TO (COMPLETE),
    [BECKON_RUN_EVENT_STOP] = TO (STOPPED),
    [BECKON_RUN_EVENT_DISMISS] = TO (DISMISSED),
    [BECKON_RUN_EVENT_FAIL] = TO (FAILED),
    [BECKON_RUN_EVENT_HOLDER_DIED] = TO (WAITING),
  },
};

static const char *const words[BECKON_RUN_N_PHASES] = {
  [BECKON_RUN_QUEUED] = "queued",
  [BECKON_RUN_REQUESTING] = "requesting",
  [BECKON_RUN_RETRY_WAIT] = "retry-wait",
  [BECKON_RUN_RECEIVING] = "receiving",
  [BECKON_RUN_CALLING] = "calling",
  [BECKON_RUN_WAITING] = "waiting",
  [BECKON_RUN_COMPLETE] = "complete",
  [BECKON_RUN_STOPPED] = "stopped",
  [BECKON_RUN_DISMISSED] = "dismissed",
  [BECKON_RUN_FAILED] = "failed",
  [BECKON_RUN_CUT_OFF] = "cut-off",
  [BECKON_RUN_LENGTH] = "length",
  [BECKON_RUN_ROUND_LIMIT] = "round-limit",
  [BECKON_RUN_REFUSED] = "refused",
  [BECKON_RUN_FILTERED] = "filtered",
  [BECKON_RUN_PAUSED] = "paused",
  [BECKON_RUN_ASKED] = "asked",
};

gboolean
beckon_run_phase_next (BeckonRunPhase phase, BeckonRunEvent event, BeckonRunPhase *next)
{
  guint8 cell;

  g_return_val_if_fail ((guint) phase < BECKON_RUN_N_PHASES, FALSE);
  g_return_val_if_fail ((guint) event < BECKON_RUN_N_EVENTS, FALSE);

  cell = table[phase][event];
  if (cell == 0)
    return FALSE;

  if (next != NULL)
    *next = (BeckonRunPhase) (cell - 1);

  return TRUE;
}

gboolean
beckon_run_phase_is_delayed (BeckonRunPhase phase)
{
  return phase == BECKON_RUN_QUEUED || phase == BECKON_RUN_RETRY_WAIT || phase == BECKON_RUN_WAITING;
}

gboolean
beckon_run_phase_is_end (BeckonRunPhase phase)
{
  return phase >= BECKON_RUN_COMPLETE;
}

gboolean
beckon_run_phase_can_continue (BeckonRunPhase phase)
{
  return beckon_run_phase_is_end (phase) && phase != BECKON_RUN_COMPLETE && phase != BECKON_RUN_ASKED;
}

BECKON_WORDS_TO (BeckonRunPhase, beckon_run_phase_to_string, words)
BECKON_WORDS_FROM (BeckonRunPhase, beckon_run_phase_from_string, words)

static const char *const causes[] = {
  [BECKON_RUN_CAUSE_OTHER] = "",        [BECKON_RUN_CAUSE_MODEL] = BECKON_RUN_MODEL_GONE,
  [BECKON_RUN_CAUSE_KEY] = "key\n",     [BECKON_RUN_CAUSE_NETWORK] = "network\n",
  [BECKON_RUN_CAUSE_LIMIT] = "limit\n",
};

char *
beckon_run_detail_new (BeckonRunCause cause, const char *sentence)
{
  g_return_val_if_fail ((guint) cause < G_N_ELEMENTS (causes) && sentence != NULL, NULL);

  return g_strconcat (causes[cause], sentence, NULL);
}

BeckonRunCause
beckon_run_detail_get_cause (const char *detail)
{
  for (guint i = 1; detail != NULL && i < G_N_ELEMENTS (causes); i++)
    if (g_str_has_prefix (detail, causes[i]))
      return (BeckonRunCause) i;

  return BECKON_RUN_CAUSE_OTHER;
}

const char *
beckon_run_detail_get_sentence (const char *detail)
{
  return detail != NULL ? detail + strlen (causes[beckon_run_detail_get_cause (detail)]) : NULL;
}
