/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan-private.h"

#include "beckon-plan-reference.h"

#include <string.h>

static const char *const status_words[] = { "pending", "executing", "completed", "failed", "skipped", "not-saved" };
static const char *const status_marks[] = { "○", "▸", "✓", "✗", "–", "–" };
static const char *const pause_words[] = { "policy", "breakpoints", "every-step" };
static const char *const failure_words[] = { "stop", "go-on", "replan" };

const char *
beckon_step_status_to_string (BeckonStepStatus status)
{
  g_return_val_if_fail ((guint) status < G_N_ELEMENTS (status_words), "pending");

  return status_words[status];
}

const char *
beckon_step_status_get_mark (BeckonStepStatus status)
{
  g_return_val_if_fail ((guint) status < G_N_ELEMENTS (status_marks), "○");

  return status_marks[status];
}

const char *
beckon_plan_pause_to_string (BeckonPlanPause pause)
{
  return pause_words[pause];
}

const char *
beckon_plan_failure_to_string (BeckonPlanFailure failure)
{
  return failure_words[failure];
}

void
beckon_plan_step_free (BeckonPlanStep *step)
{
  g_free (step->id);
  g_free (step->tool);
  g_free (step->arguments);
  g_free (step->expect);
  g_free (step->result);
  g_free (step->output);
  g_free (step);
}

BeckonPlanStep *
beckon_plan_step_copy (const BeckonPlanStep *step)
{
  BeckonPlanStep *copy = g_new0 (BeckonPlanStep, 1);

  *copy = *step;
  copy->id = g_strdup (step->id);
  copy->tool = g_strdup (step->tool);
  copy->arguments = g_strdup (step->arguments);
  copy->expect = g_strdup (step->expect);
  copy->result = g_strdup (step->result);
  copy->output = g_strdup (step->output);
  return copy;
}

BeckonPlan *
beckon_plan_new (const char *title)
{
  BeckonPlan *plan = g_new0 (BeckonPlan, 1);

  plan->title = g_strdup (title != NULL ? title : "");
  plan->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_plan_step_free);
  return plan;
}

BeckonPlan *
beckon_plan_copy (const BeckonPlan *plan)
{
  BeckonPlan *copy;

  g_return_val_if_fail (plan != NULL, NULL);

  copy = beckon_plan_new (plan->title);
  copy->pause = plan->pause;
  copy->on_failure = plan->on_failure;
  for (guint i = 0; i < plan->steps->len; i++)
    g_ptr_array_add (copy->steps, beckon_plan_step_copy (g_ptr_array_index (plan->steps, i)));
  return copy;
}

void
beckon_plan_free (BeckonPlan *plan)
{
  if (plan == NULL)
    return;

  g_free (plan->title);
  g_ptr_array_unref (plan->steps);
  g_free (plan);
}

guint
beckon_plan_get_n_steps (const BeckonPlan *plan)
{
  g_return_val_if_fail (plan != NULL, 0);

  return plan->steps->len;
}

const BeckonPlanStep *
beckon_plan_get_step (const BeckonPlan *plan, guint index)
{
  g_return_val_if_fail (plan != NULL && index < plan->steps->len, NULL);

  return g_ptr_array_index (plan->steps, index);
}

int
beckon_plan_find (const BeckonPlan *plan, const char *id)
{
  g_return_val_if_fail (plan != NULL && id != NULL, -1);

  for (guint i = 0; i < plan->steps->len; i++)
    if (g_str_equal (beckon_plan_get_step (plan, i)->id, id))
      return (int) i;
  return -1;
}

static int
find_status (const BeckonPlan *plan, BeckonStepStatus status)
{
  for (guint i = 0; i < plan->steps->len; i++)
    if (beckon_plan_get_step (plan, i)->status == status)
      return (int) i;
  return -1;
}

int
beckon_plan_get_current (const BeckonPlan *plan)
{
  int executing;

  g_return_val_if_fail (plan != NULL, -1);

  executing = find_status (plan, BECKON_STEP_EXECUTING);
  return executing >= 0 ? executing : find_status (plan, BECKON_STEP_PENDING);
}

guint
beckon_plan_count_skipped (const BeckonPlan *plan)
{
  guint n = 0;

  g_return_val_if_fail (plan != NULL, 0);

  for (guint i = 0; i < plan->steps->len; i++)
    n += beckon_plan_get_step (plan, i)->status == BECKON_STEP_SKIPPED;
  return n;
}

