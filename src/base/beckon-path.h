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

G_END_DECLS
