/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-landing-hidden.h"

#include <string.h>

/* Each path with a zero byte behind it. */
#define NAME "hidden"

gboolean
beckon_landing_hidden_save (const char *place, GPtrArray *paths, GError **error)
{
  g_autofree char *file = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (place != NULL && paths != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  file = g_build_filename (place, NAME, NULL);
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);

      g_string_append_len (text, path, (gssize) strlen (path) + 1);
    }
  return g_file_set_contents (file, text->str, (gssize) text->len, error);
}

GHashTable *
beckon_landing_hidden_load (const char *place, GError **error)
{
  g_autofree char *file = NULL;
  g_autoptr (GHashTable) hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) problem = NULL;
  gsize length = 0;

  g_return_val_if_fail (place != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  file = g_build_filename (place, NAME, NULL);
  if (!g_file_get_contents (file, &text, &length, &problem)
      && !g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  for (gsize at = 0; at < length; at += strlen (text + at) + 1)
    g_hash_table_add (hidden, g_strdup (text + at));
  return g_steal_pointer (&hidden);
}

gboolean
beckon_landing_hidden_has (GHashTable *hidden, const char *path)
{
  g_autofree char *at = g_strdup (path);
  char *slash;

  g_return_val_if_fail (hidden != NULL && path != NULL, FALSE);

  if (g_hash_table_size (hidden) == 0)
    return FALSE;
  for (slash = at; slash != NULL; slash = strrchr (at, '/'))
    {
      if (slash != at)
        *slash = '\0';
      if (g_hash_table_contains (hidden, at))
        return TRUE;
    }

  return FALSE;
}
