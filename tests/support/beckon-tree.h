/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Takes @path away, and what is in it. What another process puts there meanwhile may stay. */
void beckon_tree_remove (const char *path);

/** How many files and folders are in the folder @path, which is there. */
guint beckon_tree_count (const char *path);

/** Copies the programs that Beckon starts (BECKON_LIBEXECDIR) into the folder @path, which anybody can reach, and has them started
 *  from there: a build may be in a folder that only its owner may enter, and the test is about to become somebody else. */
void beckon_tree_share_helpers (const char *path);

/** Has them started from where they were built again. */
void beckon_tree_unshare_helpers (void);

G_END_DECLS
