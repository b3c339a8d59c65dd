/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-loop-guard.h"
#include "beckon-run-private.h"

#include <glib/gi18n-lib.h>

/* Calls that a model's output limit broke off. The model learns that this is why, since it takes them for whole otherwise
 * and sends the same again. The second reply in a row that ends so pauses the run, and so does the third of a turn: more
 * rounds would end as these. A whole call for the third time at the limit is as bad; where a person is, the person is asked
 * about it. */

#define MAX_CUT 2
#define MAX_CUT_OF_TURN 3

/* 0: nobody knows it. */
static guint
find_limit (BeckonRun *run)
{
  BeckonProfile *profile = beckon_run_get_profile (run);

  return profile != NULL ? beckon_profile_get_effective_output (profile) : 0;
}

/* In English, for the model. */
static char *
compose_fault (guint limit)
{
  g_autofree char *tokens = limit > 0 ? g_strdup_printf (" of %u tokens", limit) : g_strdup ("");

  return g_strdup_printf ("The reply was broken off at its limit%s, so this call is not whole and was not run. Make it "
                          "shorter: write long content in several calls, each well below the limit.",
                          tokens);
}

static gboolean
is_repeated (BeckonRun *run, GPtrArray *calls, BeckonToolCall *last)
{
  return !run->has_person && beckon_loop_guard_find (run->conversation, calls, last) == BECKON_LOOP_SAME;
}

void
beckon_run_note_length (BeckonRun *run)
{
  GPtrArray *calls = beckon_reply_get_calls (run->reply);
  BeckonToolCall *last = calls->len > 0 ? g_ptr_array_index (calls, calls->len - 1) : NULL;
  gboolean is_long = beckon_reply_get_end (run->reply) == BECKON_LLM_END_LENGTH && last != NULL;
  g_autofree char *fault = NULL;

  run->repeats_at_length = is_long && beckon_tool_call_get_fault (last) == NULL && is_repeated (run, calls, last);
  if (!is_long || beckon_tool_call_get_fault (last) == NULL)
    {
      run->n_cut = 0;
      return;
    }

  run->n_cut++;
  run->n_cut_of_turn++;
  fault = compose_fault (find_limit (run));
  beckon_tool_call_set_fault (last, fault);
}

gboolean
beckon_run_is_cut_again (BeckonRun *run)
{
  return run->n_cut >= MAX_CUT || run->n_cut_of_turn >= MAX_CUT_OF_TURN || run->repeats_at_length;
}

void
beckon_run_pause_length (BeckonRun *run)
{
  guint limit = find_limit (run);
  g_autofree char *detail = NULL;

  if (run->repeats_at_length)
    detail = g_strdup (_("Paused: the model made the very same call for the third time, and its reply ended at its output "
                         "limit. Raise the output limit of the model, or ask for smaller steps."));
  else if (limit > 0)
    /* Translators: %u is a number of tokens; the model was calling a tool and its reply broke off */
    detail = g_strdup_printf (
      ngettext ("Paused: the model’s reply ended more than once in the middle of a call, at its limit of %u token. Raise the "
                "output limit of the model, or ask for smaller steps.",
                "Paused: the model’s reply ended more than once in the middle of a call, at its limit of %u tokens. Raise the "
                "output limit of the model, or ask for smaller steps.",
                limit),
      limit);
  else
    detail = g_strdup (_("Paused: the model’s reply ended more than once in the middle of a call, at its output limit. Raise "
                         "the output limit of the model, or ask for smaller steps."));
  run->n_cut = run->n_cut_of_turn = 0;
  run->repeats_at_length = FALSE;
  beckon_run_end (run, BECKON_RUN_EVENT_LENGTH, BECKON_MESSAGE_COMPLETE, detail);
}
