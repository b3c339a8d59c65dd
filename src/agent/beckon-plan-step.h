/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-run-scope.h"
#include "request/beckon-settlement.h"

G_BEGIN_DECLS

/** Whether a plan that is proposed can be carried out at all; one that can't is not shown. */
gboolean beckon_plan_step_check_plan (const BeckonRunScope *scope, BeckonRequest *request, GError **error);

/** Whether the plan wants its person before this step, whatever policy says. */
gboolean beckon_plan_step_pauses_before (BeckonToolCall *call);

/**
 * beckon_plan_step_get_read_at:
 * @scope: its run
 * @call: a call
 * @approval: (nullable): the request for its own approval that the person granted
 *
 * Returns: when, in microseconds since the epoch, the person let it run with these very arguments: on @approval, or on the plan
 *   that they accepted; 0 for a call that is no step, whose arguments do not say all that it changes, or behind a command that
 *   moved, deleted or linked something meanwhile
 */
gint64 beckon_plan_step_get_read_at (const BeckonRunScope *scope, BeckonToolCall *call, BeckonRequest *approval);

/**
 * beckon_plan_step_covers:
 * @call: a step that was read
 * @folder: the working folder
 * @change: what it would change
 * @read_at: see beckon_plan_step_get_read_at()
 *
 * Returns: whether its arguments name all of @change, not only a link that leads there, and what stood there is what was there
 *   when the person read them
 */
gboolean beckon_plan_step_covers (BeckonToolCall *call, const char *folder, const BeckonFileChange *change, gint64 read_at);

/** The person asked about a step sees the plan, and may change it. */
void beckon_plan_step_mark (BeckonToolCall *call, BeckonRequest *request);

/** Follows what an answer does to the plan. */
void beckon_plan_step_follow (BeckonToolCall *call, const BeckonSettlement *settlement);

G_END_DECLS
