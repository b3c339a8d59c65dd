/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-private.h"

#include "request/beckon-approval-request.h"

/*
 * A rule remembered with an answer is stored with it, in one transaction. Here it begins to hold, before the call that was
 * answered starts and before the next one is decided.
 */

/* Whether the server has changed the tool since it was shown. A call that is let run so is taken back, with its rules, by the
 * process that starts it; until then they don't hold here. */
static gboolean
is_about_another (BeckonAgent *agent, BeckonRequest *request)
{
  const BeckonApprovalReason *ground
      = BECKON_IS_APPROVAL_REQUEST (request) ? beckon_request_get_ground (request) : NULL;
  BeckonTool *tool = ground != NULL && ground->definition != NULL
                       ? beckon_tool_registry_lookup (agent->parts.tools, beckon_request_get_tool (request)) : NULL;

  return tool != NULL && g_strcmp0 (ground->definition, beckon_tool_get_digest (tool)) != 0;
}

static void
agent_remember_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_rules_save_finish (BECKON_RULES (source), result, &error))
    g_message ("what an answer in a temporary conversation is to be remembered for was not stored: %s", error->message);
}

/* A temporary conversation's answer is in no file, but a rule that is not only about it is. */
static void
hold (BeckonAgent *agent, gboolean is_temporary, BeckonRule *rule)
{
  if (is_temporary && rule->conversation_id == NULL)
    beckon_rules_save_async (agent->parts.rules, rule, NULL, agent_remember_on_saved, NULL);
  else
    beckon_rules_add_now (agent->parts.rules, rule);
}

void
beckon_agent_remember (BeckonAgent *agent, BeckonRequest *request)
{
  const BeckonAnswer *answer = beckon_request_get_answer (request);
  const char *id = beckon_request_get_conversation_id (request);
  BeckonConversation *conversation = beckon_library_lookup (agent->parts.library, id);
  gboolean is_temporary = conversation != NULL && beckon_conversation_get_temporary (conversation);
  gboolean is_outdated = is_about_another (agent, request);

  for (guint i = 0; answer != NULL && answer->remember != NULL && i < answer->remember->len; i++)
    {
      BeckonRule *rule = g_ptr_array_index (answer->remember, i);

      if (!is_outdated || rule->verdict != BECKON_VERDICT_ALLOW)
        hold (agent, is_temporary, rule);
    }
}
