/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-plan.h"

G_BEGIN_DECLS

/*
 * {{step.ID.result}} in any text within the arguments of a step, names of members included, stands for what another step
 * gave; behind `result` there may be a path into it, if it is JSON: .name, ["name"], [0]. A text that is nothing but one
 * reference with a path becomes the value itself, of whatever type; anything else is put into the text. {{step.ID.status}}
 * stands for "success" or "failure", where the plan goes on after one. Text in double
 * braces that does not begin with `step.` is not ours and stays.
 */

/** The ids that @arguments refer to, each once: (element-type utf8) (transfer full); %NULL with @fault's kind and detail. */
GPtrArray *beckon_plan_list_references (const char *arguments, BeckonPlanFault *fault);

/**
 * beckon_plan_resolve:
 * @plan: a plan, whose earlier steps have their results
 * @index: which step
 * @fault: (out) (optional): why it cannot be
 *
 * Returns: (transfer full) (nullable): the arguments of the step with every reference replaced, as JSON; byte for byte the
 *   same where there is none
 */
char *beckon_plan_resolve (const BeckonPlan *plan, guint index, BeckonPlanFault *fault);

/** @text with each reference replaced by words such as "result of step 2 › name"; translated, to be shown. Caller frees. */
char *beckon_plan_make_readable (const BeckonPlan *plan, const char *text);

G_END_DECLS
