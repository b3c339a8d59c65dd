/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-survey.h"
#include "agent/beckon-run-scope.h"
#include "domain/beckon-landing.h"
#include "policy/beckon-judgement.h"
#include "request/beckon-settlement.h"

G_BEGIN_DECLS

/** Whether a plan that is proposed can be carried out at all; one that can't is not shown. */
gboolean beckon_plan_step_check_plan (const BeckonRunScope *scope, BeckonRequest *request, GError **error);

/** Whether the plan wants its person before this step, whatever policy says. */
gboolean beckon_plan_step_pauses_before (BeckonToolCall *call);

/** Lets a step run of which the plan showed all that it writes, if @judgement asks by the mode alone. */
void beckon_plan_step_permit (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonCallSurvey *survey,
                              BeckonJudgement *judgement);

/**
 * beckon_plan_step_was_read:
 * @scope: its run
 * @call: a call
 * @survey: of its start
 * @landing: what it changed
 *
 * Returns: whether @call is a step whose person was shown, on its own approval or on the plan that they accepted, arguments
 *   that say all of @landing: what goes from where, and where it comes to, by the names that the files have and not by links;
 *   and that what is gone is what was there then; of a command, files that its line has the shell make, and that were not
 *   there. %FALSE if only a part of it is
 */
gboolean beckon_plan_step_was_read (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonCallSurvey *survey,
                                    const BeckonLanding *landing);

/** The person asked about a step sees the plan, and may change it. */
void beckon_plan_step_mark (BeckonToolCall *call, BeckonRequest *request);

/** Follows what an answer does to the plan. */
void beckon_plan_step_follow (BeckonToolCall *call, const BeckonSettlement *settlement);

/** Says why a step is asked about, if a file of it is not what it was when its person accepted the plan. */
void beckon_plan_step_explain (const BeckonRunScope *scope, const BeckonCallSurvey *survey, BeckonJudgement *judgement);

/** The same of the changes of it that wait. */
void beckon_plan_step_note_news (const BeckonRunScope *scope, const BeckonCallSurvey *survey, BeckonLanding *landing);

G_END_DECLS
