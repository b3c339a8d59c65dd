/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tour/beckon-tour-script.h"

#include "base/beckon-json.h"
#include "request/beckon-answer.h"

#include <string.h>

#define ASK "{\"type\":\"function\",\"function\":{\"name\":\"ask_user\"}}"
#define TIME "{\"type\":\"function\",\"function\":{\"name\":\"get_current_time\"}}"

static BeckonTourReply *
reply_to (const char *messages, const char *tools)
{
  g_autofree char *body = g_strdup_printf ("{\"model\":\"tour\",\"messages\":[{\"role\":\"system\",\"content\":\"Be hello.\"},%s],"
                                           "\"tools\":[%s]}",
                                           messages, tools);
  g_autoptr (GError) error = NULL;
  BeckonTourReply *reply = beckon_tour_script_reply (body, strlen (body), BECKON_TOUR_WINDOW, &error);

  g_assert_no_error (error);
  g_assert_true (g_utf8_validate (reply->text, -1, NULL));
  return reply;
}

static char *
quote_json (const char *text)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), text);

  return json_to_string (node, FALSE);
}

/* The history once the tour has asked and @result came of it. */
static BeckonTourReply *
reply_to_result (const char *prompt, const char *result, const char *tools)
{
  g_autofree char *quoted_prompt = quote_json (prompt);
  g_autofree char *quoted = quote_json (result);
  g_autofree char *messages = g_strdup_printf (
      "{\"role\":\"user\",\"content\":%s},{\"role\":\"assistant\",\"content\":\"Welcome\",\"tool_calls\":[{\"id\":\"c1\","
      "\"type\":\"function\",\"function\":{\"name\":\"ask_user\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\","
      "\"tool_call_id\":\"c1\",\"content\":%s}",
      quoted_prompt, quoted);

  return reply_to (messages, tools);
}

static BeckonQuestion *
parse_question (const BeckonTourReply *reply)
{
  g_autoptr (GError) error = NULL;
  BeckonQuestion *question = beckon_question_parse (reply->arguments, &error);

  g_assert_no_error (error);
  return question;
}

/* Returns what the core makes of an answer to the tour's own question. */
static char *
make_result (const BeckonAnswer *answer, const char *prompt)
{
  g_autofree char *quoted = quote_json (prompt);
  g_autofree char *messages = g_strdup_printf ("{\"role\":\"user\",\"content\":%s}", quoted);
  g_autoptr (BeckonTourReply) reply = reply_to (messages, ASK "," TIME);
  g_autoptr (BeckonQuestion) question = parse_question (reply);
  gboolean is_error;

  return beckon_answer_to_result (answer, question, &is_error);
}

static BeckonTourReply *
reply_to_answer (const BeckonAnswer *answer, const char *prompt)
{
  g_autofree char *result = make_result (answer, prompt);

  return reply_to_result (prompt, result, ASK "," TIME);
}

static void
assert_says (const BeckonTourReply *reply, const char *words)
{
  if (strstr (reply->text, words) == NULL)
    g_error ("“%s” does not say “%s”", reply->text, words);
}

static void
test_begins (void)
{
  static const char *const prompts[] = { "Show me around", "show me around, please!", "Hello", "hi", "Start the tour",
                                         "Hello there", "Take a TOUR" };

  for (guint i = 0; i < G_N_ELEMENTS (prompts); i++)
    {
      g_autofree char *quoted = quote_json (prompts[i]);
      g_autofree char *messages = g_strdup_printf ("{\"role\":\"user\",\"content\":%s}", quoted);
      g_autoptr (BeckonTourReply) reply = reply_to (messages, ASK "," TIME);
      g_autoptr (BeckonQuestion) question = NULL;

      assert_says (reply, "offline tour");
      g_assert_cmpstr (reply->tool, ==, "ask_user");
      question = parse_question (reply);
      g_assert_true (question->simple);
      g_assert_cmpuint (beckon_question_get_n_items (question), ==, 1);
      g_assert_cmpuint (beckon_question_get_item (question, 0)->options->len, ==, 3);
      g_assert_true (beckon_question_get_item (question, 0)->freeform);
    }
}

