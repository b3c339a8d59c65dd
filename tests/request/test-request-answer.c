/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "domain/beckon-request-error.h"
#include "request/beckon-answer-private.h"

#include <string.h>

#define SIMPLE "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\"]}"
#define CLOSED "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\"],\"allow_freeform\":false}"
#define FREE "{\"question\":\"Which name?\"}"
#define SECRET "{\"questions\":[{\"question\":\"Word?\",\"secret\":true}]}"
#define FULL                                                                                                           \
  "{\"questions\":[{\"question\":\"Which port?\",\"options\":[\"8080\",\"9090\"]},"                                    \
  "{\"question\":\"Which parts?\",\"options\":[\"A\",\"B\",\"C\"],\"multiple\":true}]}"

/* An item of an answer: labels divided by |, a text, or skipped. */
typedef struct
{
  const char *selected;
  const char *text;
  gboolean skipped;
} Item;

static BeckonQuestion *
make_question (const char *arguments)
{
  g_autoptr (GError) error = NULL;
  BeckonQuestion *question = beckon_question_parse (arguments, &error);

  g_assert_no_error (error);
  return question;
}

static BeckonAnswer *
make_answer (guint n_items, const Item *items)
{
  BeckonAnswer *answer = beckon_answer_new_question (n_items);

  for (guint i = 0; i < n_items; i++)
    {
      g_auto (GStrv) labels = g_strsplit (items[i].selected != NULL ? items[i].selected : "", "|", -1);

      for (guint j = 0; labels[j] != NULL; j++)
        beckon_answer_select (answer, i, labels[j]);
      beckon_answer_set_item_text (answer, i, items[i].text);
      if (items[i].skipped)
        beckon_answer_skip (answer, i);
    }

  return answer;
}

typedef struct
{
  const char *name;
  const char *question;
  guint n_items;
  Item items[2];
  const char *result;
  const char *summary;
} ResultCase;

static const ResultCase results[] = {
  { "simple/picked", SIMPLE, 1, { { "8080" } }, "8080", "8080" },
  { "simple/typed", SIMPLE, 1, { { NULL, "3000, but\nonly locally" } }, "3000, but\nonly locally",
    "3000, but only locally" },
  { "simple/typed-as-it-is", FREE, 1, { { NULL, "  two spaces  " } }, "  two spaces  ", "two spaces" },
  { "simple/picked-with-a-note", SIMPLE, 1, { { "8080", "and only on this machine" } },
    "8080 — and only on this machine", "8080, and only on this machine" },
  { "simple/skipped", SIMPLE, 1, { { NULL, NULL, TRUE } }, "The user skipped this question", "Skipped" },
  { "full/everything", FULL, 2, { { "9090" }, { "A|C", "C later" } },
    "{\"status\":\"answered\",\"answers\":[{\"question\":\"Which port?\",\"selected\":[\"9090\"],\"text\":\"\","
    "\"skipped\":false},{\"question\":\"Which parts?\",\"selected\":[\"A\",\"C\"],\"text\":\"C later\","
    "\"skipped\":false}]}",
    "9090; A, C, C later" },
  { "full/order-of-the-question", FULL, 2, { { "9090" }, { "C|B|A" } },
    "{\"status\":\"answered\",\"answers\":[{\"question\":\"Which port?\",\"selected\":[\"9090\"],\"text\":\"\","
    "\"skipped\":false},{\"question\":\"Which parts?\",\"selected\":[\"A\",\"B\",\"C\"],\"text\":\"\","
    "\"skipped\":false}]}",
    "9090; C, B, A" },
  { "full/one-skipped", FULL, 2, { { NULL, NULL, TRUE }, { "B" } },
    "{\"status\":\"answered\",\"answers\":[{\"question\":\"Which port?\",\"selected\":[],\"text\":\"\","
    "\"skipped\":true},{\"question\":\"Which parts?\",\"selected\":[\"B\"],\"text\":\"\",\"skipped\":false}]}",
    "Skipped; B" },
  { "full/all-skipped", FULL, 2, { { NULL, NULL, TRUE }, { NULL, NULL, TRUE } },
    "{\"status\":\"skipped\",\"answers\":[{\"question\":\"Which port?\",\"selected\":[],\"text\":\"\","
    "\"skipped\":true},{\"question\":\"Which parts?\",\"selected\":[],\"text\":\"\",\"skipped\":true}]}",
    "Skipped; Skipped" },
  { "full/quotes", FULL, 2, { { NULL, "a \"b\" \\ c" }, { "A" } },
    "{\"status\":\"answered\",\"answers\":[{\"question\":\"Which port?\",\"selected\":[],"
    "\"text\":\"a \\\"b\\\" \\\\ c\",\"skipped\":false},{\"question\":\"Which parts?\",\"selected\":[\"A\"],"
    "\"text\":\"\",\"skipped\":false}]}",
    "a \"b\" \\ c; A" },
};

