/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-renames.h"

#include "base/beckon-path.h"
#include "beckon-landing-content.h"
#include "beckon-landing-listing.h"
#include "beckon-landing-tree.h"

#include <string.h>

/* Files of each side; those beyond are told as gone and as new. */
#define MOST_THINGS 200000

/* So many files of one content are looked through for the one that fits best. */
#define MOST_ALIKE 1000

/* Files that were changed on the way are looked for among so many, and compared while they are as short. */
#define MOST_COMPARED 100
#define LONGEST_COMPARED (512 * 1024)

/* Percent of the longer one that two texts share at least; less where the name is the same. */
#define LEAST_SHARED 50
#define LEAST_SHARED_OF_NAME 25

typedef struct _Thing Thing;
struct _Thing
{
  const char *path;
  const char *folder; /* (nullable): that is gone with it */
  guint64 size;
  mode_t mode;
  gboolean is_link;
  gboolean is_replaced;
  gboolean is_in_git;
  char *content; /* (owned) (nullable): two that have the same hold the same */
  Thing *other;  /* (nullable): what it became, or was */
};

struct _BeckonLandingRenames
{
  GArray *old;
  GArray *new;
  GStringChunk *paths;
};

typedef struct
{
  BeckonLandingRenames *renames;
  BeckonChangeSet *set;
  BeckonLandingIndex *index;
  int lower;
  int upper;
  BeckonMask *mask;
  gsize *left;
  GCancellable *cancellable;
  guint *groups;        /* by change: another one of its group, nearer to the first */
  GHashTable *emptied; /* (element-type BeckonFileChange): folders that are gone, of which something was moved away */
} Binder;

static void
thing_clear (gpointer thing)
{
  g_free (((Thing *) thing)->content);
}

BeckonLandingRenames *
beckon_landing_renames_new (void)
{
  BeckonLandingRenames *renames = g_new (BeckonLandingRenames, 1);

  renames->old = g_array_new (FALSE, FALSE, sizeof (Thing));
  renames->new = g_array_new (FALSE, FALSE, sizeof (Thing));
  g_array_set_clear_func (renames->old, thing_clear);
  g_array_set_clear_func (renames->new, thing_clear);
  renames->paths = g_string_chunk_new (4096);
  return renames;
}

void
beckon_landing_renames_free (BeckonLandingRenames *renames)
{
  if (renames == NULL)
    return;

  g_array_unref (renames->old);
  g_array_unref (renames->new);
  g_string_chunk_free (renames->paths);
  g_free (renames);
}

void
beckon_landing_renames_add (BeckonLandingRenames *renames, gboolean is_old, const char *path, const struct stat *info,
                            const char *folder, gboolean is_replaced)
{
  GArray *things = is_old ? renames->old : renames->new;
  gboolean is_object;
  const gboolean is_in_git = beckon_landing_get_git_length (path, &is_object) > 0;
  const Thing thing = {
    .path = g_string_chunk_insert (renames->paths, path),
    .folder = folder != NULL ? g_string_chunk_insert_const (renames->paths, folder) : NULL,
    .size = (guint64) info->st_size,
    .mode = info->st_mode,
    .is_link = S_ISLNK (info->st_mode),
    .is_replaced = is_replaced,
    .is_in_git = is_in_git,
  };

  /* Files of Git that hold the same are two; but what was moved there from elsewhere, such as a hook, was moved. */
  if (things->len < MOST_THINGS && (S_ISREG (info->st_mode) || S_ISLNK (info->st_mode))
      && !(is_in_git && (is_old || is_object)))
    g_array_append_val (things, thing);
}

/* --- What is the same ----------------------------------------------------------------------------------------------- */

static int
open_thing (Binder *binder, const Thing *thing, gboolean is_old)
{
  return beckon_landing_tree_open_file (is_old ? binder->lower : binder->upper, thing->path, !is_old);
}

