/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"

G_BEGIN_DECLS

/**
 * BeckonCallExecutor:
 * @begin: (nullable): begins to carry out a call whose start is stored
 * @can_advance: (nullable): of one that goes on in steps: whether none of them is open
 * @advance: (nullable): begins its next step, or ends it
 * @report_stopped: (transfer full) (nullable): the result of a call that a stop ends
 *
 * How a decided call is carried out. One that goes on in steps runs nothing itself: its steps are calls, each decided for
 * itself.
 */
typedef struct
{
  void (*begin) (BeckonCallBatch *calls, BeckonToolCall *call);
  gboolean (*can_advance) (BeckonToolCall *call);
  void (*advance) (BeckonCallBatch *calls, BeckonToolCall *call);
  char *(*report_stopped) (BeckonCallBatch *calls, BeckonToolCall *call);
} BeckonCallExecutor;

extern const BeckonCallExecutor beckon_tool_executor; /* beckon-tool-executor.c */
extern const BeckonCallExecutor beckon_plan_executor; /* beckon-plan-executor.c */

const BeckonCallExecutor *beckon_call_find_executor (BeckonToolCall *call);

/**
 * beckon_call_tell_changes:
 * @scope: what the run is given
 * @call: a call that ran
 * @result: what came of it
 *
 * Tells the model what was changed, so that it doesn't retry its own version, and that it repeats itself. Arguments that were
 * only read as meant are not mentioned, except those under other names and those left out.
 *
 * Returns: (transfer full) (nullable): @result with it; %NULL where there is nothing to tell
 */
char *beckon_call_tell_changes (const BeckonRunScope *scope, BeckonToolCall *call, const char *result);

G_END_DECLS
