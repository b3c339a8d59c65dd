/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-planned-call.h"

#include "beckon-planned-call-private.h"

#include "base/beckon-words.h"

#include <string.h>

static const char *const outcome_words[] = { NULL, "skipped", "replaced", "replan" };

void
beckon_planned_free (BeckonPlanned *planned)
{
  if (planned == NULL)
    return;

  g_clear_pointer (&planned->plan, beckon_plan_free);
  g_clear_pointer (&planned->steps, g_ptr_array_unref);
  g_clear_weak_pointer (&planned->planned_by);
  g_free (planned->step_id);
  g_free (planned);
}

BECKON_WORDS_TO (BeckonStepOutcome, beckon_step_outcome_to_string, outcome_words)

BeckonStepOutcome
beckon_step_outcome_from_string (const char *word)
{
  for (guint i = 1; word != NULL && i < G_N_ELEMENTS (outcome_words); i++)
    if (g_str_equal (word, outcome_words[i]))
      return (BeckonStepOutcome) i;
  return BECKON_STEP_OUTCOME_NONE;
}

BeckonToolCall *
beckon_tool_call_new_step (const char *id, BeckonToolCall *planned, const char *step_id, const char *tool,
                           const char *arguments)
{
  BeckonToolCall *step;
  BeckonPlanned *own;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (planned), NULL);
  g_return_val_if_fail (step_id != NULL, NULL);

  step = beckon_tool_call_new (id, NULL, tool, arguments);
  own = beckon_tool_call_ensure_planned (step);
  g_set_weak_pointer (&own->planned_by, planned);
  own->step_id = g_strdup (step_id);
  return step;
}

static const BeckonPlanned *
peek (BeckonToolCall *call)
{
  static const BeckonPlanned none = { 0 };
  const BeckonPlanned *planned = beckon_tool_call_peek_planned (call);

  return planned != NULL ? planned : &none;
}

guint
beckon_tool_call_get_n_steps (BeckonToolCall *planned)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (planned), 0);

  return peek (planned)->steps != NULL ? peek (planned)->steps->len : 0;
}

BeckonToolCall *
beckon_tool_call_get_step (BeckonToolCall *planned, guint index)
{
  g_return_val_if_fail (index < beckon_tool_call_get_n_steps (planned), NULL);

  return g_ptr_array_index (peek (planned)->steps, index);
}

BeckonToolCall *
beckon_tool_call_get_open_step (BeckonToolCall *planned)
{
  for (guint i = beckon_tool_call_get_n_steps (planned); i > 0; i--)
    {
      BeckonToolCall *step = beckon_tool_call_get_step (planned, i - 1);

      if (!beckon_call_state_is_final (beckon_tool_call_get_state (step)))
        return step;
    }
  return NULL;
}

BeckonToolCall *
beckon_tool_call_find_step (BeckonToolCall *planned, const char *step_id)
{
  for (guint i = beckon_tool_call_get_n_steps (planned); i > 0; i--)
    {
      BeckonToolCall *step = beckon_tool_call_get_step (planned, i - 1);

      if (g_strcmp0 (peek (step)->step_id, step_id) == 0 && peek (step)->outcome != BECKON_STEP_OUTCOME_REPLACED)
        return step;
    }
  return NULL;
}

/* Steps waiting for a person have not begun: they may be changed. */
static BeckonStepStatus
get_status (BeckonToolCall *step)
{
  switch (beckon_tool_call_get_state (step))
    {
    case BECKON_CALL_DECIDED:
    case BECKON_CALL_STARTED:
    case BECKON_CALL_UNKNOWN:
      return BECKON_STEP_EXECUTING;

    case BECKON_CALL_CANCELLED:
      return beckon_tool_call_get_started_at (step) > 0 ? BECKON_STEP_FAILED : BECKON_STEP_PENDING;

    case BECKON_CALL_DONE:
      if (peek (step)->outcome == BECKON_STEP_OUTCOME_SKIPPED)
        return BECKON_STEP_SKIPPED;
      if (peek (step)->outcome != BECKON_STEP_OUTCOME_NONE)
        return BECKON_STEP_PENDING;
      if (beckon_tool_call_get_is_error (step))
        return BECKON_STEP_FAILED;
      return beckon_tool_call_is_not_saved (step) ? BECKON_STEP_NOT_SAVED : BECKON_STEP_COMPLETED;

    case BECKON_CALL_PROPOSED:
    case BECKON_CALL_AWAITING:
    default:
      return BECKON_STEP_PENDING;
    }
}

