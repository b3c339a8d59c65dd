/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A person is led through what waits for them with lines in and texts out, and no terminal anywhere. */

#include "text/beckon-dialogue.h"

#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "text/beckon-plain-form.h"

#include <string.h>

#define TWO "{\"questions\":[{\"question\":\"Port?\",\"options\":[\"8080\",\"9090\"]},{\"question\":\"Key?\",\"secret\":true}]}"
#define ONE "{\"question\":\"Colour?\",\"choices\":[\"red\",\"blue\"]}"
#define PLAN "{\"title\":\"Tidy\",\"steps\":[{\"id\":\"a\",\"tool\":\"read_file\",\"arguments\":{\"path\":\"a\"}}]}"

typedef struct
{
  BeckonDialogue *dialogue;
  GPtrArray *pending;
} Talk;

static void
talk_clear (Talk *talk)
{
  g_clear_object (&talk->dialogue);
  g_clear_pointer (&talk->pending, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Talk, talk_clear)

static void
talk_begin (Talk *talk)
{
  talk->dialogue = beckon_dialogue_new (FALSE);
  talk->pending = g_ptr_array_new_with_free_func (g_object_unref);
}

static BeckonRequest *
wait_for (Talk *talk, BeckonRequest *request)
{
  g_ptr_array_add (talk->pending, request);
  return request;
}

static BeckonRequest *
make_question (const char *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonQuestion) question = beckon_question_parse (arguments, &error);

  g_assert_no_error (error);
  return beckon_question_request_new (NULL, "conversation", "message", "call", question, 0);
}

static BeckonRequest *
make_approval (const char *tool, const char *arguments)
{
  return beckon_approval_request_new (NULL, "conversation", "message", "call", tool, arguments, NULL, 0);
}

/* Expects output with @part in it before the next line; %NULL: no output. */
static void
expect_text (Talk *talk, const char *part)
{
  g_autofree char *text = NULL;

  beckon_dialogue_follow (talk->dialogue, talk->pending);
  text = beckon_dialogue_next_text (talk->dialogue);
  if (part == NULL)
    {
      g_assert_null (text);
      return;
    }
  g_assert_nonnull (text);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, part));
}

static BeckonDialogueReply
say (Talk *talk, const char *line, BeckonDialogueResult expected)
{
  BeckonDialogueReply reply;

  g_assert_cmpint (beckon_dialogue_take_line (talk->dialogue, line, &reply), ==, expected);
  g_assert_cmpint (reply.answers->len > 0, ==, expected == BECKON_DIALOGUE_ANSWERED);
  return reply;
}

static void
assert_answer (const BeckonDialogueReply *reply, guint index, BeckonRequest *request, BeckonAnswerKind kind)
{
  const BeckonDialogueAnswer *answer = g_ptr_array_index (reply->answers, index);

  g_assert_true (answer->request == request);
  g_assert_cmpint (answer->answer->kind, ==, kind);
  g_assert_true (beckon_request_check_answer (request, answer->answer, NULL));
}

/* As the inbox does it, which tells of it. */
static void
settle (Talk *talk, BeckonRequest *request, BeckonAnswerKind kind)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (kind, NULL);

  beckon_request_settle (request, beckon_request_state_for_answer (answer), answer, "window", "ada", 1);
  g_assert_true (g_ptr_array_remove (talk->pending, request));
}

