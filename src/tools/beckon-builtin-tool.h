/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-tool.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define BECKON_TYPE_BUILTIN_TOOL (beckon_builtin_tool_get_type ())
G_DECLARE_DERIVABLE_TYPE (BeckonBuiltinTool, beckon_builtin_tool, BECKON, BUILTIN_TOOL, GObject)

/**
 * BeckonBuiltinToolClass:
 * @ask: (nullable): for a tool that is nothing but a question to a person: the request to suspend with
 * @run: (nullable): does it, on a worker thread; the result as text, or %NULL with an error in English for the model. It has a
 *   copy of the context, without @report and @prompt. Most tools have this one alone
 * @start: (nullable): for a tool that is asynchronous itself: begins it, on the main thread, and returns through @task.
 *   @arguments are those of the call, borrowed, and @task is not cancelled yet
 *
 * A tool of the program's own: its definition, and one of these functions. What else it has to say (effects, a check, why it is
 * absent) it says by implementing %BECKON_TYPE_TOOL again, with those functions alone.
 */
struct _BeckonBuiltinToolClass
{
  GObjectClass parent_class;

  BeckonRequest *(*ask) (BeckonBuiltinTool *self, const BeckonToolContext *context, GError **error);
  char *(*run) (BeckonBuiltinTool *self, const BeckonToolContext *context, GCancellable *cancellable, GError **error);
  void (*start) (BeckonBuiltinTool *self, const BeckonToolContext *context, JsonObject *arguments, GTask *task);
};

/** Says what the model is told of @self: once, when it is made. @definition: (transfer full). */
void beckon_builtin_tool_define (BeckonBuiltinTool *self, BeckonToolDefinition *definition);

G_END_DECLS
