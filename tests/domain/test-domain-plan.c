/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plans: how they are read, what references mean, what a person may do to one, and what the model is told of it. Random
 * plans under random edits keep what holds for every plan.
 */
#include "base/beckon-json.h"
#include "domain/beckon-plan-reference.h"
#include "domain/beckon-plan-report.h"
#include "domain/beckon-plan.h"
#include "domain/beckon-progress.h"

static BeckonPlan *
parse (const char *json)
{
  g_auto (BeckonPlanFault) fault = { 0 };
  BeckonPlan *plan = beckon_plan_parse (json, BECKON_PLAN_FROM_MODEL, &fault);

  if (plan == NULL)
    {
      g_autofree char *words = beckon_plan_fault_to_words (&fault, FALSE);

      g_error ("%s: %s", json, words);
    }
  return plan;
}

static void
assert_refused (const char *json, BeckonPlanFaultKind kind, const char *words)
{
  g_auto (BeckonPlanFault) fault = { 0 };
  g_autofree char *said = NULL;

  g_assert_null (beckon_plan_parse (json, BECKON_PLAN_FROM_MODEL, &fault));
  said = beckon_plan_fault_to_words (&fault, FALSE);
  if (fault.kind != kind || strstr (said, words) == NULL)
    g_error ("%s: fault %d, “%s”; expected %d, “%s”", json, fault.kind, said, kind, words);
}

static BeckonPlanStep *
step_of (BeckonPlan *plan, const char *id)
{
  int index = beckon_plan_find (plan, id);

  g_assert_cmpint (index, >=, 0);
  return g_ptr_array_index (plan->steps, (guint) index);
}

static void
finish (BeckonPlan *plan, const char *id, BeckonStepStatus status, const char *result)
{
  BeckonPlanStep *step = step_of (plan, id);

  step->status = status;
  g_free (step->result);
  step->result = g_strdup (result);
}

static char *
dup_order (const BeckonPlan *plan)
{
  g_autoptr (GString) order = g_string_new (NULL);

  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    g_string_append_printf (order, "%s%s", i > 0 ? " " : "", beckon_plan_get_step (plan, i)->id);
  return g_string_free (g_steal_pointer (&order), FALSE);
}

static void
assert_order (const BeckonPlan *plan, const char *order)
{
  g_autofree char *found = dup_order (plan);

  g_assert_cmpstr (found, ==, order);
}

#define THREE                                                                                                          \
  "{\"title\":\"Report\",\"steps\":[{\"id\":\"a\",\"tool\":\"read_file\",\"arguments\":{\"path\":\"x\"}},"              \
  "{\"id\":\"b\",\"tool\":\"run_command\",\"arguments\":{\"command\":\"wc {{step.a.result}}\"},\"expect\":\"a number\"}," \
  "{\"id\":\"c\",\"tool\":\"write_file\",\"arguments\":{\"path\":\"y\"}}]}"

static void
test_reading (void)
{
  g_autoptr (BeckonPlan) plan = parse (THREE);
  g_autoptr (BeckonPlan) loose = parse ("{\"steps\":[{\"tool\":\"t\"},{\"id\":7,\"tool\":\"u\",\"arguments\":\"{\\\"n\\\":1}\","
                                        "\"status\":\"completed\",\"breakpoint\":true}],\"pause\":\"every-step\"}");

  g_assert_cmpstr (plan->title, ==, "Report");
  g_assert_cmpint (plan->pause, ==, BECKON_PAUSE_POLICY);
  g_assert_cmpstr (beckon_plan_get_step (plan, 1)->expect, ==, "a number");
  g_assert_cmpstr (beckon_plan_get_step (plan, 0)->arguments, ==, "{\"path\":\"x\"}");

  /* A model doesn't decide what is done, or where a plan pauses. */
  assert_order (loose, "1 7");
  g_assert_cmpint (loose->pause, ==, BECKON_PAUSE_POLICY);
  g_assert_cmpint (beckon_plan_get_step (loose, 1)->status, ==, BECKON_STEP_PENDING);
  g_assert_false (beckon_plan_get_step (loose, 1)->breakpoint);
  g_assert_cmpstr (beckon_plan_get_step (loose, 1)->arguments, ==, "{\"n\":1}");
}

