/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan-private.h"

#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"

#include <string.h>

/* The document of a plan. A model's is read as it is meant; a person's as it is written. */

#define MAX_TITLE 500
#define MAX_EXPECT 2000

typedef struct
{
  BeckonPlan *plan;
  BeckonPlanSource source;
  BeckonPlanFault *fault;
} Reading;

static gboolean
refuse_step (Reading *reading, BeckonPlanFaultKind kind, const char *detail)
{
  beckon_plan_refuse (reading->plan, reading->fault, kind, -1, -1, detail);
  if (reading->fault != NULL)
    reading->fault->step = reading->plan->steps->len + 1;
  return FALSE;
}

/* A line of at most this many characters: what a model writes of a step never looks like the next one. */
static char *
plan_json_dup_line (const BeckonJsonValue *value, glong max)
{
  const char *text = beckon_json_value_get_string (value);
  g_autoptr (GString) line = g_string_new (NULL);
  glong n = 0;

  for (; text != NULL && *text != '\0' && n < max; text = g_utf8_next_char (text))
    {
      const gunichar character = g_utf8_get_char (text);
      const gboolean is_blank = g_unichar_isspace (character) || g_unichar_iscntrl (character);

      if (is_blank && (line->len == 0 || line->str[line->len - 1] == ' '))
        continue;
      g_string_append_unichar (line, is_blank ? ' ' : character);
      n++;
    }
  g_strchomp (line->str);
  return *line->str != '\0' ? g_strdup (line->str) : NULL;
}

/* Reads a member of the plan, or of the step that is being read. */
static gboolean
plan_json_read_word (Reading *reading, const BeckonJsonValue *object, const char *name, const char *(*to_string) (guint),
                     guint n,
                     guint *value)
{
  const BeckonJsonValue *member = beckon_json_value_get (object, name);
  const char *word = beckon_json_value_get_string (member);
  g_autoptr (GString) known = NULL;

  if (member == NULL || reading->source == BECKON_PLAN_FROM_MODEL)
    return TRUE;
  for (guint i = 0; word != NULL && i < n; i++)
    if (g_str_equal (word, to_string (i)))
      {
        *value = i;
        return TRUE;
      }
  known = g_string_new (name);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (known, "%s%s", i == 0 ? ": " : ", ", to_string (i));
  if (beckon_json_value_get (object, "steps") == NULL)
    return refuse_step (reading, BECKON_PLAN_FAULT_BAD_WORD, known->str);
  return beckon_plan_refuse (reading->plan, reading->fault, BECKON_PLAN_FAULT_BAD_WORD, -1, -1, known->str);
}

static const char *
get_status_word (guint value)
{
  return beckon_step_status_to_string ((BeckonStepStatus) value);
}

static const char *
get_pause_word (guint value)
{
  return beckon_plan_pause_to_string ((BeckonPlanPause) value);
}

static const char *
get_failure_word (guint value)
{
  return beckon_plan_failure_to_string ((BeckonPlanFailure) value);
}

/* Models write an object, or its text in a string, or nothing where there is nothing to say. */
static char *
plan_json_read_arguments (Reading *reading, const BeckonJsonValue *value)
{
  const char *text = beckon_json_value_get_string (value);
  g_autoptr (BeckonJsonValue) parsed = NULL;

  if (value == NULL || value->kind == BECKON_JSON_VALUE_NULL)
    return g_strdup ("{}");
  if (value->kind == BECKON_JSON_VALUE_OBJECT)
    return beckon_json_value_print (value);
  if (reading->source == BECKON_PLAN_FROM_MODEL && text != NULL)
    parsed = beckon_json_value_parse (text, -1, NULL);
  if (parsed != NULL && parsed->kind == BECKON_JSON_VALUE_OBJECT)
    return beckon_json_value_print (parsed);
  refuse_step (reading, BECKON_PLAN_FAULT_ARGUMENTS, NULL);
  return NULL;
}

