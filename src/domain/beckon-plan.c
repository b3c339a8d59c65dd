/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan.h"

#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "beckon-plan-reference.h"
#include "domain/beckon-plan.h"

#include <string.h>

static void plan_step_free (BeckonPlanStep *step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonPlanStep, plan_step_free)

static const char *const status_words[] = { "pending", "executing", "completed", "failed", "skipped", "not-saved" };
static const char *const status_marks[] = { "○", "▸", "✓", "✗", "–", "–" };
static const char *const pause_words[] = { "policy", "breakpoints", "every-step" };
static const char *const failure_words[] = { "stop", "go-on", "replan" };

const char *
beckon_step_status_to_string (BeckonStepStatus status)
{
  g_return_val_if_fail ((guint) status < G_N_ELEMENTS (status_words), "pending");

  return status_words[status];
}

const char *
beckon_step_status_get_mark (BeckonStepStatus status)
{
  g_return_val_if_fail ((guint) status < G_N_ELEMENTS (status_marks), "○");

  return status_marks[status];
}

const char *
beckon_plan_pause_to_string (BeckonPlanPause pause)
{
  return pause_words[pause];
}

const char *
beckon_plan_failure_to_string (BeckonPlanFailure failure)
{
  return failure_words[failure];
}

static void
plan_step_free (BeckonPlanStep *step)
{
  g_free (step->id);
  g_free (step->tool);
  g_free (step->arguments);
  g_free (step->expect);
  g_free (step->result);
  g_free (step->output);
  g_free (step);
}

BeckonPlan *
beckon_plan_new (const char *title)
{
  BeckonPlan *plan = g_new0 (BeckonPlan, 1);

  plan->title = g_strdup (title != NULL ? title : "");
  plan->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) plan_step_free);
  return plan;
}

BeckonPlan *
beckon_plan_copy (const BeckonPlan *plan)
{
  BeckonPlan *copy;

  g_return_val_if_fail (plan != NULL, NULL);

  copy = beckon_plan_new (plan->title);
  copy->pause = plan->pause;
  copy->on_failure = plan->on_failure;
  for (guint i = 0; i < plan->steps->len; i++)
    {
      const BeckonPlanStep *from = g_ptr_array_index (plan->steps, i);
      BeckonPlanStep *step = g_new0 (BeckonPlanStep, 1);

      *step = *from;
      step->id = g_strdup (from->id);
      step->tool = g_strdup (from->tool);
      step->arguments = g_strdup (from->arguments);
      step->expect = g_strdup (from->expect);
      step->result = g_strdup (from->result);
      step->output = g_strdup (from->output);
      g_ptr_array_add (copy->steps, step);
    }
  return copy;
}

void
beckon_plan_free (BeckonPlan *plan)
{
  if (plan == NULL)
    return;

  g_free (plan->title);
  g_ptr_array_unref (plan->steps);
  g_free (plan);
}

guint
beckon_plan_get_n_steps (const BeckonPlan *plan)
{
  g_return_val_if_fail (plan != NULL, 0);

  return plan->steps->len;
}

const BeckonPlanStep *
beckon_plan_get_step (const BeckonPlan *plan, guint index)
{
  g_return_val_if_fail (plan != NULL && index < plan->steps->len, NULL);

  return g_ptr_array_index (plan->steps, index);
}

int
beckon_plan_find (const BeckonPlan *plan, const char *id)
{
  g_return_val_if_fail (plan != NULL && id != NULL, -1);

  for (guint i = 0; i < plan->steps->len; i++)
    if (g_str_equal (beckon_plan_get_step (plan, i)->id, id))
      return (int) i;
  return -1;
}

static int
find_status (const BeckonPlan *plan, BeckonStepStatus status)
{
  for (guint i = 0; i < plan->steps->len; i++)
    if (beckon_plan_get_step (plan, i)->status == status)
      return (int) i;
  return -1;
}

int
beckon_plan_get_current (const BeckonPlan *plan)
{
  int executing;

  g_return_val_if_fail (plan != NULL, -1);

  executing = find_status (plan, BECKON_STEP_EXECUTING);
  return executing >= 0 ? executing : find_status (plan, BECKON_STEP_PENDING);
}

