/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-plain-text.h"
#include "domain/beckon-plan.h"
#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/* Plans as plain text; see beckon-plain-text.h. */

/** The steps, a line each with its status; each begins with a line break. @call: (nullable): what carries the plan out, if
 *  what its person denied and stopped is told. */
void beckon_plain_plan_append_steps (GString *text, const BeckonPlan *plan, BeckonToolCall *call);

/* As #BeckonPlainClass says. */
void beckon_plain_plan_append_heading (GString *text, BeckonRequest *request, guint item);
void beckon_plain_plan_append (GString *text, BeckonRequest *request, guint item, const char *code);
BeckonPlainResult beckon_plain_plan_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                                           BeckonAnswer **whole, char **message);

/** Which step of its plan an approval is for, in a line that begins with a line break; nothing for any other. */
void beckon_plain_plan_append_step (GString *text, BeckonRequest *request);

/** Parses a reply to a plan, or to a step of one; %FALSE when @line is neither. @edited: (nullable): the answer under
 *  construction; where that is a plan, @line is about it, not about the one that was proposed. */
gboolean beckon_plain_plan_parse_command (BeckonRequest *request, const char *line, const BeckonAnswer *edited,
                                          BeckonPlainResult *result, BeckonAnswer **whole, char **message);

/** (transfer full) (nullable): for the approval of a step, what is neither a choice nor a command: what its person wants
 *  instead of the plan. */
BeckonAnswer *beckon_plain_plan_take_words (BeckonRequest *request, const char *line) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): a proposed plan as its person changed it, before it is accepted. @document: one that was checked. */
char *beckon_plain_plan_format_changed (BeckonRequest *request, const char *document) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
