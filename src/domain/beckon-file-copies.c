/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-file-copies.h"

#include <glib.h>

BeckonFileCopy *
beckon_file_copy_new (const char *call_id, const char *folder, const char *path, GBytes *before, const char *after_hash,
                      gint64 made_at)
{
  BeckonFileCopy *copy;

  g_return_val_if_fail (call_id != NULL && folder != NULL && path != NULL && after_hash != NULL, NULL);

  copy = g_new0 (BeckonFileCopy, 1);
  copy->call_id = g_strdup (call_id);
  copy->folder = g_strdup (folder);
  copy->path = g_strdup (path);
  copy->before = before != NULL ? g_bytes_ref (before) : NULL;
  copy->after_hash = g_strdup (after_hash);
  copy->made_at = made_at;
  return copy;
}

void
beckon_file_copy_free (BeckonFileCopy *copy)
{
  if (copy == NULL)
    return;

  g_free (copy->call_id);
  g_free (copy->folder);
  g_free (copy->path);
  g_clear_pointer (&copy->before, g_bytes_unref);
  g_free (copy->after_hash);
  g_free (copy);
}

char *
beckon_file_copy_hash (GBytes *contents)
{
  g_return_val_if_fail (contents != NULL, NULL);

  return g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, contents);
}

G_DEFINE_INTERFACE (BeckonFileCopies, beckon_file_copies, G_TYPE_OBJECT)

static void
beckon_file_copies_default_init (BeckonFileCopiesInterface *iface)
{
}

void
beckon_file_copies_keep_async (BeckonFileCopies *self, const BeckonFileCopy *copy, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_return_if_fail (BECKON_IS_FILE_COPIES (self));
  g_return_if_fail (copy != NULL);

  BECKON_FILE_COPIES_GET_IFACE (self)->keep_async (self, copy, callback, user_data);
}

gboolean
beckon_file_copies_keep_finish (BeckonFileCopies *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_FILE_COPIES (self), FALSE);

  return BECKON_FILE_COPIES_GET_IFACE (self)->keep_finish (self, result, error);
}

void
beckon_file_copies_drop (BeckonFileCopies *self, const char *call_id)
{
  g_return_if_fail (BECKON_IS_FILE_COPIES (self));
  g_return_if_fail (call_id != NULL);

  BECKON_FILE_COPIES_GET_IFACE (self)->drop (self, call_id);
}

void
beckon_file_copies_get_async (BeckonFileCopies *self, const char *call_id, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_FILE_COPIES (self));
  g_return_if_fail (call_id != NULL);

  BECKON_FILE_COPIES_GET_IFACE (self)->get_async (self, call_id, cancellable, callback, user_data);
}

BeckonFileCopy *
beckon_file_copies_get_finish (BeckonFileCopies *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_FILE_COPIES (self), NULL);

  return BECKON_FILE_COPIES_GET_IFACE (self)->get_finish (self, result, error);
}

void
beckon_file_copies_list_async (BeckonFileCopies *self, const char *message_id, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_FILE_COPIES (self));
  g_return_if_fail (message_id != NULL);

  BECKON_FILE_COPIES_GET_IFACE (self)->list_async (self, message_id, cancellable, callback, user_data);
}

GPtrArray *
beckon_file_copies_list_finish (BeckonFileCopies *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_FILE_COPIES (self), NULL);

  return BECKON_FILE_COPIES_GET_IFACE (self)->list_finish (self, result, error);
}

void
beckon_file_copies_put_async (BeckonFileCopies *self, const char *conversation_id, const BeckonFileCopy *copy,
                              const char *front_end, gint64 at, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_FILE_COPIES (self));
  g_return_if_fail (conversation_id != NULL && copy != NULL && front_end != NULL);

  BECKON_FILE_COPIES_GET_IFACE (self)->put_async (self, conversation_id, copy, front_end, at, callback, user_data);
}

gboolean
beckon_file_copies_put_finish (BeckonFileCopies *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_FILE_COPIES (self), FALSE);

  return BECKON_FILE_COPIES_GET_IFACE (self)->put_finish (self, result, error);
}
