/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-parameters.h"

#include "base/beckon-json-edit.h"
#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "beckon-parameters-private.h"
#include "domain/beckon-request-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static BeckonMask *plan_parameters_make_mask (BeckonPlanParameters *self, const BeckonPlan *plan);

/* Stands for unreadable parameters, and is never valid JSON. */
#define CLOSED "closed"

struct _BeckonPlanParameters
{
  GHashTable *by_tool; /* char * → BeckonParameters */
  gboolean closed;     /* unknown */
};

BeckonPlanParameters *
beckon_plan_parameters_new (void)
{
  BeckonPlanParameters *self = g_new0 (BeckonPlanParameters, 1);

  self->by_tool = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) beckon_parameters_unref);
  return self;
}

void
beckon_plan_parameters_free (BeckonPlanParameters *self)
{
  if (self == NULL)
    return;

  g_hash_table_unref (self->by_tool);
  g_free (self);
}

static gboolean
is_redacted (const BeckonParameter *parameter)
{
  return parameter->access == BECKON_FORM_MASKED || parameter->access == BECKON_FORM_HIDDEN;
}

/* Values of redacted parameters, the pinned and the allowed, are not kept. */
static void
add_all (BeckonParameters *to, BeckonParameters *from)
{
  for (guint i = 0; i < beckon_parameters_get_n (from); i++)
    {
      const BeckonParameter *parameter = beckon_parameters_get (from, i);
      g_autoptr (GPtrArray) allowed = g_ptr_array_new ();

      for (guint k = 0; parameter->allowed != NULL && k < parameter->allowed->len; k++)
        g_ptr_array_add (allowed, g_ptr_array_index (parameter->allowed, k));
      g_ptr_array_add (allowed, NULL);
      if (!is_redacted (parameter))
        beckon_parameters_add (to, parameter->name, parameter->access, parameter->pinned, (const char *const *) allowed->pdata,
                               NULL);
      else
        beckon_parameters_add (to, parameter->name, parameter->access, NULL, NULL, NULL);
    }
}

void
beckon_plan_parameters_add (BeckonPlanParameters *self, const char *tool, BeckonParameters *parameters)
{
  BeckonParameters *known;
  BeckonParameters *all;

  g_return_if_fail (self != NULL && tool != NULL);

  if (beckon_parameters_get_n (parameters) == 0 && !beckon_parameters_is_closed (parameters))
    return;
  known = g_hash_table_lookup (self->by_tool, tool);
  if (beckon_parameters_is_closed (parameters) || (known != NULL && beckon_parameters_is_closed (known)))
    {
      all = beckon_parameters_new_closed ();
    }
  else
    {
      all = beckon_parameters_new ();
      if (known != NULL)
        add_all (all, known);
      add_all (all, parameters);
    }
  g_hash_table_insert (self->by_tool, g_strdup (tool), all);
}

/* (nullable): borrowed. */
static BeckonParameters *
plan_parameters_find (BeckonPlanParameters *self, const char *tool)
{
  return g_hash_table_lookup (self->by_tool, tool);
}

/* --- Text --------------------------------------------------------------------------------------------------------- */

/* An array, which nothing else that a call has there is. */
char *
beckon_plan_parameters_to_text (BeckonPlanParameters *self)
{
  g_autoptr (GList) tools = NULL;
  g_autoptr (GString) whole = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (self != NULL, NULL);

  if (g_hash_table_size (self->by_tool) == 0)
    return NULL;
  tools = g_list_sort (g_hash_table_get_keys (self->by_tool), (GCompareFunc) strcmp);
  beckon_json_writer_init (&writer, whole);
  beckon_json_writer_begin_array (&writer);
  for (GList *at = tools; at != NULL; at = at->next)
    {
      BeckonParameters *parameters = plan_parameters_find (self, at->data);
      g_autofree char *text = beckon_parameters_is_closed (parameters) ? g_strdup (CLOSED)
                                                                       : beckon_parameters_to_json (parameters);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "tool", at->data);
      beckon_json_writer_member_string (&writer, "parameters", text);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  return g_string_free (g_steal_pointer (&whole), FALSE);
}

gboolean
beckon_plan_parameters_is_text (const char *text)
{
  return text != NULL && *text == '[';
}

