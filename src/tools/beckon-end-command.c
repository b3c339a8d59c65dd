/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-end-command.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "beckon-command.h"
#include "beckon-folder-tool.h"

#include <string.h>

/* All of it is the result of the other call, and read_file has its output. */
#define TAIL_BYTES 4096

struct _BeckonEndCommand
{
  BeckonBuiltinTool parent_instance;
};

static const char description[] = "Ends a command that runs in the background, and saves what it changed.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{\"output\":{\"type\":\"string\",\"description\":\"Its name, such as output:7.\"}},"
      "\"required\":[\"output\"],\"additionalProperties\":false}";

static void beckon_end_command_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonEndCommand, beckon_end_command, BECKON_TYPE_BUILTIN_TOOL,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_end_command_tool_init))

/* The end of a call that is waited for. */
typedef struct
{
  BeckonToolCall *call; /* (owned) */
  gulong changed;
  gulong cancelled;
} End;

static void
end_free (gpointer data)
{
  End *end = data;

  g_object_unref (end->call);
  g_free (end);
}

static void
end_disconnect (GTask *task)
{
  End *end = g_task_get_task_data (task);

  g_clear_signal_handler (&end->changed, end->call);
  g_cancellable_disconnect (g_task_get_cancellable (task), end->cancelled);
}

static void
end_command_on_changed (GTask *task)
{
  End *end = g_task_get_task_data (task);
  const char *result = beckon_tool_call_get_result (end->call);
  const char *tail;

  if (!beckon_call_state_is_final (beckon_tool_call_get_state (end->call)))
    return;
  end_disconnect (task);
  beckon_command_forget_left (end->call);
  tail = result != NULL && strlen (result) > TAIL_BYTES ? g_utf8_find_next_char (result + strlen (result) - TAIL_BYTES, NULL)
                                                        : result;
  g_task_return_pointer (task, g_strdup (tail != NULL ? tail : "It has ended."), g_free);
  g_object_unref (task);
}

/* Not from within the cancelling: that holds what disconnecting needs. */
static gboolean
return_cancelled (gpointer task)
{
  const End *end = g_task_get_task_data (task);

  if (end->changed == 0)
    return G_SOURCE_REMOVE;
  end_disconnect (task);
  g_task_return_error_if_cancelled (task);
  g_object_unref (task);
  return G_SOURCE_REMOVE;
}

static void
end_command_on_cancelled (GCancellable *cancellable, gpointer task)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, return_cancelled, g_object_ref (task), g_object_unref);
}

static void
end_command_start (BeckonBuiltinTool *tool, const BeckonToolContext *context, JsonObject *arguments, GTask *task)
{
  const char *name = beckon_json_get_string (arguments, "output");
  BeckonToolCall *call = beckon_command_find (context->conversation_id, name);
  GCancellable *cancellable = g_task_get_cancellable (task);
  End *end;

  if (call == NULL)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                               "Nothing runs in the background as “%.100s”. If it did, it has ended: its result says how.",
                               name);
      return;
    }
  end = g_new0 (End, 1);
  end->call = g_object_ref (call);
  g_task_set_task_data (task, end, end_free);
  g_object_ref (task);
  end->changed = g_signal_connect_swapped (call, "notify::state", G_CALLBACK (end_command_on_changed), task);
  if (cancellable != NULL)
    end->cancelled = g_cancellable_connect (cancellable, G_CALLBACK (end_command_on_cancelled), task, NULL);
  beckon_command_end (call, "end_command was called");
}

static void
beckon_end_command_tool_init (BeckonToolInterface *iface)
{
  iface->get_absence = beckon_folder_tool_get_absence;
}

static void
beckon_end_command_class_init (BeckonEndCommandClass *klass)
{
  BECKON_BUILTIN_TOOL_CLASS (klass)->start = end_command_start;
}

static void
beckon_end_command_init (BeckonEndCommand *self)
{
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self),
                              beckon_tool_definition_new ("end_command", description, schema, TRUE));
}

BeckonTool *
beckon_end_command_new (void)
{
  return g_object_new (BECKON_TYPE_END_COMMAND, NULL);
}
