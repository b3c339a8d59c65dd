/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"

#include "net/beckon-llm-error.h"

#include <string.h>

static void
test_cut_characters (void)
{
  assert_decoded (TEXT ("é日🌍a\\u00e9\\ud83c\\udf0d") FINISH ("stop") DONE, "text é日🌍aé🌍\nend complete");
}

static void
test_comments (void)
{
  assert_decoded (": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n", "end cut_off");
  assert_decoded (":\n\n" TEXT ("a") ": ping\n" TEXT ("b") FINISH ("stop") ":\n\n" DONE, "text ab\nend complete");
}

static void
test_empty_data (void)
{
  assert_decoded ("data:\n\ndata\n\nid: 1\nretry: 3\ndata: \n\n" TEXT ("a") FINISH ("stop"), "text a\nend complete");
  assert_decoded ("data:{'choices':[{'delta':{'content':'a'},'finish_reason':'stop'}]}\n\ndata:[DONE]\n\n",
                  "text a\nend complete");
}

static void
test_error_line (void)
{
  assert_decoded (TEXT ("a") "error: {'detail':'x','error':{'message':'no room'}}\n\n",
                  "text a\nerror no room\nend failed");
  assert_decoded (TEXT ("a") "errors: {}\nerrer: x\nerr: x\n\n" FINISH ("stop"), "text a\nend complete");
}

static void
test_error_event (void)
{
  assert_decoded (TEXT ("a") "event: error\ndata: {'error':{'message':'overloaded','code':529}}\n\n",
                  "text a\nerror overloaded\nend failed");
  assert_decoded ("event: error\ndata: {'message':'overloaded'}\n\n" DONE, "error overloaded\nend failed");
  assert_decoded ("event: error\ndata: something broke\n\n", "error something broke\nend failed");
  assert_decoded ("event: error\ndata:\n\n", "error The provider reported an error and did not say which.\nend failed");
}

static void
test_error_beside_choices (void)
{
  assert_decoded ("data: {'error':{'code':400,'message':'limit'},'choices':[{'index':0,'delta':{'content':'a'},"
                  "'finish_reason':'stop'}]}\n\n" DONE,
                  "text a\nerror limit\nend failed");
  assert_decoded ("data: {'error':'plain words'}\n\n" DONE, "error plain words\nend failed");
  assert_decoded ("data: {'error':{'code':1}}\n\n", "error {'code':1}\nend failed");
  assert_decoded ("data: {'object':'error','message':'m','code':404}\n\n", "error m\nend failed");
  assert_decoded ("data: {'choices':[{'index':0,'delta':{},'error':{'message':'m'},'finish_reason':'error'}]}\n\n",
                  "error m\nend failed");
  assert_decoded (TEXT ("a") FINISH ("error"),
                  "text a\nerror The provider reported an error and did not say which.\nend failed");
  assert_decoded ("data: {'error':null,'choices':[{'delta':{'content':'a'},'error':null,'finish_reason':'stop'}]}\n\n",
                  "text a\nend complete");
}

static void
test_errors_are_given_once (void)
{
  assert_decoded ("data: {'error':'one'}\n\ndata: {'error':'two'}\n\nevent: error\ndata: three\n\n",
                  "error one\nend failed");
}

static void
test_error_is_fit_to_show (void)
{
  assert_decoded ("data: {'error':{'message':'a\\u0000b\\u001b[31m'}}\n\n", "error a␀b␛[31m\nend failed");
}

static void
test_cut_off (void)
{
  assert_decoded (TEXT ("a"), "text a\nend cut_off");
  assert_decoded ("", "end cut_off");
  assert_decoded (TEXT ("a") "data: {'choices':[{'index':0,'de", "text a\nend cut_off");
  assert_decoded (ONE_CALL ("{}"), "started 0 f\nbad 0 a f {}" BROKEN_OFF "\nend cut_off");
}

