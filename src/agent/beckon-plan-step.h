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
 * beckon_plan_step_is_read:
 * @call: a call
 * @tool: what carries it out
 * @was_approved: the person decided on it by itself, on a card
 *
 * Whether @call is a step whose arguments say all that it changes, and its person let it run with these very arguments: on a
 * card, or on the plan that they accepted. What it changes is shown to them once.
 */
gboolean beckon_plan_step_is_read (BeckonToolCall *call, BeckonTool *tool, gboolean was_approved);

/** The person asked about a step sees the plan, and may change it. */
void beckon_plan_step_mark (BeckonToolCall *call, BeckonRequest *request);

/** Follows what an answer does to the plan. */
void beckon_plan_step_follow (BeckonToolCall *call, const BeckonSettlement *settlement);

G_END_DECLS
