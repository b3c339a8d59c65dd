/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-turn.h"

#include "beckon-loop-guard.h"
#include "beckon-turn-limits.h"

#include <glib/gi18n-lib.h>

/* A provider that pauses a turn in the middle of its searches bills for more each time it is asked to resume. */
#define MAX_PAUSES 5

struct _BeckonTurn
{
  BeckonRunScope *scope; /* (owned) */
  BeckonRun *run;

  BeckonTries *tries;            /* (owned): which profile is asked */
  BeckonPromptPrefix *prefix;    /* (owned) (nullable): %NULL until what is stored of it was read */
  BeckonRound *round;            /* (owned) (nullable): the one under way; its reply until that is stored */
  guint n_pauses;                /* replies in a row that a search paused */
  gboolean was_empty;            /* the last reply had nothing but reasoning */
  BeckonLengthGuard *length;     /* (owned) */
  char *extras[3];               /* (owned): instructions, skills and files; see beckon_turn_set_extras() */
  BeckonSpendingLimit *spending; /* (owned) (nullable): from the first round on; a run that was taken over has none */
};

BeckonTurn *
beckon_turn_new (const BeckonRunScope *scope, const char *profile_id, BeckonRun *run)
{
  BeckonTurn *self = g_new0 (BeckonTurn, 1);

  self->scope = beckon_run_scope_ref (scope);
  self->run = run;
  self->tries = beckon_tries_new (scope->parts.profiles, scope->parts.settings, profile_id);
  self->length = beckon_length_guard_new (scope->conversation, scope->has_person);
  return self;
}

void
beckon_turn_free (BeckonTurn *self)
{
  beckon_turn_cancel_round (self);
  g_clear_object (&self->round);
  g_clear_pointer (&self->prefix, beckon_prompt_prefix_free);
  beckon_tries_free (self->tries);
  beckon_length_guard_free (self->length);
  g_clear_pointer (&self->spending, beckon_spending_limit_free);
  for (gsize i = 0; i < G_N_ELEMENTS (self->extras); i++)
    g_free (self->extras[i]);
  beckon_run_scope_unref (self->scope);
  g_free (self);
}

gboolean
beckon_turn_has_prefix (const BeckonTurn *self)
{
  return self->prefix != NULL;
}

void
beckon_turn_take_prefixes (BeckonTurn *self, BeckonPrefixes *stored, const char *notes, const char *surroundings)
{
  self->prefix = beckon_prompt_prefix_new (&self->scope->parts, self->scope->conversation, self->scope->has_person, stored,
                                           self->run);
  beckon_prompt_prefix_set_extras (self->prefix, self->extras[0], self->extras[1], self->extras[2]);
  beckon_prompt_prefix_set_beginning (self->prefix, notes, surroundings);
}

void
beckon_turn_set_extras (BeckonTurn *self, const char *instructions, const char *skills, const char *extras)
{
  const char *const values[] = { instructions, skills, extras };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_free (self->extras[i]);
      self->extras[i] = g_strdup (values[i]);
    }
  if (self->prefix != NULL)
    beckon_prompt_prefix_set_extras (self->prefix, instructions, skills, extras);
}

void
beckon_turn_add_note (BeckonTurn *self, BeckonMessage *note)
{
  beckon_run_add_note (self->run, note);
}

void
beckon_turn_forget_prefix (BeckonTurn *self)
{
  g_clear_pointer (&self->prefix, beckon_prompt_prefix_free);
}

BeckonReply *
beckon_turn_get_reply (const BeckonTurn *self)
{
  return self->round != NULL ? beckon_round_get_reply (self->round) : NULL;
}

void
beckon_turn_take_result (BeckonTurn *self, const BeckonRoundResult *result)
{
  BeckonProfile *profile = beckon_tries_get_profile (self->tries);

  if (result->end != BECKON_ROUND_ENDED && result->end != BECKON_ROUND_FAILED)
    beckon_length_guard_note (self->length, beckon_turn_get_reply (self),
                              profile != NULL ? beckon_profile_get_effective_output (profile) : 0);
  switch (result->end)
    {
    case BECKON_ROUND_CALLS:
      self->n_pauses = 0;
      self->was_empty = FALSE;
      beckon_run_take_calls (self->run, TRUE);
      break;
    case BECKON_ROUND_SEARCHES:
      if (self->n_pauses++ < MAX_PAUSES)
        beckon_run_take_calls (self->run, FALSE);
      else
        beckon_run_end_turn (self->run, BECKON_RUN_EVENT_PAUSE, BECKON_MESSAGE_COMPLETE, NULL);
      break;
    case BECKON_ROUND_THOUGHTS:
      /* A reply of reasoning alone is treated as an empty one. The reasoning stays in the transcript. */
      if (self->was_empty)
        beckon_run_fail (self->run, _("The model only reasoned and gave no answer, twice. Try again or choose another model."));
      else
        beckon_run_take_calls (self->run, FALSE);
      self->was_empty = TRUE;
      break;
    case BECKON_ROUND_ENDED:
      beckon_run_end_turn (self->run, result->event, result->status, result->detail);
      break;
    case BECKON_ROUND_FAILED:
    default:
      beckon_run_fail (self->run, result->detail);
      break;
    }
}

/* --- Rounds -------------------------------------------------------------------------------------------------------- */

void
beckon_turn_add_round (BeckonTurn *self, gboolean is_first, GCancellable *cancellable)
{
  const BeckonRunScope *scope = self->scope;

  if (is_first)
    {
      g_clear_pointer (&self->spending, beckon_spending_limit_free);
      self->spending = beckon_spending_limit_new (scope->conversation,
                                                  beckon_settings_get_spending_limit (scope->parts.settings));
    }
  g_clear_object (&self->round);
  self->round = beckon_round_new (&scope->parts, scope->conversation, self->tries, self->prefix, cancellable,
                                  self->run, self);
}

gboolean
beckon_turn_begin_round (BeckonTurn *self)
{
  g_autoptr (BeckonRound) round = g_object_ref (self->round);

  return beckon_round_begin (round);
}

void
beckon_turn_cancel_round (BeckonTurn *self)
{
  if (self->round != NULL)
    beckon_round_cancel (self->round);
}

void
beckon_turn_forget_round (BeckonTurn *self)
{
  g_clear_object (&self->round);
}

void
beckon_turn_write_end (BeckonTurn *self, BeckonBatch *batch, BeckonMessageStatus status)
{
  if (beckon_turn_get_reply (self) != NULL)
    beckon_reply_end (beckon_turn_get_reply (self), batch, beckon_run_scope_get_id (self->scope), status);
  if (status == BECKON_MESSAGE_COMPLETE)
    beckon_prompt_prefix_keep_ends (self->scope->conversation, batch);
}

void
beckon_turn_show_end (BeckonTurn *self, BeckonMessageStatus status)
{
  if (self->round != NULL)
    beckon_reply_show_end (beckon_turn_get_reply (self), status);
  beckon_turn_forget_round (self);
}

gboolean
beckon_turn_is_limited (BeckonTurn *self, BeckonRunEvent *event, char **detail)
{
  *detail = self->spending != NULL ? beckon_spending_limit_dup_reached (self->spending) : NULL;
  *event = BECKON_RUN_EVENT_LIMIT;
  if (*detail != NULL)
    return TRUE;
  *detail = beckon_length_guard_take_reason (self->length);
  if (*detail != NULL)
    *event = BECKON_RUN_EVENT_LENGTH;
  else
    *detail = g_strdup (beckon_loop_guard_find_refused (self->scope->conversation));
  return *detail != NULL;
}