static void
test_refusing (void)
{
  g_auto (BeckonPlanFault) fault = { 0 };
  g_autofree char *words = NULL;

  /* A fault of the plan itself is said of no step. */
  g_assert_null (beckon_plan_parse ("{\"pause\":\"often\",\"steps\":[{\"id\":\"a\",\"tool\":\"t\"}]}",
                                    BECKON_PLAN_FROM_PERSON, &fault));
  words = beckon_plan_fault_to_words (&fault, TRUE);
  g_assert_cmpstr (words, ==, "This is not one of the allowed words. (pause: policy, breakpoints, every-step)");
  assert_refused ("[]", BECKON_PLAN_FAULT_NOT_JSON, "not a plan");
  assert_refused ("{", BECKON_PLAN_FAULT_NOT_JSON, "not a plan");
  assert_refused ("{\"steps\":[]}", BECKON_PLAN_FAULT_NO_STEPS, "no steps");
  assert_refused ("{\"steps\":[{\"id\":\"a\"}]}", BECKON_PLAN_FAULT_NO_TOOL, "Step 1");
  assert_refused ("{\"steps\":[{\"id\":\"a b\",\"tool\":\"t\"}]}", BECKON_PLAN_FAULT_BAD_ID, "a b");
  assert_refused ("{\"steps\":[{\"id\":\"a\",\"tool\":\"t\"},{\"id\":\"a\",\"tool\":\"t\"}]}", BECKON_PLAN_FAULT_SAME_ID,
                  "the same id");
  assert_refused ("{\"steps\":[{\"id\":\"a\",\"tool\":\"t\",\"arguments\":[1]}]}", BECKON_PLAN_FAULT_ARGUMENTS, "Step 1");
}

#define STEP(id, text) "{\"id\":\"" id "\",\"tool\":\"t\",\"arguments\":{\"x\":\"" text "\"}}"
#define TWO(first, second) "{\"steps\":[" STEP ("a", first) "," STEP ("b", second) "]}"

static void
test_references_refused (void)
{
  assert_refused (TWO ("{{step.z.result}}", ""), BECKON_PLAN_FAULT_UNKNOWN_STEP, "(z)");
  assert_refused (TWO ("{{step.a.result}}", ""), BECKON_PLAN_FAULT_ITSELF, "Step 1");
  assert_refused (TWO ("{{step.b.result}}", ""), BECKON_PLAN_FAULT_LATER_STEP, "Step 2");
  assert_refused (TWO ("{{step.b.result}}", "{{step.a.result}}"), BECKON_PLAN_FAULT_CYCLE, "each other");
  assert_refused (TWO ("", "{{step.a.output}}"), BECKON_PLAN_FAULT_REFERENCE, "step.a.output");
  assert_refused (TWO ("", "{{step.a.result"), BECKON_PLAN_FAULT_REFERENCE, "written");
  assert_refused (TWO ("", "{{step.a.result.}}"), BECKON_PLAN_FAULT_REFERENCE, "written");
  assert_refused (TWO ("", "{{step.a.result[01]}}"), BECKON_PLAN_FAULT_REFERENCE, "written");
  assert_refused (TWO ("", "{{step.a.result[-1]}}"), BECKON_PLAN_FAULT_REFERENCE, "written");
  assert_refused (TWO ("", "{{step.a.result[*]}}"), BECKON_PLAN_FAULT_REFERENCE, "written");
  assert_refused (TWO ("", "{{step..result}}"), BECKON_PLAN_FAULT_REFERENCE, "written");
}

