/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-lander-ledger.h"

#include "beckon-landing-tree.h"

/* Beyond this it begins anew: what is forgotten is taken for changed, and left alone. */
#define MAX_ENTRIES 200000

typedef struct
{
  guint64 device;
  guint64 inode;
  gint64 changed_at;
} Entry;

static GMutex lock;
static GHashTable *entries; /* (element-type Entry): by device and inode */

static guint
hash_entry (gconstpointer entry)
{
  return g_int64_hash (&((const Entry *)entry)->inode);
}

static gboolean
is_same_file (gconstpointer one, gconstpointer other)
{
  const Entry *first = one, *second = other;

  return first->inode == second->inode && first->device == second->device;
}

static Entry
make_entry (const struct stat *info)
{
  return (Entry){ info->st_dev, info->st_ino, beckon_landing_tree_get_ctime (info) };
}

void
beckon_lander_ledger_note (const struct stat *now)
{
  Entry entry = make_entry (now);

  g_mutex_lock (&lock);
  if (entries == NULL || g_hash_table_size (entries) >= MAX_ENTRIES)
    {
      g_clear_pointer (&entries, g_hash_table_unref);
      entries = g_hash_table_new_full (hash_entry, is_same_file, g_free, NULL);
    }
  g_hash_table_add (entries, g_memdup2 (&entry, sizeof entry));
  g_mutex_unlock (&lock);
}

gboolean
beckon_lander_ledger_has (const struct stat *info)
{
  Entry entry = make_entry (info);
  const Entry *noted;
  gboolean is_noted;

  g_mutex_lock (&lock);
  noted = entries != NULL ? g_hash_table_lookup (entries, &entry) : NULL;
  is_noted = noted != NULL && noted->changed_at == entry.changed_at;
  g_mutex_unlock (&lock);
  return is_noted;
}
