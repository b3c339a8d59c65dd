/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tool.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "beckon-config.h"

#include <glib/gi18n-lib.h>

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
default_run (BeckonTool *self, const BeckonToolContext *context, GTask *task)
{
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "This tool only asks; there is nothing to run.");
}

static void
beckon_tool_default_init (BeckonToolInterface *iface)
{
  iface->needs_person = default_needs_person;
  iface->get_effects = default_get_effects;
  iface->run = default_run;
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

const char *
beckon_tool_get_server (BeckonTool *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return BECKON_TOOL_GET_IFACE (self)->get_server != NULL ? BECKON_TOOL_GET_IFACE (self)->get_server (self) : NULL;
}

const char *
beckon_tool_get_digest (BeckonTool *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return BECKON_TOOL_GET_IFACE (self)->get_digest != NULL ? BECKON_TOOL_GET_IFACE (self)->get_digest (self) : NULL;
}

BeckonRequest *
beckon_tool_ask (BeckonTool *self, const BeckonToolContext *context, GError **error)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);
  g_return_val_if_fail (context != NULL, NULL);
  g_return_val_if_fail (BECKON_TOOL_GET_IFACE (self)->ask != NULL, NULL);

  return BECKON_TOOL_GET_IFACE (self)->ask (self, context, error);
}

/* Read once for each tool, by whichever thread needs it first. A schema that cannot be read lets nothing through. */
static BeckonJsonSchema *
get_schema (BeckonTool *self)
{
  static const char key[] = "beckon-tool-schema";
  static GMutex lock;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  BeckonJsonSchema *schema = g_object_get_data (G_OBJECT (self), key);
  g_autoptr (GError) error = NULL;

  if (schema != NULL)
    return schema;
  schema = beckon_json_schema_new (beckon_tool_get_definition (self)->schema, -1, BECKON_JSON_SCHEMA_2020_12, &error);
  if (schema == NULL)
    {
      g_message ("the schema of the tool %s cannot be read, so that it is never run: %s", beckon_tool_get_name (self),
                 error->message);
      schema = beckon_json_schema_new ("false", -1, BECKON_JSON_SCHEMA_2020_12, NULL);
    }
  g_object_set_data_full (G_OBJECT (self), key, schema, (GDestroyNotify) beckon_json_schema_free);
  return schema;
}

BeckonToolArguments *
beckon_tool_parse_arguments (BeckonTool *self, const char *arguments)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);
  g_return_val_if_fail (arguments != NULL, NULL);

  return beckon_tool_arguments_new (get_schema (self), arguments);
}

/* How other agents call the arguments of Beckon's own tools. Without the last ones a call does the same: they say why it is
 * made. */
static const BeckonJsonSynonym synonyms[] = {
  { "cmd", "command" },           { "command_line", "command" }, { "script", "command" },
  { "cwd", "directory" },         { "workdir", "directory" },    { "working_directory", "directory" },
  { "timeout", "timeout_seconds" }, { "run_in_background", "background" }, { "is_background", "background" },
  { "file_path", "path" },        { "filename", "path" },        { "file_name", "path" },
  { "file", "path" },             { "target_file", "path" },     { "absolute_path", "path" },
  { "relative_path", "path" },    { "dir", "path" },             { "directory", "path" },
  { "dir_path", "path" },         { "folder", "path" },          { "old_str", "old_text" },
  { "old_string", "old_text" },   { "new_str", "new_text" },     { "new_string", "new_text" },
  { "file_text", "content" },     { "contents", "content" },     { "regex", "pattern" },
  { "query", "pattern" },         { "todos", "steps" },
  { "description", NULL },        { "explanation", NULL },       { "reason", NULL },
  { "reasoning", NULL },          { "thought", NULL },           { "thoughts", NULL },
  { "purpose", NULL },            { "intent", NULL },            { "title", NULL },
  { "summary", NULL },            { "timeout", NULL },           { "requires_approval", NULL },
  { "security_risk", NULL },      { "task_progress", NULL },     { NULL, NULL },
};

