/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "domain/beckon-landing.h"
#include "domain/beckon-tool-call.h"
#include "domain/beckon-tool-names.h"
#include "policy/beckon-denied-paths.h"
#include "policy/beckon-policy.h"
#include "request/beckon-call-preview.h"
#include "tools/beckon-tool-arguments.h"

#include <gio/gio.h>
#include "request/beckon-approval-details.h"

G_BEGIN_DECLS

/**
 * BeckonToolReport:
 * @text: what is to be seen of the call now, in place of what was reported before: the last lines of its output, say. UTF-8;
 *   of what is longer than %BECKON_TOOL_REPORT_MAX only the end is shown
 * @data: what the context gave for it
 *
 * Shows what a running tool prints. Main thread; from the start of `run` until its task has returned, ten times a
 * second at most.
 */
typedef void (*BeckonToolReport) (const char *text, gpointer data);

#define BECKON_TOOL_REPORT_MAX 8192

/**
 * BeckonToolPrompt:
 * @request: of any class, about no call of its own
 * @cancellable: takes the request back
 * @callback: called when it is settled, or could not be asked
 * @user_data: for @callback
 * @data: what the context gave for it
 *
 * Asks the person something about a call that is running. The result is for beckon_tool_prompt_finish(). Main thread; only
 * while the tool runs.
 */
typedef void (*BeckonToolPrompt) (BeckonRequest *request, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data, gpointer data);

/** (transfer full): what the person answered; %NULL if no person could be asked, or the request was taken back. */
BeckonAnswer *beckon_tool_prompt_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * BeckonToolHandOver:
 * @resumption: what the forms were asked with
 * @callback: gets a #GTask with a boolean; an error, English, if nothing may be sent
 * @user_data: for @callback
 * @data: as for @prompt
 *
 * Notes that the answers to the forms of a call leave for its server now, so that no other process sends them, too. Main
 * thread; only while the tool runs.
 */
typedef void (*BeckonToolHandOver) (const char *resumption, GAsyncReadyCallback callback, gpointer user_data, gpointer data);

/**
 * BeckonToolLeave:
 * @told: what the model is told of the call until it ends
 * @data: as for @prompt
 *
 * The call goes on in the background, without holding its run up, which ends it at its own end. Main thread; only while the
 * tool runs.
 *
 * Returns: %FALSE where that can't be just now
 */
typedef gboolean (*BeckonToolLeave) (const char *told, gpointer data);

/**
 * BeckonToolContext:
 * @conversation_id: whose run it is
 * @message_id: the message that holds the call
 * @call: the call; %NULL while it is only looked at, by `check` and `get_effects`
 * @arguments: what it is run with, as JSON. While it runs they may hold secrets of the person, which @call has not: they are
 *   copied no further than they must be, and stored nowhere
 * @parsed: (nullable): @arguments, read; a tool has them, its caller may leave it to the functions below
 * @folder: (nullable): the conversation's working folder, an absolute path; %NULL while none is chosen
 * @most: bytes that a model may be sent of its result: a tool that can be called for the rest gives no more; 0 for no limit
 * @last_output: what the outputs that it keeps are named after, see beckon_output_store_add(); only while it runs
 * @mask: (nullable): the secrets of the person; what is cut, or kept anywhere, is masked before that. The result is masked
 *   all the same; only while it runs
 * @denied: (nullable): the files that the person's rules deny, which a tool must not meet by another way; only while it
 *   runs and its files are checked
 * @images: (nullable) (element-type BeckonPart): to which a built-in tool's `run` adds the pictures of its result
 * @lands: it was decided that what the call changes is judged before it is in the folder: a tool that cannot keep that does not
 *   run; only while it runs
 * @files: (nullable): stamps of the files that the person's approval holds for: it writes no file that is not what they say;
 *   only while it runs
 * @report: (nullable): for live output; only while it runs
 * @report_data: for @report
 * @prompt: (nullable): to ask the person about it; only while it runs
 * @hand_over: (nullable): to be called, and waited for, before answers to forms that outlive their process leave
 * @leave: (nullable): lets the call go on in the background; %NULL where its result is waited for in any case
 * @prompt_data: for @prompt, @hand_over and @leave
 * @resumption: (nullable): the call's process died while its forms waited: it is not begun, but sent again from this, see
 *   beckon_form_request_set_resumption(), after the same requests were made again with @prompt; only while it runs
 * @now: microseconds since the epoch
 *
 * What a tool is told of the call it serves. Borrowed for the time of the call of the vfunc; @report and @report_data may be
 * copied, and hold until the task of `run` has returned.
 */
