/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox/beckon-sandbox.h"
#include "tools/beckon-output-store.h"
#include "tools/beckon-read-skill.h"
#include "tools/beckon-tool.h"

G_BEGIN_DECLS

/** How much longer a command runs whose person lets it go on. Seconds. */
#define BECKON_COMMAND_MORE 600

/**
 * beckon_command_run_async:
 * @tool: the source of the task
 * @context: the call that it is for
 * @line: a command line for sh
 * @seconds: after which the person is asked
 * @is_background: its run does not wait for it, once it has run for a moment; it is not asked about
 * @options: of its sandbox, but for the tool chains; copied
 * @tool_chains: (nullable) (array zero-terminated=1): names of those that it is shown
 * @skills: (nullable): knows the skills whose folders it is shown
 * @outputs: where a long output is kept whole
 * @cancellable: (nullable): ends it with all that it started
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Runs a command line in a sandbox, shows what it puts out while it runs, and asks when it takes too long. Where a view of the
 * folder can be had it works on that, in the landing place of the call, and what it changed is found out when it has ended.
 */
void beckon_command_run_async (BeckonTool *tool, const BeckonToolContext *context, const char *line, guint seconds,
                               gboolean is_background, const BeckonSandboxOptions *options, const char *const *tool_chains,
                               BeckonReadSkill *skills, BeckonOutputStore *outputs, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);

/** (nullable): the call whose command runs in the background as @handle. Borrowed. */
BeckonToolCall *beckon_command_find (const char *conversation_id, const char *handle);

/** Notes that the model read only that @call goes on, and has to be told separately when it ends, by the name @name. */
void beckon_command_note_left (BeckonToolCall *call, const char *conversation_id, const char *name);

/** The model is told of the end of @call in another way. */
void beckon_command_forget_left (BeckonToolCall *call);

/** (transfer full) (nullable): the ends in @conversation_id that the model was not told of, each behind a line break. They are
 *  given once. Main thread. */
char *beckon_command_take_ends (const char *conversation_id) G_GNUC_WARN_UNUSED_RESULT;

/** Lets all background commands of a conversation outlive its turn. Returns: their number */
guint beckon_command_keep_all (const char *conversation_id);

/** Why a command is ended that nobody keeps running. */
#define BECKON_COMMAND_TURN_OVER "your turn was over"

/** Whether the command of @call was ended for that. */
gboolean beckon_command_ended_with_turn (BeckonToolCall *call);

/** Ends the command of @call, if that runs in the background, as a success. @why: static, English, follows “because”. */
void beckon_command_end (BeckonToolCall *call, const char *why);

/** Ends all background commands of a conversation. Returns: their number */
guint beckon_command_end_all (const char *conversation_id, const char *why);

/**
 * beckon_command_survey_async:
 * @tool: the source of the task
 * @call: a call whose command runs on an overlay
 * @id: the id of the landing
 * @callback: called later
 * @user_data: for @callback
 *
 * Finds out what the command has changed until now. Until beckon_command_release() its end is not told.
 */
void           beckon_command_survey_async (BeckonTool *tool, BeckonToolCall *call, const char *id,
                                            GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (nullable): %NULL without an error if there is nothing. */
BeckonLanding *beckon_command_survey_finish (BeckonTool *tool, GAsyncResult *result,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Keeps its end from being told once more; %FALSE if it has ended. */
gboolean       beckon_command_hold (BeckonToolCall *call);

/** Tells the command that the changes of its survey have landed, or will not. */
void           beckon_command_release (BeckonToolCall *call);

/**
 * beckon_command_run_finish:
 * @tool: the source of the task
 * @result: its result
 * @end: (out caller-allocates): how it ended, as data
 * @landing: (out) (transfer full) (nullable): what it changed on its view of the folder; %NULL if it changed nothing there, or
 *   worked in the folder itself
 * @error: return location
 *
 * Returns: (transfer full): its output and how it ended, for the model
 */
char *beckon_command_run_finish (BeckonTool *tool, GAsyncResult *result, BeckonToolEnd *end, BeckonLanding **landing,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
