/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every pair of both tables, against lists that were written from the design and not from the code. A pair that is not in
 * the list must be refused and must leave the output alone.
 */

#include "domain/beckon-call-state.h"
#include "domain/beckon-run-phase.h"

typedef struct
{
  const char *from;
  int event;
  const char *to;
} Pair;

#define CALL(from, event, to) { from, BECKON_CALL_EVENT_##event, to }
#define RUN(from, event, to) { from, BECKON_RUN_EVENT_##event, to }

static const Pair call_pairs[] = {
  CALL ("proposed", ALLOWED, "decided"),
  CALL ("proposed", ASKED, "awaiting"),
  CALL ("proposed", DENIED, "done"),
  CALL ("proposed", RESULT, "done"),
  CALL ("proposed", STOPPED, "cancelled"),
  CALL ("proposed", HOLDER_DIED, "proposed"),
  CALL ("proposed", HOLDER_DIED_ALLOWED, "proposed"),

  CALL ("awaiting", SETTLED_GO, "decided"),
  CALL ("awaiting", SETTLED_RESULT, "done"),
  CALL ("awaiting", STOPPED, "cancelled"),
  CALL ("awaiting", HOLDER_DIED, "awaiting"),
  CALL ("awaiting", HOLDER_DIED_ALLOWED, "awaiting"),

  CALL ("decided", ASKED, "awaiting"),
  CALL ("decided", DENIED, "done"),
  CALL ("decided", STARTED, "started"),
  CALL ("decided", STOPPED, "cancelled"),
  CALL ("decided", HOLDER_DIED, "awaiting"),
  CALL ("decided", HOLDER_DIED_ALLOWED, "decided"),

  CALL ("started", SETTLED_LAND, "started"),
  CALL ("started", RESULT, "done"),
  CALL ("started", STOPPED, "cancelled"),
  CALL ("started", HOLDER_DIED, "unknown"),
  CALL ("started", HOLDER_DIED_ALLOWED, "decided"),

  CALL ("unknown", SETTLED_GO, "decided"),
  CALL ("unknown", SETTLED_RESULT, "done"),
  CALL ("unknown", SETTLED_LOOK, "unknown"),
  CALL ("unknown", RESULT, "done"),
  CALL ("unknown", STOPPED, "cancelled"),
  CALL ("unknown", HOLDER_DIED, "unknown"),
  CALL ("unknown", HOLDER_DIED_ALLOWED, "unknown"),
};

static const Pair run_pairs[] = {
  RUN ("queued", REQUEST, "requesting"),
  RUN ("queued", WAIT, "waiting"),
  RUN ("queued", STOP, "stopped"),
  RUN ("queued", FAIL, "failed"),
  RUN ("queued", HOLDER_DIED, "queued"),

  RUN ("requesting", RETRY, "retry-wait"),
  RUN ("requesting", OUTPUT, "receiving"),
  RUN ("requesting", CALLS, "calling"),
  RUN ("requesting", COMPLETE, "complete"),
  RUN ("requesting", STOP, "stopped"),
  RUN ("requesting", FAIL, "failed"),
  RUN ("requesting", CUT, "cut-off"),
  RUN ("requesting", LENGTH, "length"),
  RUN ("requesting", REFUSE, "refused"),
  RUN ("requesting", FILTER, "filtered"),
  RUN ("requesting", PAUSE, "paused"),
  RUN ("requesting", HOLDER_DIED, "cut-off"),
  RUN ("requesting", ASK, "asked"),
  RUN ("requesting", WAIT, "waiting"),

  RUN ("retry-wait", REQUEST, "requesting"),
  RUN ("retry-wait", STOP, "stopped"),
  RUN ("retry-wait", FAIL, "failed"),
  RUN ("retry-wait", HOLDER_DIED, "cut-off"),

  RUN ("receiving", RETRY, "retry-wait"),
  RUN ("receiving", REQUEST, "requesting"),
  RUN ("receiving", CALLS, "calling"),
  RUN ("receiving", COMPLETE, "complete"),
  RUN ("receiving", STOP, "stopped"),
  RUN ("receiving", FAIL, "failed"),
  RUN ("receiving", CUT, "cut-off"),
  RUN ("receiving", LENGTH, "length"),
  RUN ("receiving", REFUSE, "refused"),
  RUN ("receiving", FILTER, "filtered"),
  RUN ("receiving", PAUSE, "paused"),
  RUN ("receiving", HOLDER_DIED, "cut-off"),
  RUN ("receiving", ASK, "asked"),
  RUN ("receiving", WAIT, "waiting"),

  RUN ("calling", REQUEST, "requesting"),
  RUN ("calling", WAIT, "waiting"),
  RUN ("calling", STOP, "stopped"),
  RUN ("calling", DISMISS, "dismissed"),
  RUN ("calling", FAIL, "failed"),
  RUN ("calling", LIMIT, "round-limit"),
  RUN ("calling", LENGTH, "length"),
  RUN ("calling", HOLDER_DIED, "calling"),

  RUN ("waiting", RESUME, "calling"),
  RUN ("waiting", COMPLETE, "complete"),
  RUN ("waiting", STOP, "stopped"),
  RUN ("waiting", DISMISS, "dismissed"),
  RUN ("waiting", FAIL, "failed"),
  RUN ("waiting", HOLDER_DIED, "waiting"),
};

