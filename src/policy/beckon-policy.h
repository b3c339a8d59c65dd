/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mode.h"
#include "domain/beckon-rule.h"
#include "policy/beckon-effects.h"

G_BEGIN_DECLS

/**
 * BeckonDecision:
 * @verdict: the verdict
 * @reason: the rule in words, translated; static, or of the effects
 * @refusal: (nullable): for %BECKON_VERDICT_DENY: the call's result, English, for the model; static
 */
typedef struct
{
  BeckonVerdict verdict;
  const char *reason;
  const char *refusal;
} BeckonDecision;

/**
 * beckon_policy_decide:
 * @effects: what the call would do
 * @mode: the conversation's mode
 * @has_person: %FALSE where no person can answer; what would be asked is denied then
 *
 * Pure; any thread.
 *
 * Returns: the decision
 */
BeckonDecision beckon_policy_decide (const BeckonEffects *effects, BeckonMode mode, gboolean has_person);

/** Whether @result, of a call that was not run, is the refusal of what no person could be asked about. @result: (nullable) */
gboolean beckon_policy_was_unasked (const char *result);

G_END_DECLS
