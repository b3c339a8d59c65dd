/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "request/beckon-call-preview.h"

#include <json-glib/json-glib.h>
#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_tool_titles_set:
 * @tool: the name of a server's tool, as models say it
 * @title: (nullable): what its server calls it for people; untrusted
 *
 * What sentences about calls say from now on, beside the name, which is what rules and models go by. Any thread.
 */
void beckon_tool_titles_set (const char *tool, const char *title);

/*
 * A tool call in the words of people: "Edit notes.txt", "Ran make gen". All are translated and fit to show as text, and freed
 * by the caller. Of a tool that does not come with the program its own name is shown.
 */

/**
 * BeckonCallPhase:
 * @BECKON_CALL_PHASE_ASK: it is asked about: "Edit notes.txt", "Run this command?"
 * @BECKON_CALL_PHASE_STEP: it stands in a list, or did not run: "Edit notes.txt", "Run make gen"
 * @BECKON_CALL_PHASE_RUNNING: "Editing notes.txt"
 * @BECKON_CALL_PHASE_DONE: "Edited notes.txt"
 */
typedef enum
{
  BECKON_CALL_PHASE_ASK,
  BECKON_CALL_PHASE_STEP,
  BECKON_CALL_PHASE_RUNNING,
  BECKON_CALL_PHASE_DONE,
} BeckonCallPhase;

/**
 * beckon_call_labels_describe:
 * @tool: the tool's name, as the model says it
 * @server: (nullable): the MCP server that offers it
 * @arguments: (nullable): its arguments as far as they are shown, JSON
 * @phase: when
 *
 * Returns: (transfer full): one sentence, without a full stop
 */
char *beckon_call_labels_describe (const char *tool, const char *server, const char *arguments,
                                  BeckonCallPhase phase) G_GNUC_WARN_UNUSED_RESULT;

/** The sentence of a call as it is now, with its arguments as far as they are shown. */
char *beckon_call_labels_describe_call (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** The server whose tool it calls, as the person named it. Borrowed; NULL for other tools, and where no approval said it. */
const char *beckon_call_labels_get_server (BeckonToolCall *call);

/** Whether a tool has sentences of its own. */
gboolean beckon_call_labels_is_known (const char *tool);

/** (transfer full) (nullable): the argument that the sentence about a call is about, fit to be shown, and short. */
char *beckon_call_labels_dup_object (const char *tool, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** Whether the arguments list everything that the call does, so that reading them is enough. */
gboolean beckon_call_labels_is_list (const char *tool);

/** Whether a step of a plan is shown with all of its arguments, everywhere, so that accepting the plan is enough: a list, or a
 *  text that a person reads on a card. */
gboolean beckon_call_labels_is_whole (const char *tool, const char *arguments);

/** (nullable): the argument that is shown whole below the sentence: a command, an address. Static. */
const char *beckon_call_labels_get_block (const char *tool);

/** The symbolic icon of a tool. Static. */
const char *beckon_call_labels_get_icon (const char *tool);

/**
 * beckon_call_labels_show_value:
 * @value: of an argument
 * @before_element: (nullable): what stands before each element of a list, which begins a line of its own; %NULL for all in one
 *
 * Returns: (transfer full): it, fit to be shown: a string as it is, everything else as JSON
 */
char *beckon_call_labels_show_value (JsonNode *value, const char *before_element) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_call_labels_list_arguments:
 * @arguments: JSON of an object, as far as it is shown
 * @is_whole: nothing is cut, as it has to be where the call is approved; a long value goes on below, behind ↳
 *
 * Returns: (transfer full) (nullable): a line for each argument, "to: ada@example.org"; "" for none, %NULL where @arguments are
 *   no object
 */
char *beckon_call_labels_list_arguments (const char *arguments, gboolean is_whole) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): how many lines a call would change: "+1 −1", or "new, 40 lines"; stands behind its sentence. */
char *beckon_call_labels_describe_size (const BeckonCallPreview *preview) G_GNUC_WARN_UNUSED_RESULT;

/** The tools that only look at files, and fold: "Looked at 3 files". */
gboolean beckon_call_labels_is_look (const char *tool);

/** Whether the sentence about a call of a tool that only looks at files leaves nothing of its arguments to be seen. */
gboolean beckon_call_labels_says_all (const char *tool, const char *arguments);

/**
 * beckon_call_labels_list_unsaid:
 * @tool: the tool
 * @server: (nullable): the server that offers it
 * @arguments: as far as they are shown; what is no JSON of an object is shown as it is
 *
 * Returns: (transfer full) (nullable): all of the arguments, see beckon_call_labels_list_arguments(); %NULL where there are
 *   none, or the sentence about the call has said them
 */
char *beckon_call_labels_list_unsaid (const char *tool, const char *server,
                                      const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** "Looked at 3 files", "Looked at 2 files, searched 1 time" for calls that fold. @calls: (element-type BeckonToolCall). */
char *beckon_call_labels_describe_looks (GPtrArray *calls) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_call_labels_describe_folder:
 * @tool: the tool that is called
 * @server: (nullable): of a tool that comes from one
 * @folder: (nullable): the conversation's
 *
 * Returns: (transfer full) (nullable): "in ~/proj", which stands behind the sentence of a call that works in the folder; %NULL
 *   without one, and of a call that has nothing to do with it
 */
char *beckon_call_labels_describe_folder (const char *tool, const char *server, const char *folder) G_GNUC_WARN_UNUSED_RESULT;

/** A path below the home folder with ~ for that, fit to be decided on. */
char *beckon_call_labels_shorten_path (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a call was refused for how it is written: no such tool, no JSON, or arguments that the tool does not take. */
gboolean beckon_call_labels_is_unclear (BeckonToolCall *call);

G_END_DECLS