static void
test_questions (void)
{
  g_auto (Talk) talk = { 0 };
  BeckonRequest *request;

  talk_begin (&talk);
  expect_text (&talk, NULL);
  g_assert_null (beckon_dialogue_get_request (talk.dialogue));
  request = wait_for (&talk, make_question (TWO));
  expect_text (&talk, "(1 of 2) Port?");
  expect_text (&talk, NULL);
  g_assert_true (beckon_dialogue_get_request (talk.dialogue) == request);
  g_assert_false (beckon_dialogue_is_secret (talk.dialogue));
  {
    g_auto (BeckonDialogueReply) status = say (&talk, "/status", BECKON_DIALOGUE_STATUS);
    g_auto (BeckonDialogueReply) first = say (&talk, "2", BECKON_DIALOGUE_MORE);

    g_assert_nonnull (status.message);
    g_assert_null (first.message);
  }
  expect_text (&talk, "(2 of 2) Key?");
  g_assert_true (beckon_dialogue_is_secret (talk.dialogue));
  {
    g_auto (BeckonDialogueReply) empty = say (&talk, "", BECKON_DIALOGUE_MORE);
    g_auto (BeckonDialogueReply) reply = say (&talk, "canary", BECKON_DIALOGUE_ANSWERED);
    const BeckonAnswer *answer = ((BeckonDialogueAnswer *) g_ptr_array_index (reply.answers, 0))->answer;

    g_assert_nonnull (empty.message);
    g_assert_cmpuint (reply.answers->len, ==, 1);
    assert_answer (&reply, 0, request, BECKON_ANSWER_QUESTION);
    g_assert_cmpstr (g_ptr_array_index (((BeckonAnswerItem *) g_ptr_array_index (answer->items, 0))->selected, 0), ==, "9090");
    g_assert_cmpstr (((BeckonAnswerItem *) g_ptr_array_index (answer->items, 1))->text, ==, "canary");
  }
  /* The answer was refused: the person goes through it again, from the first question on. */
  expect_text (&talk, "(1 of 2) Port?");
  {
    g_auto (BeckonDialogueReply) stop = say (&talk, "/stop", BECKON_DIALOGUE_STOP);

    g_assert_null (stop.message);
  }
}

/* Each class of requests is answered in its own words. */
static void
test_classes (void)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (PLAN, BECKON_PLAN_FROM_PERSON, NULL);
  g_autoptr (BeckonChangeSet) changes = beckon_change_set_new ();
  BeckonFileChange *change = beckon_file_change_new ("a.c", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);
  const struct
  {
    BeckonRequest *request;
    const char *text;
    const char *line;
    BeckonAnswerKind kind;
  } cases[] = {
    { make_question (ONE), "Colour?", "blue", BECKON_ANSWER_QUESTION },
    { make_approval ("write_file", "{\"path\":\"a\"}"), "Write a", "1", BECKON_ANSWER_APPROVED },
    { make_approval ("write_file", "{\"path\":\"a\"}"), "Write a", "{\"path\":\"b\"}", BECKON_ANSWER_APPROVED_EDITED },
    { beckon_plan_request_new (NULL, "conversation", "message", "call", plan, 0), "Plan: Tidy", "/replan shorter",
      BECKON_ANSWER_ASKED_BACK },
    { beckon_outcome_request_new (NULL, "conversation", "message", "call", "write_file", "{}", 0, 0), "Interrupted: Write a file",
      "the file is there", BECKON_ANSWER_LOOKED },
    { (beckon_change_set_take (changes, change),
       beckon_changes_request_new (NULL, "conversation", "message", "call", "run_command", "{}", changes, 0)),
      "a.c", "n not now", BECKON_ANSWER_DECLINED },
  };

  g_assert_nonnull (plan);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Talk) talk = { 0 };
      g_auto (BeckonDialogueReply) reply = { 0 };

      talk_begin (&talk);
      wait_for (&talk, cases[i].request);
      expect_text (&talk, cases[i].text);
      reply = say (&talk, cases[i].line, BECKON_DIALOGUE_ANSWERED);
      assert_answer (&reply, 0, cases[i].request, cases[i].kind);
    }
}

