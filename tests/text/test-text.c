/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request/beckon-approval-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "text/beckon-call-labels.h"
#include "text/beckon-plain-number.h"
#include "text/beckon-plain-text.h"

#include <string.h>

#define STYLE                                                                                                          \
  "{\"question\":\"Which style should the description have?\","                                                        \
  "\"choices\":[\"Short and professional\",\"Lively\",\"Luxurious\"]}"
#define CLOSED "{\"question\":\"Q?\",\"choices\":[\"Red\",\"Blue\",\"Green\"],\"allow_freeform\":false}"
#define CLOSED_ONE "{\"question\":\"Q?\",\"choices\":[\"Red\"],\"allow_freeform\":false}"
#define OPEN "{\"question\":\"Q?\",\"choices\":[\"Red\",\"Blue\",\"Green\"]}"
#define MULTIPLE "{\"questions\":[{\"question\":\"Q?\",\"options\":[\"Red\",\"Blue\",\"Green\"],\"multiple\":true}]}"
#define MULTIPLE_CLOSED                                                                                                \
  "{\"questions\":[{\"question\":\"Q?\",\"options\":[\"Red\",\"Blue\",\"Green\"],\"multiple\":true,"                   \
  "\"allow_freeform\":false}]}"
#define FREE "{\"question\":\"Q?\"}"
#define PORTS "{\"question\":\"Q?\",\"choices\":[\"8080\",\"9090\"]}"
#define NUMBERS "{\"question\":\"Q?\",\"choices\":[\"2\",\"4\"]}"
#define CASES "{\"question\":\"Q?\",\"choices\":[\"c\",\"C\",\"Go\"]}"
#define TWO                                                                                                            \
  "{\"questions\":[{\"question\":\"One?\",\"options\":[{\"label\":\"A\",\"description\":\"The first.\","              \
  "\"recommended\":true},\"B\"]},{\"question\":\"Two?\"}]}"

static BeckonRequest *
make_question (const char *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonQuestion) question = beckon_question_parse (arguments, &error);

  g_assert_no_error (error);
  return beckon_question_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", question, 0);
}

static BeckonRequest *
make_approval (const char *arguments)
{
  return beckon_approval_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "write_file",
                                      arguments, "It can change something.", 0);
}

/* Writing. */

static void
assert_format (const char *arguments, guint item, const char *expected)
{
  g_autoptr (BeckonRequest) request = make_question (arguments);
  g_autofree char *text = beckon_plain_text_format (request, item);

  g_assert_cmpstr (text, ==, expected);
}

/* The last answer is a line, and answers nothing. */
static void
test_format_last (void)
{
  g_autoptr (BeckonRequest) request = make_question (OPEN);
  BeckonQuestionItem *item = g_ptr_array_index (beckon_request_get_question (request)->items, 0);
  g_autofree char *text = NULL;

  item->last = beckon_last_answer_from_json ("{\"selected\":[\"Blue\"],\"text\":\"dark\",\"at\":1}");
  text = beckon_plain_text_format (request, 0);
  g_assert_cmpstr (text, ==,
                   "❓ Q?\n1. Red\n2. Blue\n3. Green\nLast time: Blue, dark\n\nReply with a number, or type your answer");
}

static void
test_format (void)
{
  assert_format (STYLE, 0,
                 "❓ Which style should the description have?\n"
                 "1. Short and professional\n"
                 "2. Lively\n"
                 "3. Luxurious\n"
                 "\n"
                 "Reply with a number, or type your answer");
  assert_format (CLOSED, 0, "❓ Q?\n1. Red\n2. Blue\n3. Green\n\nReply with a number");
  assert_format (FREE, 0, "❓ Q?\n\nType your answer");
  assert_format ("{\"question\":\"Q?\",\"wait\":false}", 0, "❓ Q?\n\nType your answer\nThe agent goes on meanwhile, as far as it can.");
  assert_format (MULTIPLE, 0,
                 "❓ Q?\n1. Red\n2. Blue\n3. Green\n\nReply with numbers such as 1,3, or type your answer");
  assert_format (MULTIPLE_CLOSED, 0, "❓ Q?\n1. Red\n2. Blue\n3. Green\n\nReply with numbers such as 1,3");
}

static void
test_format_several (void)
{
  g_autoptr (BeckonRequest) request = make_question (TWO);

  g_assert_cmpuint (beckon_plain_text_n_items (request), ==, 2);
  assert_format (TWO, 0,
                 "❓ (1 of 2) One?\n"
                 "1. A (recommended) — The first.\n"
                 "2. B\n"
                 "\n"
                 "Reply with a number, or type your answer");
  assert_format (TWO, 1, "❓ (2 of 2) Two?\n\nType your answer");
}

static void
test_format_approval (void)
{
  g_autoptr (BeckonRequest) request = make_approval ("{\"path\":\"a.txt\",\"text\":\"x\"}");
  g_autofree char *text = beckon_plain_text_format (request, 0);

  g_assert_cmpuint (beckon_plain_text_n_items (request), ==, 1);
  g_assert_cmpstr (text, ==,
                   "⚠ Write a.txt\n"
                   "    path: a.txt\n"
                   "    text: x\n"
                   "1. Run\n"
                   "2. Deny\n"
                   "3. Stop\n"
                   "\n"
                   "Reply with a number, with 2 and why not, or with changed arguments as a JSON object");
}

/* An answered call is shown without its keys, and texts as lines. */
static void
test_format_settled (void)
{
  g_autoptr (BeckonRequest) request = make_approval ("{\"path\":\"a.txt\",\"text\":\"if x:\\n  y\\n\"}");
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  g_autofree char *text = NULL;

  beckon_request_settle (request, BECKON_REQUEST_ANSWERED, answer, "window", "ada", 1);
  text = beckon_plain_text_format (request, 0);
  g_assert_cmpstr (text, ==, "⚠ Write a.txt\npath: a.txt\ntext:\n  │ if x:\n  │   y");
}

