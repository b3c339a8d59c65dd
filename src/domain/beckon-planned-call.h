/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-plan.h"
#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/*
 * The call that proposed a plan holds it once it is accepted, and each step that is begun is a call of its own: it goes
 * through what every call goes through. It is in no message, because the model did not make it.
 */

/**
 * BeckonStepOutcome:
 * @BECKON_STEP_OUTCOME_NONE: what its state says
 * @BECKON_STEP_OUTCOME_SKIPPED: the person skipped or denied it when it was next, or it uses the result of such a step
 * @BECKON_STEP_OUTCOME_REPLACED: the person changed the plan when it was next; as if it had not been
 * @BECKON_STEP_OUTCOME_REPLAN: the person wants another plan; this one ends here
 *
 * Why a step's call is over although nothing ran.
 */
typedef enum
{
  BECKON_STEP_OUTCOME_NONE,
  BECKON_STEP_OUTCOME_SKIPPED,
  BECKON_STEP_OUTCOME_REPLACED,
  BECKON_STEP_OUTCOME_REPLAN,
} BeckonStepOutcome;

/**
 * beckon_tool_call_new_step:
 * @id: (nullable): its own; %NULL makes one
 * @planned: the call that holds the plan, which keeps it once beckon_tool_call_add_step() was called
 * @step_id: which step it is
 * @tool: the tool's name
 * @arguments: the arguments, with references resolved
 *
 * Returns: (transfer full): a proposed call
 */
BeckonToolCall *beckon_tool_call_new_step (const char *id, BeckonToolCall *planned, const char *step_id, const char *tool,
                                           const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** Joins it to its plan, whose steps follow what becomes of it. */
void beckon_tool_call_add_step (BeckonToolCall *planned, BeckonToolCall *step);

guint           beckon_tool_call_get_n_steps (BeckonToolCall *planned);
BeckonToolCall *beckon_tool_call_get_step (BeckonToolCall *planned, guint index);

/** The one that is not over; %NULL if there is none. Then the last one of a step, over or not, that was not replaced. */
BeckonToolCall *beckon_tool_call_get_open_step (BeckonToolCall *planned);
BeckonToolCall *beckon_tool_call_find_step (BeckonToolCall *planned, const char *step_id);

/** The plan as it stands, with the status and the result of each step; %NULL unless one was accepted. Setting it copies
 *  it. Notifies `plan`, as every change of a step does. */
const BeckonPlan *beckon_tool_call_get_plan (BeckonToolCall *planned);
void              beckon_tool_call_set_plan (BeckonToolCall *planned, const BeckonPlan *plan);

/** For a step: the call that holds the plan, and which step it is; %NULL for any other call. */
BeckonToolCall *beckon_tool_call_get_planned_by (BeckonToolCall *step);
const char     *beckon_tool_call_get_step_id (BeckonToolCall *step);

BeckonStepOutcome beckon_tool_call_get_step_outcome (BeckonToolCall *step);
void              beckon_tool_call_set_step_outcome (BeckonToolCall *step, BeckonStepOutcome outcome);

/** The word it is stored as; %NULL for none. */
const char       *beckon_step_outcome_to_string (BeckonStepOutcome outcome);
BeckonStepOutcome beckon_step_outcome_from_string (const char *word);

G_END_DECLS