guint
beckon_plan_count_skipped (const BeckonPlan *plan)
{
  guint n = 0;

  g_return_val_if_fail (plan != NULL, 0);

  for (guint i = 0; i < plan->steps->len; i++)
    n += beckon_plan_get_step (plan, i)->status == BECKON_STEP_SKIPPED;
  return n;
}

guint
beckon_plan_count_done (const BeckonPlan *plan)
{
  guint n = 0;

  g_return_val_if_fail (plan != NULL, 0);

  for (guint i = 0; i < plan->steps->len; i++)
    {
      BeckonStepStatus status = beckon_plan_get_step (plan, i)->status;

      n += status == BECKON_STEP_COMPLETED;
    }
  return n;
}

gboolean
beckon_plan_step_is_free (const BeckonPlanStep *step)
{
  return step->status == BECKON_STEP_PENDING || step->status == BECKON_STEP_SKIPPED;
}

/* The first place at which something may be changed: all before it have begun. */
static guint
plan_get_first_free (const BeckonPlan *plan)
{
  guint first;

  for (first = plan->steps->len; first > 0; first--)
    if (!beckon_plan_step_is_free (beckon_plan_get_step (plan, first - 1)))
      break;
  return first;
}

gboolean
beckon_plan_pauses_before (const BeckonPlan *plan, guint index)
{
  g_return_val_if_fail (plan != NULL && index < plan->steps->len, TRUE);

  return plan->pause == BECKON_PAUSE_EVERY_STEP
         || (plan->pause == BECKON_PAUSE_BREAKPOINTS && beckon_plan_get_step (plan, index)->breakpoint);
}

static gboolean
plan_step_equal (const BeckonPlanStep *one, const BeckonPlanStep *other)
{
  return g_str_equal (one->id, other->id) && g_str_equal (one->tool, other->tool)
         && g_str_equal (one->arguments, other->arguments) && g_strcmp0 (one->expect, other->expect) == 0
         && !one->breakpoint == !other->breakpoint && one->status == other->status;
}

gboolean
beckon_plan_equal (const BeckonPlan *one, const BeckonPlan *other)
{
  g_return_val_if_fail (one != NULL && other != NULL, FALSE);

  if (!g_str_equal (one->title, other->title) || one->pause != other->pause || one->on_failure != other->on_failure
      || one->steps->len != other->steps->len)
    return FALSE;
  for (guint i = 0; i < one->steps->len; i++)
    if (!plan_step_equal (beckon_plan_get_step (one, i), beckon_plan_get_step (other, i)))
      return FALSE;
  return TRUE;
}

/* @step, @other: places in @plan, -1 for none. Returns %FALSE. */
static gboolean
plan_refuse (const BeckonPlan *plan, BeckonPlanFault *fault, BeckonPlanFaultKind kind, int step, int other,
             const char *detail)
{
  if (fault == NULL)
    return FALSE;

  beckon_plan_fault_clear (fault);
  fault->kind = kind;
  fault->step = (guint) (step + 1);
  fault->step_id = step >= 0 ? g_strdup (beckon_plan_get_step (plan, (guint) step)->id) : NULL;
  fault->other = (guint) (other + 1);
  fault->other_id = other >= 0 ? g_strdup (beckon_plan_get_step (plan, (guint) other)->id) : NULL;
  fault->detail = g_strdup (detail);
  return FALSE;
}

/* Whether @from uses, itself or through others, the result of @to. */
static gboolean
reaches (const BeckonPlan *plan, guint from, guint to, GHashTable *seen)
{
  g_autoptr (GPtrArray) ids = NULL;

  if (!g_hash_table_add (seen, GUINT_TO_POINTER (from + 1)))
    return FALSE;
  ids = beckon_plan_list_references (beckon_plan_get_step (plan, from)->arguments, NULL);
  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      int next = beckon_plan_find (plan, g_ptr_array_index (ids, i));

      if (next >= 0 && ((guint) next == to || reaches (plan, (guint) next, to, seen)))
        return TRUE;
    }
  return FALSE;
}

