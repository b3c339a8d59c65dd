/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-plan.h"

G_BEGIN_DECLS

/*
 * Edits of a plan by a person. Each returns %FALSE with @fault (out) (optional), and then has changed nothing. Steps that have
 * begun stay as and where they are. References are checked by beckon_plan_check() when the plan is to run, because on the way
 * there a plan may well be unfinished; only removals are checked here.
 */

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
