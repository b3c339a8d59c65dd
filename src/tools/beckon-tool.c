/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tool.h"

#include "base/beckon-error.h"
#include "base/beckon-json-schema.h"
#include "base/beckon-json.h"

G_DEFINE_INTERFACE (BeckonTool, beckon_tool, G_TYPE_OBJECT)

static gboolean
default_needs_person (BeckonTool *self)
{
  return FALSE;
}

static void
default_get_effects (BeckonTool *self, const BeckonToolContext *context, BeckonEffects *effects)
{
  effects->read_only = beckon_tool_get_definition (self)->read_only;
}

static void
default_run_async (BeckonTool *self, const BeckonToolContext *context, GCancellable *cancellable,
                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, default_run_async);
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "This tool only asks; there is nothing to run");
}

static char *
default_run_finish (BeckonTool *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
beckon_tool_default_init (BeckonToolInterface *iface)
{
  iface->needs_person = default_needs_person;
  iface->get_effects = default_get_effects;
  iface->run_async = default_run_async;
  iface->run_finish = default_run_finish;
}

BeckonToolDefinition *
beckon_tool_get_definition (BeckonTool *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return BECKON_TOOL_GET_IFACE (self)->get_definition (self);
}

const char *
beckon_tool_get_name (BeckonTool *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return beckon_tool_get_definition (self)->name;
}

gboolean
beckon_tool_needs_person (BeckonTool *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), FALSE);

  return BECKON_TOOL_GET_IFACE (self)->needs_person (self);
}

BeckonRequest *
beckon_tool_ask (BeckonTool *self, const BeckonToolContext *context, GError **error)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);
  g_return_val_if_fail (context != NULL, NULL);
  g_return_val_if_fail (BECKON_TOOL_GET_IFACE (self)->ask != NULL, NULL);

  return BECKON_TOOL_GET_IFACE (self)->ask (self, context, error);
}

static void
add_default (JsonObject *properties, const char *name, JsonNode *node, gpointer data)
{
  JsonObject *property = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

  if (property != NULL && json_object_has_member (property, "default"))
    json_object_set_member (data, name, json_node_copy (json_object_get_member (property, "default")));
}

/* By the schema, which is read once for each tool. */
static JsonObject *
get_defaults (BeckonTool *self)
{
  static const char key[] = "beckon-tool-defaults";
  JsonObject *defaults = g_object_get_data (G_OBJECT (self), key);
  g_autoptr (JsonObject) schema = NULL;
  JsonObject *properties;

  if (defaults != NULL)
    return defaults;
  defaults = json_object_new ();
  schema = beckon_json_parse_object (beckon_tool_get_definition (self)->schema, -1, NULL);
  properties = schema != NULL ? beckon_json_get_object (schema, "properties") : NULL;
  if (properties != NULL)
    json_object_foreach_member (properties, add_default, defaults);
  g_object_set_data_full (G_OBJECT (self), key, defaults, (GDestroyNotify) json_object_unref);
  return defaults;
}

static void
add_missing (JsonObject *defaults, const char *name, JsonNode *node, gpointer data)
{
  if (!json_object_has_member (data, name))
    json_object_set_member (data, name, json_node_copy (node));
}

void
beckon_tool_get_effects (BeckonTool *self, const BeckonToolContext *context, BeckonEffects *effects)
{
  g_autoptr (JsonObject) arguments = NULL;

  g_return_if_fail (BECKON_IS_TOOL (self));
  g_return_if_fail (context != NULL);
  g_return_if_fail (effects != NULL);

  *effects = (BeckonEffects){
    .tool = beckon_tool_get_name (self),
    .folder = context->folder,
    .conversation_id = context->conversation_id,
  };
  if (context->arguments != NULL)
    arguments = beckon_json_parse_object (context->arguments, -1, NULL);
  if (arguments != NULL)
    json_object_foreach_member (get_defaults (self), add_missing, arguments);
  beckon_effects_set_arguments (effects, arguments);
  BECKON_TOOL_GET_IFACE (self)->get_effects (self, context, effects);
}

char *
beckon_tool_get_absence (BeckonTool *self, const char *folder)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return BECKON_TOOL_GET_IFACE (self)->get_absence != NULL ? BECKON_TOOL_GET_IFACE (self)->get_absence (self, folder)
                                                           : NULL;
}

gboolean
beckon_tool_check (BeckonTool *self, const BeckonToolContext *context, GError **error)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), FALSE);
  g_return_val_if_fail (context != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return BECKON_TOOL_GET_IFACE (self)->check == NULL || BECKON_TOOL_GET_IFACE (self)->check (self, context, error);
}

