/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-landing.h"

#include <gio/gio.h>

#include <sys/stat.h>

G_BEGIN_DECLS

/*
 * Landing moves the new versions of files into the folder and keeps the old ones in the landing place, file by file in one step
 * (renameat2 with RENAME_EXCHANGE or RENAME_NOREPLACE, beneath the folder); a folder that is new whole. Undoing is the same the
 * other way round. Each step is looked at before it is done, by the inodes that the plan names: so both can be called again
 * after a crash in the middle, and finish what was begun. Nothing that another writer changed meanwhile is touched.
 *
 * All of it blocks, and waits while another thread or process is at the same place: worker threads only. The landing is
 * changed: fates, remarks and inodes. The caller stores it, before and after.
 */

/**
 * beckon_lander_plan:
 * @landing: every change of it is decided
 * @error: return location
 *
 * Prepares what can be prepared without touching the folder: files of which only some hunks are kept, and the inodes by which a
 * crash is told from its end. To be stored (%BECKON_LANDING_DECIDED) before beckon_lander_land().
 */
gboolean beckon_lander_plan (BeckonLanding *landing, GError **error);

/**
 * beckon_lander_land:
 * @landing: planned, and stored so; or found so after a crash
 * @error: return location
 *
 * Lands what is kept; what turns out to have changed meanwhile is a conflict, and what the system refuses has failed. What did
 * not land is gone from the place afterwards, but for text files that conflict: the command's version of those stays where it
 * is in the layer, unless a secret of the person's is in it. What another writer did since the survey becomes
 * #BeckonFileChange.theirs, not masked.
 *
 * Returns: %TRUE when nothing is left to be done; %FALSE with an error where the folder itself is gone or cannot be opened
 */
gboolean beckon_lander_land (BeckonLanding *landing, GError **error);

/**
 * beckon_lander_check:
 * @landing: one that waits
 * @error: return location
 *
 * Whether its folder can be reached and written now, and is still the one that the command worked on: a folder that is away for
 * a moment settles nothing.
 *
 * Returns: %FALSE with BECKON_ERROR_UNAVAILABLE, which is for a person
 */
gboolean beckon_lander_check (const BeckonLanding *landing, GError **error);

/** Takes back what has landed: each change that was not changed since. The others say why in their remark. As above. */
gboolean beckon_lander_undo (BeckonLanding *landing, GError **error);

/** Lands again what was undone; the same rules. %FALSE with BECKON_ERROR_CONFLICT if others have come to run any of it. */
gboolean beckon_lander_redo (BeckonLanding *landing, GError **error);

/** Which changes beckon_lander_undo() would refuse now: sets their remarks, changes nothing else. */
gboolean beckon_lander_check_undo (BeckonLanding *landing, GError **error);

/**
 * beckon_lander_note_landed:
 * @landing: what a command had changed when its landing place was copied (beckon_landing_place_copy()); it has landed
 * @place: the landing place of the command, which still runs
 * @error: return location
 *
 * What landed is no conflict for the survey behind the command, or for the next one on the way, unless it was changed
 * since.
 */
gboolean beckon_lander_note_landed (BeckonLanding *landing, const char *place, GError **error);

/** Notes, in the place of @landing, of a temporary conversation that no store knows, what beckon_lander_land() is about to do,
 * so that the finder after a crash leaves no folder half changed. Blocks. */
gboolean beckon_lander_note_write (const BeckonLanding *landing, GError **error);

/**
 * beckon_lander_note_finish:
 * @place: a landing place of a process that is gone
 * @error: return location
 *
 * Finishes what was begun there by a landing that is noted in it: landing, undoing or making again.
 *
 * Returns: %TRUE if nothing is left to be done, or ever can be; %FALSE with an error where it may be possible later
 */
gboolean beckon_lander_note_finish (const char *place, GError **error);

/**
 * beckon_lander_ledger_note:
 * @now: a file that was put there, or moved, by an undo or a redo
 *
 * A ctime tells whether a file was changed since it landed. Undoing one call moves files and sets their ctimes, too: so that
 * this is not taken for another writer's change when the next call is undone, or made again, this process knows which ctimes
 * are its own doing. Any thread.
 */
void beckon_lander_ledger_note (const struct stat *now);

/** Whether it is unchanged since it was noted; %FALSE for what never was. */
gboolean beckon_lander_ledger_has (const struct stat *info);

G_END_DECLS
