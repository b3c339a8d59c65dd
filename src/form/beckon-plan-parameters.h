/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "form/beckon-parameters.h"

G_BEGIN_DECLS

/**
 * BeckonPlanParameters:
 *
 * What a person settled about arguments of the tools of a plan: above all which are not to be seen. It is kept with the call
 * that proposes the plan, in the place where any other call has what is not to be seen of its own arguments
 * (beckon_tool_call_get_redacted()), so that what shows, logs or exports a call by that need not know which of the two it
 * is. Built, then not changed; one owner; any thread.
 */
typedef struct _BeckonPlanParameters BeckonPlanParameters;

BeckonPlanParameters *beckon_plan_parameters_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_plan_parameters_free (BeckonPlanParameters *self);

/** Adds what is settled about @tool, if anything, to what is known of it already; of what is redacted nothing but that. */
void beckon_plan_parameters_add (BeckonPlanParameters *self, const char *tool, BeckonParameters *parameters);

/** For beckon_tool_call_set_redacted(); %NULL where nothing is settled. Caller frees. */
char *beckon_plan_parameters_to_text (BeckonPlanParameters *self);

/** Whether @text is such, and not that of one call. @text: (nullable). */
gboolean beckon_plan_parameters_is_text (const char *text);

/** Never %NULL: of what cannot be read no argument of any tool is shown. */
BeckonPlanParameters *beckon_plan_parameters_read (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/** The plan as it may be shown: with the masks in place, also in its title and in what its steps expect. */
BeckonPlan *beckon_plan_parameters_show (BeckonPlanParameters *self, const BeckonPlan *plan) G_GNUC_WARN_UNUSED_RESULT;

/** The same of a document, a person's or a model's; nothing but %BECKON_PARAMETERS_MASK of what is no plan. Caller frees. */
char *beckon_plan_parameters_show_text (BeckonPlanParameters *self, const char *document) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_plan_parameters_restore:
 * @self: what is redacted
 * @plan: the plan, of which a person was shown what beckon_plan_parameters_show() left
 * @edited: what they made of that
 * @error: return location
 *
 * Puts back, step by step, what they were not shown and left as it was. What is restored already stays as it is.
 *
 * Returns: (transfer full) (nullable): the plan that they mean; %NULL with %BECKON_REQUEST_ERROR_INVALID, translated, where a
 *   mask stands for nothing, in a step of another tool or in a new one, and where something was changed that may not be: what
 *   is masked is written in new steps only, as on the card of a call
 */
BeckonPlan *beckon_plan_parameters_restore (BeckonPlanParameters *self, const BeckonPlan *plan, const BeckonPlan *edited,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Whether beckon_plan_parameters_restore() would take this one step of @edited, so that it can be told where it is written. */
gboolean beckon_plan_parameters_check_step (BeckonPlanParameters *self, const BeckonPlan *plan, const BeckonPlan *edited,
                                            const char *step_id, GError **error);

/**
 * beckon_plan_parameters_tell:
 * @self: what is redacted
 * @plan: a plan; of its redacted arguments only the masks stay, each of which says whether it stands for another value
 * @proposed: (nullable): what the model had proposed, likewise
 *
 * For what the model is told of the changes, which others see, too.
 */
void beckon_plan_parameters_tell (BeckonPlanParameters *self, BeckonPlan *plan, BeckonPlan *proposed);

/** The same of a document, a person's or a model's. */
BeckonMask *beckon_plan_parameters_make_text_mask (BeckonPlanParameters *self, const char *document) G_GNUC_WARN_UNUSED_RESULT;

/** The plan that a call carries out, as it may be shown; %NULL unless one was accepted. */
BeckonPlan *beckon_plan_parameters_show_call (BeckonToolCall *planned) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonPlanParameters, beckon_plan_parameters_free)

G_END_DECLS
