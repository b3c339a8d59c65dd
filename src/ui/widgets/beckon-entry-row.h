/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/** Gives the entry in a libadwaita row the row's title as its name, which is not so by itself. */
void beckon_entry_row_name (GtkEditable *row);

G_END_DECLS
