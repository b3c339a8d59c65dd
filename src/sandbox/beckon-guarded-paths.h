/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonGuardedPaths:
 *
 * What other programs run by themselves (landing/beckon-runners.h) and is in a folder now, at any depth: it is read-only
 * to a command that works in the folder itself. Folders are so as a whole: Git's own, and those of editors, hooks and the like.
 * A single file is so until another program saves it anew. What is missing can be made, but where #BeckonProtectedPaths lays
 * placeholders, and links are left out: nothing can be mounted over one. Immutable; any thread.
 */
typedef struct _BeckonGuardedPaths BeckonGuardedPaths;

/**
 * beckon_guarded_paths_look:
 * @folder: the working folder, an absolute path without symbolic links
 * @cancellable: (nullable): ends the search
 *
 * Looks through @folder, shallow folders before deep ones, as far as that is bounded. Blocks: worker threads only.
 *
 * Returns: (transfer full): what was found
 */
BeckonGuardedPaths *beckon_guarded_paths_look (const char *folder, GCancellable *cancellable) G_GNUC_WARN_UNUSED_RESULT;

/** Whether there was too much to find it all, the search was cancelled, or a Git folder is behind a link. A command must not
 *  write in the folder then. */
gboolean beckon_guarded_paths_is_cut (const BeckonGuardedPaths *guarded);

/** (element-type filename): absolute paths of files and folders, with all that is in them. Borrowed. */
GPtrArray *beckon_guarded_paths_get_paths (const BeckonGuardedPaths *guarded);

/** (element-type filename): absolute paths of the folders around those within the working folder, none of which may be moved
 *  away. Borrowed. */
GPtrArray *beckon_guarded_paths_get_folders (const BeckonGuardedPaths *guarded);

void beckon_guarded_paths_free (BeckonGuardedPaths *guarded);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonGuardedPaths, beckon_guarded_paths_free)

G_END_DECLS
