/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attach/beckon-image.h"
#include "fuzz.h"

/* A header says a size that a picture may have, or nothing. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  const char *type = beckon_image_get_media_type (bytes);
  int width = -1;
  int height = -1;

  if (beckon_image_get_size (bytes, &width, &height))
    {
      g_assert_nonnull (type);
      g_assert_cmpint (width, >, 0);
      g_assert_cmpint (height, >, 0);
    }
  else
    {
      g_assert_cmpint (width, ==, 0);
      g_assert_cmpint (height, ==, 0);
    }
  return 0;
}
