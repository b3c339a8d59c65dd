/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-scope.h"

#include "request/beckon-question-request.h"
#include "tools/beckon-output-store.h"

/* A model reads what an earlier program kept by a name, too, if only to learn that it is gone. */
static guint
find_last_output (BeckonConversation *conversation)
{
  guint last = 0;

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    {
      g_autoptr (GPtrArray) calls = beckon_message_list_calls (beckon_conversation_get_message (conversation, i));

      for (guint j = 0; j < calls->len; j++)
        {
          const char *result = beckon_tool_call_get_result (g_ptr_array_index (calls, j));
          const char *arguments = beckon_tool_call_get_effective_arguments (g_ptr_array_index (calls, j));

          last = MAX (last, beckon_output_store_find_last (arguments));
          if (result != NULL)
            last = MAX (last, beckon_output_store_find_last (result));
        }
    }
  return last;
}

BeckonRunScope *
beckon_run_scope_new (const BeckonAgentParts *parts, BeckonConversation *conversation, gboolean has_person)
{
  BeckonRunScope *self = g_rc_box_new0 (BeckonRunScope);

  beckon_agent_parts_init (&self->parts, parts);
  self->conversation = g_object_ref (conversation);
  self->has_person = has_person;
  self->last_output = find_last_output (conversation);
  return self;
}

BeckonRunScope *
beckon_run_scope_ref (const BeckonRunScope *scope)
{
  return g_rc_box_acquire ((gpointer) scope);
}

static void
run_scope_clear (gpointer data)
{
  BeckonRunScope *self = data;

  g_clear_object (&self->conversation);
  beckon_agent_parts_clear (&self->parts);
}

void
beckon_run_scope_unref (BeckonRunScope *scope)
{
  g_rc_box_release_full (scope, run_scope_clear);
}

const char *
beckon_run_scope_get_id (const BeckonRunScope *scope)
{
  return beckon_conversation_get_id (scope->conversation);
}

gint64
beckon_run_scope_now (const BeckonRunScope *scope)
{
  return beckon_clock_get_real_time (scope->parts.clock);
}

gboolean
beckon_run_scope_may_ask (const BeckonRunScope *scope)
{
  return scope->has_person && beckon_settings_get_enable_ask_user (scope->parts.settings);
}

BeckonRuleSet *
beckon_run_scope_get_rules (const BeckonRunScope *scope)
{
  return beckon_agent_parts_get_rule_set (&scope->parts);
}

BeckonTool *
beckon_run_scope_find_tool (const BeckonRunScope *scope, BeckonToolCall *call)
{
  return beckon_tool_registry_lookup (scope->parts.tools, beckon_tool_call_get_name (call));
}

gboolean
beckon_call_is_dismissed_by (const BeckonRunScope *scope, BeckonRequest *request)
{
  return BECKON_IS_QUESTION_REQUEST (request) && beckon_request_get_state (request) == BECKON_REQUEST_DECLINED
         && beckon_settings_get_dismiss (scope->parts.settings) == BECKON_DISMISS_STOPS;
}
