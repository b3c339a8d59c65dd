/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-settlement.h"

#include <string.h>

#define ARGUMENTS "{ \"path\" : \"a\",\n\"n\":1 }"

static BeckonRequest *
make_question (const char *id)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse ("{\"question\":\"Q?\",\"choices\":[\"A\",\"B\"]}", NULL);

  return beckon_question_request_new (id, "conversation", "message", "call", question, 42);
}

static BeckonRequest *
make_approval (void)
{
  return beckon_approval_request_new (NULL, "conversation", "message", "call", "write_file", ARGUMENTS, "It changes.",
                                      43);
}

static BeckonAnswer *
pick (const char *label)
{
  BeckonAnswer *answer = beckon_answer_new_question (1);

  beckon_answer_select (answer, 0, label);
  return answer;
}

static void
test_question (void)
{
  g_autoptr (BeckonRequest) request = make_question (NULL);
  g_autoptr (BeckonRequest) other = make_question (NULL);

  g_assert_true (beckon_id_is_valid (beckon_request_get_id (request)));
  g_assert_cmpstr (beckon_request_get_id (request), <, beckon_request_get_id (other));
  g_assert_cmpstr (beckon_request_get_conversation_id (request), ==, "conversation");
  g_assert_cmpstr (beckon_request_get_message_id (request), ==, "message");
  g_assert_cmpstr (beckon_request_get_call_id (request), ==, "call");
  g_assert_true (BECKON_IS_QUESTION_REQUEST (request));
  g_assert_cmpint (beckon_request_get_asked_at (request), ==, 42);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_nonnull (beckon_request_get_question (request));
  g_assert_null (beckon_request_get_tool (request));
  g_assert_null (beckon_request_get_draft (request));
  g_assert_null (beckon_request_get_answer (request));
  g_assert_null (beckon_request_dup_summary (request));
}

static void
test_approval (void)
{
  g_autoptr (BeckonRequest) request = make_approval ();

  g_assert_true (BECKON_IS_APPROVAL_REQUEST (request));
  g_assert_null (beckon_request_get_question (request));
  g_assert_cmpstr (beckon_request_get_tool (request), ==, "write_file");
  g_assert_cmpstr (beckon_request_get_arguments (request), ==, ARGUMENTS);
  g_assert_cmpstr (beckon_request_get_reason (request), ==, "It changes.");
}

static BeckonRequest *
reload (BeckonRequest *request, GError **error)
{
  g_autofree char *body = beckon_request_dup_body (request);

  return beckon_request_new_from_body (beckon_request_get_id (request), beckon_request_get_conversation_id (request),
                                       beckon_request_get_message_id (request), beckon_request_get_call_id (request),
                                       beckon_request_get_kind_name (request), body,
                                       beckon_request_get_asked_at (request), error);
}

static void
test_body (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) question = make_question ("id");
  g_autoptr (BeckonRequest) approval = make_approval ();
  g_autoptr (BeckonRequest) question_again = reload (question, &error);
  g_autoptr (BeckonRequest) approval_again = reload (approval, &error);
  g_autofree char *body = beckon_request_dup_body (question);
  g_autofree char *body_again = beckon_request_dup_body (question_again);

  g_assert_no_error (error);
  g_assert_cmpstr (beckon_request_get_id (question_again), ==, "id");
  g_assert_cmpstr (body_again, ==, body);
  g_assert_cmpint (beckon_request_get_asked_at (question_again), ==, 42);

  /* The arguments that would run come back byte for byte. */
  g_assert_cmpstr (beckon_request_get_arguments (approval_again), ==, ARGUMENTS);
  g_assert_cmpstr (beckon_request_get_tool (approval_again), ==, "write_file");
  g_assert_cmpstr (beckon_request_get_reason (approval_again), ==, "It changes.");
}