/* (nullable): the first of a list of edits, with the others as more of them, where a list alone was given, maybe as a text. */
static char *
tool_take_edits (BeckonJsonSchema *schema, const char *arguments)
{
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (arguments, -1, NULL);
  const BeckonJsonValue *given = beckon_json_value_get (value, "edits");
  const char *text = beckon_json_value_get_string (given);
  g_autoptr (BeckonJsonValue) literal = text != NULL ? beckon_json_value_parse (text, -1, NULL) : NULL;
  const BeckonJsonValue *edits = literal != NULL ? literal : given;
  const char *source = literal != NULL ? text : arguments;
  const BeckonJsonValue *properties = beckon_json_value_get (beckon_json_schema_get_root (schema), "properties");
  g_autoptr (GString) taken = g_string_new (NULL);
  BeckonJsonWriter writer;

  if (edits == NULL || edits->kind != BECKON_JSON_VALUE_ARRAY || beckon_json_value_get_n_children (edits) == 0
      || beckon_json_value_get_child (edits, 0)->kind != BECKON_JSON_VALUE_OBJECT
      || beckon_json_value_get (properties, "more_edits") == NULL || beckon_json_value_get (value, "more_edits") != NULL
      || beckon_json_value_get (value, "old_text") != NULL)
    return NULL;
  beckon_json_writer_init (&writer, taken);
  beckon_json_writer_begin_object (&writer);
  for (guint i = 0; i < 2; i++)
    {
      const BeckonJsonValue *object = i == 0 ? value : beckon_json_value_get_child (edits, 0);

      for (guint j = 0; j < beckon_json_value_get_n_children (object); j++)
        {
          const BeckonJsonValue *member = beckon_json_value_get_child (object, j);

          if (member == given)
            continue;
          beckon_json_writer_name (&writer, member->name->str);
          beckon_json_writer_raw (&writer, (i == 0 ? arguments : source) + member->offset, (gssize) member->length);
        }
    }
  if (beckon_json_value_get_n_children (edits) > 1)
    {
      beckon_json_writer_name (&writer, "more_edits");
      beckon_json_writer_begin_array (&writer);
      for (guint i = 1; i < beckon_json_value_get_n_children (edits); i++)
        beckon_json_writer_raw (&writer, source + beckon_json_value_get_child (edits, i)->offset,
                                (gssize) beckon_json_value_get_child (edits, i)->length);
      beckon_json_writer_end_array (&writer);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&taken), FALSE);
}

char *
beckon_tool_complete_arguments (BeckonTool *self, const char *arguments, char **told)
{
  g_autofree char *listed = NULL;
  const BeckonJsonSynonym *names;
  BeckonJsonSchema *schema;
  g_autofree char *completed = NULL;
  g_autoptr (BeckonJsonValue) value = NULL;

  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);
  g_return_val_if_fail (arguments != NULL, NULL);

  /* Only a server knows what it means by its arguments; and an unknown one may matter where something is changed. */
  names = beckon_tool_get_server (self) == NULL ? synonyms : NULL;
  schema = get_schema (self);
  listed = names != NULL ? tool_take_edits (schema, arguments) : NULL;
  if (listed != NULL)
    {
      g_autofree char *also = NULL;
      char *rest = beckon_json_schema_complete (schema, listed, names, FALSE, &also);

      if (told != NULL)
        *told = g_strconcat ("`edits` was taken for `old_text`, `new_text` and `more_edits`.", also != NULL ? " " : NULL, also,
                             NULL);
      return rest != NULL ? rest : g_steal_pointer (&listed);
    }
  completed = beckon_json_schema_complete (schema, arguments, names, beckon_tool_get_definition (self)->read_only, told);
  value = completed != NULL ? beckon_json_value_parse (completed, -1, NULL) : NULL;
  if (value != NULL && beckon_json_schema_fits (schema, beckon_json_schema_get_root (schema), value))
    return g_steal_pointer (&completed);
  if (told != NULL)
    g_clear_pointer (told, g_free);
  return beckon_json_schema_complete (schema, arguments, names, FALSE, told);
}

gboolean
beckon_tool_check_arguments (BeckonTool *self, const char *arguments, GError **error)
{
  g_autoptr (BeckonToolArguments) parsed = beckon_tool_parse_arguments (self, arguments);

  return parsed != NULL && beckon_tool_arguments_check (parsed, error);
}

/* The caller may have read the arguments, or leave it to this. */
static BeckonToolContext
complete_context (BeckonTool *self, const BeckonToolContext *context, BeckonToolArguments **parsed)
{
  BeckonToolContext whole = *context;

  *parsed = context->parsed != NULL      ? beckon_tool_arguments_ref (context->parsed)
            : context->arguments != NULL ? beckon_tool_parse_arguments (self, context->arguments)
                                         : NULL;
  whole.parsed = *parsed;
  return whole;
}

void
beckon_tool_get_effects (BeckonTool *self, const BeckonToolContext *context, BeckonEffects *effects)
{
  g_autoptr (BeckonToolArguments) parsed = NULL;
  BeckonToolContext whole;

  g_return_if_fail (BECKON_IS_TOOL (self));
  g_return_if_fail (context != NULL);
  g_return_if_fail (effects != NULL);

  whole = complete_context (self, context, &parsed);
  *effects = (BeckonEffects){
    .tool = beckon_tool_get_name (self),
    .server = beckon_tool_get_server (self),
    .folder = context->folder,
    .conversation_id = context->conversation_id,
  };
  if (context->parsed != NULL)
    effects->arguments = beckon_tool_arguments_get_completed (parsed);
  else if (parsed != NULL)
    beckon_effects_set_arguments (effects, beckon_tool_arguments_get_completed (parsed));
  BECKON_TOOL_GET_IFACE (self)->get_effects (self, &whole, effects);
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
  g_autoptr (BeckonToolArguments) parsed = NULL;
  BeckonToolContext whole;

  g_return_val_if_fail (BECKON_IS_TOOL (self), FALSE);
  g_return_val_if_fail (context != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (BECKON_TOOL_GET_IFACE (self)->check == NULL)
    return TRUE;
  whole = complete_context (self, context, &parsed);
  return BECKON_TOOL_GET_IFACE (self)->check (self, &whole, error);
}

gboolean
beckon_tool_checks_files (BeckonTool *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), FALSE);

  return BECKON_TOOL_GET_IFACE (self)->check_files != NULL;
}