guint
beckon_plan_count_done (const BeckonPlan *plan)
{
  guint n = 0;

  g_return_val_if_fail (plan != NULL, 0);

  for (guint i = 0; i < plan->steps->len; i++)
    {
      BeckonStepStatus status = beckon_plan_get_step (plan, i)->status;

      n += status == BECKON_STEP_COMPLETED;
    }
  return n;
}

gboolean
beckon_plan_step_is_free (const BeckonPlanStep *step)
{
  return step->status == BECKON_STEP_PENDING || step->status == BECKON_STEP_SKIPPED;
}

guint
beckon_plan_get_first_free (const BeckonPlan *plan)
{
  guint first;

  for (first = plan->steps->len; first > 0; first--)
    if (!beckon_plan_step_is_free (beckon_plan_get_step (plan, first - 1)))
      break;
  return first;
}

gboolean
beckon_plan_pauses_before (const BeckonPlan *plan, guint index)
{
  g_return_val_if_fail (plan != NULL && index < plan->steps->len, TRUE);

  return plan->pause == BECKON_PAUSE_EVERY_STEP
         || (plan->pause == BECKON_PAUSE_BREAKPOINTS && beckon_plan_get_step (plan, index)->breakpoint);
}

gboolean
beckon_plan_step_equal (const BeckonPlanStep *one, const BeckonPlanStep *other)
{
  return g_str_equal (one->id, other->id) && g_str_equal (one->tool, other->tool)
         && g_str_equal (one->arguments, other->arguments) && g_strcmp0 (one->expect, other->expect) == 0
         && !one->breakpoint == !other->breakpoint && one->status == other->status;
}

gboolean
beckon_plan_equal (const BeckonPlan *one, const BeckonPlan *other)
{
  g_return_val_if_fail (one != NULL && other != NULL, FALSE);

  if (!g_str_equal (one->title, other->title) || one->pause != other->pause || one->on_failure != other->on_failure
      || one->steps->len != other->steps->len)
    return FALSE;
  for (guint i = 0; i < one->steps->len; i++)
    if (!beckon_plan_step_equal (beckon_plan_get_step (one, i), beckon_plan_get_step (other, i)))
      return FALSE;
  return TRUE;
}

gboolean
beckon_plan_refuse (const BeckonPlan *plan, BeckonPlanFault *fault, BeckonPlanFaultKind kind, int step, int other,
                    const char *detail)
{
  if (fault == NULL)
    return FALSE;

  beckon_plan_fault_clear (fault);
  fault->kind = kind;
  fault->step = (guint) (step + 1);
  fault->step_id = step >= 0 ? g_strdup (beckon_plan_get_step (plan, (guint) step)->id) : NULL;
  fault->other = (guint) (other + 1);
  fault->other_id = other >= 0 ? g_strdup (beckon_plan_get_step (plan, (guint) other)->id) : NULL;
  fault->detail = g_strdup (detail);
  return FALSE;
}

/* Whether @from uses, itself or through others, the result of @to. */
static gboolean
reaches (const BeckonPlan *plan, guint from, guint to, GHashTable *seen)
{
  g_autoptr (GPtrArray) ids = NULL;

  if (!g_hash_table_add (seen, GUINT_TO_POINTER (from + 1)))
    return FALSE;
  ids = beckon_plan_list_references (beckon_plan_get_step (plan, from)->arguments, NULL);
  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      int next = beckon_plan_find (plan, g_ptr_array_index (ids, i));

      if (next >= 0 && ((guint) next == to || reaches (plan, (guint) next, to, seen)))
        return TRUE;
    }
  return FALSE;
}

static BeckonPlanFaultKind
judge_source (const BeckonPlan *plan, guint index, guint source)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  if (source == index)
    return BECKON_PLAN_FAULT_ITSELF;
  if (source > index)
    return reaches (plan, source, index, seen) ? BECKON_PLAN_FAULT_CYCLE : BECKON_PLAN_FAULT_LATER_STEP;
  if (beckon_plan_get_step (plan, source)->status == BECKON_STEP_SKIPPED)
    return BECKON_PLAN_FAULT_SKIPPED_STEP;
  if (beckon_plan_get_step (plan, source)->status == BECKON_STEP_FAILED)
    return BECKON_PLAN_FAULT_FAILED_STEP;
  return BECKON_PLAN_FAULT_NONE;
}