static void
test_result (gconstpointer data)
{
  const ResultCase *test = data;
  g_autoptr (BeckonQuestion) question = make_question (test->question);
  g_autoptr (BeckonAnswer) answer = make_answer (test->n_items, test->items);
  g_autoptr (GError) error = NULL;
  g_autofree char *result = NULL;
  g_autofree char *summary = NULL;
  gboolean is_error = TRUE;

  g_assert_true (beckon_answer_check (answer, question, &error));
  g_assert_no_error (error);
  result = beckon_answer_to_result (answer, question, &is_error);
  g_assert_cmpstr (result, ==, test->result);
  g_assert_false (is_error);
  g_assert_true (question->simple || beckon_json_check (result, -1, NULL));
  summary = beckon_answer_to_summary (answer, question);
  g_assert_cmpstr (summary, ==, test->summary);
}

static const struct
{
  const char *name;
  BeckonAnswerKind kind;
  const char *text;
  const char *result;
  gboolean is_error;
  const char *summary;
} ends[] = {
  { "dismissed", BECKON_ANSWER_DECLINED, NULL, "The user dismissed this question", TRUE, "Dismissed" },
  { "dismissed-with-words", BECKON_ANSWER_DECLINED, "not now", "The user dismissed this question. They said: not now",
    TRUE, "Dismissed: not now" },
  { "cancelled", BECKON_ANSWER_CANCELLED, NULL, "The user did not answer; the operation was cancelled", TRUE,
    "The user did not answer; the operation was cancelled" },
  { "delegated", BECKON_ANSWER_DELEGATED, NULL,
    "The user left the choice to you. Choose what fits best, say what you chose, and go on.", FALSE,
    "The choice was left to the model" },
  { "asked-back", BECKON_ANSWER_ASKED_BACK, "What is a \"port\"?",
    "{\"status\":\"asked_back\",\"text\":\"What is a \\\"port\\\"?\"}", FALSE, "Asked back: What is a \"port\"?" },
  { "timed-out", BECKON_ANSWER_TIMED_OUT, NULL,
    "The user did not answer in the time that was set. Nobody has chosen anything.", TRUE,
    "Timed out" },
  { "unavailable", BECKON_ANSWER_UNAVAILABLE, NULL,
    "Nobody can answer questions here. Go on with what does not need an answer, or finish and say what you need to "
    "know.",
    TRUE, "You couldn't be asked" },
};

/* The same words for both forms. */
static void
test_end (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);

  for (guint form = 0; form < 2; form++)
    {
      g_autoptr (BeckonQuestion) question = make_question (form == 0 ? SIMPLE : FULL);
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (ends[i].kind, ends[i].text);
      g_autofree char *result = NULL;
      g_autofree char *summary = NULL;
      gboolean is_error = !ends[i].is_error;

      g_assert_true (beckon_answer_check (answer, question, NULL));
      result = beckon_answer_to_result (answer, question, &is_error);
      g_assert_cmpstr (result, ==, ends[i].result);
      g_assert_cmpint (is_error, ==, ends[i].is_error);
      summary = beckon_answer_to_summary (answer, question);
      g_assert_cmpstr (summary, ==, ends[i].summary);
    }
}