static BeckonPlanFaultKind
judge_source (const BeckonPlan *plan, guint index, guint source)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  if (source == index)
    return BECKON_PLAN_FAULT_ITSELF;
  if (source > index)
    return reaches (plan, source, index, seen) ? BECKON_PLAN_FAULT_CYCLE : BECKON_PLAN_FAULT_LATER_STEP;
  if (beckon_plan_get_step (plan, source)->status == BECKON_STEP_SKIPPED)
    return BECKON_PLAN_FAULT_SKIPPED_STEP;
  if (beckon_plan_get_step (plan, source)->status == BECKON_STEP_FAILED)
    return BECKON_PLAN_FAULT_FAILED_STEP;
  return BECKON_PLAN_FAULT_NONE;
}

static gboolean
check_references (const BeckonPlan *plan, guint index, BeckonPlanFault *fault)
{
  g_auto (BeckonPlanFault) found = { 0 };
  g_autoptr (GPtrArray) ids = beckon_plan_list_references (beckon_plan_get_step (plan, index)->arguments, &found);

  if (ids == NULL)
    return plan_refuse (plan, fault, found.kind, (int) index, -1, found.detail);
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = g_ptr_array_index (ids, i);
      int source = beckon_plan_find (plan, id);
      BeckonPlanFaultKind kind;

      if (source < 0)
        return plan_refuse (plan, fault, BECKON_PLAN_FAULT_UNKNOWN_STEP, (int) index, -1, id);
      kind = judge_source (plan, index, (guint) source);
      if (kind != BECKON_PLAN_FAULT_NONE)
        return plan_refuse (plan, fault, kind, (int) index, source == (int) index ? -1 : source, NULL);
    }
  return TRUE;
}

static gboolean
is_id_unique (const BeckonPlan *plan, guint index)
{
  for (guint i = 0; i < plan->steps->len; i++)
    if (i != index && g_str_equal (beckon_plan_get_step (plan, i)->id, beckon_plan_get_step (plan, index)->id))
      return FALSE;
  return TRUE;
}

static gboolean
plan_check_step (const BeckonPlan *plan, guint index, BeckonPlanFault *fault)
{
  const BeckonPlanStep *step = beckon_plan_get_step (plan, index);

  if (*step->id == '\0' || strlen (step->id) > 64
      || strspn (step->id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != strlen (step->id))
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_BAD_ID, (int) index, -1, step->id);
  if (!is_id_unique (plan, index))
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_SAME_ID, (int) index, -1, step->id);
  if (*step->tool == '\0' || strlen (step->tool) > 256)
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_NO_TOOL, (int) index, -1, NULL);
  /* Begun steps were resolved; skipped ones need nothing. */
  return step->status != BECKON_STEP_PENDING || check_references (plan, index, fault);
}

gboolean
beckon_plan_check (const BeckonPlan *plan, BeckonPlanFault *fault)
{
  g_return_val_if_fail (plan != NULL, FALSE);

  if (plan->steps->len == 0)
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_NO_STEPS, -1, -1, NULL);
  if (plan->steps->len > BECKON_PLAN_MAX_STEPS)
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_TOO_MANY_STEPS, -1, -1, NULL);
  for (guint i = 0; i < plan->steps->len; i++)
    if (!plan_check_step (plan, i, fault))
      return FALSE;
  if (beckon_plan_get_current (plan) < 0)
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_NOTHING_LEFT, -1, -1, NULL);
  return TRUE;
}

static gboolean
has_begun (const BeckonPlanStep *step)
{
  return !beckon_plan_step_is_free (step);
}

