/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A folder as a command sees it: an overlay over the folder's own path, in namespaces of its own.
 */

/** Whether such a view is to be had here; a test without is skipped. */
gboolean beckon_view_is_there (void);

/** Runs a line of a shell in a view of @folder, whose changes are in @place. Its exit status. */
int beckon_view_run (const char *place, const char *folder, const char *line);

/** The same of a function, which runs in a process of its own with the view as its current folder. */
int beckon_view_call (const char *place, const char *folder, int (*function) (gpointer data), gpointer data);

/** (transfer full): what the folder @path is, line by line: types, modes, times, links, content, attributes; to be compared. */
char *beckon_view_describe (const char *path, gboolean with_inodes);

G_END_DECLS