static const struct
{
  const char *name;
  const char *question;
  guint n_items;
  Item items[2];
  const char *says;
} misfits[] = {
  { "nothing", SIMPLE, 1, { { NULL } }, "Question 1: choose something, write an answer or skip it" },
  { "nothing-to-choose-from", FREE, 1, { { NULL } }, "Question 1: write an answer or skip it" },
  { "blank", SIMPLE, 1, { { NULL, " \n\t" } }, "Question 1: choose something" },
  { "blank-full-width", FREE, 1, { { NULL, "　" } }, "Question 1: write an answer" },
  { "no-such-label", SIMPLE, 1, { { "7070" } }, "Question 1: there is no such choice" },
  { "label-of-another-item", FULL, 2, { { "A" }, { "A" } }, "Question 1: there is no such choice" },
  { "two-where-one-is-allowed", SIMPLE, 1, { { "8080|9090" } }, "Question 1: only one choice" },
  { "text-where-none-is-allowed", CLOSED, 1, { { NULL, "3000" } }, "Question 1: choose from the list" },
  { "note-where-none-is-allowed", CLOSED, 1, { { "8080", "please" } }, "Question 1: choose from the list" },
  { "second-item-empty", FULL, 2, { { "8080" }, { NULL } }, "Question 2: choose something" },
  { "too-few-items", FULL, 1, { { "8080" } }, "one item for each question" },
  { "too-many-items", SIMPLE, 2, { { "8080" }, { "9090" } }, "one item for each question" },
};

static void
test_misfit (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (BeckonQuestion) question = make_question (misfits[i].question);
  g_autoptr (BeckonAnswer) answer = make_answer (misfits[i].n_items, misfits[i].items);
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_answer_check (answer, question, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, misfits[i].says));
}