static void
test_unreadable_body (void)
{
  static const struct
  {
    const char *kind;
    const char *body;
  } cases[] = {
    { "question", "" },
    { "question", "{}" },
    { "approval", "[]" },
    { "approval", "{}" },
    { "approval", "{\"tool\":\"t\"}" },
    { "approval", "{\"tool\":\"t\",\"arguments\":{}}" },
    { "plan", "{}" },
    { NULL, "{}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_request_new_from_body ("id", "c", "m", "k", cases[i].kind, cases[i].body, 0, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

static void
count (guint *n)
{
  (*n)++;
}

static void
test_draft (void)
{
  g_autoptr (BeckonRequest) request = make_question (NULL);
  g_autofree char *draft = NULL;
  guint n = 0;

  g_signal_connect_swapped (request, "notify::draft", G_CALLBACK (count), &n);
  beckon_request_set_draft (request, "{\"text\":\"ha");
  beckon_request_set_draft (request, "{\"text\":\"ha");
  g_object_get (request, "draft", &draft, NULL);
  g_assert_cmpstr (draft, ==, "{\"text\":\"ha");
  g_assert_cmpuint (n, ==, 1);
  beckon_request_set_draft (request, beckon_request_get_draft (request));
  beckon_request_set_draft (request, NULL);
  g_assert_null (beckon_request_get_draft (request));
  g_assert_cmpuint (n, ==, 2);
}

static void
test_settle (void)
{
  g_autoptr (BeckonRequest) request = make_question (NULL);
  g_autoptr (BeckonAnswer) answer = pick ("A");
  g_autofree char *summary = NULL;
  guint n = 0;
  int state;

  g_signal_connect_swapped (request, "notify::state", G_CALLBACK (count), &n);
  beckon_request_settle (request, BECKON_REQUEST_ANSWERED, answer, "window", "ana", 44);
  g_assert_cmpuint (n, ==, 1);
  g_object_get (request, "state", &state, NULL);
  g_assert_cmpint (state, ==, BECKON_REQUEST_ANSWERED);
  g_assert_true (beckon_request_get_answer (request) == answer);
  g_assert_cmpstr (beckon_request_get_front_end (request), ==, "window");
  g_assert_cmpstr (beckon_request_get_actor (request), ==, "ana");
  g_assert_cmpint (beckon_request_get_settled_at (request), ==, 44);
  summary = beckon_request_dup_summary (request);
  g_assert_cmpstr (summary, ==, "A");
}

static void
test_settle_twice (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (BeckonRequest) request = make_question (NULL);

      beckon_request_settle (request, BECKON_REQUEST_CANCELLED, NULL, NULL, NULL, 1);
      beckon_request_settle (request, BECKON_REQUEST_ANSWERED, NULL, NULL, NULL, 2);
      return;
    }

  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*state == BECKON_REQUEST_PENDING*");
}

/* Ends that nobody answered have words of their own too. */
static void
test_summary_without_answer (void)
{
  static const struct
  {
    BeckonRequestState state;
    const char *summary;
  } cases[] = {
    { BECKON_REQUEST_CANCELLED, "The user did not answer; the operation was cancelled" },
    { BECKON_REQUEST_TIMED_OUT, "Timed out" },
    { BECKON_REQUEST_UNAVAILABLE, "You couldn't be asked" },
    { BECKON_REQUEST_DECLINED, "Dismissed" },
    { BECKON_REQUEST_DELEGATED, "The choice was left to the model" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRequest) request = make_question (NULL);
      g_autofree char *summary = NULL;

      beckon_request_settle (request, cases[i].state, NULL, NULL, NULL, 1);
      summary = beckon_request_dup_summary (request);
      g_assert_cmpstr (summary, ==, cases[i].summary);
    }
}

/* 13: a rejection is an error of the room's own domain, with words fit to show. */
static void
test_outcome (void)
{
  static const struct
  {
    BeckonRequestState state;
    int code;
    const char *message;
  } cases[] = {
    { BECKON_REQUEST_ANSWERED, -1, NULL },
    { BECKON_REQUEST_SKIPPED, -1, NULL },
    { BECKON_REQUEST_DELEGATED, -1, NULL },
    { BECKON_REQUEST_ASKED_BACK, -1, NULL },
    { BECKON_REQUEST_DECLINED, BECKON_REQUEST_ERROR_DECLINED, "Dismissed" },
    { BECKON_REQUEST_CANCELLED, BECKON_REQUEST_ERROR_CANCELLED,
      "The user did not answer; the operation was cancelled" },
    { BECKON_REQUEST_TIMED_OUT, BECKON_REQUEST_ERROR_TIMED_OUT, "Timed out" },
    { BECKON_REQUEST_UNAVAILABLE, BECKON_REQUEST_ERROR_UNAVAILABLE, "You couldn't be asked" },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cases) == BECKON_REQUEST_N_STATES - 1);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRequest) request = make_question (NULL);
      g_autoptr (GError) error = NULL;

      beckon_request_settle (request, cases[i].state, NULL, NULL, NULL, 1);
      g_assert_cmpint (beckon_request_check_outcome (request, &error), ==, cases[i].code == -1);
      if (cases[i].code == -1)
        continue;
      g_assert_error (error, BECKON_REQUEST_ERROR, cases[i].code);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_state_words (void)
{
  BeckonRequestState state;

  for (int i = 0; i < BECKON_REQUEST_N_STATES; i++)
    {
      g_assert_true (beckon_request_state_from_string (beckon_request_state_to_string ((BeckonRequestState) i), &state));
      g_assert_cmpint (state, ==, i);
    }
  g_assert_false (beckon_request_state_from_string ("done", &state));
  g_assert_false (beckon_request_state_from_string (NULL, &state));
}

/* The effect of each answer on a question and on an approval: state, event, result. */
typedef struct
{
  BeckonAnswerKind kind;
  const char *text;
  gboolean fits;
  BeckonRequestState state;
  BeckonCallEvent event;
  const char *result;
  gboolean is_error;
} Outcome;

static const Outcome of_questions[] = {
  { BECKON_ANSWER_DELEGATED, NULL, TRUE, BECKON_REQUEST_DELEGATED, BECKON_CALL_EVENT_SETTLED_RESULT,
    "The user left the choice to you", FALSE },
  { BECKON_ANSWER_ASKED_BACK, "Why?", TRUE, BECKON_REQUEST_ASKED_BACK, BECKON_CALL_EVENT_SETTLED_RESULT,
    "{\"status\":\"asked_back\",\"text\":\"Why?\"}", FALSE },
  { BECKON_ANSWER_DECLINED, NULL, TRUE, BECKON_REQUEST_DECLINED, BECKON_CALL_EVENT_SETTLED_RESULT,
    "The user dismissed this question", TRUE },
  { BECKON_ANSWER_APPROVED, NULL, FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_APPROVED_EDITED, "{}", FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_CANCELLED, NULL, TRUE, BECKON_REQUEST_CANCELLED, BECKON_CALL_EVENT_STOPPED,
    "The user did not answer; the operation was cancelled", TRUE },
  { BECKON_ANSWER_TIMED_OUT, NULL, TRUE, BECKON_REQUEST_TIMED_OUT, BECKON_CALL_EVENT_SETTLED_RESULT,
    "The user did not answer in the time that was set", TRUE },
  { BECKON_ANSWER_UNAVAILABLE, NULL, TRUE, BECKON_REQUEST_UNAVAILABLE, BECKON_CALL_EVENT_SETTLED_RESULT,
    "Nobody can answer questions here", TRUE },
};

static const Outcome of_approvals[] = {
  { BECKON_ANSWER_QUESTION, NULL, FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_DELEGATED, NULL, FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_ASKED_BACK, "Why?", FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_DECLINED, NULL, TRUE, BECKON_REQUEST_DECLINED, BECKON_CALL_EVENT_SETTLED_RESULT,
    "The user denied this call. It was not run; nothing was changed.", TRUE },
  { BECKON_ANSWER_DECLINED, "use /tmp", TRUE, BECKON_REQUEST_DECLINED, BECKON_CALL_EVENT_SETTLED_RESULT,
    "The user denied this call. It was not run; nothing was changed. They said: use /tmp", TRUE },
  { BECKON_ANSWER_APPROVED, NULL, TRUE, BECKON_REQUEST_ANSWERED, BECKON_CALL_EVENT_SETTLED_GO, NULL, FALSE },
  { BECKON_ANSWER_APPROVED_EDITED, "{ \"path\":\"b\" }", TRUE, BECKON_REQUEST_ANSWERED, BECKON_CALL_EVENT_SETTLED_GO,
    NULL, FALSE },
  { BECKON_ANSWER_APPROVED_EDITED, "[]", FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_APPROVED_EDITED, "{\"a\":1,\"a\":2}", FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_APPROVED_EDITED, NULL, FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_CANCELLED, NULL, TRUE, BECKON_REQUEST_CANCELLED, BECKON_CALL_EVENT_STOPPED,
    "The user did not answer; the operation was cancelled", TRUE },
  { BECKON_ANSWER_TIMED_OUT, NULL, TRUE, BECKON_REQUEST_TIMED_OUT, BECKON_CALL_EVENT_SETTLED_RESULT,
    "nothing was changed", TRUE },
  { BECKON_ANSWER_UNAVAILABLE, NULL, TRUE, BECKON_REQUEST_UNAVAILABLE, BECKON_CALL_EVENT_SETTLED_RESULT,
    "nothing was changed", TRUE },
};

static void
assert_outcome (BeckonRequest *request, const Outcome *expected)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (expected->kind, expected->text);
  g_autoptr (BeckonAnswer) stored = NULL;
  g_autoptr (BeckonSettlement) settlement = NULL;
  g_autoptr (GError) error = NULL;
  BeckonCallState next;

  g_assert_cmpint (beckon_request_check_answer (request, answer, &error), ==, expected->fits);
  if (!expected->fits)
    {
      g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
      return;
    }

  settlement = beckon_settlement_new (request, answer, "terminal", "ana", 45);
  g_assert_cmpstr (settlement->request_id, ==, beckon_request_get_id (request));
  g_assert_cmpint (settlement->state, ==, expected->state);
  g_assert_cmpint (settlement->call_event, ==, expected->event);
  g_assert_true (beckon_call_state_next (BECKON_CALL_AWAITING, settlement->call_event, &next));
  g_assert_cmpint (settlement->is_error, ==, expected->is_error);
  g_assert_cmpstr (settlement->front_end, ==, "terminal");
  g_assert_cmpstr (settlement->actor, ==, "ana");
  g_assert_cmpint (settlement->at, ==, 45);

  /* A call has a result if and only if it will not run. */
  g_assert_cmpint (settlement->result == NULL, ==, next == BECKON_CALL_DECIDED);
  if (expected->result != NULL)
    g_assert_nonnull (strstr (settlement->result, expected->result));
  g_assert_cmpstr (settlement->arguments, ==, expected->kind == BECKON_ANSWER_APPROVED_EDITED ? expected->text : NULL);

  stored = beckon_answer_from_json (settlement->answer, &error);
  g_assert_no_error (error);
  g_assert_cmpint (stored->kind, ==, expected->kind);
}

