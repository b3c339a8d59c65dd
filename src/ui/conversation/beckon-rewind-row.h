/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-rewind.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_REWIND_ROW (beckon_rewind_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRewindRow, beckon_rewind_row, BECKON, REWIND_ROW, AdwBin)

/**
 * BeckonRewindRow:
 *
 * One file of a rewind: its path and what becomes of it; unfolded, what the agent changed in it, the newest change first.
 */

/** @file: borrowed until this returns. @diffs: (element-type utf8): hunks as diff -u writes them; may be empty. */
GtkWidget *beckon_rewind_row_new (const BeckonRewindFile *file, GPtrArray *diffs) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
