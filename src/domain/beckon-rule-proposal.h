/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-rule.h"

G_BEGIN_DECLS

/**
 * BeckonRuleProposal:
 * @label: (owned): what would be allowed from then on, translated, to be shown after “Always”: “git log with any arguments”
 * @rules: (owned) (element-type BeckonRule): the rules that say so: one for each command of a line. Without a conversation;
 *   whoever wants them for one only copies them with beckon_rule_proposal_copy_rules()
 *
 * What a person could have remembered when a call is approved. The first of several is the narrowest. Immutable.
 */
typedef struct
{
  char *label;
  GPtrArray *rules;
} BeckonRuleProposal;

/** Takes @rules. Caller owns. */
BeckonRuleProposal *beckon_rule_proposal_new (const char *label, GPtrArray *rules) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_rule_proposal_free (BeckonRuleProposal *proposal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRuleProposal, beckon_rule_proposal_free)

/**
 * beckon_rule_proposal_copy_rules:
 * @proposal: a proposal
 * @conversation_id: (nullable): only in this conversation; %NULL for everywhere
 * @now: microseconds since the epoch
 *
 * Returns: (transfer full) (element-type BeckonRule): new rules with ids of their own, to be remembered with an answer
 */
GPtrArray *beckon_rule_proposal_copy_rules (const BeckonRuleProposal *proposal, const char *conversation_id,
                                            gint64 now) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