/* A file of Git that is told with its repository is one of Git's own. */
static gboolean
is_untold (Binder *binder, const Thing *thing)
{
  const BeckonFileChange *change = thing->is_in_git ? beckon_landing_index_get (binder->index, thing->path) : NULL;

  return thing->is_in_git && (change == NULL || change->concern == BECKON_FILE_CONCERN_NONE);
}

/* Files that the survey has read are not read again. */
static char *
find_content (Binder *binder, const Thing *thing, gboolean is_old)
{
  const BeckonFileChange *change = beckon_landing_index_get (binder->index, thing->path);
  const char *hash = change == NULL ? NULL : is_old ? change->before_hash : change->after_hash;
  g_auto (BeckonFd) fd = -1;

  if (is_untold (binder, thing))
    return NULL;
  if (thing->is_link)
    {
      const char *name;
      g_autofree char *target = NULL;

      fd = beckon_landing_tree_open_parent (is_old ? binder->lower : binder->upper, thing->path, &name);
      target = fd >= 0 ? beckon_landing_tree_read_link (fd, name) : NULL;
      return target != NULL ? g_strconcat ("link ", target, NULL) : NULL;
    }
  if (hash != NULL)
    return g_strdup (hash);
  fd = open_thing (binder, thing, is_old);
  return fd >= 0 ? beckon_landing_content_hash (fd, binder->cancellable) : NULL;
}

/* Only what has a counterpart of its size is read. */
static void
read_contents (Binder *binder)
{
  GArray *sides[] = { binder->renames->new, binder->renames->old };

  for (guint side = 0; side < G_N_ELEMENTS (sides); side++)
    {
      g_autoptr (GHashTable) sizes = g_hash_table_new (g_int64_hash, g_int64_equal);

      for (guint i = 0; i < sides[!side]->len; i++)
        g_hash_table_add (sizes, &g_array_index (sides[!side], Thing, i).size);
      for (guint i = 0; i < sides[side]->len && !g_cancellable_is_cancelled (binder->cancellable); i++)
        {
          Thing *thing = &g_array_index (sides[side], Thing, i);

          if (g_hash_table_contains (sizes, &thing->size))
            thing->content = find_content (binder, thing, side == 1);
        }
    }
}

/* How many parts of two paths are the same, counted from their ends. */
static guint
count_common_parts (const char *one, const char *other)
{
  const char *first = one + strlen (one), *second = other + strlen (other);
  guint n = 0;

  while (first > one && second > other && first[-1] == second[-1])
    {
      first--;
      second--;
      n += *first == '/';
    }
  return n + ((first == one || first[-1] == '/') && (second == other || second[-1] == '/'));
}

/* How much of one name stands in the other, at its beginning and at its end: a date is put before names, or a number behind. */
static guint
count_common_ends (const char *one, const char *other)
{
  const char *slash = strrchr (one, '/'), *other_slash = strrchr (other, '/');
  const char *name = slash != NULL ? slash + 1 : one, *other_name = other_slash != NULL ? other_slash + 1 : other;
  const gsize length = strlen (name), other_length = strlen (other_name);
  const gsize most = MIN (length, other_length);
  gsize before = 0, behind = 0;

  while (before < most && name[before] == other_name[before])
    before++;
  while (before + behind < most && name[length - 1 - behind] == other_name[other_length - 1 - behind])
    behind++;
  return (guint) MIN (before + behind, G_MAXUINT8);
}

/* Empty files are the same only where they have the same name. @has_name: whether all have to */
static Thing *
choose_old (GPtrArray *alike, const Thing *new, gboolean has_name)
{
  Thing *best = NULL;
  guint best_score = 0;

  for (guint i = 0; i < MIN (alike->len, MOST_ALIKE); i++)
    {
      Thing *old = g_ptr_array_index (alike, i);
      guint n = count_common_parts (old->path, new->path);
      guint score = (1 + 2 * n + !old->is_replaced) * (G_MAXUINT8 + 1) + count_common_ends (old->path, new->path);

      if (old->other == NULL && strcmp (old->path, new->path) != 0 && (n > 0 || (new->size > 0 && !has_name))
          && score > best_score)
        {
          best = old;
          best_score = score;
        }
    }
  return best;
}

