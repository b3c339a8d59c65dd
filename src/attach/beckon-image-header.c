/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-image.h"

#include <string.h>

typedef struct
{
  const char *media_type;
  gsize offset;
  const char *magic;
  gsize length;
} Kind;

#define AT(offset, magic) offset, magic, sizeof magic - 1

static const Kind kinds[] = {
  { "image/png", AT (0, "\211PNG\r\n\032\n") },
  { "image/jpeg", AT (0, "\377\330\377") },
  { "image/gif", AT (0, "GIF87a") },
  { "image/gif", AT (0, "GIF89a") },
  { "image/webp", AT (8, "WEBPVP8") },
  { "image/tiff", AT (0, "II*\0") },
  { "image/tiff", AT (0, "MM\0*") },
  { "image/heif", AT (4, "ftypheic") },
  { "image/heif", AT (4, "ftypheix") },
  { "image/heif", AT (4, "ftypmif1") },
  { "image/avif", AT (4, "ftypavif") },
};

const char *
beckon_image_get_media_type (GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (length >= kinds[i].offset + kinds[i].length
        && memcmp (data + kinds[i].offset, kinds[i].magic, kinds[i].length) == 0)
      return kinds[i].media_type;
  /* Two letters are a little; the sizes of the header must be right as well. */
  if (length > 54 && memcmp (data, "BM", 2) == 0 && data[14] == 40 && data[15] == 0 && data[16] == 0 && data[17] == 0)
    return "image/bmp";
  return NULL;
}

static int
read_16 (const guchar *at, gboolean big)
{
  return big ? at[0] << 8 | at[1] : at[1] << 8 | at[0];
}

static gboolean
read_webp (const guchar *data, gsize length, int *width, int *height)
{
  if (length < 30)
    return FALSE;

  switch (data[15])
    {
    case ' ':
      *width = read_16 (data + 26, FALSE) & 0x3fff;
      *height = read_16 (data + 28, FALSE) & 0x3fff;
      return TRUE;

    case 'L':
      *width = 1 + (data[21] | (data[22] & 0x3f) << 8);
      *height = 1 + (data[22] >> 6 | data[23] << 2 | (data[24] & 0xf) << 10);
      return TRUE;

    case 'X':
      *width = 1 + (data[24] | data[25] << 8 | data[26] << 16);
      *height = 1 + (data[27] | data[28] << 8 | data[29] << 16);
      return TRUE;

    default:
      return FALSE;
    }
}

static gboolean
read_size (const char *type, const guchar *data, gsize length, int *width, int *height)
{
  if (g_strcmp0 (type, "image/png") == 0)
    {
      if (length < 24 || (data[16] | data[17] | data[20] | (data[21] & 0x80)) != 0)
        return FALSE;
      *width = read_16 (data + 18, TRUE);
      *height = read_16 (data + 22, TRUE);
      return TRUE;
    }
  if (g_strcmp0 (type, "image/jpeg") == 0)
    {
      /* The segment that begins a picture names its size; those before it are passed over. */
      for (gsize at = 2; at + 9 < length && data[at] == 0xff;)
        {
          guchar marker = data[at + 1];

          if (marker == 0xff)
            {
              at++;
              continue;
            }
          if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc)
            {
              *height = read_16 (data + at + 5, TRUE);
              *width = read_16 (data + at + 7, TRUE);
              return TRUE;
            }
          at += 2 + (gsize) read_16 (data + at + 2, TRUE);
        }
      return FALSE;
    }
  if (g_strcmp0 (type, "image/webp") == 0)
    return read_webp (data, length, width, height);
  if (g_strcmp0 (type, "image/gif") != 0 || length < 10)
    return FALSE;
  *width = read_16 (data + 6, FALSE);
  *height = read_16 (data + 8, FALSE);
  return TRUE;
}

gboolean
beckon_image_get_size (GBytes *bytes, int *width, int *height)
{
  gsize length;
  const guchar *data = g_bytes_get_data (bytes, &length);

  *width = *height = 0;
  if (read_size (beckon_image_get_media_type (bytes), data, length, width, height) && *width > 0 && *height > 0)
    return TRUE;
  *width = *height = 0;
  return FALSE;
}