static void
test_endless (void)
{
  g_autoptr (EventLog) log = event_log_new ();
  const char *const starts[] = { "data: ", "{", " [" };
  g_autofree char *filler = g_strnfill (1024 * 1024, ' ');

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup ("chat")->decoder_new (event_log_add, log);
      g_autoptr (GError) error = NULL;
      guint pushed = 0;

      g_assert_true (beckon_decoder_push (decoder, starts[i], strlen (starts[i]), NULL));
      while (beckon_decoder_push (decoder, filler, 1024 * 1024, &error))
        g_assert_cmpuint (pushed++, <, 9);
      g_assert_error (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE);
    }
}

static void
test_no_last_blank_line (void)
{
  assert_decoded (TEXT ("a") FINISH ("stop") "data: [DONE]", "text a\nend complete");
  assert_decoded (TEXT ("a") FINISH ("stop") "data: {'choices':[{'delta':{'content':'b'}}]}\n", "text a\nend complete");
}

static void
test_finish_without_done (void)
{
  assert_decoded (TEXT ("a") FINISH ("stop"), "text a\nend complete");
  assert_decoded (ONE_CALL ("{}") FINISH ("tool_calls"), "started 0 f\ncall 0 a f {}\nend tool_calls");
}

static void
test_done_without_finish (void)
{
  assert_decoded (TEXT ("a") DONE, "text a\nend complete");
  assert_decoded (ONE_CALL ("{^x^:1}") DONE, "started 0 f\ncall 0 a f {'x':1}\nend tool_calls");
  assert_decoded (ONE_CALL ("{^x^:") DONE, "started 0 f\nbad 0 a f {'x':" BROKEN_OFF "\nend cut_off");
  assert_decoded (ONE_CALL ("") DONE, "started 0 f\nbad 0 a f " BROKEN_OFF "\nend cut_off");
}

static void
test_after_done (void)
{
  assert_decoded (TEXT ("a") FINISH ("stop") DONE TEXT ("b") "data: {'error':'late'}\n\nevent: error\ndata: x\n\n" DONE,
                  "text a\nend complete");
}

static void
test_terminated (void)
{
  g_autoptr (EventLog) log = event_log_new ();
  g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup ("chat")->decoder_new (event_log_add, log);
  g_autoptr (GString) text = chat_case_expand (TEXT ("a") FINISH ("stop"));

  g_assert_true (beckon_decoder_push (decoder, text->str, text->len, NULL));
  g_assert_false (beckon_decoder_is_terminated (decoder));
  g_assert_true (beckon_decoder_push (decoder, DONE, strlen (DONE), NULL));
  g_assert_true (beckon_decoder_is_terminated (decoder));
}

static void
test_twice (void)
{
  assert_decoded (TEXT ("a") FINISH ("length") FINISH ("stop")
                  "data: {'choices':[],'usage':{'prompt_tokens':1,'completion_tokens':2}}\n\n"
                  "data: {'choices':[],'usage':{'prompt_tokens':3,'completion_tokens':4,'prompt_tokens_details':"
                  "{'cached_tokens':2}}}\n\n" DONE,
                  "text a\nusage 3 4 2\nend length");
}

static void
test_strange_choices (void)
{
  assert_decoded ("data: {'choices':[]}\n\ndata: {}\n\ndata: {'choices':null}\n\ndata: {'choices':[null,1]}\n\n"
                  "data: {'choices':[{}]}\n\ndata: {'choices':[{'delta':null}]}\n\ndata: {'choices':{}}\n\n"
                  "data: []\n\ndata: 1\n\ndata: null\n\n" TEXT ("a") FINISH ("stop")
                  "data: {'usage':{'prompt_tokens':1}}\n\n" DONE,
                  "text a\nusage 1 -1 -1\nend complete");
}

static void
test_usage_anywhere (void)
{
  assert_decoded ("data: {'choices':[{'delta':{'content':'a'},'usage':{'prompt_tokens':5,'prompt_cache_hit_tokens':4},"
                  "'finish_reason':'stop'}],'usage':null}\n\n",
                  "text a\nusage 5 -1 4\nend complete");
  assert_decoded ("data: {'usage':{'prompt_tokens':-7,'completion_tokens':1e3,'prompt_tokens_details':null}}\n\n" DONE,
                  "usage -1 -1 -1\nend complete");
}