/* The name tells which is which among those that hold the same: those that kept it come first. */
static void
join_same_of (Binder *binder, GHashTable *alike, gboolean has_name)
{
  for (guint i = 0; i < binder->renames->new->len; i++)
    {
      Thing *new = &g_array_index (binder->renames->new, Thing, i);
      GPtrArray *things = new->content != NULL && new->other == NULL ? g_hash_table_lookup (alike, new->content) : NULL;
      Thing *old = things != NULL ? choose_old (things, new, has_name) : NULL;

      if (old == NULL)
        continue;
      new->other = old;
      old->other = new;
      if (things->len > MOST_ALIKE)
        g_ptr_array_remove_fast (things, old);
    }
}

static void
join_same (Binder *binder)
{
  g_autoptr (GHashTable) alike = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < binder->renames->old->len; i++)
    {
      Thing *old = &g_array_index (binder->renames->old, Thing, i);
      GPtrArray *things = old->content != NULL ? g_hash_table_lookup (alike, old->content) : NULL;

      if (old->content == NULL)
        continue;
      if (things == NULL)
        {
          things = g_ptr_array_new ();
          g_hash_table_insert (alike, old->content, things);
        }
      g_ptr_array_add (things, old);
    }
  join_same_of (binder, alike, TRUE);
  join_same_of (binder, alike, FALSE);
}

/* A file that has other content now was moved away only if something else was moved there. */
static void
part_copies (Binder *binder)
{
  GArray *old = binder->renames->old;
  g_autoptr (GHashTable) moved_to = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean is_parted;

  do
    {
      is_parted = FALSE;
      g_hash_table_remove_all (moved_to);
      for (guint i = 0; i < old->len; i++)
        if (g_array_index (old, Thing, i).other != NULL)
          g_hash_table_add (moved_to, (gpointer) g_array_index (old, Thing, i).other->path);
      for (guint i = 0; i < old->len; i++)
        {
          Thing *thing = &g_array_index (old, Thing, i);

          if (!thing->is_replaced || thing->other == NULL || g_hash_table_contains (moved_to, thing->path))
            continue;
          thing->other->other = NULL;
          thing->other = NULL;
          is_parted = TRUE;
        }
    }
  while (is_parted);
}

/* --- What is nearly the same ---------------------------------------------------------------------------------------- */

static char *
read_short_text (Binder *binder, const Thing *thing, gboolean is_old)
{
  g_auto (BeckonFd) fd = thing->size <= LONGEST_COMPARED && !thing->is_link ? open_thing (binder, thing, is_old) : -1;

  return fd >= 0 ? beckon_landing_content_read_text (fd) : NULL;
}

static GHashTable *
renames_count_lines (const char *text)
{
  GHashTable *lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) split = g_strsplit (text, "\n", -1);

  for (guint i = 0; split[i] != NULL; i++)
    {
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (lines, split[i]));

      g_hash_table_insert (lines, g_strdup (split[i]), GUINT_TO_POINTER (n + 1));
    }
  return lines;
}

/* Percent of the longer one. */
static guint
measure_shared (const char *one, const char *other)
{
  g_autoptr (GHashTable) lines = renames_count_lines (one);
  g_auto (GStrv) split = g_strsplit (other, "\n", -1);
  gsize longer = MAX (strlen (one), strlen (other)), shared = 0;

  for (guint i = 0; split[i] != NULL; i++)
    {
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (lines, split[i]));

      if (n == 0)
        continue;
      g_hash_table_insert (lines, g_strdup (split[i]), GUINT_TO_POINTER (n - 1));
      shared += strlen (split[i]) + (split[i + 1] != NULL);
    }
  return longer > 0 ? (guint) (100 * shared / longer) : 0;
}

