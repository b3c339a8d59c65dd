/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_EITHER (beckon_either_get_type ())
G_DECLARE_FINAL_TYPE (BeckonEither, beckon_either, BECKON, EITHER, GtkWidget)

/**
 * BeckonEither:
 *
 * The same in two forms, of which one is shown: the wide one where there is room for it, the narrow one otherwise.
 * Which, follows from the width alone, so that its height is known before it is laid out.
 */

/** @wide: from @width on. */
GtkWidget *beckon_either_new (GtkWidget *wide, GtkWidget *narrow, int width) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