/* A number is an id too, and a step without one is called by its place. */
static char *
read_id (Reading *reading, const BeckonJsonValue *value)
{
  const char *id = beckon_json_value_get_string (value);

  if (id != NULL && *id != '\0')
    return g_strdup (id);
  if (value != NULL && value->kind == BECKON_JSON_VALUE_NUMBER)
    return g_strdup (value->text->str);
  return g_strdup_printf ("%u", reading->plan->steps->len + 1);
}

static gboolean
plan_json_read_step (Reading *reading, const BeckonJsonValue *object)
{
  g_autoptr (BeckonPlanStep) step = g_new0 (BeckonPlanStep, 1);
  const BeckonJsonValue *breakpoint = beckon_json_value_get (object, "breakpoint");
  guint status = BECKON_STEP_PENDING;

  if (object->kind != BECKON_JSON_VALUE_OBJECT)
    return refuse_step (reading, BECKON_PLAN_FAULT_NOT_JSON, NULL);
  step->id = read_id (reading, beckon_json_value_get (object, "id"));
  step->tool = g_strdup (beckon_json_value_get_string (beckon_json_value_get (object, "tool")));
  step->expect = plan_json_dup_line (beckon_json_value_get (object, "expect"), MAX_EXPECT);
  if (step->tool == NULL)
    return refuse_step (reading, BECKON_PLAN_FAULT_NO_TOOL, NULL);
  step->arguments = plan_json_read_arguments (reading, beckon_json_value_get (object, "arguments"));
  if (step->arguments == NULL
      || !plan_json_read_word (reading, object, "status", get_status_word, BECKON_STEP_NOT_SAVED + 1, &status))
    return FALSE;
  step->status = (BeckonStepStatus) status;
  step->breakpoint = reading->source == BECKON_PLAN_FROM_PERSON && breakpoint != NULL
                     && breakpoint->kind == BECKON_JSON_VALUE_TRUE;
  g_ptr_array_add (reading->plan->steps, g_steal_pointer (&step));
  return TRUE;
}

static gboolean
read_plan (Reading *reading, const BeckonJsonValue *object)
{
  const BeckonJsonValue *steps = beckon_json_value_get (object, "steps");
  g_autofree char *title = plan_json_dup_line (beckon_json_value_get (object, "title"), MAX_TITLE);
  guint pause = BECKON_PAUSE_POLICY, on_failure = BECKON_ON_FAILURE_STOP;

  if (object->kind != BECKON_JSON_VALUE_OBJECT)
    return beckon_plan_refuse (reading->plan, reading->fault, BECKON_PLAN_FAULT_NOT_JSON, -1, -1, NULL);
  if (steps == NULL || steps->kind != BECKON_JSON_VALUE_ARRAY || beckon_json_value_get_n_children (steps) == 0)
    return beckon_plan_refuse (reading->plan, reading->fault, BECKON_PLAN_FAULT_NO_STEPS, -1, -1, NULL);
  if (beckon_json_value_get_n_children (steps) > BECKON_PLAN_MAX_STEPS)
    return beckon_plan_refuse (reading->plan, reading->fault, BECKON_PLAN_FAULT_TOO_MANY_STEPS, -1, -1, NULL);
  if (title != NULL)
    {
      g_free (reading->plan->title);
      reading->plan->title = g_steal_pointer (&title);
    }
  if (!plan_json_read_word (reading, object, "pause", get_pause_word, BECKON_PAUSE_EVERY_STEP + 1, &pause)
      || !plan_json_read_word (reading, object, "on_failure", get_failure_word, BECKON_ON_FAILURE_REPLAN + 1, &on_failure))
    return FALSE;
  reading->plan->pause = (BeckonPlanPause) pause;
  reading->plan->on_failure = (BeckonPlanFailure) on_failure;
  for (guint i = 0; i < beckon_json_value_get_n_children (steps); i++)
    if (!plan_json_read_step (reading, beckon_json_value_get_child (steps, i)))
      return FALSE;
  return TRUE;
}

