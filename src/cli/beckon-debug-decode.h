/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The command `debug`, whose own command is `decode`. */
int beckon_debug_run (int argc, char **argv);

/**
 * beckon_debug_decode_run:
 * @argc: 3
 * @argv: "decode", the protocol and the file, "-" for the standard input
 *
 * Prints the events of a recorded reply as JSON Lines: `text`, `reasoning`, `tool_call`, `usage`, `error` and, last,
 * `end`. However the recording was cut into pieces, the output is the same. A file whose name ends in `.chunks.txt`
 * has one payload a line. Needs the memory of one event and of the calls, not of the file.
 *
 * Returns: the exit status: 0 once everything was decoded, whatever it says; 1 when it cannot be read, 2 when misused
 */
int beckon_debug_decode_run (int argc, char **argv);

G_END_DECLS
