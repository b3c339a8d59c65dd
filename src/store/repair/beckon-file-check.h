/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

G_BEGIN_DECLS

/**
 * BeckonFileCheck:
 *
 * Looks after the file of a store when the start is long over, on a thread and a connection of its own, with what the machine
 * has left. It reads the whole file after an end that was not a good one, and makes a copy of it each day; see
 * beckon-history-copies.h. It disturbs no writer.
 */
typedef struct _BeckonFileCheck BeckonFileCheck;

/** Notes that the file in @directory is to be checked. That stays until a check has come to its end and found nothing. */
void beckon_file_check_request (const char *directory);

/** %TRUE if that is noted. */
gboolean beckon_file_check_is_due (const char *directory);

/**
 * beckon_file_check_start:
 * @directory: the store's folder
 * @path: its database, which stays open until the check was stopped
 * @clock: tells what day it is
 * @func: called on the check's thread if the file is damaged; it comes to its end then
 * @data: for @func
 *
 * Begins some seconds from now. A check is given up after some minutes; then, or where something cannot be read, it stays due.
 * A copy that can't be made is tried again later.
 *
 * Returns: (transfer full): to be given to beckon_file_check_stop()
 */
BeckonFileCheck *beckon_file_check_start (const char *directory, const char *path, BeckonClock *clock, void (*func) (gpointer),
                                          gpointer data) G_GNUC_WARN_UNUSED_RESULT;

/** Looks whether a copy is to be made, about a minute after this was last called. */
void beckon_file_check_renew_copy (BeckonFileCheck *check);

/** Why the last copy that this process tried was not made, in words; %NULL if it was. Caller frees. */
char *beckon_file_check_dup_problem (void);

/** Interrupts it and waits for that, at most for the reading of a page or the writing of some. */
void beckon_file_check_stop (BeckonFileCheck *check);

/** Reads a whole file that nobody writes, such as a copy; %FALSE if it is damaged or can't be read. Blocks. */
gboolean beckon_file_check_is_whole (const char *path);

/** For tests: how long a check waits before it begins, in microseconds. */
void beckon_file_check_set_delay (gint64 delay);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFileCheck, beckon_file_check_stop)

G_END_DECLS
