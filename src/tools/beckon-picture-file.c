/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-picture-file.h"

#include "attach/beckon-attacher.h"
#include "attach/beckon-image.h"
#include "base/beckon-error.h"

#include <errno.h>
#include <unistd.h>

gboolean
beckon_picture_file_is_one (const char *bytes, gsize length)
{
  g_autoptr (GBytes) beginning = g_bytes_new_static (bytes, length);

  return beckon_image_get_media_type (beginning) != NULL;
}

static GBytes *
read_whole (const char *path, int fd, guint64 size, GError **error)
{
  g_autofree char *bytes = g_malloc (size);
  gsize length = 0;

  while (length < size)
    {
      gssize n = pread (fd, bytes + length, size - length, (off_t) length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” cannot be read: %s.", path,
                       beckon_errno_describe (errno));
          return NULL;
        }
      if (n == 0)
        break;
      length += (gsize) n;
    }

  return g_bytes_new_take (g_steal_pointer (&bytes), length);
}

/* The error itself is in the person's language; the model is told in English. */
static const char *
describe_fault (const GError *fault)
{
  if (g_error_matches (fault, BECKON_ERROR, BECKON_ERROR_TOO_LARGE))
    return "it has too many pixels";
  if (g_error_matches (fault, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    return "this computer has no decoder for its kind";

  return "it is damaged";
}

char *
beckon_picture_file_read (const char *path, int fd, guint64 size, BeckonPart **part, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GBytes) file = NULL;
  g_autoptr (GBytes) made = NULL;
  g_autoptr (GError) fault = NULL;
  const char *media_type;
  int width, height, made_width, made_height;

  if (size > BECKON_ATTACHER_MOST_BYTES)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, "“%s” is a picture of more than %d MB, which is not shown.",
                   path, BECKON_ATTACHER_MOST_BYTES / 1024 / 1024);
      return NULL;
    }
  file = read_whole (path, fd, size, error);
  if (file == NULL)
    return NULL;

  made = beckon_image_prepare (file, &media_type, &fault);
  if (made == NULL)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” is a picture that cannot be shown: %s.", path,
                   describe_fault (fault));
      return NULL;
    }

  *part = beckon_attachment_new_image (name, media_type, made);

  beckon_image_get_size (file, &width, &height);
  beckon_image_get_size (made, &made_width, &made_height);
  /* Turned ones swap sides. */
  if (MAX (made_width, made_height) >= MAX (width, height))
    return g_strdup_printf ("[“%s” is a picture (%s, %d × %d pixels). It is shown with this result.]", path,
                            beckon_image_get_media_type (file), width, height);

  return g_strdup_printf ("[“%s” is a picture (%s, %d × %d pixels). It is shown with this result, scaled down to %d × %d "
                          "pixels.]",
                          path, beckon_image_get_media_type (file), width, height, made_width, made_height);
}
