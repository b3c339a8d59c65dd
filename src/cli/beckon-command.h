/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Exit status for a command line that cannot be understood. */
#define BECKON_COMMAND_MISUSED 2

/** Exit status where files are as they were: changes could not land, or were not undone because of later ones. */
#define BECKON_COMMAND_LEFT_ALONE 4

/** Exit status where something was not done because the person could not be asked about it. */
#define BECKON_COMMAND_UNASKED 5

/** Exit status of a run that a limit ended: of rounds, of output, or of the provider. */
#define BECKON_COMMAND_LIMIT 6

/** Exit status of a run whose server can't be reached, or whose connection broke. */
#define BECKON_COMMAND_NETWORK 7

/** Exit status of a run without a key that its server takes. */
#define BECKON_COMMAND_KEY 8

/** Exit status of a run that was stopped. */
#define BECKON_COMMAND_STOPPED 130

/** Exit status of a program whose output is no longer read, as of one that SIGPIPE ends. */
#define BECKON_COMMAND_UNREAD 141

/**
 * BeckonCommand:
 * @name: its word
 * @summary: one line for the help, to be translated
 * @run: does it; @argv begins with the command's own word; returns the exit status
 *
 * A command of `beckonctl`, or of a command that has commands itself.
 */
typedef struct
{
  const char *name;
  const char *summary;
  int (*run) (int argc, char **argv);
} BeckonCommand;

/**
 * beckon_command_dispatch:
 * @name: what was typed so far, for the help
 * @commands: a table that ends with an entry without a name
 * @argc: arguments left, the caller's own word first
 * @argv: the same
 *
 * Runs the command that the first argument names, or shows the help.
 *
 * Returns: the exit status
 */
int beckon_command_dispatch (const char *name, const BeckonCommand *commands, int argc, char **argv);

/**
 * beckon_command_complain:
 * @command: (nullable): the command's word; %NULL for none
 * @problem: what is wrong, for people; it may have names of files, servers or models in it
 *
 * Prints it on standard error behind "beckonctl", with nothing in it that steers a terminal.
 */
void beckon_command_complain (const char *command, const char *problem);

/** As g_option_context_parse(), but arguments in another encoding than the locale's are refused in words for people. */
gboolean beckon_command_parse (GOptionContext *context, int *argc, char ***argv, GError **error);

/**
 * beckon_command_misused:
 * @command: what was typed, such as "beckonctl mcp"
 * @problem: a sentence: what is wrong with its arguments
 *
 * Says so in a line, and names the help.
 *
 * Returns: %BECKON_COMMAND_MISUSED
 */
int beckon_command_misused (const char *command, const char *problem);

/** (transfer full): that an argument is one too many. */
char *beckon_command_dup_surplus (const char *argument) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): that a word is none of the command's. */
char *beckon_command_dup_unknown (const char *word) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