static void
test_begins_in_chinese (void)
{
  static const char *const prompts[] = { "带我看看", "你好", "开始", "请带我逛逛 Beckon 吧" };

  for (guint i = 0; i < G_N_ELEMENTS (prompts); i++)
    {
      g_autofree char *quoted = quote_json (prompts[i]);
      g_autofree char *messages = g_strdup_printf ("{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":%s}]}", quoted);
      g_autoptr (BeckonTourReply) reply = reply_to (messages, ASK "," TIME);

      assert_says (reply, "离线导览");
      g_assert_cmpstr (reply->tool, ==, "ask_user");
      g_assert_nonnull (strstr (reply->arguments, "写作"));
    }
}

static void
test_is_honest (void)
{
  static const char *const prompts[] = { "Write a hello world program in C", "Start a web server on port 8080 and show the log",
                                         "", "What is 2 + 2?" };

  for (guint i = 0; i < G_N_ELEMENTS (prompts); i++)
    {
      g_autofree char *quoted = quote_json (prompts[i]);
      g_autofree char *messages = g_strdup_printf ("{\"role\":\"user\",\"content\":%s}", quoted);
      g_autoptr (BeckonTourReply) reply = reply_to (messages, ASK "," TIME);

      assert_says (reply, "not a model");
      assert_says (reply, "Preferences → Credentials");
      g_assert_null (reply->tool);
    }
}

static void
test_is_honest_in_chinese (void)
{
  g_autoptr (BeckonTourReply) reply = reply_to ("{\"role\":\"user\",\"content\":\"帮我写一份关于开始新项目的计划书和预算表\"}", ASK);

  assert_says (reply, "不是模型");
  g_assert_null (reply->tool);
}

static void
test_asking_is_off (void)
{
  g_autoptr (BeckonTourReply) reply = reply_to ("{\"role\":\"user\",\"content\":\"Show me around\"}", TIME);

  assert_says (reply, "asking is switched off");
  assert_says (reply, "Preferences → Credentials");
  g_assert_null (reply->tool);
}

static void
test_choice (void)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (BeckonTourReply) reply = NULL;

  beckon_answer_select (answer, 0, "Files and folders");
  reply = reply_to_answer (answer, "Show me around");
  assert_says (reply, "You picked **Files and folders**");
  g_assert_cmpstr (reply->tool, ==, "get_current_time");
  g_assert_cmpstr (reply->arguments, ==, "{}");
}

static void
test_choice_with_note (void)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (BeckonTourReply) reply = NULL;

  beckon_answer_select (answer, 0, "做计划");
  beckon_answer_set_item_text (answer, 0, "下周末");
  reply = reply_to_answer (answer, "带我看看");
  assert_says (reply, "你选了**做计划**");
  assert_says (reply, "“下周末”");
}

static void
test_typed (void)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (BeckonTourReply) reply = NULL;

  beckon_answer_set_item_text (answer, 0, "Feeding the cat\n100 %s");
  reply = reply_to_answer (answer, "Show me around");
  assert_says (reply, "“Feeding the cat 100 %s”");
  g_assert_cmpstr (reply->tool, ==, "get_current_time");
}

static void
test_other_ends (void)
{
  static const struct
  {
    BeckonAnswerKind kind;
    const char *words;
    const char *tool;
  } ends[] = {
    { BECKON_ANSWER_DELEGATED, "You left the choice to me", "get_current_time" },
    { BECKON_ANSWER_DECLINED, "You dismissed the question", NULL },
    { BECKON_ANSWER_TIMED_OUT, "Nobody could answer", "get_current_time" },
    { BECKON_ANSWER_UNAVAILABLE, "Nobody could answer", "get_current_time" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (ends[i].kind, NULL);
      g_autoptr (BeckonTourReply) reply = reply_to_answer (answer, "Show me around");

      assert_says (reply, ends[i].words);
      g_assert_cmpstr (reply->tool, ==, ends[i].tool);
    }
}

static void
test_skipped (void)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (BeckonTourReply) reply = NULL;

  beckon_answer_skip (answer, 0);
  reply = reply_to_answer (answer, "Show me around");
  assert_says (reply, "You skipped the question");
}

static void
test_asked_back (void)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_ASKED_BACK, "What does it cost?");
  g_autoptr (BeckonTourReply) reply = reply_to_answer (answer, "Show me around");

  assert_says (reply, "You asked back: “What does it cost?”");
  g_assert_cmpstr (reply->tool, ==, "ask_user");
}

