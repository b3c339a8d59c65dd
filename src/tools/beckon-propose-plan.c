/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-propose-plan.h"

#include "base/beckon-error.h"
#include "request/beckon-plan-request.h"

struct _BeckonProposePlan
{
  BeckonBuiltinTool parent_instance;
};

static const char description[]
    = "Propose a plan of tool calls to the user. They can change, reorder, add, skip and delete steps before anything runs; "
      "then the application carries the plan out, step by step, and the result of this call is the final table: what the "
      "user changed, and for each step its status and result.\n"
      "\n"
      "Use it when a task takes several tool calls that you can foresee and that change things, so that the user sees all "
      "of it before it begins. Do not use it for a single call, or where each step depends on judging the one before.\n"
      "\n"
      "How to write one:\n"
      "- Each step is one call of one of your tools, with all of its arguments, and an `id` such as \"read\" that is unique "
      "in the plan.\n"
      "- An argument may use the result of an earlier step: {{step.ID.result}}, anywhere in a text. If that result is JSON, a "
      "path takes a part of it: {{step.ID.result.files[0].name}}. A text that is nothing but such a reference with a path "
      "becomes the value itself. A command's result is its output alone. {{step.ID.status}} is \"success\" or \"failure\".\n"
      "- A command that ends with another exit status than 0 has failed, and by default the plan ends there.\n"
      "- `expect` says in a few words what will come of it.\n"
      "- Title and `expect` in the user's language. Write nothing after the call; wait for the result.\n"
      "\n"
      "Do not retry what the user took out or changed. With status \"replan\" propose another plan that heeds what they said.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"title\":{\"type\":\"string\",\"description\":\"What the plan is for, in a few words.\"},"
      "\"steps\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":50,\"items\":{\"type\":\"object\",\"properties\":{"
      "\"id\":{\"type\":\"string\",\"description\":\"Letters, digits, - and _; unique.\"},"
      "\"tool\":{\"type\":\"string\",\"description\":\"The name of a tool.\"},"
      "\"arguments\":{\"type\":\"object\",\"description\":\"Its arguments.\"},"
      "\"expect\":{\"type\":\"string\",\"description\":\"What will come of it.\"}},"
      "\"required\":[\"id\",\"tool\",\"arguments\"]}}},"
      "\"required\":[\"title\",\"steps\"]}";

G_DEFINE_FINAL_TYPE (BeckonProposePlan, beckon_propose_plan, BECKON_TYPE_BUILTIN_TOOL)

static BeckonRequest *
propose_plan_ask (BeckonBuiltinTool *tool, const BeckonToolContext *context, GError **error)
{
  g_auto (BeckonPlanFault) fault = { 0 };
  g_autoptr (BeckonPlan) plan = NULL;

  plan = beckon_plan_parse (context->arguments, BECKON_PLAN_FROM_MODEL, &fault);
  if (plan == NULL)
    {
      g_autofree char *words = beckon_plan_fault_to_words (&fault, FALSE);

      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The plan cannot be used, and nothing was run. %s", words);
      return NULL;
    }
  return beckon_plan_request_new (NULL, context->conversation_id, context->message_id,
                                  beckon_tool_call_get_id (context->call), plan, context->now);
}

static void
beckon_propose_plan_class_init (BeckonProposePlanClass *klass)
{
  BECKON_BUILTIN_TOOL_CLASS (klass)->ask = propose_plan_ask;
}

static void
beckon_propose_plan_init (BeckonProposePlan *self)
{
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self),
                              beckon_tool_definition_new (BECKON_PROPOSE_PLAN_NAME, description, schema, TRUE));
}

BeckonTool *
beckon_propose_plan_new (void)
{
  return g_object_new (BECKON_TYPE_PROPOSE_PLAN, NULL);
}
