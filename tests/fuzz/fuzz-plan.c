/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "domain/beckon-plan-fault.h"
#include "domain/beckon-plan-reference.h"
#include "fuzz.h"

/* Every earlier step has given what the next one may refer to. */
static void
give_results (BeckonPlan *plan)
{
  static const char *const results[] = { "plain", "{\"a\":[1,{\"b\":\"x\"}]}", "[true,null]", "\"text\"", "" };

  for (guint i = 0; i < plan->steps->len; i++)
    {
      BeckonPlanStep *step = g_ptr_array_index (plan->steps, i);

      step->status = BECKON_STEP_COMPLETED;
      g_free (step->result);
      step->result = g_strdup (results[i % G_N_ELEMENTS (results)]);
    }
}

/* References become JSON, and the fault of one can be said. */
static void
resolve_all (const BeckonPlan *plan)
{
  for (guint i = 0; i < plan->steps->len; i++)
    {
      g_auto (BeckonPlanFault) fault = { 0 };
      g_autofree char *resolved = beckon_plan_resolve (plan, i, &fault);
      g_autofree char *words = resolved == NULL ? beckon_plan_fault_to_words (&fault, TRUE) : NULL;

      g_assert_true (resolved != NULL ? beckon_json_check (resolved, -1, NULL) : g_utf8_validate (words, -1, NULL));
    }
}

static void
check_round_trip (const BeckonPlan *plan)
{
  g_autofree char *json = beckon_plan_to_json (plan);
  g_autoptr (BeckonPlan) again = beckon_plan_parse (json, BECKON_PLAN_FROM_PERSON, NULL);

  g_assert_true (beckon_json_check (json, -1, NULL));
  g_assert_true (again == NULL || beckon_plan_equal (plan, again));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_utf8_make_valid ((const char *) data, (gssize) size);

  for (int source = BECKON_PLAN_FROM_MODEL; source <= (int) BECKON_PLAN_FROM_PERSON; source++)
    {
      g_auto (BeckonPlanFault) fault = { 0 };
      g_autoptr (BeckonPlan) plan = beckon_plan_parse (text, (BeckonPlanSource) source, &fault);
      g_autofree char *readable = NULL;

      if (plan == NULL)
        continue;
      check_round_trip (plan);
      give_results (plan);
      resolve_all (plan);
      readable = beckon_plan_make_readable (plan, text);
      g_assert_true (g_utf8_validate (readable, -1, NULL));
    }

  {
    g_auto (BeckonPlanFault) fault = { 0 };
    g_autoptr (GPtrArray) references = beckon_plan_list_references (text, &fault);

    g_assert_true (references != NULL || fault.kind != BECKON_PLAN_FAULT_NONE);
  }
  return 0;
}
