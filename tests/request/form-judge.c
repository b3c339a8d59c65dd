/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Judges answers to forms: reads lines {"params": …, "content": …}, prints for each "good" or "bad", as an answer in JSON is
 * judged, and "same" if the form, filled in field by field, gives that content and is judged so too; "other" if not. */

#include "base/beckon-json.h"
#include "request/beckon-form-request.h"

#include <stdio.h>
#include <string.h>

static char *
dup_slice (const char *line, const BeckonJsonValue *value)
{
  return g_strndup (line + value->offset, value->length);
}

static int
find_value (const BeckonFormField *field, const BeckonJsonValue *wanted)
{
  for (guint i = 0; i < field->options->len; i++)
    {
      g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (g_ptr_array_index (field->values, i), -1, NULL);

      if (beckon_json_value_equal (value, wanted))
        return (int) i;
    }
  return -1;
}

static gboolean
pick (BeckonForm *form, const char *pointer, const BeckonJsonValue *value)
{
  if (value->kind != BECKON_JSON_VALUE_ARRAY || !beckon_form_put (form, beckon_form_find (form, pointer), "[]"))
    return FALSE;
  for (guint i = 0; i < value->children->len; i++)
    {
      BeckonFormField *field = beckon_form_find (form, pointer);
      int option = field->kind == BECKON_FORM_SEVERAL ? find_value (field, beckon_json_value_get_child (value, i)) : -1;

      if (option < 0 || !beckon_form_pick (form, field, (guint) option, TRUE))
        return FALSE;
    }
  return TRUE;
}

/* FALSE where no control takes such a value. */
static gboolean
fill_in (BeckonForm *form, const BeckonJsonValue *value)
{
  g_autofree char *pointer = g_strconcat ("/", value->name->str, NULL);
  BeckonFormField *field = beckon_form_find (form, pointer);
  int option;

  if (field == NULL || strcmp (field->pointer, pointer) != 0)
    return FALSE;
  switch (field->kind)
    {
    case BECKON_FORM_BOOLEAN:
      return (value->kind == BECKON_JSON_VALUE_TRUE || value->kind == BECKON_JSON_VALUE_FALSE)
             && beckon_form_put (form, field, value->kind == BECKON_JSON_VALUE_TRUE ? "true" : "false");
    case BECKON_FORM_NUMBER:
    case BECKON_FORM_INTEGER:
      return value->kind == BECKON_JSON_VALUE_NUMBER && beckon_form_type (form, field, value->text->str);
    case BECKON_FORM_ENUM:
      option = find_value (field, value);
      return option >= 0 && beckon_form_choose (form, field, (guint) option);
    case BECKON_FORM_SEVERAL:
      return pick (form, pointer, value);
    case BECKON_FORM_TEXT:
      return value->kind == BECKON_JSON_VALUE_STRING && beckon_form_type (form, field, value->text->str);
    case BECKON_FORM_CONST:
    case BECKON_FORM_OBJECT:
    case BECKON_FORM_ARRAY:
    case BECKON_FORM_CHOICE:
    case BECKON_FORM_RAW:
    default:
      return FALSE;
    }
}

static void
clear (BeckonForm *form)
{
  for (guint i = 0; i < beckon_form_get_root (form)->children->len; i++)
    g_assert_true (beckon_form_clear (form, g_ptr_array_index (beckon_form_get_root (form)->children, i)));
}

/* No verdict is possible on a value that has no control, or that is blank: the place is empty then. */
static gboolean
agrees (BeckonRequest *request, const BeckonJsonValue *content, gboolean is_good)
{
  g_autoptr (BeckonForm) form = beckon_form_request_make_form (request);
  g_autoptr (BeckonJsonValue) made = NULL;

  clear (form);
  for (guint i = 0; i < beckon_json_value_get_n_children (content); i++)
    if (!fill_in (form, beckon_json_value_get_child (content, i)))
      return !is_good;
  made = beckon_json_value_parse (beckon_form_get_text (form), -1, NULL);
  return !is_good || (beckon_json_value_equal (made, content) && beckon_form_is_valid (form));
}

int
main (void)
{
  char *line = NULL;
  size_t size = 0;

  while (getline (&line, &size, stdin) > 0)
    {
      g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (line, -1, NULL);
      const BeckonJsonValue *content = beckon_json_value_get (value, "content");
      g_autofree char *params = dup_slice (line, beckon_json_value_get (value, "params"));
      g_autofree char *given = dup_slice (line, content);
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonRequest) request = beckon_form_request_new ("conversation", "server", params, 0, &error);
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_FORM, given);
      gboolean is_good;

      g_assert_no_error (error);
      g_assert_true (beckon_form_request_is_flat (request));
      is_good = beckon_request_check_answer (request, answer, NULL);
      puts (is_good ? "good" : "bad");
      puts (agrees (request, content, is_good) ? "same" : "other");
    }
  free (line);
  return 0;
}