/* The command stands there as it is, then what else it is called with, then its risks. */
static void
test_format_command (void)
{
  g_autoptr (BeckonRequest) request
      = beckon_approval_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "run_command",
                                     "{\"command\":\"make \\\\\\n◇ all\",\"network\":true}",
                                     "It uses the network, and could carry data out.", 0);
  BeckonApprovalDetails *details = beckon_approval_details_new ();
  g_autofree char *text = NULL;

  details->command = g_strdup ("make \\\n◇ all");
  details->folder = g_strdup ("/srv/proj");
  details->uses_network = TRUE;
  beckon_request_take_details (request, details);
  text = beckon_plain_text_format_with_code (request, 0);
  g_assert_cmpstr (text, ==,
                   "⚠ [7k2m] Run this command? · in /srv/proj\n"
                   "    make \\\n"
                   "    <U+25C7> all\n"
                   "    network: true\n"
                   "Uses the network\n"
                   "1. Run\n"
                   "2. Deny\n"
                   "3. Stop\n"
                   "\n"
                   "Reply with a number, with 2 and why not, or with changed arguments as a JSON object");
}

/* A line of a card tells of a script by its first line, and of a name by all of it. */
static void
test_label (void)
{
  const struct
  {
    const char *tool;
    const char *arguments;
    const char *label;
  } cases[] = {
    { "run_command", "{\"command\":\"set -e\\ncd src\\n\"}", "Ran set -e …" },
    { "run_command", "{\"command\":\"\\n make \\r\\n\"}", "Ran make" },
    { "run_command", "{\"command\":\"a\\tb\"}", "Ran a<U+0009>b" },
    { "read_file", "{\"path\":\"a\\nb\"}", "Read a<U+000A>b" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *label
          = beckon_call_labels_describe (cases[i].tool, NULL, cases[i].arguments, BECKON_CALL_PHASE_DONE);

      g_assert_cmpstr (label, ==, cases[i].label);
    }
}

static BeckonRequest *
make_form (void)
{
  return beckon_outcome_request_new ("01ARZ3NDEKTSV4RRFFQ69G7K2M", "conversation", "message", "call", "write_file",
                                     "{\"path\":\"a.txt\"}", 0, 5);
}

static void
test_format_form (void)
{
  g_autoptr (BeckonRequest) request = make_form ();
  g_autofree char *text = beckon_plain_text_format (request, 0);
  g_autofree char *terminal = beckon_plain_text_format_for_terminal (request, 0, FALSE);

  g_assert_cmpuint (beckon_plain_text_n_items (request), ==, 1);
  g_assert_cmpstr (text, ==,
                   "⚠ Interrupted: Write a.txt\n"
                   "{\"path\":\"a.txt\"}\n"
                   "This was running when Beckon ended. Whether it took effect is not known.\n"
                   "1. Run again\n"
                   "2. Skip\n"
                   "3. Stop\n"
                   "\n"
                   "Check what happened and type what you found, or reply with a number");
  g_assert_true (g_str_has_prefix (terminal, "◇ Interrupted: Write a.txt\n{\"path\":\"a.txt\"}\n"));
}

/* Faults F92 and H117 in text: what would not be seen, or would turn the rest around, is written out. */
static void
test_format_hidden (void)
{
  g_autoptr (BeckonRequest) request
      = make_approval ("{\n\t\"command\": \"ls \u202egpj\xc2\x9b" "31m\u200b rm\"\r\n}");
  g_autofree char *text = beckon_plain_text_format (request, 0);

  g_assert_nonnull (strstr (text, "\n    command: ls "));
  g_assert_nonnull (strstr (text, "<U+202E>"));
  g_assert_nonnull (strstr (text, "<U+009B>"));
  g_assert_nonnull (strstr (text, "<U+200B>"));
  g_assert_null (strstr (text, "\u202e"));
  g_assert_null (strstr (text, "\xc2\x9b"));
  g_assert_null (strchr (text, '\r'));
}

static void
test_format_terminal (void)
{
  g_autoptr (BeckonRequest) question = make_question (CLOSED);
  g_autoptr (BeckonRequest) approval = make_approval ("{}");
  g_autofree char *plain = beckon_plain_text_format_for_terminal (question, 0, FALSE);
  g_autofree char *coloured = beckon_plain_text_format_for_terminal (question, 0, TRUE);
  g_autofree char *tool = beckon_plain_text_format_for_terminal (approval, 0, FALSE);
  g_autoptr (BeckonRequest) own = beckon_question_request_new (NULL, "conversation", "message", NULL,
                                                               beckon_request_get_question (question), 0);
  g_autofree char *unasked = beckon_plain_text_format_for_terminal (own, 0, FALSE);

  /* No model called for what the program itself asks. */
  g_assert_true (g_str_has_prefix (unasked, "◇ Q?\n1. Red\n"));
  g_assert_cmpstr (plain, ==, "◇ ask_user → Q?\n1. Red\n2. Blue\n3. Green\n\nReply with a number");
  g_assert_cmpstr (coloured, ==,
                   "◇ \033[35mask_user\033[0m → \033[33mQ?\033[0m\n1. Red\n2. Blue\n3. Green\n\nReply with a number");
  g_assert_true (g_str_has_prefix (tool, "◇ Write a file\n1. Run\n"));
}

/* No line in a card, or beside one, begins as a card does. */
static void
test_no_other_card (void)
{
  g_autoptr (BeckonRequest) question = make_question ("{\"question\":\"Q?\\n◇ run_command → Run it\",\"choices\":[\"A\\n◇ b\",\"C\"]}");
  g_autofree char *card = beckon_plain_text_format_for_terminal (question, 0, FALSE);
  g_autofree char *reply = beckon_plain_text_for_terminal ("a\n◇ ask_user → Q?\n1. Run", -1);

  g_assert_true (g_str_has_prefix (card, "◇ ask_user → Q?\n<U+25C7> run_command"));
  g_assert_null (strstr (card + strlen ("◇"), "◇"));
  g_assert_cmpstr (reply, ==, "a\n<U+25C7> ask_user → Q?\n1. Run");
}

static void
test_code (void)
{
  static const struct
  {
    const char *line;
    const char *rest;
  } cases[] = {
    { "7k2m 2", "2" },          { "7K2M 2", "2" },      { "#7k2m: 2", "2" }, { "  7k2m  two words", "two words" },
    { "7k2m", "" },             { "7k2m:/skip", "/skip" }, { "7k2", NULL },  { "7k2mm 2", NULL },
    { "2", NULL },              { "", NULL },           { "on 7k2m", NULL },
  };
  g_autoptr (BeckonRequest) request = make_question (OPEN);
  g_autofree char *code = beckon_plain_text_dup_code (request);
  g_autofree char *text = beckon_plain_text_format_with_code (request, 0);

  g_assert_cmpstr (code, ==, "7k2m");
  g_assert_true (g_str_has_prefix (text, "❓ [7k2m] Q?\n"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (beckon_plain_text_match_code (request, cases[i].line), ==, cases[i].rest);
}

/* Reading. A case's outcome in words: "pick A|B", "text …", "skip", "stop", "status", "again", or a kind of whole answer
 * with its text. */

static char *
describe_item (const BeckonAnswerItem *item)
{
  GString *words;

  if (item->skipped)
    return g_strdup ("skip");
  if (item->text != NULL && item->selected->len == 0)
    return g_strdup_printf ("text %s", item->text);

  words = g_string_new ("pick ");
  for (guint i = 0; i < item->selected->len; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? "|" : "", (char *) g_ptr_array_index (item->selected, i));
  if (item->text != NULL)
    g_string_append_printf (words, " text %s", item->text);
  return g_string_free (words, FALSE);
}

static char *
read_line (BeckonRequest *request, guint item, const char *line)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (beckon_plain_text_n_items (request));
  g_autoptr (BeckonAnswer) whole = NULL;
  g_autofree char *message = NULL;
  g_autofree char *json = NULL;
  BeckonPlainResult result = beckon_plain_text_parse (request, item, line, answer, &whole, &message);

  /* Each result has its own part, and no other. */
  g_assert_cmpint (result == BECKON_PLAIN_ANSWER, ==, whole != NULL);
  g_assert_cmpint (result == BECKON_PLAIN_AGAIN, ==, message != NULL);

  switch (result)
    {
    case BECKON_PLAIN_ITEM:
      return describe_item (g_ptr_array_index (answer->items, item));
    case BECKON_PLAIN_ANSWER:
      g_assert_true (beckon_request_check_answer (request, whole, NULL));
      json = beckon_answer_to_json (whole);
      return g_strdup (json);
    case BECKON_PLAIN_STOP:
      return g_strdup ("stop");
    case BECKON_PLAIN_STATUS:
      return g_strdup ("status");
    case BECKON_PLAIN_AGAIN:
    default:
      g_assert_cmpstr (message, !=, "");
      return g_strdup ("again");
    }
}

typedef struct
{
  const char *name;
  const char *question;
  const char *line;
  const char *outcome;
} Case;

static const Case replies[] = {
  /* Numbers. */
  { "number", OPEN, "2", "pick Blue" },
  { "number/spaces", OPEN, "  2 \t", "pick Blue" },
  { "number/ideographic-spaces", OPEN, "　2　", "pick Blue" },
  { "number/dot", OPEN, "2.", "pick Blue" },
  { "number/bracket", OPEN, "2)", "pick Blue" },
  { "number/brackets", OPEN, "(2)", "pick Blue" },
  { "number/chinese-comma", OPEN, "2、", "pick Blue" },
  { "number/full-width", OPEN, "２", "pick Blue" },
  { "number/full-width-dot", OPEN, "２．", "pick Blue" },
  { "number/xuan", OPEN, "选2", "pick Blue" },
  { "number/xuan-space", OPEN, "选 2", "pick Blue" },
  { "number/xuanze", OPEN, "选择２", "pick Blue" },
  { "number/traditional", OPEN, "選2", "pick Blue" },
  { "number/di-ge", OPEN, "第2个", "pick Blue" },
  { "number/hash", OPEN, "#2", "pick Blue" },
  { "number/leading-zero", OPEN, "02", "pick Blue" },
  { "number/closed", CLOSED, "3", "pick Green" },

  /* A choice, and words to it. */
  { "choice/comma", OPEN, "2, but dark", "pick Blue text but dark" },
  { "choice/period", OPEN, "2. As on the photo", "pick Blue text As on the photo" },
  { "choice/semicolon", OPEN, "2; dark", "pick Blue text dark" },
  { "choice/but", OPEN, "2 but dark", "pick Blue text but dark" },
  { "choice/chinese", OPEN, "选2，但要深色", "pick Blue text 但要深色" },
  { "choice/but-chinese", OPEN, "2但要深色", "pick Blue text 但要深色" },
  { "choice/several", MULTIPLE, "2, but dark", "pick Blue text but dark" },
  { "choice/out-of-range", OPEN, "4, but dark", "text 4, but dark" },
  { "choice/closed", CLOSED, "2, but dark", "again" },
  { "choice/pasted-list", OPEN, "1. Paint\n2. Wait", "text 1. Paint\n2. Wait" },
  { "choice/numbers", OPEN, "2, 3 of them", "text 2, 3 of them" },

  /* Replies that only begin like a number are text. */
  { "text/2-of-each", OPEN, "2 of each", "text 2 of each" },
  { "text/2-and-3", OPEN, "2 and 3", "text 2 and 3" },
  { "text/list-where-one", OPEN, "1,3", "text 1,3" },
  { "text/fraction", OPEN, "2.5", "text 2.5" },
  { "text/negative", OPEN, "-2", "text -2" },
  { "text/exclamation", OPEN, "2!", "text 2!" },
  { "text/zero", OPEN, "0", "text 0" },
  { "text/out-of-range", OPEN, "4", "text 4" },
  { "text/port", PORTS, "3000", "text 3000" },
  { "text/huge", OPEN, "99999999999999999999", "text 99999999999999999999" },
  { "text/plain", OPEN, "dark red", "text dark red" },
  { "text/trimmed", OPEN, "  dark red \n", "text dark red" },
  { "text/lines", FREE, "one\ntwo", "text one\ntwo" },
  { "text/number-without-choices", FREE, "2", "text 2" },
  { "text/xuan-alone", OPEN, "选", "text 选" },
  { "text/part-of-a-label", OPEN, "Re", "text Re" },
  { "text/label-in-a-sentence", OPEN, "Red or Blue", "text Red or Blue" },
  { "text/labels-where-one", OPEN, "Red, Blue", "text Red, Blue" },
  { "text/json", OPEN, "{\"a\":1}", "text {\"a\":1}" },
  { "text/invalid-utf-8", FREE, "a\xff" "b", "text a\xef\xbf\xbd" "b" },

  /* Out of range, or no number at all, asks again when free text is off. */
  { "again/out-of-range", CLOSED, "4", "again" },
  { "again/zero", CLOSED, "0", "again" },
  { "again/text", CLOSED, "dark red", "again" },
  { "again/list-where-one", CLOSED, "1,3", "again" },
  { "again/one-choice", CLOSED_ONE, "2", "again" },
  { "again/empty", OPEN, "", "again" },
  { "again/blank", OPEN, " \t\n", "again" },
  { "again/blank-ideographic", OPEN, "　", "again" },
  { "again/blank-zero-width", FREE, "\u200b", "again" },

  /* Labels. */
  { "label", OPEN, "Blue", "pick Blue" },
  { "label/closed", CLOSED, "Blue", "pick Blue" },
  { "label/case", OPEN, "bLUE", "pick Blue" },
  { "label/case-exact-first", CASES, "C", "pick C" },
  { "label/case-exact-first-lower", CASES, "c", "pick c" },
  { "label/case-alone", CASES, "GO", "pick Go" },
  { "label/with-spaces", STYLE, " short and professional ", "pick Short and professional" },
  { "label/that-is-a-number", PORTS, "9090", "pick 9090" },
  { "label/number-of-another", NUMBERS, "2", "again" },
  { "label/number-of-another-by-dot", NUMBERS, "2.", "pick 4" },
  { "label/number-of-another-by-number", NUMBERS, "1", "pick 2" },
  { "label/number-out-of-range", NUMBERS, "4", "pick 4" },

  /* Several choices. */
  { "several/one", MULTIPLE, "2", "pick Blue" },
  { "several/list", MULTIPLE, "1,3", "pick Red|Green" },
  { "several/spaces", MULTIPLE, " 1 , 3 ", "pick Red|Green" },
  { "several/spaces-alone", MULTIPLE, "1 3", "pick Red|Green" },
  { "several/dots", MULTIPLE, "1. 3.", "pick Red|Green" },
  { "several/full-width", MULTIPLE, "１，３", "pick Red|Green" },
  { "several/chinese", MULTIPLE, "选1、3", "pick Red|Green" },
  { "several/order-of-the-question", MULTIPLE, "3,1", "pick Red|Green" },
  { "several/twice", MULTIPLE, "1,1,3", "pick Red|Green" },
  { "several/all", MULTIPLE, "1,2,3", "pick Red|Blue|Green" },
  { "several/labels", MULTIPLE, "Green, red", "pick Red|Green" },
  { "several/label", MULTIPLE, "Green", "pick Green" },
  { "several/not-all-are-labels", MULTIPLE, "Green, mauve", "text Green, mauve" },
  { "several/out-of-range", MULTIPLE, "1,4", "text 1,4" },
  { "several/out-of-range-closed", MULTIPLE_CLOSED, "1,4", "again" },
  { "several/fraction", MULTIPLE, "1.3", "text 1.3" },
  { "several/text", MULTIPLE, "2 of each", "text 2 of each" },
  { "several/open-end", MULTIPLE, "1,", "pick Red" },
  { "several/with-words", MULTIPLE, "1, 2 and the older drafts", "pick Red|Blue text the older drafts" },
  { "several/one-with-words", MULTIPLE, "3 and the older drafts", "pick Green text the older drafts" },
  { "several/comma-and-words", MULTIPLE, "1, 2, and the older drafts", "pick Red|Blue text the older drafts" },
  { "several/chinese-words", MULTIPLE, "1、3，以及更旧的草稿", "pick Red|Green text 更旧的草稿" },
  { "several/but", MULTIPLE, "1 3 but not today", "pick Red|Green text but not today" },
  { "several/and", MULTIPLE, "1 and 3", "pick Red|Green" },
  { "several/and-closed", MULTIPLE_CLOSED, "1 and 3", "pick Red|Green" },
  { "several/words-closed", MULTIPLE_CLOSED, "1, 3 and more", "again" },
  { "several/no-choice-with-words", MULTIPLE, "1, 4 and the older drafts", "text 1, 4 and the older drafts" },
  { "several/of-each", MULTIPLE, "1, 2 of each", "text 1, 2 of each" },
  { "several/only-comma", MULTIPLE, ",", "text ," },

  /* Commands. */
  { "command/skip", OPEN, "/skip", "skip" },
  { "command/skip-closed", CLOSED, " /skip ", "skip" },
  { "command/stop", OPEN, "/stop", "stop" },
  { "command/status", CLOSED, "/status", "status" },
  { "command/choose", OPEN, "/choose", "{\"kind\":\"delegated\"}" },
  { "command/dismiss", OPEN, "/dismiss", "{\"kind\":\"declined\"}" },
  { "command/ask", OPEN, "/ask  What is blue?", "{\"kind\":\"asked-back\",\"text\":\"What is blue?\"}" },
  { "command/ask-nothing", OPEN, "/ask", "text /ask" },
  { "command/ask-nothing-closed", CLOSED, "/ask  ", "again" },
  { "command/path", OPEN, "/etc/passwd", "text /etc/passwd" },
  { "command/in-a-sentence", OPEN, "please /skip", "text please /skip" },
  { "command/longer", OPEN, "/skipping", "text /skipping" },
};

static void
test_reply (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (BeckonRequest) request = make_question (test->question);
  g_autofree char *outcome = read_line (request, 0, test->line);

  g_assert_cmpstr (outcome, ==, test->outcome);
}

static const Case decisions[] = {
  { "run", NULL, "1", "{\"kind\":\"approved\"}" },
  { "run/dot", NULL, "1.", "{\"kind\":\"approved\"}" },
  { "run/full-width", NULL, "１", "{\"kind\":\"approved\"}" },
  { "run/word", NULL, "run", "{\"kind\":\"approved\"}" },
  { "deny", NULL, "2", "{\"kind\":\"declined\"}" },
  { "deny/word", NULL, "Deny", "{\"kind\":\"declined\"}" },
  { "deny/reason", NULL, "/deny use /tmp", "{\"kind\":\"declined\",\"text\":\"use /tmp\"}" },
  { "deny/number-and-reason", NULL, "2 keep both", "{\"kind\":\"declined\",\"text\":\"keep both\"}" },
  { "deny/full-width-and-reason", NULL, "２ 两个都留", "{\"kind\":\"declined\",\"text\":\"两个都留\"}" },
  { "deny/letter-and-reason", NULL, "n keep both", "{\"kind\":\"declined\",\"text\":\"keep both\"}" },
  { "deny/dismiss", NULL, "/dismiss", "{\"kind\":\"declined\"}" },
  { "stop", NULL, "3", "stop" },
  { "stop/command", NULL, "/stop", "stop" },
  { "status", NULL, "/status", "status" },

  /* No other reply approves. */
  { "again/yes", NULL, "yes", "again" },
  { "again/ok", NULL, "ok, go on", "again" },
  { "again/sentence", NULL, "1 is fine", "again" },
  { "again/run-it", NULL, "run it", "again" },
  { "again/four", NULL, "4", "again" },
  { "again/zero", NULL, "0", "again" },
  { "again/list", NULL, "1,2", "again" },
  { "again/two-numbers", NULL, "2 3", "again" },
  { "again/three-and-reason", NULL, "3 keep both", "again" },
  { "again/no", NULL, "no keep both", "again" },
  { "again/empty", NULL, "", "again" },
  { "again/skip", NULL, "/skip", "again" },
  { "again/choose", NULL, "/choose", "again" },
  { "again/deny-without-reason", NULL, "/deny", "again" },
  { "again/array", NULL, "[1]", "again" },

  /* Changes. */
  { "change", NULL, "{\"path\":\"b\"}",
    "{\"kind\":\"approved-edited\",\"text\":\"{\\\"path\\\":\\\"b\\\",\\\"n\\\":1,\\\"o\\\":{\\\"x\\\":1}}\"}" },
  { "change/add", NULL, "{\"new\":true}",
    "{\"kind\":\"approved-edited\",\"text\":"
    "\"{\\\"path\\\":\\\"a\\\",\\\"n\\\":1,\\\"o\\\":{\\\"x\\\":1},\\\"new\\\":true}\"}" },
  { "change/remove", NULL, "{\"n\":null}",
    "{\"kind\":\"approved-edited\",\"text\":\"{\\\"path\\\":\\\"a\\\",\\\"o\\\":{\\\"x\\\":1}}\"}" },
  { "change/whole-value", NULL, "{\"o\":{\"y\":2}}",
    "{\"kind\":\"approved-edited\",\"text\":\"{\\\"path\\\":\\\"a\\\",\\\"n\\\":1,\\\"o\\\":{\\\"y\\\":2}}\"}" },
  { "change/nothing", NULL, "{}", "again" },
  { "change/same", NULL, "{\"n\":1}", "again" },
  { "change/remove-what-is-not-there", NULL, "{\"z\":null}", "again" },
  { "change/faulty", NULL, "{\"path\":", "again" },
  { "change/twice", NULL, "{\"path\":\"b\",\"path\":\"c\"}", "again" },
};

static void
test_decision (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (BeckonRequest) request = make_approval ("{\"path\":\"a\", \"n\":1, \"o\":{\"x\":1}}");
  g_autofree char *outcome = read_line (request, 0, test->line);

  g_assert_cmpstr (outcome, ==, test->outcome);
}

/* Only "1" and its word run a call again. */
static const Case outcomes[] = {
  { "retry", NULL, "1", "{\"kind\":\"retry\"}" },
  { "retry/word", NULL, "run again", "{\"kind\":\"retry\"}" },
  { "retry/full-width", NULL, "１", "{\"kind\":\"retry\"}" },
  { "skip", NULL, "2.", "{\"kind\":\"skip\"}" },
  { "skip/command", NULL, "/skip", "{\"kind\":\"skip\"}" },
  { "dismiss", NULL, "/dismiss", "{\"kind\":\"declined\"}" },
  { "stop", NULL, "3", "stop" },
  { "stop/command", NULL, "/stop", "stop" },
  { "status", NULL, "/status", "status" },
  { "looked", NULL, " The file is there ", "{\"kind\":\"looked\",\"text\":\"The file is there\"}" },
  { "looked/yes", NULL, "Yes", "{\"kind\":\"looked\",\"text\":\"Yes\"}" },
  { "looked/run", NULL, "Run", "{\"kind\":\"looked\",\"text\":\"Run\"}" },
  { "number", NULL, "4", "again" },
  { "blank", NULL, " ", "again" },
  { "invisible", NULL, "\u200b", "again" },
};

static void
test_outcome (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (BeckonRequest) request = make_form ();
  g_autofree char *outcome = read_line (request, 0, test->line);

  g_assert_cmpstr (outcome, ==, test->outcome);
}

/* Questions are answered one after the other; the answer is whole after the last. */
static void
test_several_questions (void)
{
  g_autoptr (BeckonRequest) request = make_question (TWO);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (beckon_plain_text_n_items (request));
  g_autoptr (BeckonAnswer) whole = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;
  g_autofree char *result = NULL;
  gboolean is_error;

  g_assert_cmpint (beckon_plain_text_parse (request, 0, "2", answer, &whole, &message), ==, BECKON_PLAIN_ITEM);
  g_assert_cmpint (beckon_plain_text_parse (request, 1, "because", answer, &whole, &message), ==, BECKON_PLAIN_ITEM);
  g_assert_true (beckon_request_check_answer (request, answer, &error));
  g_assert_no_error (error);
  result = beckon_answer_to_result (answer, beckon_request_get_question (request), &is_error);
  g_assert_cmpstr (result, ==,
                   "{\"status\":\"answered\",\"answers\":[{\"question\":\"One?\",\"selected\":[\"B\"],\"text\":\"\","
                   "\"skipped\":false},{\"question\":\"Two?\",\"selected\":[],\"text\":\"because\","
                   "\"skipped\":false}]}");
}

static void
test_messages (void)
{
  static const struct
  {
    const char *question;
    const char *line;
    const char *message;
  } cases[] = {
    { CLOSED, "4", "Reply with a number from 1 to 3." },
    { CLOSED_ONE, "4", "There is only one choice. Reply with its number." },
    { OPEN, "", "Reply with a number, or type your answer" },
    { NUMBERS, "2", "That is the number of “4” and the text of “2”. Reply with “2.” or with “1.”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRequest) request = make_question (cases[i].question);
      g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
      g_autoptr (BeckonAnswer) whole = NULL;
      g_autofree char *message = NULL;

      g_assert_cmpint (beckon_plain_text_parse (request, 0, cases[i].line, answer, &whole, &message), ==,
                       BECKON_PLAIN_AGAIN);
      g_assert_cmpstr (message, ==, cases[i].message);
    }
}

/* Any bytes at all: an outcome, and no choice that is not there. */
static void
test_random (void)
{
  static const char *const pieces[] = {
    "1", "2", "９", "选", "第", "个", ",", "，", ".", " ", "　", "/", "skip", "{", "}", "\"", ":", "null", "Red", "Blue",
    "\xff", "\xe4", "\u202e", "\n", "#", "(", ")", "-",
  };
  static const char *const questions[] = { OPEN, CLOSED, MULTIPLE, MULTIPLE_CLOSED, FREE, NUMBERS };

  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (BeckonRequest) request
          = i % 7 == 0 ? make_approval ("{\"path\":\"a\"}")
                       : make_question (questions[g_test_rand_int_range (0, G_N_ELEMENTS (questions))]);
      g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
      g_autoptr (BeckonAnswer) whole = NULL;
      g_autoptr (GString) line = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      g_autofree char *message = NULL;

      for (int n = g_test_rand_int_range (0, 7); n > 0; n--)
        g_string_append (line, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);

      switch (beckon_plain_text_parse (request, 0, line->str, answer, &whole, &message))
        {
        case BECKON_PLAIN_ITEM:
          g_assert_true (beckon_request_check_answer (request, answer, &error));
          g_assert_no_error (error);
          break;
        case BECKON_PLAIN_ANSWER:
          g_assert_true (beckon_request_check_answer (request, whole, &error));
          g_assert_no_error (error);
          break;
        case BECKON_PLAIN_AGAIN:
          g_assert_true (g_utf8_validate (message, -1, NULL));
          break;
        case BECKON_PLAIN_STOP:
        case BECKON_PLAIN_STATUS:
        default:
          break;
        }
    }
}

static void
test_number (void)
{
  g_autoptr (GArray) one = beckon_plain_number_parse ("12", FALSE);
  g_autoptr (GArray) several = beckon_plain_number_parse ("1, 2 3", TRUE);

  g_assert_cmpuint (one->len, ==, 1);
  g_assert_cmpuint (g_array_index (one, guint, 0), ==, 12);
  g_assert_cmpuint (several->len, ==, 3);
  g_assert_null (beckon_plain_number_parse ("", TRUE));
  g_assert_null (beckon_plain_number_parse (" ", TRUE));
  g_assert_null (beckon_plain_number_parse ("1 2", FALSE));
}

#define PLAN                                                                                                           \
  "{\"title\":\"Notes\",\"steps\":[{\"id\":\"a\",\"tool\":\"read_file\",\"arguments\":{\"path\":\"x\"}},"                     \
  "{\"id\":\"b\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"{{step.a.result}}\"},\"expect\":\"a file\"}]}"

static BeckonRequest *
make_plan (void)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (PLAN, BECKON_PLAN_FROM_MODEL, NULL);

  g_assert_nonnull (plan);
  return beckon_plan_request_new (NULL, "conversation", "message", "call", plan, 0);
}

static void
test_format_plan (void)
{
  g_autoptr (BeckonRequest) request = make_plan ();
  g_autofree char *text = beckon_plain_text_format (request, 0);

  g_assert_true (g_str_has_prefix (text, "⚠ Plan: Notes\n○ 1. Read x\n    read_file\n    path: x\n"
                                         "○ 2. a file\n    write_file\n    path: ⟨result of step 1⟩\n\n"
                                         "1. Accept and run\n2. Dismiss\n3. Stop\n\n"));
}

static BeckonRequest *
make_rememberable (void)
{
  static const char *const patterns[] = { "make check", "make *" };
  BeckonRequest *request = make_approval ("{\"command\":\"make check\"}");
  BeckonApprovalReason *ground = beckon_approval_reason_new ();

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
      BeckonRule *rule = beckon_rule_new ();

      rule->tool = g_strdup ("write_file");
      rule->arguments = g_strdup_printf ("{\"command\":\"%s\"}", patterns[i]);
      rule->verdict = BECKON_VERDICT_ALLOW;
      g_ptr_array_add (rules, rule);
      g_ptr_array_add (ground->proposals, beckon_rule_proposal_new (patterns[i], g_steal_pointer (&rules)));
    }
  beckon_request_set_ground (request, ground);
  return request;
}