static void
test_several_choices (void)
{
  assert_decoded ("data: {'choices':[{'delta':{'content':'a'},'index':0},{'delta':{'content':'B'},'index':1}]}\n\n"
                  "data: {'choices':[{'delta':{'content':'C'},'finish_reason':'length','index':1}]}\n\n"
                  "data: {'choices':[{'finish_reason':'stop','delta':{'content':'b'},'index':0}]}\n\n" DONE,
                  "text ab\nend complete");
  assert_decoded ("data: {'choices':[{'delta':{'content':'a'}},{'delta':{'content':'B'}}]}\n\n" DONE,
                  "text a\nend complete");
}

static void
test_content_kinds (void)
{
  assert_decoded (DELTA ("{'content':null}") DELTA ("{'content':1.5}") DELTA ("{'content':{'text':'x'}}")
                  DELTA ("{'content':[]}") DELTA ("{'content':[{'type':'text','text':'a'},{'text':'no'},3,"
                         "{'type':'image','text':'no'},{'text':'b','type':'text'}]}")
                  DELTA ("{'content':[{'type':'thinking','thinking':[{'type':'text','text':'t'},{'type':'x'}]}]}")
                  DELTA ("{'content':[{'type':'thinking','thinking':'u'},{'type':'reasoning','text':'v'}]}")
                  DELTA ("{'content':[{'type':'thinking','thinking':[{'thinking':[{'type':'text','text':'deep'}]}]}]}")
                  FINISH ("stop"),
                  "text ab\nreasoning tuv\nend complete");
}

/* A name means the same however it is written. */
static void
test_escaped_names (void)
{
  assert_decoded ("data: {'ch\\u006fices':[{'d\\u0065lta':{'c\\u006fntent':'a','c\\u006fntens':'b'},"
                  "'finish_r\\u0065ason':'st\\u006fp'}]}\n\n",
                  "text a\nend complete");
}

static void
test_reasoning (void)
{
  assert_decoded (DELTA ("{'reasoning_content':'a','content':null}") DELTA ("{'reasoning':'b'}")
                  DELTA ("{'reasoning':'c','reasoning_content':'c'}") DELTA ("{'reasoning_content':'','reasoning':'d'}")
                  DELTA ("{'content':'x','reasoning_content':'e'}") FINISH ("stop"),
                  "reasoning abcde\ntext x\nend complete");
}

static void
test_invalid_bytes (void)
{
  static const char text[] = "data: {\"choices\":[{\"delta\":{\"content\":\"a\xff" "b\xe6\x97\"},"
                             "\"finish_reason\":\"stop\"}]}\n\n";

  assert_decoded_bytes (text, sizeof text - 1, "text a\uFFFD" "b\uFFFD\uFFFD\nend complete");
  assert_decoded (TEXT ("a\\ud83c") TEXT ("b\\udf0d") FINISH ("stop"), "text a\uFFFD" "b\uFFFD\nend complete");
}

static void
test_nul (void)
{
  g_autoptr (GString) text = chat_case_expand (TEXT ("a\\u0000b") FINISH ("stop"));
  g_autoptr (EventLog) log = event_log_decode_bytewise ("chat", text->str, text->len);

  g_assert_cmpmem (log->text->str, log->text->len, "a\0b", 3);
}

static void
test_deep (void)
{
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autofree char *event = g_strdup_printf ("data: {'choices':%s\n\n" DONE, deep);
  g_autofree char *call = g_strdup_printf (CALLS ("{'index':0,'function':{'name':'f','arguments':'%s'}}")
                                           FINISH ("tool_calls"), deep);
  g_autofree char *expected = g_strdup_printf ("started 0 f\nbad 0 - f %s" BAD "512: it is nested too deeply.)\n"
                                               "end tool_calls", deep);

  assert_decoded (event, "error The server sent a piece of the reply that is not valid JSON.\nend failed");
  assert_decoded (call, expected);
}