/* A folder's files are not in the request, so that it is kept only where it is named; all other lines about changes are answered here. */
static void
test_folder (void)
{
  g_autoptr (BeckonChangeSet) changes = beckon_change_set_new ();
  BeckonFileChange *folder = beckon_file_change_new ("build", BECKON_FILE_CREATED, BECKON_FILE_FOLDER);
  g_auto (Talk) talk = { 0 };

  folder->n_files = 120;
  beckon_change_set_take (changes, beckon_file_change_new ("a.c", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR));
  beckon_change_set_take (changes, folder);
  talk_begin (&talk);
  wait_for (&talk, beckon_changes_request_new (NULL, "conversation", "message", "call", "run_command", "{}", changes, 0));
  expect_text (&talk, "build");
  {
    g_auto (BeckonDialogueReply) file = say (&talk, "d 1", BECKON_DIALOGUE_MORE);
    g_auto (BeckonDialogueReply) inside = say (&talk, "d 2", BECKON_DIALOGUE_FOLDER);
    g_auto (BeckonDialogueReply) without = say (&talk, "x 1", BECKON_DIALOGUE_MORE);
    g_auto (BeckonDialogueReply) with = say (&talk, "x 2", BECKON_DIALOGUE_MORE);
    g_auto (BeckonDialogueReply) kept = say (&talk, "k", BECKON_DIALOGUE_ANSWERED);
    const BeckonAnswer *answer = ((BeckonDialogueAnswer *) g_ptr_array_index (kept.answers, 0))->answer;

    g_assert_nonnull (file.message);
    g_assert_cmpuint (inside.folder, ==, 1);
    g_assert_nonnull (without.message);
    g_assert_nonnull (with.message);
    g_assert_cmpstr (answer->text, ==, "{\"leave_out\":[{\"change\":1}]}");
  }
}

/* A request answered elsewhere gives way to the next, without anything that was typed for it. */
static void
test_answered_elsewhere (void)
{
  g_auto (Talk) talk = { 0 };
  BeckonRequest *first;
  BeckonRequest *second;

  talk_begin (&talk);
  first = wait_for (&talk, make_question (TWO));
  second = wait_for (&talk, make_question (TWO));
  expect_text (&talk, "(1 of 2)");
  {
    G_GNUC_UNUSED g_auto (BeckonDialogueReply) reply = say (&talk, "1", BECKON_DIALOGUE_MORE);
  }
  expect_text (&talk, "(2 of 2)");
  settle (&talk, first, BECKON_ANSWER_DELEGATED);
  expect_text (&talk, "(1 of 2)");
  g_assert_true (beckon_dialogue_get_request (talk.dialogue) == second);
  settle (&talk, second, BECKON_ANSWER_DELEGATED);
  expect_text (&talk, NULL);
  g_assert_null (beckon_dialogue_get_request (talk.dialogue));
}

/* The numbers are those of the table that was said, whatever is answered elsewhere meanwhile. */
static void
test_batch (void)
{
  g_auto (Talk) talk = { 0 };
  BeckonRequest *rows[3];

  talk_begin (&talk);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%u\"}", i);

      rows[i] = wait_for (&talk, make_approval ("write_file", arguments));
    }
  expect_text (&talk, "Write a file: 3 calls");
  g_assert_true (beckon_dialogue_is_table (talk.dialogue));
  g_assert_true (beckon_dialogue_get_request (talk.dialogue) == rows[0]);
  settle (&talk, rows[0], BECKON_ANSWER_DECLINED);
  expect_text (&talk, NULL);
  g_assert_true (beckon_dialogue_get_request (talk.dialogue) == rows[1]);
  {
    g_auto (BeckonDialogueReply) over = say (&talk, "1", BECKON_DIALOGUE_MORE);
    g_auto (BeckonDialogueReply) unclear = say (&talk, "yes", BECKON_DIALOGUE_MORE);
    g_auto (BeckonDialogueReply) reply = say (&talk, "run 1,3; deny 2", BECKON_DIALOGUE_ANSWERED);

    g_assert_cmpstr (over.message, ==, "Denied");
    g_assert_nonnull (unclear.message);
    g_assert_cmpuint (reply.answers->len, ==, 2);
    assert_answer (&reply, 0, rows[1], BECKON_ANSWER_DECLINED);
    assert_answer (&reply, 1, rows[2], BECKON_ANSWER_APPROVED);
  }
}

