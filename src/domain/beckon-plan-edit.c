/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan-edit.h"

#include "base/beckon-json.h"
#include "beckon-plan-private.h"
#include "beckon-plan-reference.h"

static BeckonPlanStep *
get_step (BeckonPlan *plan, int index)
{
  return g_ptr_array_index (plan->steps, (guint) index);
}

/* Finds a free step. */
static BeckonPlanStep *
find_free (BeckonPlan *plan, const char *id, int *index, BeckonPlanFault *fault)
{
  *index = beckon_plan_find (plan, id);
  if (*index < 0)
    beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_NO_SUCH_STEP, -1, -1, id);
  else if (!beckon_plan_step_is_free (get_step (plan, *index)))
    beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_BEGUN, *index, -1, NULL);
  else
    return get_step (plan, *index);
  return NULL;
}

static char *
plan_edit_make_id (const BeckonPlan *plan)
{
  for (guint i = plan->steps->len + 1;; i++)
    {
      g_autofree char *id = g_strdup_printf ("added-%u", i);

      if (beckon_plan_find (plan, id) < 0)
        return g_steal_pointer (&id);
    }
}

const char *
beckon_plan_insert (BeckonPlan *plan, guint index, const char *id, const char *tool, const char *arguments,
                    const char *expect, BeckonPlanFault *fault)
{
  BeckonPlanStep *step;

  g_return_val_if_fail (plan != NULL && tool != NULL && arguments != NULL, NULL);

  if (plan->steps->len >= BECKON_PLAN_MAX_STEPS)
    {
      beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_TOO_MANY_STEPS, -1, -1, NULL);
      return NULL;
    }
  if (index < beckon_plan_get_first_free (plan))
    {
      beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_BEFORE_BEGUN, -1, -1, NULL);
      return NULL;
    }
  step = g_new0 (BeckonPlanStep, 1);
  step->id = id != NULL ? g_strdup (id) : plan_edit_make_id (plan);
  step->tool = g_strdup (tool);
  step->arguments = g_strdup (arguments);
  step->expect = g_strdup (expect);
  index = MIN (index, plan->steps->len);
  g_ptr_array_insert (plan->steps, (gint) index, step);
  if (beckon_plan_check_step (plan, index, fault))
    return step->id;
  g_ptr_array_remove_index (plan->steps, index);
  return NULL;
}

/* A step that is still to run and uses the result of @id; -1 if there is none. */
static int
find_user (const BeckonPlan *plan, const char *id)
{
  for (guint i = 0; i < plan->steps->len; i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (plan, i);
      g_autoptr (GPtrArray) ids = NULL;

      if (step->status != BECKON_STEP_PENDING || g_str_equal (step->id, id))
        continue;
      ids = beckon_plan_list_references (step->arguments, NULL);
      if (ids != NULL && g_ptr_array_find_with_equal_func (ids, id, g_str_equal, NULL))
        return (int) i;
    }
  return -1;
}

gboolean
beckon_plan_delete (BeckonPlan *plan, const char *id, BeckonPlanFault *fault)
{
  int index, user;

  g_return_val_if_fail (plan != NULL && id != NULL, FALSE);

  if (find_free (plan, id, &index, fault) == NULL)
    return FALSE;
  user = find_user (plan, id);
  if (user >= 0)
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_USED, index, user, NULL);
  g_ptr_array_remove_index (plan->steps, (guint) index);
  return TRUE;
}

gboolean
beckon_plan_set_skipped (BeckonPlan *plan, const char *id, gboolean skipped, BeckonPlanFault *fault)
{
  BeckonPlanStep *step;
  int index, user;

  g_return_val_if_fail (plan != NULL && id != NULL, FALSE);

  step = find_free (plan, id, &index, fault);
  if (step == NULL)
    return FALSE;
  user = skipped ? find_user (plan, id) : -1;
  if (user >= 0)
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_USED, index, user, NULL);
  if (!skipped && (guint) index < beckon_plan_get_first_free (plan))
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_BEFORE_BEGUN, index, -1, NULL);
  step->status = skipped ? BECKON_STEP_SKIPPED : BECKON_STEP_PENDING;
  return TRUE;
}

gboolean
beckon_plan_move (BeckonPlan *plan, const char *id, guint index, BeckonPlanFault *fault)
{
  int from;

  g_return_val_if_fail (plan != NULL && id != NULL, FALSE);

  if (find_free (plan, id, &from, fault) == NULL)
    return FALSE;
  index = MIN (index, plan->steps->len - 1);
  if (index < beckon_plan_get_first_free (plan))
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_BEFORE_BEGUN, from, -1, NULL);
  g_ptr_array_insert (plan->steps, (gint) index, g_ptr_array_steal_index (plan->steps, (guint) from));
  return TRUE;
}

gboolean
beckon_plan_set_arguments (BeckonPlan *plan, const char *id, const char *arguments, BeckonPlanFault *fault)
{
  g_autoptr (GPtrArray) ids = NULL;
  g_auto (BeckonPlanFault) found = { 0 };
  BeckonPlanStep *step;
  int index;

  g_return_val_if_fail (plan != NULL && id != NULL && arguments != NULL, FALSE);

  step = find_free (plan, id, &index, fault);
  if (step == NULL)
    return FALSE;
  ids = beckon_plan_list_references (arguments, &found);
  if (ids == NULL)
    return beckon_plan_refuse (plan, fault, found.kind, index, -1, found.detail);
  g_free (step->arguments);
  step->arguments = g_strdup (arguments);
  return TRUE;
}

gboolean
beckon_plan_set_tool (BeckonPlan *plan, const char *id, const char *tool, BeckonPlanFault *fault)
{
  BeckonPlanStep *step;
  int index;

  g_return_val_if_fail (plan != NULL && id != NULL && tool != NULL, FALSE);

  step = find_free (plan, id, &index, fault);
  if (step == NULL)
    return FALSE;
  if (*tool == '\0')
    return beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_NO_TOOL, index, -1, NULL);
  g_free (step->tool);
  step->tool = g_strdup (tool);
  return TRUE;
}

gboolean
beckon_plan_set_breakpoint (BeckonPlan *plan, const char *id, gboolean breakpoint, BeckonPlanFault *fault)
{
  BeckonPlanStep *step;
  int index;

  g_return_val_if_fail (plan != NULL && id != NULL, FALSE);

  step = find_free (plan, id, &index, fault);
  if (step == NULL)
    return FALSE;
  step->breakpoint = breakpoint;
  if (breakpoint && plan->pause == BECKON_PAUSE_POLICY)
    plan->pause = BECKON_PAUSE_BREAKPOINTS;
  return TRUE;
}