static void
assert_resolves (const char *result, const char *arguments, const char *expected)
{
  g_autofree char *json = g_strdup_printf ("{\"steps\":[{\"id\":\"a\",\"tool\":\"t\"},"
                                           "{\"id\":\"b\",\"tool\":\"t\",\"arguments\":%s}]}", arguments);
  g_autoptr (BeckonPlan) plan = parse (json);
  g_auto (BeckonPlanFault) fault = { 0 };
  g_autofree char *resolved = NULL;

  finish (plan, "a", BECKON_STEP_COMPLETED, result);
  resolved = beckon_plan_resolve (plan, 1, &fault);
  g_assert_cmpstr (resolved, ==, expected);
  if (expected == NULL)
    g_assert_cmpint (fault.kind, !=, BECKON_PLAN_FAULT_NONE);
}

#define FILES "{\"files\":[{\"name\":\"one\",\"size\":12345678901234567890},{\"a b\":null}],\"ok\":true}"

static void
test_resolving (void)
{
  assert_resolves ("plain", "{\"x\":1.50}", "{\"x\":1.50}");
  assert_resolves ("a \"b\"\n", "{\"x\":\"{{step.a.result}}\"}", "{\"x\":\"a \\\"b\\\"\\n\"}");
  assert_resolves ("7", "{\"x\":\"<{{ step.a.result }}>{{step.a.result}}\"}", "{\"x\":\"<7>7\"}");
  assert_resolves (FILES, "{\"x\":\"{{step.a.result.files[0].name}}\"}", "{\"x\":\"one\"}");
  /* A text that is only a reference becomes the value, whatever it is, to the last digit. */
  assert_resolves (FILES, "{\"x\":\"{{step.a.result.files[0].size}}\"}", "{\"x\":12345678901234567890}");
  assert_resolves (FILES, "{\"x\":[\"{{step.a.result.files[1]}}\"]}", "{\"x\":[{\"a b\":null}]}");
  assert_resolves (FILES, "{\"x\":\"n={{step.a.result.files[0].size}}\"}", "{\"x\":\"n=12345678901234567890\"}");
  assert_resolves (FILES, "{\"x\":\"{{step.a.result[\\\"files\\\"][1][\\\"a b\\\"]}}\"}", "{\"x\":null}");
  assert_resolves (FILES, "{\"{{step.a.result.files[0].name}}\":1}", "{\"one\":1}");
  /* The text of a result is not resolved again, and other braces are not ours. */
  assert_resolves ("{{step.b.result}}", "{\"x\":\"{{step.a.result}}\"}", "{\"x\":\"{{step.b.result}}\"}");
  assert_resolves ("v", "{\"x\":\"{{ name }} {{{step.a.result}}}\"}", "{\"x\":\"{{ name }} {v}\"}");

  assert_resolves ("plain", "{\"x\":\"{{step.a.result.name}}\"}", NULL);
  assert_resolves (FILES, "{\"x\":\"{{step.a.result.files[2]}}\"}", NULL);
  assert_resolves (FILES, "{\"x\":\"{{step.a.result.files.name}}\"}", NULL);
  assert_resolves (FILES, "{\"x\":\"{{step.a.result.none}}\"}", NULL);
  assert_resolves ("y", "{\"y\":1,\"{{step.a.result}}\":2}", NULL);
}

/* Hundreds of references to a large result would be more than there is memory for, thousands take too long. */
static void
test_much_resolved (void)
{
  g_autofree char *large = g_strnfill (1024 * 1024, 'r');
  g_autoptr (GString) few = g_string_new ("{\"x\":\"");
  g_autoptr (GString) many = g_string_new ("{\"x\":\"");

  for (guint i = 0; i < 5000; i++)
    g_string_append (i < 500 ? few : many, "{{step.a.result}}");
  g_string_append (few, "\"}");
  g_string_append (many, "\"}");
  assert_resolves (large, few->str, NULL);
  assert_resolves ("r", many->str, NULL);
}

