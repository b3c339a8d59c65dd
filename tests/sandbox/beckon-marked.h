/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Processes that a test can tell from all others: @marker is `NAME=value` in the environment with which they began. What a shell
 * itself exports is seen only in what it starts. */

/** Whether there is one. */
gboolean beckon_marked_is_running (const char *marker);

/** Returns when there is none; fails if there is one two seconds after @since, a monotonic time. */
void beckon_marked_assert_ends (const char *marker, gint64 since);

G_END_DECLS
