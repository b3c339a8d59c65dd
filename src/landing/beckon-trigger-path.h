/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Trigger paths are files that other programs run by themselves: because a person entered a folder, opened it in an editor, or
 * asked for something as harmless as `git status`. A build file (Makefile, the scripts of package.json, a test) is none: it
 * runs when a person builds, which is what they ask of it, and it is what a coding agent is there to write. Neither are
 * attributes of Git, which name programs that only its configuration can define. Where those are in the folder, what else such
 * files lead to, and the programs that Beckon runs itself are in beckon-trigger-targets.h.
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
 * tools other than Git and direnv do not count: no person works in there. Names are compared without case, as some file systems
 * do. Pure but for @is_git.
 */
gboolean beckon_trigger_path_is_one (const char *path, gboolean (*is_git) (const char *folder, gpointer data), gpointer data);

/**
 * beckon_trigger_path_is_git_index:
 * @path: as above
 * @is_git: as above
 * @data: for @is_git
 *
 * Whether Git reads an index from there. Everyday commands write it, so that its path is no trigger; what it holds may be one
 * (beckon-git-index.h). Pure but for @is_git.
 */
gboolean beckon_trigger_path_is_git_index (const char *path, gboolean (*is_git) (const char *folder, gpointer data),
                                           gpointer data);

/**
 * beckon_trigger_path_is_in:
 * @folder: an absolute path without links
 * @path: relative to @folder, or absolute
 *
 * The same for a path in a folder that is there: looks for Git directories itself, and for what leads to @path
 * (beckon-trigger-targets.h), which may be outside of the folder. An index of Git is one here: nothing writes it as text.
 * Blocks for some lookups.
 */
gboolean beckon_trigger_path_is_in (const char *folder, const char *path);

/**
 * beckon_trigger_path_leads:
 * @path: relative to a working folder, without . and ..
 *
 * Whether a link at @path is a trigger path whatever is there: what it leads to would be read as a package.json, or as a
 * folder of which some files are triggers, as .cargo. Pure.
 */
gboolean beckon_trigger_path_leads (const char *path);

/**
 * beckon_trigger_path_get_parts:
 * @name: of a folder
 * @n: (out): how many
 *
 * Names the triggers in a folder that is called so and is none itself. Pure.
 *
 * Returns: (array length=n) (nullable): paths relative to that folder; %NULL for any other
 */
const char *const *beckon_trigger_path_get_parts (const char *name, gsize *n);

/** Whether all files and folders with this name are trigger paths, below node_modules perhaps not. Pure. */
gboolean beckon_trigger_path_is_name (const char *name);

G_END_DECLS
