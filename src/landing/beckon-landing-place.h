/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A landing place is a private folder of ours, outside of every working folder: $XDG_DATA_HOME/beckon/landings/CALL. In it are
 *
 *   upper  the new versions of what a command changed, with whiteouts for what it deleted (an overlay's upper layer); once
 *          landed, the old versions of what was landed
 *   work   what the kernel needs of the overlay
 *   copy   in place of both, where there is no overlay: the folder as the command sees it, copied with modes and times; the
 *          survey makes an upper layer of it
 *   copied what was copied
 *   hidden what was kept from the command
 *   folder which folder it is of, by inode and path
 *   git    the same of a Git directory elsewhere, beside the folder, until the command has ended (beckon-landing-root.h)
 *   index  what the folder's index of Git held then
 *   clock  what the clock of the system was when it was made
 *   steps, states, merged
 *          the lander's
 *
 * No command is handed any of it but through its view. Worker threads: all of it blocks.
 */

/** (transfer full): the path of the place of @call_id, whether it is there or not. Any thread; does not block. */
char *beckon_landing_place_get_path (const char *call_id) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): makes it, empty, for its owner alone; %NULL with BECKON_ERROR_UNAVAILABLE. */
char *beckon_landing_place_make (const char *call_id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_landing_place_copy:
 * @place: of a command that still runs in an overlay
 * @id: the id of the copy: that of the call with something behind it
 * @error: return location
 *
 * What the command has changed until now, so that it can be surveyed, landed and undone as by a command of its own: nothing
 * is moved out of a layer that is in use. The new landing has the place that is returned, and the base of the command; once it
 * has landed, beckon_lander_note_landed() tells the command's place. A file that is being written may be half written.
 *
 * Returns: (transfer full): the copy's place; %NULL with BECKON_ERROR_UNAVAILABLE
 */
char *beckon_landing_place_copy (const char *place, const char *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Waits until no other writer, in any process, works in the open @place. The lock goes with the descriptor. */
void beckon_landing_place_lock (int place);

/**
 * beckon_landing_place_remove:
 * @place: the path of a landing place
 * @error: return location
 *
 * Waits for the lock of @place, and takes it away with all that is in it, whatever its modes are, without following a link.
 *
 * Returns: %TRUE when it is gone, or was not there; %FALSE with BECKON_ERROR_UNAVAILABLE
 */
gboolean beckon_landing_place_remove (const char *place, GError **error);

/**
 * beckon_landing_place_sweep:
 * @place: a landing place
 *
 * Takes away what a crash left of it in the folder that it is bound to (a layer on its way from another file system), unless
 * that is needed to finish what was begun, or a process is at work there. beckon_landing_place_remove() takes it away in any
 * case. Errors are left to the next time. Blocks.
 */
void beckon_landing_place_sweep (const char *place);

/**
 * beckon_landing_place_get_step_back:
 * @place: a landing place
 *
 * Returns: by how many nanoseconds the clock of the system was set back since @place was made; 0 if it was not. Blocks
 */
gint64 beckon_landing_place_get_step_back (const char *place);

/** The bytes that @place takes on the disk. */
guint64 beckon_landing_place_measure (const char *place);

/** (transfer full) (element-type utf8): the ids of calls that have a place. */
GPtrArray *beckon_landing_place_list (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_landing_place_bind:
 * @place: a landing place
 * @folder: the folder that a command in @place has a view of
 * @error: return location
 *
 * Writes down in @place which folder that is. Another one may stand at its path when the command has ended: nothing lands
 * there. Blocks. Returns: %FALSE with an error
 */
gboolean beckon_landing_place_bind (const char *place, const char *folder, GError **error);

/** (transfer full) (nullable): the path of the folder that the open @place is bound to. Blocks. */
char *beckon_landing_place_dup_folder (int place) G_GNUC_WARN_UNUSED_RESULT;

/** Whether the open @folder is the one that the open @place is bound to; one that is not bound is of any. Blocks. */
gboolean beckon_landing_place_is_of (int place, int folder);

/*
 * Tables of a landing place: records by path, as files that the same computer writes and reads. A path is relative to the
 * folder. All of it blocks: worker threads only.
 */

/**
 * BECKON_LANDING_HIDDEN:
 *
 * Paths that a rule hides from a command are not in its view: in the upper layer stands a whiteout for each, as if the command
 * had deleted it. Rules may change, and a path may be hidden for where a link leads: a listed path, and what is below it, is no
 * change, whatever the command made there, and never lands. Without records.
 */
#define BECKON_LANDING_HIDDEN "hidden"

/** (transfer full) (element-type filename gpointer): an empty table; records are freed with g_free(). */
GHashTable *beckon_landing_table_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): the table @name of @place, whose records have @size bytes, empty where there is none; %NULL with an
 * error. */
GHashTable *beckon_landing_table_load (const char *place, const char *name, gsize size,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** %FALSE with an error. */
gboolean beckon_landing_table_save (GHashTable *table, const char *place, const char *name, gsize size, GError **error);

/** Whether @path, or a folder that it is in, is in @table. */
gboolean beckon_landing_table_covers (GHashTable *table, const char *path);

G_END_DECLS
