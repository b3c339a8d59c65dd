/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Where stand-ins lie between two commands: $XDG_CACHE_HOME/beckon/stand-ins, which no command is handed. To move one costs the
 * same however often it is done. To make one does not: ext4 gives nobody the inode of what went within the last minutes, and
 * looks at each of them whenever something is made in the same part of the disk.
 *
 * Each goes back to the path it came from and to no other: a command that has a folder around that path may have it open, and
 * could write into it wherever it is then. All programs of a person share them. Main thread.
 */

/** The modes of a file, and of a folder, that stand in: nothing can be put there. */
#define BECKON_PLACEHOLDER_FILE_MODE 0400
#define BECKON_PLACEHOLDER_FOLDER_MODE 0500

/** The mode of a folder on its way: only one that can be written can be moved. */
#define BECKON_PLACEHOLDER_MOVING_MODE 01700

/** What is kept of them at most; with more all go. */
#define BECKON_PLACEHOLDER_MAX_SPARE 48

/**
 * Moves the one of @path, which is absolute, back to it, where nothing is. %FALSE if there is none, or if something came to be
 * at @path: then nothing was done. The caller makes sure that what was moved is a stand-in.
 */
gboolean beckon_placeholder_cache_take (const char *path, gboolean is_folder);

/**
 * Moves the stand-in at @path, open as @fd, into the drawer. %FALSE if that is full or on another disk: then it is where it
 * was.
 */
gboolean beckon_placeholder_cache_put (const char *path, int fd);

G_END_DECLS
