/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Trigger paths are files that other programs run by themselves: because a person entered a folder, opened it in an editor, or
 * asked for something as harmless as `git status`. A build file (Makefile, the scripts of package.json, a test) is none: it
 * runs when a person builds, which is what they ask of it, and it is what a coding agent is there to write. Neither are
 * attributes of Git, which name programs that only its configuration can define, nor what Git's configuration names elsewhere
 * (core.hooksPath): a person has let that configuration through, or wrote it.
 */

/**
 * beckon_trigger_path_is_one:
 * @path: relative to a working folder, without . and ..
 * @is_git: (nullable): whether the folder at a path, relative to the working folder ("." for itself), looks like a Git
 *   directory, as far as it is there: it has a HEAD. %NULL: none does
 * @data: for @is_git
 *
 * Whether other programs run what stands at @path by themselves, or are told by it what to run: anything of Git but what its
 * everyday commands write (objects, refs, index, logs), at any depth and whether the directory is called .git or not; what
 * shells, editors and package managers read on entering a folder. In a Git directory of any other name only what Git reads
 * counts, because a project may have a file called HEAD; that file itself always counts. Below node_modules the names of
 * tools other than Git and direnv do not count: nobody works in there. Names are compared without case, as some file systems
 * do. Pure but for @is_git.
 */
gboolean beckon_trigger_path_is_one (const char *path, gboolean (*is_git) (const char *folder, gpointer data), gpointer data);

/**
 * beckon_trigger_path_is_in:
 * @folder: an absolute path without links
 * @path: relative to @folder, or absolute
 *
 * The same for a path in a folder that is there: looks for Git directories itself, and where links with such names lead, which
 * may be outside of the folder. Blocks for a few lookups.
 */
gboolean beckon_trigger_path_is_in (const char *folder, const char *path);

/**
 * beckon_trigger_path_list_targets:
 * @folder: an absolute path without links
 *
 * Lists where links in @folder lead that have the name of a trigger path, or are hooks of its Git directory: a change of what
 * they lead to is one of theirs. A link called .git is none of them: what it leads to is known by what it holds. Blocks for
 * some lookups.
 *
 * Returns: (transfer full) (element-type filename): absolute paths, which may be outside of @folder
 */
GPtrArray *beckon_trigger_path_list_targets (const char *folder) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