static void
test_numbers (void)
{
  assert_decoded ("data: {'created':1E400,'id':18446744073709551616,'usage':{'prompt_tokens':18446744073709551616},"
                  "'choices':[{'index':0,'delta':{'tool_calls':["
                  "{'index':18446744073709551616,'id':18446744073709551616,"
                  "'function':{'name':'f','arguments':'{^n^:1E400}'}}]},'finish_reason':'tool_calls'}]}\n\n",
                  "started 0 f\ncall 0 18446744073709551616 f {'n':1E400}\nusage -1 -1 -1\nend tool_calls");
}

static void
test_not_json (void)
{
  static const char *const payloads[] = { "OK", "{'choices':[}", "{'choices':[],}", "<html>", "{'a':'\\x'}", "{}{}" };

  for (guint i = 0; i < G_N_ELEMENTS (payloads); i++)
    {
      g_autofree char *text = g_strdup_printf (TEXT ("a") "data: %s\n\n" TEXT ("b") DONE, payloads[i]);

      assert_decoded (text, "text a\nerror The server sent a piece of the reply that is not valid JSON.\n"
                            "text b\nend failed");
    }
}

/* A payload that turns out not to be JSON adds nothing. */
static void
test_broken_payload_adds_nothing (void)
{
  assert_decoded ("data: {'choices':[{'delta':{'content':'no'},'finish_reason':'stop'}],"
                  "'usage':{'prompt_tokens':1} oops\n\n",
                  "error The server sent a piece of the reply that is not valid JSON.\nend failed");
}

