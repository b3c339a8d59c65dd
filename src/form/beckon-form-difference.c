/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-form-difference.h"

#include "base/beckon-json-value.h"
#include "base/beckon-text.h"

#include <string.h>

static void
difference_free (BeckonFormDifference *difference)
{
  g_free (difference->title);
  g_free (difference->before);
  g_free (difference->after);
  g_free (difference);
}

/* A text is shown without its quotes, everything else as it is written. */
static char *
difference_dup_shown (const char *json)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;

  if (json == NULL)
    return NULL;
  if (value != NULL && value->kind == BECKON_JSON_VALUE_STRING && value->text->len > 0
      && strlen (value->text->str) == value->text->len)
    {
      g_auto (GStrv) lines = g_strsplit (value->text->str, "\n", -1);

      /* In one line. A line's end is in nearly every text, and nothing to be warned of. */
      for (char **line = lines; *line != NULL; line++)
        {
          g_autofree char *whole = *line;

          *line = beckon_text_for_display (whole, -1, BECKON_TEXT_EXACT);
        }
      return g_strjoinv ("⏎", lines);
    }
  if (value != NULL && value->kind == BECKON_JSON_VALUE_STRING && value->text->len > 0)
    return beckon_text_for_display (value->text->str, (gssize) value->text->len, BECKON_TEXT_EXACT);
  return beckon_text_for_display (json, -1, BECKON_TEXT_EXACT);
}

static gboolean
goes_deeper (const BeckonFormField *field)
{
  return field->children->len > 0 && field->json != NULL && field->proposed != NULL;
}

static void
difference_collect (BeckonFormField *field, const char *place, GPtrArray *list)
{
  BeckonFormDifference *difference;
  guint n_before = list->len;

  if (!field->is_edited || field->access == BECKON_FORM_MASKED || field->access == BECKON_FORM_HIDDEN)
    return;
  for (guint i = 0; goes_deeper (field) && i < field->children->len; i++)
    {
      BeckonFormField *child = g_ptr_array_index (field->children, i);
      g_autofree char *inside = *place == '\0' || *child->title == '\0'
                                    ? g_strconcat (place, child->title, NULL)
                                    : g_strdup_printf ("%s › %s", place, child->title);

      difference_collect (child, inside, list);
    }
  if (list->len > n_before || *field->pointer == '\0')
    return;
  difference = g_new0 (BeckonFormDifference, 1);
  difference->title = g_strdup (place);
  difference->before = difference_dup_shown (field->proposed);
  difference->after = difference_dup_shown (field->json);
  g_ptr_array_add (list, difference);
}

GPtrArray *
beckon_form_list_differences (BeckonForm *form)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) difference_free);

  g_return_val_if_fail (BECKON_IS_FORM (form), list);

  difference_collect (beckon_form_get_root (form), "", list);
  return list;
}

/* --- Lines -------------------------------------------------------------------------------------------------------- */

static void
print_value (GString *lines, const BeckonJsonValue *value, guint indent);

static void
indent_by (GString *lines, guint indent)
{
  g_string_append_printf (lines, "\n%*s", (int) (2 * indent), "");
}

/* Line breaks become lines that stand under the first one; what was "\n" in the text is told from it by that alone. */
static void
print_string (GString *lines, const GString *text, guint indent)
{
  g_auto (GStrv) parts = NULL;
  g_autofree char *valid = NULL;

  if (strlen (text->str) != text->len)
    {
      valid = beckon_text_for_display (text->str, (gssize) text->len, BECKON_TEXT_EXACT);
      g_string_append_printf (lines, "\"%s\"", valid);
      return;
    }
  parts = g_strsplit (text->str, "\n", -1);
  g_string_append_c (lines, '"');
  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *shown = beckon_text_for_display (parts[i], -1, BECKON_TEXT_EXACT);

      if (i > 0)
        indent_by (lines, indent + 1);
      g_string_append (lines, shown);
    }
  g_string_append_c (lines, '"');
}

static void
print_children (GString *lines, const BeckonJsonValue *value, guint indent)
{
  gboolean is_object = value->kind == BECKON_JSON_VALUE_OBJECT;

  g_string_append_c (lines, is_object ? '{' : '[');
  for (guint i = 0; i < value->children->len; i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (value, i);

      indent_by (lines, indent + 1);
      if (is_object)
        {
          g_autofree char *name =
              beckon_text_for_display (child->name->str, (gssize) child->name->len, BECKON_TEXT_EXACT);

          g_string_append_printf (lines, "%s: ", name);
        }
      print_value (lines, child, indent + 1);
    }
  if (value->children->len > 0)
    indent_by (lines, indent);
  g_string_append_c (lines, is_object ? '}' : ']');
}

static void
print_value (GString *lines, const BeckonJsonValue *value, guint indent)
{
  g_autofree char *printed = NULL;

  if (value->children != NULL)
    print_children (lines, value, indent);
  else if (value->kind == BECKON_JSON_VALUE_STRING)
    print_string (lines, value->text, indent);
  else
    {
      printed = beckon_json_value_print (value);
      g_string_append (lines, printed);
    }
}

char *
beckon_form_print_lines (const char *json)
{
  g_autoptr (BeckonJsonValue) value = NULL;
  GString *lines;

  g_return_val_if_fail (json != NULL, NULL);

  value = beckon_json_value_parse (json, -1, NULL);
  if (value == NULL)
    return beckon_text_json_for_display (json);
  lines = g_string_new (NULL);
  if (value->kind == BECKON_JSON_VALUE_OBJECT)
    {
      /* The braces around all of it say nothing. */
      for (guint i = 0; i < value->children->len; i++)
        {
          const BeckonJsonValue *child = beckon_json_value_get_child (value, i);
          g_autofree char *name = beckon_text_for_display (child->name->str, (gssize) child->name->len, BECKON_TEXT_EXACT);

          g_string_append_printf (lines, "%s: ", name);
          print_value (lines, child, 0);
          g_string_append_c (lines, '\n');
        }
    }
  else
    print_value (lines, value, 0);
  return g_string_free (lines, FALSE);
}
