/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-parameters-private.h"

#include "base/beckon-json-edit.h"
#include "beckon-plan-parameters.h"

#include <math.h>
#include <string.h>

#define MASK_JSON "\"" BECKON_PARAMETERS_MASK "\""

/* The whole text. */
#define CLOSED "closed"

static gboolean
is_redacted (const BeckonParameter *parameter)
{
  return parameter->access == BECKON_FORM_MASKED || parameter->access == BECKON_FORM_HIDDEN;
}

gboolean
beckon_parameters_redacts (BeckonParameters *parameters)
{
  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      if (is_redacted (beckon_parameters_get (parameters, i)))
        return TRUE;
    }
  return beckon_parameters_is_closed (parameters);
}

char *
beckon_parameters_dup_redacted (BeckonParameters *parameters)
{
  g_autoptr (BeckonParameters) only = beckon_parameters_new ();

  if (!beckon_parameters_redacts (parameters))
    return NULL;
  if (beckon_parameters_is_closed (parameters))
    return g_strdup (CLOSED);
  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      const BeckonParameter *parameter = beckon_parameters_get (parameters, i);

      if (is_redacted (parameter) && !beckon_parameters_add (only, parameter->name, parameter->access, NULL, NULL, NULL))
        return g_strdup (CLOSED);
    }
  return beckon_parameters_to_json (only);
}

/* Takes @text; the member with its edit made, or as it was. */
static char *
edit_member (char *text, const BeckonParameter *parameter)
{
  g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (text, -1, NULL);
  g_autofree char *before = text;
  g_autoptr (BeckonJsonEdit) edit = NULL;
  guint n = beckon_json_value_get_n_children (root);
  guint index = 0;

  while (index < n && strcmp (beckon_json_value_get_child (root, index)->name->str, parameter->name) != 0)
    index++;
  if (index == n)
    return g_steal_pointer (&before);
  edit = parameter->access == BECKON_FORM_HIDDEN
             ? beckon_json_edit_remove (root, index)
             : beckon_json_edit_replace (beckon_json_value_get_child (root, index), MASK_JSON);
  return beckon_json_edit_apply (edit, before);
}

char *
beckon_parameters_redact (BeckonParameters *parameters, const char *arguments)
{
  g_autoptr (BeckonJsonValue) root = NULL;
  char *text;

  g_return_val_if_fail (arguments != NULL, NULL);

  if (!beckon_parameters_redacts (parameters))
    return g_strdup (arguments);
  root = beckon_json_value_parse (arguments, -1, NULL);
  if (root == NULL || root->kind != BECKON_JSON_VALUE_OBJECT || beckon_parameters_is_closed (parameters))
    return g_strdup (MASK_JSON);
  text = g_strdup (arguments);
  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      if (is_redacted (beckon_parameters_get (parameters, i)))
        text = edit_member (text, beckon_parameters_get (parameters, i));
    }
  return text;
}

static gboolean
is_mask (const BeckonJsonValue *value)
{
  return g_strcmp0 (beckon_json_value_get_string (value), BECKON_PARAMETERS_MASK) == 0;
}

/* Takes @text. */
static char *
restore_member (char *text, const BeckonParameter *parameter, const BeckonJsonValue *was)
{
  g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (text, -1, NULL);
  const BeckonJsonValue *is = beckon_json_value_get (root, parameter->name);
  g_autofree char *before = text;
  g_autofree char *json = was != NULL ? beckon_json_value_print (was) : NULL;
  g_autoptr (GString) name = g_string_new (parameter->name);
  g_autoptr (BeckonJsonEdit) edit = NULL;

  if (root == NULL || root->kind != BECKON_JSON_VALUE_OBJECT || json == NULL || (is != NULL && !is_mask (is)))
    return g_steal_pointer (&before);
  edit = is != NULL ? beckon_json_edit_replace (is, json)
                    : beckon_json_edit_insert (before, root, name, root->children->len, json);
  return beckon_json_edit_apply (edit, before);
}

char *
beckon_parameters_restore (BeckonParameters *parameters, const char *proposed, const char *edited)
{
  g_autoptr (BeckonJsonValue) before = NULL;
  char *text;

  g_return_val_if_fail (proposed != NULL, NULL);
  g_return_val_if_fail (edited != NULL, NULL);

  text = g_strdup (edited);
  if (!beckon_parameters_redacts (parameters))
    return text;
  before = beckon_json_value_parse (proposed, -1, NULL);
  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      const BeckonParameter *parameter = beckon_parameters_get (parameters, i);

      if (is_redacted (parameter))
        text = restore_member (text, parameter, beckon_json_value_get (before, parameter->name));
    }
  return text;
}

