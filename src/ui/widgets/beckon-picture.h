/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PICTURE (beckon_picture_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPicture, beckon_picture, BECKON, PICTURE, GObject)

/**
 * BeckonPicture:
 *
 * A picture as a #GdkPaintable that knows its size at once, is decoded on another thread when it is first drawn, and holds no
 * more pixels than it is shown with. Signal `failed`: it cannot be decoded. Main thread.
 */

/**
 * beckon_picture_new:
 * @part: an image
 * @most_width: the largest size that it is shown with, as widgets count
 * @most_height: likewise
 * @density: pixels for each of these
 *
 * Returns: (transfer full)
 */
BeckonPicture *beckon_picture_new (BeckonPart *part, int most_width, int most_height, int density) G_GNUC_WARN_UNUSED_RESULT;

/** Lets go of the pixels, until it is drawn again: for a view that nobody sees. */
void beckon_picture_forget (BeckonPicture *picture);

/** The whole file, without a copy. (transfer full) */
GBytes *beckon_picture_dup_file (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
