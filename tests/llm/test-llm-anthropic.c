/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"
#include "beckon-encode-cases.h"

#define EVENT(json) "event: x\ndata: " json "\n\n"
#define START EVENT ("{'type':'message_start','message':{'usage':{'input_tokens':10,'output_tokens':1}}}")
#define BEGIN(index, block) EVENT ("{'type':'content_block_start','index':" index ",'content_block':" block "}")
#define DELTA_OF(index, delta) EVENT ("{'type':'content_block_delta','index':" index ",'delta':" delta "}")
#define WORDS(index, text) DELTA_OF (index, "{'type':'text_delta','text':'" text "'}")
#define JSON_PIECE(index, text) DELTA_OF (index, "{'type':'input_json_delta','partial_json':'" text "'}")
#define STOP(index) EVENT ("{'type':'content_block_stop','index':" index "}")
#define REASON(reason) EVENT ("{'type':'message_delta','delta':{'stop_reason':'" reason "'},'usage':{'output_tokens':7}}")
#define OVER EVENT ("{'type':'message_stop'}")
#define TEXT_BLOCK BEGIN ("0", "{'type':'text','text':''}")
#define CALL_BLOCK(index, name) BEGIN (index, "{'type':'tool_use','id':'t" index "','name':'" name "','input':{}}")
#define USAGE "\nusage 10 7 -1"

static void
decoded (const char *text, const char *expected)
{
  assert_decoded_by ("anthropic", text, expected);
}

