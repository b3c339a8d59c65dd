/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"
#include "beckon-encode-cases.h"

/* OpenAI's Responses. */

#define EVENT(json) "event: x\ndata: " json "\n\n"
#define ADDED(place, item) EVENT ("{'type':'response.output_item.added','output_index':" place ",'item':" item "}")
#define ITEM(place, item) EVENT ("{'type':'response.output_item.done','output_index':" place ",'item':" item "}")
#define WORDS(place, text) EVENT ("{'type':'response.output_text.delta','output_index':" place ",'delta':'" text "'}")
#define PIECE(place, text) \
  EVENT ("{'type':'response.function_call_arguments.delta','output_index':" place ",'delta':'" text "'}")
#define CALL_OF(id, name) "{'type':'function_call','id':'fc','call_id':'" id "','name':'" name "','arguments':''}"
#define END_OF(type, more) EVENT ("{'type':'response." type "','response':{'status':'" type "'" more "}}")
#define COMPLETED END_OF ("completed", ",'usage':{'input_tokens':9,'output_tokens':7,'input_tokens_details':{'cached_tokens':4}}")
#define USAGE "\nusage 9 7 4"

static void
decoded (const char *text, const char *expected)
{
  assert_decoded_by ("responses", text, expected);
}

static void
test_text (void)
{
  decoded (WORDS ("0", "Hi ") WORDS ("0", "^you^") ITEM ("0", "{'type':'message','content':[{'type':'output_text',"
           "'text':'Hi ^you^'}]}") COMPLETED WORDS ("0", "late"), "text Hi 'you'" USAGE "\nend complete");
}

static void
test_ends (void)
{
  decoded (WORDS ("0", "a") END_OF ("incomplete", ",'incomplete_details':{'reason':'max_output_tokens'}"),
           "text a\nend length");
  decoded (WORDS ("0", "a") END_OF ("incomplete", ",'incomplete_details':{'reason':'content_filter'}"),
           "text a\nend content_filter");
  decoded (WORDS ("0", "a") END_OF ("cancelled", ""), "text a\nend cut_off");
  decoded (EVENT ("{'type':'response.refusal.delta','output_index':0,'delta':'I will not.'}") COMPLETED,
           "usage 9 7 4\nend refusal");
}

/* A.23: no last word, no end. A.8: an error keeps the text. */
static void
test_broken (void)
{
  decoded (WORDS ("0", "a"), "text a\nend cut_off");
  decoded (ADDED ("0", CALL_OF ("c", "f")) PIECE ("0", "{}"), "started 0 f\nbad 0 c f {}" BROKEN_OFF "\nend cut_off");
  decoded (WORDS ("0", "a") EVENT ("{'type':'error','code':'server_error','message':'Oh'}"),
           "text a\nerror Oh\nend failed");
  decoded (WORDS ("0", "a") END_OF ("failed", ",'error':{'message':'Oh'}"), "text a\nerror Oh\nend failed");
  decoded (WORDS ("0", "a") END_OF ("failed", ""),
           "text a\nerror The provider reported an error and did not say which.\nend failed");
  decoded (EVENT ("{'type':"), "error The server sent a piece of the reply that is not valid JSON.\nend failed");
}

/* C.42 to C.46: parallel calls, pieces in turns, the whole again at the end, ids of their own. */
static void
test_calls (void)
{
  decoded (ADDED ("3", CALL_OF ("c", "f")) ADDED ("5", CALL_OF ("d", "g")) PIECE ("3", "{^x^") PIECE ("5", "{^y^:2}")
           PIECE ("3", ":1}") ITEM ("3", "{'type':'function_call','call_id':'c','name':'f','arguments':'{^x^:1}'}")
           COMPLETED,
           "started 0 f\nstarted 1 g\ncall 0 c f {'x':1}\ncall 1 d g {'y':2}" USAGE "\nend tool_calls");
  decoded (ITEM ("0", "{'type':'function_call','call_id':'c','name':'f','arguments':'{^x^:1}'}") COMPLETED,
           "started 0 f\ncall 0 c f {'x':1}" USAGE "\nend tool_calls");
  decoded (ADDED ("0", CALL_OF ("c", "f")) PIECE ("0", "{^x^")
           END_OF ("incomplete", ",'incomplete_details':{'reason':'max_output_tokens'}"),
           "started 0 f\nbad 0 c f {'x'" BAD "4" END_EARLY "\nend length");
  decoded (ADDED ("0", CALL_OF ("c", "f")) COMPLETED, "started 0 f\ncall 0 c f {}" USAGE "\nend tool_calls");
  decoded (EVENT ("{'type':'response.output_item.added','item':" CALL_OF ("c", "f") "}") EVENT (
             "{'type':'response.function_call_arguments.delta','delta':'{}'}") COMPLETED,
           "started 0 f\ncall 0 c f {}" USAGE "\nend tool_calls");
}

