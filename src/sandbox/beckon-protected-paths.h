/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonProtectedPaths:
 *
 * What other programs run by themselves out of a folder, kept from being written by a command: hooks and configuration of
 * Git, .envrc, tasks of editors. What is there is read-only; what is missing cannot be made: an empty placeholder is laid
 * there for the time of the command, and taken away behind it.
 */
typedef struct _BeckonProtectedPaths BeckonProtectedPaths;

/** (transfer full): for @folder, in which nothing is laid yet. */
BeckonProtectedPaths *beckon_protected_paths_new (const char *folder) G_GNUC_WARN_UNUSED_RESULT;

/** Lays the placeholders. %FALSE with BECKON_ERROR_UNAVAILABLE if one cannot be made, or if a link stands where it would be. */
gboolean beckon_protected_paths_lay (BeckonProtectedPaths *protected, GError **error);

/** Adds bubblewrap's arguments, to stand behind the folder's own. The placeholders are laid. */
void beckon_protected_paths_add_arguments (BeckonProtectedPaths *protected, GString *arguments);

/** (element-type utf8): the absolute paths that must not be written, once the placeholders are laid. Borrowed. */
GPtrArray *beckon_protected_paths_get_paths (BeckonProtectedPaths *protected);

/** (nullable): the absolute path of the folder of Git, which is written but must not be moved. Borrowed. */
const char *beckon_protected_paths_get_git (BeckonProtectedPaths *protected);

/** Whether Git works in the folder, and is to overlook the placeholders there. */
gboolean beckon_protected_paths_is_in_repository (BeckonProtectedPaths *protected);

/** (transfer full): what Git is to overlook: the placeholders that are laid, a line each, as seen from @work_tree, which the
 *  folder is a part of; %NULL: from the folder. */
char *beckon_protected_paths_dup_ignored (BeckonProtectedPaths *protected, const char *work_tree) G_GNUC_WARN_UNUSED_RESULT;

/** Before they are laid: the folder's .git is protected as a whole, so that other programs can save its files anew, and so is
 *  what is @missing (element-type filename), absolute paths. */
void beckon_protected_paths_keep_more (BeckonProtectedPaths *protected, GPtrArray *missing);

/** The folder itself is only there for the command: empty, it goes with the placeholders. */
void beckon_protected_paths_take_folder (BeckonProtectedPaths *protected);

/** Takes the placeholders away, and what nothing can stand in for. */
void beckon_protected_paths_free (BeckonProtectedPaths *protected);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonProtectedPaths, beckon_protected_paths_free)

G_END_DECLS
