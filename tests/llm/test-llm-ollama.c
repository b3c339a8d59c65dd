/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"
#include "beckon-encode-cases.h"

#define MESSAGE(members) "{'model':'m','message':{'role':'assistant'," members "},'done':false}\n"
#define OVER(reason) "{'message':{'content':''},'done':true,'done_reason':'" reason "','prompt_eval_count':9,'eval_count':7}"
#define USAGE "\nusage 9 7 -1"

static void
decoded (const char *text, const char *expected)
{
  assert_decoded_by ("ollama", text, expected);
}

static void
test_text (void)
{
  decoded (MESSAGE ("'content':'','thinking':'hm'") MESSAGE ("'content':'Hi '") "\n\r\n" MESSAGE ("'content':'you'")
           OVER ("stop"), "reasoning hm\ntext Hi you" USAGE "\nend complete");
  decoded (MESSAGE ("'content':'Hi'") OVER ("length") "\n" MESSAGE ("'content':'late'"), "text Hi" USAGE "\nend length");
}

static void
test_broken (void)
{
  decoded (MESSAGE ("'content':'Hi'"), "text Hi\nend cut_off");
  decoded (MESSAGE ("'content':'Hi'") "{'error':'out of memory'}\n", "text Hi\nerror out of memory\nend failed");
  decoded (MESSAGE ("'content':'Hi'") "{'message':{'cont",
           "text Hi\nend cut_off");
  decoded (MESSAGE ("'content':'Hi'") "{'message':]",
           "text Hi\nerror The server sent a piece of the reply that is not valid JSON.\nend failed");
  decoded ("{'error':'model ^m^ not found'}", "error model 'm' not found\nend failed");
  decoded (MESSAGE ("'content':'','tool_calls':[{'function':{'name':'f','arguments':{}}}]"),
           "started 0 f\nbad 0 - f {}" BROKEN_OFF "\nend cut_off");
}

/* C.44: calls without ids, in their order, of the same tool. C.36: arguments as they are, or as a string. */
static void
test_calls (void)
{
  decoded (MESSAGE ("'content':'so','tool_calls':[{'function':{'name':'f','arguments':{'x':1}}},{'function':{'name':'f',"
                    "'arguments':{'x':2}}}]") MESSAGE ("'content':'','tool_calls':[{'id':'i','function':{'index':2,'name':"
                    "'g','arguments':'{^y^:3}'}},{'function':{'name':'h'}}]") OVER ("stop"),
           "text so\nstarted 0 f\nstarted 1 f\nstarted 2 g\nstarted 3 h\ncall 0 - f {'x':1}\ncall 1 - f {'x':2}\n"
           "call 2 i g {'y':3}\ncall 3 - h {}" USAGE "\nend tool_calls");
  decoded (MESSAGE ("'content':'','tool_calls':[{'function':{'name':'f','arguments':[1]}},1,null]") OVER ("stop"),
           "started 0 f\nbad 0 - f [1] (The arguments are not a JSON object.)" USAGE "\nend tool_calls");
}

static void
test_encode (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_OLLAMA, "Be brief.");
  g_autoptr (BeckonToolDefinition) tool = beckon_tool_definition_new ("f", "Does", "{\"type\":\"object\"}", TRUE);
  g_autoptr (BeckonPart) thinking = beckon_part_new (BECKON_PART_REASONING, "hm");
  BeckonMessage *message;

  beckon_llm_request_add_tool (request, tool);
  message = add_message (request, BECKON_ROLE_USER, "Look");
  add_image (message);
  message = add_message (request, BECKON_ROLE_ASSISTANT, "I will");
  beckon_part_set_origin (thinking, "ollama");
  beckon_message_add_part (message, thinking);
  add_part (message, BECKON_PART_REASONING, "another's");
  add_call (message, "i", "f", "{\"x\":1}", "one");
  assert_body (request,
               "{'model':'some-model','messages':[{'role':'system','content':'Be brief.'},{'role':'user','content':'Look',"
               "'images':['iVBORw==']},{'role':'assistant','content':'I will','thinking':'hm','tool_calls':[{'id':'i',"
               "'function':{'name':'f','arguments':{'x':1}}}]},{'role':'tool','content':'one','tool_name':'f',"
               "'tool_call_id':'i'}],'tools':[{'type':'function','function':{'name':'f','description':'Does','parameters':"
               "{'type':'object'}}}],'stream':true}");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ollama/text", test_text);
  g_test_add_func ("/ollama/faults/A/23-broken", test_broken);
  g_test_add_func ("/ollama/faults/C/44-calls", test_calls);
  g_test_add_func ("/ollama/encode", test_encode);
  return g_test_run ();
}
