/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-log.h"

#include "base/beckon-json-writer.h"
#include "request/beckon-approval-request.h"

/*
 * Entries of a run in the audit log. Arguments are in it as they are stored, with the handles of secrets and not their values,
 * and without masked values; a tool's output is not.
 */

static void
arguments_member (BeckonJsonWriter *writer, const char *name, BeckonToolCall *call)
{
  g_autofree char *text = beckon_parameters_log_by (beckon_tool_call_get_redacted (call),
                                                    beckon_tool_call_get_effective_arguments (call));

  beckon_json_writer_member_string (writer, name, text);
}

static void
member (BeckonJsonWriter *writer, const char *name, const char *text)
{
  if (text != NULL)
    beckon_json_writer_member_string (writer, name, text);
}

static void
call_log_add (const BeckonRunScope *scope, BeckonToolCall *call, const char *event, GString *data, BeckonBatch *batch)
{
  beckon_batch_add_provenance (batch, beckon_run_scope_get_id (scope), beckon_tool_call_get_id (call), event, data->str,
                               beckon_run_scope_now (scope));
}

static GPtrArray *
collect_rules (const BeckonJudgement *judgement)
{
  GPtrArray *ids = g_ptr_array_new ();

  if (judgement->rule != NULL)
    g_ptr_array_add (ids, judgement->rule->id);
  for (guint i = 0; judgement->commands != NULL && i < judgement->commands->len; i++)
    {
      const BeckonJudgedCommand *command = g_ptr_array_index (judgement->commands, i);

      if (command->rule != NULL && !g_ptr_array_find_with_equal_func (ids, command->rule->id, g_str_equal, NULL))
        g_ptr_array_add (ids, command->rule->id);
    }

  return ids;
}

/* Logs the judgement of a call and its rules, each of which has one more use. */
void
beckon_call_log_judgement (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonJudgement *judgement,
                           BeckonRequest *request, BeckonBatch *batch)
{
  g_autoptr (GString) data = g_string_new (NULL);
  g_autoptr (GPtrArray) rules = collect_rules (judgement);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, data);
  beckon_json_writer_begin_object (&writer);
  member (&writer, "tool", beckon_tool_call_get_name (call));
  member (&writer, "verdict", beckon_verdict_to_string (judgement->verdict));
  member (&writer, "reason", request != NULL ? beckon_request_get_reason (request)
          : judgement->reason);
  member (&writer, "way", judgement->is_planned ? "plan" : NULL);
  member (&writer, "request", request != NULL ? beckon_request_get_id (request) : NULL);
  arguments_member (&writer, "shown", call);
  member (&writer, "folder", beckon_conversation_get_folder (scope->conversation));
  beckon_json_writer_name (&writer, "rules");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < rules->len; i++)
    {
      beckon_json_writer_string (&writer, g_ptr_array_index (rules, i), -1);
      beckon_batch_use_rule (batch, g_ptr_array_index (rules, i), beckon_run_scope_now (scope));
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  call_log_add (scope, call, "decided", data, batch);
}

void
beckon_call_log_start (const BeckonRunScope *scope, BeckonToolCall *call, const char *permit_id, BeckonBatch *batch)
{
  g_autoptr (GString) data = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, data);
  beckon_json_writer_begin_object (&writer);
  member (&writer, "tool", beckon_tool_call_get_name (call));
  member (&writer, "decision", permit_id);
  arguments_member (&writer, "executed", call);
  beckon_json_writer_end_object (&writer);
  call_log_add (scope, call, "started", data, batch);
}