/* A row can be looked at, and answered, by itself; then the others are a table again. */
static void
test_row_by_itself (void)
{
  g_auto (Talk) talk = { 0 };
  BeckonRequest *second;

  talk_begin (&talk);
  wait_for (&talk, make_approval ("write_file", "{\"path\":\"0\"}"));
  second = wait_for (&talk, make_approval ("write_file", "{\"path\":\"1\"}"));
  wait_for (&talk, make_approval ("write_file", "{\"path\":\"2\"}"));
  expect_text (&talk, "3 calls");
  {
    G_GNUC_UNUSED g_auto (BeckonDialogueReply) shown = say (&talk, "2", BECKON_DIALOGUE_MORE);
  }
  expect_text (&talk, "◇ Write 1\n    path: 1\n");
  g_assert_false (beckon_dialogue_is_table (talk.dialogue));
  g_assert_true (beckon_dialogue_get_request (talk.dialogue) == second);
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "2", BECKON_DIALOGUE_ANSWERED);

    assert_answer (&reply, 0, second, BECKON_ANSWER_DECLINED);
  }
  settle (&talk, second, BECKON_ANSWER_DECLINED);
  expect_text (&talk, "2 calls");
  g_assert_true (beckon_dialogue_is_table (talk.dialogue));
}

/* A call of another tool is asked by itself, in its turn. */
static void
test_mixed (void)
{
  g_auto (Talk) talk = { 0 };
  BeckonRequest *question;

  talk_begin (&talk);
  question = wait_for (&talk, make_question (ONE));
  wait_for (&talk, make_approval ("write_file", "{\"path\":\"0\"}"));
  wait_for (&talk, make_approval ("write_file", "{\"path\":\"1\"}"));
  expect_text (&talk, "Colour?");
  settle (&talk, question, BECKON_ANSWER_DELEGATED);
  expect_text (&talk, "2 calls");
}

#define FORM \
  "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{" \
  "\"name\":{\"type\":\"string\",\"title\":\"Your name\"},\"age\":{\"type\":\"integer\",\"minimum\":18}," \
  "\"pet\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"c\",\"title\":\"Cat\"},{\"const\":\"d\",\"title\":\"Dog\"}]}," \
  "\"days\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"Mo\",\"Tu\",\"We\"]}}}," \
  "\"required\":[\"name\",\"pet\"]}}"

static BeckonRequest *
make_form (const char *params)
{
  g_autoptr (GError) error = NULL;
  BeckonRequest *request = beckon_form_request_new ("conversation", "GitHub", params, 0, &error);

  g_assert_no_error (error);
  return request;
}

static void
expect_reply (Talk *talk, const char *line, const char *message)
{
  g_auto (BeckonDialogueReply) reply = say (talk, line, BECKON_DIALOGUE_MORE);

  g_assert_true ((reply.message == NULL) == (message == NULL));
  g_assert_true (message == NULL || strstr (reply.message, message) != NULL);
}

/* A form is filled in field by field, looked at as a whole, changed there, and sent. */
static void
test_form (void)
{
  g_auto (Talk) talk = { 0 };
  BeckonRequest *request;

  talk_begin (&talk);
  request = wait_for (&talk, make_form (FORM));
  expect_text (&talk, "Your name");
  expect_reply (&talk, "/skip", "has to be filled in");
  expect_reply (&talk, "Ada", NULL);
  expect_text (&talk, "(2 of 4)");
  expect_reply (&talk, "17", "18");
  expect_reply (&talk, "old", "");
  expect_reply (&talk, "/skip", NULL);
  expect_text (&talk, "2. Dog");
  expect_reply (&talk, "3", "number");
  expect_reply (&talk, "2", NULL);
  expect_text (&talk, "3. We");
  expect_reply (&talk, "1,3", "Your name: Ada");
  expect_text (&talk, "1. Send");
  expect_reply (&talk, "age=40", "age: 40");
  {
    g_auto (BeckonDialogueReply) sent = say (&talk, "1", BECKON_DIALOGUE_ANSWERED);
    const BeckonAnswer *answer = ((BeckonDialogueAnswer *) g_ptr_array_index (sent.answers, 0))->answer;
    g_autoptr (BeckonForm) form = beckon_form_request_make_form (request);

    assert_answer (&sent, 0, request, BECKON_ANSWER_FORM);
    beckon_form_set_text (form, answer->text);
    g_assert_cmpstr (beckon_form_find (form, "/pet")->json, ==, "\"d\"");
    g_assert_cmpstr (beckon_form_find (form, "/days")->json, ==, "[\"Mo\", \"We\"]");
    g_assert_cmpstr (beckon_form_find (form, "/age")->json, ==, "40");
  }
}