static void
test_sources (void)
{
  const struct
  {
    BeckonStepStatus status;
    BeckonPlanFaultKind kind;
  } sources[] = {
    { BECKON_STEP_FAILED, BECKON_PLAN_FAULT_FAILED_STEP },
    { BECKON_STEP_SKIPPED, BECKON_PLAN_FAULT_SKIPPED_STEP },
    { BECKON_STEP_PENDING, BECKON_PLAN_FAULT_OPEN_STEP },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autoptr (BeckonPlan) plan = parse (THREE);
      g_auto (BeckonPlanFault) fault = { 0 };

      finish (plan, "a", sources[i].status, "r");
      g_assert_null (beckon_plan_resolve (plan, 1, &fault));
      g_assert_cmpint (fault.kind, ==, sources[i].kind);
      g_assert_cmpuint (fault.step, ==, 2);
      g_assert_cmpuint (fault.other, ==, 1);
    }
}

static void
test_readable (void)
{
  g_autoptr (BeckonPlan) plan = parse (THREE);
  g_autofree char *readable = beckon_plan_make_readable (plan, "wc {{step.a.result.n}} {{step.gone.result}} {{x}}");

  g_assert_cmpstr (readable, ==, "wc ⟨result of step 1.n⟩ {{step.gone.result}} {{x}}");
}

static void
test_editing (void)
{
  g_autoptr (BeckonPlan) plan = parse (THREE);
  g_auto (BeckonPlanFault) fault = { 0 };
  const char *id;

  g_assert_false (beckon_plan_delete (plan, "a", &fault));
  g_assert_cmpint (fault.kind, ==, BECKON_PLAN_FAULT_USED);
  g_assert_cmpuint (fault.other, ==, 2);
  g_assert_false (beckon_plan_set_skipped (plan, "a", TRUE, &fault));

  g_assert_true (beckon_plan_set_skipped (plan, "b", TRUE, NULL));
  g_assert_true (beckon_plan_delete (plan, "a", NULL));
  assert_order (plan, "b c");
  /* Taken back, it uses what is not there any more. */
  g_assert_true (beckon_plan_set_skipped (plan, "b", FALSE, NULL));
  g_assert_false (beckon_plan_check (plan, &fault));
  g_assert_cmpint (fault.kind, ==, BECKON_PLAN_FAULT_UNKNOWN_STEP);
  g_assert_true (beckon_plan_set_arguments (plan, "b", "{\"command\":\"wc y\"}", NULL));
  g_assert_true (beckon_plan_check (plan, NULL));

  id = beckon_plan_insert (plan, 1, NULL, "list_files", "{}", NULL, NULL);
  g_assert_nonnull (id);
  g_assert_cmpstr (beckon_plan_get_step (plan, 1)->id, ==, id);
  g_assert_null (beckon_plan_insert (plan, 0, "b", "list_files", "{}", NULL, &fault));
  g_assert_cmpint (fault.kind, ==, BECKON_PLAN_FAULT_SAME_ID);
  g_assert_null (beckon_plan_insert (plan, 0, NULL, "list_files", "[]", NULL, &fault));
  g_assert_cmpint (fault.kind, ==, BECKON_PLAN_FAULT_ARGUMENTS);
  g_assert_true (beckon_plan_move (plan, "c", 0, NULL));
  g_assert_true (g_str_has_prefix (beckon_plan_get_step (plan, 0)->id, "c"));
  g_assert_false (beckon_plan_delete (plan, "nope", &fault));
  g_assert_cmpint (fault.kind, ==, BECKON_PLAN_FAULT_NO_SUCH_STEP);
}

