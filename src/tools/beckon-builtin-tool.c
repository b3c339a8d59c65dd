/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-builtin-tool.h"

#include "base/beckon-error.h"
#include "base/beckon-worker.h"

typedef struct
{
  BeckonToolDefinition *definition;
} BeckonBuiltinToolPrivate;

static void beckon_builtin_tool_tool_init (BeckonToolInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (BeckonBuiltinTool, beckon_builtin_tool, G_TYPE_OBJECT, G_ADD_PRIVATE (BeckonBuiltinTool)
                                  G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_builtin_tool_tool_init))

static BeckonToolDefinition *
get_definition (BeckonTool *tool)
{
  BeckonBuiltinToolPrivate *priv = beckon_builtin_tool_get_instance_private (BECKON_BUILTIN_TOOL (tool));

  return priv->definition;
}

static gboolean
needs_person (BeckonTool *tool)
{
  return BECKON_BUILTIN_TOOL_GET_CLASS (tool)->ask != NULL;
}

static BeckonRequest *
builtin_tool_ask (BeckonTool *tool, const BeckonToolContext *context, GError **error)
{
  return BECKON_BUILTIN_TOOL_GET_CLASS (tool)->ask (BECKON_BUILTIN_TOOL (tool), context, error);
}

static void
context_free (gpointer data)
{
  BeckonToolContext *context = data;

  g_free ((char *) context->conversation_id);
  g_free ((char *) context->message_id);
  g_free ((char *) context->folder);
  g_clear_object (&context->call);
  beckon_tool_arguments_unref (context->parsed);
  beckon_mask_unref (context->mask);
  beckon_denied_paths_unref (context->denied);
  g_ptr_array_unref (context->images);
  g_free (context);
}

static void
run_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *text = BECKON_BUILTIN_TOOL_GET_CLASS (source)->run (source, task_data, cancellable, &error);

  if (text != NULL)
    g_task_return_pointer (task, text, g_free);
  else if (error != NULL)
    g_task_return_error (task, error);
}

static void
builtin_tool_run (BeckonTool *tool, const BeckonToolContext *context, GTask *task)
{
  BeckonBuiltinToolClass *klass = BECKON_BUILTIN_TOOL_GET_CLASS (tool);
  JsonObject *arguments;
  GError *error = NULL;

  if (g_task_return_error_if_cancelled (task))
    return;

  arguments = beckon_tool_arguments_get_object (context->parsed, &error);
  if (arguments == NULL)
    g_task_return_error (task, error);
  else if (klass->start != NULL)
    klass->start (BECKON_BUILTIN_TOOL (tool), context, arguments, task);
  else if (klass->run != NULL)
    {
      BeckonToolContext *copy = g_new0 (BeckonToolContext, 1);

      /* The text of the arguments may hold secrets, and is that of the parsed ones: there is no second copy. */
      copy->conversation_id = g_strdup (context->conversation_id);
      copy->message_id = g_strdup (context->message_id);
      copy->folder = g_strdup (context->folder);
      copy->call = context->call != NULL ? g_object_ref (context->call) : NULL;
      copy->parsed = beckon_tool_arguments_ref (context->parsed);
      copy->arguments = beckon_tool_arguments_get_text (copy->parsed);
      copy->mask = context->mask != NULL ? beckon_mask_ref (context->mask) : NULL;
      copy->denied = context->denied != NULL ? beckon_denied_paths_ref (context->denied) : NULL;
      copy->images = g_ptr_array_new_with_free_func (g_object_unref);
      copy->lands = context->lands;
      copy->most = context->most;
      copy->now = context->now;
      g_task_set_task_data (task, copy, context_free);
      beckon_worker_run (task, run_on_thread);
    }
  else
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "This tool only asks; there is nothing to run.");
}

static GPtrArray *
dup_images (BeckonTool *tool, GAsyncResult *result)
{
  const BeckonToolContext *context
    = BECKON_BUILTIN_TOOL_GET_CLASS (tool)->start == NULL ? g_task_get_task_data (G_TASK (result)) : NULL;

  return context != NULL && context->images->len > 0 ? g_ptr_array_ref (context->images) : NULL;
}

static void
beckon_builtin_tool_tool_init (BeckonToolInterface *iface)
{
  iface->get_definition = get_definition;
  iface->needs_person = needs_person;
  iface->ask = builtin_tool_ask;
  iface->run = builtin_tool_run;
  iface->dup_images = dup_images;
}

static void
beckon_builtin_tool_finalize (GObject *object)
{
  BeckonBuiltinToolPrivate *priv = beckon_builtin_tool_get_instance_private (BECKON_BUILTIN_TOOL (object));

  g_clear_pointer (&priv->definition, beckon_tool_definition_unref);

  G_OBJECT_CLASS (beckon_builtin_tool_parent_class)->finalize (object);
}

static void
beckon_builtin_tool_class_init (BeckonBuiltinToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_builtin_tool_finalize;
}

static void
beckon_builtin_tool_init (BeckonBuiltinTool *self)
{
}

void
beckon_builtin_tool_define (BeckonBuiltinTool *self, BeckonToolDefinition *definition)
{
  BeckonBuiltinToolPrivate *priv = beckon_builtin_tool_get_instance_private (self);

  g_return_if_fail (definition != NULL && priv->definition == NULL);

  priv->definition = definition;
}
