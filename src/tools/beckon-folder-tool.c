/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-folder-tool.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-worker.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonFolderTool
{
  GObject parent_instance;

  BeckonToolDefinition *definition;
  BeckonFolderFunction function;
  BeckonOutputStore *spool;
};

typedef struct
{
  BeckonFolderFunction function;
  char *root; /* (owned) (nullable) */
  BeckonToolArguments *arguments; /* (owned) */
  BeckonOutputStore *spool;
  char *conversation_id;
  BeckonMask *mask; /* (owned) (nullable) */
  BeckonDeniedPaths *denied; /* (owned) (nullable) */
  GPtrArray *images;
} Work;

static void beckon_folder_tool_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonFolderTool, beckon_folder_tool, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_folder_tool_tool_init))

static void
beckon_folder_tool_finalize (GObject *object)
{
  BeckonFolderTool *self = BECKON_FOLDER_TOOL (object);

  beckon_tool_definition_unref (self->definition);
  g_object_unref (self->spool);

  G_OBJECT_CLASS (beckon_folder_tool_parent_class)->finalize (object);
}

static void
beckon_folder_tool_class_init (BeckonFolderToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_folder_tool_finalize;
}

static void
beckon_folder_tool_init (BeckonFolderTool *self)
{
}

static BeckonToolDefinition *
get_definition (BeckonTool *tool)
{
  return BECKON_FOLDER_TOOL (tool)->definition;
}

static void
work_free (gpointer data)
{
  Work *work = data;

  g_free (work->root);
  beckon_tool_arguments_unref (work->arguments);
  g_object_unref (work->spool);
  g_ptr_array_unref (work->images);
  beckon_mask_unref (work->mask);
  beckon_denied_paths_unref (work->denied);
  g_free (work->conversation_id);
  g_free (work);
}

BeckonFolder *
beckon_folder_tool_open (const char *root, const char *path, char **relative, GError **error)
{
  g_autoptr (BeckonFolder) folder = NULL;

  g_return_val_if_fail (relative != NULL, NULL);

  if (root == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           "This conversation has no working folder, so there are no files to work on. The user can choose "
                           "one at the top of the conversation.");
      return NULL;
    }
  folder = beckon_folder_new (root, error);
  if (folder == NULL)
    return NULL;

  *relative = beckon_folder_relate (folder, path != NULL && *path != '\0' ? path : ".");
  if (*relative != NULL)
    return g_steal_pointer (&folder);

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               "“%.200s” is outside of the working folder, which is “%s”. Nothing outside of it can be reached.", path, root);
  return NULL;
}

void
beckon_folder_tool_get_effects (const BeckonToolContext *context, BeckonEffects *effects)
{
  const char *path = beckon_json_get_string (effects->arguments, "path");
  g_autofree char *resolved = NULL;
  g_autofree char *written = NULL;

  if (context->folder == NULL)
    return;

  resolved = beckon_folder_resolve (context->folder, path != NULL ? path : ".", &effects->leaves_folder);
  written = g_canonicalize_filename (path != NULL ? path : ".", context->folder);
  beckon_effects_add_path (effects, resolved);
  if (strcmp (resolved, written) != 0)
    beckon_effects_add_alias (effects, written);
}

gboolean
beckon_folder_call_denies (const BeckonFolderCall *call, const char *path)
{
  g_autofree char *written = NULL;
  g_autofree char *resolved = NULL;
  const char *folder;

  g_return_val_if_fail (call != NULL && path != NULL, TRUE);

  if (call->denied == NULL)
    return FALSE;

  folder = beckon_folder_get_path (call->folder);
  written = g_canonicalize_filename (path, folder);
  resolved = beckon_folder_resolve (folder, path, NULL);
  return beckon_denied_paths_has (call->denied, written) || beckon_denied_paths_has (call->denied, resolved);
}

gboolean
beckon_folder_tool_check (const BeckonToolContext *context, GError **error)
{
  JsonObject *arguments = beckon_tool_arguments_get_object (context->parsed, error);
  g_autoptr (BeckonFolder) folder = NULL;
  g_autofree char *relative = NULL;

  if (arguments == NULL)
    return FALSE;

  folder = beckon_folder_tool_open (context->folder, beckon_json_get_string (arguments, "path"), &relative, error);
  return folder != NULL;
}

