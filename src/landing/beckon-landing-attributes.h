/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * File metadata besides content, mode and times: extended attributes and access control lists. Of open files.
 */

/**
 * beckon_landing_attributes_copy:
 * @from: a file
 * @to: another
 * @with_overlay: also what an overlay notes there for itself
 *
 * Some are not to be read, or not known over there: a file is worth more than its attributes. errno stays. Blocks.
 */
void beckon_landing_attributes_copy (int from, int to, gboolean with_overlay);

/** (transfer full) (nullable): the names of attributes that were changed, removed or added, for people; %NULL if none were.
 * Those that an overlay or the system sets don't count. Blocks. */
char *beckon_landing_attributes_dup_changed (int before, int after) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