static void
test_check_kinds (void)
{
  static const BeckonAnswerKind wrong[] = { BECKON_ANSWER_APPROVED, BECKON_ANSWER_APPROVED_EDITED };
  g_autoptr (BeckonQuestion) question = make_question (SIMPLE);
  g_autoptr (BeckonAnswer) blank = beckon_answer_new (BECKON_ANSWER_ASKED_BACK, "  ");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (wrong[i], "{}");

      g_assert_false (beckon_answer_check (answer, question, &error));
      g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
      g_clear_error (&error);
    }

  g_assert_false (beckon_answer_check (blank, question, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
}

static void
test_check_long_text (void)
{
  g_autoptr (BeckonQuestion) question = make_question (FREE);
  g_autofree char *most = g_strnfill (BECKON_ANSWER_MAX_TEXT, 'x');
  g_autofree char *more = g_strnfill (BECKON_ANSWER_MAX_TEXT + 1, 'x');
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (BeckonAnswer) declined = beckon_answer_new (BECKON_ANSWER_DECLINED, more);
  g_autoptr (GError) error = NULL;

  beckon_answer_set_item_text (answer, 0, most);
  g_assert_true (beckon_answer_check (answer, question, NULL));
  beckon_answer_set_item_text (answer, 0, more);
  g_assert_false (beckon_answer_check (answer, question, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_assert_false (beckon_answer_check (declined, question, NULL));
}

/* The message of an answer that was not waited for names what it answers, and says what a result would have said. */
static void
test_late (void)
{
  g_autoptr (BeckonQuestion) one
      = beckon_question_parse ("{\"question\":\"Which\\nport?\",\"choices\":[\"8080\"],\"wait\":false}", NULL);
  g_autoptr (BeckonQuestion) two
      = beckon_question_parse ("{\"questions\":[{\"question\":\"A?\"},{\"question\":\"B?\"}],\"wait\":false}", NULL);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (BeckonAnswer) both = beckon_answer_new_question (2);
  g_autoptr (BeckonAnswer) dismissed = beckon_answer_new (BECKON_ANSWER_DECLINED, NULL);
  g_autofree char *picked = NULL;
  g_autofree char *several = NULL;
  g_autofree char *refused = beckon_answer_to_late_message (dismissed, one);
  g_autofree char *none = beckon_answer_to_late_message (NULL, one);

  beckon_answer_select (answer, 0, "8080");
  picked = beckon_answer_to_late_message (answer, one);
  g_assert_cmpstr (picked, ==, "My answer to your earlier question \"Which port?\":\n8080");
  beckon_answer_set_item_text (both, 0, "x");
  beckon_answer_skip (both, 1);
  several = beckon_answer_to_late_message (both, two);
  g_assert_cmpstr (several, ==,
                   "My answer to your earlier questions \"A?\", \"B?\":\n{\"status\":\"answered\",\"answers\":["
                   "{\"question\":\"A?\",\"selected\":[],\"text\":\"x\",\"skipped\":false},"
                   "{\"question\":\"B?\",\"selected\":[],\"text\":\"\",\"skipped\":true}]}");
  g_assert_cmpstr (refused, ==, "About your earlier question \"Which port?\":\nThe user dismissed this question");
  g_assert_cmpstr (none, ==,
                   "About your earlier question \"Which port?\":\nThe user did not answer; the operation was cancelled");
}

static void
test_building (void)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  BeckonAnswerItem *item = beckon_answer_get_item (answer, 0);

  beckon_answer_select (answer, 0, "A");
  beckon_answer_select (answer, 0, "A");
  g_assert_cmpuint (item->selected->len, ==, 1);

  /* Skipping takes back what was said, and saying something takes the skipping back. */
  beckon_answer_set_item_text (answer, 0, "note");
  beckon_answer_skip (answer, 0);
  g_assert_true (item->skipped);
  g_assert_cmpuint (item->selected->len, ==, 0);
  g_assert_null (item->text);
  beckon_answer_select (answer, 0, "B");
  g_assert_false (item->skipped);

  beckon_answer_set_item_text (answer, 0, "ab\xff" "c");
  g_assert_true (g_utf8_validate (item->text, -1, NULL));
  beckon_answer_set_item_text (answer, 0, NULL);
  g_assert_null (item->text);
}

static void
test_secret (void)
{
  g_autoptr (BeckonQuestion) question = make_question (SECRET);
  g_autoptr (BeckonAnswer) answer = make_answer (1, &(Item){ NULL, "open sesame" });
  g_autofree char *summary = beckon_answer_to_summary (answer, question);

  g_assert_null (strstr (summary, "sesame"));
}

static void
test_approval_summaries (void)
{
  static const struct
  {
    BeckonAnswerKind kind;
    const char *text;
    const char *summary;
  } cases[] = {
    { BECKON_ANSWER_APPROVED, NULL, "Approved" },
    { BECKON_ANSWER_APPROVED_EDITED, "{\"a\":1}", "Approved with changes" },
    { BECKON_ANSWER_DECLINED, NULL, "Denied" },
    { BECKON_ANSWER_DECLINED, "too\nrisky", "Denied: too risky" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (cases[i].kind, cases[i].text);
      g_autofree char *summary = beckon_answer_to_summary (answer, NULL);

      g_assert_cmpstr (summary, ==, cases[i].summary);
    }
}

static void
assert_round_trip (const BeckonAnswer *answer)
{
  g_autofree char *json = beckon_answer_to_json (answer);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) again = beckon_answer_from_json (json, &error);
  g_autofree char *json_again = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (again->kind, ==, answer->kind);
  g_assert_cmpstr (again->text, ==, answer->text);
  g_assert_cmpuint (again->items->len, ==, answer->items->len);
  json_again = beckon_answer_to_json (again);
  g_assert_cmpstr (json_again, ==, json);
}

static void
test_round_trip (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (BeckonAnswer) answer = make_answer (results[i].n_items, results[i].items);

      assert_round_trip (answer);
    }

  for (int kind = BECKON_ANSWER_DELEGATED; kind <= BECKON_ANSWER_UNAVAILABLE; kind++)
    {
      g_autoptr (BeckonAnswer) alone = beckon_answer_new ((BeckonAnswerKind) kind, NULL);
      g_autoptr (BeckonAnswer) with_text = beckon_answer_new ((BeckonAnswerKind) kind, "ä\n\"\\");

      assert_round_trip (alone);
      assert_round_trip (with_text);
    }
}

static void
test_canonical (void)
{
  g_autoptr (BeckonAnswer) answer = make_answer (2, (Item[]){ { "A|B", "n" }, { NULL, NULL, TRUE } });
  g_autoptr (BeckonAnswer) declined = beckon_answer_new (BECKON_ANSWER_DECLINED, "no");
  g_autofree char *json = beckon_answer_to_json (answer);
  g_autofree char *declined_json = beckon_answer_to_json (declined);

  g_assert_cmpstr (json, ==,
                   "{\"kind\":\"question\",\"items\":[{\"selected\":[\"A\",\"B\"],\"text\":\"n\",\"skipped\":false},"
                   "{\"selected\":[],\"skipped\":true}]}");
  g_assert_cmpstr (declined_json, ==, "{\"kind\":\"declined\",\"text\":\"no\"}");
}

static void
test_foreign_json (void)
{
  static const char *const faulty[] = {
    "",
    "[]",
    "{}",
    "{\"kind\":1}",
    "{\"kind\":\"\"}",
    "{\"kind\":\"Question\"}",
    "{\"kind\":\"question\"}",
    "{\"kind\":\"question\",\"items\":[]}",
    "{\"kind\":\"question\",\"items\":{}}",
    "{\"kind\":\"question\",\"items\":[1]}",
    "{\"kind\":\"question\",\"items\":[{\"selected\":\"A\"}]}",
    "{\"kind\":\"question\",\"items\":[{\"selected\":[1]}]}",
    "{\"kind\":\"question\",\"items\":[{\"selected\":[null]}]}",
    "{\"kind\":\"declined\",\"kind\":\"approved\"}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (faulty); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_answer_from_json (faulty[i], &error));
      g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
      g_assert_cmpstr (error->message, !=, "");
    }
}

/* A stranger's JSON is read, then it is checked like any other answer. */
static void
test_foreign_json_contradicts_itself (void)
{
  g_autoptr (BeckonQuestion) question = make_question (SIMPLE);
  g_autoptr (BeckonAnswer) answer = beckon_answer_from_json (
      "{\"kind\":\"question\",\"items\":[{\"selected\":[\"8080\"],\"skipped\":true}]}", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (answer);
  g_assert_false (beckon_answer_check (answer, question, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
}

static void
test_foreign_json_bounds (void)
{
  GString *json = g_string_new ("{\"kind\":\"question\",\"items\":[");
  g_autofree char *text = NULL;

  for (guint i = 0; i < BECKON_QUESTION_MAX_ITEMS + 1; i++)
    g_string_append_printf (json, "%s{\"selected\":[]}", i > 0 ? "," : "");
  text = g_string_free (g_string_append (json, "]}"), FALSE);

  g_assert_null (beckon_answer_from_json (text, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autofree char *path = g_strconcat ("/request/answer/result/", results[i].name, NULL);

      g_test_add_data_func (path, &results[i], test_result);
    }
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *path = g_strconcat ("/request/answer/end/", ends[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_end);
    }
  for (guint i = 0; i < G_N_ELEMENTS (misfits); i++)
    {
      g_autofree char *path = g_strconcat ("/request/answer/misfit/", misfits[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_misfit);
    }
  g_test_add_func ("/request/answer/check/kinds", test_check_kinds);
  g_test_add_func ("/request/answer/check/long-text", test_check_long_text);
  g_test_add_func ("/request/answer/building", test_building);
  g_test_add_func ("/request/answer/late", test_late);
  g_test_add_func ("/request/answer/secret", test_secret);
  g_test_add_func ("/request/answer/approval-summaries", test_approval_summaries);
  g_test_add_func ("/request/answer/round-trip", test_round_trip);
  g_test_add_func ("/request/answer/canonical", test_canonical);
  g_test_add_func ("/request/answer/foreign-json", test_foreign_json);
  g_test_add_func ("/request/answer/foreign-json/contradicts-itself", test_foreign_json_contradicts_itself);
  g_test_add_func ("/request/answer/foreign-json/bounds", test_foreign_json_bounds);

  return g_test_run ();
}