/* Steps that have begun stay; deleting the step that is next makes the one behind it the next. */
static void
test_under_way (void)
{
  g_autoptr (BeckonPlan) plan = parse (THREE);
  g_autoptr (BeckonPlan) before = NULL;
  g_autoptr (BeckonPlan) after = NULL;
  g_auto (BeckonPlanFault) fault = { 0 };

  finish (plan, "a", BECKON_STEP_COMPLETED, "1");
  g_assert_cmpint (beckon_plan_get_current (plan), ==, 1);
  before = beckon_plan_copy (plan);
  g_assert_true (beckon_plan_delete (plan, "b", NULL));
  g_assert_cmpint (beckon_plan_get_current (plan), ==, 1);
  g_assert_cmpstr (beckon_plan_get_step (plan, 1)->id, ==, "c");
  g_assert_true (beckon_plan_check_revision (before, plan, NULL));

  g_assert_false (beckon_plan_delete (plan, "a", &fault));
  g_assert_cmpint (fault.kind, ==, BECKON_PLAN_FAULT_BEGUN);
  g_assert_false (beckon_plan_move (plan, "c", 0, &fault));
  g_assert_cmpint (fault.kind, ==, BECKON_PLAN_FAULT_BEFORE_BEGUN);
  g_assert_null (beckon_plan_insert (plan, 0, NULL, "t", "{}", NULL, &fault));

  after = beckon_plan_copy (before);
  g_ptr_array_remove_index (after->steps, 0);
  g_assert_false (beckon_plan_check_revision (before, after, &fault));
  g_assert_cmpint (fault.kind, ==, BECKON_PLAN_FAULT_CHANGED_BEGUN);
  g_clear_pointer (&after, beckon_plan_free);
  after = beckon_plan_copy (before);
  step_of (after, "b")->status = BECKON_STEP_COMPLETED;
  g_assert_false (beckon_plan_check_revision (before, after, &fault));
}

static void
test_pauses (void)
{
  g_autoptr (BeckonPlan) plan = parse (THREE);

  plan->pause = BECKON_PAUSE_EVERY_STEP;
  g_assert_true (beckon_plan_pauses_before (plan, 0));
  plan->pause = BECKON_PAUSE_POLICY;
  g_assert_true (beckon_plan_set_breakpoint (plan, "c", TRUE, NULL));
  g_assert_false (beckon_plan_pauses_before (plan, 0));
  g_assert_true (beckon_plan_pauses_before (plan, 2));
  plan->pause = BECKON_PAUSE_POLICY;
  g_assert_false (beckon_plan_pauses_before (plan, 2));
}

static void
test_difference (void)
{
  g_autoptr (BeckonPlan) before = parse (THREE);
  g_autoptr (BeckonPlan) after = beckon_plan_copy (before);
  g_autofree char *none = beckon_plan_difference (before, after);
  g_autofree char *told = NULL;

  g_assert_null (none);
  g_assert_nonnull (beckon_plan_insert (after, 0, "look", "list_files", "{}", NULL, NULL));
  g_assert_true (beckon_plan_move (after, "c", 1, NULL));
  g_assert_true (beckon_plan_set_skipped (after, "b", TRUE, NULL));
  g_assert_true (beckon_plan_set_arguments (after, "c", "{\"path\":\"z\"}", NULL));
  after->pause = BECKON_PAUSE_EVERY_STEP;
  told = beckon_plan_difference (before, after);
  g_assert_cmpstr (told, ==,
                   "{\"inserted\":[{\"id\":\"look\",\"tool\":\"list_files\",\"arguments\":{},\"after\":null}],"
                   "\"skipped\":[\"b\"],\"changed\":[{\"id\":\"c\",\"arguments\":{\"from\":{\"path\":\"y\"},"
                   "\"to\":{\"path\":\"z\"}}}],\"order\":[\"c\",\"a\",\"b\"],\"pause\":\"every-step\"}");
}

static void
test_report (void)
{
  g_autoptr (BeckonPlan) plan = parse (THREE);
  g_autofree char *large = g_strnfill (1000000, 'x');
  g_autofree char *report = NULL;
  g_autoptr (JsonObject) read = NULL;
  JsonArray *steps;

  finish (plan, "a", BECKON_STEP_COMPLETED, large);
  finish (plan, "b", BECKON_STEP_FAILED, "no such file");
  g_assert_cmpuint (beckon_plan_count_done (plan), ==, 1);
  report = beckon_plan_report (plan, plan, "failed", "It failed.");
  g_assert_cmpuint (strlen (report), <, 200000);
  read = beckon_json_parse_object (report, -1, NULL);
  g_assert_nonnull (read);
  g_assert_cmpstr (beckon_json_get_string (read, "status"), ==, "failed");
  g_assert_false (json_object_has_member (read, "changed_by_the_user"));
  steps = beckon_json_get_array (read, "steps");
  g_assert_cmpuint (json_array_get_length (steps), ==, 3);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (steps, 1), "result"), ==, "no such file");
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (steps, 2), "status"), ==, "pending");
}