static const char *
expected (const Pair *pairs, gsize n_pairs, const char *from, int event)
{
  for (gsize i = 0; i < n_pairs; i++)
    if (pairs[i].event == event && g_str_equal (pairs[i].from, from))
      return pairs[i].to;

  return NULL;
}

static void
test_call_pairs (void)
{
  guint found = 0;

  for (int state = 0; state < BECKON_CALL_N_STATES; state++)
    for (int event = 0; event < BECKON_CALL_N_EVENTS; event++)
      {
        const char *from = beckon_call_state_to_string ((BeckonCallState) state);
        const char *to = expected (call_pairs, G_N_ELEMENTS (call_pairs), from, event);
        BeckonCallState next = (BeckonCallState) 99;
        gboolean known = beckon_call_state_next ((BeckonCallState) state, (BeckonCallEvent) event, &next);

        g_assert_cmpint (known, ==, to != NULL);
        g_assert_cmpint (beckon_call_state_next ((BeckonCallState) state, (BeckonCallEvent) event, NULL), ==, known);
        if (known)
          g_assert_cmpstr (beckon_call_state_to_string (next), ==, to);
        else
          g_assert_cmpint ((int) next, ==, 99);
        found += known;
      }

  g_assert_cmpuint (found, ==, G_N_ELEMENTS (call_pairs));
}

static void
test_run_pairs (void)
{
  guint found = 0;

  for (int phase = 0; phase < BECKON_RUN_N_PHASES; phase++)
    for (int event = 0; event < BECKON_RUN_N_EVENTS; event++)
      {
        const char *from = beckon_run_phase_to_string ((BeckonRunPhase) phase);
        const char *to = expected (run_pairs, G_N_ELEMENTS (run_pairs), from, event);
        BeckonRunPhase next = (BeckonRunPhase) 99;
        gboolean known = beckon_run_phase_next ((BeckonRunPhase) phase, (BeckonRunEvent) event, &next);

        g_assert_cmpint (known, ==, to != NULL);
        g_assert_cmpint (beckon_run_phase_next ((BeckonRunPhase) phase, (BeckonRunEvent) event, NULL), ==, known);
        if (known)
          g_assert_cmpstr (beckon_run_phase_to_string (next), ==, to);
        else
          g_assert_cmpint ((int) next, ==, 99);
        found += known;
      }

  g_assert_cmpuint (found, ==, G_N_ELEMENTS (run_pairs));
}

static void
test_call_final (void)
{
  for (int state = 0; state < BECKON_CALL_N_STATES; state++)
    {
      gboolean leaves = FALSE;

      for (int event = 0; event < BECKON_CALL_N_EVENTS; event++)
        leaves |= beckon_call_state_next ((BeckonCallState) state, (BeckonCallEvent) event, NULL);
      g_assert_cmpint (beckon_call_state_is_final ((BeckonCallState) state), ==, !leaves);
    }
}

static void
test_run_ends (void)
{
  const char *const may_continue[] = { "stopped",     "dismissed", "failed",   "cut-off", "length",
                                       "round-limit", "refused",   "filtered", "paused",  NULL };

  for (int phase = 0; phase < BECKON_RUN_N_PHASES; phase++)
    {
      const char *word = beckon_run_phase_to_string ((BeckonRunPhase) phase);
      BeckonRunPhase stopped;
      gboolean live = beckon_run_phase_next ((BeckonRunPhase) phase, BECKON_RUN_EVENT_STOP, &stopped);

      g_assert_cmpint (beckon_run_phase_is_end ((BeckonRunPhase) phase), ==, !live);
      g_assert_cmpint (beckon_run_phase_can_continue ((BeckonRunPhase) phase), ==, g_strv_contains (may_continue, word));
      if (live)
        g_assert_cmpint (stopped, ==, BECKON_RUN_STOPPED);
    }
}

static void
test_call_words (void)
{
  BeckonCallState state = BECKON_CALL_UNKNOWN;

  for (int i = 0; i < BECKON_CALL_N_STATES; i++)
    {
      g_assert_true (beckon_call_state_from_string (beckon_call_state_to_string ((BeckonCallState) i), &state));
      g_assert_cmpint ((int) state, ==, i);
    }

  g_assert_false (beckon_call_state_from_string ("Done", &state));
  g_assert_false (beckon_call_state_from_string ("", &state));
  g_assert_false (beckon_call_state_from_string (NULL, &state));
}

static void
test_run_words (void)
{
  BeckonRunPhase phase = BECKON_RUN_QUEUED;

  for (int i = 0; i < BECKON_RUN_N_PHASES; i++)
    {
      g_assert_true (beckon_run_phase_from_string (beckon_run_phase_to_string ((BeckonRunPhase) i), &phase));
      g_assert_cmpint ((int) phase, ==, i);
    }

  g_assert_false (beckon_run_phase_from_string ("cut_off", &phase));
  g_assert_false (beckon_run_phase_from_string (NULL, &phase));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/domain/call/every-pair", test_call_pairs);
  g_test_add_func ("/domain/call/final", test_call_final);
  g_test_add_func ("/domain/call/words", test_call_words);
  g_test_add_func ("/domain/run/every-pair", test_run_pairs);
  g_test_add_func ("/domain/run/ends", test_run_ends);
  g_test_add_func ("/domain/run/words", test_run_words);

  return g_test_run ();
}