/* A server that counts no places: each call stands in three events, two of them whole, and is one call. */
static void
test_without_places (void)
{
  decoded (EVENT ("{'type':'response.output_item.added','item':{'type':'function_call','call_id':'fc_1','name':'f','arguments':''}}")
           EVENT ("{'type':'response.function_call_arguments.delta','item_id':'fc_1','delta':'{^x^:'}")
           EVENT ("{'type':'response.output_item.added','item':{'type':'function_call','call_id':'fc_2','name':'g','arguments':''}}")
           EVENT ("{'type':'response.function_call_arguments.delta','item_id':'fc_1','delta':'1}'}")
           EVENT ("{'type':'response.function_call_arguments.delta','item_id':'fc_2','delta':'{}'}")
           EVENT ("{'type':'response.output_item.done','item':{'type':'function_call','call_id':'fc_1','name':'f','arguments':'{^x^:1}'}}")
           EVENT ("{'type':'response.output_item.done','item':{'type':'function_call','call_id':'fc_2','name':'g','arguments':'{}'}}")
           COMPLETED,
           "started 0 f\nstarted 1 g\ncall 0 fc_1 f {'x':1}\ncall 1 fc_2 g {}" USAGE "\nend tool_calls");
  decoded (EVENT ("{'type':'response.output_item.added','item':{'type':'function_call','id':'i','call_id':'c','name':'f','arguments':''}}")
           EVENT ("{'type':'response.function_call_arguments.done','item_id':'i','arguments':'{^x^:1}'}")
           EVENT ("{'type':'response.output_item.done','item':{'type':'function_call','id':'i','call_id':'c','name':'f','arguments':'{^x^:1}'}}")
           COMPLETED, "started 0 f\ncall 0 c f {'x':1}" USAGE "\nend tool_calls");
}

/* C.52: reasoning is kept as it came. C.54: and so is what the server did by itself. */
static void
test_kept (void)
{
  decoded (EVENT ("{'type':'response.reasoning_summary_text.delta','output_index':0,'summary_index':0,'delta':'a'}")
           EVENT ("{'type':'response.reasoning_summary_text.delta','output_index':0,'summary_index':1,'delta':'b'}")
           ITEM ("0", "{'type':'reasoning', 'encrypted_content':'x+/=','summary':[{'text':'a'}]}")
           ITEM ("1", "{'type':'web_search_call','id':'ws'}") WORDS ("2", "so") COMPLETED,
           "reasoning a\n\nb\nopaque {'type':'reasoning', 'encrypted_content':'x+/=','summary':[{'text':'a'}]}\n"
           "opaque {'type':'web_search_call','id':'ws'}\ntext so" USAGE "\nend complete");
  decoded (EVENT ("{'type':'response.reasoning_summary_text.delta','summary_index':0,'delta':'a'}")
           EVENT ("{'type':'response.reasoning_summary_text.delta','summary_index':1,'delta':'b'}") WORDS ("1", "so") COMPLETED,
           "reasoning a\n\nb\ntext so" USAGE "\nend complete");
  decoded (ITEM ("0", "{'type':'reasoning','summary':[{'type':'summary_text','text':'a'}]}") COMPLETED,
           "reasoning a\nopaque {'type':'reasoning','summary':[{'type':'summary_text','text':'a'}]}" USAGE "\nend complete");
}

/* A message's id, status and phase are kept behind its words and go back with them: "preserve and resend phase on all
 * assistant messages" (MessagePhase in https://platform.openai.com/docs/api-reference/responses/create). */
static void
test_phase (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_RESPONSES, NULL);
  g_autofree char *body = NULL;
  g_autofree char *unsupported = NULL;
  BeckonMessage *message;

  decoded (WORDS ("0", "Looking.")
           ITEM ("0", "{'id':'msg_1','type':'message','status':'completed','content':[{'type':'output_text','text':'Looking.'}],"
                      "'phase':'commentary','role':'assistant'}")
           ITEM ("1", "{'type':'function_call','call_id':'c','name':'f','arguments':'{}'}") COMPLETED,
           "text Looking.\nopaque {'type':'message','id':'msg_1','status':'completed','phase':'commentary'}\n"
           "started 0 f\ncall 0 c f {}" USAGE "\nend tool_calls");
  decoded (WORDS ("0", "Hi") ITEM ("0", "{'id':'msg_2','type':'message','status':'completed','phase':null}") COMPLETED,
           "text Hi\nopaque {'type':'message','id':'msg_2','status':'completed'}" USAGE "\nend complete");

  message = add_message (request, BECKON_ROLE_ASSISTANT, "Looking.");
  add_opaque (message, "responses",
              "{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"completed\",\"phase\":\"commentary\"}");
  unsupported = beckon_opaque_dup_unsupported (beckon_message_get_part (message, 1));
  g_assert_null (unsupported);
  add_part (message, BECKON_PART_TEXT, "Done.");
  add_opaque (message, "responses", "{\"type\":\"message\",\"id\":\"msg_2\",\"phase\":\"final_answer\"}");
  message = add_message (request, BECKON_ROLE_ASSISTANT, "Another's.");
  add_opaque (message, "anthropic", "{\"type\":\"message\",\"id\":\"msg_3\"}");
  body = encode (request);
  g_assert_nonnull (g_strstr_len (body, -1,
                                  "\"input\":[{\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"assistant\",\"status\":"
                                  "\"completed\",\"phase\":\"commentary\",\"content\":[{\"type\":\"output_text\",\"text\":"
                                  "\"Looking.\",\"annotations\":[]}]},"
                                  "{\"type\":\"message\",\"id\":\"msg_2\",\"role\":\"assistant\",\"phase\":"
                                  "\"final_answer\",\"content\":[{\"type\":\"output_text\",\"text\":\"Done.\",\"annotations\":[]}]},"
                                  "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\","
                                  "\"text\":\"Another's.\",\"annotations\":[]}]}]"));
}