static void
test_ends (void)
{
  static const char *const ends[][2] = {
    { "stop", "complete" },           { "eos", "complete" },       { "length", "length" },
    { "max_tokens", "length" },       { "model_length", "length" }, { "content_filter", "content_filter" },
    { "refusal", "refusal" },         { "pause_turn", "paused" },  { "abort", "cut_off" },
    { "tool_calls", "tool_calls" }, { "sensitive", "content_filter" }, { "eos_token", "complete" },
    { "tool_use", "tool_calls" },      { "out of luck", "other" }, { "max_output_tokens", "length" },
    { "MAX_TOKENS", "length" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *text = g_strdup_printf (TEXT ("a") FINISH ("%s") DONE, ends[i][0]);
      g_autofree char *expected = g_strdup_printf ("text a\nend %s", ends[i][1]);

      assert_decoded (text, expected);
    }
}

/* A gateway says what it understood, and passes on the maker's own word: a call that was broken off is not taken for whole. */
static void
test_native_ends (void)
{
  static const char *const ends[][3] = {
    { "tool_calls", "max_output_tokens", "length" },
    { "stop", "max_output_tokens", "length" },
    { "tool_calls", "MAX_TOKENS", "length" },
    { "tool_calls", "length", "length" },
    { "tool_calls", "completed", "tool_calls" },
    { "tool_calls", "STOP", "tool_calls" },
    { "tool_calls", "tool_use", "tool_calls" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *text = g_strdup_printf (TEXT ("a") "data: {'choices':[{'delta':{},'finish_reason':'%s',"
                                               "'native_finish_reason':'%s'}]}\n\n" DONE,
                                               ends[i][0], ends[i][1]);
      g_autofree char *expected = g_strdup_printf ("text a\nend %s", ends[i][2]);

      assert_decoded (text, expected);
    }
}

static void
test_refusal (void)
{
  g_autoptr (GString) text = chat_case_expand (DELTA ("{'refusal':'I ca'}") DELTA ("{'refusal':'n^t','content':null}")
                                     FINISH ("stop") DONE);
  g_autoptr (EventLog) log = event_log_decode_bytewise ("chat", text->str, text->len);

  g_assert_cmpint (log->end, ==, BECKON_LLM_END_REFUSAL);
  g_assert_cmpstr (log->end_text, ==, "I can\"t");
  g_assert_cmpuint (log->text->len, ==, 0);
}

static void
test_whole_body (void)
{
  assert_decoded ("{'object':'chat.completion','choices':[{'index':0,'message':{'role':'assistant','content':'a',"
                  "'reasoning_content':'r','tool_calls':[{'id':'x','type':'function','function':{'name':'f',"
                  "'arguments':'{}'}},{'id':'x','type':'function','function':{'name':'f','arguments':'{}'}}]},"
                  "'finish_reason':'tool_calls'}],'usage':{'prompt_tokens':1,'completion_tokens':2}}\n",
                  "reasoning r\ntext a\nstarted 0 f\nstarted 1 f\ncall 0 x f {}\nusage 1 2 -1\n"
                  "end tool_calls");
  assert_decoded ("\xef\xbb\xbf\r\n {'choices':[{'message':{'content':'a'}}]}", "text a\nend complete");
  assert_decoded ("{'error':{'message':'bad key'}}", "error bad key\nend failed");
  assert_decoded ("{'choices':[{'message':{'content':'a'", "end cut_off");
  assert_decoded ("{'hello':1}", "error The server sent something that is not a reply of a model.\nend failed");
  assert_decoded ("{'choices':[}", "error The server sent a reply that is not valid JSON.\nend failed");
  assert_decoded ("{'choices':[{'delta':{'content':'a'}}]}\n"
                  "{'choices':[{'delta':{'content':'b'},'finish_reason':'stop'}]}\n",
                  "text ab\nend complete");
}

static void
test_message_after_deltas (void)
{
  assert_decoded (TEXT ("a") "data: {'choices':[{'message':{'content':'a'},'finish_reason':'stop'}]}\n\n",
                  "text a\nend complete");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/faults/A/2-cut-inside-characters", test_cut_characters);
  g_test_add_func ("/faults/A/5-keep-alives-only", test_comments);
  g_test_add_func ("/faults/A/6-empty-data", test_empty_data);
  g_test_add_func ("/faults/A/7-error-line", test_error_line);
  g_test_add_func ("/faults/A/8-error-event", test_error_event);
  g_test_add_func ("/faults/A/9-error-beside-choices", test_error_beside_choices);
  g_test_add_func ("/llm/chat/errors-are-given-once", test_errors_are_given_once);
  g_test_add_func ("/llm/chat/error-is-fit-to-show", test_error_is_fit_to_show);
  g_test_add_func ("/faults/A/10-end-of-stream-is-no-end", test_cut_off);
  g_test_add_func ("/faults/A/16-endless-line", test_endless);
  g_test_add_func ("/faults/A/20-no-last-blank-line", test_no_last_blank_line);
  g_test_add_func ("/faults/A/21-finish-without-done", test_finish_without_done);
  g_test_add_func ("/faults/A/22-done-without-finish", test_done_without_finish);
  g_test_add_func ("/faults/A/23-neither", test_cut_off);
  g_test_add_func ("/faults/A/24-data-after-done", test_after_done);
  g_test_add_func ("/llm/chat/terminated", test_terminated);
  g_test_add_func ("/faults/A/25-finish-and-usage-twice", test_twice);
  g_test_add_func ("/faults/A/26-strange-choices", test_strange_choices);
  g_test_add_func ("/llm/chat/usage-anywhere", test_usage_anywhere);
  g_test_add_func ("/faults/A/27-several-choices", test_several_choices);
  g_test_add_func ("/faults/A/28-kinds-of-content", test_content_kinds);
  g_test_add_func ("/llm/chat/escaped-names", test_escaped_names);
  g_test_add_func ("/llm/chat/reasoning", test_reasoning);
  g_test_add_func ("/faults/A/29-invalid-bytes", test_invalid_bytes);
  g_test_add_func ("/faults/A/30-nul", test_nul);
  g_test_add_func ("/faults/B/31-nesting-bomb", test_deep);
  g_test_add_func ("/faults/B/33-numbers-out-of-range", test_numbers);
  g_test_add_func ("/llm/chat/not-json", test_not_json);
  g_test_add_func ("/llm/chat/broken-payload-adds-nothing", test_broken_payload_adds_nothing);
  g_test_add_func ("/faults/C/51-ends", test_ends);
  g_test_add_func ("/llm/chat/native-ends", test_native_ends);
  g_test_add_func ("/faults/C/51-refusal", test_refusal);
  g_test_add_func ("/llm/chat/whole-body", test_whole_body);
  g_test_add_func ("/llm/chat/message-after-deltas", test_message_after_deltas);
  return g_test_run ();
}