/* Begun steps keep their order; only skipped ones may stand between them. */
gboolean
beckon_plan_check_revision (const BeckonPlan *before, const BeckonPlan *after, BeckonPlanFault *fault)
{
  guint last = 0;

  g_return_val_if_fail (before != NULL && after != NULL, FALSE);

  for (guint i = 0; i < before->steps->len; i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (before, i);
      int place = beckon_plan_find (after, step->id);

      if (!has_begun (step))
        continue;
      if (place < 0 || (guint) place < last || !plan_step_equal (step, beckon_plan_get_step (after, (guint) place)))
        return plan_refuse (before, fault, BECKON_PLAN_FAULT_CHANGED_BEGUN, (int) i, -1, NULL);
      last = (guint) place + 1;
    }
  for (guint i = 0; i < after->steps->len; i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (after, i);
      int was = beckon_plan_find (before, step->id);

      if (has_begun (step) && (was < 0 || !has_begun (beckon_plan_get_step (before, (guint) was))))
        return plan_refuse (after, fault, BECKON_PLAN_FAULT_CHANGED_BEGUN, (int) i, -1, NULL);
      if (step->status == BECKON_STEP_PENDING && i < last)
        return plan_refuse (after, fault, BECKON_PLAN_FAULT_BEFORE_BEGUN, (int) i, -1, NULL);
    }
  return TRUE;
}

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
  plan_refuse (reading->plan, reading->fault, kind, -1, -1, detail);
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
  return plan_refuse (reading->plan, reading->fault, BECKON_PLAN_FAULT_BAD_WORD, -1, -1, known->str);
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
    return plan_refuse (reading->plan, reading->fault, BECKON_PLAN_FAULT_NOT_JSON, -1, -1, NULL);
  if (steps == NULL || steps->kind != BECKON_JSON_VALUE_ARRAY || beckon_json_value_get_n_children (steps) == 0)
    return plan_refuse (reading->plan, reading->fault, BECKON_PLAN_FAULT_NO_STEPS, -1, -1, NULL);
  if (beckon_json_value_get_n_children (steps) > BECKON_PLAN_MAX_STEPS)
    return plan_refuse (reading->plan, reading->fault, BECKON_PLAN_FAULT_TOO_MANY_STEPS, -1, -1, NULL);
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
      plan_refuse (plan, fault, BECKON_PLAN_FAULT_TOO_LARGE, -1, -1, NULL);
      return NULL;
    }
  value = beckon_json_value_parse (json, -1, &error);
  if (value == NULL)
    {
      plan_refuse (plan, fault, BECKON_PLAN_FAULT_NOT_JSON, -1, -1, error->message);
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

static BeckonPlanStep *
get_step (BeckonPlan *plan, int index)
{
  return g_ptr_array_index (plan->steps, (guint) index);
}

/* Finds a free step. */
static BeckonPlanStep *
find_free (BeckonPlan *plan, const char *id, int *index, BeckonPlanFault *fault)
{
  *index = beckon_plan_find (plan, id);
  if (*index < 0)
    plan_refuse (plan, fault, BECKON_PLAN_FAULT_NO_SUCH_STEP, -1, -1, id);
  else if (!beckon_plan_step_is_free (get_step (plan, *index)))
    plan_refuse (plan, fault, BECKON_PLAN_FAULT_BEGUN, *index, -1, NULL);
  else
    return get_step (plan, *index);
  return NULL;
}

static char *
plan_edit_make_id (const BeckonPlan *plan)
{
  for (guint i = plan->steps->len + 1;; i++)
    {
      g_autofree char *id = g_strdup_printf ("added-%u", i);

      if (beckon_plan_find (plan, id) < 0)
        return g_steal_pointer (&id);
    }
}

const char *
beckon_plan_insert (BeckonPlan *plan, guint index, const char *id, const char *tool, const char *arguments,
                    const char *expect, BeckonPlanFault *fault)
{
  BeckonPlanStep *step;

  g_return_val_if_fail (plan != NULL && tool != NULL && arguments != NULL, NULL);

  if (plan->steps->len >= BECKON_PLAN_MAX_STEPS)
    {
      plan_refuse (plan, fault, BECKON_PLAN_FAULT_TOO_MANY_STEPS, -1, -1, NULL);
      return NULL;
    }
  if (index < plan_get_first_free (plan))
    {
      plan_refuse (plan, fault, BECKON_PLAN_FAULT_BEFORE_BEGUN, -1, -1, NULL);
      return NULL;
    }
  step = g_new0 (BeckonPlanStep, 1);
  step->id = id != NULL ? g_strdup (id) : plan_edit_make_id (plan);
  step->tool = g_strdup (tool);
  step->arguments = g_strdup (arguments);
  step->expect = g_strdup (expect);
  index = MIN (index, plan->steps->len);
  g_ptr_array_insert (plan->steps, (gint) index, step);
  if (plan_check_step (plan, index, fault))
    return step->id;
  g_ptr_array_remove_index (plan->steps, index);
  return NULL;
}

/* A step that is still to run and uses the result of @id; -1 if there is none. */
static int
find_user (const BeckonPlan *plan, const char *id)
{
  for (guint i = 0; i < plan->steps->len; i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (plan, i);
      g_autoptr (GPtrArray) ids = NULL;

      if (step->status != BECKON_STEP_PENDING || g_str_equal (step->id, id))
        continue;
      ids = beckon_plan_list_references (step->arguments, NULL);
      if (ids != NULL && g_ptr_array_find_with_equal_func (ids, id, g_str_equal, NULL))
        return (int) i;
    }
  return -1;
}

gboolean
beckon_plan_delete (BeckonPlan *plan, const char *id, BeckonPlanFault *fault)
{
  int index, user;

  g_return_val_if_fail (plan != NULL && id != NULL, FALSE);

  if (find_free (plan, id, &index, fault) == NULL)
    return FALSE;
  user = find_user (plan, id);
  if (user >= 0)
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_USED, index, user, NULL);
  g_ptr_array_remove_index (plan->steps, (guint) index);
  return TRUE;
}

