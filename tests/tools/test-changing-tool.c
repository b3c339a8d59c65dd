/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-changing-tool.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <string.h>

struct _TestChangingTool
{
  BeckonBuiltinTool parent_instance;

  char *path;
};

G_DEFINE_FINAL_TYPE (TestChangingTool, test_changing_tool, BECKON_TYPE_BUILTIN_TOOL)

static void
test_changing_tool_finalize (GObject *object)
{
  g_free (TEST_CHANGING_TOOL (object)->path);

  G_OBJECT_CLASS (test_changing_tool_parent_class)->finalize (object);
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
start (BeckonBuiltinTool *tool, const BeckonToolContext *context, JsonObject *arguments, GTask *task)
{
  const char *text = beckon_json_get_string (arguments, "text");
  g_autoptr (GFile) file = g_file_new_for_path (TEST_CHANGING_TOOL (tool)->path);

  if (text == NULL)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "The text is missing.");
      return;
    }

  g_task_set_task_data (task, g_strconcat (text, "\n", NULL), g_free);
  g_file_append_to_async (file, G_FILE_CREATE_NONE, G_PRIORITY_DEFAULT, g_task_get_cancellable (task), on_opened,
                          g_object_ref (task));
}

static void
test_changing_tool_class_init (TestChangingToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_changing_tool_finalize;
  BECKON_BUILTIN_TOOL_CLASS (klass)->start = start;
}

static void
test_changing_tool_init (TestChangingTool *self)
{
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self),
                              beckon_tool_definition_new ("append_line", "Adds a line to a file.",
                                                          "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}},"
                                                          "\"required\":[\"text\"]}",
                                                          FALSE));
}

BeckonTool *
test_changing_tool_new (const char *path)
{
  TestChangingTool *self = g_object_new (TEST_TYPE_CHANGING_TOOL, NULL);

  self->path = g_strdup (path);
  return BECKON_TOOL (self);
}
