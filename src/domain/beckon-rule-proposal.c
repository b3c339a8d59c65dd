/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-rule-proposal.h"

#include "base/beckon-id.h"

BeckonRuleProposal *
beckon_rule_proposal_new (const char *label, GPtrArray *rules)
{
  BeckonRuleProposal *proposal;

  g_return_val_if_fail (label != NULL && rules != NULL, NULL);

  proposal = g_new0 (BeckonRuleProposal, 1);
  proposal->label = g_strdup (label);
  proposal->rules = rules;
  return proposal;
}

void
beckon_rule_proposal_free (BeckonRuleProposal *proposal)
{
  if (proposal == NULL)
    return;

  g_free (proposal->label);
  g_ptr_array_unref (proposal->rules);
  g_free (proposal);
}

GPtrArray *
beckon_rule_proposal_copy_rules (const BeckonRuleProposal *proposal, const char *conversation_id, gint64 now)
{
  GPtrArray *copies;

  g_return_val_if_fail (proposal != NULL, NULL);

  copies = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  for (guint i = 0; i < proposal->rules->len; i++)
    {
      BeckonRule *copy = beckon_rule_copy (g_ptr_array_index (proposal->rules, i));

      g_free (copy->id);
      copy->id = beckon_id_new ();
      g_free (copy->conversation_id);
      copy->conversation_id = g_strdup (conversation_id);
      copy->created_at = now;
      g_ptr_array_add (copies, copy);
    }

  return copies;
}