static void
test_settlement_of_questions (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_questions); i++)
    {
      g_autoptr (BeckonRequest) request = make_question (NULL);

      assert_outcome (request, &of_questions[i]);
    }
}

static void
test_settlement_of_approvals (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_approvals); i++)
    {
      g_autoptr (BeckonRequest) request = make_approval ();

      assert_outcome (request, &of_approvals[i]);
    }
}

static const Outcome of_forms[] = {
  { BECKON_ANSWER_QUESTION, NULL, FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_DELEGATED, NULL, FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_ASKED_BACK, "Why?", FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_APPROVED, NULL, FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_APPROVED_EDITED, "{}", FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_LOOKED, NULL, FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_LOOKED, " \n ", FALSE, 0, 0, NULL, FALSE },
  { BECKON_ANSWER_LOOKED, "It is there.", TRUE, BECKON_REQUEST_ANSWERED, BECKON_CALL_EVENT_SETTLED_RESULT,
    "so it has no output. The user looked at what became of it and says: It is there.", FALSE },
  { BECKON_ANSWER_RETRY, NULL, TRUE, BECKON_REQUEST_ANSWERED, BECKON_CALL_EVENT_SETTLED_GO, NULL, FALSE },
  { BECKON_ANSWER_SKIP, NULL, TRUE, BECKON_REQUEST_SKIPPED, BECKON_CALL_EVENT_SETTLED_RESULT,
    "The user skipped this call. It was running when the program ended; whether it took effect is not known.", TRUE },
  { BECKON_ANSWER_DECLINED, NULL, TRUE, BECKON_REQUEST_DECLINED, BECKON_CALL_EVENT_SETTLED_RESULT,
    "whether it took effect is not known. It was not run again.", TRUE },
  { BECKON_ANSWER_CANCELLED, NULL, TRUE, BECKON_REQUEST_CANCELLED, BECKON_CALL_EVENT_STOPPED,
    "whether it took effect is not known", TRUE },
  { BECKON_ANSWER_TIMED_OUT, NULL, TRUE, BECKON_REQUEST_TIMED_OUT, BECKON_CALL_EVENT_SETTLED_RESULT,
    "whether it took effect is not known", TRUE },
  { BECKON_ANSWER_UNAVAILABLE, NULL, TRUE, BECKON_REQUEST_UNAVAILABLE, BECKON_CALL_EVENT_SETTLED_RESULT,
    "whether it took effect is not known", TRUE },
};

