/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"
#include "llm/beckon-loose-arguments.h"

static void
assert_bad_arguments (const char *arguments)
{
  g_autofree char *text = g_strdup_printf (ONE_CALL ("%s") FINISH ("tool_calls") DONE, arguments);
  g_autoptr (GString) expanded = chat_case_expand (text);
  g_autoptr (EventLog) log = event_log_decode ("chat", expanded->str, expanded->len, NULL, NULL);

  g_assert_cmpuint (log->names->len, ==, 0);
  g_assert_cmpuint (log->n_errors, ==, 1);
  g_assert_cmpint (log->end, ==, BECKON_LLM_END_TOOL_CALLS);
}

static void
test_duplicate_names (void)
{
  assert_bad_arguments ("{^cmd^:^ls^,^cmd^:^rm^}");
  assert_bad_arguments ("{^cmd^:^ls^,^\\\\u0063md^:^rm^}");
  assert_bad_arguments ("{^a^:[{^b^:1,^b^:1}]}");
}

static void
test_almost_json_arguments (void)
{
  static const char *const arguments[] = {
    "\\ufeff{}",    "{^a^:1,,}",    "{^a^:1 /* no */}", "{a:1}",   "{^a^:1}{^b^:2}", "{^a^:NaN}", "{^a^:01}", "[]",
    "^[]^",         "1",            "nulls",            "nothing", " ",              "{",
    "{^a^:^\\u0000^}", "{^a^:^\\ud800^}", "{^a^:^\\\\ud800^}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    assert_bad_arguments (arguments[i]);
}

/* Arguments that can be read in one way only are read. */
static void
test_loose_arguments (void)
{
  static const char *const read[][2] = {
    { "{\"a\":1,}", "{\"a\":1}" },
    { "{\"a\":[1, 2 , ],\n}", "{\"a\":[1, 2  ]\n}" },
    { "{\"a\":\",}\\\",}\",}", "{\"a\":\",}\\\",}\"}" },
    { "\"{\\\"a\\\": 1}\"", "{\"a\": 1}" },
    { "```json\n{\"a\":1}\n```", "{\"a\":1}" },
    { " ```\n{\"a\":1,}\n``` ", "{\"a\":1}" },
    { "{'a':'b.txt'}", "{\"a\":\"b.txt\"}" },
    { "{\"a\":\"x\n\ty\\\nz\",\n\"b\":1}", NULL },
    { "{\"a\":\"x\n\ty\\n\",\n\"b\":1}", "{\"a\":\"x\\n\\ty\\n\",\n\"b\":1}" },
    { "{'a':'it's'}", NULL },
    { "{'a':\"b\"}", NULL },
    { "{\"a\":\"b", NULL },
    { "```json\n{\"a\":1", NULL },
    { "\"{\\\"a\\\": 1\"", NULL },
    { "\"a\"", NULL },
    { ",", NULL },
    { "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (read); i++)
    {
      g_autofree char *text = beckon_loose_arguments_read (read[i][0]);

      g_assert_cmpstr (text, ==, read[i][1]);
    }
  assert_decoded (ONE_CALL ("{^a^:1,}") FINISH ("tool_calls"), "started 0 f\ncall 0 a f {'a':1}\nend tool_calls");
}

static void
test_invalid_bytes_in_arguments (void)
{
  static const char text[] = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":"
                             "{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\\\"\xff\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n";

  assert_decoded_bytes (text, sizeof text - 1,
                "started 0 f\nbad 0 - f {\"a\":\"\uFFFD\"} (The arguments hold bytes that are not valid UTF-8.)\n"
                "end tool_calls");
}

static void
test_cut_by_length (void)
{
  assert_decoded (ONE_CALL ("{^x^:17,^y^:25") FINISH ("length") DONE,
                  "started 0 f\nbad 0 a f {'x':17,'y':25" BAD "14" END_EARLY "\nend length");
  assert_decoded (ONE_CALL ("{^x^:1") "data: {'choices':[{'delta':{},'finish_reason':'tool_calls',"
                  "'native_finish_reason':'length'}]}\n\n" DONE,
                  "started 0 f\nbad 0 a f {'x':1" BAD "6" END_EARLY "\nend length");
}

static void
test_cut_and_denied (void)
{
  assert_decoded (ONE_CALL ("{^x^:1") FINISH ("tool_calls") DONE,
                  "started 0 f\nbad 0 a f {'x':1" BAD "6" END_EARLY "\nend tool_calls");
}

static void
test_empty_and_cut (void)
{
  assert_decoded (ONE_CALL ("") FINISH ("length"),
                  "started 0 f\nbad 0 a f  (The arguments are not a JSON object. Invalid JSON at byte 0: there is no "
                  "value.)\nend length");
}

static void
test_no_arguments (void)
{
  assert_decoded (ONE_CALL ("") FINISH ("tool_calls"), "started 0 f\ncall 0 a f {}\nend tool_calls");
  assert_decoded (CALLS ("{'index':0,'function':{'name':'f','arguments':null}}") FINISH ("tool_calls"),
                  "started 0 f\ncall 0 - f {}\nend tool_calls");
  assert_decoded (CALLS ("{'index':0,'function':{'name':'f'}}") FINISH ("stop"),
                  "started 0 f\ncall 0 - f {}\nend tool_calls");
}

static void
test_second_is_cut (void)
{
  assert_decoded (ONE_CALL ("{^x^:1}") CALLS ("{'index':1,'id':'b','function':{'name':'g','arguments':'{^y'}}")
                  FINISH ("length"),
                  "started 0 f\nstarted 1 g\ncall 0 a f {'x':1}\nbad 1 b g {'y" BAD "3" END_EARLY "\nend length");
}

/* A call that comes twice as it is runs once, and no two calls of a reply keep the same id. */
static void
test_duplicate_ids (void)
{
  assert_decoded (CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':'{'}},"
                         "{'index':1,'id':'a','function':{'name':'f','arguments':'{'}},"
                         "{'index':2,'id':'a','function':{'name':'f','arguments':'{^x^:1'}},"
                         "{'index':3,'id':'a','function':{'name':'g','arguments':'{'}}")
                  CALLS ("{'index':0,'function':{'arguments':'}'}},{'index':1,'function':{'arguments':'}'}},"
                         "{'index':2,'function':{'arguments':'}'}},{'index':3,'function':{'arguments':'}'}}")
                  FINISH ("tool_calls"),
                  "started 0 f\nstarted 1 f\nstarted 2 f\nstarted 3 g\ncall 0 a f {}\ncall 2 - f {'x':1}\ncall 3 - g {}\n"
                  "end tool_calls");
}

/* A single call at three places: without arguments yet, in part and whole. */
static void
test_one_call_thrice (void)
{
  assert_decoded (CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':''}}")
                  CALLS ("{'index':1,'id':'a','function':{'name':'f','arguments':'{^x^:1}'}}")
                  CALLS ("{'index':2,'id':'a','function':{'name':'f','arguments':'{^x^:1}'}}") FINISH ("tool_calls"),
                  "started 0 f\nstarted 1 f\nstarted 2 f\ncall 1 a f {'x':1}\nend tool_calls");
  assert_decoded (CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':'{^x'}},"
                         "{'index':1,'id':'a','function':{'name':'f','arguments':'{^x^:1}'}}") FINISH ("tool_calls"),
                  "started 0 f\nstarted 1 f\ncall 1 a f {'x':1}\nend tool_calls");
}

static void
test_null (void)
{
  assert_decoded (ONE_CALL ("null") FINISH ("tool_calls"), "started 0 f\ncall 0 a f {}\nend tool_calls");
  assert_decoded (ONE_CALL (" null ") FINISH ("tool_calls"), "started 0 f\ncall 0 a f {}\nend tool_calls");
}

static void
test_no_ids (void)
{
  assert_decoded (CALLS ("{'function':{'name':'f','arguments':'{}'}},{'function':{'name':'g','arguments':'{^x^:1}'}}")
                  CALLS ("{'function':{'name':'f','arguments':{'y': 2}}}") FINISH ("tool_calls"),
                  "started 0 f\nstarted 1 g\nstarted 2 f\ncall 0 - f {}\ncall 1 - g {'x':1}\ncall 2 - f {'y': 2}\n"
                  "end tool_calls");
}

static void
test_index_starts_elsewhere (void)
{
  assert_decoded (CALLS ("{'index':1,'id':'a','function':{'name':'f','arguments':'{'}}")
                  CALLS ("{'index':7,'id':'b','function':{'name':'g','arguments':'{'}}")
                  CALLS ("{'index':1,'function':{'arguments':'}'}}") CALLS ("{'index':7,'function':{'arguments':'}'}}")
                  FINISH ("tool_calls"),
                  "started 0 f\nstarted 1 g\ncall 0 a f {}\ncall 1 b g {}\nend tool_calls");
}

static void
test_index_is_missing (void)
{
  assert_decoded (CALLS ("{'id':'a','function':{'name':'f','arguments':''}}")
                  CALLS ("{'function':{'arguments':'{^x^:'}}") CALLS ("{'id':'a','function':{'arguments':'1}'}}")
                  CALLS ("{'id':'b','function':{'name':'f','arguments':'{'}}") CALLS ("{'index':null,'function':"
                  "{'arguments':'}'}}") FINISH ("tool_calls"),
                  "started 0 f\nstarted 1 f\ncall 0 a f {'x':1}\ncall 1 b f {}\nend tool_calls");
}

static void
test_index_is_always_0 (void)
{
  assert_decoded (CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':'{}'}}")
                  CALLS ("{'index':0,'id':'b','function':{'name':'f','arguments':'{^x^:1}'}}")
                  CALLS ("{'index':0,'id':'','function':{'name':'g','arguments':'{}'}}") FINISH ("tool_calls"),
                  "started 0 f\nstarted 1 f\nstarted 2 g\ncall 0 a f {}\ncall 1 b f {'x':1}\ncall 2 - g {}\n"
                  "end tool_calls");
}

static void
test_index_changes (void)
{
  assert_decoded (CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':''}}")
                  CALLS ("{'index':1,'id':'a','function':{'arguments':'{^x^:'}}")
                  CALLS ("{'index':2,'function':{'arguments':'1}'}}") FINISH ("tool_calls"),
                  "started 0 f\ncall 0 a f {'x':1}\nend tool_calls");
}

static void
test_repeated_id_and_name (void)
{
  assert_decoded (CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':''}}")
                  CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':'{^x^'}}")
                  CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':':1}'}}")
                  CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':''}}") FINISH ("tool_calls"),
                  "started 0 f\ncall 0 a f {'x':1}\nend tool_calls");
  assert_decoded (CALLS ("{'index':0,'id':'r1','function':{'name':'f','arguments':'{^x^'}}")
                  CALLS ("{'index':0,'id':'r2','function':{'arguments':':1}'}}") FINISH ("tool_calls"),
                  "started 0 f\ncall 0 r1 f {'x':1}\nend tool_calls");
}

static void
test_late_id_and_name (void)
{
  assert_decoded (CALLS ("{'index':0,'function':{'arguments':'{^x^'}}")
                  CALLS ("{'index':0,'function':{'arguments':':1}','name':'f'},'id':'a'}")
                  CALLS ("{'index':1,'id':'b','function':{'arguments':'{'}}")
                  CALLS ("{'index':1,'function':{'name':'g','arguments':'}'}}") FINISH ("tool_calls"),
                  "started 0 \nstarted 1 \ncall 0 a f {'x':1}\ncall 1 b g {}\nend tool_calls");
  assert_decoded (CALLS ("{'index':0,'id':'a','function':{'arguments':'{}'}}") FINISH ("tool_calls"),
                  "started 0 \nbad 0 a  {} (The call has no name.)\nend tool_calls");
}

static void
test_names_are_kept (void)
{
  assert_decoded (CALLS ("{'index':0,'function':{'name':'multi_tool_use.parallel','arguments':'{}'}},"
                         "{'index':1,'function':{'name':'Bash','arguments':'{}'}},"
                         "{'index':2,'function':{'name':'b\\u200bash','arguments':'{}'}},"
                         "{'index':3,'function':{'name':'bаsh','arguments':'{}'}},"
                         "{'index':4,'function':{'name':'bash\\u0000x','arguments':'{}'}}") FINISH ("tool_calls"),
                  "started 0 multi_tool_use.parallel\nstarted 1 Bash\nstarted 2 b\u200bash\nstarted 3 bаsh\n"
                  "started 4 bash?x\ncall 0 - multi_tool_use.parallel {}\ncall 1 - Bash {}\ncall 2 - b\u200bash {}\n"
                  "call 3 - bаsh {}\ncall 4 - bash?x {}\nend tool_calls");
}

static EventLog *
decode_many_calls (guint count)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) expanded = NULL;

  for (guint i = 0; i < count; i++)
    g_string_append_printf (text, CALLS ("{'index':%u,'function':{'name':'f','arguments':'{}'}}"), i);
  g_string_append (text, FINISH ("tool_calls"));
  expanded = chat_case_expand (text->str);
  return event_log_decode ("chat", expanded->str, expanded->len, NULL, NULL);
}

static void
test_many_calls (void)
{
  g_autoptr (EventLog) many = decode_many_calls (500);
  g_autoptr (EventLog) too_many = decode_many_calls (1001);

  g_assert_cmpuint (many->names->len, ==, 500);
  g_assert_cmpint (many->end, ==, BECKON_LLM_END_TOOL_CALLS);
  g_assert_cmpuint (too_many->names->len, ==, 0);
  g_assert_cmpint (too_many->end, ==, BECKON_LLM_END_FAILED);
}

static void
test_endless_arguments (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) expanded = NULL;
  g_autoptr (EventLog) log = NULL;
  g_autofree char *filler = g_strnfill (1024 * 1024, 'x');

  for (guint i = 0; i < 9; i++)
    g_string_append_printf (text, CALLS ("{'index':0,'function':{'name':'f','arguments':'%s'}}"), filler);
  expanded = chat_case_expand (text->str);
  log = event_log_decode ("chat", expanded->str, expanded->len, NULL, NULL);
  g_assert_cmpint (log->end, ==, BECKON_LLM_END_FAILED);
}

