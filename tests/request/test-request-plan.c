/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A plan of which arguments are masked: what is shown of it, and what an answer to that means for the whole of it. */

#include "domain/beckon-request-error.h"
#include "form/beckon-plan-parameters.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-inbox.h"
#include "request/beckon-plan-request.h"
#include "test-journal.h"

#include <string.h>

#define SECRET "tulip-9f3"
#define MASK BECKON_PARAMETERS_MASK

#define SEND(id, body) "{\"id\":\"" id "\",\"tool\":\"send\",\"arguments\":" body ",\"status\":\"pending\"}"
#define PLAN(first, second)                                                                                                \
  "{\"title\":\"Mail\",\"pause\":\"policy\",\"on_failure\":\"stop\",\"steps\":[" first "," second "]}"
#define TRUE_A SEND ("a", "{\"trace\":\"" SECRET "!\",\"to\":\"ada\",\"token\":\"" SECRET "\"}")
#define SHOWN_A SEND ("a", "{\"to\":\"ada\",\"token\":\"" MASK "\"}")
#define TRUE_B "{\"id\":\"b\",\"tool\":\"look\",\"arguments\":{\"token\":\"open\"},\"status\":\"pending\"}"

#define REDACTED                                                                                                          \
  "[{\"tool\":\"send\",\"parameters\":\"{\\\"token\\\":{\\\"access\\\":\\\"masked\\\"},"                                    \
  "\\\"trace\\\":{\\\"access\\\":\\\"hidden\\\"}}\"}]"

static BeckonPlan *
parse (const char *document)
{
  BeckonPlan *plan = beckon_plan_parse (document, BECKON_PLAN_FROM_PERSON, NULL);

  g_assert_nonnull (plan);
  return plan;
}

static BeckonPlanParameters *
make (void)
{
  g_autoptr (BeckonParameters) parameters = beckon_parameters_new ();
  BeckonPlanParameters *self = beckon_plan_parameters_new ();

  beckon_parameters_add (parameters, "token", BECKON_FORM_MASKED, "\"pinned\"", NULL, NULL);
  beckon_plan_parameters_add (self, "send", parameters);
  beckon_parameters_add (parameters, "trace", BECKON_FORM_HIDDEN, NULL, NULL, NULL);
  beckon_plan_parameters_add (self, "send", parameters);
  return self;
}

/* The stored text says which values are pinned, and not what they are. */
static void
test_text (void)
{
  g_autoptr (BeckonPlanParameters) self = make ();
  g_autoptr (BeckonPlanParameters) none = beckon_plan_parameters_new ();
  g_autoptr (BeckonParameters) open = beckon_parameters_new ();
  g_autofree char *text = beckon_plan_parameters_to_text (self);
  g_autoptr (BeckonPlanParameters) again = beckon_plan_parameters_read (text);
  g_autofree char *same = beckon_plan_parameters_to_text (again);

  g_assert_cmpstr (text, ==, REDACTED);
  g_assert_cmpstr (same, ==, text);
  g_assert_true (beckon_plan_parameters_is_text (text));
  g_assert_false (beckon_plan_parameters_is_text ("{}"));
  g_assert_false (beckon_plan_parameters_is_text (NULL));
  beckon_plan_parameters_add (none, "send", open);
  g_assert_null (beckon_plan_parameters_to_text (none));
}

static void
assert_shown (const char *redacted, const char *document, const char *expected)
{
  g_autofree char *shown = beckon_parameters_show_by (redacted, document);

  g_assert_cmpstr (shown, ==, expected);
}

static const char expecting[]
    = "{\"title\":\"With " SECRET "\",\"steps\":[{\"id\":1,\"tool\":\"send\",\"arguments\":\"{\\\"token\\\":\\\"" SECRET
      "\\\"}\",\"expect\":\"" SECRET " is taken\"}]}";

