/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_same_change:
 * @before: a text
 * @after: what a change makes of it
 * @later: what @before has become meanwhile, by another change
 * @later_after: what the change makes of @later
 *
 * Whether a change does to a text what it was shown to do to an earlier one: it removes and adds exactly the same lines, in the
 * same place, and the other change left those lines alone. In doubt it does not: where either changes lines on both sides of
 * the other's, or both add lines in one place.
 *
 * Returns: whether it is the same change
 */
gboolean beckon_same_change (const char *before, const char *after, const char *later, const char *later_after);

G_END_DECLS
