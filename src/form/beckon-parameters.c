/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-parameters-private.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-json-edit.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-request-json.h"
#include "domain/beckon-request-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonParameters
{
  GPtrArray *list;    /* (element-type BeckonParameter) */
  gboolean is_closed; /* what is overridden is unknown */
};

static const char *const access_words[] = {
  [BECKON_FORM_EDITABLE] = "editable",
  [BECKON_FORM_READ_ONLY] = "read-only",
  [BECKON_FORM_MASKED] = "masked",
  [BECKON_FORM_HIDDEN] = "hidden",
};

/* For unreadable settings. */
static const BeckonParameter closed = { .name = (char *) "", .access = BECKON_FORM_HIDDEN };

const char *
beckon_form_access_to_string (BeckonFormAccess access)
{
  g_return_val_if_fail ((guint) access < G_N_ELEMENTS (access_words), "hidden");

  return access_words[access];
}

gboolean
beckon_form_access_from_string (const char *word, BeckonFormAccess *access)
{
  *access = BECKON_FORM_HIDDEN;
  for (guint i = 0; i < G_N_ELEMENTS (access_words); i++)
    {
      if (g_strcmp0 (word, access_words[i]) != 0)
        continue;
      *access = (BeckonFormAccess) i;
      return TRUE;
    }
  return FALSE;
}

static void
parameter_free (BeckonParameter *parameter)
{
  g_free (parameter->name);
  g_free (parameter->pinned);
  g_clear_pointer (&parameter->allowed, g_ptr_array_unref);
  g_free (parameter);
}

BeckonParameters *
beckon_parameters_new (void)
{
  BeckonParameters *parameters = g_atomic_rc_box_new0 (BeckonParameters);

  parameters->list = g_ptr_array_new_with_free_func ((GDestroyNotify) parameter_free);
  return parameters;
}

BeckonParameters *
beckon_parameters_new_closed (void)
{
  BeckonParameters *parameters = beckon_parameters_new ();

  parameters->is_closed = TRUE;
  return parameters;
}

gboolean
beckon_parameters_is_closed (BeckonParameters *parameters)
{
  return parameters != NULL && parameters->is_closed;
}

static void
parameters_clear (gpointer data)
{
  g_ptr_array_unref (((BeckonParameters *) data)->list);
}

BECKON_COUNTED (BeckonParameters, beckon_parameters, parameters_clear)

guint
beckon_parameters_get_n (BeckonParameters *parameters)
{
  return parameters != NULL ? parameters->list->len : 0;
}

const BeckonParameter *
beckon_parameters_get (BeckonParameters *parameters, guint index)
{
  return g_ptr_array_index (parameters->list, index);
}

static guint
find_index (BeckonParameters *parameters, const char *name)
{
  guint n = beckon_parameters_get_n (parameters);
  guint i;

  for (i = 0; i < n; i++)
    {
      if (strcmp (beckon_parameters_get (parameters, i)->name, name) == 0)
        break;
    }
  return i;
}

const BeckonParameter *
beckon_parameters_find (BeckonParameters *parameters, const char *name)
{
  guint index = find_index (parameters, name);

  if (beckon_parameters_is_closed (parameters))
    return &closed;
  return index < beckon_parameters_get_n (parameters) ? beckon_parameters_get (parameters, index) : NULL;
}

static gboolean
parameters_is_same (const char *one, const BeckonJsonValue *other)
{
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (one, -1, NULL);

  return value != NULL && other != NULL && beckon_json_value_equal (value, other);
}

static gboolean
is_allowed (const BeckonParameter *parameter, const BeckonJsonValue *value)
{
  for (guint i = 0; parameter->allowed != NULL && i < parameter->allowed->len; i++)
    {
      if (parameters_is_same (g_ptr_array_index (parameter->allowed, i), value))
        return TRUE;
    }
  return parameter->allowed == NULL;
}

static gboolean
parameters_refuse (GError **error, const char *name, const char *why)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The parameter \"%.100s\" %s", name, why);
  return FALSE;
}

