/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * BeckonTreeCopy:
 * @BECKON_TREE_COPY_PERSONS: from a folder of the person's, whose modes stay as they are: what can't be read isn't copied
 * @BECKON_TREE_COPY_OURS: from a landing place, and onto the disk
 * @BECKON_TREE_COPY_LAYER: the same with what is only an overlay's: that something was deleted, and where things came from
 */
typedef enum
{
  BECKON_TREE_COPY_PERSONS,
  BECKON_TREE_COPY_OURS,
  BECKON_TREE_COPY_LAYER,
} BeckonTreeCopy;

/**
 * beckon_landing_tree_copy:
 * @from: a folder
 * @name: what is copied from there: a file, a link, a fifo, or a folder with all of these that are in it
 * @to: another folder
 * @new_name: its name there, where nothing is
 * @kind: how
 *
 * Copies modes, times, extended attributes and holes too; blocks are shared where the file system can. A file with several
 * names becomes several.
 *
 * Returns: %FALSE with errno; then nothing is left of the copy
 */
gboolean beckon_landing_tree_copy (int from, const char *name, int to, const char *new_name, BeckonTreeCopy kind);

/** The same of a thing that is no folder, as @info tells; what is neither file, link nor fifo is not copied, and not missed. */
gboolean beckon_landing_tree_copy_thing (int from, const char *name, int to, const char *new_name, const struct stat *info,
                                         BeckonTreeCopy kind);

/** Gives the folder @to, beside what is in it, all that @from has. @info: of @from. */
gboolean beckon_landing_tree_copy_properties (int from, int to, const struct stat *info, BeckonTreeCopy kind);

/**
 * beckon_landing_attributes_copy:
 * @from: a file
 * @to: another
 * @with_overlay: also what an overlay notes there for itself
 *
 * Some are not to be read, or not known over there: a file is worth more than its attributes. errno stays. Blocks.
 */
void beckon_landing_attributes_copy (int from, int to, gboolean with_overlay);

/** (transfer full) (nullable): the names of attributes that were changed, removed or added, for people; %NULL if none were.
 * Those that an overlay or the system sets don't count. Blocks. */
char *beckon_landing_attributes_dup_changed (int before, int after) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