/* Every piece looks as if it might begin another call; the cost may not grow with the square of the length. */
static void
test_hostile_pieces (void)
{
  g_autoptr (GString) text = g_string_new (CALLS ("{'index':0,'function':{'name':'f','arguments':'{^x^:^'}}"));
  g_autoptr (GString) expanded = NULL;
  g_autoptr (EventLog) log = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (text, CALLS ("{'index':0,'function':{'name':'f','arguments':'{012345678901234567890}'}}"));
  expanded = chat_case_expand (text->str);
  log = event_log_decode ("chat", expanded->str, expanded->len, NULL, NULL);
  g_assert_cmpint (log->end, ==, BECKON_LLM_END_CUT_OFF);
}

static void
test_order (void)
{
  assert_decoded (DELTA ("{'tool_calls':[{'index':0,'function':{'name':'f','arguments':'{}'}}],'content':'a'}")
                  TEXT ("b") CALLS ("{'index':1,'function':{'name':'g','arguments':'{}'}}") TEXT ("c") FINISH ("stop"),
                  "text a\nstarted 0 f\ntext b\nstarted 1 g\ntext c\ncall 0 - f {}\ncall 1 - g {}\nend tool_calls");
}

static void
test_legacy_function (void)
{
  assert_decoded (DELTA ("{'function_call':{'name':'f','arguments':''}}")
                  DELTA ("{'function_call':{'arguments':'{^x^'}}")
                  DELTA ("{'function_call':{'arguments':':1}'}}") FINISH ("function_call"),
                  "started 0 f\ncall 0 - f {'x':1}\nend tool_calls");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/faults/B/34-duplicate-names", test_duplicate_names);
  g_test_add_func ("/faults/B/35-almost-json-arguments", test_almost_json_arguments);
  g_test_add_func ("/llm/chat-calls/loose-arguments", test_loose_arguments);
  g_test_add_func ("/llm/chat/invalid-bytes-in-arguments", test_invalid_bytes_in_arguments);
  g_test_add_func ("/faults/C/37-cut-by-length", test_cut_by_length);
  g_test_add_func ("/faults/C/38-cut-and-denied", test_cut_and_denied);
  g_test_add_func ("/faults/C/39-empty-and-cut", test_empty_and_cut);
  g_test_add_func ("/faults/C/40-no-arguments", test_no_arguments);
  g_test_add_func ("/faults/C/42-second-call-is-cut", test_second_is_cut);
  g_test_add_func ("/faults/C/43-duplicate-ids", test_duplicate_ids);
  g_test_add_func ("/llm/chat-calls/one-call-thrice", test_one_call_thrice);
  g_test_add_func ("/llm/chat/null-arguments", test_null);
  g_test_add_func ("/faults/C/44-no-ids", test_no_ids);
  g_test_add_func ("/faults/C/45-index-starts-elsewhere", test_index_starts_elsewhere);
  g_test_add_func ("/faults/C/45-index-is-missing", test_index_is_missing);
  g_test_add_func ("/faults/C/45-index-is-always-0", test_index_is_always_0);
  g_test_add_func ("/faults/C/45-index-changes", test_index_changes);
  g_test_add_func ("/faults/C/46-repeated-id-and-name", test_repeated_id_and_name);
  g_test_add_func ("/faults/C/46-late-id-and-name", test_late_id_and_name);
  g_test_add_func ("/faults/C/47-49-names-are-kept", test_names_are_kept);
  g_test_add_func ("/faults/C/48-many-calls", test_many_calls);
  g_test_add_func ("/llm/chat/endless-arguments", test_endless_arguments);
  g_test_add_func ("/llm/chat/hostile-pieces", test_hostile_pieces);
  g_test_add_func ("/faults/C/50-order", test_order);
  g_test_add_func ("/llm/chat/legacy-function", test_legacy_function);
  return g_test_run ();
}