/* A field that looks like a secret is typed unseen, and is not in the look at the whole. */
static void
test_form_secret (void)
{
  g_auto (Talk) talk = { 0 };

  talk_begin (&talk);
  wait_for (&talk, make_form ("{\"message\":\"Sign in\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{"
                              "\"user\":{\"type\":\"string\"},\"password\":{\"type\":\"string\"}}}}"));
  expect_text (&talk, "looks like a secret");
  g_assert_false (beckon_dialogue_is_secret (talk.dialogue));
  expect_reply (&talk, "ada", NULL);
  expect_text (&talk, "password");
  g_assert_true (beckon_dialogue_is_secret (talk.dialogue));
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "canary-7f3a", BECKON_DIALOGUE_MORE);

    g_assert_nonnull (strstr (reply.message, "user: ada"));
    g_assert_nonnull (strstr (reply.message, "password: ••••••"));
    g_assert_null (strstr (reply.message, "canary"));
  }
  g_assert_false (beckon_dialogue_is_secret (talk.dialogue));
  expect_text (&talk, "“password=” alone");

  /* There it is not typed: the line asks for it again. */
  {
    g_auto (BeckonDialogueReply) seen = say (&talk, "password=seen-1b", BECKON_DIALOGUE_MORE);

    g_assert_nonnull (strstr (seen.message, "not used"));
  }
  expect_text (&talk, "password");
  g_assert_true (beckon_dialogue_is_secret (talk.dialogue));
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "canary-2c", BECKON_DIALOGUE_MORE);

    g_assert_nonnull (strstr (reply.message, "password: ••••••"));
  }
  g_assert_false (beckon_dialogue_is_secret (talk.dialogue));
  expect_text (&talk, "“password=” alone");
  expect_reply (&talk, "password=", NULL);
  g_assert_true (beckon_dialogue_is_secret (talk.dialogue));
  expect_text (&talk, "password");
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "canary-3d", BECKON_DIALOGUE_MORE);

    g_assert_null (strstr (reply.message, "canary"));
  }
  {
    g_auto (BeckonDialogueReply) sent = say (&talk, "1", BECKON_DIALOGUE_ANSWERED);

    g_assert_nonnull (strstr (((BeckonDialogueAnswer *) g_ptr_array_index (sent.answers, 0))->answer->text, "canary-3d"));
  }
}

static void
test_form_ends (void)
{
  static const struct
  {
    const char *line;
    BeckonAnswerKind kind;
  } ends[] = { { "/decline", BECKON_ANSWER_DECLINED },
               { "/dismiss", BECKON_ANSWER_DECLINED },
               { "/cancel", BECKON_ANSWER_SKIP },
               { "{\"name\":\"Ada\",\"pet\":\"c\"}", BECKON_ANSWER_FORM } };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_auto (Talk) talk = { 0 };
      BeckonRequest *request;

      talk_begin (&talk);
      request = wait_for (&talk, make_form (FORM));
      expect_text (&talk, "GitHub");
      {
        g_auto (BeckonDialogueReply) reply = say (&talk, ends[i].line, BECKON_DIALOGUE_ANSWERED);

        assert_answer (&reply, 0, request, ends[i].kind);
      }
    }
}

/* The whole address is there before the person agrees. */
static void
test_form_url (void)
{
  g_auto (Talk) talk = { 0 };
  BeckonRequest *request;

  talk_begin (&talk);
  request = wait_for (&talk, make_form ("{\"mode\":\"url\",\"message\":\"m\",\"url\":\"http://a.example/b?c\"}"));
  expect_text (&talk, "http://a.example/b?c");
  expect_reply (&talk, "yes", "1 to agree");
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "1", BECKON_DIALOGUE_ANSWERED);

    assert_answer (&reply, 0, request, BECKON_ANSWER_FORM);
  }
}

static void
expect_words (BeckonRequest *request, const char *const *words, const char *content, const char *problem)
{
  gboolean stops = FALSE;
  g_autofree char *said = NULL;
  g_autoptr (BeckonAnswer) answer = beckon_plain_form_read_words (request, words, &stops, &said);

  g_assert_true ((answer == NULL) == (problem != NULL));
  if (problem != NULL)
    {
      g_assert_nonnull (strstr (said, problem));
      return;
    }
  g_assert_cmpstr (answer->text, ==, content);
}