static void
test_settlement_of_forms (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_forms); i++)
    {
      g_autoptr (BeckonRequest) request = beckon_outcome_request_new ("r", "c", "m", "k", "write_file", "{}", 7, 8);

      assert_outcome (request, &of_forms[i]);
      g_assert_true (of_forms[i].state == BECKON_REQUEST_CANCELLED || !of_forms[i].fits
                     || beckon_call_state_next (BECKON_CALL_UNKNOWN, of_forms[i].event, NULL));
    }
}

/* The call that ran, and since when, survives the store. */
static void
test_form_body (void)
{
  g_autoptr (BeckonRequest) request = beckon_outcome_request_new ("r", "c", "m", "k", "write_file", "{ \"n\":1 }", 7, 8);
  g_autofree char *body = beckon_request_dup_body (request);
  g_autoptr (BeckonRequest) stored = NULL;
  g_autoptr (BeckonRequest) strange = NULL;
  g_autofree char *words = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (body, ==,
                   "{\"form\":\"outcome\",\"tool\":\"write_file\",\"arguments\":\"{ \\\"n\\\":1 }\",\"started_at\":7}");
  stored = beckon_request_new_from_body ("r", "c", "m", "k", "form", body, 8, &error);
  g_assert_no_error (error);
  g_assert_true (BECKON_IS_OUTCOME_REQUEST (stored));
  g_assert_cmpstr (beckon_request_get_tool (stored), ==, "write_file");
  g_assert_cmpstr (beckon_request_get_arguments (stored), ==, "{ \"n\":1 }");
  g_assert_cmpint (beckon_request_get_started_at (stored), ==, 7);
  g_assert_true (beckon_request_get_outcome_unknown (stored));
  words = beckon_request_dup_outcome_words (stored);
  g_assert_nonnull (strstr (words, "Whether it took effect is not known."));

  strange = beckon_request_new_from_body ("r", "c", "m", "k", "form", "{\"form\":\"tax\"}", 8, &error);
  g_assert_null (strange);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
}

