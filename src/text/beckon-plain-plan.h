/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-plain-text.h"
#include "domain/beckon-plan.h"

G_BEGIN_DECLS

/* Plans as plain text; see beckon-plain-text.h. */

/** The steps, a line each with its status; each begins with a line break. */
void beckon_plain_plan_append_steps (GString *text, const BeckonPlan *plan);

/* As #BeckonPlainClass says. */
void beckon_plain_plan_append_heading (GString *text, BeckonRequest *request, guint item);
void beckon_plain_plan_append (GString *text, BeckonRequest *request, guint item, const char *code);
BeckonPlainResult beckon_plain_plan_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                                           BeckonAnswer **whole, char **message);

/** Which step of its plan an approval is for, in a line that begins with a line break; nothing for any other. */
void beckon_plain_plan_append_step (GString *text, BeckonRequest *request);

/** Parses a reply to a plan, or to a step of one; %FALSE when @line is neither. */
gboolean beckon_plain_plan_parse_command (BeckonRequest *request, const char *line, BeckonPlainResult *result,
                                          BeckonAnswer **whole, char **message);

G_END_DECLS
