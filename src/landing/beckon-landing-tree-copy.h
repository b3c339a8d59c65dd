/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_landing_tree_copy:
 * @from: a folder
 * @name: what is copied from there: a file, a link, a fifo, or a folder with all of these that are in it
 * @to: another folder
 * @new_name: its name there, where nothing is
 * @inode: (out) (optional): of the copy
 *
 * Copies modes, times, extended attributes and holes too, but for what is only an overlay's; blocks are shared where the file
 * system can. A file with several names becomes several. The copy is on the disk.
 *
 * Returns: %FALSE with errno; then nothing is left of the copy
 */
gboolean beckon_landing_tree_copy (int from, const char *name, int to, const char *new_name, guint64 *inode);

/** The same of an upper layer, with what is only an overlay's: that something was deleted, and where things came from. */
gboolean beckon_landing_tree_copy_layer (int from, const char *name, int to, const char *new_name);

G_END_DECLS
