/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_trigger_path_is_one:
 * @path: relative to a working folder, without . and ..
 * @is_git: (nullable): whether the folder at a path, relative to the working folder ("." for itself), looks like a Git
 *   directory, as far as it is there: it has a HEAD
 * @data: for @is_git
 *
 * Whether other programs run what stands at @path by themselves, or are told by it what to run: anything of Git but what its
 * everyday commands write (objects, refs, index, logs), at any depth and whether the directory is called .git or not; what
 * shells, editors and package managers read on entering a folder. Names are compared without case, as some file systems do.
 * Pure but for @is_git.
 */
gboolean beckon_trigger_path_is_one (const char *path, gboolean (*is_git) (const char *folder, gpointer data), gpointer data);

/** The same for a path in a folder that is there: looks for Git directories itself. Blocks for a few lookups. */
gboolean beckon_trigger_path_is_in (const char *folder, const char *path);

G_END_DECLS
