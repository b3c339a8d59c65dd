/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-landing-listing.h"

#include "base/beckon-path.h"

#include <string.h>

/* A folder with this many changes is one that may be folded. */
#define MANY 100

/* Behind those of the kinds of changes. */
#define LAST_LEVEL 3

struct _BeckonLandingListing
{
  GPtrArray *changes; /* (element-type BeckonFileChange) */
  GHashTable *folds;  /* (element-type utf8 BeckonFileChange): by the path of the folder; both belong to @changes */
  guint level;        /* of the changes that a folder stands for; see get_level() */
};

gsize
beckon_landing_get_git_length (const char *path, gboolean *is_object)
{
  const char *at = path;

  *is_object = FALSE;
  while (at != NULL)
    {
      if (g_ascii_strncasecmp (at, ".git", 4) == 0 && (at[4] == '/' || at[4] == '\0'))
        {
          /* A submodule has its own among those of the repository around it; a branch may be called so as well. */
          const char *rest = g_str_has_prefix (at + 4, "/modules/") ? strstr (at, "/objects/") : at + 4;

          *is_object = rest != NULL && g_str_has_prefix (rest, "/objects/") && !g_str_has_prefix (rest, "/objects/info")
                       && g_strstr_len (at, rest - at, "/refs/") == NULL;
          return (gsize) (at + 4 - path);
        }
      at = strchr (at, '/');
      at = at != NULL ? at + 1 : NULL;
    }

  return 0;
}

BeckonLandingListing *
beckon_landing_listing_new (void)
{
  BeckonLandingListing *listing = g_new0 (BeckonLandingListing, 1);

  listing->changes = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_file_change_free);
  listing->folds = g_hash_table_new (g_str_hash, g_str_equal);
  return listing;
}

/* "a/b/c" becomes "a/b", "a" becomes ".", and "." ends. */
static gboolean
go_up (char *path)
{
  char *slash = strrchr (path, '/');

  if (strcmp (path, ".") == 0)
    return FALSE;
  if (slash != NULL)
    *slash = '\0';
  else
    strcpy (path, ".");
  return TRUE;
}

static BeckonFileChange *
find_fold (BeckonLandingListing *listing, const char *path)
{
  g_autofree char *at = g_malloc (strlen (path) + 2);

  strcpy (at, path);
  while (go_up (at))
    {
      BeckonFileChange *fold = g_hash_table_lookup (listing->folds, at);

      if (fold != NULL)
        return fold;
    }
  return NULL;
}

/* The later a change is folded, the more it has to be seen by itself. */
static guint
get_kind_level (BeckonFileChangeKind kind)
{
  return kind == BECKON_FILE_CREATED ? 0 : kind == BECKON_FILE_CHANGED ? 1 : 2;
}

gboolean
beckon_landing_listing_is_folded (BeckonLandingListing *listing, const char *path, BeckonFileChangeKind kind)
{
  return g_hash_table_size (listing->folds) > 0 && get_kind_level (kind) <= listing->level && find_fold (listing, path) != NULL;
}

/* Everything that waits in a folder that is folded waits with it. */
static void
count_in (BeckonFileChange *fold, BeckonFileChange *change)
{
  guint n_new, n_changed, n_deleted;

  beckon_file_change_count (change, &n_new, &n_changed, &n_deleted);
  fold->n_files += MAX (1, change->n_files);
  fold->n_made += n_new;
  fold->n_gone += n_deleted;
  fold->size += change->size;
  if (fold->concern == BECKON_FILE_CONCERN_NONE)
    fold->concern = change->concern;
  if (change->fate == BECKON_FILE_OPEN)
    fold->fate = BECKON_FILE_OPEN;
  fold->is_withheld = fold->is_withheld || change->is_withheld;
}

/* Changes that would not land, or wait, are folded where nothing else helps. A file in the place of a folder deletes what is in
 * that. */
static guint
get_level (const BeckonFileChange *change)
{
  guint n_new, n_changed, n_deleted;

  if (change->fate != BECKON_FILE_OPEN || change->concern != BECKON_FILE_CONCERN_NONE)
    return LAST_LEVEL;
  if (change->kind == BECKON_FILE_CHANGED && change->type != BECKON_FILE_FOLDER && change->n_files > 0)
    return get_kind_level (BECKON_FILE_DELETED);
  beckon_file_change_count (change, &n_new, &n_changed, &n_deleted);
  return n_deleted > 0 ? get_kind_level (BECKON_FILE_DELETED) : get_kind_level (n_changed > 0 ? BECKON_FILE_CHANGED
                                                                                             : BECKON_FILE_CREATED);
}

static GHashTable *
count_folders (BeckonLandingListing *listing, guint level)
{
  GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < listing->changes->len; i++)
    {
      BeckonFileChange *change = g_ptr_array_index (listing->changes, i);
      g_autofree char *at = g_malloc (strlen (change->path) + 2);

      strcpy (at, change->path);
      while (get_level (change) <= level && go_up (at))
        g_hash_table_insert (counts, g_strdup (at),
                             GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, at)) + 1));
    }
  return counts;
}

/* The deepest folder with many, of those the fullest. */
static char *
choose_folder (BeckonLandingListing *listing, guint level)
{
  g_autoptr (GHashTable) counts = count_folders (listing, level);
  GHashTableIter iter;
  gpointer key, value;
  const char *best = NULL;
  gsize best_length = 0;
  guint best_count = 0;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      gsize length = strcmp (key, ".") == 0 ? 0 : strlen (key);
      guint n = GPOINTER_TO_UINT (value);

      if (n >= MANY && (best == NULL || length > best_length || (length == best_length && n > best_count)))
        {
          best = key;
          best_length = length;
          best_count = n;
        }
    }
  return g_strdup (best);
}