/* As older versions stored it. Of a call that was running when the program ended nobody may say that nothing was changed. */
static void
test_settlement_of_an_unknown_outcome (void)
{
  static const BeckonAnswerKind kinds[] = { BECKON_ANSWER_DECLINED, BECKON_ANSWER_CANCELLED, BECKON_ANSWER_TIMED_OUT,
                                            BECKON_ANSWER_UNAVAILABLE };
  const char *body = "{\"tool\":\"write_file\",\"arguments\":\"{}\",\"reason\":\"Again?\",\"outcome_unknown\":true}";
  g_autoptr (BeckonRequest) stored = beckon_request_new_from_body ("r", "c", "m", "k", "approval", body, 1, NULL);
  g_autofree char *again = beckon_request_dup_body (stored);

  g_assert_true (beckon_request_get_outcome_unknown (stored));
  g_assert_cmpstr (again, ==, body);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (kinds[i], NULL);
      g_autoptr (BeckonSettlement) settlement = beckon_settlement_new (stored, answer, "window", NULL, 46);

      g_assert_nonnull (strstr (settlement->result, "whether it took effect is not known"));
      g_assert_null (strstr (settlement->result, "nothing was changed"));
    }
}

static void
test_settlement_of_an_answer (void)
{
  g_autoptr (BeckonRequest) request = make_question (NULL);
  g_autoptr (BeckonAnswer) answer = pick ("B");
  g_autoptr (BeckonAnswer) skipped = beckon_answer_new_question (1);
  g_autoptr (BeckonSettlement) settlement = beckon_settlement_new (request, answer, "window", NULL, 46);
  g_autoptr (BeckonSettlement) of_skipped = NULL;

  g_assert_cmpint (settlement->state, ==, BECKON_REQUEST_ANSWERED);
  g_assert_cmpint (settlement->call_event, ==, BECKON_CALL_EVENT_SETTLED_RESULT);
  g_assert_cmpstr (settlement->result, ==, "B");
  g_assert_false (settlement->is_error);
  g_assert_cmpstr (settlement->actor, ==, g_get_user_name ());

  beckon_answer_skip (skipped, 0);
  of_skipped = beckon_settlement_new (request, skipped, "window", NULL, 46);
  g_assert_cmpint (of_skipped->state, ==, BECKON_REQUEST_SKIPPED);
  g_assert_cmpstr (of_skipped->result, ==, "The user skipped this question");
}

