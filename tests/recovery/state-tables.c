/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prints the states of the two tables, one a line: "run waiting", "run complete end", "call started". */

#include "domain/beckon-call-state.h"
#include "domain/beckon-run-phase.h"

#include <stdio.h>

int
main (void)
{
  for (guint i = 0; i < BECKON_RUN_N_PHASES; i++)
    printf ("run %s%s%s\n", beckon_run_phase_to_string ((BeckonRunPhase) i),
            beckon_run_phase_is_end ((BeckonRunPhase) i) ? " end" : "",
            beckon_run_phase_can_continue ((BeckonRunPhase) i) ? " continues" : "");
  for (guint i = 0; i < BECKON_CALL_N_STATES; i++)
    printf ("call %s%s\n", beckon_call_state_to_string ((BeckonCallState) i),
            beckon_call_state_is_final ((BeckonCallState) i) ? " end" : "");
  return 0;
}