/* How much two things have in common, 0 if they are two. What is no text is judged by name and size. */
static guint
compare_things (Binder *binder, const Thing *old, const Thing *new, const char *new_text)
{
  const gboolean has_name = count_common_parts (old->path, new->path) > 0;
  g_autofree char *old_text = read_short_text (binder, old, TRUE);
  guint shared;

  if (old_text == NULL || new_text == NULL)
    return has_name && (old_text == NULL) == (new_text == NULL) && MAX (old->size, new->size) <= 2 * MIN (old->size, new->size)
             ? LEAST_SHARED
             : 0;
  shared = measure_shared (old_text, new_text);
  return shared >= (has_name ? LEAST_SHARED_OF_NAME : LEAST_SHARED) ? shared + has_name : 0;
}

static void
join_similar (Binder *binder)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  guint n_compared = 0;

  for (guint i = 0; i < binder->renames->old->len; i++)
    {
      Thing *old = &g_array_index (binder->renames->old, Thing, i);

      if (old->other == NULL && !old->is_replaced && !old->is_link && old->size > 0)
        g_ptr_array_add (left, old);
    }
  if (left->len > MOST_COMPARED)
    return;
  for (guint i = 0; i < binder->renames->new->len && left->len > 0 && n_compared < MOST_COMPARED; i++)
    {
      Thing *new = &g_array_index (binder->renames->new, Thing, i);
      const BeckonFileChange *change;
      g_autofree char *text = NULL;
      Thing *best = NULL;
      guint best_shared = 0;

      change = beckon_landing_index_get (binder->index, new->path);
      if (new->other != NULL || new->is_link || new->size == 0 || change == NULL || change->kind != BECKON_FILE_CREATED
          || is_untold (binder, new) || g_cancellable_is_cancelled (binder->cancellable))
        continue;
      n_compared++;
      text = read_short_text (binder, new, FALSE);
      for (guint j = 0; j < left->len; j++)
        {
          guint shared = compare_things (binder, g_ptr_array_index (left, j), new, text);

          if (shared > best_shared)
            {
              best = g_ptr_array_index (left, j);
              best_shared = shared;
            }
        }
      if (best == NULL)
        continue;
      new->other = best;
      best->other = new;
      g_ptr_array_remove_fast (left, best);
    }
}

/* --- Changes -------------------------------------------------------------------------------------------------------- */

static void
drop_difference (Binder *binder, BeckonFileChange *change)
{
  *binder->left += change->diff != NULL ? strlen (change->diff) : 0;
  g_clear_pointer (&change->diff, g_free);
  change->n_hunks = 0;
  change->n_added = 0;
  change->n_removed = 0;
  change->is_text = FALSE;
}

/* A file that came as it was needs no difference, unless it is something that has to be looked at; what took the place
 * of another file has the one to that. Parts are not chosen: a half of a moved file is none. */
static void
describe_move (Binder *binder, BeckonFileChange *change, const Thing *old, const Thing *new)
{
  g_auto (BeckonFd) before = -1;
  g_auto (BeckonFd) after = -1;

  change->kind = BECKON_FILE_MOVED;
  change->from = g_strdup (old->path);
  change->n_hunks = 0;
  if (change->before_inode != 0 || change->type != BECKON_FILE_REGULAR)
    return;
  if (old->content != NULL && g_strcmp0 (old->content, new->content) == 0)
    {
      g_free (change->before_hash);
      change->before_hash = g_strdup (old->content);
      if (change->concern == BECKON_FILE_CONCERN_NONE)
        drop_difference (binder, change);
      return;
    }
  before = open_thing (binder, old, TRUE);
  after = open_thing (binder, new, FALSE);
  if (before >= 0 && after >= 0)
    {
      drop_difference (binder, change);
      g_clear_pointer (&change->before_hash, g_free);
      g_clear_pointer (&change->after_hash, g_free);
      beckon_landing_content_describe (change, before, after, binder->mask, binder->left, binder->cancellable);
      change->n_hunks = 0;
    }
}

