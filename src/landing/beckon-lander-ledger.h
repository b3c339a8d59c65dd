/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/*
 * A ctime tells whether a file was changed since it landed. Undoing one call moves files and sets their ctimes, too: so that
 * this is not taken for another writer's change when the next call is undone, or made again, this process knows which ctimes
 * are its own doing. Any thread.
 */

/** The file that is there now was put there, or moved, by an undo or a redo. */
void beckon_lander_ledger_note (const struct stat *now);

/** Whether it is unchanged since it was noted; %FALSE for what never was. */
gboolean beckon_lander_ledger_has (const struct stat *info);

G_END_DECLS