typedef struct
{
  const char *conversation_id;
  const char *message_id;
  BeckonToolCall *call;
  const char *arguments;
  BeckonToolArguments *parsed;
  const char *folder;
  gsize most;
  guint last_output;
  BeckonMask *mask;
  BeckonDeniedPaths *denied;
  GPtrArray *images;
  gboolean lands;
  const char *files;
  BeckonToolReport report;
  gpointer report_data;
  BeckonToolPrompt prompt;
  BeckonToolHandOver hand_over;
  BeckonToolLeave leave;
  gpointer prompt_data;
  const char *resumption;
  gint64 now;
} BeckonToolContext;

/** @most, or less where the model may be sent less. */
static inline gsize
beckon_tool_context_bound (const BeckonToolContext *context, gsize most)
{
  return context->most > 0 ? MIN (context->most, most) : most;
}

/**
 * BeckonToolEnd:
 * @is_failure: what was to be done was not done, though there is a result: a command failed, say
 * @exit_status: of a process, by the shell's rule; -1 for none
 * @output_length: the bytes of the result that the tool gave; behind them is only how it ended. %G_MAXSIZE for all
 *
 * How a call that has a result ended.
 */
typedef struct
{
  gboolean is_failure;
  int exit_status;
  gsize output_length;
} BeckonToolEnd;

#define BECKON_TYPE_TOOL (beckon_tool_get_type ())
G_DECLARE_INTERFACE (BeckonTool, beckon_tool, BECKON, TOOL, GObject)

/**
 * BeckonTool:
 * @get_definition: what the model is told; (transfer none)
 * @needs_person: %TRUE for a tool that is nothing but a question to a person; it is not advertised where no person can answer
 * @ask: (nullable): for such a tool: makes the request to suspend with, before anything runs; %NULL with an error whose
 *   message goes back to the model
 * @get_server: (nullable): the MCP server that offers it; by default it is built in
 * @get_digest: (nullable): a digest of all that the definition of a server's tool says, by which a changed one is known; by
 *   default there is none, as a built-in tool does not change while the program runs
 * @get_effects: (nullable): what the call would do; by default what the definition says. @effects holds the tool's name, the
 *   folder, the conversation and the arguments already; what the tool computes it adds with beckon_effects_add_path() and the
 *   like. It may look at files, and is called on a worker thread
 * @get_absence: (nullable): why it is not advertised now, in words to be shown; %NULL if it is there. @folder is the
 *   conversation's working folder, if it has one
 * @check: (nullable): whether the call can be done at all, before anybody is asked about it; an error's message goes back to
 *   the model. @context has arguments that fit the schema. Called on a worker thread, too
 * @check_files: (nullable): whether the call can be done with the files as they are; an error's message goes back to the model,
 *   and may quote them, but for what @context masks: only a call that may read them is answered with it. What a person is
 *   shown of such a call is the files as they are. Called on a worker thread
 * @preview: (nullable): what the call would change, by the function that will do it; @context has a mask. An error's message is
 *   for people. Called on a worker thread
 * @run: does it; only ever called after the start of the call was committed. Looks at no file on the main thread. It returns
 *   the result's text with g_task_return_pointer(); an error's message goes back to the model. @task is borrowed: whoever goes
 *   on with it holds it, and a task that is let go of without a result ends as a failed call
 * @get_end: (nullable): how it ended, asked for right before beckon_tool_run_finish(); by default well, and all of the result
 *   is output
 * @take_landing: (nullable): what it changed on a view of the folder, asked for right before that, too; (transfer full)
 *   (nullable). Its place is there from before the call does anything until the agent takes it away
 * @survey_async: (nullable): finds out what a call has changed on its view until now, while it runs on, and keeps it from
 *   ending until @release. @call says itself that it can be asked for (beckon_tool_call_get_can_land())
 * @survey_finish: (transfer full) (nullable): a landing with the id that was given and a place of its own; %NULL without an
 *   error if there is nothing
 * @release: what was surveyed has landed, or does not
 * @dup_images: (nullable): the pictures of a result: image parts, %NULL without any; asked for right before that, too
 * @verify_async: (nullable): looks, without changing anything, what became of a call that was running when its program ended
 * @verify_finish: what it found, in words for the model; an error where it cannot tell
 *
 * Something the model can call. It returns a result or suspends with a request; the agent performs it.
 */