gboolean
beckon_tool_check_files (BeckonTool *self, const BeckonToolContext *context, GError **error)
{
  g_autoptr (BeckonToolArguments) parsed = NULL;
  BeckonToolContext whole;

  g_return_val_if_fail (beckon_tool_checks_files (self), FALSE);
  g_return_val_if_fail (context != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  whole = complete_context (self, context, &parsed);
  return BECKON_TOOL_GET_IFACE (self)->check_files (self, &whole, error);
}

gboolean
beckon_tool_has_preview (BeckonTool *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), FALSE);

  return BECKON_TOOL_GET_IFACE (self)->preview != NULL;
}

BeckonCallPreview *
beckon_tool_preview (BeckonTool *self, const BeckonToolContext *context, GError **error)
{
  g_autoptr (BeckonToolArguments) parsed = NULL;
  BeckonToolContext whole;

  g_return_val_if_fail (beckon_tool_has_preview (self), NULL);
  g_return_val_if_fail (context != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  whole = complete_context (self, context, &parsed);
  if (!beckon_tool_arguments_check (whole.parsed, NULL))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The arguments do not fit the tool."));
      return NULL;
    }
  return BECKON_TOOL_GET_IFACE (self)->preview (self, &whole, error);
}

/* The last reference to a task that never returned was dropped. The return revives the task for as long as its callback takes:
 * a run waits for each of its calls. */
static void
return_if_lost (gpointer data, GObject *object)
{
  GTask *task = (GTask *) object;

  if (!g_task_get_completed (task))
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             "The tool ended without a result. That is a fault of the program; what it did until then is not "
                             "known.");
}

void
beckon_tool_run_async (BeckonTool *self, const BeckonToolContext *context, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (BeckonToolArguments) parsed = NULL;
  g_autoptr (GTask) task = NULL;
  BeckonToolContext whole;

  g_return_if_fail (BECKON_IS_TOOL (self));
  g_return_if_fail (context != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_tool_run_async);
  g_object_weak_ref (G_OBJECT (task), return_if_lost, NULL);
  whole = complete_context (self, context, &parsed);
  BECKON_TOOL_GET_IFACE (self)->run (self, &whole, task);
}

BECKON_FINISH_POINTER (char *, beckon_tool_run, BeckonTool)

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

  return BECKON_TOOL_GET_IFACE (self)->verify_async != NULL;
}

void
beckon_tool_verify_async (BeckonTool *self, const BeckonToolContext *context, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_TOOL (self) && beckon_tool_can_verify (self));
  g_return_if_fail (context != NULL);

  BECKON_TOOL_GET_IFACE (self)->verify_async (self, context, cancellable, callback, user_data);
}

char *
beckon_tool_verify_finish (BeckonTool *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_TOOL (self), NULL);

  return BECKON_TOOL_GET_IFACE (self)->verify_finish (self, result, error);
}

BeckonAnswer *
beckon_tool_prompt_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

BeckonApprovalDetails *
beckon_tool_describe_call (BeckonTool *tool, const BeckonEffects *effects)
{
  BeckonApprovalDetails *details = beckon_approval_details_new ();
  const char *directory;

  g_return_val_if_fail (BECKON_IS_TOOL (tool), details);
  g_return_val_if_fail (effects != NULL, details);

  details->schema = g_strdup (beckon_tool_get_definition (tool)->schema);
  details->server = g_strdup (effects->server);
  /* A command may start in another folder than the conversation's. */
  directory = effects->command != NULL ? beckon_effects_get_reach (effects, "directory") : NULL;
  if (effects->folder == NULL || directory == NULL)
    details->folder = g_strdup (effects->folder);
  else
    details->folder = g_canonicalize_filename (directory, effects->folder);
  details->command = g_strdup (effects->command);
  details->paths = g_strdupv ((char **) effects->paths);
  details->hosts = g_strdupv ((char **) effects->hosts);
  details->changes = !effects->read_only;
  details->leaves_folder = effects->leaves_folder;
  details->local_network = beckon_effects_get_reach (effects, "local_network") != NULL;
  details->uses_network = effects->uses_network
                          && (!details->local_network || beckon_effects_get_reach (effects, "network") != NULL);
  return details;
}
