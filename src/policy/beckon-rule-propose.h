/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-rule.h"
#include "policy/beckon-effects.h"

G_BEGIN_DECLS

/**
 * beckon_rule_propose:
 * @effects: what a call would do
 *
 * What a person who allows this call could want to allow from then on, the narrowest first: these very commands, then those
 * that only read with other arguments; this file, then what is in its folder, and where files are changed what is in the
 * working folder around that; this host; where nothing of the kind is known, the tool. For a line of several commands there
 * is a rule for each. Every proposal would allow the call and names what it includes; one that no rule may allow is not made.
 * In a conversation with a folder they hold in that folder. Pure; any thread.
 *
 * Returns: (transfer full) (element-type BeckonRuleProposal): may be empty
 */
GPtrArray *beckon_rule_propose (const BeckonEffects *effects) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