static gboolean
check_references (const BeckonPlan *plan, guint index, BeckonPlanFault *fault)
{
  g_auto (BeckonPlanFault) found = { 0 };
  g_autoptr (GPtrArray) ids = beckon_plan_list_references (beckon_plan_get_step (plan, index)->arguments, &found);

  if (ids == NULL)
    return beckon_plan_refuse (plan, fault, found.kind, (int) index, -1, found.detail);
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = g_ptr_array_index (ids, i);
      int source = beckon_plan_find (plan, id);
      BeckonPlanFaultKind kind;

      if (source < 0)
        return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_UNKNOWN_STEP, (int) index, -1, id);
      kind = judge_source (plan, index, (guint) source);
      if (kind != BECKON_PLAN_FAULT_NONE)
        return beckon_plan_refuse (plan, fault, kind, (int) index, source == (int) index ? -1 : source, NULL);
    }
  return TRUE;
}

static gboolean
is_id_unique (const BeckonPlan *plan, guint index)
{
  for (guint i = 0; i < plan->steps->len; i++)
    if (i != index && g_str_equal (beckon_plan_get_step (plan, i)->id, beckon_plan_get_step (plan, index)->id))
      return FALSE;
  return TRUE;
}

gboolean
beckon_plan_check_step (const BeckonPlan *plan, guint index, BeckonPlanFault *fault)
{
  const BeckonPlanStep *step = beckon_plan_get_step (plan, index);

  if (*step->id == '\0' || strlen (step->id) > 64
      || strspn (step->id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != strlen (step->id))
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_BAD_ID, (int) index, -1, step->id);
  if (!is_id_unique (plan, index))
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_SAME_ID, (int) index, -1, step->id);
  if (*step->tool == '\0' || strlen (step->tool) > 256)
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_NO_TOOL, (int) index, -1, NULL);
  /* Begun steps were resolved; skipped ones need nothing. */
  return step->status != BECKON_STEP_PENDING || check_references (plan, index, fault);
}

gboolean
beckon_plan_check (const BeckonPlan *plan, BeckonPlanFault *fault)
{
  g_return_val_if_fail (plan != NULL, FALSE);

  if (plan->steps->len == 0)
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_NO_STEPS, -1, -1, NULL);
  if (plan->steps->len > BECKON_PLAN_MAX_STEPS)
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_TOO_MANY_STEPS, -1, -1, NULL);
  for (guint i = 0; i < plan->steps->len; i++)
    if (!beckon_plan_check_step (plan, i, fault))
      return FALSE;
  if (beckon_plan_get_current (plan) < 0)
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_NOTHING_LEFT, -1, -1, NULL);
  return TRUE;
}

static gboolean
has_begun (const BeckonPlanStep *step)
{
  return !beckon_plan_step_is_free (step);
}

/* Begun steps keep their order; only skipped ones may stand between them. */
gboolean
beckon_plan_check_revision (const BeckonPlan *before, const BeckonPlan *after, BeckonPlanFault *fault)
{
  guint last = 0;

  g_return_val_if_fail (before != NULL && after != NULL, FALSE);

  for (guint i = 0; i < before->steps->len; i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (before, i);
      int place = beckon_plan_find (after, step->id);

      if (!has_begun (step))
        continue;
      if (place < 0 || (guint) place < last || !beckon_plan_step_equal (step, beckon_plan_get_step (after, (guint) place)))
        return beckon_plan_refuse (before, fault, BECKON_PLAN_FAULT_CHANGED_BEGUN, (int) i, -1, NULL);
      last = (guint) place + 1;
    }
  for (guint i = 0; i < after->steps->len; i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (after, i);
      int was = beckon_plan_find (before, step->id);

      if (has_begun (step) && (was < 0 || !has_begun (beckon_plan_get_step (before, (guint) was))))
        return beckon_plan_refuse (after, fault, BECKON_PLAN_FAULT_CHANGED_BEGUN, (int) i, -1, NULL);
      if (step->status == BECKON_STEP_PENDING && i < last)
        return beckon_plan_refuse (after, fault, BECKON_PLAN_FAULT_BEFORE_BEGUN, (int) i, -1, NULL);
    }
  return TRUE;
}