/* A change of the folder itself, its mode, becomes the one that stands for all. */
static BeckonFileChange *
make_fold (BeckonLandingListing *listing, const char *folder)
{
  BeckonFileChange *fold = NULL;

  for (guint i = 0; i < listing->changes->len && fold == NULL; i++)
    {
      BeckonFileChange *change = g_ptr_array_index (listing->changes, i);

      if (change->type == BECKON_FILE_FOLDER && strcmp (change->path, folder) == 0)
        fold = g_ptr_array_steal_index (listing->changes, i);
    }
  if (fold == NULL)
    {
      fold = beckon_file_change_new (folder, BECKON_FILE_CHANGED, BECKON_FILE_FOLDER);
      fold->fate = BECKON_FILE_CONFLICT;
    }
  return fold;
}

static void
fold (BeckonLandingListing *listing, guint level)
{
  g_autofree char *folder = choose_folder (listing, level);
  BeckonFileChange *made;

  if (folder == NULL)
    return;

  listing->level = MAX (listing->level, MIN (level, LAST_LEVEL - 1));
  made = make_fold (listing, folder);
  for (guint i = 0; i < listing->changes->len;)
    {
      BeckonFileChange *change = g_ptr_array_index (listing->changes, i);

      if ((strcmp (folder, ".") == 0 || beckon_path_is_within (change->path, folder)) && get_level (change) <= level)
        {
          count_in (made, change);
          g_hash_table_remove (listing->folds, change->path);
          g_ptr_array_remove_index_fast (listing->changes, i);
        }
      else
        i++;
    }
  g_ptr_array_add (listing->changes, made);
  g_hash_table_insert (listing->folds, made->path, made);
}

void
beckon_landing_listing_take (BeckonLandingListing *listing, BeckonFileChange *change)
{
  BeckonFileChange *folder;

  folder = get_level (change) <= listing->level && g_hash_table_size (listing->folds) > 0 ? find_fold (listing, change->path)
                                                                                         : NULL;
  if (folder != NULL)
    {
      count_in (folder, change);
      beckon_file_change_free (change);
      return;
    }

  g_ptr_array_add (listing->changes, change);
  for (guint level = 0; level <= LAST_LEVEL && listing->changes->len > BECKON_CHANGE_SET_MAX_LISTED; level++)
    fold (listing, level);
}

BeckonChangeSet *
beckon_landing_listing_finish (BeckonLandingListing *listing)
{
  BeckonChangeSet *set;

  set = beckon_change_set_new ();
  while (listing->changes->len > 0)
    beckon_change_set_take (set, g_ptr_array_steal_index_fast (listing->changes, listing->changes->len - 1));
  g_hash_table_remove_all (listing->folds);
  beckon_change_set_sort (set);
  return set;
}

void
beckon_landing_listing_free (BeckonLandingListing *listing)
{
  if (listing == NULL)
    return;

  g_hash_table_unref (listing->folds);
  g_ptr_array_unref (listing->changes);
  g_free (listing);
}

struct _BeckonLandingIndex
{
  BeckonChangeSet *set;
  GHashTable *numbers; /* (element-type utf8 guint): one more than the index */
  GHashTable *changes; /* (element-type utf8 BeckonFileChange) */
};

static void
index_add (BeckonLandingIndex *index, BeckonFileChange *change, guint number)
{
  g_hash_table_insert (index->numbers, change->path, GUINT_TO_POINTER (number + 1));
  g_hash_table_insert (index->changes, change->path, change);
  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    index_add (index, g_ptr_array_index (change->bound, i), number);
}

BeckonLandingIndex *
beckon_landing_index_new (BeckonChangeSet *set)
{
  BeckonLandingIndex *index;

  index = g_new0 (BeckonLandingIndex, 1);
  index->set = beckon_change_set_ref (set);
  index->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  index->changes = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    index_add (index, beckon_change_set_get (set, i), i);
  return index;
}

int
beckon_landing_index_find_exactly (BeckonLandingIndex *index, const char *path)
{
  return (int) GPOINTER_TO_UINT (g_hash_table_lookup (index->numbers, path)) - 1;
}

BeckonFileChange *
beckon_landing_index_get (BeckonLandingIndex *index, const char *path)
{
  return g_hash_table_lookup (index->changes, path);
}

int
beckon_landing_index_find (BeckonLandingIndex *index, const char *path)
{
  int found = beckon_landing_index_find_exactly (index, path);
  g_autofree char *at = NULL;

  if (found >= 0)
    return found;

  at = g_malloc (strlen (path) + 2);
  strcpy (at, path);
  while (go_up (at))
    {
      const BeckonFileChange *change = beckon_landing_index_get (index, at);

      if (change != NULL && change->type == BECKON_FILE_FOLDER && change->n_files > 0)
        return beckon_landing_index_find_exactly (index, at);
    }
  return -1;
}

void
beckon_landing_index_free (BeckonLandingIndex *index)
{
  if (index == NULL)
    return;

  g_hash_table_unref (index->numbers);
  g_hash_table_unref (index->changes);
  beckon_change_set_unref (index->set);
  g_free (index);
}

gboolean
beckon_landing_is_object (const char *path)
{
  gboolean is_object;

  beckon_landing_get_git_length (path, &is_object);
  return is_object;
}