/* The terminal offers to remember what the card offers: here or everywhere, the narrowest where none is named. */
static void
test_remember (void)
{
  static const struct
  {
    const char *line;
    const char *arguments; /* NULL: asked again */
    const char *conversation;
  } cases[] = {
    { "/always 2", "{\"command\":\"make *\"}", NULL },
    { "/always", "{\"command\":\"make check\"}", NULL },
    { "/here 1", "{\"command\":\"make check\"}", "conversation" },
    { "/here 3", NULL, NULL },
    { "/always make", NULL, NULL },
    { "/alwayss", NULL, NULL },
  };
  g_autoptr (BeckonRequest) plain = make_approval ("{}");
  g_autoptr (BeckonRequest) request = make_rememberable ();
  g_autofree char *text = beckon_plain_text_format (request, 0);

  g_assert_nonnull (strstr (text, "3. Stop\nRun it and don’t ask again, in this conversation with /here N or everywhere with /always N:\n"
                                  "  1: make check\n  2: make *\n\nReply"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonAnswer) answer = NULL;
      g_autofree char *message = NULL;
      BeckonPlainResult result = beckon_plain_text_parse (request, 0, cases[i].line, NULL, &answer, &message);
      const BeckonRule *rule;

      g_assert_cmpint (result, ==, cases[i].arguments != NULL ? BECKON_PLAIN_ANSWER : BECKON_PLAIN_AGAIN);
      if (cases[i].arguments == NULL)
        continue;
      g_assert_cmpint (answer->kind, ==, BECKON_ANSWER_APPROVED);
      g_assert_cmpuint (answer->remember->len, ==, 1);
      g_assert_true (beckon_request_check_answer (request, answer, NULL));
      rule = g_ptr_array_index (answer->remember, 0);
      g_assert_cmpstr (rule->arguments, ==, cases[i].arguments);
      g_assert_cmpstr (rule->conversation_id, ==, cases[i].conversation);
    }
  g_clear_pointer (&text, g_free);
  text = beckon_plain_text_format (plain, 0);
  g_assert_null (strstr (text, "/always"));
}

