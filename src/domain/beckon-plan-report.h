/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-plan.h"

G_BEGIN_DECLS

/* Reports of plans to a model; English, JSON. */

/**
 * beckon_plan_difference:
 * @before: what was proposed
 * @after: what a person made of it
 *
 * {inserted: [{id, tool, arguments, after}], deleted: [id], skipped: [id], unskipped: [id], changed: [{id, tool?: {from,
 * to}, arguments?: {from, to}}], order: [id] (of what is in both, if it is another), breakpoints: [id], pause, on_failure,
 * title}: each member only where something is other than it was.
 *
 * Returns: (transfer full) (nullable): %NULL when nothing is
 */
char *beckon_plan_difference (const BeckonPlan *before, const BeckonPlan *after);

/**
 * beckon_plan_report:
 * @plan: how it ended
 * @proposed: (nullable): what the model had proposed
 * @status: a word such as "completed"
 * @message: (nullable): a sentence
 *
 * {status, message, changes, steps: [{id, tool, status, result}]}: the result of the call that proposed it. Long results of
 * steps are cut in the middle, with a mark that says so.
 *
 * Returns: (transfer full): the text
 */
char *beckon_plan_report (const BeckonPlan *plan, const BeckonPlan *proposed, const char *status, const char *message);

G_END_DECLS
