/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Notes that the file is damaged, so that the next start repairs it, whatever it finds. */
void beckon_salvage_request (const char *directory);

/** %TRUE if that was noted, or a repair did not come to its end. */
gboolean beckon_salvage_is_due (const char *directory);

/**
 * beckon_salvage_run:
 * @directory: the store's folder
 * @usage_fd: the folder's usage file, open; a shared lock is on it afterwards
 * @error: return location
 *
 * Carries everything that can be read over to a new file. The old one, with its log, stays beside it under a name with the
 * date. May be killed at any moment: the next call begins again from the old file.
 *
 * Returns: %FALSE with %BECKON_ERROR_UNAVAILABLE if another process uses the store; %BECKON_ERROR_STORE if the new file could
 *   not be written
 */
gboolean beckon_salvage_run (const char *directory, int usage_fd, GError **error);

/** Describes what the last repair saved and lost, until forgotten: (nullable). Caller frees. */
char *beckon_salvage_dup_report (const char *directory);
void  beckon_salvage_forget_report (const char *directory);

G_END_DECLS