/* Every request says who asks: our own run, unless somebody else is named. */
static void
test_asked_by (void)
{
  g_autoptr (BeckonRequest) request = make_approval ();
  BeckonAskedBy *program = beckon_asked_by_new (BECKON_ASKED_BY_PROGRAM, "mail");

  g_assert_cmpint (beckon_request_get_asked_by (request)->kind, ==, BECKON_ASKED_BY_RUN);
  g_assert_null (beckon_request_get_asked_by (request)->name);
  program->process = 7;
  program->unit = g_strdup ("app-mail.service");
  beckon_request_take_asked_by (request, program);
  g_assert_true (beckon_request_get_asked_by (request) == program);
}

/* A request that ended unanswered stops its call, whatever its class; a record stays as it is recorded. */
static void
test_settlement_recorded (void)
{
  g_autoptr (BeckonRequest) request = make_approval ();
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  g_autoptr (BeckonSettlement) gone
      = beckon_settlement_new_recorded (request, BECKON_REQUEST_CANCELLED, NULL, NULL, NULL, 48);
  g_autoptr (BeckonSettlement) given
      = beckon_settlement_new_recorded (request, BECKON_REQUEST_ANSWERED, answer, "terminal", "ben", 49);

  g_assert_cmpint (gone->state, ==, BECKON_REQUEST_CANCELLED);
  g_assert_cmpint (gone->call_event, ==, BECKON_CALL_EVENT_STOPPED);
  g_assert_null (gone->answer);
  g_assert_null (gone->given);
  g_assert_null (gone->front_end);
  g_assert_null (gone->actor);
  g_assert_cmpint (given->call_event, ==, BECKON_CALL_EVENT_SETTLED_GO);
  g_assert_true (given->given == answer);
  g_assert_cmpstr (given->front_end, ==, "terminal");
  g_assert_cmpstr (given->actor, ==, "ben");
  g_assert_cmpint (given->at, ==, 49);
}