static guint
find_group (Binder *binder, guint number)
{
  while (binder->groups[number] != number)
    number = binder->groups[number] = binder->groups[binder->groups[number]];
  return number;
}

static void
note_move (Binder *binder, const Thing *old, const Thing *new)
{
  int from = beckon_landing_index_find (binder->index, old->folder != NULL ? old->folder : old->path);
  int to = beckon_landing_index_find (binder->index, new->path);
  BeckonFileChange *moved = beckon_landing_index_get (binder->index, new->path);
  BeckonFileChange *gone = beckon_landing_index_get (binder->index, old->folder != NULL ? old->folder : old->path);
  guint first, second;

  if (from < 0 || to < 0)
    return;
  if (moved != NULL)
    describe_move (binder, moved, old, new);
  if (gone != NULL && old->folder != NULL)
    {
      gone->n_files -= MIN (gone->n_files, 1);
      gone->size -= MIN (gone->size, old->size);
      g_hash_table_add (binder->emptied, gone);
    }
  else if (gone != NULL && gone->kind == BECKON_FILE_DELETED)
    drop_difference (binder, gone);
  first = find_group (binder, (guint) from);
  second = find_group (binder, (guint) to);
  binder->groups[MAX (first, second)] = MIN (first, second);
}

/* (nullable): the new folder that everything of a folder that is gone went to, each thing to its place and with its mode, and
 * nothing else. */
static char *
find_new_folder (Binder *binder, const char *folder)
{
  g_autofree char *found = NULL;
  guint n_old = 0, n_new = 0;
  struct stat info;

  for (guint i = 0; i < binder->renames->old->len; i++)
    {
      const Thing *old = &g_array_index (binder->renames->old, Thing, i);
      const char *inner = old->path + strlen (folder);

      if (g_strcmp0 (old->folder, folder) != 0)
        continue;
      n_old++;
      if (old->other == NULL || old->other->mode != old->mode || !g_str_has_suffix (old->other->path, inner))
        return NULL;
      if (found == NULL)
        found = g_strndup (old->other->path, strlen (old->other->path) - strlen (inner));
      else if (!beckon_path_is_within (old->other->path, found) || strcmp (old->other->path + strlen (found), inner) != 0)
        return NULL;
    }
  if (found == NULL || *found == '\0')
    return NULL;
  for (guint i = 0; i < binder->renames->new->len; i++)
    n_new += beckon_path_is_within (g_array_index (binder->renames->new, Thing, i).path, found);
  return n_new == n_old && !beckon_landing_tree_look_at (binder->lower, found, &info) ? g_steal_pointer (&found) : NULL;
}

/* (nullable): the change that stands for a folder which was moved as it was. */
static BeckonFileChange *
make_moved_folder (Binder *binder, BeckonFileChange *gone)
{
  g_autofree char *folder = find_new_folder (binder, gone->path);
  BeckonFileChange *moved = folder != NULL ? beckon_landing_index_get (binder->index, folder) : NULL;
  struct stat info;

  if (folder == NULL || (moved == NULL && beckon_landing_index_find (binder->index, folder) >= 0))
    return NULL;
  if (moved == NULL)
    {
      moved = beckon_file_change_new (folder, BECKON_FILE_MOVED, BECKON_FILE_FOLDER);
      if (beckon_landing_tree_look_at (binder->upper, folder, &info))
        moved->mode_after = info.st_mode & 07777;
      beckon_change_set_take (binder->set, moved);
    }
  moved->kind = BECKON_FILE_MOVED;
  moved->from = g_strdup (gone->path);
  moved->n_files = 0;
  moved->size = 0;
  for (guint i = 0; i < binder->renames->new->len; i++)
    {
      const Thing *new = &g_array_index (binder->renames->new, Thing, i);

      if (!beckon_path_is_within (new->path, folder))
        continue;
      moved->n_files++;
      moved->size += new->is_link ? 0 : new->size;
    }
  return moved;
}

