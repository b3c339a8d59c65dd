/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/queries/beckon-store-copies.h"

#include <adwaita.h>

G_BEGIN_DECLS

/** The day of a copy in words: “Today”, “Yesterday”, or its date. Caller frees. */
char *beckon_copy_button_describe_day (const BeckonHistoryCopy *copy);

/** The date of a copy as people write it here. Caller frees. */
char *beckon_copy_button_describe_date (const char *date);

/** Has @button ask whether the copy is to be opened in place of the history. */
void beckon_copy_button_set_copy (GtkButton *button, const BeckonHistoryCopy *copy);

/** Has @button offer the last copy that was made, by its day, and shows it; hides it where there is none. */
void beckon_copy_button_offer (GtkButton *button, BeckonStore *store);

G_END_DECLS
