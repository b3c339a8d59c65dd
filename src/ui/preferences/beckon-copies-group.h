/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"
#include "store/queries/beckon-store-copies.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_COPIES_GROUP (beckon_copies_group_get_type ())
G_DECLARE_FINAL_TYPE (BeckonCopiesGroup, beckon_copies_group, BECKON, COPIES_GROUP, AdwPreferencesGroup)

/**
 * BeckonCopiesGroup:
 *
 * The copies of the history that are made each day, each of which can be opened, and why there is none of today.
 */
GtkWidget *beckon_copies_group_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

/** The date of a copy as people write it here. Caller frees. */
char *beckon_copy_button_describe_date (const char *date);

/** Has @button offer the last copy that was made, by its day, and shows it; hides it where there is none. */
void beckon_copy_button_offer (GtkButton *button, BeckonStore *store);

G_END_DECLS
