/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-file-copy.h"

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