BeckonPlanParameters *
beckon_plan_parameters_read (const char *text)
{
  BeckonPlanParameters *self = beckon_plan_parameters_new ();
  g_autoptr (BeckonJsonValue) value = NULL;

  g_return_val_if_fail (text != NULL, self);

  value = beckon_json_value_parse (text, -1, NULL);
  self->closed = value == NULL || value->kind != BECKON_JSON_VALUE_ARRAY;
  for (guint i = 0; !self->closed && i < beckon_json_value_get_n_children (value); i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);
      const char *tool = beckon_json_value_get_string (beckon_json_value_get (child, "tool"));
      const char *json = beckon_json_value_get_string (beckon_json_value_get (child, "parameters"));
      g_autoptr (BeckonParameters) parameters = json != NULL ? beckon_parameters_from_json (json, NULL) : NULL;

      if (parameters == NULL)
        parameters = beckon_parameters_new_closed ();
      if (tool != NULL)
        beckon_plan_parameters_add (self, tool, parameters);
      else
        self->closed = TRUE;
    }
  return self;
}

/* --- What is shown ------------------------------------------------------------------------------------------------ */

/* An object in any case, because a plan without would be none. */
static char *
show_arguments (BeckonPlanParameters *self, const char *tool, const char *arguments)
{
  BeckonParameters *parameters = plan_parameters_find (self, tool);

  if (self->closed || (parameters != NULL && beckon_parameters_is_closed (parameters)))
    return g_strdup ("{}");
  return beckon_parameters_redact (parameters, arguments);
}

/* Takes @text. */
static char *
plan_parameters_apply (BeckonMask *mask, char *text)
{
  g_autofree char *before = text;

  return mask != NULL && before != NULL ? beckon_mask_apply (mask, before) : g_steal_pointer (&before);
}

BeckonPlan *
beckon_plan_parameters_show (BeckonPlanParameters *self, const BeckonPlan *plan)
{
  g_autoptr (BeckonMask) mask = NULL;
  BeckonPlan *shown;

  g_return_val_if_fail (self != NULL && plan != NULL, NULL);

  mask = plan_parameters_make_mask (self, plan);
  shown = beckon_plan_copy (plan);
  shown->title = plan_parameters_apply (mask, shown->title);
  for (guint i = 0; i < shown->steps->len; i++)
    {
      BeckonPlanStep *step = g_ptr_array_index (shown->steps, i);
      g_autofree char *arguments = step->arguments;

      step->arguments = show_arguments (self, step->tool, arguments);
      step->expect = plan_parameters_apply (mask, step->expect);
    }
  return shown;
}

static BeckonPlan *
plan_parameters_parse (const char *document)
{
  BeckonPlan *plan = beckon_plan_parse (document, BECKON_PLAN_FROM_PERSON, NULL);

  return plan != NULL ? plan : beckon_plan_parse (document, BECKON_PLAN_FROM_MODEL, NULL);
}

char *
beckon_plan_parameters_show_text (BeckonPlanParameters *self, const char *document)
{
  g_autoptr (BeckonPlan) plan = NULL;
  g_autoptr (BeckonPlan) shown = NULL;

  plan = plan_parameters_parse (document);
  if (plan == NULL)
    return g_strdup ("\"" BECKON_PARAMETERS_MASK "\"");
  shown = beckon_plan_parameters_show (self, plan);
  return beckon_plan_to_json (shown);
}

/* Replaces the redacted values of @plan wherever else they stand; %NULL where there are none. */
static BeckonMask *
plan_parameters_make_mask (BeckonPlanParameters *self, const BeckonPlan *plan)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (BeckonParameters) closed = NULL;

  if (self->closed)
    closed = beckon_parameters_new_closed ();
  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (plan, i);

      beckon_parameters_add_to_mask (closed != NULL ? closed : plan_parameters_find (self, step->tool), step->arguments, mask);
    }
  return beckon_mask_is_empty (mask) ? NULL : g_steal_pointer (&mask);
}

BeckonMask *
beckon_plan_parameters_make_text_mask (BeckonPlanParameters *self, const char *document)
{
  g_autoptr (BeckonPlan) plan = NULL;

  plan = plan_parameters_parse (document);
  return plan != NULL ? plan_parameters_make_mask (self, plan) : NULL;
}

