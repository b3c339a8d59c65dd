/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Paths by their names alone: nothing is looked up, no link is followed. They are absolute, or relative to the same folder, and
 * without . and .. . Pure; any thread.
 */

/**
 * beckon_path_relate:
 * @path: a path
 * @folder: a folder; "/" has everything that is absolute within it
 *
 * Returns: (nullable): the part of @path below @folder, without a leading slash, "" for @folder itself; %NULL if it is not
 *   within
 */
const char *beckon_path_relate (const char *path, const char *folder);

/** Whether @path is @folder, or in it at any depth. */
gboolean beckon_path_is_within (const char *path, const char *folder);

/**
 * beckon_base_directories_check:
 *
 * Takes what names no folder out of the environment: a `HOME` and any `XDG_…_HOME` or `XDG_RUNTIME_DIR` that is empty or not
 * absolute. GLib would take such a path as one below the current folder, and the history would be wherever the program was
 * started. Without them GLib asks the list of users for the home, and has the folders below it.
 *
 * Source: XDG Base Directory Specification, "Basics": all paths must be absolute, and a relative one is to be ignored.
 *
 * In the main thread, before anything asks for a folder and before there are other threads.
 */
void beckon_base_directories_check (void);

/**
 * beckon_helper_find:
 * @name: the name of a program that only this one starts
 *
 * Finds it where it was installed; where it was built, in the folders that BECKON_LIBEXECDIR names, with colons between them.
 * Any thread.
 *
 * Returns: (transfer full): its path, be it there or not
 */
char *beckon_helper_find (const char *name) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