gboolean
beckon_plan_set_skipped (BeckonPlan *plan, const char *id, gboolean skipped, BeckonPlanFault *fault)
{
  BeckonPlanStep *step;
  int index, user;

  g_return_val_if_fail (plan != NULL && id != NULL, FALSE);

  step = find_free (plan, id, &index, fault);
  if (step == NULL)
    return FALSE;
  user = skipped ? find_user (plan, id) : -1;
  if (user >= 0)
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_USED, index, user, NULL);
  if (!skipped && (guint) index < plan_get_first_free (plan))
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_BEFORE_BEGUN, index, -1, NULL);
  step->status = skipped ? BECKON_STEP_SKIPPED : BECKON_STEP_PENDING;
  return TRUE;
}

gboolean
beckon_plan_move (BeckonPlan *plan, const char *id, guint index, BeckonPlanFault *fault)
{
  int from;

  g_return_val_if_fail (plan != NULL && id != NULL, FALSE);

  if (find_free (plan, id, &from, fault) == NULL)
    return FALSE;
  index = MIN (index, plan->steps->len - 1);
  if (index < plan_get_first_free (plan))
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_BEFORE_BEGUN, from, -1, NULL);
  g_ptr_array_insert (plan->steps, (gint) index, g_ptr_array_steal_index (plan->steps, (guint) from));
  return TRUE;
}

gboolean
beckon_plan_set_arguments (BeckonPlan *plan, const char *id, const char *arguments, BeckonPlanFault *fault)
{
  g_autoptr (GPtrArray) ids = NULL;
  g_auto (BeckonPlanFault) found = { 0 };
  BeckonPlanStep *step;
  int index;

  g_return_val_if_fail (plan != NULL && id != NULL && arguments != NULL, FALSE);

  step = find_free (plan, id, &index, fault);
  if (step == NULL)
    return FALSE;
  ids = beckon_plan_list_references (arguments, &found);
  if (ids == NULL)
    return plan_refuse (plan, fault, found.kind, index, -1, found.detail);
  g_free (step->arguments);
  step->arguments = g_strdup (arguments);
  return TRUE;
}

gboolean
beckon_plan_set_tool (BeckonPlan *plan, const char *id, const char *tool, BeckonPlanFault *fault)
{
  BeckonPlanStep *step;
  int index;

  g_return_val_if_fail (plan != NULL && id != NULL && tool != NULL, FALSE);

  step = find_free (plan, id, &index, fault);
  if (step == NULL)
    return FALSE;
  if (*tool == '\0')
    return plan_refuse (plan, fault, BECKON_PLAN_FAULT_NO_TOOL, index, -1, NULL);
  g_free (step->tool);
  step->tool = g_strdup (tool);
  return TRUE;
}

gboolean
beckon_plan_set_breakpoint (BeckonPlan *plan, const char *id, gboolean breakpoint, BeckonPlanFault *fault)
{
  BeckonPlanStep *step;
  int index;

  g_return_val_if_fail (plan != NULL && id != NULL, FALSE);

  step = find_free (plan, id, &index, fault);
  if (step == NULL)
    return FALSE;
  step->breakpoint = breakpoint;
  if (breakpoint && plan->pause == BECKON_PAUSE_POLICY)
    plan->pause = BECKON_PAUSE_BREAKPOINTS;
  return TRUE;
}