/* With the other flow the turn ends with the question, and the answer is the next message. */
static void
test_answer_as_message (void)
{
  g_autoptr (BeckonTourReply) reply = reply_to (
      "{\"role\":\"user\",\"content\":\"Show me around\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\","
      "\"function\":{\"name\":\"ask_user\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":"
      "\"{\\\"status\\\":\\\"waiting_for_user\\\"}\"},{\"role\":\"user\",\"content\":\"Planning\"}",
      ASK "," TIME);

  assert_says (reply, "You picked **Planning**");
}

static void
test_time (void)
{
  static const char before[] = "{\"role\":\"user\",\"content\":\"Show me around\"},{\"role\":\"assistant\",\"content\":\"\","
                               "\"tool_calls\":[{\"id\":\"c2\",\"function\":{\"name\":\"get_current_time\",\"arguments\":"
                               "\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"%s\"}";
  g_auto (GStrv) around = g_strsplit (before, "%s", 2);
  g_autofree char *good = g_strjoinv ("2026-06-02T12:00:00Z, Tuesday (UTC)", around);
  g_autofree char *bad = g_strjoinv ("The clock of this computer is not usable.", around);
  g_autoptr (BeckonTourReply) told = reply_to (good, ASK "," TIME);
  g_autoptr (BeckonTourReply) failed = reply_to (bad, ASK "," TIME);

  assert_says (told, "`2026-06-02T12:00:00Z, Tuesday (UTC)`");
  assert_says (told, "That was the tour");
  g_assert_null (told->tool);
  assert_says (failed, "could not be read");
  g_assert_null (failed->tool);
}

static void
test_without_time (void)
{
  g_autoptr (BeckonTourReply) reply = reply_to_result ("Show me around", "Writing", ASK);

  assert_says (reply, "You picked **Writing**");
  assert_says (reply, "That was the tour");
  g_assert_null (reply->tool);
}

/* A tool that is not the tour's, an answer to nothing, messages that are none. */
static void
test_odd_histories (void)
{
  static const char *const histories[] = {
    "{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"?\"}",
    "{\"role\":\"tool\"}",
    "{\"role\":\"assistant\",\"content\":\"and so\"}",
    "7,null,[],\"x\",{}",
    "{\"role\":\"user\",\"content\":{\"a\":1}}",
    "{\"role\":\"user\",\"content\":[1,{\"text\":2},{\"text\":\"x\"}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (histories); i++)
    {
      g_autoptr (BeckonTourReply) reply = reply_to (histories[i], "3,{\"function\":4}");

      assert_says (reply, "not a model");
      g_assert_null (reply->tool);
    }
}

static void
test_bad_requests (void)
{
  static const char *const bodies[] = { "", "[]", "{}", "{\"messages\":3}", "{\"messages\":[" };

  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_tour_script_reply (bodies[i], strlen (bodies[i]), BECKON_TOUR_WINDOW, &error));
      g_assert_nonnull (error);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tour/script/begins", test_begins);
  g_test_add_func ("/tour/script/begins-in-chinese", test_begins_in_chinese);
  g_test_add_func ("/tour/script/is-honest", test_is_honest);
  g_test_add_func ("/tour/script/is-honest-in-chinese", test_is_honest_in_chinese);
  g_test_add_func ("/tour/script/asking-is-off", test_asking_is_off);
  g_test_add_func ("/tour/script/choice", test_choice);
  g_test_add_func ("/tour/script/choice-with-note", test_choice_with_note);
  g_test_add_func ("/tour/script/typed", test_typed);
  g_test_add_func ("/tour/script/other-ends", test_other_ends);
  g_test_add_func ("/tour/script/skipped", test_skipped);
  g_test_add_func ("/tour/script/asked-back", test_asked_back);
  g_test_add_func ("/tour/script/answer-as-message", test_answer_as_message);
  g_test_add_func ("/tour/script/time", test_time);
  g_test_add_func ("/tour/script/without-time", test_without_time);
  g_test_add_func ("/tour/script/odd-histories", test_odd_histories);
  g_test_add_func ("/tour/script/bad-requests", test_bad_requests);
  return g_test_run ();
}
