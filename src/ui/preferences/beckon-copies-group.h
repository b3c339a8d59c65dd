/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

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

G_END_DECLS