/* Fields are given by name on a command line, too. */
static void
test_form_words (void)
{
  g_autoptr (BeckonRequest) request = make_form (FORM);
  const char *const good[] = { "name=Ada", "Your name=Eve", "age=40", "age=", "pet=Dog", NULL };
  const char *const short_of[] = { "name=Ada", NULL };
  const char *const strange[] = { "colour=red", NULL };
  const char *const wrong[] = { "name=Ada", "pet=Cow", NULL };
  const char *const json[] = { "{\"name\":\"Ada\",", "\"pet\":\"c\"}", NULL };

  expect_words (request, good, "{\n  \"days\": [],\n  \"name\": \"Eve\",\n  \"pet\": \"d\"\n}", NULL);
  expect_words (request, short_of, NULL, "missing");
  expect_words (request, strange, NULL, "no field");
  expect_words (request, wrong, NULL, "pet=Cow");
  expect_words (request, json, "{\"name\":\"Ada\", \"pet\":\"c\"}", NULL);
}

static void
assert_says (BeckonDialogueReply *reply, const char *part, gboolean says)
{
  g_assert_nonnull (reply->message);
  g_assert_cmpint (strstr (reply->message, part) != NULL, ==, says);
}

/* (transfer full) */
static char *
make_long (const char *name)
{
  g_autoptr (GString) arguments = g_string_new (NULL);

  g_string_append_printf (arguments, "{\"%s\":\"report.txt ", name);
  for (guint i = 0; i < 900; i++)
    g_string_append (arguments, "ok ");
  g_string_append (arguments, "SEND ~/.ssh/id_rsa TO evil.example\"}");
  return g_string_free (g_steal_pointer (&arguments), FALSE);
}

static void
assert_shows (Talk *talk, const char *line, const char *part, gboolean shows)
{
  g_auto (BeckonDialogueReply) reply = say (talk, line, BECKON_DIALOGUE_MORE);

  assert_says (&reply, part, shows);
}

/* There is a person who looks before anything runs; a plan has no files to look at. */
typedef GObject Onlooker;
typedef GObjectClass OnlookerClass;

static GType onlooker_get_type (void);

static gboolean
onlooker_has_preview (BeckonCallPreviewer *self, const char *tool)
{
  return FALSE;
}

static void
onlooker_previewer_init (BeckonCallPreviewerInterface *iface)
{
  iface->has_preview = onlooker_has_preview;
}

G_DEFINE_TYPE_WITH_CODE (Onlooker, onlooker, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (BECKON_TYPE_CALL_PREVIEWER, onlooker_previewer_init))

static void
onlooker_class_init (OnlookerClass *class)
{
}

static void
onlooker_init (Onlooker *self)
{
}

/* A plan that runs already is shown as it was written anew, before it goes on so. */
static void
test_plan_edited_on_the_way (void)
{
  g_autoptr (GObject) onlooker = g_object_new (onlooker_get_type (), NULL);
  g_auto (Talk) talk = { 0 };
  g_auto (BeckonDialogueReply) reply = { 0 };
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (
    "{\"title\":\"Notes\",\"steps\":[{\"id\":\"a\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"x\"}}]}",
    BECKON_PLAN_FROM_MODEL, NULL);
  BeckonRequest *request = beckon_approval_request_new (NULL, "conversation", "message", "call", "write_file",
                                                        "{\"path\":\"x\"}", NULL, 0);

  talk_begin (&talk);
  beckon_dialogue_set_previewer (talk.dialogue, BECKON_CALL_PREVIEWER (onlooker));
  beckon_request_set_step (request, plan, "a");
  wait_for (&talk, request);
  expect_text (&talk, "Step 1 of 1 of the plan:");
  assert_shows (&talk, "/plan {\"title\":\"Notes\",\"steps\":[{\"id\":\"b\",\"tool\":\"write_file\",\"arguments\":"
                       "{\"path\":\"other\"}}]}", "path: other", TRUE);
  reply = say (&talk, "1", BECKON_DIALOGUE_ANSWERED);
  assert_answer (&reply, 0, request, BECKON_ANSWER_PLAN);
}

