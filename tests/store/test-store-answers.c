/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Last answers: written with the settlement, found by question and folder, forgotten on demand and with what it came
 * from. */

#include "beckon-store-fixture.h"

#include "request/beckon-question-request.h"
#include "store/queries/beckon-store-answers.h"

#include <string.h>

#define FOLDER "/home/ada/project"

typedef struct
{
  char *directory;
  BeckonStore *store;
  BeckonStore *other; /* as another process would be */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->store = beckon_store_fixture_open (fixture->directory);
  fixture->other = beckon_store_fixture_open (fixture->directory);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->store);
  g_assert_finalize_object (fixture->other);
  beckon_store_fixture_clear (fixture->directory);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* @folder: (nullable) */
static BeckonTurn *
ask (Fixture *fixture, const char *question, const char *folder)
{
  BeckonTurn *turn = beckon_turn_new (question);

  beckon_conversation_set_folder (turn->conversation, folder);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  return turn;
}

static void
settle (Fixture *fixture, BeckonTurn *turn, BeckonAnswer *answer)
{
  g_autoptr (BeckonSettlement) settlement = beckon_settlement_new (turn->request, answer, "terminal", "Ada", 7);
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_settle (fixture->store, settlement, &error);
  g_assert_no_error (error);
  beckon_answer_unref (answer);
}

/* Asked and answered in words. */
static void
answer (Fixture *fixture, const char *question, const char *folder, const char *text)
{
  g_autoptr (BeckonTurn) turn = ask (fixture, question, folder);
  BeckonAnswer *given = beckon_answer_new_question (1);

  beckon_answer_set_item_text (given, 0, text);
  settle (fixture, turn, given);
}

static GPtrArray *
list (Fixture *fixture, const char *folder)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *answers;

  beckon_store_list_answers_async (fixture->other, folder, NULL, keep_result, &result);
  beckon_await (result != NULL);
  answers = beckon_store_list_answers_finish (fixture->other, result, &error);
  g_assert_no_error (error);
  return answers;
}

static void
assert_count (Fixture *fixture, guint n)
{
  g_autoptr (GPtrArray) answers = list (fixture, NULL);

  g_assert_cmpuint (answers->len, ==, n);
}

/* The line that another process shows with the question; %NULL where there is none. */
static char *
dup_shown (Fixture *fixture, BeckonTurn *turn)
{
  g_autoptr (GPtrArray) pending = beckon_store_fixture_pending (fixture->other);

  for (guint i = 0; i < pending->len; i++)
    {
      BeckonRequest *request = g_ptr_array_index (pending, i);
      BeckonQuestion *question = beckon_request_get_question (request);
      const BeckonLastAnswer *last = beckon_question_get_item (question, 0)->last;

      if (g_str_equal (beckon_request_get_id (request), beckon_request_get_id (turn->request)))
        return last != NULL ? beckon_last_answer_describe (last) : NULL;
    }
  g_assert_not_reached ();
}

static void
assert_shown (Fixture *fixture, const char *question, const char *folder, const char *expected)
{
  g_autoptr (BeckonTurn) turn = ask (fixture, question, folder);
  g_autofree char *shown = dup_shown (fixture, turn);

  g_assert_cmpstr (shown, ==, expected);
  settle (fixture, turn, beckon_answer_new (BECKON_ANSWER_DELEGATED, NULL));
}

/* The last answer counts, in its folder, to the same question. */
static void
test_remembered (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) answers = NULL;

  answer (fixture, "Which colour?", FOLDER, "blue");
  answer (fixture, "Which colour, please?", FOLDER, "red");
  assert_shown (fixture, "Which colour?", FOLDER, "red");
  assert_shown (fixture, "Which colour?", "/elsewhere", NULL);
  assert_shown (fixture, "Which other colour?", FOLDER, NULL);
  assert_shown (fixture, "Which colour?", NULL, NULL);
  answers = list (fixture, FOLDER);
  g_assert_cmpuint (answers->len, ==, 1);
  g_assert_cmpstr (((const BeckonRememberedAnswer *) g_ptr_array_index (answers, 0))->question, ==, "Which colour, please?");
}

/* Without a folder there is nothing that the same question could be asked in again. */
static void
test_without_folder (Fixture *fixture, gconstpointer data)
{
  answer (fixture, "Which colour?", NULL, "blue");
  assert_count (fixture, 0);
}