/* The content of a folder that was moved is bound to it. @bound: what is bound already. */
static void
bind_folder (Binder *binder, BeckonFileChange *gone, GPtrArray *changes, GHashTable *bound)
{
  BeckonFileChange *moved = make_moved_folder (binder, gone);
  g_autoptr (GPtrArray) members = g_ptr_array_new ();

  if (moved == NULL)
    return;
  g_hash_table_add (bound, moved);
  for (guint i = 0; i < changes->len; i++)
    {
      BeckonFileChange *change = g_ptr_array_index (changes, i);

      if (change == moved || (change != gone && !beckon_path_is_within (change->path, moved->path)))
        continue;
      g_ptr_array_add (members, change);
      g_hash_table_add (bound, change);
    }
  beckon_change_set_bind (binder->set, moved, members);
}

/* The one that stands for a group: what was moved, or the folder that it was moved into. */
static gboolean
stands_better (const BeckonFileChange *one, const BeckonFileChange *other)
{
  if ((one->kind == BECKON_FILE_MOVED) != (other->kind == BECKON_FILE_MOVED))
    return one->kind == BECKON_FILE_MOVED;
  if ((one->kind == BECKON_FILE_DELETED) != (other->kind == BECKON_FILE_DELETED))
    return other->kind == BECKON_FILE_DELETED;
  return one->n_made > other->n_made;
}

static void
bind_group (Binder *binder, GPtrArray *changes, guint first)
{
  g_autoptr (GPtrArray) members = g_ptr_array_new ();
  BeckonFileChange *top = g_ptr_array_index (changes, first);

  for (guint i = first; i < changes->len; i++)
    if (find_group (binder, i) == first)
      {
        g_ptr_array_add (members, g_ptr_array_index (changes, i));
        if (stands_better (g_ptr_array_index (changes, i), top))
          top = g_ptr_array_index (changes, i);
      }
  g_ptr_array_remove (members, top);
  if (members->len > 0)
    beckon_change_set_bind (binder->set, top, members);
}

static void
bind_all (Binder *binder)
{
  guint n = beckon_change_set_get_n_changes (binder->set);
  g_autoptr (GPtrArray) changes = g_ptr_array_new ();
  g_autoptr (GHashTable) bound = g_hash_table_new (NULL, NULL);
  g_autofree guint *groups = g_new (guint, n);
  g_autoptr (GHashTable) emptied = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer gone;

  binder->groups = groups;
  binder->emptied = emptied;
  for (guint i = 0; i < n; i++)
    {
      groups[i] = i;
      g_ptr_array_add (changes, beckon_change_set_get (binder->set, i));
    }
  for (guint i = 0; i < binder->renames->old->len; i++)
    {
      const Thing *old = &g_array_index (binder->renames->old, Thing, i);

      if (old->other != NULL)
        note_move (binder, old, old->other);
    }
  g_hash_table_iter_init (&iter, emptied);
  while (g_hash_table_iter_next (&iter, &gone, NULL))
    if (((BeckonFileChange *) gone)->kind == BECKON_FILE_DELETED)
      bind_folder (binder, gone, changes, bound);
  for (guint i = 0; i < n; i++)
    if (find_group (binder, i) == i && !g_hash_table_contains (bound, g_ptr_array_index (changes, i)))
      bind_group (binder, changes, i);
}

void
beckon_landing_renames_bind (BeckonLandingRenames *renames, BeckonChangeSet *set, int lower, int upper, BeckonMask *mask,
                             gsize *left, GCancellable *cancellable)
{
  Binder binder = { .renames = renames, .set = set, .lower = lower, .upper = upper, .mask = mask, .left = left,
                    .cancellable = cancellable };

  if (renames->old->len == 0 || renames->new->len == 0)
    return;

  binder.index = beckon_landing_index_new (set);
  read_contents (&binder);
  join_same (&binder);
  part_copies (&binder);
  join_similar (&binder);
  bind_all (&binder);
  beckon_landing_index_free (binder.index);
  beckon_change_set_sort (set);
}