/* A document of a plan that is over is one too. */
static gboolean
is_sound (const BeckonPlan *plan, BeckonPlanFault *fault)
{
  g_auto (BeckonPlanFault) found = { 0 };
  gboolean sound = beckon_plan_check (plan, &found);

  if (sound || found.kind == BECKON_PLAN_FAULT_NOTHING_LEFT)
    return TRUE;
  if (fault != NULL)
    {
      *fault = found;
      memset (&found, 0, sizeof found);
    }
  return FALSE;
}

/* Stored plans stay readable whatever became of their steps: only the shape is checked. */
static gboolean
has_shape (const BeckonPlan *plan, BeckonPlanFault *fault)
{
  g_autoptr (BeckonPlan) shape = beckon_plan_copy (plan);

  for (guint i = 0; i < shape->steps->len; i++)
    ((BeckonPlanStep *) g_ptr_array_index (shape->steps, i))->status = BECKON_STEP_COMPLETED;
  return is_sound (shape, fault);
}

BeckonPlan *
beckon_plan_parse (const char *json, BeckonPlanSource source, BeckonPlanFault *fault)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_new (NULL);
  g_autoptr (BeckonJsonValue) value = NULL;
  g_autoptr (GError) error = NULL;
  Reading reading = { .plan = plan, .source = source, .fault = fault };

  g_return_val_if_fail (json != NULL, NULL);

  if (strlen (json) > BECKON_PLAN_MAX_BYTES)
    {
      beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_TOO_LARGE, -1, -1, NULL);
      return NULL;
    }
  value = beckon_json_value_parse (json, -1, &error);
  if (value == NULL)
    {
      beckon_plan_refuse (plan, fault, BECKON_PLAN_FAULT_NOT_JSON, -1, -1, error->message);
      return NULL;
    }
  if (!read_plan (&reading, value)
      || !(source == BECKON_PLAN_FROM_MODEL ? is_sound (plan, fault) : has_shape (plan, fault)))
    return NULL;
  return g_steal_pointer (&plan);
}

static char *
write_plan (const BeckonPlan *plan, const char *line, const char *indented, const char *colon)
{
  g_autoptr (GString) text = g_string_new ("{");
  BeckonJsonWriter writer;

  g_string_append_printf (text, "%s\"title\":%s", line, colon);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_string (&writer, plan->title, -1);
  g_string_append_printf (text, ",%s\"pause\":%s\"%s\"", line, colon, beckon_plan_pause_to_string (plan->pause));
  g_string_append_printf (text, ",%s\"on_failure\":%s\"%s\"", line, colon,
                          beckon_plan_failure_to_string (plan->on_failure));
  g_string_append_printf (text, ",%s\"steps\":%s[", line, colon);
  for (guint i = 0; i < plan->steps->len; i++)
    {
      const BeckonPlanStep *step;

      g_string_append_printf (text, "%s%s", i > 0 ? "," : "", indented);

      step = beckon_plan_get_step (plan, i);
      beckon_json_writer_init (&writer, text);
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "id", step->id);
      beckon_json_writer_member_string (&writer, "tool", step->tool);
      beckon_json_writer_name (&writer, "arguments");
      beckon_json_writer_raw (&writer, step->arguments, -1);
      if (step->expect != NULL)
        beckon_json_writer_member_string (&writer, "expect", step->expect);
      if (step->breakpoint)
        beckon_json_writer_member_boolean (&writer, "breakpoint", TRUE);
      beckon_json_writer_member_string (&writer, "status", beckon_step_status_to_string (step->status));
      beckon_json_writer_end_object (&writer);
    }
  g_string_append_printf (text, "%s]%s}", line, *line != '\0' ? "\n" : "");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_plan_to_json (const BeckonPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);

  return write_plan (plan, "", "", "");
}

char *
beckon_plan_to_text (const BeckonPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);

  return write_plan (plan, "\n  ", "\n    ", " ");
}