BeckonPlan *
beckon_plan_parameters_show_call (BeckonToolCall *planned)
{
  g_autoptr (BeckonPlanParameters) self = NULL;
  const BeckonPlan *plan;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (planned), NULL);

  plan = beckon_tool_call_get_plan (planned);
  if (plan == NULL || beckon_tool_call_get_redacted (planned) == NULL)
    return plan != NULL ? beckon_plan_copy (plan) : NULL;
  self = beckon_plan_parameters_read (beckon_tool_call_get_redacted (planned));
  return beckon_plan_parameters_show (self, plan);
}

/* --- What they made of it ----------------------------------------------------------------------------------------- */

static const BeckonPlanStep *
find_step (const BeckonPlan *plan, const char *id)
{
  int index = plan != NULL ? beckon_plan_find (plan, id) : -1;

  return index >= 0 ? beckon_plan_get_step (plan, (guint) index) : NULL;
}

static gboolean
is_same_json (const char *one, const char *other)
{
  g_autoptr (BeckonJsonValue) first = beckon_json_value_parse (one, -1, NULL);
  g_autoptr (BeckonJsonValue) second = beckon_json_value_parse (other, -1, NULL);

  return first != NULL && second != NULL && beckon_json_value_equal (first, second);
}

static void
plan_parameters_replace (char **text, const char *with)
{
  g_autofree char *before = *text;

  *text = g_strdup (with);
}

static void
restore_step (BeckonPlanParameters *self, BeckonPlanStep *step, const BeckonPlanStep *was, const BeckonPlanStep *shown)
{
  if (step->expect != NULL && g_strcmp0 (step->expect, shown->expect) == 0)
    plan_parameters_replace (&step->expect, was->expect);
  if (!g_str_equal (step->tool, was->tool))
    return;
  if (is_same_json (step->arguments, shown->arguments))
    {
      plan_parameters_replace (&step->arguments, was->arguments);
    }
  else
    {
      g_autofree char *edited = g_steal_pointer (&step->arguments);

      step->arguments = beckon_parameters_restore (plan_parameters_find (self, step->tool), was->arguments, edited);
    }
}

/* (nullable): the name of an argument in which nothing stands but a mask that no person wrote. Caller frees. */
static char *
find_mask (const BeckonPlanStep *step, const BeckonPlanStep *was)
{
  g_autoptr (BeckonJsonValue) is = beckon_json_value_parse (step->arguments, -1, NULL);
  g_autoptr (BeckonJsonValue) before = was != NULL ? beckon_json_value_parse (was->arguments, -1, NULL) : NULL;

  for (guint i = 0; i < beckon_json_value_get_n_children (is); i++)
    {
      const BeckonJsonValue *value = beckon_json_value_get_child (is, i);
      const BeckonJsonValue *same = beckon_json_value_get (before, value->name->str);

      if (g_strcmp0 (beckon_json_value_get_string (value), BECKON_PARAMETERS_MASK) == 0
          && g_strcmp0 (beckon_json_value_get_string (same), BECKON_PARAMETERS_MASK) != 0)
        return g_strdup (value->name->str);
    }
  return NULL;
}

/* Fixed parameters of a call can't be changed in a plan either: the effect on a masked or hidden value is not known. */
static gboolean
check_edit (BeckonPlanParameters *self, const BeckonPlanStep *step, const BeckonPlanStep *was, GError **error)
{
  g_autoptr (BeckonParameters) closed = self->closed ? beckon_parameters_new_closed () : NULL;
  BeckonParameters *parameters = closed != NULL ? closed : plan_parameters_find (self, step->tool);

  return parameters == NULL || was == NULL || !g_str_equal (was->tool, step->tool)
         || g_str_equal (was->arguments, step->arguments)
         || beckon_parameters_check_edit (parameters, was->arguments, step->arguments, error);
}

static gboolean
plan_parameters_check_step (BeckonPlanParameters *self, const BeckonPlan *plan, guint index, const BeckonPlan *before,
                            GError **error)
{
  const BeckonPlanStep *step = beckon_plan_get_step (plan, index);
  const BeckonPlanStep *was = find_step (before, step->id);
  g_autofree char *name = find_mask (step, was);

  if (name == NULL)
    return check_edit (self, step, was, error);
  beckon_text_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID,
                         /* Translators: %u is the number of a step of a plan, %s the name of one of its arguments */
                         _("Step %u: write the value of “%s”. What is masked does not go along into another step or tool."),
                         index + 1, name);
  return FALSE;
}

