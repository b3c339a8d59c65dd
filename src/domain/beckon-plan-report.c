/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan-report.h"

#include "base/beckon-json-writer.h"

#include <string.h>

/* The limit for all results; each gets its share, and its unused rest is not passed on. */
#define MAX_RESULT_BYTES (128 * 1024)
#define MIN_RESULT_BYTES 2048

typedef struct
{
  const BeckonPlan *before;
  const BeckonPlan *after;
  BeckonJsonWriter writer;
  gboolean differs;
} Difference;

static void
plan_report_begin (Difference *difference, const char *name)
{
  beckon_json_writer_name (&difference->writer, name);
  difference->differs = TRUE;
}

static const BeckonPlanStep *
find_step (const BeckonPlan *plan, const char *id)
{
  int index = beckon_plan_find (plan, id);

  return index >= 0 ? beckon_plan_get_step (plan, (guint) index) : NULL;
}

typedef gboolean (*StepTest) (const BeckonPlanStep *step, const BeckonPlanStep *other);

static gboolean
is_missing (const BeckonPlanStep *step, const BeckonPlanStep *other)
{
  return other == NULL;
}

static gboolean
became_skipped (const BeckonPlanStep *step, const BeckonPlanStep *was)
{
  return step->status == BECKON_STEP_SKIPPED && was != NULL && was->status != BECKON_STEP_SKIPPED;
}

static gboolean
became_wanted (const BeckonPlanStep *step, const BeckonPlanStep *was)
{
  return step->status != BECKON_STEP_SKIPPED && was != NULL && was->status == BECKON_STEP_SKIPPED;
}

/* The ids in @plan that pass, if there are any. */
static void
write_ids (Difference *difference, const char *name, const BeckonPlan *plan, const BeckonPlan *other, StepTest test)
{
  gboolean any = FALSE;

  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (plan, i);

      if (!test (step, find_step (other, step->id)))
        continue;
      if (!any)
        {
          plan_report_begin (difference, name);
          beckon_json_writer_begin_array (&difference->writer);
        }
      any = TRUE;
      beckon_json_writer_string (&difference->writer, step->id, -1);
    }
  if (any)
    beckon_json_writer_end_array (&difference->writer);
}

static void
write_inserted (Difference *difference)
{
  gboolean any = FALSE;

  for (guint i = 0; i < beckon_plan_get_n_steps (difference->after); i++)
    {
      const BeckonPlanStep *step;
      BeckonJsonWriter *writer;

      if (beckon_plan_find (difference->before, beckon_plan_get_step (difference->after, i)->id) >= 0)
        continue;
      if (!any)
        {
          plan_report_begin (difference, "inserted");
          beckon_json_writer_begin_array (&difference->writer);
        }
      any = TRUE;
      step = beckon_plan_get_step (difference->after, i);
      writer = &difference->writer;
      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_string (writer, "id", step->id);
      beckon_json_writer_member_string (writer, "tool", step->tool);
      beckon_json_writer_name (writer, "arguments");
      beckon_json_writer_raw (writer, step->arguments, -1);
      beckon_json_writer_member_string (writer, "after", i > 0 ? beckon_plan_get_step (difference->after, i - 1)->id : NULL);
      beckon_json_writer_end_object (writer);
    }
  if (any)
    beckon_json_writer_end_array (&difference->writer);
}

static void
write_changed (Difference *difference)
{
  gboolean any = FALSE;

  for (guint i = 0; i < beckon_plan_get_n_steps (difference->after); i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (difference->after, i);
      const BeckonPlanStep *was = find_step (difference->before, step->id);
      BeckonJsonWriter *writer;

      if (was == NULL || (g_str_equal (was->tool, step->tool) && g_str_equal (was->arguments, step->arguments)))
        continue;
      if (!any)
        {
          plan_report_begin (difference, "changed");
          beckon_json_writer_begin_array (&difference->writer);
        }
      any = TRUE;
      writer = &difference->writer;
      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_string (writer, "id", step->id);
      if (!g_str_equal (was->tool, step->tool))
        {
          beckon_json_writer_name (writer, "tool");
          beckon_json_writer_begin_object (writer);
          beckon_json_writer_member_string (writer, "from", was->tool);
          beckon_json_writer_member_string (writer, "to", step->tool);
          beckon_json_writer_end_object (writer);
        }
      if (!g_str_equal (was->arguments, step->arguments))
        {
          beckon_json_writer_name (writer, "arguments");
          beckon_json_writer_begin_object (writer);
          beckon_json_writer_name (writer, "from");
          beckon_json_writer_raw (writer, was->arguments, -1);
          beckon_json_writer_name (writer, "to");
          beckon_json_writer_raw (writer, step->arguments, -1);
          beckon_json_writer_end_object (writer);
        }
      beckon_json_writer_end_object (writer);
    }
  if (any)
    beckon_json_writer_end_array (&difference->writer);
}

