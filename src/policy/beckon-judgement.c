/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-judgement.h"

#include "base/beckon-text-printf.h"
#include "beckon-config.h"
#include "beckon-nested-command.h"
#include "beckon-shell-directory.h"
#include "beckon-shell.h"
#include "domain/beckon-rule-json.h"

#include <glib/gi18n-lib.h>

#define FORBIDDEN                                                                                                              \
  "Not run, and nothing was changed: a rule of the user forbids this call. Do not try it again in another way; say what you "  \
  "wanted to do."

typedef struct
{
  const BeckonEffects *effects;
  BeckonRuleSet *rules;
  gint64 now;

  /* The mode's verdict without rules. */
  BeckonDecision otherwise;
} Judge;

static void
judged_command_free (gpointer data)
{
  BeckonJudgedCommand *command = data;

  g_free (command->text);
  g_clear_pointer (&command->rule, beckon_rule_unref);
  g_free (command);
}

void
beckon_judgement_free (BeckonJudgement *judgement)
{
  if (judgement == NULL)
    return;

  g_free (judgement->reason);
  g_clear_pointer (&judgement->rule, beckon_rule_unref);
  g_clear_pointer (&judgement->commands, g_ptr_array_unref);
  g_free (judgement->misunderstood);
  g_free (judgement);
}

gboolean
beckon_judgement_was_refusal (const char *result)
{
  return g_strcmp0 (result, FORBIDDEN) == 0 || beckon_policy_was_unasked (result);
}

/* (transfer none) (nullable): the rule; @verdict is the mode's without one. */
static BeckonRule *
judgement_find (const Judge *judge, const BeckonShellSegment *segment, BeckonVerdict *verdict, gboolean *is_doubtful)
{
  *verdict = judge->otherwise.verdict;
  *is_doubtful = FALSE;
  if (judge->rules == NULL)
    return NULL;

  return beckon_rule_set_find (judge->rules, judge->effects, segment, judge->now, verdict, is_doubtful);
}

/* Takes over what is said to a part, if it is the first or a stricter one. */
static void
judgement_take (BeckonJudgement *judgement, BeckonRule *rule, BeckonVerdict verdict, gboolean is_first)
{
  if (!is_first && verdict <= judgement->verdict)
    return;

  judgement->verdict = verdict;
  g_clear_pointer (&judgement->rule, beckon_rule_unref);
  judgement->rule = rule != NULL ? beckon_rule_ref (rule) : NULL;
}

static gboolean
restricts_commands (const Judge *judge)
{
  return judge->rules != NULL && beckon_rule_set_restricts_commands (judge->rules, judge->effects, judge->now);
}

/* Another command may run one that the person forbids or wants to be asked for. It is asked for then: a word that looks like a
 * command may be a file. Only a rule for the other command itself knows better. */
static gboolean
may_run_restricted (const Judge *judge, const BeckonShellSegment *segment, GPtrArray *segments)
{
  gboolean is_doubtful = FALSE;
  g_autoptr (GPtrArray) carried = NULL;

  if (!restricts_commands (judge))
    return FALSE;
  carried = beckon_command_list_nested (segment, segments, &is_doubtful);
  for (guint i = 0; i < carried->len && !is_doubtful; i++)
    {
      BeckonVerdict verdict;
      BeckonRule *rule = judgement_find (judge, g_ptr_array_index (carried, i), &verdict, &is_doubtful);

      is_doubtful = is_doubtful || (rule != NULL && verdict != BECKON_VERDICT_ALLOW);
    }

  return is_doubtful;
}

static void
judge_command (const Judge *judge, BeckonJudgement *judgement, const BeckonShellSegment *segment, GPtrArray *segments)
{
  BeckonJudgedCommand *command = g_new0 (BeckonJudgedCommand, 1);
  BeckonRule *rule = judgement_find (judge, segment, &command->verdict, &command->is_doubtful);

  command->text = g_strdup (segment->text);
  if (command->verdict == BECKON_VERDICT_ALLOW && !command->is_doubtful
      && (rule == NULL || !beckon_rule_set_is_about_commands (judge->rules, rule)))
    command->is_doubtful = may_run_restricted (judge, segment, segments);
  if (command->is_doubtful)
    command->verdict = BECKON_VERDICT_ASK;
  else
    command->rule = rule != NULL ? beckon_rule_ref (rule) : NULL;
  judgement_take (judgement, command->rule, command->verdict, judgement->commands->len == 0);
  g_ptr_array_add (judgement->commands, command);
}

static void
judge_whole (const Judge *judge, BeckonJudgement *judgement)
{
  BeckonVerdict verdict;
  gboolean is_doubtful;
  BeckonRule *rule = judgement_find (judge, NULL, &verdict, &is_doubtful);

  judgement_take (judgement, rule, verdict, TRUE);
}

/* Each by itself, with where it runs. */
static void
judge_commands (const Judge *judge, BeckonJudgement *judgement, GPtrArray *segments)
{
  g_autoptr (GPtrArray) reaches = beckon_shell_list_reaches (judge->effects, segments);

  judgement->commands = g_ptr_array_new_with_free_func (judged_command_free);
  for (guint i = 0; i < segments->len; i++)
    {
      BeckonEffects effects = *judge->effects;
      Judge each = *judge;

      effects.reach = g_ptr_array_index (reaches, i);
      each.effects = &effects;
      judge_command (&each, judgement, g_ptr_array_index (segments, i), segments);
    }
}