struct _BeckonToolInterface
{
  GTypeInterface parent_iface;

  BeckonToolDefinition *(*get_definition) (BeckonTool *self);
  gboolean (*needs_person) (BeckonTool *self);
  BeckonRequest *(*ask) (BeckonTool *self, const BeckonToolContext *context, GError **error);
  const char *(*get_server) (BeckonTool *self);
  const char *(*get_digest) (BeckonTool *self);
  void (*get_effects) (BeckonTool *self, const BeckonToolContext *context, BeckonEffects *effects);
  char *(*get_absence) (BeckonTool *self, const char *folder);
  gboolean (*check) (BeckonTool *self, const BeckonToolContext *context, GError **error);
  gboolean (*check_files) (BeckonTool *self, const BeckonToolContext *context, GError **error);
  BeckonCallPreview *(*preview) (BeckonTool *self, const BeckonToolContext *context, GError **error);
  void (*run) (BeckonTool *self, const BeckonToolContext *context, GTask *task);
  void (*get_end) (BeckonTool *self, GAsyncResult *result, BeckonToolEnd *end);
  BeckonLanding *(*take_landing) (BeckonTool *self, GAsyncResult *result);
  void (*survey_async) (BeckonTool *self, BeckonToolCall *call, const char *id, GAsyncReadyCallback callback,
                        gpointer user_data);
  BeckonLanding *(*survey_finish) (BeckonTool *self, GAsyncResult *result, GError **error);
  void (*release) (BeckonTool *self, BeckonToolCall *call);
  GPtrArray *(*dup_images) (BeckonTool *self, GAsyncResult *result);
  void (*verify_async) (BeckonTool *self, const BeckonToolContext *context, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data);
  char *(*verify_finish) (BeckonTool *self, GAsyncResult *result, GError **error);
};