static BeckonPlainResult
reply_to_plan (BeckonRequest *request, const char *line, BeckonAnswer **answer)
{
  g_autofree char *message = NULL;
  BeckonPlainResult result = beckon_plain_text_parse (request, 0, line, NULL, answer, &message);

  g_assert_true ((result == BECKON_PLAIN_AGAIN) == (message != NULL));
  return result;
}

static void
test_parse_plan (void)
{
  const struct
  {
    const char *line;
    BeckonPlainResult result;
    BeckonAnswerKind kind;
  } cases[] = {
    { "1", BECKON_PLAIN_ANSWER, BECKON_ANSWER_APPROVED },
    { "2", BECKON_PLAIN_ANSWER, BECKON_ANSWER_DECLINED },
    { "3", BECKON_PLAIN_STOP, BECKON_ANSWER_CANCELLED },
    { "/replan use y", BECKON_PLAIN_ANSWER, BECKON_ANSWER_ASKED_BACK },
    { "/json", BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED },
    { "/pause", BECKON_PLAIN_ANSWER, BECKON_ANSWER_PLAN },
    { "/pause 1, 2", BECKON_PLAIN_ANSWER, BECKON_ANSWER_PLAN },
    { "/pause 3", BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED },
    { "/pause often", BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED },
    { "make it shorter", BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED },
    { "yes", BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED },
    { "{\"steps\":[]}", BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED },
    { "{\"steps\":[{\"id\":\"b\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"{{step.a.result}}\"}}]}",
      BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED },
    { "{\"pause\":\"policy\",\"steps\":[{\"id\":\"a\",\"tool\":\"read_file\",\"arguments\":{\"path\":\"y\"}}]}",
      BECKON_PLAIN_ANSWER, BECKON_ANSWER_PLAN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRequest) request = make_plan ();
      g_autoptr (BeckonAnswer) answer = NULL;

      g_assert_cmpint (reply_to_plan (request, cases[i].line, &answer), ==, cases[i].result);
      g_assert_true ((answer != NULL) == (cases[i].result == BECKON_PLAIN_ANSWER));
      if (answer != NULL)
        g_assert_cmpint (answer->kind, ==, cases[i].kind);
    }
}