char *
beckon_folder_tool_get_absence (BeckonTool *tool, const char *folder)
{
  return folder != NULL ? NULL : g_strdup (_("The conversation has no working folder."));
}

static gboolean
reads_spool (const char *path)
{
  return path != NULL && beckon_output_store_is_name (path);
}

static void
get_effects (BeckonTool *tool, const BeckonToolContext *context, BeckonEffects *effects)
{
  effects->read_only = TRUE;
  if (!reads_spool (beckon_json_get_string (effects->arguments, "path")))
    beckon_folder_tool_get_effects (context, effects);
}

static gboolean
check (BeckonTool *tool, const BeckonToolContext *context, GError **error)
{
  JsonObject *arguments = beckon_tool_arguments_get_object (context->parsed, error);

  if (arguments == NULL)
    return FALSE;

  return reads_spool (beckon_json_get_string (arguments, "path")) || beckon_folder_tool_check (context, error);
}

static char *
read_folder (const Work *work, GCancellable *cancellable, GError **error)
{
  JsonObject *arguments = beckon_tool_arguments_get_object (work->arguments, error);
  const char *path = beckon_json_get_string (arguments, "path");
  g_autoptr (BeckonFolder) folder = NULL;
  g_autofree char *relative = NULL;
  BeckonFolderCall call = { NULL, path, arguments, work->spool, work->conversation_id, work->mask, work->denied, work->images };

  if (arguments == NULL)
    return NULL;
  /* Left-out output is in no folder. */
  if (!reads_spool (path))
    {
      folder = beckon_folder_tool_open (work->root, path, &relative, error);
      if (folder == NULL)
        return NULL;
      call.folder = folder;
      call.path = relative;
    }
  return work->function (&call, cancellable, error);
}

static void
work (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *result = read_folder (task_data, cancellable, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, g_free);
  else
    g_task_return_error (task, error);
}

static void
run_async (BeckonTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GAsyncReadyCallback callback,
           gpointer user_data)
{
  BeckonFolderTool *self = BECKON_FOLDER_TOOL (tool);
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  Work *data = g_new0 (Work, 1);

  g_task_set_source_tag (task, run_async);
  g_task_set_task_data (task, data, work_free);
  data->function = self->function;
  data->root = g_strdup (context->folder);
  data->arguments = beckon_tool_arguments_ref (context->parsed);
  data->images = g_ptr_array_new_with_free_func (g_object_unref);
  data->spool = g_object_ref (self->spool);
  data->conversation_id = g_strdup (context->conversation_id);
  data->mask = context->mask != NULL ? beckon_mask_ref (context->mask) : NULL;
  data->denied = context->denied != NULL ? beckon_denied_paths_ref (context->denied) : NULL;
  beckon_worker_run (task, work);
}

static char *
run_finish (BeckonTool *tool, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, tool), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, run_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static GPtrArray *
dup_images (BeckonTool *tool, GAsyncResult *result)
{
  Work *data = g_task_get_task_data (G_TASK (result));

  return data->images->len > 0 ? g_ptr_array_ref (data->images) : NULL;
}

static void
beckon_folder_tool_tool_init (BeckonToolInterface *iface)
{
  iface->get_definition = get_definition;
  iface->get_absence = beckon_folder_tool_get_absence;
  iface->check = check;
  iface->get_effects = get_effects;
  iface->run_async = run_async;
  iface->run_finish = run_finish;
  iface->dup_images = dup_images;
}

BeckonTool *
beckon_folder_tool_new (BeckonToolDefinition *definition, BeckonFolderFunction function, BeckonOutputStore *spool)
{
  BeckonFolderTool *self;

  g_return_val_if_fail (definition != NULL && definition->read_only, NULL);
  g_return_val_if_fail (function != NULL, NULL);
  g_return_val_if_fail (BECKON_IS_OUTPUT_STORE (spool), NULL);

  self = g_object_new (BECKON_TYPE_FOLDER_TOOL, NULL);
  self->definition = definition;
  self->function = function;
  self->spool = g_object_ref (spool);
  return BECKON_TOOL (self);
}