/* Read once for each tool. */
static BeckonJsonSchema *
get_schema (BeckonTool *self, GError **error)
{
  static const char key[] = "beckon-tool-schema";
  BeckonJsonSchema *schema = g_object_get_data (G_OBJECT (self), key);

  if (schema != NULL)
    return schema;
  schema = beckon_json_schema_new (beckon_tool_get_definition (self)->schema, -1, BECKON_JSON_SCHEMA_2020_12, error);
  if (schema != NULL)
    g_object_set_data_full (G_OBJECT (self), key, schema, (GDestroyNotify) beckon_json_schema_free);
  return schema;
}

gboolean
beckon_tool_check_arguments (BeckonTool *self, const char *arguments, GError **error)
{
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree char *message = NULL;
  BeckonJsonSchema *schema;

  g_return_val_if_fail (BECKON_IS_TOOL (self), FALSE);
  g_return_val_if_fail (arguments != NULL, FALSE);

  schema = get_schema (self, error);
  if (schema == NULL)
    {
      g_prefix_error (error, "The schema of this tool cannot be read, so that its arguments cannot be checked. ");
      return FALSE;
    }
  problems = beckon_json_schema_validate_text (schema, arguments, -1);
  if (problems == NULL)
    return TRUE;
  message = beckon_json_problems_to_message (problems);
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "The arguments do not fit the schema of the tool:\n%s", message);
  return FALSE;
}

void
beckon_tool_run_async (BeckonTool *self, const BeckonToolContext *context, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_TOOL (self));
  g_return_if_fail (context != NULL);

  BECKON_TOOL_GET_IFACE (self)->run_async (self, context, cancellable, callback, user_data);
}

char *
beckon_tool_run_finish (BeckonTool *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return BECKON_TOOL_GET_IFACE (self)->run_finish (self, result, error);
}

void
beckon_tool_get_end (BeckonTool *self, GAsyncResult *result, BeckonToolEnd *end)
{
  g_return_if_fail (BECKON_IS_TOOL (self));
  g_return_if_fail (end != NULL);

  *end = (BeckonToolEnd){ .exit_status = -1, .output_length = G_MAXSIZE };
  if (BECKON_TOOL_GET_IFACE (self)->get_end != NULL)
    BECKON_TOOL_GET_IFACE (self)->get_end (self, result, end);
}

gboolean
beckon_tool_can_land (BeckonTool *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), FALSE);

  return BECKON_TOOL_GET_IFACE (self)->take_landing != NULL;
}

BeckonLanding *
beckon_tool_take_landing (BeckonTool *self, GAsyncResult *result)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return beckon_tool_can_land (self) ? BECKON_TOOL_GET_IFACE (self)->take_landing (self, result) : NULL;
}

void
beckon_tool_survey_async (BeckonTool *self, BeckonToolCall *call, const char *id, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_return_if_fail (BECKON_IS_TOOL (self) && BECKON_TOOL_GET_IFACE (self)->survey_async != NULL);
  g_return_if_fail (BECKON_IS_TOOL_CALL (call) && id != NULL);

  BECKON_TOOL_GET_IFACE (self)->survey_async (self, call, id, callback, user_data);
}

BeckonLanding *
beckon_tool_survey_finish (BeckonTool *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return BECKON_TOOL_GET_IFACE (self)->survey_finish (self, result, error);
}

void
beckon_tool_release (BeckonTool *self, BeckonToolCall *call)
{
  g_return_if_fail (BECKON_IS_TOOL (self) && BECKON_TOOL_GET_IFACE (self)->release != NULL);
  g_return_if_fail (BECKON_IS_TOOL_CALL (call));

  BECKON_TOOL_GET_IFACE (self)->release (self, call);
}

GPtrArray *
beckon_tool_dup_images (BeckonTool *self, GAsyncResult *result)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return BECKON_TOOL_GET_IFACE (self)->dup_images != NULL ? BECKON_TOOL_GET_IFACE (self)->dup_images (self, result) : NULL;
}

gboolean
beckon_tool_can_verify (BeckonTool *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), FALSE);

  return BECKON_TOOL_GET_IFACE (self)->look_async != NULL;
}

void
beckon_tool_verify_async (BeckonTool *self, const BeckonToolContext *context, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_TOOL (self) && beckon_tool_can_verify (self));
  g_return_if_fail (context != NULL);

  BECKON_TOOL_GET_IFACE (self)->look_async (self, context, cancellable, callback, user_data);
}

char *
beckon_tool_verify_finish (BeckonTool *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return BECKON_TOOL_GET_IFACE (self)->look_finish (self, result, error);
}

BeckonAnswer *
beckon_tool_prompt_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
