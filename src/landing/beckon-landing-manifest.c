/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-landing-manifest.h"

#include "base/beckon-error.h"

#include <string.h>

#define NAME "manifest"

typedef struct
{
  mode_t mode;
  guint64 inode;
  gint64 changed_at;
} Entry;

struct _BeckonLandingManifest
{
  GHashTable *entries; /* (element-type filename Entry) */
};

BeckonLandingManifest *
beckon_landing_manifest_new (void)
{
  BeckonLandingManifest *self = g_new (BeckonLandingManifest, 1);

  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

static gint64
get_change_time (const struct stat *info)
{
  return (gint64) info->st_ctim.tv_sec * G_GINT64_CONSTANT (1000000000) + info->st_ctim.tv_nsec;
}

static void
add (BeckonLandingManifest *self, const char *path, const Entry *entry)
{
  g_hash_table_replace (self->entries, g_strdup (path), g_memdup2 (entry, sizeof *entry));
}

void
beckon_landing_manifest_add (BeckonLandingManifest *manifest, const char *path, const struct stat *info)
{
  const Entry entry = { info->st_mode, info->st_ino, get_change_time (info) };

  g_return_if_fail (manifest != NULL && path != NULL);

  add (manifest, path, &entry);
}

gboolean
beckon_landing_manifest_has (const BeckonLandingManifest *manifest, const char *path)
{
  return g_hash_table_contains (manifest->entries, path);
}

gboolean
beckon_landing_manifest_is_folder (const BeckonLandingManifest *manifest, const char *path)
{
  const Entry *entry = g_hash_table_lookup (manifest->entries, path);

  return entry != NULL && S_ISDIR (entry->mode);
}

gboolean
beckon_landing_manifest_is_same (const BeckonLandingManifest *manifest, const char *path, const struct stat *info)
{
  const Entry *entry = g_hash_table_lookup (manifest->entries, path);

  if (entry == NULL || entry->mode != info->st_mode)
    return FALSE;
  return S_ISDIR (entry->mode) || (entry->inode == info->st_ino && entry->changed_at == get_change_time (info));
}

GList *
beckon_landing_manifest_list (const BeckonLandingManifest *manifest)
{
  return g_hash_table_get_keys (manifest->entries);
}

/* Three numbers and a path each, with a zero byte behind either. */
gboolean
beckon_landing_manifest_save (const BeckonLandingManifest *manifest, const char *place, GError **error)
{
  g_autofree char *file = g_build_filename (place, NAME, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer path, value;

  g_hash_table_iter_init (&iter, manifest->entries);
  while (g_hash_table_iter_next (&iter, &path, &value))
    {
      const Entry *entry = value;

      g_string_append_printf (text, "%o %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT, entry->mode, entry->inode,
                              entry->changed_at);
      g_string_append_c (text, '\0');
      g_string_append_len (text, path, (gssize) strlen (path) + 1);
    }
  return g_file_set_contents (file, text->str, (gssize) text->len, error);
}

static gboolean
read_entry (const char *numbers, Entry *entry)
{
  char *end;

  entry->mode = (mode_t) g_ascii_strtoull (numbers, &end, 8);
  if (*end != ' ')
    return FALSE;
  entry->inode = g_ascii_strtoull (end + 1, &end, 10);
  if (*end != ' ')
    return FALSE;
  entry->changed_at = g_ascii_strtoll (end + 1, &end, 10);
  return *end == '\0';
}

/* The file ends with a zero byte, and the one that the reader adds is behind it. */
BeckonLandingManifest *
beckon_landing_manifest_load (const char *place, GError **error)
{
  g_autoptr (BeckonLandingManifest) self = beckon_landing_manifest_new ();
  g_autofree char *file = g_build_filename (place, NAME, NULL);
  g_autofree char *text = NULL;
  gsize length, at = 0;
  Entry entry;

  if (!g_file_get_contents (file, &text, &length, error))
    return NULL;
  while (at < length)
    {
      const char *numbers = text + at;
      const char *path = numbers + strlen (numbers) + 1;

      if (path >= text + length || !read_entry (numbers, &entry))
        {
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "%s is damaged", file);
          return NULL;
        }
      add (self, path, &entry);
      at = (gsize) (path - text) + strlen (path) + 1;
    }
  return g_steal_pointer (&self);
}

void
beckon_landing_manifest_free (BeckonLandingManifest *manifest)
{
  if (manifest == NULL)
    return;

  g_hash_table_unref (manifest->entries);
  g_free (manifest);
}
