/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox/beckon-denied-view.h"
#include "sandbox/beckon-folder.h"
#include "tools/beckon-output-store.h"
#include "tools/beckon-builtin-tool.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FOLDER_TOOL (beckon_folder_tool_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFolderTool, beckon_folder_tool, BECKON, FOLDER_TOOL, BeckonBuiltinTool)

/**
 * BeckonFolderCall:
 * @folder: (nullable): the conversation's working folder; %NULL where @path is a name in @outputs
 * @path: the argument `path`, relative to it; "." if there is none
 * @arguments: all arguments
 * @outputs: (nullable): where what was left out of results can be read
 * @context: the call
 * @denied_view: what was looked for of what is denied; %NULL there until it is needed
 *
 * What a function that only reads the folder is given.
 */
typedef struct
{
  BeckonFolder *folder;
  const char *path;
  JsonObject *arguments;
  BeckonOutputStore *outputs;
  const BeckonToolContext *context;
  BeckonDeniedView **denied_view;
} BeckonFolderCall;

/**
 * BeckonFolderFunction:
 *
 * Reads the folder; called on a worker thread.
 *
 * Returns: (transfer full): the result for the model; %NULL with an error in English for it
 */
typedef char *(*BeckonFolderFunction) (const BeckonFolderCall *call, GCancellable *cancellable, GError **error);

/**
 * beckon_folder_tool_new:
 * @definition: (transfer full): of a tool that only reads, and names what it reads in the argument `path`
 * @function: does it
 * @outputs: (nullable): for @function, which reads these as well as files; %NULL for one that reads the folder alone
 */
BeckonTool *beckon_folder_tool_new (BeckonToolDefinition *definition, BeckonFolderFunction function, BeckonOutputStore *outputs)
  G_GNUC_WARN_UNUSED_RESULT;

/** The vfunc of a tool that works in the folder: it is not there without one. */
char *beckon_folder_tool_get_absence (BeckonTool *tool, const char *folder) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a rule denies @path, relative to the folder of @call. */
gboolean beckon_folder_call_denies (const BeckonFolderCall *call, const char *path);

/** Adds to @error, of a path that is not there, the name that is most like it: in another case, another folder, or with other
 *  letters. What is denied is not named. Blocks. */
void beckon_folder_call_name_alike (const BeckonFolderCall *call, GError *error);

/** Adds the argument `path` of a call, with links resolved, and whether it leads out of the folder. */
void beckon_folder_tool_get_effects (const BeckonToolContext *context, BeckonEffects *effects);

/**
 * beckon_folder_tool_open:
 * @root: (nullable): the conversation's working folder
 * @path: (nullable): a path as the model wrote it, which names no kept output
 * @relative: (out): @path relative to the folder, "." for %NULL; caller frees
 * @error: return location; English
 *
 * Opens the conversation's folder. Does not look at @path. Worker threads.
 *
 * Returns: (transfer full): the folder; %NULL if there is none, or @path leads out of it as it is written
 */
BeckonFolder *beckon_folder_tool_open (const char *root, const char *path, char **relative,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
