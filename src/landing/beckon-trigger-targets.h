/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** How much of a folder is looked through before what a command changed is judged. */
#define BECKON_TRIGGER_TARGETS_OF_COMMAND 200000

/** The same before one file is. */
#define BECKON_TRIGGER_TARGETS_OF_FILE 2000

/**
 * beckon_trigger_targets_set_own:
 * @commands: (nullable): programs that Beckon starts outside of any sandbox, each with its arguments, with a line break between
 *   its words; %NULL: none
 *
 * Says what Beckon itself runs, in place of what was said before. Every path that such a command names is a target in every
 * folder, whether it is there or not: relative ones from the person's home or where the command goes first, a program's name in
 * every folder of PATH, and each link on the way. Any thread.
 */
void beckon_trigger_targets_set_own (const char *const *commands);

/**
 * beckon_trigger_targets_is_own:
 * @folder: an absolute path without links
 * @path: absolute
 *
 * Whether such a command names @path, or a folder that it is in, while @folder is worked in. Blocks for some lookups. Any
 * thread.
 */
gboolean beckon_trigger_targets_is_own (const char *folder, const char *path);

/**
 * beckon_trigger_targets_list:
 * @folder: an absolute path without links
 * @path: (nullable): a path in it whose parents are looked at first, relative to @folder
 * @n_entries: after so many names the search ends, and shallow folders come before deep ones
 * @is_cut: (out) (optional): whether it ended so, and there may be targets that are not listed
 *
 * Lists what trigger paths (beckon-trigger-path.h) that are in @folder lead to: links with such names, hooks of Git
 * directories that are links, and every path that the configuration of a Git directory names to run, or to read as
 * configuration, with that of the person; files that a .envrc names, and programs in folders that it adds to the path for
 * programs; files that the scripts name which installing a package runs (beckon-install-scripts.h); and what Beckon itself
 * runs. What is above @folder and may name anything in it is looked at as well. A change of what they lead to is one of theirs.
 * A link called .git is none of them: what it leads to is known by what it holds. Blocks.
 *
 * Returns: (transfer full): for the functions below; what they lead to may be outside of @folder, and need not be there
 */
GPtrArray *beckon_trigger_targets_list (const char *folder, const char *path, guint n_entries,
                                        gboolean *is_cut) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_trigger_targets_add_above:
 * @targets: of a search that was cut
 * @seen: (element-type filename): which Git directories were looked at so, for all calls of one search; empty at the first
 * @folder: as above
 * @path: relative to @folder
 *
 * Adds what the repositories lead to in which @path is. Blocks.
 */
void beckon_trigger_targets_add_above (GPtrArray *targets, GHashTable *seen, const char *folder, const char *path);

/** Whether @path, absolute, is one of @targets or in one. Some have only programs in them: @is_program: it can be run. */
gboolean beckon_trigger_targets_have (GPtrArray *targets, const char *path, gboolean is_program);

/** Whether any of @targets is in @path: who makes a link of that says where they are. */
gboolean beckon_trigger_targets_are_in (GPtrArray *targets, const char *path);

G_END_DECLS