static void
test_whole_body (void)
{
  decoded ("{'object':'response','status':'completed','output':[{'type':'message','content':[{'type':'output_text',"
           "'text':'Hi'}]},{'type':'function_call','call_id':'c','name':'f','arguments':'{}'}],'usage':{'input_tokens':1,"
           "'output_tokens':2}}", "text Hi\nstarted 0 f\ncall 0 c f {}\nusage 1 2 -1\nend tool_calls");
  decoded ("{'error':{'message':'No'}}", "error No\nend failed");
  decoded ("{'a':1}", "error The server sent something that is not a reply of a model.\nend failed");
}

static void
test_encode (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_RESPONSES, "Be brief.");
  g_autoptr (BeckonToolDefinition) tool = beckon_tool_definition_new ("f", "Does", "{\"type\":\"object\"}", TRUE);
  BeckonMessage *message;

  beckon_llm_request_add_tool (request, tool);
  message = add_message (request, BECKON_ROLE_USER, "Look");
  add_image (message);
  message = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  add_part (message, BECKON_PART_REASONING, "hm");
  add_opaque (message, "responses", "{\"type\":\"reasoning\",\"id\":\"rs\",\"encrypted_content\":\"x+/=\",\"summary\":[]}");
  add_opaque (message, "responses", "{\"type\":\"reasoning\",\"id\":\"rs_2\",\"summary\":[]}");
  add_opaque (message, "responses", "{\"type\":\"mcp_approval_request\"}");
  add_opaque (message, "anthropic", "{\"type\":\"reasoning\",\"encrypted_content\":\"y\"}");
  add_part (message, BECKON_PART_TEXT, "I will");
  add_call (message, "c1", "f", "{\"x\": 1}", "one");
  add_opaque (message, "responses", "{\"type\":\"reasoning\",\"encrypted_content\":\"leads nowhere\"}");
  assert_body (request,
               "{'model':'some-model','instructions':'Be brief.','tools':[{'type':'function','name':'f','description':"
               "'Does','parameters':{'type':'object'},'strict':false}],'input':[{'type':'message','role':'user',"
               "'content':[{'type':'input_text','text':'Look'},{'type':'input_image','detail':'auto','image_url':"
               "'data:image/png;base64,iVBORw=='}]},{'type':'reasoning','id':'rs','encrypted_content':'x+/=','summary':"
               "[]},{'type':'message','role':'assistant','content':[{'type':'output_text','text':'I will','annotations':[]}]},{'type':"
               "'function_call','call_id':'c1','name':'f','arguments':'{\\'x\\': 1}'},{'type':'function_call_output',"
               "'call_id':'c1','output':'one'}],'store':false,'include':['reasoning.encrypted_content'],'stream':true}");
}

/* OpenAI alone is told by which key to find what it has read. */
static void
test_cache_key (void)
{
  static const BeckonProfileKind kinds[] = { BECKON_PROFILE_RESPONSES, BECKON_PROFILE_CHAT };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (BeckonLlmRequest) request = make_request (kinds[i / 2], NULL);
      gboolean is_openai = i % 2 == 0;
      g_autofree char *body = NULL;

      beckon_profile_set_base_url (request->profile, is_openai ? "https://api.openai.com/v1" : "http://127.0.0.1:8080/v1");
      request->cache_key = g_strdup ("k1");
      add_message (request, BECKON_ROLE_USER, "Hi");
      body = encode (request);
      g_assert_cmpint (strstr (body, "\"prompt_cache_key\":\"k1\"") != NULL, ==, is_openai);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/responses/text", test_text);
  g_test_add_func ("/llm/openai/cache-key", test_cache_key);
  g_test_add_func ("/responses/ends", test_ends);
  g_test_add_func ("/responses/faults/A/23-broken", test_broken);
  g_test_add_func ("/responses/faults/C/45-calls", test_calls);
  g_test_add_func ("/llm/openai/without-places", test_without_places);
  g_test_add_func ("/responses/faults/C/52-kept", test_kept);
  g_test_add_func ("/responses/phase", test_phase);
  g_test_add_func ("/responses/whole-body", test_whole_body);
  g_test_add_func ("/responses/encode", test_encode);
  return g_test_run ();
}
