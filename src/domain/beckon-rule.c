/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rule.h"

#include "base/beckon-counted.h"
#include "base/beckon-id.h"
#include "base/beckon-words.h"
#include "domain/beckon-rule.h"

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

static const char *const verdicts[] = { "allow", "ask", "deny" };

BeckonRule *
beckon_rule_new (void)
{
  BeckonRule *rule = g_atomic_rc_box_new0 (BeckonRule);

  rule->verdict = BECKON_VERDICT_ASK;
  return rule;
}

BeckonRule *
beckon_rule_copy (const BeckonRule *rule)
{
  BeckonRule *copy;

  g_return_val_if_fail (rule != NULL, NULL);

  copy = beckon_rule_new ();
  *copy = *rule;
  copy->id = g_strdup (rule->id);
  copy->tool = g_strdup (rule->tool);
  copy->server = g_strdup (rule->server);
  copy->arguments = g_strdup (rule->arguments);
  copy->folder = g_strdup (rule->folder);
  copy->conversation_id = g_strdup (rule->conversation_id);
  return copy;
}

static void
rule_clear (gpointer data)
{
  BeckonRule *rule = data;

  g_free (rule->id);
  g_free (rule->tool);
  g_free (rule->server);
  g_free (rule->arguments);
  g_free (rule->folder);
  g_free (rule->conversation_id);
}

BECKON_COUNTED (BeckonRule, beckon_rule, rule_clear)

const char *
beckon_verdict_to_string (BeckonVerdict verdict)
{
  g_return_val_if_fail ((guint) verdict < G_N_ELEMENTS (verdicts), "ask");

  return verdicts[verdict];
}

BECKON_WORDS_FROM (BeckonVerdict, beckon_verdict_from_string, verdicts)
