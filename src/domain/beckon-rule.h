/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonVerdict:
 *
 * What is said to a call, from the mildest to the strictest.
 */
typedef enum
{
  BECKON_VERDICT_ALLOW,
  BECKON_VERDICT_ASK,
  BECKON_VERDICT_DENY,
} BeckonVerdict;

/**
 * BeckonRule:
 * @id: (owned): its own id
 * @number: its place in the order; 0 for behind all others
 * @tool: (owned) (nullable): the tool's exact name; %NULL for every tool of @server
 * @server: (owned) (nullable): the MCP server that offers the tool; %NULL for the built-in ones
 * @arguments: (owned) (nullable): a JSON object of patterns by the argument's name; %NULL for any arguments
 * @folder: (owned) (nullable): only in conversations whose working folder is this one or below it
 * @conversation_id: (owned) (nullable): only in this conversation
 * @verdict: what it says
 * @created_at: microseconds since the epoch
 * @expires_at: microseconds since the epoch; 0 for never
 * @uses: how many calls it has decided
 * @used_at: when the last of them was, microseconds since the epoch; 0 for never
 *
 * What a person decided once for calls to come. Immutable once it is shared; at least one of @tool and @server is there.
 */
typedef struct
{
  char *id;
  gint64 number;
  char *tool;
  char *server;
  char *arguments;
  char *folder;
  char *conversation_id;
  BeckonVerdict verdict;
  gint64 created_at;
  gint64 expires_at;
  gint64 uses;
  gint64 used_at;
} BeckonRule;

/** (transfer full): a rule with nothing in it, to be filled before it is shared; counted by references. */
BeckonRule *beckon_rule_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): another one with the same in it, to be changed before it is shared. */
BeckonRule *beckon_rule_copy (const BeckonRule *rule) G_GNUC_WARN_UNUSED_RESULT;
BeckonRule *beckon_rule_ref (BeckonRule *rule);
void beckon_rule_unref (BeckonRule *rule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRule, beckon_rule_unref)

/** "allow", "ask" or "deny"; static. */
const char *beckon_verdict_to_string (BeckonVerdict verdict);

/** %FALSE if @text is none of them; @verdict is left alone then. */
gboolean beckon_verdict_from_string (const char *text, BeckonVerdict *verdict);

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
