/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-landing-table.h"

#include <string.h>

GHashTable *
beckon_landing_table_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/* A record, and a path with a zero byte behind it. */
GHashTable *
beckon_landing_table_load (const char *place, const char *name, gsize size, GError **error)
{
  g_autoptr (GHashTable) table = beckon_landing_table_new ();
  g_autofree char *file = g_build_filename (place, name, NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) problem = NULL;
  gsize length = 0;

  if (!g_file_get_contents (file, &bytes, &length, &problem)
      && !g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  for (gsize at = 0; at + size < length; at += size + strlen (bytes + at + size) + 1)
    g_hash_table_insert (table, g_strdup (bytes + at + size), size > 0 ? g_memdup2 (bytes + at, size) : NULL);
  return g_steal_pointer (&table);
}

gboolean
beckon_landing_table_save (GHashTable *table, const char *place, const char *name, gsize size, GError **error)
{
  g_autofree char *file = g_build_filename (place, name, NULL);
  g_autoptr (GString) bytes = g_string_new (NULL);
  GHashTableIter iter;
  gpointer path, record;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &path, &record))
    {
      if (size > 0)
        g_string_append_len (bytes, record, (gssize) size);
      g_string_append_len (bytes, path, (gssize) strlen (path) + 1);
    }
  return g_file_set_contents (file, bytes->str, (gssize) bytes->len, error);
}

gboolean
beckon_landing_table_covers (GHashTable *table, const char *path)
{
  g_autofree char *at = g_strdup (path);

  if (g_hash_table_size (table) == 0)
    return FALSE;
  for (char *slash = at; slash != NULL; slash = strrchr (at, '/'))
    {
      if (slash != at)
        *slash = '\0';
      if (g_hash_table_contains (table, at))
        return TRUE;
    }

  return FALSE;
}
