/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Notes that the file is damaged, so that the next start repairs it, whatever it finds. */
void beckon_salvage_request (const char *directory);

/** Notes that the next start opens a copy, @name: of its file, in place of the present one. */
gboolean beckon_salvage_request_copy (const char *directory, const char *name, GError **error);

/** %TRUE if that was noted, until beckon_salvage_finish(). */
gboolean beckon_salvage_opens_copy (const char *directory);

/** %TRUE if either was noted, or one of them did not come to its end. */
gboolean beckon_salvage_is_due (const char *directory);

/**
 * beckon_salvage_run:
 * @directory: the store's folder
 * @usage_fd: the folder's usage file, open; a shared lock is on it afterwards
 * @error: return location
 *
 * Puts a new file in the place of the present one: a copy if that was asked for, else everything that can still be read of the
 * present one. That one, with its log, stays beside it under a name with the date. May be killed at any moment: the next call
 * begins again. A copy that can't be opened leaves all as it was, and is no longer asked for.
 *
 * Returns: %FALSE with %BECKON_ERROR_UNAVAILABLE if another process uses the store; %BECKON_ERROR_STORE if the new file could
 *   not be written, or the copy not be read
 */
gboolean beckon_salvage_run (const char *directory, int usage_fd, GError **error);

/** The copy that was opened is the history: everything that was under way in it was stopped. */
void beckon_salvage_finish (const char *directory);

/** Describes what the last repair saved and lost, or which copy was opened, until forgotten: (nullable). @is_repair: (out):
 *  which of the two. Caller frees. */
char    *beckon_salvage_dup_report (const char *directory, gboolean *is_repair);
gboolean beckon_salvage_has_report (const char *directory);
void     beckon_salvage_forget_report (const char *directory);

G_END_DECLS