static void
test_ends (void)
{
  static const char *const ends[][2] = {
    { "end_turn", "complete" },   { "stop_sequence", "complete" }, { "max_tokens", "length" },
    { "pause_turn", "paused" },   { "refusal", "refusal" },        { "model_context_window_exceeded", "length" },
    { "tool_use", "tool_calls" }, { "something_new", "other" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *text = g_strdup_printf (START TEXT_BLOCK WORDS ("0", "Hi") STOP ("0") EVENT (
                                                 "{'type':'message_delta','delta':{'stop_reason':'%s'}}") OVER,
                                               ends[i][0]);
      g_autofree char *expected = g_strdup_printf ("text Hi\nusage 10 1 -1\nend %s", ends[i][1]);

      decoded (text, expected);
    }
}

/* A.10, A.21, A.23: a stream that just ends is cut off; one that said its reason is not. */
static void
test_cut_off (void)
{
  decoded (START TEXT_BLOCK WORDS ("0", "Hi"), "text Hi\nusage 10 1 -1\nend cut_off");
  decoded (START TEXT_BLOCK WORDS ("0", "Hi") STOP ("0") REASON ("end_turn"), "text Hi" USAGE "\nend complete");
  decoded (START TEXT_BLOCK WORDS ("0", "Hi") OVER, "text Hi\nusage 10 1 -1\nend complete");
  decoded (START CALL_BLOCK ("0", "f") JSON_PIECE ("0", "{}"),
           "started 0 f\nbad 0 t0 f {}" BROKEN_OFF "\nusage 10 1 -1\nend cut_off");
}

/* A.8, A.60: an error after text keeps the text. */
static void
test_error_event (void)
{
  decoded (START TEXT_BLOCK WORDS ("0", "Hi") "event: error\ndata: {'type':'error','error':{'type':'overloaded_error',"
           "'message':'Overloaded'}}\n\n", "text Hi\nerror Overloaded\nusage 10 1 -1\nend failed");
  decoded ("event: error\ndata: oops\n\n", "error oops\nend failed");
  decoded (EVENT ("{'type':'content_block_"), "error The server sent a piece of the reply that is not valid JSON.\n"
           "end failed");
}

/* A.24: what comes after the end is ignored. */
static void
test_after_the_end (void)
{
  decoded (START TEXT_BLOCK WORDS ("0", "Hi") REASON ("end_turn") OVER WORDS ("0", "more") "data: [DONE]\n\n",
           "text Hi" USAGE "\nend complete");
}

/* C.42: of two calls the second is cut. C.48: and there are bounds. */
static void
test_calls (void)
{
  decoded (START CALL_BLOCK ("0", "f") JSON_PIECE ("0", "{^x^:") JSON_PIECE ("0", "1}") STOP ("0") CALL_BLOCK ("1", "g")
           STOP ("1") REASON ("tool_use") OVER,
           "started 0 f\nstarted 1 g\ncall 0 t0 f {'x':1}\ncall 1 t1 g {}" USAGE "\nend tool_calls");
  decoded (START CALL_BLOCK ("0", "f") JSON_PIECE ("0", "{}") STOP ("0") CALL_BLOCK ("1", "g") JSON_PIECE ("1", "{^a")
           REASON ("max_tokens") OVER,
           "started 0 f\nstarted 1 g\ncall 0 t0 f {}\nbad 1 t1 g {'a" BAD "3" END_EARLY USAGE "\nend length");
}

/* C.39: no arguments are not {} when the length ended the reply. C.38: nor are broken ones arguments. */
static void
test_empty_arguments (void)
{
  decoded (START CALL_BLOCK ("0", "f") REASON ("max_tokens") OVER,
           "started 0 f\nbad 0 t0 f  (The arguments are not a JSON object. Invalid JSON at byte 0: there is no value.)"
           USAGE "\nend length");
  decoded (START CALL_BLOCK ("0", "f") JSON_PIECE ("0", "{^x^:1") STOP ("0") REASON ("tool_use") OVER,
           "started 0 f\nbad 0 t0 f {'x':1" BAD "6" END_EARLY USAGE "\nend tool_calls");
}

/* C.45: indexes that are missing or begin anywhere keep the blocks apart. C.50: the order of text and calls is kept. */
static void
test_indexes (void)
{
  decoded (START CALL_BLOCK ("7", "f") CALL_BLOCK ("9", "g") JSON_PIECE ("7", "{^a^:1}") JSON_PIECE ("9", "{^b^:2}")
           WORDS ("12", "after") REASON ("tool_use") OVER,
           "started 0 f\nstarted 1 g\ntext after\ncall 0 t7 f {'a':1}\ncall 1 t9 g {'b':2}" USAGE "\nend tool_calls");
  decoded (START EVENT ("{'type':'content_block_start','content_block':{'type':'tool_use','id':'i','name':'f'}}") EVENT (
             "{'type':'content_block_delta','delta':{'type':'input_json_delta','partial_json':'{}'}}") REASON ("tool_use"),
           "started 0 f\ncall 0 i f {}" USAGE "\nend tool_calls");
}

/* C.52: seals are kept as they are. */
static void
test_reasoning (void)
{
  decoded (START BEGIN ("0", "{'type':'thinking','thinking':'','signature':''}") DELTA_OF (
             "0", "{'type':'thinking_delta','thinking':'a ^b^'}") DELTA_OF (
             "0", "{'type':'signature_delta','signature':'AY+/='}") STOP ("0") BEGIN (
             "1", "{'data':'xyz==','type':'redacted_thinking'}") STOP ("1") TEXT_BLOCK WORDS ("0", "so")
           REASON ("end_turn") OVER,
           "reasoning a 'b'\nopaque {'type':'thinking','thinking':'a \\'b\\'','signature':'AY+/='}\n"
           "opaque {'data':'xyz==','type':'redacted_thinking'}\ntext so" USAGE "\nend complete");
  /* Without a signature there is nothing to return. */
  decoded (START BEGIN ("0", "{'type':'thinking','thinking':''}") DELTA_OF (
             "0", "{'type':'thinking_delta','thinking':'a'}"), "reasoning a\nusage 10 1 -1\nend cut_off");
}

/* C.53: a message that begins twice doubles nothing. */
static void
test_second_start (void)
{
  decoded (START TEXT_BLOCK WORDS ("0", "one ") START WORDS ("0", "two") STOP ("0") REASON ("end_turn") OVER,
           "text one two" USAGE "\nend complete");
}

/* C.54: what the server did by itself is kept whole, its input included. */
static void
test_server_tools (void)
{
  decoded (START BEGIN ("0", "{'type':'server_tool_use','id':'s','name':'web_search','input':{},'x':1}") JSON_PIECE (
             "0", "{^query^:") JSON_PIECE ("0", "^cats^}") STOP ("0") BEGIN (
             "1", "{'type':'web_search_tool_result','content':[{'a':[1,2]}]}") STOP ("1") REASON ("end_turn") OVER,
           "opaque {'type':'server_tool_use','id':'s','name':'web_search','input':{'query':'cats'},'x':1}\n"
           "opaque {'type':'web_search_tool_result','content':[{'a':[1,2]}]}" USAGE "\nend complete");
  /* Half a block can never be returned. */
  decoded (START BEGIN ("0", "{'type':'server_tool_use','id':'s','name':'n','input':{}}") JSON_PIECE ("0", "{^q"),
           "usage 10 1 -1\nend cut_off");
}

/* Input counts what was read from the cache and what was written to it. */
static void
test_usage (void)
{
  decoded (EVENT ("{'type':'message_start','message':{'usage':{'input_tokens':5,'cache_read_input_tokens':100,"
                  "'cache_creation_input_tokens':20,'output_tokens':1}}}") REASON ("end_turn") OVER,
           "usage 125 7 100\nend complete");
  decoded (START EVENT ("{'type':'message_delta','delta':{'stop_reason':'end_turn'},'usage':{'input_tokens':"
                        "9223372036854775807,'cache_read_input_tokens':9223372036854775807,'output_tokens':-5}}"),
           "usage 4294967294 -1 9223372036854775807\nend complete");
}

static void
test_whole_body (void)
{
  decoded ("{'type':'message','role':'assistant','content':[{'type':'text','text':'Hi'},{'type':'tool_use','id':'t',"
           "'name':'f','input':{'x':1}}],'stop_reason':'tool_use','usage':{'input_tokens':3,'output_tokens':4}}",
           "text Hi\nstarted 0 f\ncall 0 t f {'x':1}\nusage 3 4 -1\nend tool_calls");
  decoded ("{'type':'error','error':{'type':'invalid_request_error','message':'No'}}", "error No\nend failed");
  decoded ("{'id':1}", "error The server sent something that is not a reply of a model.\nend failed");
}

static void
test_encode (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, "Be brief.");
  g_autoptr (BeckonToolDefinition) tool = beckon_tool_definition_new ("f", "Does", "{\"type\":\"object\"}", TRUE);
  g_autofree char *expected = NULL;
  BeckonMessage *message;
  const char *id;

  beckon_llm_request_add_tool (request, tool);
  message = add_message (request, BECKON_ROLE_USER, "Look");
  add_image (message);
  message = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  add_part (message, BECKON_PART_REASONING, "hm");
  add_opaque (message, "anthropic", "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}");
  add_opaque (message, "responses", "{\"type\":\"reasoning\"}");
  add_part (message, BECKON_PART_TEXT, "I will");
  add_call (message, "t1", "f", "{\"x\":1}", "one");
  id = add_call (message, "t1", "g", "{\"x\"", NULL);
  add_message (request, BECKON_ROLE_USER, " ");
  add_message (request, BECKON_ROLE_USER, "Go on");
  expected = g_strdup_printf (
    "{'model':'some-model','max_tokens':8192,'system':[{'type':'text','text':'Be brief.','cache_control':"
    "{'type':'ephemeral'}}],'tools':[{'name':'f','description':'Does','input_schema':{'type':'object'},"
    "'cache_control':{'type':'ephemeral'}}],'messages':["
    "{'role':'user','content':[{'type':'text','text':'Look'},{'type':'image','source':{'type':'base64','media_type':"
    "'image/png','data':'iVBORw=='}}]},{'role':'assistant','content':[{'type':'thinking','thinking':'hm','signature':"
    "'s'},{'type':'text','text':'I will'},{'type':'tool_use','id':'t1','name':'f','input':{'x':1}},{'type':'tool_use',"
    "'id':'%s','name':'g','input':{'not_an_object':'{\\'x\\''}}]},{'role':'user','content':[{'type':'tool_result','tool_use_id':'t1','content':"
    "'one'},{'type':'tool_result','tool_use_id':'%s','content':'The result of this call was lost. Nothing is known "
    "about what it did.','is_error':true},{'type':'text','text':'Go on','cache_control':{'type':'ephemeral'}}]}],"
    "'stream':true}", id, id);
  assert_body (request, expected);
}

