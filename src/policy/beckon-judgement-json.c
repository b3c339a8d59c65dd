/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-judgement-json.h"

#include "domain/beckon-rule-json.h"

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