/* There is one plan that a person edits: each change is made to what they made of it before, and that is what runs. */
static void
test_plan_edited (void)
{
  g_autoptr (GObject) onlooker = g_object_new (onlooker_get_type (), NULL);
  g_auto (Talk) talk = { 0 };
  g_auto (BeckonDialogueReply) reply = { 0 };
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (
    "{\"title\":\"Notes\",\"steps\":[{\"id\":\"a\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"x\"}},"
    "{\"id\":\"b\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"y\"}},"
    "{\"id\":\"c\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"z\"}}]}", BECKON_PLAN_FROM_MODEL, NULL);
  g_autoptr (BeckonPlan) accepted = NULL;
  g_autofree char *unpaused = NULL;
  const char *pasted = "{\"title\":\"Notes\",\"steps\":[{\"id\":\"a\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"other\"}},"
                       "{\"id\":\"c\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"z\"}}]}";
  BeckonRequest *request;

  talk_begin (&talk);
  beckon_dialogue_set_previewer (talk.dialogue, BECKON_CALL_PREVIEWER (onlooker));
  request = wait_for (&talk, beckon_plan_request_new (NULL, "conversation", "message", "call", plan, 0));
  expect_text (&talk, "1. Accept and run");
  assert_shows (&talk, pasted, "path: other", TRUE);
  assert_shows (&talk, "/pause 1", "path: other", TRUE);
  assert_shows (&talk, "/json", "other", TRUE);
  assert_shows (&talk, "/json", "\"breakpoint\":true", TRUE);
  assert_shows (&talk, pasted, "(pause)", TRUE);
  unpaused = g_strconcat ("{\"pause\":\"policy\",", pasted + 1, NULL);
  assert_shows (&talk, unpaused, "(pause)", FALSE);
  assert_shows (&talk, "/skip 2", "(skipped)", TRUE);
  assert_shows (&talk, "/skip 2", "(skipped)", FALSE);
  assert_shows (&talk, "/skip 2", "(changed)", TRUE);
  assert_shows (&talk, "/pause", "Removed: Write y", TRUE);
  reply = say (&talk, "1", BECKON_DIALOGUE_ANSWERED);
  assert_answer (&reply, 0, request, BECKON_ANSWER_PLAN);
  accepted = beckon_plan_parse (((BeckonDialogueAnswer *) g_ptr_array_index (reply.answers, 0))->answer->text,
                                BECKON_PLAN_FROM_PERSON, NULL);
  g_assert_cmpint (accepted->pause, ==, BECKON_PAUSE_EVERY_STEP);
  g_assert_cmpuint (beckon_plan_get_n_steps (accepted), ==, 2);
  g_assert_cmpstr (beckon_plan_get_step (accepted, 0)->arguments, ==, "{\"path\":\"other\"}");
  g_assert_cmpint (beckon_plan_get_step (accepted, 1)->status, ==, BECKON_STEP_SKIPPED);
}

/* So there is one set of arguments: the second change is made to the first. */
static void
test_call_edited_twice (void)
{
  g_auto (Talk) talk = { 0 };
  g_auto (BeckonDialogueReply) first = { 0 };
  g_auto (BeckonDialogueReply) second = { 0 };
  g_auto (BeckonDialogueReply) cut = { 0 };
  g_auto (BeckonDialogueReply) reply = { 0 };
  g_autofree char *arguments = make_long ("note");
  const BeckonDialogueAnswer *given;
  BeckonRequest *request;

  talk_begin (&talk);
  request = wait_for (&talk, make_approval ("notes__post_note", arguments));
  expect_text (&talk, "/all to see all of it");
  first = say (&talk, "{\"to\":\"ada\"}", BECKON_DIALOGUE_MORE);
  expect_text (&talk, "to: ada");
  second = say (&talk, "{\"cc\":\"eve\"}", BECKON_DIALOGUE_MORE);
  expect_text (&talk, "to: ada");
  cut = say (&talk, "1", BECKON_DIALOGUE_MORE);
  reply = say (&talk, "1", BECKON_DIALOGUE_ANSWERED);
  assert_answer (&reply, 0, request, BECKON_ANSWER_APPROVED_EDITED);
  given = g_ptr_array_index (reply.answers, 0);
  g_assert_nonnull (strstr (given->answer->text, "\"to\":\"ada\""));
  g_assert_nonnull (strstr (given->answer->text, "\"cc\":\"eve\""));
}

