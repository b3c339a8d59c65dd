/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-file-copies.h"
#include "tools/beckon-folder-tool.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CHANGE_TOOL (beckon_change_tool_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChangeTool, beckon_change_tool, BECKON, CHANGE_TOOL, BeckonBuiltinTool)

/**
 * BeckonChangeFunction:
 * @path: of the file, relative to the working folder
 * @before: (nullable): what it holds; %NULL if it is not there
 * @arguments: those of the call
 * @error: return location; English, for the model
 *
 * Computes what a file becomes. Called on a worker thread; touches nothing.
 *
 * Returns: (transfer full): what it is to hold; %NULL if the call makes no sense
 */
typedef char *(*BeckonChangeFunction) (const char *path, GBytes *before, JsonObject *arguments, GError **error);

/**
 * beckon_change_tool_new:
 * @definition: (transfer full): of a tool that changes the one file that its argument `path` names
 * @function: computes the change
 * @copies: where what the file was before is kept until it is put back; without it nothing is changed
 *
 * A tool that changes a text file in the working folder: at once or not at all, only if it was not changed since it was
 * read, and only after what it was before is stored. The result is the difference. After a crash it can look what became of
 * a call.
 */
BeckonTool *beckon_change_tool_new (BeckonToolDefinition *definition, BeckonChangeFunction function, BeckonFileCopies *copies)
  G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): @bytes as UTF-8 text that ends in NUL; %NULL if they are none. */
char *beckon_change_tool_dup_text (GBytes *bytes) G_GNUC_WARN_UNUSED_RESULT;

/** `write_file`: makes or replaces a whole file. */
BeckonTool *beckon_write_file_new (BeckonFileCopies *copies) G_GNUC_WARN_UNUSED_RESULT;

/** `edit_file`: replaces an exact piece of a file. */
BeckonTool *beckon_edit_file_new (BeckonFileCopies *copies) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