/* (nullable): the part of the result that is no remark about it. */
static char *
dup_output (BeckonToolCall *call)
{
  const char *result = beckon_tool_call_get_result (call);
  gsize length = beckon_tool_call_get_output_length (call);

  return result != NULL && length < strlen (result) ? g_strndup (result, length) : NULL;
}

static void
follow_step (BeckonPlanStep *step, BeckonToolCall *call)
{
  if (call == NULL)
    {
      if (step->status == BECKON_STEP_EXECUTING)
        step->status = BECKON_STEP_PENDING;
      return;
    }
  step->status = get_status (call);
  g_free (step->result);
  step->result = step->status == BECKON_STEP_PENDING ? NULL : g_strdup (beckon_tool_call_get_result (call));
  g_free (step->output);
  step->output = beckon_plan_step_is_free (step) ? NULL : dup_output (call);
}

static void
follow_steps (BeckonToolCall *planned)
{
  BeckonPlan *plan = peek (planned)->plan;

  for (guint i = 0; plan != NULL && i < plan->steps->len; i++)
    {
      BeckonPlanStep *step = g_ptr_array_index (plan->steps, i);

      follow_step (step, beckon_tool_call_find_step (planned, step->id));
    }
  beckon_tool_call_notify_plan (planned);
}

void
beckon_tool_call_add_step (BeckonToolCall *planned, BeckonToolCall *step)
{
  BeckonPlanned *own;

  g_return_if_fail (BECKON_IS_TOOL_CALL (planned));
  g_return_if_fail (beckon_tool_call_get_planned_by (step) == planned);

  own = beckon_tool_call_ensure_planned (planned);
  if (own->steps == NULL)
    own->steps = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (own->steps, g_object_ref (step));
  g_signal_connect_object (step, "notify::state", G_CALLBACK (follow_steps), planned, G_CONNECT_SWAPPED);
  g_signal_connect_object (step, "notify::request", G_CALLBACK (follow_steps), planned, G_CONNECT_SWAPPED);
  g_signal_connect_object (step, "notify::change", G_CALLBACK (follow_steps), planned, G_CONNECT_SWAPPED);
  follow_steps (planned);
}

const BeckonPlan *
beckon_tool_call_get_plan (BeckonToolCall *planned)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (planned), NULL);

  return peek (planned)->plan;
}

void
beckon_tool_call_set_plan (BeckonToolCall *planned, const BeckonPlan *plan)
{
  BeckonPlanned *own;
  BeckonPlan *old;

  g_return_if_fail (BECKON_IS_TOOL_CALL (planned));
  g_return_if_fail (plan != NULL);

  own = beckon_tool_call_ensure_planned (planned);
  old = own->plan;
  own->plan = beckon_plan_copy (plan);
  beckon_plan_free (old);
  follow_steps (planned);
}

BeckonToolCall *
beckon_tool_call_get_planned_by (BeckonToolCall *step)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (step), NULL);

  return peek (step)->planned_by;
}

const char *
beckon_tool_call_get_step_id (BeckonToolCall *step)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (step), NULL);

  return peek (step)->step_id;
}

BeckonStepOutcome
beckon_tool_call_get_step_outcome (BeckonToolCall *step)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (step), BECKON_STEP_OUTCOME_NONE);

  return peek (step)->outcome;
}

void
beckon_tool_call_set_step_outcome (BeckonToolCall *step, BeckonStepOutcome outcome)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (step));

  if (peek (step)->outcome == outcome)
    return;

  beckon_tool_call_ensure_planned (step)->outcome = outcome;
  if (peek (step)->planned_by != NULL)
    follow_steps (peek (step)->planned_by);
}
