/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-web-pictures.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WEB_PICTURE_VIEW (beckon_web_picture_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWebPictureView, beckon_web_picture_view, BECKON, WEB_PICTURE_VIEW, AdwBin)

/**
 * BeckonWebPictureView:
 *
 * A picture that a reply names: a button that fetches it, what becomes of that, and the picture. Nothing is fetched before.
 * @name: what stands for it in the text; may be empty.
 */
GtkWidget *beckon_web_picture_view_new (BeckonWebPictures *pictures, const char *address,
                                        const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** Keeps it small, and no narrower than it is: for where there is no height for a width. */
void beckon_web_picture_view_set_fixed (BeckonWebPictureView *self);

/** Its address. Borrowed. */
const char *beckon_web_picture_view_get_address (BeckonWebPictureView *self);

G_END_DECLS