BeckonToolDefinition *beckon_tool_get_definition (BeckonTool *self);
const char           *beckon_tool_get_name (BeckonTool *self);
gboolean              beckon_tool_needs_person (BeckonTool *self);
BeckonRequest        *beckon_tool_ask (BeckonTool *self, const BeckonToolContext *context,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the MCP server that offers it; %NULL for one that is built in. Borrowed. */
const char *beckon_tool_get_server (BeckonTool *self);

/** (nullable): a digest of its definition; %NULL for one that is built in. Borrowed. */
const char *beckon_tool_get_digest (BeckonTool *self);

/** Reads @arguments by the schema of the tool. Any thread. */
BeckonToolArguments *beckon_tool_parse_arguments (BeckonTool *self, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): @arguments completed by the schema, see beckon_json_schema_complete(); %NULL if nothing changes.
 *  For a tool that only reads, unknown members are left out if the rest then fits. Any thread. */
char *beckon_tool_complete_arguments (BeckonTool *self, const char *arguments, char **told) G_GNUC_WARN_UNUSED_RESULT;

/** Fills @effects, which are empty; the caller clears them, before @context goes. What was not given has its default there.
 * Any thread; it may take as long as the file system does. */
void beckon_tool_get_effects (BeckonTool *self, const BeckonToolContext *context, BeckonEffects *effects);

/**
 * beckon_tool_get_absence:
 * @self: a tool
 * @folder: (nullable): the conversation's working folder
 *
 * Returns: (transfer full) (nullable): why it is not advertised now, in words to be shown; %NULL if it is there
 */
char *beckon_tool_get_absence (BeckonTool *self, const char *folder) G_GNUC_WARN_UNUSED_RESULT;

/** Whether the call can be done at all; an error in English, for the model, if not. The arguments fit the schema. Any thread;
 * it may take as long as the file system does. */
gboolean beckon_tool_check (BeckonTool *self, const BeckonToolContext *context, GError **error);

/** Whether what files hold may keep a call of it from being done; see below. */
gboolean beckon_tool_checks_files (BeckonTool *self);

/** Whether the call can be done with the files as they are; an error in English, for the model, if not. Worker threads. */
gboolean beckon_tool_check_files (BeckonTool *self, const BeckonToolContext *context, GError **error);

/** Whether calls of it have a preview. */
gboolean beckon_tool_has_preview (BeckonTool *self);

/** (transfer full) (nullable): what the call would change; an error for people if it can't. Worker threads. */
BeckonCallPreview *beckon_tool_preview (BeckonTool *self, const BeckonToolContext *context,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_tool_check_arguments:
 * @self: a tool
 * @arguments: the arguments of a call, as JSON text
 * @error: return location
 *
 * Checks @arguments by the schema that the tool gave the model.
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID; the message is English, for the model, and says what is wrong where
 */
gboolean beckon_tool_check_arguments (BeckonTool *self, const char *arguments, GError **error);

/** The callback is called in any case, even if the tool forgets the call. */
void  beckon_tool_run_async (BeckonTool *self, const BeckonToolContext *context, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data);
char *beckon_tool_run_finish (BeckonTool *self, GAsyncResult *result, GError **error);

/** How it ended, where beckon_tool_run_finish() is about to give a result. @end: (out caller-allocates). */
void beckon_tool_get_end (BeckonTool *self, GAsyncResult *result, BeckonToolEnd *end);

/** Whether it has beckon_tool_take_landing(): whether its calls may have landing places. */
gboolean beckon_tool_can_land (BeckonTool *self);

/**
 * beckon_tool_take_landing:
 * @self: a tool that ran
 * @result: what beckon_tool_run_finish() is about to be given
 *
 * Returns: (transfer full) (nullable): what the call changed, which is not in the folder yet, every change open or with the
 *   fate that cannot be otherwise; %NULL if it changed nothing that has to land
 */
BeckonLanding *beckon_tool_take_landing (BeckonTool *self, GAsyncResult *result) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_tool_survey_async:
 * @self: a tool with a call that runs
 * @call: the call, which says that it can land
 * @id: the id of the landing: that of the call with something behind it
 * @callback: called later
 * @user_data: for @callback
 *
 * Finds out what @call has changed until now. It runs on, but its end is not told before beckon_tool_release(), which has to
 * be called in any case.
 */
void           beckon_tool_survey_async (BeckonTool *self, BeckonToolCall *call, const char *id, GAsyncReadyCallback callback,
                                         gpointer user_data);

/** (transfer full) (nullable): %NULL without an error if there is nothing. Its place is the caller's. */
BeckonLanding *beckon_tool_survey_finish (BeckonTool *self, GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void           beckon_tool_release (BeckonTool *self, BeckonToolCall *call);

/**
 * beckon_tool_dup_images:
 * @self: a tool that ran
 * @result: what beckon_tool_run_finish() is about to be given
 *
 * Pictures are parts as those of a message are (see domain/beckon-attachment.h), no larger than models look at.
 *
 * Returns: (transfer container) (element-type BeckonPart) (nullable): the pictures of its result; %NULL without any
 */
GPtrArray *beckon_tool_dup_images (BeckonTool *self, GAsyncResult *result) G_GNUC_WARN_UNUSED_RESULT;

/** Whether it has the next two. */
gboolean beckon_tool_can_verify (BeckonTool *self);
void     beckon_tool_verify_async (BeckonTool *self, const BeckonToolContext *context, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);
char    *beckon_tool_verify_finish (BeckonTool *self, GAsyncResult *result, GError **error);

/** Describes a call to the person who is asked: its schema and its effects. (transfer full). */
BeckonApprovalDetails *beckon_tool_describe_call (BeckonTool *tool, const BeckonEffects *effects) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
