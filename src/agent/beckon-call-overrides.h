/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"
#include "agent/beckon-run-scope.h"
#include "domain/beckon-plan.h"
#include "request/beckon-approval-details.h"

G_BEGIN_DECLS

/** Puts in what is pinned of a call's arguments, and notes what is not to be seen; %FALSE where nothing may run. */
gboolean beckon_call_overrides_apply (BeckonCallBatch *calls, BeckonTool *tool, BeckonToolCall *call, GError **error);

/** The same for the steps of a plan that is proposed; the arguments of @context become those that are shown. */
gboolean beckon_call_overrides_apply_to_plan (const BeckonRunScope *scope, BeckonToolContext *context, GError **error);

/** Whether the arguments of a step of a plan are as the person wants them; those that hold references are known only when it is
 *  their turn. */
gboolean beckon_call_overrides_check_step (const BeckonRunScope *scope, const BeckonPlanStep *step, GError **error);

/** Whether the arguments that would run fit the tool and are as the person wants them; in English, for the model. */
gboolean beckon_call_overrides_check (const BeckonRunScope *scope, BeckonTool *tool, const BeckonCallSurvey *survey,
                                      GError **error);

/** Describes overrides to the person; and masks hidden values in what the call would touch. */
void beckon_call_overrides_describe (const BeckonRunScope *scope, BeckonTool *tool, const char *arguments,
                                     BeckonApprovalDetails *details);

G_END_DECLS