static void
test_progress (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps
      = beckon_progress_parse ("{\"steps\":[{\"title\":\"Look\",\"status\":\"completed\"},{\"title\":\"Do\",\"status\":"
                               "\"in_progress\"},\"Say\"]}", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (steps->len, ==, 3);
  g_assert_cmpuint (beckon_progress_count_done (steps), ==, 1);
  g_assert_cmpint (((BeckonProgressStep *) g_ptr_array_index (steps, 1))->status, ==, BECKON_STEP_EXECUTING);
  g_assert_null (beckon_progress_parse ("{\"steps\":[]}", &error));
  g_assert_nonnull (error);
}

/* Random plans, random edits. */

static char *
make_arguments (GRand *rand, const BeckonPlan *plan)
{
  guint n = beckon_plan_get_n_steps (plan);

  if (n > 0 && g_rand_boolean (rand))
    return g_strdup_printf ("{\"x\":\"%d {{step.%s.result}}\"}", g_rand_int_range (rand, 0, 9),
                            beckon_plan_get_step (plan, (guint) g_rand_int_range (rand, 0, (gint32) n))->id);
  return g_strdup_printf ("{\"x\":%d}", g_rand_int_range (rand, 0, 1000));
}

static BeckonPlan *
make_plan (GRand *rand)
{
  BeckonPlan *plan = beckon_plan_new ("Random “plan”");
  guint n = (guint) g_rand_int_range (rand, 1, 9);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *arguments = make_arguments (rand, plan);

      g_assert_nonnull (beckon_plan_insert (plan, i, NULL, "t", arguments, i % 2 == 0 ? "something" : NULL, NULL));
    }
  for (guint i = 0; i < (guint) g_rand_int_range (rand, 0, (gint32) n); i++)
    finish (plan, beckon_plan_get_step (plan, i)->id, g_rand_int_range (rand, 0, 4) > 0 ? BECKON_STEP_COMPLETED : BECKON_STEP_FAILED,
            "{}");
  return plan;
}

static gboolean
edit (GRand *rand, BeckonPlan *plan, BeckonPlanFault *fault)
{
  guint n = beckon_plan_get_n_steps (plan);
  guint place = (guint) g_rand_int_range (rand, 0, (gint32) n + 2);
  g_autofree char *id = g_strdup (n > 0 ? beckon_plan_get_step (plan, place % n)->id : "none");
  g_autofree char *arguments = make_arguments (rand, plan);

  switch (g_rand_int_range (rand, 0, 7))
    {
    case 0:
      return beckon_plan_insert (plan, place, NULL, "u", arguments, NULL, fault) != NULL;
    case 1:
      return beckon_plan_delete (plan, id, fault);
    case 2:
      return beckon_plan_set_skipped (plan, id, g_rand_boolean (rand), fault);
    case 3:
      return n == 0 || beckon_plan_move (plan, id, (guint) g_rand_int_range (rand, 0, (gint32) n), fault);
    case 4:
      return beckon_plan_set_arguments (plan, id, arguments, fault);
    case 5:
      return beckon_plan_set_breakpoint (plan, id, g_rand_boolean (rand), fault);
    default:
      plan->pause = (BeckonPlanPause) g_rand_int_range (rand, 0, 3);
      plan->on_failure = (BeckonPlanFailure) g_rand_int_range (rand, 0, 3);
      return TRUE;
    }
}

