/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/*
 * A stamp of a folder with all that is in it: which things those are, and that they are as they were, by identity, size and
 * times. It has a part for each thing, so that one of fewer things can be held against it.
 */

/** A folder with more in it, or nested more deeply, has no stamp. */
#define BECKON_TREE_STAMP_MAX_ENTRIES 2000
#define BECKON_TREE_STAMP_MAX_DEPTH 8

/** Adds what stands for a thing. @entries: (element-type utf8). @relative: its path in the folder. */
void beckon_tree_stamp_add (GPtrArray *entries, const char *relative, const struct stat *info);

/**
 * beckon_tree_stamp_take:
 * @path: a folder
 * @left: (inout): how many things may be looked at
 *
 * Follows no links. Synchronous.
 *
 * Returns: (transfer full) (nullable): the stamp; %NULL for what is no folder, cannot be read or is too much
 */
char *beckon_tree_stamp_take (const char *path, guint *left) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): what is the same for the same things: of @entries, in any order. */
char *beckon_tree_stamp_digest (GPtrArray *entries) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @stamp (nullable) is of a folder with all in it. @inode: (out). @n_files: (out) (optional): without folders */
gboolean beckon_tree_stamp_read (const char *stamp, guint64 *inode, guint *n_files);

/** Whether @now (nullable) is of the same folder as @then, with nothing in it that is new or changed. */
gboolean beckon_tree_stamp_covers (const char *then, const char *now);

/** Whether @stamp (nullable) is of the folder of @inode, with what @digest (nullable) stands for in it. */
gboolean beckon_tree_stamp_is_of (const char *stamp, guint64 inode, const char *digest);

G_END_DECLS
