/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-agent-script.h"

#include <gio/gio.h>
#include <sys/types.h>

G_BEGIN_DECLS

/** The key that every program here gets from its environment. */
#define BECKON_CLI_KEY "sk-test-0123456789"

/**
 * BeckonCliFixture:
 * @home: where everything of the programs lies
 * @server: the model they are given
 * @output: what the last program that ran to its end wrote to its standard output
 * @errors: and to its standard error
 * @lacks_input: whether a program in pipes begins with a closed standard input
 * @has_bus: whether programs find the test's own session bus; there is none at first
 *
 * The real beckonctl with a home, settings and a model of its own.
 */
typedef struct
{
  char *home;
  BeckonFixtureServer *server;
  char *output;
  char *errors;
  gboolean lacks_input;
  gboolean has_bus;
} BeckonCliFixture;

/** A home without a profile: what runs there talks to the tour. */
BeckonCliFixture *beckon_cli_fixture_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** With a profile of the fixture's server, which is in use. */
BeckonCliFixture *beckon_cli_fixture_new_with_model (void) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_cli_fixture_free (BeckonCliFixture *fixture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCliFixture, beckon_cli_fixture_free)

/** The folder of the store. Caller frees. */
char *beckon_cli_fixture_dup_data_directory (BeckonCliFixture *fixture);

/** Queues @reply, which is taken. */
void beckon_cli_fixture_script (BeckonCliFixture *fixture, BeckonFixtureReply *reply);

/** Runs `beckonctl …` to its end with @input on its standard input and returns its exit status. The arguments end in %NULL. */
int beckon_cli_fixture_run (BeckonCliFixture *fixture, const char *input, ...) G_GNUC_NULL_TERMINATED;

/** Asserts that @text holds @words. */
void beckon_cli_assert_says (const char *text, const char *words);

/**
 * BeckonCliProcess:
 * @all: what it has written so far, to a terminal or to its standard output and error
 *
 * A beckonctl that runs, and is talked with.
 */
typedef struct
{
  GString *all;
  pid_t pid;
  int input;
  int output;
} BeckonCliProcess;

/** In a terminal of its own, 80 columns wide. */
BeckonCliProcess *beckon_cli_process_new_in_terminal (BeckonCliFixture *fixture, ...) G_GNUC_NULL_TERMINATED;

/** A shell with job control in a terminal of its own; $BECKONCTL is the program. */
BeckonCliProcess *beckon_cli_process_new_in_shell (BeckonCliFixture *fixture, const char *script);

/** With pipes at all ends. */
BeckonCliProcess *beckon_cli_process_new_in_pipe (BeckonCliFixture *fixture, ...) G_GNUC_NULL_TERMINATED;

/** Kills it if it is still there. */
void beckon_cli_process_free (BeckonCliProcess *process);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCliProcess, beckon_cli_process_free)

/** Reads until @words were written, after what the last wait waited for; fails after 30 seconds. */
void beckon_cli_process_wait (BeckonCliProcess *process, const char *words);

/** Reads what comes next; fails after 30 seconds, and at the end. */
void beckon_cli_process_read (BeckonCliProcess *process);

/** Closes what is piped to it. */
void beckon_cli_process_end_input (BeckonCliProcess *process);

/** Writes @line and a line break. */
void beckon_cli_process_type (BeckonCliProcess *process, const char *line);

/** Writes @keys as they are. */
void beckon_cli_process_press (BeckonCliProcess *process, const char *keys);

/** Reads to the end and returns the exit status; -N if signal N ended it. */
int beckon_cli_process_finish (BeckonCliProcess *process);

/** Waits for the end without reading, and returns the exit status. */
int beckon_cli_process_reap (BeckonCliProcess *process);

/** SIGKILL, and waits until it is gone. */
void beckon_cli_process_kill (BeckonCliProcess *process);

G_END_DECLS
