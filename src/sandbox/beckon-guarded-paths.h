/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonGuardedPaths:
 * @folder: the working folder
 * @paths: (element-type filename): files and folders, with all that is in them
 * @folders: (element-type filename): the folders around those within the working folder, none of which may be moved away
 * @missing: (element-type filename): paths that don't exist and must not be made, nor the folders on their way
 * @pipes: (element-type filename): pipes
 * @is_cut: whether not all of it can be guarded: there was too much, the search was cancelled, anything new in the folder would
 *   be run, or a link chooses what is run, over which nothing can be mounted. A command must not write in the folder then
 * @has_more: whether there is more in the folder than was looked at, or the search was cancelled: there may be more pipes
 *
 * What must be mounted over in a folder that a command works in itself, as it is now, at any depth: absolute paths. What other
 * programs run or obey (landing/beckon-runners.h) is read-only to it: folders as a whole where all that may come there counts,
 * such as Git's own and those of editors and hooks, and a single file until another program saves it anew. What is missing can
 * be made, but for what runners surely call, and where #BeckonProtectedPaths lays placeholders by itself. Pipes lead to the
 * program at their other end, and are hidden. Immutable; any thread.
 */
typedef struct
{
  char *folder;
  GPtrArray *paths;
  GPtrArray *folders;
  GPtrArray *missing;
  GPtrArray *pipes;
  gboolean is_cut;
  gboolean has_more;
} BeckonGuardedPaths;

/**
 * beckon_guarded_paths_look:
 * @folder: the working folder, an absolute path without symbolic links
 * @may_write: whether the command writes there; otherwise pipes alone are looked for
 * @cancellable: (nullable): ends the search
 *
 * Looks through @folder, shallow folders before deep ones, as far as that is bounded. Blocks: worker threads only.
 *
 * Returns: (transfer full): what was found
 */
BeckonGuardedPaths *beckon_guarded_paths_look (const char *folder, gboolean may_write,
                                               GCancellable *cancellable) G_GNUC_WARN_UNUSED_RESULT;

void beckon_guarded_paths_free (BeckonGuardedPaths *guarded);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonGuardedPaths, beckon_guarded_paths_free)

G_END_DECLS
