/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Takes @path away, and what is in it. What another process puts there meanwhile may stay. */
void beckon_tree_remove (const char *path);

/** How many files and folders are in the folder @path, which is there. */
guint beckon_tree_count (const char *path);

G_END_DECLS
