/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tool-arguments.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "domain/beckon-tool-names.h"

struct _BeckonToolArguments
{
  char *text;
  BeckonJsonValue *value; /* (nullable) */
  char *fault;            /* (nullable): how they do not fit the schema */
  JsonObject *object;     /* (nullable) */
  GError *error;          /* (nullable): why there is none */
  JsonObject *completed;  /* (nullable) */
};

BeckonToolArguments *
beckon_tool_arguments_new (BeckonJsonSchema *schema, const char *text)
{
  BeckonToolArguments *self;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree char *message = NULL;

  self = g_atomic_rc_box_new0 (BeckonToolArguments);
  self->text = g_strdup (text);
  self->value = beckon_json_value_parse (text, -1, &self->error);
  problems = self->value != NULL ? beckon_json_schema_validate (schema, self->value)
                                 : beckon_json_schema_validate_text (schema, self->text, -1);
  message = problems != NULL ? beckon_json_problems_to_message (problems) : NULL;
  if (message != NULL)
    self->fault = g_strdup_printf (BECKON_TOOL_NAMES_UNFIT "\n%s", message);
  node = self->value != NULL ? beckon_json_from_value (self->value, &self->error) : NULL;
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    {
      const BeckonJsonValue *properties;
      JsonObjectIter iter;
      const char *name;
      JsonNode *member;

      self->object = json_node_dup_object (node);
      /* The objects share their nodes, whose counts are not atomic: only making and ending this counts them. */
      properties = beckon_json_value_get (beckon_json_schema_get_root (schema), "properties");
      self->completed = json_object_new ();
      json_object_iter_init_ordered (&iter, self->object);
      while (json_object_iter_next_ordered (&iter, &name, &member))
        json_object_set_member (self->completed, name, json_node_ref (member));
      for (guint i = 0; i < beckon_json_value_get_n_children (properties); i++)
        {
          const BeckonJsonValue *property = beckon_json_value_get_child (properties, i);
          const BeckonJsonValue *fallback = beckon_json_value_get (property, "default");
          JsonNode *made = fallback != NULL && !json_object_has_member (self->object, property->name->str)
                               ? beckon_json_from_value (fallback, NULL)
                               : NULL;

          if (made != NULL)
            json_object_set_member (self->completed, property->name->str, made);
        }
    }
  else if (node != NULL)
    g_set_error_literal (&self->error, BECKON_ERROR, BECKON_ERROR_INVALID, "Expected a JSON object");
  return self;
}

static void
tool_arguments_clear (gpointer data)
{
  BeckonToolArguments *self = data;

  g_free (self->text);
  g_free (self->fault);
  g_clear_error (&self->error);
  g_clear_pointer (&self->value, beckon_json_value_free);
  g_clear_pointer (&self->completed, json_object_unref);
  g_clear_pointer (&self->object, json_object_unref);
}

BECKON_COUNTED (BeckonToolArguments, beckon_tool_arguments, tool_arguments_clear)

gboolean
beckon_tool_arguments_check (const BeckonToolArguments *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->fault == NULL)
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, self->fault);
  return FALSE;
}

const char *
beckon_tool_arguments_get_text (const BeckonToolArguments *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->text;
}

const BeckonJsonValue *
beckon_tool_arguments_get_value (const BeckonToolArguments *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->value;
}

JsonObject *
beckon_tool_arguments_get_object (const BeckonToolArguments *self, GError **error)
{
  if (self->object == NULL && error != NULL)
    *error = g_error_copy (self->error);
  return self->object;
}

JsonObject *
beckon_tool_arguments_get_completed (const BeckonToolArguments *self)
{
  return self->completed;
}
