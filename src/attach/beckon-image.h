/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>

G_BEGIN_DECLS

/* Images from outside. A kind that is not named here is not given to any decoder. Every function works on any thread, and all
 * but beckon_image_get_media_type() and beckon_image_get_size() take long. */

/** The longest side of an image that goes to a model, in pixels: what they see at most. */
#define BECKON_IMAGE_SIDE 1568

/** The most bytes of an image that goes to a model. */
#define BECKON_IMAGE_MOST_BYTES (3500 * 1024)

/** By its first bytes: such as "image/png"; %NULL if it is no image that can be read. */
const char *beckon_image_get_media_type (GBytes *bytes);

/**
 * beckon_image_get_size:
 * @bytes: a PNG, JPEG, GIF or WebP
 * @width: (out): pixels, as it is stored: what turns it is not looked at
 * @height: (out): pixels
 *
 * Reads the header alone.
 *
 * Returns: %FALSE if there is none; both are 0 then
 */
gboolean beckon_image_get_size (GBytes *bytes, int *width, int *height);

/**
 * beckon_image_decode:
 * @bytes: the whole file
 * @most_width: pixels; a larger one is made smaller, never the other way
 * @most_height: likewise
 * @error: %BECKON_ERROR_INVALID, TOO_LARGE or, without a decoder for it, UNAVAILABLE
 *
 * Turns it as its camera was held. Of a moving one it is the first picture.
 */
GdkPixbuf *beckon_image_decode (GBytes *bytes, int most_width, int most_height, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_image_prepare:
 * @bytes: the whole file
 * @media_type: (out): "image/png" or "image/jpeg"
 * @error: as above
 *
 * Writes it anew as models take it: not larger than they look at, turned, and without what cameras add about place and time.
 *
 * Returns: (transfer full): the file
 */
GBytes *beckon_image_prepare (GBytes *bytes, const char **media_type, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
