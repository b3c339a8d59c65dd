/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-changing-tool.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <string.h>

struct _TestChangingTool
{
  GObject parent_instance;

  char *path;
  BeckonToolDefinition *definition;
};

static void test_changing_tool_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestChangingTool, test_changing_tool, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, test_changing_tool_tool_init))

static void
test_changing_tool_finalize (GObject *object)
{
  TestChangingTool *self = TEST_CHANGING_TOOL (object);

  g_free (self->path);
  beckon_tool_definition_unref (self->definition);

  G_OBJECT_CLASS (test_changing_tool_parent_class)->finalize (object);
}

static void
test_changing_tool_class_init (TestChangingToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_changing_tool_finalize;
}

static void
test_changing_tool_init (TestChangingTool *self)
{
  self->definition
      = beckon_tool_definition_new ("append_line", "Adds a line to a file.",
                                    "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}},"
                                    "\"required\":[\"text\"]}",
                                    FALSE);
}

BeckonTool *
test_changing_tool_new (const char *path)
{
  TestChangingTool *self = g_object_new (TEST_TYPE_CHANGING_TOOL, NULL);

  self->path = g_strdup (path);
  return BECKON_TOOL (self);
}

static BeckonToolDefinition *
get_definition (BeckonTool *tool)
{
  return TEST_CHANGING_TOOL (tool)->definition;
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, &error))
    g_task_return_pointer (task, g_strdup ("The line was added."), g_free);
  else
    g_task_return_error (task, error);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const char *line = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GFileOutputStream) stream = g_file_append_to_finish (G_FILE (source), result, &error);

  if (stream == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  g_output_stream_write_all_async (G_OUTPUT_STREAM (stream), line, strlen (line), G_PRIORITY_DEFAULT,
                                   g_task_get_cancellable (task), on_written, g_object_ref (task));
}

static void
run_async (BeckonTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GAsyncReadyCallback callback,
           gpointer user_data)
{
  TestChangingTool *self = TEST_CHANGING_TOOL (tool);
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  g_autoptr (JsonObject) arguments = beckon_json_parse_object (beckon_tool_call_get_arguments (context->call), -1, NULL);
  const char *text = beckon_json_get_string (arguments, "text");
  g_autoptr (GFile) file = g_file_new_for_path (self->path);

  g_task_set_source_tag (task, run_async);
  if (text == NULL)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "The text is missing.");
      return;
    }

  g_task_set_task_data (task, g_strconcat (text, "\n", NULL), g_free);
  g_file_append_to_async (file, G_FILE_CREATE_NONE, G_PRIORITY_DEFAULT, cancellable, on_opened, g_object_ref (task));
}

static char *
run_finish (BeckonTool *tool, GAsyncResult *result, GError **error)
{
  g_assert_true (g_task_is_valid (result, tool));
  g_assert_true (g_async_result_is_tagged (result, run_async));

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
test_changing_tool_tool_init (BeckonToolInterface *iface)
{
  iface->get_definition = get_definition;
  iface->run_async = run_async;
  iface->run_finish = run_finish;
}
