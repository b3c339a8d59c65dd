/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonRunnerLook:
 * @folder: a path relative to a working folder; "." for itself
 * @data: the caller's
 *
 * Returns: whether it looks like a Git directory, as far as it is there: it has a HEAD
 */
typedef gboolean (*BeckonRunnerLook) (const char *folder, gpointer data);

/**
 * beckon_runner_git_obeys:
 * @path: relative to a working folder, without . and ..
 * @look: (nullable): %NULL: no folder is a Git directory
 * @data: for @look
 *
 * Whether Git is told anything by what stands at @path: all of a Git directory but what its everyday commands write (objects,
 * refs, index, logs), at any depth and whether the directory is called .git or not. In a Git directory of any other name only
 * what Git reads counts, because a project may have a file called HEAD; that file itself always counts. Names are compared
 * without case, as some file systems do. Pure but for @look.
 */
gboolean beckon_runner_git_obeys (const char *path, BeckonRunnerLook look, gpointer data);

/** Whether @path is in a Git directory. As above. */
gboolean beckon_runner_git_holds (const char *path, BeckonRunnerLook look, gpointer data);

/**
 * beckon_runner_git_reads_index:
 * @path: as above
 * @look: as above
 * @data: for @look
 *
 * Whether Git reads an index from there. Everyday commands write it, so that its path alone says nothing; what it holds may
 * name Git's own files (beckon-git-index.h). Pure but for @look.
 */
gboolean beckon_runner_git_reads_index (const char *path, BeckonRunnerLook look, gpointer data);

G_END_DECLS