/* A step that waits shows where in its plan it is, and can be left out; what its person says instead goes to the model. */
static void
test_step (void)
{
  const struct
  {
    const char *line;
    BeckonPlainResult result;
    BeckonAnswerKind kind;
    const char *text;
  } cases[] = {
    { "/skip", BECKON_PLAIN_ANSWER, BECKON_ANSWER_SKIP, NULL },
    { "1", BECKON_PLAIN_ANSWER, BECKON_ANSWER_APPROVED, NULL },
    { "2 leave it", BECKON_PLAIN_ANSWER, BECKON_ANSWER_DECLINED, "leave it" },
    { "leave the invoices alone", BECKON_PLAIN_ANSWER, BECKON_ANSWER_ASKED_BACK, "leave the invoices alone" },
    { "发票不要动它们", BECKON_PLAIN_ANSWER, BECKON_ANSWER_ASKED_BACK, "发票不要动它们" },
    { "continue", BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED, NULL },
    { "继续", BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED, NULL },
    { "1 and 2", BECKON_PLAIN_AGAIN, BECKON_ANSWER_CANCELLED, NULL },
  };
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (PLAN, BECKON_PLAN_FROM_MODEL, NULL);
  g_autoptr (BeckonRequest) request = make_approval ("{\"path\":\"x\"}");
  g_autofree char *text = NULL;

  beckon_request_set_step (request, plan, "b");
  text = beckon_plain_text_format (request, 0);
  g_assert_nonnull (strstr (text, "Step 2 of 2 of the plan:\n○ 1. Read x\n○ 2. a file\n"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonAnswer) answer = NULL;

      g_assert_cmpint (reply_to_plan (request, cases[i].line, &answer), ==, cases[i].result);
      g_assert_cmpint (answer != NULL ? answer->kind : BECKON_ANSWER_CANCELLED, ==, cases[i].kind);
      g_assert_cmpstr (answer != NULL ? answer->text : NULL, ==, cases[i].text);
    }
}