/* Everything in it, of any type and however deep, but for the names of members. */
static void
add_values (BeckonMask *mask, const BeckonJsonValue *value)
{
  const char *text = beckon_json_value_get_string (value);

  if (text != NULL && *text != '\0')
    beckon_mask_add (mask, text, BECKON_PARAMETERS_MASK);
  else if (value->kind == BECKON_JSON_VALUE_NUMBER)
    {
      const char *written = value->text->str;
      double number = g_ascii_strtod (written, NULL);
      gboolean is_real = strpbrk (written, ".eE") != NULL && isfinite (number);
      char printed[G_ASCII_DTOSTR_BUF_SIZE];

      /* As it was written, and as programs write what they read. */
      beckon_mask_add_word (mask, written, BECKON_PARAMETERS_MASK);
      if (is_real)
        beckon_mask_add_word (mask, g_ascii_dtostr (printed, sizeof printed, number), BECKON_PARAMETERS_MASK);
      if (is_real && fabs (number) < 1e15)
        beckon_mask_add_word (mask, g_ascii_formatd (printed, sizeof printed, "%.1f", number), BECKON_PARAMETERS_MASK);
    }
  else if (value->kind == BECKON_JSON_VALUE_TRUE || value->kind == BECKON_JSON_VALUE_FALSE)
    beckon_mask_add_word (mask, value->kind == BECKON_JSON_VALUE_TRUE ? "true" : "false", BECKON_PARAMETERS_MASK);
  for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
    add_values (mask, beckon_json_value_get_child (value, i));
}

void
beckon_parameters_add_to_mask (BeckonParameters *parameters, const char *arguments, BeckonMask *mask)
{
  g_autoptr (BeckonJsonValue) root = NULL;

  if (!beckon_parameters_redacts (parameters))
    return;
  root = beckon_json_value_parse (arguments, -1, NULL);
  /* All may be secret. */
  if (root != NULL && beckon_parameters_is_closed (parameters))
    add_values (mask, root);
  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      const BeckonParameter *parameter = beckon_parameters_get (parameters, i);
      const BeckonJsonValue *value = beckon_json_value_get (root, parameter->name);

      if (value != NULL && is_redacted (parameter))
        add_values (mask, value);
    }
}

BeckonMask *
beckon_parameters_make_mask (BeckonParameters *parameters, const char *arguments)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();

  beckon_parameters_add_to_mask (parameters, arguments, mask);
  return beckon_mask_is_empty (mask) ? NULL : g_steal_pointer (&mask);
}

/* --- Calls -------------------------------------------------------------------------------------------------------- */

/* A row says it of a plan, or of one call. Hides all where it cannot be read. */
static void
read_redacted (const char *redacted, BeckonParameters **parameters, BeckonPlanParameters **plan)
{
  *plan = beckon_plan_parameters_is_text (redacted) ? beckon_plan_parameters_read (redacted) : NULL;
  *parameters = *plan == NULL ? beckon_parameters_from_json (redacted, NULL) : NULL;
  if (*plan == NULL && *parameters == NULL)
    *parameters = beckon_parameters_new_closed ();
}

char *
beckon_parameters_show_by (const char *redacted, const char *arguments)
{
  g_autoptr (BeckonParameters) parameters = NULL;
  g_autoptr (BeckonPlanParameters) plan = NULL;

  g_return_val_if_fail (arguments != NULL, NULL);

  if (redacted == NULL)
    return g_strdup (arguments);
  read_redacted (redacted, &parameters, &plan);
  return plan != NULL ? beckon_plan_parameters_show_text (plan, arguments) : beckon_parameters_redact (parameters, arguments);
}

BeckonMask *
beckon_parameters_make_mask_by (const char *redacted, const char *arguments)
{
  g_autoptr (BeckonParameters) parameters = NULL;
  g_autoptr (BeckonPlanParameters) plan = NULL;

  g_return_val_if_fail (arguments != NULL, NULL);

  if (redacted == NULL)
    return NULL;
  read_redacted (redacted, &parameters, &plan);
  return plan != NULL ? beckon_plan_parameters_make_text_mask (plan, arguments)
                      : beckon_parameters_make_mask (parameters, arguments);
}

char *
beckon_parameters_log_by (const char *redacted, const char *arguments)
{
  g_autoptr (BeckonMask) mask = NULL;
  g_autofree char *shown = NULL;

  g_return_val_if_fail (arguments != NULL, NULL);

  mask = beckon_parameters_make_mask_by (redacted, arguments);
  shown = beckon_parameters_show_by (redacted, arguments);
  return mask != NULL ? beckon_mask_apply_json (mask, shown) : g_steal_pointer (&shown);
}

char *
beckon_parameters_show_for_call (BeckonToolCall *call, const char *arguments)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), NULL);

  return beckon_parameters_show_by (beckon_tool_call_get_redacted (call), arguments);
}

char *
beckon_parameters_show_call (BeckonToolCall *call)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), NULL);

  return beckon_parameters_show_for_call (call, beckon_tool_call_get_effective_arguments (call));
}