static void
test_settlement_copy (void)
{
  g_autoptr (BeckonRequest) request = make_approval ();
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, "{\"path\":\"b\"}");
  BeckonSettlement *settlement = beckon_settlement_new (request, answer, "window", "ana", 47);
  g_autoptr (BeckonSettlement) copy = beckon_settlement_copy (settlement);

  beckon_settlement_free (settlement);
  g_assert_cmpstr (copy->request_id, ==, beckon_request_get_id (request));
  g_assert_cmpstr (copy->arguments, ==, "{\"path\":\"b\"}");
  g_assert_cmpstr (copy->front_end, ==, "window");
  g_assert_cmpstr (copy->actor, ==, "ana");
  g_assert_cmpstr (copy->answer, ==, "{\"kind\":\"approved-edited\",\"text\":\"{\\\"path\\\":\\\"b\\\"}\"}");
  g_assert_cmpint (copy->at, ==, 47);
  beckon_settlement_free (NULL);
}

static void
test_already_settled_words (void)
{
  static const char *const places[] = { "window", "terminal", "notification", "dbus", "agent", "martian", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) ended = NULL;

  beckon_request_error_set_settled (&error, FALSE, "window", "ana", G_GINT64_CONSTANT (1763640000000000));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_cmpstr (error->message, ==, "This was already answered by ana, in the window (2025-11-20 12:00).");

  beckon_request_error_set_settled (&ended, TRUE, "agent", NULL, G_GINT64_CONSTANT (1763640000000000));
  g_assert_error (ended, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED);
  g_assert_nonnull (strstr (ended->message, "ended without an answer"));

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    g_assert_cmpstr (beckon_request_front_end_to_words (places[i]), !=, "");
}

/* A bare "keep" lands ordinary changes only, and says so afterwards; where nothing at all would land, it is no
 * answer. */
static void
test_kept (void)
{
  g_autoptr (BeckonAnswer) kept = beckon_answer_new (BECKON_ANSWER_KEPT, NULL);
  g_autoptr (BeckonAnswer) everything = beckon_answer_new (BECKON_ANSWER_KEPT, "{\"leave_out\":[]}");
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) alone = NULL, outside = NULL, mixed = NULL;
  g_autoptr (BeckonChangeSet) decided = NULL;
  g_autofree char *summary = NULL;
  BeckonFileChange *change = beckon_file_change_new (".envrc", BECKON_FILE_CREATED, BECKON_FILE_REGULAR);
  g_autoptr (GError) error = NULL;

  change->concern = BECKON_FILE_CONCERN_TRIGGER;
  beckon_change_set_take (set, change);
  decided = beckon_change_set_copy (set);
  alone = beckon_changes_request_new (NULL, "conversation", "message", "call", "run_command", "{}", set, 44);
  g_assert_false (beckon_request_check_answer (alone, kept, &error));
  g_assert_nonnull (strstr (error->message, "needs your look"));
  g_assert_true (beckon_request_check_answer (alone, everything, NULL));

  beckon_change_set_take (decided, beckon_file_change_new ("a", BECKON_FILE_CREATED, BECKON_FILE_REGULAR));
  beckon_change_set_get (decided, 1)->fate = BECKON_FILE_KEPT;
  outside = beckon_changes_request_new (NULL, "conversation", "message", "call", "run_command", "{}", decided, 44);
  g_assert_true (beckon_request_check_answer (outside, kept, NULL));

  beckon_change_set_take (set, beckon_file_change_new ("a", BECKON_FILE_CREATED, BECKON_FILE_REGULAR));
  mixed = beckon_changes_request_new (NULL, "conversation", "message", "call", "run_command", "{}", set, 44);
  g_assert_true (beckon_request_check_answer (mixed, kept, NULL));
  beckon_request_settle (mixed, BECKON_REQUEST_ANSWERED, kept, "terminal", "somebody", 45);
  summary = beckon_request_dup_summary (mixed);
  g_assert_cmpstr (summary, ==, "Kept in part");
}

