/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Without an overlay a command works on a copy of the whole folder, in its landing place. The copy shares blocks with the
 * folder where the file system can do that. After the command the copy becomes an upper layer, so that surveying and landing
 * the changes need one shape alone.
 *
 * All of it blocks: worker threads only.
 */

/** A folder that has more is not copied for a command. */
#define BECKON_LANDING_COPY_MAX_FILES 20000
#define BECKON_LANDING_COPY_MAX_BYTES (G_GUINT64_CONSTANT (200) * 1024 * 1024)

/**
 * BeckonCopiedRecord:
 * @inode: of the copy
 * @changed_at: its ctime, in nanoseconds since the epoch
 * @mode: likewise, as lstat() tells it
 *
 * Of the table BECKON_LANDING_COPIED: what a copy had in it before the command began.
 */
typedef struct
{
  guint64 inode;
  gint64 changed_at;
  guint32 mode;
} BeckonCopiedRecord;

#define BECKON_LANDING_COPIED "copied"

/** Whether @folder is small enough to be copied. */
gboolean beckon_landing_copy_fits (const char *folder);

/**
 * beckon_landing_copy_make:
 * @folder: an absolute path without symbolic links
 * @place: a landing place
 * @hidden: (nullable) (element-type filename): paths relative to @folder, as a set, that are not copied
 * @cancellable: (nullable)
 * @error: return location
 *
 * Copies @folder, with modes, times, links between its files and extended attributes. What cannot be read, and devices and
 * sockets, are not in the copy, and are not missed in it later.
 *
 * Returns: %FALSE with BECKON_ERROR_UNAVAILABLE, or with G_IO_ERROR_CANCELLED
 */
gboolean beckon_landing_copy_make (const char *folder, const char *place, GHashTable *hidden, GCancellable *cancellable,
                                   GError **error);

/**
 * beckon_landing_copy_to_upper:
 * @place: a landing place, whose command has ended
 * @error: return location
 *
 * Makes an upper layer of the copy: what the command made or touched, and whiteouts for what it deleted. What has another
 * inode change time than the copy had is taken to be touched: a survey finds out what is the same nonetheless. The copy is gone
 * afterwards. Without a copy nothing is done.
 *
 * Returns: %FALSE with BECKON_ERROR_UNAVAILABLE
 */
gboolean beckon_landing_copy_to_upper (const char *place, GError **error);

G_END_DECLS