/* The pauses of a plan are a part of it. */
static void
test_pauses (void)
{
  const char *const cases[][2] = {
    { "/pause", "\"pause\":\"every-step\"" },
    { "/pause 2", "\"pause\":\"breakpoints\"" },
    { "/pause 2", "\"expect\":\"a file\",\"breakpoint\":true" },
    { "/pause off", "\"pause\":\"policy\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRequest) request = make_plan ();
      g_autoptr (BeckonAnswer) answer = NULL;

      reply_to_plan (request, cases[i][0], &answer);
      g_assert_nonnull (strstr (answer->text, cases[i][1]));
    }
}

/* In whatever order, and how often, steps are named: the one that uses another's result is left out with it. */
static void
test_skips (void)
{
  const struct
  {
    const char *line;
    BeckonPlainResult result;
  } cases[] = {
    { "/skip 2,3", BECKON_PLAIN_ANSWER }, { "/skip 3,2", BECKON_PLAIN_ANSWER },
    { "/skip 2, 3, 3, 2", BECKON_PLAIN_ANSWER }, { "/skip 2", BECKON_PLAIN_AGAIN },
    { "/skip 2,3,4", BECKON_PLAIN_AGAIN },
  };
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (
    "{\"steps\":[{\"id\":\"a\",\"tool\":\"read_file\",\"arguments\":{\"path\":\"x\"}},"
    "{\"id\":\"b\",\"tool\":\"read_file\",\"arguments\":{\"path\":\"y\"}},"
    "{\"id\":\"c\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"{{step.b.result}}\"}}]}", BECKON_PLAN_FROM_MODEL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRequest) request = beckon_plan_request_new (NULL, "conversation", "message", "call", plan, 0);
      g_autoptr (BeckonAnswer) answer = NULL;
      g_autoptr (BeckonPlan) changed = NULL;

      g_assert_cmpint (reply_to_plan (request, cases[i].line, &answer), ==, cases[i].result);
      changed = answer != NULL ? beckon_plan_parse (answer->text, BECKON_PLAN_FROM_PERSON, NULL) : NULL;
      for (guint k = 0; changed != NULL && k < 3; k++)
        g_assert_true ((beckon_plan_get_step (changed, k)->status == BECKON_STEP_SKIPPED) == (k > 0));
    }
}

