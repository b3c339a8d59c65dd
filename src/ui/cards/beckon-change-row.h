/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-choice.h"
#include "domain/beckon-tool-call.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CHANGE_ROW (beckon_change_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChangeRow, beckon_change_row, BECKON, CHANGE_ROW, AdwBin)

/**
 * BeckonChangeRow:
 *
 * One file that a command changed: its path, how much, and what is unusual about it; unfolded, the difference, with a check for
 * every hunk where there are several. Signal `changed`: the person checked or unchecked something.
 */

/**
 * beckon_change_row_new:
 * @set: the set that the change is in; the row takes a reference
 * @index: which one
 * @choice: (nullable): what is left out; the row reads and changes it, and it outlives the row. %NULL where there is nothing to
 *   decide
 */
GtkWidget *beckon_change_row_new (BeckonChangeSet *set, guint index, BeckonChangeChoice *choice) G_GNUC_WARN_UNUSED_RESULT;

/** Another choice than until now, or the same after somebody else changed it. */
void beckon_change_row_set_choice (BeckonChangeRow *self, BeckonChangeChoice *choice);

/** Whose change it is: what a new folder holds is listed when it is unfolded. */
void beckon_change_row_set_call (BeckonChangeRow *self, BeckonToolCall *call);

/** @is_late: somebody changed the file in the folder meanwhile, so that this change would not land. */
void beckon_change_row_set_late (BeckonChangeRow *self, gboolean is_late);

/** Shows the difference, where there is one. */
void beckon_change_row_unfold (BeckonChangeRow *self);

G_END_DECLS
