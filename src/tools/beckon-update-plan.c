/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-update-plan.h"

#include "domain/beckon-progress.h"

struct _BeckonUpdatePlan
{
  GObject parent_instance;

  BeckonToolDefinition *definition;
};

static const char description[]
    = "Show the user your own list of what you are doing: the whole list each time, with a status for each entry (pending, "
      "executing, completed, failed or skipped). One is executing at a time. It runs nothing and asks nothing; to have the "
      "user decide on steps before they run, call propose_plan. Use it for work of several steps, not for a single one.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{\"steps\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":50,"
      "\"items\":{\"type\":\"object\",\"properties\":{"
      "\"title\":{\"type\":\"string\",\"description\":\"A few words, in the user's language.\"},"
      "\"status\":{\"type\":\"string\",\"enum\":[\"pending\",\"executing\",\"completed\",\"failed\",\"skipped\"]}},"
      "\"required\":[\"title\",\"status\"]}}},\"required\":[\"steps\"]}";

static void beckon_update_plan_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonUpdatePlan, beckon_update_plan, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_update_plan_tool_init))

static void
beckon_update_plan_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_UPDATE_PLAN (object)->definition, beckon_tool_definition_unref);

  G_OBJECT_CLASS (beckon_update_plan_parent_class)->finalize (object);
}

static void
beckon_update_plan_class_init (BeckonUpdatePlanClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_update_plan_finalize;
}

static void
beckon_update_plan_init (BeckonUpdatePlan *self)
{
  self->definition = beckon_tool_definition_new (BECKON_UPDATE_PLAN_NAME, description, schema, TRUE);
}

static BeckonToolDefinition *
get_definition (BeckonTool *tool)
{
  return BECKON_UPDATE_PLAN (tool)->definition;
}

static void
run_async (BeckonTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GAsyncReadyCallback callback,
           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  g_autoptr (GPtrArray) steps = NULL;
  GError *error = NULL;

  g_task_set_source_tag (task, run_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  steps = beckon_progress_parse (context->arguments, &error);
  if (steps == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_strdup_printf ("Shown: %u of %u done.", beckon_progress_count_done (steps), steps->len),
                           g_free);
}

static char *
run_finish (BeckonTool *tool, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, tool), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, run_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
beckon_update_plan_tool_init (BeckonToolInterface *iface)
{
  iface->get_definition = get_definition;
  iface->run_async = run_async;
  iface->run_finish = run_finish;
}

BeckonTool *
beckon_update_plan_new (void)
{
  return g_object_new (BECKON_TYPE_UPDATE_PLAN, NULL);
}
