/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-policy.h"
#include "policy/beckon-rule-set.h"

G_BEGIN_DECLS

/**
 * BeckonJudgedCommand:
 * @text: (owned): one command of a line, as it stands there
 * @verdict: what is said to it
 * @rule: (owned) (nullable): the rule that says so; %NULL if it is the mode
 * @is_doubtful: it would be allowed, but may run another one that a rule forbids or asks for
 */
typedef struct
{
  char *text;
  BeckonVerdict verdict;
  BeckonRule *rule;
  gboolean is_doubtful;
} BeckonJudgedCommand;

/**
 * BeckonJudgement:
 * @verdict: what is said to the call: the strictest of what is said to its parts
 * @reason: (owned): why, translated, to be shown
 * @refusal: (nullable): for %BECKON_VERDICT_DENY: the call's result, English, for the model; static
 * @rule: (owned) (nullable): the rule that decided; %NULL if it was the mode
 * @is_planned: it is neither: the call stood on a plan that the person accepted
 * @commands: (owned) (nullable) (element-type BeckonJudgedCommand): for a command line that is understood, its commands
 * @misunderstood: (owned) (nullable): for one that is not, why, translated
 */
typedef struct
{
  BeckonVerdict verdict;
  char *reason;
  const char *refusal;
  BeckonRule *rule;
  gboolean is_planned;
  GPtrArray *commands;
  char *misunderstood;
} BeckonJudgement;

/**
 * beckon_policy_judge:
 * @effects: what the call would do
 * @rules: (nullable): the person's rules
 * @mode: the conversation's mode
 * @has_person: %FALSE where no person can answer; what would be asked is denied then
 * @now: microseconds since the epoch
 *
 * The whole decision about a call. The last rule that matches decides; where none does, the mode. Each command of a line
 * is decided by itself, and the strictest decision is the line's; a line that is not understood is never permitted by a
 * rule about commands, and asked for as soon as there is one that asks or denies. Pure; any thread.
 *
 * Returns: (transfer full): the judgement
 */
BeckonJudgement *beckon_policy_judge (const BeckonEffects *effects, BeckonRuleSet *rules, BeckonMode mode,
                                      gboolean has_person, gint64 now) G_GNUC_WARN_UNUSED_RESULT;
void beckon_judgement_free (BeckonJudgement *judgement);

/** Whether @result, of a call, is a refusal by a rule, or because nobody could be asked. @result: (nullable). */
gboolean beckon_judgement_was_refusal (const char *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonJudgement, beckon_judgement_free)

/**
 * beckon_judgement_to_json:
 * @judgement: a judgement
 * @folder: (nullable): the working folder that it took for the inside
 *
 * {verdict, reason, folder, rule, commands: [{text, verdict, rule}], misunderstood}, with null for what is not there; a rule as
 * beckon_rule_write() writes it. Pure; any thread.
 *
 * Returns: (transfer full): the text
 */
char *beckon_judgement_to_json (const BeckonJudgement *judgement, const char *folder) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
