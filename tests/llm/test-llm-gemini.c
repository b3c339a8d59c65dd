/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"
#include "beckon-encode-cases.h"

#define EVENT(json) "data: " json "\r\n\r\n"
#define PARTS(parts) EVENT ("{'candidates':[{'content':{'parts':[" parts "],'role':'model'},'index':0}]}")
#define REASON(reason) EVENT ("{'candidates':[{'finishReason':'" reason "'}],'usageMetadata':{'promptTokenCount':9," \
                              "'candidatesTokenCount':5,'thoughtsTokenCount':2,'cachedContentTokenCount':4}}")
#define USAGE "\nusage 9 7 4"

static void
decoded (const char *text, const char *expected)
{
  assert_decoded_by ("gemini", text, expected);
}

static void
test_ends (void)
{
  static const char *const ends[][2] = {
    { "STOP", "\nend complete" },
    { "MAX_TOKENS", "\nend length" },
    { "SAFETY", "\nend content_filter" },
    { "RECITATION", "\nend content_filter" },
    { "PROHIBITED_CONTENT", "\nend content_filter" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *text
          = g_strdup_printf (PARTS ("{'text':'Hi'}") EVENT ("{'candidates':[{'finishReason':'%s'}]}"), ends[i][0]);
      g_autofree char *expected = g_strconcat ("text Hi", ends[i][1], NULL);

      decoded (text, expected);
    }
  decoded (PARTS ("{'text':'Hi'}") EVENT ("{'candidates':[{'finishReason':'MALFORMED_FUNCTION_CALL','finishMessage':'f('}]}"),
           "text Hi\nerror The provider ended the reply and gave MALFORMED_FUNCTION_CALL as the reason. f(\nend failed");
  decoded (EVENT ("{'promptFeedback':{'blockReason':'SAFETY'}}"), "end content_filter");
}

static void
test_broken (void)
{
  decoded (PARTS ("{'text':'Hi'}"), "text Hi\nend cut_off");
  decoded (PARTS ("{'text':'Hi'}") EVENT ("{'error':{'code':503,'message':'Overloaded','status':'UNAVAILABLE'}}"),
           "text Hi\nerror Overloaded\nend failed");
  decoded (PARTS ("{'functionCall':{'name':'f','args':{}}}"), "started 0 f\nbad 0 - f {}" BROKEN_OFF "\nend cut_off");
  decoded (EVENT ("{'candidates':"), "error The server sent a piece of the reply that is not valid JSON.\nend failed");
}

/* C.40, C.44, C.50. */
static void
test_calls (void)
{
  decoded (PARTS ("{'functionCall':{'name':'f','args':{'x':[1]}}},{'text':'and'},{'functionCall':{'id':'i','name':'g'}}")
           REASON ("STOP"), "started 0 f\ntext and\nstarted 1 g\ncall 0 - f {'x':[1]}\ncall 1 i g {}" USAGE "\nend tool_calls");
  decoded (PARTS ("{'functionCall':{'name':'f'}}") REASON ("MAX_TOKENS"),
           "started 0 f\nbad 0 - f  (The arguments are not a JSON object. Invalid JSON at byte 0: there is no value.)"
           USAGE "\nend length");
}

#define PIECE(path, value, more) \
  PARTS ("{'functionCall':{'partialArgs':[{'jsonPath':'" path "'," value "}]" more "}}")
#define CONTINUES ",'willContinue':true"

static void
test_pieces (void)
{
  decoded (PARTS ("{'functionCall':{'name':'f'" CONTINUES "}}") PIECE ("$.a", "'stringValue':'x'" CONTINUES, CONTINUES)
           PIECE ("$.a", "'stringValue':'y'", CONTINUES) PIECE ("$[^b c^][0]", "'numberValue':1.5", CONTINUES)
           PIECE ("$[^b c^][1].d", "'boolValue':true", CONTINUES) PIECE ("$.e", "'nullValue':'NULL_VALUE'", "")
           REASON ("STOP"), "started 0 f\ncall 0 - f {'a':'xy','b c':[1.5,{'d':true}],'e':null}" USAGE "\nend tool_calls");
  /* Never whole, or of a place that cannot be. */
  decoded (PARTS ("{'functionCall':{'name':'f'" CONTINUES "}}") PIECE ("$.a", "'numberValue':1", CONTINUES) REASON ("STOP"),
           "started 0 f\nbad 0 - f {" BAD "1" END_EARLY USAGE "\nend tool_calls");
  decoded (PARTS ("{'functionCall':{'name':'f'" CONTINUES "}}") PIECE ("$.a[5]", "'numberValue':1", "") REASON ("STOP"),
           "started 0 f\nbad 0 - f {" BAD "1" END_EARLY USAGE "\nend tool_calls");
  decoded (PARTS ("{'functionCall':{'name':'f'" CONTINUES "}}") PARTS ("{'functionCall':{'name':'g'}}") REASON ("STOP"),
           "started 0 f\nstarted 1 g\nbad 0 - f {" BAD "1" END_EARLY "\ncall 1 - g {}" USAGE "\nend tool_calls");
}

static void
test_kept (void)
{
  decoded (PARTS ("{'text':'hm','thought':true},{'functionCall':{'name':'f','args':{}},'thoughtSignature':'A+/='},"
                  "{'text':'so','thoughtSignature':'B'},{'executableCode':{'code':'1'}}") REASON ("STOP"),
           "reasoning hm\nstarted 0 f\nopaque {'type':'signature','call':0,'thoughtSignature':'A+/='}\ntext so\n"
           "opaque {'type':'signature','thoughtSignature':'B'}\n"
           "opaque {'type':'part','name':'executableCode','part':{'executableCode':{'code':'1'}}}\ncall 0 - f {}" USAGE
           "\nend tool_calls");
}

static void
test_whole_body (void)
{
  decoded ("[{'candidates':[{'content':{'parts':[{'text':'a'}]}}]}\n,\n{'candidates':[{'content':{'parts':[{'text':'b'}]},"
           "'finishReason':'STOP'}]}]", "text ab\nend complete");
  decoded ("{'error':{'message':'No'}}", "error No\nend failed");
  decoded ("[{'error':{'message':'No'}}]", "error No\nend failed");
}

static void
test_encode (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_GEMINI, "Be brief.");
  g_autoptr (BeckonToolDefinition) tool = beckon_tool_definition_new ("f", "Does", "{\"type\":\"object\"}", TRUE);
  BeckonMessage *message;

  beckon_profile_set_model (request->profile, "gemini-3-pro");
  beckon_llm_request_add_tool (request, tool);
  message = add_message (request, BECKON_ROLE_USER, "Look");
  add_image (message);
  message = add_message (request, BECKON_ROLE_ASSISTANT, "I will");
  add_opaque (message, "gemini", "{\"type\":\"signature\",\"thoughtSignature\":\"T\"}");
  add_opaque (message, "gemini", "{\"type\":\"signature\",\"call\":1,\"thoughtSignature\":\"C+/=\"}");
  add_opaque (message, "responses", "{\"type\":\"signature\",\"call\":0,\"thoughtSignature\":\"no\"}");
  add_call (message, NULL, "f", "{\"x\":1}", "one");
  add_call (message, "own", "g", "{}", NULL);
  assert_body (request,
               "{'systemInstruction':{'parts':[{'text':'Be brief.'}]},'tools':[{'functionDeclarations':[{'name':'f',"
               "'description':'Does','parametersJsonSchema':{'type':'object'}}]}],'contents':[{'role':'user','parts':"
               "[{'text':'Look'},{'inlineData':{'mimeType':'image/png','data':'iVBORw=='}}]},{'role':'model','parts':"
               "[{'text':'I will','thoughtSignature':'T'},{'functionCall':{'name':'f','args':{'x':1}},"
               "'thoughtSignature':'skip_thought_signature_validator'},{'functionCall':{'id':'own','name':'g','args':{}},"
               "'thoughtSignature':'C+/='}]},{'role':'user','parts':[{'functionResponse':{'name':'f','response':"
               "{'output':'one'}}},{'functionResponse':{'id':'own','name':'g','response':{'error':'The result of this "
               "call was lost. Nothing is known about what it did.'}}}]}],'generationConfig':{'thinkingConfig':"
               "{'includeThoughts':true}}}");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gemini/ends", test_ends);
  g_test_add_func ("/gemini/faults/A/23-broken", test_broken);
  g_test_add_func ("/gemini/faults/C/44-calls", test_calls);
  g_test_add_func ("/gemini/pieces", test_pieces);
  g_test_add_func ("/gemini/faults/C/52-kept", test_kept);
  g_test_add_func ("/gemini/whole-body", test_whole_body);
  g_test_add_func ("/gemini/encode", test_encode);
  return g_test_run ();
}
