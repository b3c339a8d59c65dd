/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

/** Exit status of a command that could not do what it was asked to. */
#define BECKON_CLI_CONTEXT_FAILED 1

/**
 * BeckonCliContext:
 * @command: the command's word, for complaints
 * @data: the command's own
 * @store: open while the command runs; borrowed
 * @runtime: light, and open likewise; borrowed
 *
 * A command that opens the history, does one thing and ends.
 */
typedef struct _BeckonCliContext BeckonCliContext;
struct _BeckonCliContext
{
  const char *command;
  gpointer data;
  BeckonStore *store;
  BeckonRuntime *runtime;

  /* private */
  void (*start) (BeckonCliContext *cli);
  GMainLoop *loop;
  int status;
};

/** Opens, starts, waits for beckon_cli_context_finish(), closes. Returns the exit status. */
int beckon_cli_context_run (const char *command, void (*start) (BeckonCliContext *cli), gpointer data);

/** The end. @problem: (nullable): what went wrong, for people. */
void beckon_cli_context_finish (BeckonCliContext *cli, const char *problem);

/** The same with an exit status of its own for @problem. */
void beckon_cli_context_finish_with (BeckonCliContext *cli, const char *problem, int status);

/**
 * beckon_cli_context_find_async:
 * @cli: a command under way
 * @id: the id of a conversation, or the beginning of one
 * @found: called with the conversation's header; if there is none, or more than one, the command ends instead
 */
void beckon_cli_context_find_async (BeckonCliContext *cli, const char *id,
                                    void (*found) (BeckonCliContext *cli, BeckonConversation *header));

/** Reads the arguments by @entries; there have to be between @least and @most words besides. %FALSE: the status is 2. */
gboolean beckon_cli_context_parse (const char *usage, const char *summary, const GOptionEntry *entries, int *argc, char ***argv,
                                   int least, int most);

/** A time for people, in their time zone. Caller frees. */
char *beckon_cli_context_format_time (gint64 at);

/** A text on one line with nothing in it that steers a terminal. Caller frees. */
char *beckon_cli_context_make_safe (const char *text);

/** Prints a JSON document and a line's end on the standard output, with an escape for whatever a terminal would obey. */
void beckon_cli_context_print_json (const char *document);

/** Says on standard error, once each time, what is wrong with the files of the store and what was repaired, as long as @runtime
 *  is there. */
void beckon_health_line_follow (BeckonRuntime *runtime);

G_END_DECLS
