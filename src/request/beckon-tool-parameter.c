/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-tool-parameter.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-json-value.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

/* Characters of a value in words. */
#define MOST_SHOWN 120

BeckonToolParameter *
beckon_tool_parameter_new (const char *tool, const char *server, const char *name)
{
  BeckonToolParameter *parameter = g_atomic_rc_box_new0 (BeckonToolParameter);

  parameter->tool = g_strdup (tool);
  parameter->server = g_strdup (server != NULL ? server : "");
  parameter->name = g_strdup (name);
  return parameter;
}

BeckonToolParameter *
beckon_tool_parameter_copy (const BeckonToolParameter *parameter)
{
  BeckonToolParameter *copy = beckon_tool_parameter_new (parameter->tool, parameter->server, parameter->name);

  copy->access = parameter->access;
  copy->pinned = g_strdup (parameter->pinned);
  copy->allowed = g_strdup (parameter->allowed);
  copy->changed_at = parameter->changed_at;
  return copy;
}

static void
tool_parameter_clear (gpointer data)
{
  BeckonToolParameter *parameter = data;

  g_free (parameter->tool);
  g_free (parameter->server);
  g_free (parameter->name);
  g_free (parameter->pinned);
  g_free (parameter->allowed);
}

BECKON_COUNTED (BeckonToolParameter, beckon_tool_parameter, tool_parameter_clear)

gboolean
beckon_tool_parameter_is_same (const BeckonToolParameter *one, const BeckonToolParameter *other)
{
  return g_strcmp0 (one->tool, other->tool) == 0 && g_strcmp0 (one->server, other->server) == 0
         && g_strcmp0 (one->name, other->name) == 0;
}

gboolean
beckon_tool_parameter_says_something (const BeckonToolParameter *parameter)
{
  return parameter->access != BECKON_FORM_EDITABLE || parameter->pinned != NULL || parameter->allowed != NULL;
}

/* (nullable): what is no array. */
static char **
split_allowed (const char *allowed)
{
  g_autoptr (BeckonJsonValue) value = allowed != NULL ? beckon_json_value_parse (allowed, -1, NULL) : NULL;
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  if (value == NULL || value->kind != BECKON_JSON_VALUE_ARRAY || value->children->len == 0)
    return NULL;
  for (guint i = 0; i < value->children->len; i++)
    {
      g_autofree char *text = beckon_json_value_print (beckon_json_value_get_child (value, i));

      g_strv_builder_add (list, text);
    }
  return g_strv_builder_end (list);
}

static gboolean
add_to (BeckonParameters *parameters, const BeckonToolParameter *parameter)
{
  g_auto (GStrv) allowed = split_allowed (parameter->allowed);

  return (parameter->allowed == NULL || allowed != NULL)
         && beckon_parameters_add (parameters, parameter->name, parameter->access, parameter->pinned,
                                   (const char *const *) allowed, NULL);
}

gboolean
beckon_tool_parameter_check (const BeckonToolParameter *parameter, GError **error)
{
  g_autoptr (BeckonParameters) parameters = beckon_parameters_new ();
  BeckonToolParameter only = *parameter;

  if (add_to (parameters, parameter))
    return TRUE;
  only.allowed = NULL;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       parameter->pinned != NULL && add_to (parameters, &only)
                       ? _("The value that it always has is not among those that are allowed.")
                       : _("A value is written as JSON: a text in quotes, a number, true or false."));
  return FALSE;
}

static void
tool_parameter_add_words (GString *words, const char *format, const char *json)
{
  g_autofree char *whole = json != NULL ? beckon_text_for_display (json, -1, BECKON_TEXT_EXACT) : NULL;
  g_autofree char *shown = whole != NULL ? beckon_text_shorten (whole, MOST_SHOWN) : NULL;
  g_autofree char *filled = shown != NULL ? beckon_text_fill_in (format, shown) : g_strdup (format);

  /* Translators: what stands between two things that were settled */
  beckon_text_append (words, "%s%s", words->len > 0 ? _("; ") : "", filled);
}

char *
beckon_tool_parameter_dup_words (const BeckonToolParameter *parameter)
{
  gboolean is_shown = parameter->access == BECKON_FORM_EDITABLE || parameter->access == BECKON_FORM_READ_ONLY;
  GString *words = g_string_new (NULL);

  if (parameter->pinned != NULL)
    /* Translators: of an argument of a tool; %s is the value */
    tool_parameter_add_words (words, is_shown ? _("Always: %s") : _("Always the same value"),
                              is_shown ? parameter->pinned : NULL);
  if (parameter->allowed != NULL)
    /* Translators: of an argument of a tool; %s is a list of values */
    tool_parameter_add_words (words, is_shown ? _("Only: %s") : _("Only some values"), is_shown ? parameter->allowed : NULL);
  if (parameter->access == BECKON_FORM_READ_ONLY)
    tool_parameter_add_words (words, _("Shown, not changed"), NULL);
  if (parameter->access == BECKON_FORM_MASKED)
    tool_parameter_add_words (words, _("Masked"), NULL);
  if (parameter->access == BECKON_FORM_HIDDEN)
    tool_parameter_add_words (words, _("Hidden"), NULL);
  return g_string_free (words, FALSE);
}

BeckonParameters *
beckon_tool_parameters_collect (GPtrArray *list, const char *tool, const char *server)
{
  g_autoptr (BeckonParameters) parameters = beckon_parameters_new ();

  g_return_val_if_fail (tool != NULL, NULL);

  if (list == NULL)
    return beckon_parameters_new_closed ();
  for (guint i = 0; i < list->len; i++)
    {
      const BeckonToolParameter *parameter = g_ptr_array_index (list, i);

      if (g_strcmp0 (parameter->tool, tool) == 0 && g_strcmp0 (parameter->server, server != NULL ? server : "") == 0
          && !add_to (parameters, parameter))
        return beckon_parameters_new_closed ();
    }
  return g_steal_pointer (&parameters);
}
