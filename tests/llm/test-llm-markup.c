/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-event-log.h"
#include "domain/beckon-tool-names.h"
#include "llm/beckon-text-markup.h"

#include <string.h>

static void
feed (BeckonTextMarkup *markup, const char *text, gsize length)
{
  const BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_TEXT, .text = text, .length = length };

  beckon_text_markup_feed (markup, &event);
}

/* Reads a reply, in pieces of @size characters. */
static EventLog *
read_in_pieces (const char *reply, glong size, BeckonLlmEnd end)
{
  g_autoptr (GPtrArray) tools = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_definition_unref);
  g_autoptr (EventLog) log = event_log_new ();
  const BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_END, .end = end };
  BeckonTextMarkup *markup;

  g_ptr_array_add (tools, beckon_tool_definition_new ("read_file", "Reads.", "{}", TRUE));
  g_ptr_array_add (tools, beckon_tool_definition_new ("list_files", "Lists.", "{}", TRUE));
  markup = beckon_text_markup_new (tools, event_log_add, log);
  while (*reply != '\0')
    {
      const char *next = g_utf8_offset_to_pointer (reply, MIN (size, g_utf8_strlen (reply, -1)));

      feed (markup, reply, (gsize) (next - reply));
      reply = next;
    }
  beckon_text_markup_feed (markup, &event);
  beckon_text_markup_free (markup);
  return g_steal_pointer (&log);
}

/* Without blanks, which arguments keep as they came. */
static char *
list_calls (EventLog *log)
{
  GString *calls = g_string_new (NULL);

  for (guint i = 0; i < log->names->len; i++)
    g_string_append_printf (calls, "%s%s;", (char *) g_ptr_array_index (log->names, i),
                            (char *) g_ptr_array_index (log->arguments, i));
  g_string_replace (calls, " ", "", 0);
  return g_string_free (calls, FALSE);
}

static void
assert_read (const char *reply, const char *text, const char *reasoning, const char *calls)
{
  for (glong size = 1; size <= 1000; size *= 10)
    {
      g_autoptr (EventLog) log = read_in_pieces (reply, size, BECKON_LLM_END_COMPLETE);
      g_autofree char *found = list_calls (log);

      g_assert_cmpstr (log->text->str, ==, text);
      g_assert_cmpstr (log->reasoning->str, ==, reasoning);
      g_assert_cmpstr (found, ==, calls);
      g_assert_cmpuint (log->n_ends, ==, 1);
    }
}