/* Lists ids in both, in the order of @plan: (element-type utf8), borrowed. */
static GPtrArray *
list_common (const BeckonPlan *plan, const BeckonPlan *other)
{
  GPtrArray *ids = g_ptr_array_new ();

  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    if (beckon_plan_find (other, beckon_plan_get_step (plan, i)->id) >= 0)
      g_ptr_array_add (ids, beckon_plan_get_step (plan, i)->id);
  return ids;
}

static void
write_order (Difference *difference)
{
  g_autoptr (GPtrArray) before = list_common (difference->before, difference->after);
  g_autoptr (GPtrArray) after = list_common (difference->after, difference->before);
  gboolean same = TRUE;

  for (guint i = 0; i < after->len; i++)
    same = same && g_str_equal (g_ptr_array_index (before, i), g_ptr_array_index (after, i));
  if (same)
    return;
  plan_report_begin (difference, "order");
  beckon_json_writer_begin_array (&difference->writer);
  for (guint i = 0; i < after->len; i++)
    beckon_json_writer_string (&difference->writer, g_ptr_array_index (after, i), -1);
  beckon_json_writer_end_array (&difference->writer);
}

static void
write_breakpoints (Difference *difference)
{
  gboolean differs = FALSE;

  for (guint i = 0; i < beckon_plan_get_n_steps (difference->after); i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (difference->after, i);
      const BeckonPlanStep *was = find_step (difference->before, step->id);

      differs = differs || step->breakpoint != (was != NULL && was->breakpoint);
    }
  if (!differs)
    return;
  plan_report_begin (difference, "breakpoints");
  beckon_json_writer_begin_array (&difference->writer);
  for (guint i = 0; i < beckon_plan_get_n_steps (difference->after); i++)
    if (beckon_plan_get_step (difference->after, i)->breakpoint)
      beckon_json_writer_string (&difference->writer, beckon_plan_get_step (difference->after, i)->id, -1);
  beckon_json_writer_end_array (&difference->writer);
}

static void
write_choices (Difference *difference)
{
  const BeckonPlan *before = difference->before, *after = difference->after;

  if (before->pause != after->pause)
    {
      plan_report_begin (difference, "pause");
      beckon_json_writer_string (&difference->writer, beckon_plan_pause_to_string (after->pause), -1);
    }
  if (before->on_failure != after->on_failure)
    {
      plan_report_begin (difference, "on_failure");
      beckon_json_writer_string (&difference->writer, beckon_plan_failure_to_string (after->on_failure), -1);
    }
  if (!g_str_equal (before->title, after->title))
    {
      plan_report_begin (difference, "title");
      beckon_json_writer_string (&difference->writer, after->title, -1);
    }
}

char *
beckon_plan_difference (const BeckonPlan *before, const BeckonPlan *after)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Difference difference = { .before = before, .after = after };

  beckon_json_writer_init (&difference.writer, text);
  beckon_json_writer_begin_object (&difference.writer);
  write_inserted (&difference);
  write_ids (&difference, "deleted", before, after, is_missing);
  write_ids (&difference, "skipped", after, before, became_skipped);
  write_ids (&difference, "unskipped", after, before, became_wanted);
  write_changed (&difference);
  write_order (&difference);
  write_breakpoints (&difference);
  write_choices (&difference);
  beckon_json_writer_end_object (&difference.writer);
  return difference.differs ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Head and tail, because the one says what it is and the other how it ended. */
static char *
cut_middle (const char *result, gsize max)
{
  gsize length = strlen (result);
  const char *head, *tail;

  if (length <= max)
    return g_strdup (result);
  head = g_utf8_find_prev_char (result, result + max / 2);
  tail = g_utf8_find_next_char (result + length - max / 2, NULL);
  return g_strdup_printf ("%.*s\n[… %" G_GSIZE_FORMAT " bytes left out …]\n%s", (int) (head - result), result,
                          (gsize) (tail - head), tail);
}

char *
beckon_plan_report (const BeckonPlan *plan, const BeckonPlan *proposed, const char *status, const char *message)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *changes = NULL;
  BeckonJsonWriter writer;

  g_return_val_if_fail (plan != NULL && status != NULL, NULL);

  changes = proposed != NULL ? beckon_plan_difference (proposed, plan) : NULL;
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "status", status);
  if (message != NULL)
    beckon_json_writer_member_string (&writer, "message", message);
  if (changes != NULL)
    {
      beckon_json_writer_name (&writer, "changed_by_the_user");
      beckon_json_writer_raw (&writer, changes, -1);
    }
  beckon_json_writer_name (&writer, "steps");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < plan->steps->len; i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (plan, i);
      g_autofree char *result
        = step->result != NULL ? cut_middle (step->result, MAX (MAX_RESULT_BYTES / plan->steps->len, MIN_RESULT_BYTES)) : NULL;

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "id", step->id);
      beckon_json_writer_member_string (&writer, "tool", step->tool);
      beckon_json_writer_member_string (&writer, "status", beckon_step_status_to_string (step->status));
      if (result != NULL)
        beckon_json_writer_member_string (&writer, "result", result);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
