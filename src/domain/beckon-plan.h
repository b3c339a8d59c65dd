/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-plan-fault.h"

G_BEGIN_DECLS

/** How many steps a plan may have, and how many bytes its document. */
#define BECKON_PLAN_MAX_STEPS 100
#define BECKON_PLAN_MAX_BYTES (256 * 1024)

/** A step's status. The last one ran, but nothing that it changed is saved in the folder. */
typedef enum
{
  BECKON_STEP_PENDING,
  BECKON_STEP_EXECUTING,
  BECKON_STEP_COMPLETED,
  BECKON_STEP_FAILED,
  BECKON_STEP_SKIPPED,
  BECKON_STEP_NOT_SAVED,
} BeckonStepStatus;

/**
 * BeckonPlanPause:
 * @BECKON_PAUSE_POLICY: only where policy asks; the default
 * @BECKON_PAUSE_BREAKPOINTS: before the steps that are marked, and where policy asks
 * @BECKON_PAUSE_EVERY_STEP: before each step
 *
 * Where a plan that runs waits for its person.
 */
typedef enum
{
  BECKON_PAUSE_POLICY,
  BECKON_PAUSE_BREAKPOINTS,
  BECKON_PAUSE_EVERY_STEP,
} BeckonPlanPause;

/** The effect of a failed step on the plan: end it (the default), nothing, or have the model make another. */
typedef enum
{
  BECKON_ON_FAILURE_STOP,
  BECKON_ON_FAILURE_GO_ON,
  BECKON_ON_FAILURE_REPLAN,
} BeckonPlanFailure;

/**
 * BeckonPlanStep:
 * @id: letters, digits, `_` and `-`; unique in its plan
 * @arguments: a JSON object, which may hold references to the results of earlier steps
 * @expect: (nullable): what the model says will come of it
 * @result: (nullable): what came of it, while that is known here; no part of the document
 * @output: (nullable): of that what the tool gave, where there is more to it; what references to it stand for
 */
typedef struct
{
  char *id;
  char *tool;
  char *arguments;
  char *expect;
  gboolean breakpoint;
  BeckonStepStatus status;
  char *result;
  char *output;
} BeckonPlanStep;

/**
 * BeckonPlan:
 *
 * What an agent is going to do, step by step; a document that a person changes. Pure; plain data, one owner. A step that has
 * begun (all but pending and skipped) never changes and is never run again, so that nothing may be put before it.
 */
typedef struct
{
  char *title;
  GPtrArray *steps; /* BeckonPlanStep */
  BeckonPlanPause pause;
  BeckonPlanFailure on_failure;
} BeckonPlan;

/** @title: (nullable). */
BeckonPlan *beckon_plan_new (const char *title) G_GNUC_WARN_UNUSED_RESULT;
BeckonPlan *beckon_plan_copy (const BeckonPlan *plan) G_GNUC_WARN_UNUSED_RESULT;
void        beckon_plan_free (BeckonPlan *plan);

/**
 * BeckonPlanSource:
 * @BECKON_PLAN_FROM_MODEL: read tolerantly; nothing in it says what is done already, or where it pauses
 * @BECKON_PLAN_FROM_PERSON: a document, whole
 */
typedef enum
{
  BECKON_PLAN_FROM_MODEL,
  BECKON_PLAN_FROM_PERSON,
} BeckonPlanSource;

/** Reads and checks a document. %NULL with @fault (out) (optional). */
BeckonPlan *beckon_plan_parse (const char *json, BeckonPlanSource source,
                               BeckonPlanFault *fault) G_GNUC_WARN_UNUSED_RESULT;

/** The document as compact JSON, which reads back as the same plan; caller frees. Then the same with line breaks, to be
 *  kept in a file or edited as text. */
char *beckon_plan_to_json (const BeckonPlan *plan);
char *beckon_plan_to_text (const BeckonPlan *plan);

guint                 beckon_plan_get_n_steps (const BeckonPlan *plan);
const BeckonPlanStep *beckon_plan_get_step (const BeckonPlan *plan, guint index);

/** The place of the step with this id, -1 if there is none. */
int beckon_plan_find (const BeckonPlan *plan, const char *id);

/** The step that is next, or under way: the first that is executing, else the first pending; -1 when there is none. */
int beckon_plan_get_current (const BeckonPlan *plan);

/** How many are completed; a step that failed, was skipped or is not saved is not done. */
guint beckon_plan_count_done (const BeckonPlan *plan);

/** Steps that are skipped: they are neither progress nor still to come. */
guint beckon_plan_count_skipped (const BeckonPlan *plan);

/** Whether it may still be changed: it is pending or skipped. */
gboolean beckon_plan_step_is_free (const BeckonPlanStep *step);

/** Whether the plan pauses before this step of itself, whatever policy says. */
gboolean beckon_plan_pauses_before (const BeckonPlan *plan, guint index);

gboolean beckon_plan_equal (const BeckonPlan *one, const BeckonPlan *other);

/**
 * beckon_plan_check:
 * @plan: a plan
 * @fault: (out) (optional): what is wrong
 *
 * Every reference names an earlier step that will have a result, no two steps depend on each other, arguments are JSON
 * objects, ids are unique, something is left to do.
 *
 * Returns: whether it can be run
 */
gboolean beckon_plan_check (const BeckonPlan *plan, BeckonPlanFault *fault);

/** Whether @after is something that a person may make of @before: what has begun is there, at the start and as it was. */
gboolean beckon_plan_check_revision (const BeckonPlan *before, const BeckonPlan *after, BeckonPlanFault *fault);

const char *beckon_step_status_to_string (BeckonStepStatus status);

/** The sign that stands before a step, such as "✓". */
const char *beckon_step_status_get_mark (BeckonStepStatus status);

const char *beckon_plan_pause_to_string (BeckonPlanPause pause);
const char *beckon_plan_failure_to_string (BeckonPlanFailure failure);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonPlan, beckon_plan_free)

/** Puts a step at @index. @id: (nullable): one is made. Returns its id, borrowed, or %NULL. */
const char *beckon_plan_insert (BeckonPlan *plan, guint index, const char *id, const char *tool, const char *arguments,
                                const char *expect, BeckonPlanFault *fault);

/** Takes it out; refused while another step uses its result, which @fault names. The next step is then the current one. */
gboolean beckon_plan_delete (BeckonPlan *plan, const char *id, BeckonPlanFault *fault);

/** Skips it, or takes that back; likewise refused while another that is to run uses its result. */
gboolean beckon_plan_set_skipped (BeckonPlan *plan, const char *id, gboolean skipped, BeckonPlanFault *fault);

/** To the place that @index is once it has been taken out. */
gboolean beckon_plan_move (BeckonPlan *plan, const char *id, guint index, BeckonPlanFault *fault);

/** @arguments: a JSON object. */
gboolean beckon_plan_set_arguments (BeckonPlan *plan, const char *id, const char *arguments, BeckonPlanFault *fault);

gboolean beckon_plan_set_tool (BeckonPlan *plan, const char *id, const char *tool, BeckonPlanFault *fault);

gboolean beckon_plan_set_breakpoint (BeckonPlan *plan, const char *id, gboolean breakpoint, BeckonPlanFault *fault);

G_END_DECLS