/* An element of a list has its line, which nothing in it can leave; a move is an arrow. */
static void
test_lists (void)
{
  g_autofree char *moves = beckon_call_labels_list_arguments (
    "{\"moves\":[{\"from\":\"a\",\"to\":\"b/\"},{\"from\":\"c\\n  \\\"d\\\" → \\\"e\\\"\",\"to\":\"f\"}],\"n\":[]}", TRUE);
  g_autofree char *paths = beckon_call_labels_list_arguments ("{\"paths\":[\"a\",\"b\",3],\"x\":\"y\"}", TRUE);
  g_autofree char *short_paths = beckon_call_labels_list_arguments ("{\"paths\":[\"a\",\"b\"]}", FALSE);

  g_assert_cmpstr (moves, ==, "moves:\n  \"a\" → \"b/\"\n  \"c\\n  \\\"d\\\" → \\\"e\\\"\" → \"f\"\nn: []");
  g_assert_cmpstr (paths, ==, "paths:\n  \"a\"\n  \"b\"\n  3\nx: y");
  g_assert_cmpstr (short_paths, ==, "paths: [\"a\",\"b\"]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/text/format/question", test_format);
  g_test_add_func ("/text/format/question-last", test_format_last);
  g_test_add_func ("/text/format/several", test_format_several);
  g_test_add_func ("/text/format/approval", test_format_approval);
  g_test_add_func ("/text/format/settled", test_format_settled);
  g_test_add_func ("/text/format/command", test_format_command);
  g_test_add_func ("/text/label", test_label);
  g_test_add_func ("/text/format/plan", test_format_plan);
  g_test_add_func ("/text/parse/plan", test_parse_plan);
  g_test_add_func ("/text/parse/plan/pauses", test_pauses);
  g_test_add_func ("/text/parse/plan/skips", test_skips);
  g_test_add_func ("/text/parse/step", test_step);
  g_test_add_func ("/text/parse/remember", test_remember);
  g_test_add_func ("/text/format/form", test_format_form);
  g_test_add_func ("/text/format/hidden", test_format_hidden);
  g_test_add_func ("/text/format/terminal", test_format_terminal);
  g_test_add_func ("/text/format/no-other-card", test_no_other_card);
  g_test_add_func ("/text/code", test_code);
  for (guint i = 0; i < G_N_ELEMENTS (replies); i++)
    {
      g_autofree char *path = g_strconcat ("/text/reply/", replies[i].name, NULL);

      g_test_add_data_func (path, &replies[i], test_reply);
    }
  for (guint i = 0; i < G_N_ELEMENTS (decisions); i++)
    {
      g_autofree char *path = g_strconcat ("/text/decision/", decisions[i].name, NULL);

      g_test_add_data_func (path, &decisions[i], test_decision);
    }
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    {
      g_autofree char *path = g_strconcat ("/text/outcome/", outcomes[i].name, NULL);

      g_test_add_data_func (path, &outcomes[i], test_outcome);
    }
  g_test_add_func ("/text/several-questions", test_several_questions);
  g_test_add_func ("/text/messages", test_messages);
  g_test_add_func ("/text/random", test_random);
  g_test_add_func ("/text/lists", test_lists);
  g_test_add_func ("/text/number", test_number);

  return g_test_run ();
}