static gboolean
check_parameter (const BeckonParameter *parameter, GError **error)
{
  g_autoptr (BeckonJsonValue) pinned = NULL;

  for (guint i = 0; parameter->allowed != NULL && i < parameter->allowed->len; i++)
    {
      if (!beckon_json_check (g_ptr_array_index (parameter->allowed, i), -1, NULL))
        return parameters_refuse (error, parameter->name, "has an allowed value that is not JSON");
    }
  if (parameter->pinned == NULL)
    return TRUE;
  pinned = beckon_json_value_parse (parameter->pinned, -1, NULL);
  if (pinned == NULL)
    return parameters_refuse (error, parameter->name, "is pinned to what is not JSON");
  return is_allowed (parameter, pinned) || parameters_refuse (error, parameter->name,
                                                              "is pinned to a value that is not allowed");
}

gboolean
beckon_parameters_add (BeckonParameters *parameters, const char *name, BeckonFormAccess access, const char *pinned,
                       const char *const *allowed, GError **error)
{
  BeckonParameter *parameter;
  guint index;

  g_return_val_if_fail (parameters != NULL, FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  parameter = g_new0 (BeckonParameter, 1);
  parameter->name = g_strdup (name);
  parameter->access = access;
  parameter->pinned = g_strdup (pinned);
  if (allowed != NULL && allowed[0] != NULL)
    parameter->allowed = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; parameter->allowed != NULL && allowed[i] != NULL; i++)
    g_ptr_array_add (parameter->allowed, g_strdup (allowed[i]));
  if (!check_parameter (parameter, error))
    {
      parameter_free (parameter);
      return FALSE;
    }
  index = find_index (parameters, name);
  if (index < parameters->list->len)
    g_ptr_array_remove_index (parameters->list, index);
  if (access == BECKON_FORM_EDITABLE && pinned == NULL && parameter->allowed == NULL)
    parameter_free (parameter);
  else
    g_ptr_array_add (parameters->list, parameter);
  return TRUE;
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

char *
beckon_parameters_to_json (BeckonParameters *parameters)
{
  GString *json = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      const BeckonParameter *parameter = beckon_parameters_get (parameters, i);

      beckon_json_writer_name (&writer, parameter->name);
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "access", access_words[parameter->access]);
      if (parameter->pinned != NULL)
        {
          beckon_json_writer_name (&writer, "pinned");
          beckon_json_writer_raw (&writer, parameter->pinned, -1);
        }
      if (parameter->allowed != NULL)
        {
          beckon_json_writer_name (&writer, "allowed");
          beckon_json_writer_begin_array (&writer);
          for (guint j = 0; j < parameter->allowed->len; j++)
            beckon_json_writer_raw (&writer, g_ptr_array_index (parameter->allowed, j), -1);
          beckon_json_writer_end_array (&writer);
        }
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (json, FALSE);
}

static gboolean
read_parameter (BeckonParameters *parameters, const BeckonJsonValue *value, GError **error)
{
  const BeckonJsonValue *pinned = beckon_json_value_get (value, "pinned");
  const BeckonJsonValue *allowed = beckon_json_value_get (value, "allowed");
  g_autofree char *pinned_text = pinned != NULL ? beckon_json_value_print (pinned) : NULL;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  BeckonFormAccess access;

  beckon_form_access_from_string (beckon_json_value_get_string (beckon_json_value_get (value, "access")), &access);
  for (guint i = 0; i < beckon_json_value_get_n_children (allowed); i++)
    g_ptr_array_add (texts, beckon_json_value_print (beckon_json_value_get_child (allowed, i)));
  g_ptr_array_add (texts, NULL);
  return beckon_parameters_add (parameters, value->name->str, access, pinned_text,
                                (const char *const *) texts->pdata, error);
}

BeckonParameters *
beckon_parameters_from_json (const char *json, GError **error)
{
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (json, -1, error);
  g_autoptr (BeckonParameters) parameters = beckon_parameters_new ();

  if (value == NULL)
    return NULL;
  if (value->kind != BECKON_JSON_VALUE_OBJECT)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "What is settled about parameters is no object");
      return NULL;
    }
  for (guint i = 0; i < value->children->len; i++)
    {
      if (!read_parameter (parameters, beckon_json_value_get_child (value, i), error))
        return NULL;
    }
  return g_steal_pointer (&parameters);
}

/* --- Use ---------------------------------------------------------------------------------------------------------- */

