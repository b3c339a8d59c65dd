/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-image.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

/* Limits of what a decoder holds. The one for JPEG shrinks a picture while it reads it. */
#define MOST_PIXELS (64 * 1000 * 1000)
#define MOST_JPEG_PIXELS (250 * 1000 * 1000)
#define PIECE (64 * 1024)
#define JPEG_QUALITY "88"

typedef struct
{
  int most_width, most_height;
  gint64 most_pixels;
  gboolean too_large;
} Bounds;

static void
on_size_prepared (GdkPixbufLoader *loader, int width, int height, gpointer user_data)
{
  Bounds *bounds = user_data;
  /* Turned by a quarter, it has to fit all the same. */
  int most = MAX (bounds->most_width, bounds->most_height);
  double scale = MIN (1.0, (double) most / MAX (width, height));

  if ((gint64) width * height > bounds->most_pixels)
    {
      bounds->too_large = TRUE;
      gdk_pixbuf_loader_set_size (loader, 0, 0);
    }
  else if (scale < 1.0)
    gdk_pixbuf_loader_set_size (loader, MAX (1, (int) (width * scale + 0.5)), MAX (1, (int) (height * scale + 0.5)));
}

/* In pieces, so that nothing is decoded of what is found to be too large. */
static gboolean
feed (GdkPixbufLoader *loader, GBytes *bytes, const Bounds *bounds)
{
  gsize length;
  const guchar *data = g_bytes_get_data (bytes, &length);
  gboolean taken = TRUE;

  for (gsize at = 0; at < length && taken && !bounds->too_large; at += PIECE)
    taken = gdk_pixbuf_loader_write (loader, data + at, MIN (length - at, PIECE), NULL);
  return gdk_pixbuf_loader_close (loader, NULL) && taken && !bounds->too_large;
}

GdkPixbuf *
beckon_image_decode (GBytes *bytes, int most_width, int most_height, GError **error)
{
  const char *media_type;
  Bounds bounds = { .most_width = most_width, .most_height = most_height, .most_pixels = MOST_PIXELS };
  g_autoptr (GdkPixbufLoader) loader = NULL;
  GdkPixbuf *read = NULL;

  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (most_width > 0 && most_height > 0, NULL);

  media_type = beckon_image_get_media_type (bytes);
  loader = media_type != NULL ? gdk_pixbuf_loader_new_with_mime_type (media_type, NULL) : NULL;
  if (loader == NULL)
    {
      beckon_text_set_error (error, BECKON_ERROR, media_type != NULL ? BECKON_ERROR_UNAVAILABLE : BECKON_ERROR_INVALID,
                             /* Translators: %s is a kind of file, such as image/webp */
                             _("Pictures of this kind cannot be read on this computer (%s)."),
                             media_type != NULL ? media_type : "?");
      return NULL;
    }
  if (g_strcmp0 (media_type, "image/jpeg") == 0)
    bounds.most_pixels = MOST_JPEG_PIXELS;

  g_signal_connect (loader, "size-prepared", G_CALLBACK (on_size_prepared), &bounds);
  if (feed (loader, bytes, &bounds))
    read = gdk_pixbuf_loader_get_pixbuf (loader);
  if (read != NULL)
    {
      g_autoptr (GdkPixbuf) turned = gdk_pixbuf_apply_embedded_orientation (read);
      int width = gdk_pixbuf_get_width (turned), height = gdk_pixbuf_get_height (turned);
      double scale = MIN ((double) most_width / width, (double) most_height / height);

      if (scale >= 1.0)
        return g_steal_pointer (&turned);
      return gdk_pixbuf_scale_simple (turned, MAX (1, (int) (width * scale + 0.5)), MAX (1, (int) (height * scale + 0.5)),
                                      GDK_INTERP_BILINEAR);
    }

  if (bounds.too_large)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, _("The picture has too many pixels."));
  else
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The picture is damaged."));
  return NULL;
}

/* Transparency becomes white. */
static GBytes *
write_jpeg (GdkPixbuf *pixbuf, GError **error)
{
  int width = gdk_pixbuf_get_width (pixbuf), height = gdk_pixbuf_get_height (pixbuf);
  g_autoptr (GdkPixbuf) flat =
      gdk_pixbuf_composite_color_simple (pixbuf, width, height, GDK_INTERP_NEAREST, 255, 16, 0xffffff, 0xffffff);
  char *data = NULL;
  gsize length = 0;

  if (flat == NULL || !gdk_pixbuf_save_to_buffer (flat, &data, &length, "jpeg", error, "quality", JPEG_QUALITY, NULL))
    return NULL;
  return g_bytes_new_take (data, length);
}

GBytes *
beckon_image_prepare (GBytes *bytes, const char **media_type, GError **error)
{
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  g_autoptr (GBytes) png = NULL;

  g_return_val_if_fail (bytes != NULL && media_type != NULL, NULL);

  pixbuf = beckon_image_decode (bytes, BECKON_IMAGE_SIDE, BECKON_IMAGE_SIDE, error);
  if (pixbuf == NULL)
    return NULL;

  /* A photograph stays one; letters and lines stay sharp where that does not cost too much. */
  *media_type = "image/png";
  if (g_strcmp0 (beckon_image_get_media_type (bytes), "image/jpeg") != 0)
    {
      char *data = NULL;
      gsize length = 0;

      if (!gdk_pixbuf_save_to_buffer (pixbuf, &data, &length, "png", error, NULL))
        png = NULL;
      else
        png = g_bytes_new_take (data, length);
    }
  if (png != NULL && g_bytes_get_size (png) <= BECKON_IMAGE_MOST_BYTES)
    return g_steal_pointer (&png);
  *media_type = "image/jpeg";
  g_clear_error (error);
  return write_jpeg (pixbuf, error);
}