static void
test_show (void)
{
  g_autofree char *logged = NULL;

  assert_shown (REDACTED, PLAN (TRUE_A, TRUE_B), PLAN (SHOWN_A, TRUE_B));
  assert_shown (REDACTED, expecting,
                "{\"title\":\"With " MASK "\",\"pause\":\"policy\",\"on_failure\":\"stop\",\"steps\":[{\"id\":\"1\","
                "\"tool\":\"send\",\"arguments\":{\"token\":\"" MASK "\"},\"expect\":\"" MASK " is taken\","
                "\"status\":\"pending\"}]}");
  assert_shown (REDACTED, "{\"steps\":\"" SECRET "\"}", "\"" MASK "\"");
  logged = beckon_parameters_log_by (REDACTED, PLAN (TRUE_A, "{\"id\":\"b\",\"tool\":\"look\",\"arguments\":{\"x\":\"see " SECRET
                                                              "\"},\"status\":\"pending\"}"));
  g_assert_null (strstr (logged, SECRET));
}

/* Settings that can't be read conceal everything, and an unknown setting of a tool conceals that tool. */
static void
test_closed (void)
{
  assert_shown ("[", PLAN (TRUE_A, TRUE_B), PLAN (SEND ("a", "{}"), "{\"id\":\"b\",\"tool\":\"look\",\"arguments\":{},"
                                                                    "\"status\":\"pending\"}"));
  assert_shown ("[{\"tool\":\"send\",\"parameters\":\"closed\"}]", PLAN (TRUE_A, TRUE_B), PLAN (SEND ("a", "{}"), TRUE_B));
  assert_shown ("[", expecting,
                "{\"title\":\"With " MASK "\",\"pause\":\"policy\",\"on_failure\":\"stop\",\"steps\":[{\"id\":\"1\","
                "\"tool\":\"send\",\"arguments\":{},\"expect\":\"" MASK " is taken\",\"status\":\"pending\"}]}");
  assert_shown ("[{\"parameters\":\"{}\"}]", PLAN (TRUE_A, TRUE_B),
                PLAN (SEND ("a", "{}"), "{\"id\":\"b\",\"tool\":\"look\",\"arguments\":{},\"status\":\"pending\"}"));
}

static char *
restore (const char *edited, GError **error)
{
  g_autoptr (BeckonPlanParameters) self = make ();
  g_autoptr (BeckonPlan) whole = parse (PLAN (TRUE_A, TRUE_B));
  g_autoptr (BeckonPlan) plan = parse (edited);
  g_autoptr (BeckonPlan) restored = beckon_plan_parameters_restore (self, whole, plan, error);

  return restored != NULL ? beckon_plan_to_json (restored) : NULL;
}

static void
assert_restored (const char *edited, const char *expected)
{
  g_autofree char *restored = restore (edited, NULL);
  g_autofree char *again = restored != NULL ? restore (restored, NULL) : NULL;

  g_assert_cmpstr (restored, ==, expected);
  g_assert_cmpstr (again, ==, expected);
}

static void
test_restore (void)
{
  /* Left alone, byte for byte; moved; and beside another change. */
  assert_restored (PLAN (SHOWN_A, TRUE_B), PLAN (TRUE_A, TRUE_B));
  assert_restored (PLAN (SEND ("a", "{\"token\":\"" MASK "\",\"to\":\"ada\"}"), TRUE_B), PLAN (TRUE_A, TRUE_B));
  assert_restored (PLAN (TRUE_B, SHOWN_A), PLAN (TRUE_B, TRUE_A));
  assert_restored (PLAN (SEND ("a", "{\"to\":\"bob\",\"token\":\"" MASK "\"}"), TRUE_B),
                   PLAN (SEND ("a", "{\"to\":\"bob\",\"token\":\"" SECRET "\",\"trace\":\"" SECRET "!\"}"), TRUE_B));
  /* A value written in a new step is the value. */
  assert_restored (PLAN (SHOWN_A, SEND ("c", "{\"token\":\"yours\"}")), PLAN (TRUE_A, SEND ("c", "{\"token\":\"yours\"}")));
}

static void
assert_refused (const char *edited)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (restore (edited, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "token"));
}

/* The value goes to no tool or step that it was not meant for, a mask never runs, and what nobody sees nobody changes. */
static void
test_refused (void)
{
  assert_refused (PLAN (SEND ("a", "{\"to\":\"ada\",\"token\":\"mine\"}"), TRUE_B));
  assert_refused (PLAN (SHOWN_A, SEND ("c", "{\"token\":\"" MASK "\"}")));
  assert_refused (PLAN ("{\"id\":\"a\",\"tool\":\"look\",\"arguments\":{\"token\":\"" MASK "\"},\"status\":\"pending\"}", TRUE_B));
}

