/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-planned-call.h"

G_BEGIN_DECLS

/* The link of a call to a plan: it holds one, or is a step of one. */
typedef struct
{
  BeckonPlan *plan;           /* (owned) (nullable) */
  GPtrArray *steps;           /* (owned) (nullable): BeckonToolCall, in the order they were begun */
  BeckonToolCall *planned_by; /* (unowned) (nullable) */
  char *step_id;              /* (owned) (nullable) */
  BeckonStepOutcome outcome;
} BeckonPlanned;

void beckon_planned_free (BeckonPlanned *planned);

/* beckon-tool-call.c */
BeckonPlanned       *beckon_tool_call_ensure_planned (BeckonToolCall *call);
const BeckonPlanned *beckon_tool_call_peek_planned (BeckonToolCall *call);
void                 beckon_tool_call_notify_plan (BeckonToolCall *call);

G_END_DECLS