/* The changes of a command are stored with the question, as they were when it was asked. */
static void
test_changes (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (BeckonRequest) again = NULL;
  g_autoptr (BeckonSettlement) settlement = NULL;
  g_autoptr (BeckonAnswer) kept = beckon_answer_new (BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":1}]}");
  g_autoptr (BeckonAnswer) wrong = beckon_answer_new (BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":2}]}");
  g_autoptr (BeckonAnswer) approved = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  g_autofree char *body = NULL;
  g_autofree char *body_again = NULL;
  g_autoptr (GError) error = NULL;

  beckon_change_set_take (set, beckon_file_change_new ("caf\xe9", BECKON_FILE_CREATED, BECKON_FILE_REGULAR));
  request = beckon_changes_request_new (NULL, "conversation", "message", "call", "run_command", "{\"command\":\"x\"}", set, 44);
  beckon_change_set_get (set, 0)->fate = BECKON_FILE_KEPT;
  body = beckon_request_dup_body (request);
  again = beckon_request_new_from_body (beckon_request_get_id (request), "conversation", "message", "call", "changes", body, 44,
                                        &error);
  g_assert_no_error (error);
  body_again = beckon_request_dup_body (again);
  g_assert_cmpstr (body_again, ==, body);
  g_assert_true (BECKON_IS_CHANGES_REQUEST (again));
  g_assert_cmpstr (beckon_change_set_get (beckon_request_get_changes (again), 0)->path, ==, "caf\xe9");
  g_assert_cmpint (beckon_change_set_get (beckon_request_get_changes (again), 0)->fate, ==, BECKON_FILE_OPEN);
  g_assert_true (beckon_request_check_answer (again, kept, NULL));
  g_assert_false (beckon_request_check_answer (again, wrong, NULL));
  g_assert_false (beckon_request_check_answer (again, approved, NULL));
  g_assert_null (beckon_request_new_from_body ("id", "conversation", NULL, NULL, "changes", "{\"tool\":\"t\"}", 44, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  settlement = beckon_settlement_new (again, kept, "terminal", "somebody", 45);
  g_assert_cmpint (settlement->call_event, ==, BECKON_CALL_EVENT_SETTLED_LAND);
  g_assert_null (settlement->result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/life/2-an-id-of-its-own-and-what-led-to-it", test_question);
  g_test_add_func ("/request/request/approval", test_approval);
  g_test_add_func ("/request/request/body", test_body);
  g_test_add_func ("/request/request/unreadable-body", test_unreadable_body);
  g_test_add_func ("/request/request/draft", test_draft);
  g_test_add_func ("/request/request/settle", test_settle);
  g_test_add_func ("/request/request/settle-twice", test_settle_twice);
  g_test_add_func ("/request/request/summary-without-answer", test_summary_without_answer);
  g_test_add_func ("/life/13-a-rejection-is-an-error-of-its-own", test_outcome);
  g_test_add_func ("/request/request/state-words", test_state_words);
  g_test_add_func ("/request/settlement/questions", test_settlement_of_questions);
  g_test_add_func ("/request/settlement/approvals", test_settlement_of_approvals);
  g_test_add_func ("/request/settlement/forms", test_settlement_of_forms);
  g_test_add_func ("/request/request/form", test_form_body);
  g_test_add_func ("/request/settlement/unknown-outcome", test_settlement_of_an_unknown_outcome);
  g_test_add_func ("/request/settlement/answer", test_settlement_of_an_answer);
  g_test_add_func ("/request/asked-by", test_asked_by);
  g_test_add_func ("/request/settlement/copy", test_settlement_copy);
  g_test_add_func ("/request/settlement/recorded", test_settlement_recorded);
  g_test_add_func ("/request/request/changes", test_changes);
  g_test_add_func ("/request/request/kept", test_kept);
  g_test_add_func ("/request/error/already-settled", test_already_settled_words);

  return g_test_run ();
}
