/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonWorkTrees:
 *
 * Which files Git ignores, of whatever work trees are asked about: their .gitignore files, .git/info/exclude, and the index,
 * because a file that is tracked is never ignored. All is read once, as it is then. One thread at a time; blocks for lookups.
 */
typedef struct _BeckonWorkTrees BeckonWorkTrees;

BeckonWorkTrees *beckon_work_trees_new (void) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_work_trees_free (BeckonWorkTrees *trees);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonWorkTrees, beckon_work_trees_free)

/** Whether @path, absolute, lies in a work tree. */
gboolean beckon_work_trees_has (BeckonWorkTrees *trees, const char *path);

/** Whether Git tracks a program at @path, whatever is there just now, or where that can't be known. */
gboolean beckon_work_trees_may_have_program (BeckonWorkTrees *trees, const char *path);

/** Whether Git tracks @path, or something in it, or where that can't be known. */
gboolean beckon_work_trees_may_track (BeckonWorkTrees *trees, const char *path);

/** Whether Git ignores @path, or all that is in it if it is a folder. %FALSE where that can't be known. */
gboolean beckon_work_trees_ignores (BeckonWorkTrees *trees, const char *path, gboolean is_folder);

/**
 * beckon_work_trees_is_by_product:
 * @trees: what was read
 * @path: an absolute path
 * @is_folder: whether it stands for a folder with all that is in it
 *
 * Whether @path is only what tools made for themselves: Git ignores it, or it lies in a folder such as __pycache__ that tools
 * make anew whenever it is gone. Never what Git tracks.
 */
gboolean beckon_work_trees_is_by_product (BeckonWorkTrees *trees, const char *path, gboolean is_folder);

G_END_DECLS
