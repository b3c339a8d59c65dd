/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_KEY_PROGRAMS (beckon_key_programs_get_type ())
G_DECLARE_FINAL_TYPE (BeckonKeyPrograms, beckon_key_programs, BECKON, KEY_PROGRAMS, GObject)

/** How long a program may take. */
#define BECKON_KEY_PROGRAM_TIMEOUT_S 30

/** A program that prints more is stopped. */
#define BECKON_KEY_PROGRAM_OUTPUT_MAX (16 * 1024)

/**
 * BeckonKeyPrograms:
 *
 * Programs that print a key, such as `gcloud auth print-access-token`. One is run without a shell, in the person's home and
 * environment, in a session of its own without a terminal, with nothing to read. What it prints is kept in memory until it
 * expires, if it says when, or until a server refuses it; it is never written anywhere. Main thread.
 */

/** @clock: measures %BECKON_KEY_PROGRAM_TIMEOUT_S, and says whether a key has expired. */
BeckonKeyPrograms *beckon_key_programs_new (BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_key_programs_ask_async:
 * @programs: the programs
 * @argv: a program and its arguments
 * @cancellable: (nullable): ends it; the program is stopped when nothing else waits for it
 * @callback: called later
 * @user_data: for @callback
 *
 * Gives the key that is kept, or runs the program; once, however many ask at the same time. It prints the key alone, of which
 * the first line counts, or a JSON object with `key` or `access_token`, and `expires_in` (seconds) or `expires_at` (seconds
 * since the epoch, or as RFC 3339 has it).
 */
void beckon_key_programs_ask_async (BeckonKeyPrograms *programs, const char *const *argv, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);

/** The key, never empty. %BECKON_ERROR_UNAVAILABLE with a translated message, without what the program itself said. */
char *beckon_key_programs_ask_finish (BeckonKeyPrograms *programs, GAsyncResult *result,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_key_programs_dup_failure:
 * @programs: the programs
 * @argv: a program and its arguments
 *
 * What the last run of the program ended with if it failed, with what it wrote to its standard error: at most a few hundred
 * characters, without what looks like a key. It is for the person who tests a profile, and is not to be stored.
 *
 * Returns: (transfer full) (nullable): a translated sentence and the program's words; %NULL if it works or said nothing
 */
char *beckon_key_programs_dup_failure (BeckonKeyPrograms *programs, const char *const *argv) G_GNUC_WARN_UNUSED_RESULT;

/** A server refused @key: the program is run again when it is asked next. */
void beckon_key_programs_refuse (BeckonKeyPrograms *programs, const char *const *argv, const char *key);

G_END_DECLS
