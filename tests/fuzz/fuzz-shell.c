/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "domain/beckon-rule-json.h"
#include "policy/beckon-command-pattern.h"
#include "policy/beckon-judgement.h"
#include "policy/beckon-rule-propose.h"
#include "policy/beckon-shell.h"

#include <string.h>

static BeckonRule *
make_rule (const char *pattern, BeckonVerdict verdict)
{
  BeckonRule *rule = beckon_rule_new ();

  rule->id = g_strdup ("rule");
  rule->tool = g_strdup ("run_command");
  rule->verdict = verdict;
  if (pattern != NULL)
    rule->arguments = g_strdup_printf ("{\"command\":\"%s\"}", pattern);
  return rule;
}

static BeckonVerdict
judge (const BeckonEffects *effects, GPtrArray *list, BeckonMode mode)
{
  g_autoptr (BeckonRuleSet) rules = beckon_rule_set_new (list);
  g_autoptr (BeckonJudgement) judgement = beckon_policy_judge (effects, rules, mode, TRUE, 1);

  g_assert_nonnull (judgement->reason);
  return judgement->verdict;
}

/* A proposed rule allows the call that it is offered for. */
static void
check_proposals (const BeckonEffects *effects)
{
  g_autoptr (GPtrArray) proposals = beckon_rule_propose (effects);

  for (guint i = 0; i < proposals->len; i++)
    {
      const BeckonRuleProposal *proposal = g_ptr_array_index (proposals, i);

      g_assert_cmpint (judge (effects, proposal->rules, BECKON_MODE_ASK_EVERYTHING), ==, BECKON_VERDICT_ALLOW);
    }
}

/* A command that begins with a denied program is never allowed, whatever else is. */
static void
check_denied (const BeckonEffects *effects, GPtrArray *segments)
{
  static const char *const denied[] = { "git push *", "rm *", "npm publish *", "make install *" };
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  BeckonVerdict verdict;

  g_ptr_array_add (rules, make_rule (NULL, BECKON_VERDICT_ALLOW));
  for (guint i = 0; i < G_N_ELEMENTS (denied); i++)
    g_ptr_array_add (rules, make_rule (denied[i], BECKON_VERDICT_DENY));
  verdict = judge (effects, rules, BECKON_MODE_ASK_OUTSIDE);
  if (segments == NULL)
    {
      g_assert_cmpint (verdict, !=, BECKON_VERDICT_ALLOW);
      return;
    }
  for (guint i = 0; i < segments->len; i++)
    {
      const BeckonShellSegment *segment = g_ptr_array_index (segments, i);
      const char *program = beckon_shell_segment_get_word (segment, 0);

      g_assert_true (g_strcmp0 (program, "rm") != 0 || verdict == BECKON_VERDICT_DENY);
      g_assert_true (g_strcmp0 (program, "sh") != 0 || segment->words->len > 1 || verdict != BECKON_VERDICT_ALLOW);
    }
}

/* A pattern that a command is written as is about that command. */
static void
check_pattern (const char *line, GPtrArray *segments)
{
  g_autoptr (BeckonCommandPattern) pattern = beckon_command_pattern_new (line, NULL);
  const BeckonShellSegment *segment;

  if (pattern == NULL)
    return;
  g_assert_nonnull (segments);
  segment = g_ptr_array_index (segments, 0);
  g_assert_cmpint (beckon_command_pattern_mentions (pattern, segment), ==, BECKON_MENTION_YES);
  beckon_command_pattern_allows (pattern, segment, "/w");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *line = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) segments = beckon_shell_parse (line, &error);
  const BeckonEffects effects = { .tool = "run_command", .command = line, .folder = "/w" };

  g_assert_true ((segments == NULL) == (error != NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  check_pattern (line, segments);
  check_proposals (&effects);
  check_denied (&effects, segments);
  return 0;
}
