/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-tool.h"

G_BEGIN_DECLS

#define BECKON_TYPE_TEST_TOOL (beckon_test_tool_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTestTool, beckon_test_tool, BECKON, TEST_TOOL, GObject)

/**
 * BeckonTestTool:
 *
 * A tool that a test holds and lets go; its arguments `path`, `host` and `command` are what it touches. Its result is "NAME did ARGUMENTS".
 */
BeckonTestTool *beckon_test_tool_new (const char *name, gboolean read_only) G_GNUC_WARN_UNUSED_RESULT;

/** A call that begins while it is held ends by beckon_test_tool_release() or by its cancellable. */
void beckon_test_tool_set_held (BeckonTestTool *tool, gboolean held);

/** Ends the call that began first, of those that are held. */
void beckon_test_tool_release (BeckonTestTool *tool);

/** Every call fails with this message from now on; %NULL: none does. */
void beckon_test_tool_set_failure (BeckonTestTool *tool, const char *message);

/** Every call gives this from now on. */
void beckon_test_tool_set_result (BeckonTestTool *tool, const char *result);

/** Every call ends so from now on. @output_length: of what it gives; -1 for all. */
void beckon_test_tool_set_exit_status (BeckonTestTool *tool, int exit_status, gssize output_length);

/** Sets what it finds when it verifies a call; %NULL, as at first: it can't tell. */
void beckon_test_tool_set_found (BeckonTestTool *tool, const char *found);

/** Deaf to its cancellable: a held call ends only by being released. */
void beckon_test_tool_set_deaf (BeckonTestTool *tool, gboolean deaf);

/** Lets go of each call without a result. */
void beckon_test_tool_set_forgets (BeckonTestTool *tool, gboolean forgets);

/** Every call that begins adds a line, its name and arguments, to this file: what it did to the world. */
void beckon_test_tool_set_effects (BeckonTestTool *tool, const char *path);

/** Every call asks this, a question of its own, and gives what it is answered. */
void beckon_test_tool_set_question (BeckonTestTool *tool, const char *question);

/** The server of that name offers the tool from now on. */
void beckon_test_tool_set_server (BeckonTestTool *tool, const char *server);

/** The server defines it so from now on. */
void beckon_test_tool_set_digest (BeckonTestTool *tool, const char *digest);

/** Asks for this form, parameters of elicitation/create, and returns what the server would be told;
 *  @resumes: the form outlives its process. */
void beckon_test_tool_set_form (BeckonTestTool *tool, const char *params, gboolean resumes);

/** The tool is absent from now on, or there again. */
void beckon_test_tool_set_absent (BeckonTestTool *tool, gboolean absent);

/** How many calls began, how many of them run just now, and how many ran at the same time at most. */
guint beckon_test_tool_get_n_begun (BeckonTestTool *tool);
guint beckon_test_tool_get_n_running (BeckonTestTool *tool);
guint beckon_test_tool_get_n_at_once (BeckonTestTool *tool);

/** The denied paths that the call that began last was told. Borrowed. */
BeckonDeniedPaths *beckon_test_tool_get_denied (BeckonTestTool *tool);

/** The arguments of every call that began, one a line. */
const char *beckon_test_tool_get_log (BeckonTestTool *tool);

G_END_DECLS
