/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-web-picture.h"

#include "attach/beckon-attacher.h"
#include "attach/beckon-image.h"
#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "net/beckon-web-get.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define ACCEPT "image/png,image/jpeg,image/webp,image/gif;q=0.9"

/* To how many other hosts it may have moved. */
#define MOST_MOVES 3

/* Data in an address is a third longer than what it means, or three times where it is not BASE64. */
#define LONGEST_ADDRESS (BECKON_WEB_GET_MAX_BYTES / 3 * 4 + 256)

typedef struct
{
  char *name;
  gboolean private_too;
  guint n_moves;
} Loading;

static void
loading_free (Loading *loading)
{
  g_free (loading->name);
  g_free (loading);
}

static gboolean
holds_picture (const char *address)
{
  return g_ascii_strncasecmp (address, "data:", 5) == 0;
}

gboolean
beckon_web_picture_is_address (const char *address)
{
  g_autoptr (GUri) uri = NULL;

  if (address == NULL || holds_picture (address))
    return address != NULL;
  uri = beckon_web_get_check (address, TRUE, NULL);
  return uri != NULL;
}

static GBytes *
decode_base64 (const char *encoded)
{
  gsize length;
  guchar *decoded = g_base64_decode (encoded, &length);

  return g_bytes_new_take (decoded, length);
}

/* (nullable) (transfer full): what `data:[TYPE][;base64],CONTENT` means. */
static GBytes *
read_data (const char *address)
{
  const char *comma = strlen (address) <= LONGEST_ADDRESS ? strchr (address, ',') : NULL;
  g_autofree char *head = comma != NULL ? g_ascii_strdown (address, comma - address) : NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *encoded = NULL;

  if (comma == NULL)
    return NULL;
  /* Few escape anything in BASE64, and it is long. */
  if (g_str_has_suffix (head, ";base64") && strchr (comma, '%') == NULL)
    return decode_base64 (comma + 1);
  bytes = g_uri_unescape_bytes (comma + 1, -1, NULL, NULL);
  if (bytes == NULL || !g_str_has_suffix (head, ";base64"))
    return g_steal_pointer (&bytes);
  encoded = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return decode_base64 (encoded);
}

static void
web_picture_fail (GTask *task, int code, const char *words)
{
  g_task_return_new_error (task, BECKON_ERROR, code, "%s", words);
}

static void
fail_private (GTask *task)
{
  web_picture_fail (task, BECKON_ERROR_INVALID,
                    _("This address is on your own computer or network. Whether such ones are reached is set in the "
                      "preferences."));
}

/* For the person, in their words: those of the error are for the model. */
static void
fail_to_fetch (GTask *task, GAsyncResult *result, const GError *error)
{
  guint status = 0;

  switch (beckon_web_get_get_fault (result, &status))
    {
    case BECKON_WEB_FAULT_ADDRESS:
      web_picture_fail (task, BECKON_ERROR_INVALID, _("No picture can be fetched from this address."));
      break;
    case BECKON_WEB_FAULT_PRIVATE:
      fail_private (task);
      break;
    case BECKON_WEB_FAULT_REDIRECTS:
      web_picture_fail (task, BECKON_ERROR_UNAVAILABLE, _("The picture has moved too many times."));
      break;
    case BECKON_WEB_FAULT_LATE:
      web_picture_fail (task, BECKON_ERROR_UNAVAILABLE, _("The picture did not come in time. Try again later."));
      break;
    case BECKON_WEB_FAULT_OLD_TLS:
      web_picture_fail (task, BECKON_ERROR_UNAVAILABLE,
                        _("The picture was not fetched: its server speaks only an old version of TLS, which can be broken "
                          "into."));
      break;
    case BECKON_WEB_FAULT_PROXY:
      web_picture_fail (task, BECKON_ERROR_UNAVAILABLE,
                        _("The picture can only be reached by a proxy, which could lead to addresses of your own network. "
                          "Whether such ones are reached is set in the preferences."));
      break;
    case BECKON_WEB_FAULT_STATUS:
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                               _("The picture’s server did not give it (status %u)."), status);
      break;
    case BECKON_WEB_FAULT_OTHER:
    default:
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("The picture could not be fetched: %s"),
                               error->message);
      break;
    }
}

static void
on_decoded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonPart *part = beckon_attacher_read_finish (result, &error);

  if (part != NULL)
    g_task_return_pointer (task, part, g_object_unref);
  else
    g_task_return_error (task, error);
}

/* Its server's type is ignored. */
static void
web_picture_decode (GTask *task, GBytes *bytes)
{
  Loading *loading = g_task_get_task_data (task);

  if (bytes == NULL || beckon_image_get_media_type (bytes) == NULL)
    web_picture_fail (task, BECKON_ERROR_INVALID, _("There is no picture of a kind that can be shown."));
  else
    beckon_attacher_read_bytes_async (bytes, loading->name, g_task_get_cancellable (task), on_decoded, g_object_ref (task));
}

static void web_picture_get (GTask *task, const char *address);

static void
web_picture_on_got (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Loading *loading = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonWebPage) page = beckon_web_get_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, g_steal_pointer (&error));
  else if (page == NULL)
    fail_to_fetch (task, result, error);
  else if (page->moved_to != NULL && ++loading->n_moves <= MOST_MOVES)
    web_picture_get (task, page->moved_to);
  else if (page->moved_to != NULL)
    web_picture_fail (task, BECKON_ERROR_UNAVAILABLE, _("The picture has moved too many times."));
  else if (page->is_cut)
    web_picture_fail (task, BECKON_ERROR_TOO_LARGE, _("The picture is larger than 5 MB."));
  else
    web_picture_decode (task, page->body);
}

static void
web_picture_get (GTask *task, const char *address)
{
  Loading *loading = g_task_get_task_data (task);
  g_autoptr (GUri) any = beckon_web_get_check (address, TRUE, NULL);
  g_autoptr (GUri) uri = beckon_web_get_check (address, loading->private_too, NULL);

  if (uri != NULL)
    beckon_web_get_async (address, ACCEPT, loading->private_too, g_task_get_cancellable (task), web_picture_on_got,
                          g_object_ref (task));
  else if (any != NULL)
    fail_private (task);
  else
    web_picture_fail (task, BECKON_ERROR_INVALID, _("No picture can be fetched from this address."));
}

void
beckon_web_picture_load_async (const char *address, const char *name, gboolean private_too, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Loading *loading = g_new0 (Loading, 1);

  g_return_if_fail (address != NULL && name != NULL);

  g_task_set_source_tag (task, beckon_web_picture_load_async);
  loading->name = g_strdup (name);
  loading->private_too = private_too;
  g_task_set_task_data (task, loading, (GDestroyNotify) loading_free);
  if (holds_picture (address))
    {
      g_autoptr (GBytes) bytes = read_data (address);

      web_picture_decode (task, bytes);
    }
  else
    web_picture_get (task, address);
}

BECKON_FINISH_LONE_POINTER (BeckonPart *, beckon_web_picture_load)
