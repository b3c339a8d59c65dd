/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-output-store.h"
#include "tools/beckon-builtin-tool.h"
#include "tools/beckon-read-skill.h"

G_BEGIN_DECLS

#define BECKON_TYPE_RUN_COMMAND (beckon_run_command_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRunCommand, beckon_run_command, BECKON, RUN_COMMAND, BeckonBuiltinTool)

/**
 * BeckonRunCommand:
 *
 * `run_command`: a command line in a sandbox of its own, see beckon_sandbox_start(). Its output can be watched; when its time
 * is over the person is asked whether it goes on. It is not there where commands cannot be sandboxed.
 *
 * @outputs: where long outputs are kept whole
 */
BeckonTool *beckon_run_command_new (BeckonOutputStore *outputs) G_GNUC_WARN_UNUSED_RESULT;

/**
 * BeckonCommandFunction:
 * @folder: the conversation's working folder
 * @arguments: those of a call
 * @effects: (nullable): the files that it touches are added to them
 * @error: return location; English
 *
 * Makes a command line of other arguments than one. Called on worker threads.
 *
 * Returns: (transfer full): the line; %NULL if the call makes no sense
 */
typedef char *(*BeckonCommandFunction) (const char *folder, JsonObject *arguments, BeckonEffects *effects, GError **error);

/**
 * beckon_run_command_new_fixed:
 * @run: `run_command`, which knows whether commands can run here
 * @definition: (transfer full): of the tool
 * @function: makes the line that it runs
 *
 * A tool that is a command of the program's own: what it changes is judged, shown, landed and undone like what any command
 * changes. It works only where a view of the folder can be had, and with no network.
 */
BeckonTool *beckon_run_command_new_fixed (BeckonRunCommand *run, BeckonToolDefinition *definition,
                                          BeckonCommandFunction function) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @tool is such a tool: all that it changes stands in its arguments. */
gboolean beckon_run_command_is_fixed (BeckonTool *tool);

/** Which tool chains of the person's home commands are shown; see beckon_tool_chains_find(). @names: (nullable). */
void beckon_run_command_set_tool_chains (BeckonRunCommand *self, const char *const *names);

/** (nullable) (array zero-terminated=1): those. Borrowed. */
const char *const *beckon_run_command_get_tool_chains (BeckonRunCommand *self);

/** The tool that knows which skills a conversation has: their folders are shown to commands, to be read. */
void beckon_run_command_set_skills (BeckonRunCommand *self, BeckonReadSkill *skills);

G_END_DECLS