char *
beckon_parameters_apply (BeckonParameters *parameters, const char *arguments)
{
  g_autofree char *text = g_strdup (arguments);
  gboolean is_changed = FALSE;

  g_return_val_if_fail (arguments != NULL, NULL);

  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      const BeckonParameter *parameter = beckon_parameters_get (parameters, i);
      g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (text, -1, NULL);
      g_autoptr (GString) name = g_string_new (parameter->name);
      const BeckonJsonValue *member = beckon_json_value_get_member (root, name);
      g_autoptr (BeckonJsonEdit) edit = NULL;
      char *changed;

      if (root == NULL || root->kind != BECKON_JSON_VALUE_OBJECT || parameter->pinned == NULL
          || parameters_is_same (parameter->pinned, member))
        continue;
      edit = member != NULL ? beckon_json_edit_replace (member, parameter->pinned)
                            : beckon_json_edit_insert (text, root, name, root->children->len, parameter->pinned);
      changed = beckon_json_edit_apply (edit, text);
      g_free (text);
      text = changed;
      is_changed = TRUE;
    }
  return is_changed ? g_steal_pointer (&text) : NULL;
}

static gboolean
check_value (const BeckonParameter *parameter, const BeckonJsonValue *value, GError **error)
{
  if (parameter->pinned != NULL && !parameters_is_same (parameter->pinned, value))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The user settled that \"%.100s\" is always %.1000s.",
                   parameter->name, parameter->pinned);
      return FALSE;
    }
  if (value != NULL && !is_allowed (parameter, value))
    {
      g_autoptr (GString) list = g_string_new (NULL);

      for (guint i = 0; i < parameter->allowed->len; i++)
        g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", (char *) g_ptr_array_index (parameter->allowed, i));
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The user allows only these values of \"%.100s\": %.4000s",
                   parameter->name, list->str);
      return FALSE;
    }
  return TRUE;
}

gboolean
beckon_parameters_check (BeckonParameters *parameters, const char *arguments, GError **error)
{
  g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (arguments, -1, error);

  return root != NULL && beckon_parameters_check_value (parameters, root, error);
}

gboolean
beckon_parameters_check_value (BeckonParameters *parameters, const BeckonJsonValue *root, GError **error)
{
  if (beckon_parameters_is_closed (parameters))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           "What the user settled about this tool's parameters cannot be read. Nothing was run.");
      return FALSE;
    }
  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      const BeckonParameter *parameter = beckon_parameters_get (parameters, i);

      if (!check_value (parameter, beckon_json_value_get (root, parameter->name), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
refuse_edit (GError **error, const char *words, const char *name)
{
  g_autofree char *shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);

  g_autofree char *message = beckon_text_fill_in (words, shown);

  g_set_error_literal (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID, message);
  return FALSE;
}

gboolean
beckon_parameters_check_edit (BeckonParameters *parameters, const char *proposed, const char *edited, GError **error)
{
  g_autoptr (BeckonJsonValue) before = beckon_json_value_parse (proposed, -1, NULL);
  g_autoptr (BeckonJsonValue) after = beckon_json_value_parse (edited, -1, NULL);

  if (beckon_parameters_is_closed (parameters))
    {
      g_set_error_literal (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID,
                           _("What you settled about this tool cannot be read, so nothing can be changed here."));
      return FALSE;
    }
  for (guint i = 0; i < beckon_parameters_get_n (parameters); i++)
    {
      const BeckonParameter *parameter = beckon_parameters_get (parameters, i);
      const BeckonJsonValue *was = beckon_json_value_get (before, parameter->name);
      const BeckonJsonValue *is = beckon_json_value_get (after, parameter->name);
      gboolean same = (was == NULL && is == NULL) || (was != NULL && is != NULL && beckon_json_value_equal (was, is));

      if (!same && (parameter->access != BECKON_FORM_EDITABLE || parameter->pinned != NULL))
        /* Translators: %s is the name of an argument of a tool */
        return refuse_edit (error, _("You settled that “%s” is not changed."), parameter->name);
      if (!same && !check_value (parameter, is, NULL))
        /* Translators: %s is the name of an argument of a tool */
        return refuse_edit (error, _("What you allowed for “%s” does not include this value."), parameter->name);
    }
  return TRUE;
}
