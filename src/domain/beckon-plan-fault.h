/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  BECKON_PLAN_FAULT_NONE,
  BECKON_PLAN_FAULT_NOT_JSON,       /* detail: what the reader says */
  BECKON_PLAN_FAULT_NO_STEPS,
  BECKON_PLAN_FAULT_TOO_MANY_STEPS,
  BECKON_PLAN_FAULT_TOO_LARGE,
  BECKON_PLAN_FAULT_NO_TOOL,
  BECKON_PLAN_FAULT_BAD_ID,         /* detail: the id */
  BECKON_PLAN_FAULT_SAME_ID,        /* detail: the id */
  BECKON_PLAN_FAULT_BAD_WORD,       /* detail: the word */
  BECKON_PLAN_FAULT_ARGUMENTS,      /* detail: what the reader says */
  BECKON_PLAN_FAULT_REFERENCE,      /* detail: what claims to be one */
  BECKON_PLAN_FAULT_UNKNOWN_STEP,   /* detail: the id */
  BECKON_PLAN_FAULT_ITSELF,
  BECKON_PLAN_FAULT_LATER_STEP,
  BECKON_PLAN_FAULT_CYCLE,
  BECKON_PLAN_FAULT_FAILED_STEP,
  BECKON_PLAN_FAULT_SKIPPED_STEP,
  BECKON_PLAN_FAULT_OPEN_STEP,
  BECKON_PLAN_FAULT_RESULT_NOT_JSON,
  BECKON_PLAN_FAULT_NO_SUCH_PATH,   /* detail: the path */
  BECKON_PLAN_FAULT_USED,           /* it is used by the other */
  BECKON_PLAN_FAULT_BEGUN,
  BECKON_PLAN_FAULT_BEFORE_BEGUN,
  BECKON_PLAN_FAULT_CHANGED_BEGUN,
  BECKON_PLAN_FAULT_NO_SUCH_STEP,   /* detail: the id */
  BECKON_PLAN_FAULT_NOTHING_LEFT,
} BeckonPlanFaultKind;

/**
 * BeckonPlanFault:
 * @step: which step it is about, counted from 1; 0: none
 * @step_id: (nullable): its id
 * @other: the other one, where there is one; 0: none
 * @other_id: (nullable): its id
 * @detail: (nullable): see the kinds
 *
 * What is wrong with a plan, or with what was to be done to it. On the stack, cleared with beckon_plan_fault_clear().
 */
typedef struct
{
  BeckonPlanFaultKind kind;
  guint step;
  char *step_id;
  guint other;
  char *other_id;
  char *detail;
} BeckonPlanFault;

void beckon_plan_fault_clear (BeckonPlanFault *fault);

/** Says it in one or two sentences. @for_person: translated; else in English. Caller frees. */
char *beckon_plan_fault_to_words (const BeckonPlanFault *fault, gboolean for_person);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonPlanFault, beckon_plan_fault_clear)

G_END_DECLS
