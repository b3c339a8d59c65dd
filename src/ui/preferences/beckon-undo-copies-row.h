/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_UNDO_COPIES_ROW (beckon_undo_copies_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonUndoCopiesRow, beckon_undo_copies_row, BECKON, UNDO_COPIES_ROW, AdwActionRow)

/** A row of the preferences: how much is kept on the disk so that commands can be undone, and a button that deletes it. */
GtkWidget *beckon_undo_copies_row_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