/* Each is the only call of its reply, or stands at its end. */
static void
test_calls (void)
{
  static const char *const replies[] = {
    "```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}\n```",
    "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}\n</tool_call>",
    "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>",
    "[TOOL_CALLS] [{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}]",
    "[TOOL_CALLS]read_file{\"path\": \"a.txt\"}",
    "[TOOL_CALLS]read_file[ARGS]{\"path\": \"a.txt\"}",
    "<|python_tag|>{\"name\": \"read_file\", \"parameters\": {\"path\": \"a.txt\"}}<|eom_id|>",
    "<function=read_file>{\"path\": \"a.txt\"}</function>",
    "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}",
    "{\"type\": \"function\", \"function\": {\"name\": \"read_file\", \"arguments\": \"{\\\"path\\\": \\\"a.txt\\\"}\"}}",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{\"path\":\"a.txt\"}\n```"
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{\"path\":\"a.txt\",}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>",
    "<function_calls>\n<invoke name=\"read_file\">\n<parameter name=\"path\">a.txt</parameter>\n</invoke>\n</function_calls>",
    "Action: read_file\nAction Input: {\"path\": \"a.txt\"}",
  };
  static const char *const prefixed[] = {
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{\"path\": \"a.txt\"}"
    "<|tool_call_end|><|tool_calls_section_end|>",
    "<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{\"path\": \"a.txt\"}<|call|>",
    "<|start|>assistant<|channel|>commentary to=functions.read_file json<|message|>{\"path\": \"a.txt\"}",
    "<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{\"path\": \"a.txt\"}<|call|>",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (replies); i++)
    {
      g_autofree char *after = g_strconcat ("I will read it.\n\n", replies[i], "\n", NULL);

      g_test_message ("%s", replies[i]);
      assert_read (replies[i], "", "", "read_file{\"path\":\"a.txt\"};");
      assert_read (after, "I will read it.\n", "", "read_file{\"path\":\"a.txt\"};");
    }
  assert_read ("I will read it.\n<tool_call>{\"name\":\"ReadFile\",\"arguments\":{}}</tool_call>\nThen I tell you.",
               "I will read it.\nThen I tell you.", "", "ReadFile{};");
  assert_read ("I list.\n[TOOL_CALLS] [{\"name\":\"list_files\",\"arguments\":{}}]\nThen I tell you.", "I list.\nThen I tell you.", "",
               "list_files{};");
  assert_read ("[TOOL_CALLS]default_api:read_file{}", "", "", "default_api:read_file{};");
  for (gsize i = 0; i < G_N_ELEMENTS (prefixed); i++)
    assert_read (prefixed[i], "", "", "functions.read_file{\"path\":\"a.txt\"};");
  assert_read ("<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{}<|tool_call_end|>"
               "<|tool_call_begin|>functions.list_files:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
               "", "", "functions.read_file{};functions.list_files{};");
  assert_read ("Action: read the file\nAction Input: none {}", "Action: read the file\nAction Input: none {}", "", "");
  assert_read ("Action: Call Ann.\nThen {go} on.", "Action: Call Ann.\nThen {go} on.", "", "");
}

#define LIST "<tool_call>{\"name\":\"list_files\",\"arguments\":{}}</tool_call>"

/* A call behind text of its line is one if it is whole and closed; else it is text, with what comes behind it. */
static void
test_within (void)
{
  assert_read ("I list: " LIST, "I list: ", "", "list_files{};");
  assert_read ("I list: " LIST "\nand tell [1] you.", "I list: and tell [1] you.", "", "list_files{};");
  assert_read ("The file has " LIST " in it.", "The file has " LIST " in it.", "", "");
  assert_read ("It says:\n" LIST " and so on.", "It says:\n" LIST " and so on.", "", "");
  assert_read ("a < b [T] <tool_call> comes first:\n" LIST, "a < b [T] <tool_call> comes first:\n", "", "list_files{};");
  assert_read ("`" LIST "` is how: " LIST, "`" LIST "` is how: ", "", "list_files{};");
  assert_read ("Hermes has `" LIST "`, and a < b <", "Hermes has `" LIST "`, and a < b <", "", "");
  assert_read ("It has <function=launch>{}</function>", "It has <function=launch>{}</function>", "", "");
  assert_read ("It has <function=read_file>{}", "It has <function=read_file>{}", "", "");
  assert_read ("```\nIt has " LIST "\n```", "```\nIt has " LIST "\n```", "", "");
}

/* A call that is marked and can't be read is refused whole, in words. */
static void
assert_refused (const char *reply, const char *why)
{
  g_autoptr (EventLog) log = read_in_pieces (reply, 7, BECKON_LLM_END_COMPLETE);

  g_assert_cmpuint (log->names->len, ==, 0);
  g_assert_cmpuint (log->n_errors, ==, 1);
  g_assert_null (strchr (log->text->str, '{'));
  g_assert_nonnull (strstr (log->lines->str, "\nbad 0 - tool_call {\"text\":"));
  g_assert_nonnull (strstr (log->lines->str, why));
  g_assert_nonnull (strstr (log->lines->str, "Call tools through the tool interface."));
}

static void
test_several (void)
{
  assert_read ("<tool_call>{\"name\":\"read_file\",\"arguments\":{\"path\":\"a\"}}</tool_call>\n"
               "<tool_call>{\"name\":\"list_files\",\"arguments\":{}}</tool_call>",
               "", "", "read_file{\"path\":\"a\"};list_files{};");
  /* Text behind a call that the reply begins with. */
  assert_read ("<tool_call>{\"name\":\"list_files\",\"arguments\":{}}</tool_call>\nNow I wait.", "Now I wait.", "",
               "list_files{};");
  assert_refused ("<tool_call>{\"name\":\"list_files\",\"arguments\":{}}</tool_call><tool_call>{\"name\":\"read_file\",\"argu"
                  "ments\":[}</tool_call>", "its arguments can't be read");
  assert_refused ("<tool_call>{\"name\":\"list_file\",\"arguments\":{}}</tool_call>",
                  "There is no tool named \"list_file\". Did you mean “list_files”? The tools are: read_file, list_files.");
}

/* JSON that says what a call says and nothing else is one, whatever it names; the model is told how to write it as text. */
static void
test_unmarked (void)
{
  static const char *const unknown[] = {
    "```json\n{\"name\": \"Bash\", \"arguments\": {\"command\": \"ls\"}}\n```",
    "I look.\n\n```\n{\"name\": \"Bash\", \"parameters\": {\"command\": \"ls\"}}\n```\n",
    "[{\"name\": \"read_file\", \"arguments\": {}}, {\"type\": \"function\", \"function\": {\"name\": \"Bash\", \"arguments\": {}}}]",
    "{\"name\": \"launch\", \"arguments\": {}}",
    "Action: search\nAction Input: {\"query\": \"cats\"}",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (unknown); i++)
    assert_refused (unknown[i], "The tools are: read_file, list_files.");
  assert_refused (unknown[0], "There is no tool named \"Bash\".");
  assert_refused (unknown[0], "If it isn't meant as a call, add a sentence after it.");
  assert_refused ("```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"b\"}}\n```", "its arguments can't be read");
}

static void
assert_text (const char *reply)
{
  assert_read (reply, reply, "", "");
}

static void
test_no_calls (void)
{
  g_autoptr (EventLog) cut = NULL;

  assert_text ("Such a model writes {\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}} when it wants a file. Shall I?");
  assert_text ("{\"name\": \"launch\", \"arguments\": {}}\nis how a ship is launched.");
  assert_text ("```json\n{\"name\": \"launch\", \"description\": \"Goes.\", \"parameters\": {\"type\": \"object\"}}\n```");
  assert_text ("```json\n{\"name\": \"launch\", \"parameters\": {\"type\": \"object\", \"properties\": {}}}\n```");
  assert_text ("[{\"name\": \"read_file\"}, {\"name\": \"list_files\"}]");
  assert_text ("```json\n{\"name\": \"Ada\", \"age\": \"a\"b\"}\n```");
  assert_text ("```json\n{\"name\": \"Ada\", \"age\": 36}\n```");
  assert_text ("Write it so:\n\n```\n<tool_call>\n{\"name\": \"read_file\", \"arguments\": {}}\n</tool_call>\n```\n");
  assert_text ("{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}\nis how it is called.");
  assert_text ("<tool_call> is a mark of Hermes.");
  assert_text ("It goes so:\n<function=read_file>{}\nis how it begins.");
  assert_text ("  Indented\n\n\n<b>bold</b> [1], `<think>`");
  assert_text ("");
  cut = read_in_pieces ("{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}", 5, BECKON_LLM_END_LENGTH);
  g_assert_cmpuint (cut->names->len, ==, 0);
  g_assert_cmpuint (cut->text->len, >, 0);
}

static void
test_with_a_call (void)
{
  g_autoptr (GPtrArray) tools = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_definition_unref);
  g_autoptr (EventLog) log = event_log_new ();
  const char *text = "{\"name\": \"read_file\", \"arguments\": {}}";
  const BeckonLlmEvent call = { .type = BECKON_LLM_EVENT_CALL, .name = "list_files", .arguments = "{}" };
  const BeckonLlmEvent end = { .type = BECKON_LLM_EVENT_END, .end = BECKON_LLM_END_COMPLETE };
  BeckonTextMarkup *markup;

  g_ptr_array_add (tools, beckon_tool_definition_new ("read_file", "Reads.", "{}", TRUE));
  markup = beckon_text_markup_new (tools, event_log_add, log);
  feed (markup, text, strlen (text));
  beckon_text_markup_feed (markup, &call);
  beckon_text_markup_feed (markup, &end);
  g_assert_cmpstr (log->text->str, ==, text);
  g_assert_cmpuint (log->names->len, ==, 1);
  beckon_text_markup_free (markup);
}

static void
test_thoughts (void)
{
  assert_read ("<think>\nA file, </then>\n</think>\n\nHello", "Hello", "\nA file, </then>\n", "");
  assert_read ("\n<think></think>Hello <think>", "Hello <think>", "", "");
  assert_read ("<think>Only this", "", "Only this", "");
  assert_read ("<think>Only this</think>\n", "", "Only this", "");
  assert_read ("<think>I list.</think>\n<tool_call>{\"name\":\"list_files\",\"arguments\":{}}</tool_call>", "", "I list.",
               "list_files{};");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/llm/markup/calls", test_calls);
  g_test_add_func ("/llm/markup/within", test_within);
  g_test_add_func ("/llm/markup/several", test_several);
  g_test_add_func ("/llm/markup/unmarked", test_unmarked);
  g_test_add_func ("/llm/markup/no-calls", test_no_calls);
  g_test_add_func ("/llm/markup/with-a-call", test_with_a_call);
  g_test_add_func ("/llm/markup/thoughts", test_thoughts);
  return g_test_run ();
}