static void
judge_line (const Judge *judge, BeckonJudgement *judgement)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) segments = beckon_shell_parse (judge->effects->command, &error);

  if (segments != NULL)
    {
      judge_commands (judge, judgement, segments);
      return;
    }

  judgement->misunderstood = g_strdup (error->message);
  judge_whole (judge, judgement);
  if (restricts_commands (judge))
    judgement_take (judgement, NULL, BECKON_VERDICT_ASK, FALSE);
}

/* The rule in the person's own words: what it is about. */
static char *
judgement_describe (const BeckonRule *rule)
{
  const char *what = rule->arguments != NULL ? rule->arguments : rule->tool != NULL ? rule->tool : rule->server;

  switch (rule->verdict)
    {
    case BECKON_VERDICT_ALLOW:
      return beckon_text_printf (_("Your rule allows it: %s"), what);
    case BECKON_VERDICT_DENY:
      return beckon_text_printf (_("Your rule forbids it: %s"), what);
    case BECKON_VERDICT_ASK:
    default:
      return beckon_text_printf (_("Your rule asks for it: %s"), what);
    }
}

static gboolean
has_doubtful (const BeckonJudgement *judgement)
{
  for (guint i = 0; judgement->commands != NULL && i < judgement->commands->len; i++)
    if (((BeckonJudgedCommand *) g_ptr_array_index (judgement->commands, i))->is_doubtful)
      return TRUE;

  return FALSE;
}

static char *
explain (const Judge *judge, const BeckonJudgement *judgement)
{
  if (judgement->rule != NULL)
    return judgement_describe (judgement->rule);
  if (judgement->misunderstood != NULL && judgement->verdict != BECKON_VERDICT_ALLOW)
    return g_strdup (judgement->misunderstood);
  if (has_doubtful (judgement))
    return g_strdup (_("It may run something that one of your rules is about."));

  return g_strdup (judge->otherwise.reason);
}

/* Without a person, asking becomes denial; a rule's denial has its own words. */
static void
judgement_finish (const Judge *judge, BeckonJudgement *judgement, gboolean has_person)
{
  if (judgement->verdict == BECKON_VERDICT_DENY)
    judgement->refusal = FORBIDDEN;
  if (judgement->verdict == BECKON_VERDICT_ASK && !has_person)
    {
      BeckonDecision denied = beckon_policy_decide (&(BeckonEffects){ .tool = judge->effects->tool },
                                                    BECKON_MODE_ASK_EVERYTHING, FALSE);

      judgement->verdict = denied.verdict;
      judgement->reason = g_strdup (denied.reason);
      judgement->refusal = denied.refusal;
      return;
    }

  judgement->reason = explain (judge, judgement);
}

BeckonJudgement *
beckon_policy_judge (const BeckonEffects *effects, BeckonRuleSet *rules, BeckonMode mode, gboolean has_person, gint64 now)
{
  Judge judge = { .effects = effects, .rules = rules, .now = now };
  BeckonJudgement *judgement;

  g_return_val_if_fail (effects != NULL && effects->tool != NULL, NULL);

  judgement = g_new0 (BeckonJudgement, 1);
  judge.otherwise = beckon_policy_decide (effects, mode, has_person);
  /* A rule may still allow it; without a person to ask it is denied in the end. */
  if (judge.otherwise.verdict == BECKON_VERDICT_DENY)
    judge.otherwise.verdict = BECKON_VERDICT_ASK;
  if (effects->command != NULL)
    judge_line (&judge, judgement);
  else
    judge_whole (&judge, judgement);
  judgement_finish (&judge, judgement, has_person);
  return judgement;
}

static void
write_rule (BeckonJsonWriter *writer, const BeckonRule *rule)
{
  beckon_json_writer_name (writer, "rule");
  if (rule != NULL)
    beckon_rule_write (writer, rule);
  else
    beckon_json_writer_null (writer);
}

static void
write_commands (BeckonJsonWriter *writer, GPtrArray *commands)
{
  beckon_json_writer_name (writer, "commands");
  if (commands == NULL)
    {
      beckon_json_writer_null (writer);
      return;
    }
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < commands->len; i++)
    {
      const BeckonJudgedCommand *command = g_ptr_array_index (commands, i);

      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_string (writer, "text", command->text);
      beckon_json_writer_member_string (writer, "verdict", beckon_verdict_to_string (command->verdict));
      write_rule (writer, command->rule);
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
}

char *
beckon_judgement_to_json (const BeckonJudgement *judgement, const char *folder)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (judgement != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "verdict", beckon_verdict_to_string (judgement->verdict));
  beckon_json_writer_member_string (&writer, "reason", judgement->reason);
  beckon_json_writer_member_string (&writer, "folder", folder);
  write_rule (&writer, judgement->rule);
  write_commands (&writer, judgement->commands);
  beckon_json_writer_member_string (&writer, "misunderstood", judgement->misunderstood);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
