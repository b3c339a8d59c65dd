/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-plan.h"

G_BEGIN_DECLS

/* Shared by the files of a plan. */

BeckonPlanStep *beckon_plan_step_copy (const BeckonPlanStep *step);
void            beckon_plan_step_free (BeckonPlanStep *step);
gboolean        beckon_plan_step_equal (const BeckonPlanStep *one, const BeckonPlanStep *other);
gboolean        beckon_plan_check_step (const BeckonPlan *plan, guint index, BeckonPlanFault *fault);

/** @step, @other: places in @plan, -1 for none. Returns %FALSE. */
gboolean beckon_plan_refuse (const BeckonPlan *plan, BeckonPlanFault *fault, BeckonPlanFaultKind kind, int step,
                             int other, const char *detail);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonPlanStep, beckon_plan_step_free)

G_END_DECLS