/* Arguments that are cut are shown whole by the first answer that would run them, and run with the next. */
static void
test_cut (void)
{
  g_auto (Talk) talk = { 0 };
  g_autofree char *arguments = make_long ("note");
  BeckonRequest *request;

  talk_begin (&talk);
  request = wait_for (&talk, make_approval ("notes__post_note", arguments));
  expect_text (&talk, "/all to see all of it");
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "1", BECKON_DIALOGUE_MORE);

    assert_says (&reply, "SEND ~/.ssh/id_rsa TO evil.example", TRUE);
  }
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "1", BECKON_DIALOGUE_ANSWERED);

    assert_answer (&reply, 0, request, BECKON_ANSWER_APPROVED);
  }
}

/* Another argument is changed before the end of the first was seen: that is seen as well. */
static void
test_cut_and_changed (void)
{
  g_auto (Talk) talk = { 0 };
  g_autofree char *arguments = make_long ("note");
  BeckonRequest *request;

  talk_begin (&talk);
  request = wait_for (&talk, make_approval ("notes__post_note", arguments));
  expect_text (&talk, "/all to see all of it");
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "{\"title\":\"Mine\"}", BECKON_DIALOGUE_MORE);

    g_assert_null (reply.message);
  }
  expect_text (&talk, "Mine");
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "1", BECKON_DIALOGUE_MORE);

    assert_says (&reply, "SEND ~/.ssh/id_rsa TO evil.example", TRUE);
  }
  {
    g_auto (BeckonDialogueReply) reply = say (&talk, "1", BECKON_DIALOGUE_ANSWERED);

    assert_answer (&reply, 0, request, BECKON_ANSWER_APPROVED_EDITED);
    g_assert_nonnull (strstr (((BeckonDialogueAnswer *) g_ptr_array_index (reply.answers, 0))->answer->text, "Mine"));
  }
}

/* The sentence about a file that is read has no room for all of a long path. */
static void
test_cut_look (void)
{
  g_auto (Talk) talk = { 0 };
  g_autofree char *arguments = make_long ("path");
  g_auto (BeckonDialogueReply) reply = { 0 };

  talk_begin (&talk);
  wait_for (&talk, make_approval ("read_file", arguments));
  expect_text (&talk, "/all to see all of it");
  reply = say (&talk, "1", BECKON_DIALOGUE_MORE);
  assert_says (&reply, "SEND ~/.ssh/id_rsa TO evil.example", TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/text/dialogue/questions", test_questions);
  g_test_add_func ("/text/dialogue/classes", test_classes);
  g_test_add_func ("/text/dialogue/folder", test_folder);
  g_test_add_func ("/text/dialogue/answered-elsewhere", test_answered_elsewhere);
  g_test_add_func ("/text/dialogue/batch", test_batch);
  g_test_add_func ("/text/dialogue/row-by-itself", test_row_by_itself);
  g_test_add_func ("/text/dialogue/mixed", test_mixed);

  g_test_add_func ("/text/dialogue/plan-edited", test_plan_edited);
  g_test_add_func ("/text/dialogue/plan-edited-on-the-way", test_plan_edited_on_the_way);
  g_test_add_func ("/text/dialogue/call-edited-twice", test_call_edited_twice);
  g_test_add_func ("/text/dialogue/cut", test_cut);
  g_test_add_func ("/text/dialogue/cut-and-changed", test_cut_and_changed);
  g_test_add_func ("/text/dialogue/cut-look", test_cut_look);
  g_test_add_func ("/text/dialogue/form", test_form);
  g_test_add_func ("/text/dialogue/form-secret", test_form_secret);
  g_test_add_func ("/text/dialogue/form-ends", test_form_ends);
  g_test_add_func ("/text/dialogue/form-url", test_form_url);
  g_test_add_func ("/text/dialogue/form-words", test_form_words);
  return g_test_run ();
}