static gboolean
may_become (const char *settled, const char *edited)
{
  g_autoptr (BeckonParameters) parameters = beckon_parameters_from_json (settled, NULL);
  g_autoptr (BeckonPlanParameters) added = beckon_plan_parameters_new ();
  g_autofree char *text = NULL;
  g_autoptr (BeckonPlanParameters) self = NULL;
  g_autoptr (BeckonPlan) whole = parse (PLAN (TRUE_A, TRUE_B));
  g_autoptr (BeckonPlan) plan = parse (edited);
  g_autoptr (BeckonPlan) restored = NULL;
  g_autoptr (GError) error = NULL;

  beckon_plan_parameters_add (added, "send", parameters);
  text = beckon_plan_parameters_to_text (added);
  self = beckon_plan_parameters_read (text);
  restored = beckon_plan_parameters_restore (self, whole, plan, &error);
  if (restored == NULL)
    g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  return restored != NULL;
}

/* A change of settings that can't be read could be any change. */
static void
test_closed_is_not_changed (void)
{
  g_autoptr (BeckonPlanParameters) self = beckon_plan_parameters_read ("[");
  g_autoptr (BeckonPlan) whole = parse (PLAN (TRUE_A, TRUE_B));
  g_autoptr (BeckonPlan) shown = beckon_plan_parameters_show (self, whole);
  g_autoptr (BeckonPlan) changed = parse (PLAN (SEND ("a", "{\"to\":\"bob\"}"), TRUE_B));
  g_autoptr (BeckonPlan) restored = beckon_plan_parameters_restore (self, whole, shown, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_plan_equal (restored, whole));
  g_assert_null (beckon_plan_parameters_restore (self, whole, changed, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
}

/* A plan is no way round what may not be changed. */
static void
test_not_changed (void)
{
  static const char to_bob[]
      = PLAN (SEND ("a", "{\"trace\":\"" SECRET "!\",\"to\":\"bob\",\"token\":\"" SECRET "\"}"), TRUE_B);

  g_assert_true (may_become ("{\"n\":{\"access\":\"read-only\"}}", to_bob));
  g_assert_false (may_become ("{\"to\":{\"access\":\"read-only\"}}", to_bob));
  g_assert_false (may_become ("{\"to\":{\"access\":\"editable\",\"pinned\":\"ada\"}}", to_bob));
  g_assert_false (may_become ("{\"to\":{\"access\":\"editable\",\"allowed\":[\"ada\",\"eve\"]}}", to_bob));
  g_assert_true (may_become ("{\"to\":{\"access\":\"editable\",\"allowed\":[\"ada\",\"bob\"]}}", to_bob));
  g_assert_true (may_become ("{\"to\":{\"access\":\"read-only\"}}", PLAN (TRUE_B, TRUE_A)));
  g_assert_false (may_become ("{\"to\":{\"access\":\"masked\"}}", to_bob));
  g_assert_false (may_become ("{\"to\":{\"access\":\"hidden\"}}", to_bob));
}

/* The text tells that a value changed, and not the value: others read it, too. */
static void
test_tell (void)
{
  g_autoptr (BeckonPlanParameters) self = make ();
  g_autoptr (BeckonPlan) proposed = parse (PLAN (TRUE_A, SEND ("d", "{\"token\":\"" SECRET "\",\"to\":\"eve\"}")));
  g_autoptr (BeckonPlan) plan = parse (PLAN (TRUE_A, SEND ("d", "{\"token\":\"typed\",\"to\":\"eve\"}")));
  g_autofree char *document = NULL;
  g_autofree char *before = NULL;

  beckon_plan_parameters_tell (self, plan, proposed);
  document = beckon_plan_to_json (plan);
  before = beckon_plan_to_json (proposed);
  g_assert_cmpstr (document, ==, PLAN (SHOWN_A, SEND ("d", "{\"token\":\"" MASK " (another value)\",\"to\":\"eve\"}")));
  g_assert_cmpstr (before, ==, PLAN (SHOWN_A, SEND ("d", "{\"token\":\"" MASK "\",\"to\":\"eve\"}")));
}

/* --- Requests ----------------------------------------------------------------------------------------------------- */

static BeckonRequest *
make_request (void)
{
  g_autoptr (BeckonPlan) plan = parse (PLAN (TRUE_A, TRUE_B));
  BeckonRequest *request = beckon_plan_request_new ("r", "c", "m", "k", plan, 1);

  beckon_request_set_redacted (request, REDACTED);
  return request;
}

static void
assert_shown_plan (BeckonRequest *request)
{
  g_autoptr (BeckonPlan) shown = beckon_request_dup_shown_plan (request);
  g_autofree char *document = beckon_plan_to_json (shown);
  g_autofree char *whole = beckon_plan_to_json (beckon_request_get_plan (request));

  g_assert_cmpstr (document, ==, PLAN (SHOWN_A, TRUE_B));
  g_assert_cmpstr (whole, ==, PLAN (TRUE_A, TRUE_B));
}

/* Read back from the store it hides the same, whether it is a plan or a step of one. */
static void
test_stored (void)
{
  g_autoptr (BeckonRequest) request = make_request ();
  g_autofree char *body = beckon_request_dup_body (request);
  g_autoptr (BeckonRequest) stored = beckon_request_new_from_body ("r", "c", "m", "k", "plan", body, 1, NULL);
  g_autoptr (BeckonRequest) step = beckon_approval_request_new ("s", "c", "m", "k", "look", "{}", NULL, 1);
  g_autoptr (BeckonRequest) stored_step = NULL;
  g_autofree char *arguments = NULL;
  g_autofree char *step_body = NULL;

  assert_shown_plan (stored);
  arguments = beckon_request_dup_shown_arguments (stored);
  g_assert_cmpstr (arguments, ==, PLAN (SHOWN_A, TRUE_B));
  beckon_request_set_step (step, beckon_request_get_plan (request), "b");
  beckon_request_set_plan_redacted (step, REDACTED);
  step_body = beckon_request_dup_body (step);
  stored_step = beckon_request_new_from_body ("s", "c", "m", "k", "approval", step_body, 1, NULL);
  assert_shown_plan (stored_step);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static gboolean
settle (BeckonInbox *inbox, BeckonRequest *request, const char *document, GError **error)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_PLAN, document);
  g_autoptr (GAsyncResult) result = NULL;

  beckon_inbox_settle_async (inbox, beckon_request_get_id (request), answer, "window", "ana", NULL, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return beckon_inbox_settle_finish (inbox, result, error);
}

/* The true plan is committed, and the answer tells what the person saw. */
static void
test_settled (void)
{
  g_autoptr (TestLedger) ledger = test_ledger_new ();
  TestJournal *journal = test_journal_new (ledger);
  BeckonClock *clock = beckon_clock_new_manual (1);
  BeckonInbox *inbox = beckon_inbox_new (BECKON_REQUEST_STORE (journal), clock);
  g_autoptr (BeckonRequest) request = make_request ();
  g_autoptr (BeckonAnswer) shown = NULL;
  g_autoptr (GError) error = NULL;

  test_ledger_add (ledger, request);
  beckon_inbox_add (inbox, request);
  g_assert_false (settle (inbox, request, PLAN (SHOWN_A, SEND ("c", "{\"token\":\"" MASK "\"}")), &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_assert_true (settle (inbox, request, PLAN (TRUE_B, SHOWN_A), NULL));
  g_assert_cmpstr (test_ledger_get_settlement (ledger, "r")->plan, ==, PLAN (TRUE_B, TRUE_A));
  shown = beckon_request_dup_shown_answer (request);
  g_assert_cmpstr (shown->text, ==, PLAN (TRUE_B, SHOWN_A));
  g_clear_object (&inbox);
  g_clear_object (&clock);
  g_clear_object (&journal);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/text", test_text);
  g_test_add_func ("/plan/show", test_show);
  g_test_add_func ("/plan/closed", test_closed);
  g_test_add_func ("/plan/restore", test_restore);
  g_test_add_func ("/plan/refused", test_refused);
  g_test_add_func ("/plan/not-changed", test_not_changed);
  g_test_add_func ("/plan/closed-is-not-changed", test_closed_is_not_changed);
  g_test_add_func ("/plan/tell", test_tell);
  g_test_add_func ("/plan/stored", test_stored);
  g_test_add_func ("/plan/settled", test_settled);
  return g_test_run ();
}
