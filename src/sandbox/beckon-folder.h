/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/** The largest file that is read or written whole. Bytes. */
#define BECKON_FOLDER_MAX_FILE (8 * 1024 * 1024)

#define BECKON_TYPE_FOLDER (beckon_folder_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFolder, beckon_folder, BECKON, FOLDER, GObject)

/**
 * BeckonFolder:
 *
 * A conversation's working folder. Paths are resolved beneath it by the kernel (openat2 with RESOLVE_BENEATH and
 * RESOLVE_NO_MAGICLINKS), each time anew and in one step with opening, so that no link that is swapped meanwhile leads
 * out. Only regular files are opened, and none that could block. The functions block: call them on a worker thread.
 */

/**
 * beckon_folder_new:
 * @path: an absolute path
 * @error: return location for an error
 *
 * Returns: (transfer full): the folder, which stays the same one when its path is renamed; %NULL with
 *   BECKON_ERROR_NOT_FOUND
 */
BeckonFolder *beckon_folder_new (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Its path when it was opened. Borrowed. */
const char *beckon_folder_get_path (BeckonFolder *folder);

/**
 * beckon_folder_relate:
 * @folder: the folder
 * @path: a path as a model wrote it: relative to the folder, or absolute
 *
 * Returns: (transfer full) (nullable): @path relative to the folder, without . and .., "." for the folder itself; %NULL if
 *   it does not lead into the folder as it is written. Links are not looked at.
 */
char *beckon_folder_relate (BeckonFolder *folder, const char *path) G_GNUC_WARN_UNUSED_RESULT;

/** How many names a path may have. */
#define BECKON_FOLDER_MAX_DEPTH 256u

/** %FALSE with BECKON_ERROR_INVALID for the model, if @path has more names than %BECKON_FOLDER_MAX_DEPTH. */
gboolean beckon_folder_check_depth (const char *path, GError **error);

/**
 * beckon_folder_resolve:
 * @folder: the absolute path of a working folder
 * @path: a path as a model wrote it: relative to the folder, or absolute
 * @is_outside: (out) (optional): whether it leads out of the folder
 *
 * For showing and judging what a path stands for before anything is opened; opening resolves it anew. What is not there is
 * taken as it is written, and a link that leads nowhere as where it leads. A path with more names than
 * %BECKON_FOLDER_MAX_DEPTH is not looked up, and leads out.
 *
 * Returns: (transfer full): absolute, with links resolved
 */
char *beckon_folder_resolve (const char *folder, const char *path, gboolean *is_outside) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_folder_open_file:
 * @folder: the folder
 * @path: relative to it
 * @error: return location for an error
 *
 * Returns: a descriptor of a regular file of any size, for reading, closed on exec; -1 with an error in English
 */
int beckon_folder_open_file (BeckonFolder *folder, const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Looks at @path, relative to the folder, without following it; %FALSE if it can't be looked at. */
gboolean beckon_folder_look_at (BeckonFolder *folder, const char *path, struct stat *info);

/**
 * beckon_folder_read:
 * @folder: the folder
 * @path: relative to it
 * @error: return location for an error
 *
 * Returns: (transfer full): the bytes of the file; %NULL with an error in English, fit for a model: BECKON_ERROR_NOT_FOUND,
 *   BECKON_ERROR_TOO_LARGE, or BECKON_ERROR_INVALID for what is no regular file or lies outside
 */
GBytes *beckon_folder_read (BeckonFolder *folder, const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_folder_write:
 * @folder: the folder
 * @path: relative to it; the folders on the way are made
 * @contents: what the file holds afterwards
 * @expected: (nullable): what it must hold now, or the write is refused with BECKON_ERROR_CONFLICT; %NULL if it must not be
 *   there
 * @error: return location for an error
 *
 * Replaces a file at once: a reader sees the old or the new one, also after a power cut. Its permissions stay. A
 * file that is itself a link is refused; a second name of the file (hard link) keeps the old contents.
 *
 * Returns: %TRUE if it was written; %FALSE with an error in English, fit for a model, and nothing changed
 */
gboolean beckon_folder_write (BeckonFolder *folder, const char *path, GBytes *contents, GBytes *expected, GError **error);

/**
 * beckon_folder_remove:
 * @folder: the folder
 * @path: relative to it
 * @expected: what it must hold now, or it is refused with BECKON_ERROR_CONFLICT
 * @error: return location for an error
 *
 * Takes a file away, which is how the making of a file is undone.
 */
gboolean beckon_folder_remove (BeckonFolder *folder, const char *path, GBytes *expected, GError **error);

/** How many of the folders that @path is in, relative to the folder, are not there. */
guint beckon_folder_count_missing (BeckonFolder *folder, const char *path);

/** Takes away the innermost @n_folders of those that @path is in, as far as they are empty. */
void beckon_folder_remove_parents (BeckonFolder *folder, const char *path, guint n_folders);

/**
 * beckon_folder_open_directory:
 * @folder: the folder
 * @path: relative to it
 * @error: return location for an error
 *
 * Returns: a descriptor of the directory, for reading its entries, closed on exec; -1 with an error in English
 */
int beckon_folder_open_directory (BeckonFolder *folder, const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