static void
assert_round_trip (const BeckonPlan *plan)
{
  g_autofree char *json = beckon_plan_to_json (plan);
  g_autofree char *text = beckon_plan_to_text (plan);
  g_autoptr (BeckonPlan) one = beckon_plan_parse (json, BECKON_PLAN_FROM_PERSON, NULL);
  g_autoptr (BeckonPlan) other = beckon_plan_parse (text, BECKON_PLAN_FROM_PERSON, NULL);
  g_autofree char *again = NULL;

  g_assert_nonnull (one);
  g_assert_nonnull (other);
  g_assert_true (beckon_plan_equal (plan, one));
  g_assert_true (beckon_plan_equal (plan, other));
  again = beckon_plan_to_json (one);
  g_assert_cmpstr (json, ==, again);
}

/* A plan that can be run resolves step by step, whatever its steps give. */
static void
assert_runs (BeckonPlan *plan)
{
  int current;

  while ((current = beckon_plan_get_current (plan)) >= 0)
    {
      g_auto (BeckonPlanFault) fault = { 0 };
      g_autofree char *resolved = beckon_plan_resolve (plan, (guint) current, &fault);

      g_assert_cmpint (fault.kind, ==, BECKON_PLAN_FAULT_NONE);
      g_assert_true (beckon_json_check (resolved, -1, NULL));
      finish (plan, beckon_plan_get_step (plan, (guint) current)->id, BECKON_STEP_COMPLETED, "\\\"{{step.");
    }
}

static void
check_edited (const BeckonPlan *before, const BeckonPlan *plan)
{
  g_auto (BeckonPlanFault) fault = { 0 };
  g_autofree char *difference = beckon_plan_difference (before, plan);
  g_autoptr (BeckonPlan) running = beckon_plan_copy (plan);

  g_assert_true (beckon_plan_check_revision (before, plan, &fault));
  g_assert_true ((difference == NULL) == beckon_plan_equal (before, plan));
  g_assert_true (difference == NULL || beckon_json_check (difference, -1, NULL));
  if (beckon_plan_get_n_steps (plan) > 0)
    assert_round_trip (plan);
  if (beckon_plan_check (plan, &fault))
    assert_runs (running);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261121);
  guint n_edits = 0, n_refused = 0;

  for (guint round = 0; round < 400; round++)
    {
      g_autoptr (BeckonPlan) before = make_plan (rand);
      g_autoptr (BeckonPlan) plan = beckon_plan_copy (before);

      for (guint i = 0; i < 25; i++)
        {
          g_autoptr (BeckonPlan) last = beckon_plan_copy (plan);
          g_auto (BeckonPlanFault) fault = { 0 };

          n_edits++;
          if (!edit (rand, plan, &fault))
            {
              g_autofree char *words = beckon_plan_fault_to_words (&fault, TRUE);

              n_refused++;
              g_assert_true (beckon_plan_equal (last, plan));
              g_assert_cmpuint (strlen (words), >, 10);
            }
          check_edited (before, plan);
        }
    }
  g_test_message ("%u edits, %u of them refused", n_edits, n_refused);
  g_assert_cmpuint (n_refused, >, 100);
  g_assert_cmpuint (n_edits - n_refused, >, 1000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/reading", test_reading);
  g_test_add_func ("/plan/refusing", test_refusing);
  g_test_add_func ("/plan/references/refused", test_references_refused);
  g_test_add_func ("/plan/references/resolving", test_resolving);
  g_test_add_func ("/plan/references/much-resolved", test_much_resolved);
  g_test_add_func ("/plan/references/sources", test_sources);
  g_test_add_func ("/plan/references/readable", test_readable);
  g_test_add_func ("/plan/editing", test_editing);
  g_test_add_func ("/plan/under-way", test_under_way);
  g_test_add_func ("/plan/pauses", test_pauses);
  g_test_add_func ("/plan/difference", test_difference);
  g_test_add_func ("/plan/report", test_report);
  g_test_add_func ("/plan/progress", test_progress);
  g_test_add_func ("/plan/random", test_random);
  return g_test_run ();
}
