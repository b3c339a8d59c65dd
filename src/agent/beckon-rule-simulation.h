/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-rule.h"
#include "library/beckon-library.h"
#include "tools/beckon-tool-registry.h"

G_BEGIN_DECLS

/**
 * BeckonPastCall:
 * @tool: the tool
 * @arguments: the arguments that were shown
 */
typedef struct
{
  char *tool;
  char *arguments;
} BeckonPastCall;

/**
 * BeckonRuleSimulation:
 * @n_calls: how many past calls were looked at: the last thousand that were decided
 * @n_matches: how many of them the rule would have decided
 * @n_changed: how many of those it would have decided otherwise than they were
 * @examples: (owned) (element-type BeckonPastCall): the latest few of those that it would have changed
 */
typedef struct
{
  guint n_calls;
  guint n_matches;
  guint n_changed;
  GPtrArray *examples;
} BeckonRuleSimulation;

void beckon_rule_simulation_free (BeckonRuleSimulation *simulation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRuleSimulation, beckon_rule_simulation_free)

/**
 * beckon_rule_simulate_async:
 * @store: where the past calls are
 * @library: whose conversations' folders count for calls of which it was not kept
 * @tools: what knows the effects of a call
 * @rule: a rule
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Looks which past calls @rule would have decided, if it were the only one. Nothing is run. Main thread.
 */
void beckon_rule_simulate_async (BeckonStore *store, BeckonLibrary *library, BeckonToolRegistry *tools, BeckonRule *rule,
                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
BeckonRuleSimulation *beckon_rule_simulate_finish (BeckonStore *store, GAsyncResult *result,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
