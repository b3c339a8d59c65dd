/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonFileCheck:
 *
 * Reads the whole file of a store after an end that was not a good one, when the start is long over, on a thread and a
 * connection of its own, with what the machine has left. It disturbs no writer.
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
 * @func: called on the check's thread if the file is damaged
 * @data: for @func
 *
 * Begins some seconds from now and gives up after some minutes; then, or where something cannot be read, the check stays due.
 *
 * Returns: (transfer full): to be given to beckon_file_check_stop()
 */
BeckonFileCheck *beckon_file_check_start (const char *directory, const char *path, void (*func) (gpointer), gpointer data)
  G_GNUC_WARN_UNUSED_RESULT;

/** Interrupts it and waits for that, at most for the reading of a page. */
void beckon_file_check_stop (BeckonFileCheck *check);

/** For tests: how long a check waits before it begins, in microseconds. */
void beckon_file_check_set_delay (gint64 delay);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFileCheck, beckon_file_check_stop)

G_END_DECLS
