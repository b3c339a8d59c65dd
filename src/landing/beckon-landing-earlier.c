/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-landing-earlier.h"

#include <string.h>

#define NAME "landed"

typedef struct
{
  gint64 time;
  gboolean with_all;
} Entry;

struct _BeckonLandingEarlier
{
  GHashTable *entries; /* (element-type filename Entry) */
};

/* The same computer writes and reads it: an entry, and a path with a zero byte behind it. */
BeckonLandingEarlier *
beckon_landing_earlier_load (const char *place, GError **error)
{
  g_autoptr (BeckonLandingEarlier) earlier = NULL;
  g_autofree char *file = NULL;
  g_autofree char *bytes = NULL;
  g_autoptr (GError) problem = NULL;
  gsize length = 0;

  g_return_val_if_fail (place != NULL, NULL);

  earlier = g_new0 (BeckonLandingEarlier, 1);
  earlier->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  file = g_build_filename (place, NAME, NULL);
  if (!g_file_get_contents (file, &bytes, &length, &problem)
      && !g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  for (gsize at = 0; at + sizeof (Entry) < length;)
    {
      Entry entry;

      memcpy (&entry, bytes + at, sizeof entry);
      at += sizeof entry;
      g_hash_table_insert (earlier->entries, g_strdup (bytes + at), g_memdup2 (&entry, sizeof entry));
      at += strlen (bytes + at) + 1;
    }
  return g_steal_pointer (&earlier);
}

void
beckon_landing_earlier_add (BeckonLandingEarlier *earlier, const char *path, gboolean with_all, gint64 time)
{
  Entry entry;

  g_return_if_fail (earlier != NULL && path != NULL);

  memset (&entry, 0, sizeof entry);
  entry.time = time;
  entry.with_all = with_all;
  g_hash_table_insert (earlier->entries, g_strdup (path), g_memdup2 (&entry, sizeof entry));
}

gint64
beckon_landing_earlier_get (BeckonLandingEarlier *earlier, const char *path, gint64 base)
{
  const Entry *entry;
  g_autofree char *at = NULL;
  char *slash;
  gint64 time;

  g_return_val_if_fail (earlier != NULL && path != NULL, base);

  if (g_hash_table_size (earlier->entries) == 0)
    return base;

  entry = g_hash_table_lookup (earlier->entries, path);
  time = entry != NULL ? MAX (base, entry->time) : base;
  at = g_strdup (path);
  while ((slash = strrchr (at, '/')) != NULL)
    {
      *slash = '\0';
      entry = g_hash_table_lookup (earlier->entries, at);
      if (entry != NULL && entry->with_all)
        time = MAX (time, entry->time);
    }
  return time;
}

gboolean
beckon_landing_earlier_save (BeckonLandingEarlier *earlier, const char *place, GError **error)
{
  g_autofree char *file = NULL;
  g_autoptr (GString) bytes = g_string_new (NULL);
  GHashTableIter iter;
  gpointer path, entry;

  g_return_val_if_fail (earlier != NULL && place != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  file = g_build_filename (place, NAME, NULL);
  g_hash_table_iter_init (&iter, earlier->entries);
  while (g_hash_table_iter_next (&iter, &path, &entry))
    {
      g_string_append_len (bytes, entry, sizeof (Entry));
      g_string_append_len (bytes, path, (gssize) strlen (path) + 1);
    }
  return g_file_set_contents (file, bytes->str, (gssize) bytes->len, error);
}

void
beckon_landing_earlier_free (BeckonLandingEarlier *earlier)
{
  if (earlier == NULL)
    return;

  g_hash_table_unref (earlier->entries);
  g_free (earlier);
}