static BeckonPlan *
restore (BeckonPlanParameters *self, const BeckonPlan *plan, const BeckonPlan *edited)
{
  g_autoptr (BeckonPlan) shown = beckon_plan_parameters_show (self, plan);
  BeckonPlan *restored = beckon_plan_copy (edited);

  if (g_str_equal (restored->title, shown->title))
    plan_parameters_replace (&restored->title, plan->title);
  for (guint i = 0; i < restored->steps->len; i++)
    {
      BeckonPlanStep *step = g_ptr_array_index (restored->steps, i);

      if (find_step (plan, step->id) != NULL)
        restore_step (self, step, find_step (plan, step->id), find_step (shown, step->id));
    }
  return restored;
}

BeckonPlan *
beckon_plan_parameters_restore (BeckonPlanParameters *self, const BeckonPlan *plan, const BeckonPlan *edited, GError **error)
{
  g_autoptr (BeckonPlan) restored = NULL;

  g_return_val_if_fail (self != NULL && plan != NULL && edited != NULL, NULL);

  restored = restore (self, plan, edited);
  for (guint i = 0; i < restored->steps->len; i++)
    if (!plan_parameters_check_step (self, restored, i, plan, error))
      return NULL;
  return g_steal_pointer (&restored);
}

gboolean
beckon_plan_parameters_check_step (BeckonPlanParameters *self, const BeckonPlan *plan, const BeckonPlan *edited,
                                   const char *step_id, GError **error)
{
  g_autoptr (BeckonPlan) restored = NULL;
  int index;

  g_return_val_if_fail (self != NULL && plan != NULL && edited != NULL && step_id != NULL, FALSE);

  restored = restore (self, plan, edited);
  index = beckon_plan_find (restored, step_id);
  return index < 0 || plan_parameters_check_step (self, restored, (guint) index, plan, error);
}

/* --- What the model is told --------------------------------------------------------------------------------------- */

static gboolean
is_member_same (const BeckonJsonValue *one, const BeckonJsonValue *other, const char *name)
{
  const BeckonJsonValue *first = beckon_json_value_get (one, name);
  const BeckonJsonValue *second = beckon_json_value_get (other, name);

  return first != NULL && second != NULL ? beckon_json_value_equal (first, second) : first == second;
}

/* Takes @shown; it says which of the masked values are not what they were. */
static char *
mark_others (BeckonParameters *parameters, const char *before, const char *after, char *shown)
{
  g_autoptr (BeckonJsonValue) was = beckon_json_value_parse (before, -1, NULL);
  g_autoptr (BeckonJsonValue) is = beckon_json_value_parse (after, -1, NULL);

  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      const BeckonParameter *parameter = beckon_parameters_get (parameters, i);
      const char *name = parameter->name;
      g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (shown, -1, NULL);
      const BeckonJsonValue *member = beckon_json_value_get (root, name);
      g_autoptr (BeckonJsonEdit) edit = NULL;
      g_autofree char *text = NULL;

      if (member == NULL || !is_redacted (parameter) || is_member_same (was, is, name))
        continue;
      edit = beckon_json_edit_replace (member, "\"" BECKON_PARAMETERS_MASK " (another value)\"");
      text = g_steal_pointer (&shown);
      shown = beckon_json_edit_apply (edit, text);
    }
  return shown;
}

void
beckon_plan_parameters_tell (BeckonPlanParameters *self, BeckonPlan *plan, BeckonPlan *proposed)
{
  g_return_if_fail (self != NULL && plan != NULL);

  for (guint i = 0; i < plan->steps->len; i++)
    {
      BeckonPlanStep *step = g_ptr_array_index (plan->steps, i);
      BeckonPlanStep *was = (BeckonPlanStep *) find_step (proposed, step->id);
      g_autofree char *arguments = g_steal_pointer (&step->arguments);
      g_autofree char *before = was != NULL ? g_steal_pointer (&was->arguments) : NULL;

      step->arguments = show_arguments (self, step->tool, arguments);
      if (was == NULL)
        continue;
      was->arguments = show_arguments (self, was->tool, before);
      if (g_str_equal (step->tool, was->tool))
        step->arguments = mark_others (plan_parameters_find (self, step->tool), before, arguments, step->arguments);
    }
}
