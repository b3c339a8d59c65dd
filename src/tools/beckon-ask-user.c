/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-ask-user.h"

#include "base/beckon-error.h"
#include "request/beckon-question-request.h"

struct _BeckonAskUser
{
  BeckonBuiltinTool parent_instance;
};

static const char description[]
    = "Ask the user a question and wait for the answer. The run stops until they have answered, and their answer is the "
      "result of this call (but see `wait`).\n"
      "\n"
      "Use it when the decision is theirs:\n"
      "- a preference only they can have (style, name, port, colour, tone);\n"
      "- a request that can be understood in more than one way, where guessing wrong costs work;\n"
      "- a decision on the way that changes what you do next;\n"
      "- to offer directions to go in.\n"
      "Do not use it for a simple confirmation (\"Shall I go on?\"), for what you can find out with another tool, or for "
      "what they have told you already.\n"
      "For a password, key or token set `secret` on that question: what they type is masked and kept from you. You get "
      "a handle such as secret:photo-token-k3x9q2mf7dab; put it into the arguments of a tool exactly where the value "
      "belongs. Never ask for one in any other way.\n"
      "\n"
      "How to ask well:\n"
      "- Give choices wherever you can: labels of one to five words, different from each other, each with a description "
      "of one sentence that says what it means or costs. Two to five are best.\n"
      "- Put the choice you recommend first and mark it as recommended.\n"
      "- Do not add \"Other\": the user can always type an answer of their own, unless you set allow_freeform to false.\n"
      "- Ask several things in one call with `questions`, not one after another. Ask at most 8 at once.\n"
      "- Ask in the user's language, in plain words, one thing per question.\n"
      "- Write nothing after the call; wait for the result.\n"
      "- Set `wait` to false only when there is real work left that no answer can change: the call returns at once, you do "
      "that work, and the answer comes later as a message that names the question. Never act on a guess of it meanwhile. When "
      "in doubt, wait.\n"
      "\n"
      "Simple form: `question`, with `choices` as plain texts. The result is the user's answer as text.\n"
      "Full form: `questions`, each with `options`. The result is JSON: {status, answers: [{question, selected, text, "
      "skipped}]}, in the order you asked. With both, `questions` counts.\n"
      "The user may also skip a question, dismiss it, leave the choice to you, or ask you something back "
      "({status: \"asked_back\", text}: answer that, then ask again).";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"question\":{\"type\":\"string\",\"description\":\"One question (simple form).\"},"
      "\"choices\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
      "\"description\":\"Suggested answers to `question`, one to five words each.\"},"
      "\"allow_freeform\":{\"type\":\"boolean\",\"default\":true,"
      "\"description\":\"Whether the user may type an answer of their own.\"},"
      "\"questions\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":8,"
      "\"description\":\"Several questions, or one with described options (full form).\","
      "\"items\":{\"type\":\"object\",\"properties\":{"
      "\"question\":{\"type\":\"string\",\"description\":\"The question.\"},"
      "\"header\":{\"type\":\"string\",\"description\":\"A tab title of one to three words, at most 30 characters.\"},"
      "\"options\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
      "\"label\":{\"type\":\"string\",\"description\":\"One to five words.\"},"
      "\"description\":{\"type\":\"string\",\"description\":\"One sentence that says what it means or costs.\"},"
      "\"recommended\":{\"type\":\"boolean\",\"description\":\"You recommend this one; put it first.\"},"
      "\"preview\":{\"type\":\"string\",\"description\":\"Markdown to show beside the option, such as a sample.\"}},"
      "\"required\":[\"label\"]}},"
      "\"multiple\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Several options may be picked.\"},"
      "\"allow_freeform\":{\"type\":\"boolean\",\"default\":true,"
      "\"description\":\"Whether the user may type an answer of their own.\"},"
      "\"secret\":{\"type\":\"boolean\",\"default\":false,\"description\":\"A password, key or token: typed masked, and "
      "you get a handle for it.\"}},"
      "\"required\":[\"question\"]}},"
      "\"wait\":{\"type\":\"boolean\",\"default\":true,"
      "\"description\":\"false: go on with what does not need the answer, which comes later as a message.\"}}}";

G_DEFINE_FINAL_TYPE (BeckonAskUser, beckon_ask_user, BECKON_TYPE_BUILTIN_TOOL)

static BeckonRequest *
ask_user_ask (BeckonBuiltinTool *tool, const BeckonToolContext *context, GError **error)
{
  g_autoptr (BeckonQuestion) question = NULL;

  question = beckon_question_parse (beckon_tool_call_get_arguments (context->call), error);
  if (question == NULL)
    return NULL;

  return beckon_question_request_new (NULL, context->conversation_id, context->message_id,
                                      beckon_tool_call_get_id (context->call), question, context->now);
}

static void
beckon_ask_user_class_init (BeckonAskUserClass *klass)
{
  BECKON_BUILTIN_TOOL_CLASS (klass)->ask = ask_user_ask;
}

static void
beckon_ask_user_init (BeckonAskUser *self)
{
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self),
                              beckon_tool_definition_new (BECKON_ASK_USER_NAME, description, schema, TRUE));
}

BeckonTool *
beckon_ask_user_new (void)
{
  return g_object_new (BECKON_TYPE_ASK_USER, NULL);
}