/* Answers that say nothing of a choice are none, and take none away. */
static void
test_no_choice (Fixture *fixture, gconstpointer data)
{
  static const BeckonAnswerKind kinds[] = { BECKON_ANSWER_DELEGATED, BECKON_ANSWER_ASKED_BACK, BECKON_ANSWER_DECLINED,
                                            BECKON_ANSWER_TIMED_OUT, BECKON_ANSWER_UNAVAILABLE };
  BeckonAnswer *skipped = beckon_answer_new_question (1);
  g_autoptr (BeckonTurn) skipping = NULL;

  answer (fixture, "Which colour?", FOLDER, "blue");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (BeckonTurn) turn = ask (fixture, "Which colour?", FOLDER);

      settle (fixture, turn, beckon_answer_new (kinds[i], kinds[i] == BECKON_ANSWER_ASKED_BACK ? "Why?" : NULL));
    }
  skipping = ask (fixture, "Which colour?", FOLDER);
  beckon_answer_skip (skipped, 0);
  settle (fixture, skipping, skipped);
  assert_shown (fixture, "Which colour?", FOLDER, "blue");
}

static void
test_secret (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which token?");
  BeckonAnswer *given = beckon_answer_new_question (1);

  ((BeckonQuestionItem *) g_ptr_array_index (beckon_request_get_question (turn->request)->items, 0))->secret = TRUE;
  beckon_conversation_set_folder (turn->conversation, FOLDER);
  beckon_store_fixture_commit (fixture->store, beckon_turn_to_batch (turn));
  beckon_answer_set_item_text (given, 0, "secret:token-k3x9q2mf7dab");
  settle (fixture, turn, given);
  assert_count (fixture, 0);
}

static void
forget (Fixture *fixture, const char *folder, const char *request_id)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_forget_answers_async (fixture->store, folder, request_id, NULL, keep_result, &result);
  beckon_await (result != NULL);
  g_assert_true (beckon_store_forget_answers_finish (fixture->store, result, &error));
  g_assert_no_error (error);
}

static void
test_forgotten (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = NULL;
  g_autofree char *shown = NULL;

  answer (fixture, "Which colour?", FOLDER, "blue");
  answer (fixture, "Which shape?", FOLDER, "round");
  answer (fixture, "Which colour?", "/elsewhere", "green");
  turn = ask (fixture, "Which colour?", FOLDER);
  forget (fixture, NULL, beckon_request_get_id (turn->request));
  shown = dup_shown (fixture, turn);
  g_assert_null (shown);
  assert_count (fixture, 2);
  forget (fixture, "/elsewhere", NULL);
  assert_count (fixture, 1);
  assert_shown (fixture, "Which shape?", FOLDER, "round");
  forget (fixture, NULL, NULL);
  assert_count (fixture, 0);
}

/* Answers go with the conversation that they came from, and are not told while that is in the trash. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  g_autofree char *left = NULL;

  answer (fixture, "Which colour?", FOLDER, "blue");
  g_free (beckon_store_fixture_sql (fixture->directory, "UPDATE conversation SET deleted_at = 5 WHERE folder IS NOT NULL"));
  assert_count (fixture, 0);
  assert_shown (fixture, "Which colour?", FOLDER, NULL);
  g_free (beckon_store_fixture_sql (fixture->directory, "PRAGMA foreign_keys = ON"));
  g_free (beckon_store_fixture_sql (fixture->directory, "DELETE FROM request WHERE id IN (SELECT request FROM remembered_answer)"));
  left = beckon_store_fixture_sql (fixture->directory,
                                   "SELECT count (*) FROM remembered_answer WHERE request IN (SELECT id FROM request)");
  g_assert_cmpstr (left, ==, "0");
}

/* Before a question is stored, the one who asks it looks it up. */
static void
test_filled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) questions = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_question_unref);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *words = NULL;
  BeckonQuestion *question
      = beckon_question_parse ("{\"questions\":[{\"question\":\"Which shape?\"},{\"question\":\"Which colour?\"}]}", &error);

  answer (fixture, "Which colour?", FOLDER, "blue");
  g_ptr_array_add (questions, question);
  beckon_store_fill_questions_async (fixture->other, FOLDER, questions, NULL, keep_result, &result);
  beckon_await (result != NULL);
  g_assert_true (beckon_store_fill_questions_finish (fixture->other, result, &error));
  g_assert_null (beckon_question_get_item (question, 0)->last);
  words = beckon_last_answer_describe (beckon_question_get_item (question, 1)->last);
  g_assert_cmpstr (words, ==, "blue");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/store/answers/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("remembered", test_remembered);
  ADD ("without-folder", test_without_folder);
  ADD ("no-choice", test_no_choice);
  ADD ("secret", test_secret);
  ADD ("forgotten", test_forgotten);
  ADD ("deleted", test_deleted);
  ADD ("filled", test_filled);
#undef ADD

  return g_test_run ();
}