/* A half-done block of a server's tool would be refused; a seal would not. */
static void
test_encode_broken_off (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);
  BeckonMessage *message = add_message (request, BECKON_ROLE_ASSISTANT, "a");

  add_opaque (message, "anthropic", "{\"type\":\"server_tool_use\",\"name\":\"web_search\"}");
  add_opaque (message, "anthropic", "{\"type\":\"redacted_thinking\",\"data\":\"x\"}");
  add_opaque (message, "anthropic", "no JSON");
  beckon_message_set_status (message, BECKON_MESSAGE_STOPPED);
  assert_body (request, "{'model':'some-model','max_tokens':8192,'messages':[{'role':'assistant','content':[{'type':"
                        "'text','text':'a'},{'type':'redacted_thinking','data':'x'}]}],'stream':true}");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/anthropic/ends", test_ends);
  g_test_add_func ("/anthropic/faults/A/21-cut-off", test_cut_off);
  g_test_add_func ("/anthropic/faults/A/8-error-event", test_error_event);
  g_test_add_func ("/anthropic/faults/A/24-after-the-end", test_after_the_end);
  g_test_add_func ("/anthropic/faults/C/42-calls", test_calls);
  g_test_add_func ("/anthropic/faults/C/39-empty-arguments", test_empty_arguments);
  g_test_add_func ("/anthropic/faults/C/45-indexes", test_indexes);
  g_test_add_func ("/anthropic/faults/C/52-reasoning", test_reasoning);
  g_test_add_func ("/anthropic/faults/C/53-second-start", test_second_start);
  g_test_add_func ("/anthropic/faults/C/54-server-tools", test_server_tools);
  g_test_add_func ("/anthropic/usage", test_usage);
  g_test_add_func ("/anthropic/whole-body", test_whole_body);
  g_test_add_func ("/anthropic/encode", test_encode);
  g_test_add_func ("/anthropic/encode-broken-off", test_encode_broken_off);
  return g_test_run ();
}
