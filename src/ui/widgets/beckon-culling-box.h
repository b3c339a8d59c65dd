/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CULLING_BOX (beckon_culling_box_get_type ())
G_DECLARE_DERIVABLE_TYPE (BeckonCullingBox, beckon_culling_box, BECKON, CULLING_BOX, GtkBox)

struct _BeckonCullingBoxClass
{
  GtkBoxClass parent_class;
};

/**
 * A column of widgets within something that scrolls, of which only those that are near what is seen are drawn. GTK draws
 * all that is there, and leaves out letter by letter what is not seen: that takes most of a frame's time where there is much.
 */
GtkWidget *beckon_culling_box_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** For what derives from it, before it is shown: only those that are near are drawn. Without, all are. */
void beckon_culling_box_watch (BeckonCullingBox *self);

G_END_DECLS
