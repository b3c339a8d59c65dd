/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-english.h"
#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-line-diff.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-lander-private.h"
#include "beckon-landing-content.h"
#include "beckon-landing-place.h"
#include "beckon-landing-survey-private.h"
#include "beckon-landing-tree.h"
#include "beckon-runners.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* More files than these are written to the disk with all others of the file system. */
#define FEW_FILES 64

/* In a place: what was decided; as much as is kept of the changes of one command. */
#define NOTE "decided"
#define MAX_BYTES (64 * 1024 * 1024)

/* The outcome of the steps of one change. */
typedef struct
{
  guint n_done;
  guint n_changed;
  guint n_failed;
  int problem; /* errno of the last that failed */
} Tally;

/* A run over all steps, in one direction. */
typedef struct
{
  BeckonLander *lander;
  gboolean is_redo;
  Tally *tallies;       /* by change */
  GHashTable *refused;  /* of what lands all or not at all (beckon_lander_dup_bond()), that of which a part can't */
  GHashTable *begun;    /* likewise, that of which a part has landed */
  gboolean is_end;      /* only steps that come behind all others are done */
  guint n_done;
} Pass;

static void
lander_count (Pass *pass, int number, BeckonMove move)
{
  Tally *tally = number >= 0 ? &pass->tallies[number] : NULL;

  pass->n_done += move == BECKON_MOVE_DONE;
  if (tally == NULL)
    return;

  tally->n_done += move == BECKON_MOVE_DONE;
  tally->n_changed += move == BECKON_MOVE_CHANGED;
  tally->n_failed += move == BECKON_MOVE_FAILED;
  if (move == BECKON_MOVE_FAILED)
    tally->problem = errno;
}

static void
set_remark (BeckonFileChange *change, const char *remark)
{
  g_free (change->remark);
  change->remark = g_strdup (remark);
}

/* Which steps are wanted. */

static gboolean
is_wanted_change (Pass *pass, const BeckonFileChange *change)
{
  return change != NULL && change->fate == (pass->is_redo ? BECKON_FILE_UNDONE : BECKON_FILE_KEPT);
}

/* By the change that decides about it. */
static gboolean
is_wanted_path (Pass *pass, const char *path)
{
  int number;

  return is_wanted_change (pass, beckon_lander_find (pass->lander, path, FALSE, &number));
}

static guint64
get_after_inode (Pass *pass, const BeckonLandingStep *step, const char *path)
{
  const int merged = beckon_lander_get_merged (pass->lander, step, path);

  return merged >= 0 && pass->lander->stage < 0
             ? beckon_change_set_get (pass->lander->landing->changes, (guint) merged)->after_inode
             : step->after_inode;
}

static gboolean
is_inside_wanted (Pass *pass, const BeckonInsideStep *inside)
{
  return !pass->lander->states[inside->number].is_refused && is_wanted_path (pass, inside->path);
}

/* A new folder that is not listed itself comes with what is kept of it. */
static gboolean
is_wanted (Pass *pass, const BeckonLandingStep *step, const char *path)
{
  gboolean is_any = is_wanted_path (pass, path);

  for (guint i = 0; i < pass->lander->inside->len && !is_any && step->action == BECKON_LANDING_CREATE; i++)
    is_any = is_inside_wanted (pass, g_ptr_array_index (pass->lander->inside, i));
  return is_any && !step->stays;
}

/* Landing: is a step as the survey saw it, or done already? */

static gboolean
is_done (Pass *pass, const BeckonLandingStep *step, const char *path, const BeckonSpot *spot)
{
  if (step->action == BECKON_LANDING_DELETE)
    return !spot->is_in_folder && spot->is_in_layer && spot->in_layer.st_ino == step->before_inode;

  /* Git may have rewritten its index after that landed and again after it was undone, under the first one's number. */
  if (step->action == BECKON_LANDING_EXCHANGE && pass->is_redo && pass->lander->resumed == BECKON_LANDER_RESTS)
    return FALSE;

  return (step->action == BECKON_LANDING_CREATE || step->action == BECKON_LANDING_EXCHANGE) && spot->is_in_folder
         && spot->in_folder.st_ino == get_after_inode (pass, step, path);
}

/* The folder holds what the command saw. A folder in it is looked through when its turn comes. */
static gboolean
is_as_before (Pass *pass, guint number, const BeckonLandingStep *step, const char *path, const BeckonSpot *spot)
{
  BeckonFileChange *change = beckon_landing_index_get (pass->lander->index, path);
  const gint64 changed_at = pass->is_redo ? pass->lander->states[number].changed_at : step->before_changed_at;

  if (spot->is_in_folder && spot->in_folder.st_ino == step->before_inode
      && beckon_lander_is_unchanged (pass->lander, &spot->in_folder, changed_at))
    return TRUE;

  /* A thing that was undone before may have been made or written anew. */
  if (pass->is_redo && spot->is_in_folder && S_ISDIR (spot->in_folder.st_mode)
      && beckon_lander_ledger_has (&spot->in_folder))
    return TRUE;
  return change != NULL
         && ((pass->is_redo && beckon_spot_has_hash (spot, change->before_hash, step->mode_before))
             || beckon_landing_root_is_index (&pass->lander->root, change, TRUE));
}

static gboolean
is_ready (Pass *pass, guint number, const BeckonLandingStep *step, const char *path, const BeckonSpot *spot)
{
  const gboolean is_there
      = spot->is_in_layer && (pass->is_redo || spot->in_layer.st_ino == get_after_inode (pass, step, path));

  if (step->action == BECKON_LANDING_CREATE)
    return spot->folder >= 0 && !spot->is_in_folder && is_there;
  if (step->action == BECKON_LANDING_EXCHANGE)
    return is_there && is_as_before (pass, number, step, path, spot);

  return step->action != BECKON_LANDING_DELETE
         || (spot->folder >= 0 && (!spot->is_in_folder || is_as_before (pass, number, step, path, spot)));
}

/* Git names an object after what it holds: one of that name which another writer made meanwhile is the same, and of a folder of
 * objects those come that are missing. */
static gboolean
is_known_object (const BeckonLandingStep *step, const char *path, const BeckonSpot *spot)
{
  const mode_t type = spot->in_folder.st_mode & S_IFMT;

  return beckon_lander_is_new_object (step, path) && spot->is_in_folder && spot->is_in_layer
         && type == (spot->in_layer.st_mode & S_IFMT) && (type == S_IFREG || type == S_IFDIR);
}

static void
note_bond (Pass *pass, GHashTable *bonds, const char *path)
{
  char *bond = beckon_lander_dup_bond (pass->lander, path);

  if (bond != NULL)
    g_hash_table_add (bonds, bond);
}

/* The content of a folder shares its fate. */
static void
note_bonds (Pass *pass, GHashTable *bonds, const char *path)
{
  note_bond (pass, bonds, path);
  for (guint i = 0; i < pass->lander->inside->len; i++)
    note_bond (pass, bonds, ((BeckonInsideStep *) g_ptr_array_index (pass->lander->inside, i))->path);
}

static BeckonLanderPhase
get_phase (Pass *pass)
{
  return pass->is_redo ? BECKON_LANDER_REDOES : BECKON_LANDER_LANDS;
}

static void
lander_check_step (gpointer data, guint number, const BeckonLandingStep *step, const char *path)
{
  Pass *pass = data;
  BeckonLander *lander = pass->lander;
  BeckonStepState *state = &lander->states[number];
  int decides;
  const BeckonFileChange *change = beckon_lander_find (lander, path, FALSE, &decides);
  g_auto (BeckonSpot) spot = { 0 };

  state->is_refused = FALSE;
  for (guint i = 0; i < lander->inside->len; i++)
    {
      const BeckonInsideStep *inside = g_ptr_array_index (lander->inside, i);

      lander->states[inside->number].is_refused = inside->stays && !inside->is_held;
    }
  if (step->action == BECKON_LANDING_FOLDER)
    {
      if (lander->resumed != get_phase (pass) && state->status != BECKON_STEP_LANDED)
        {
          g_auto (BeckonFd) fd = beckon_landing_root_open_at (&lander->root, path, O_RDONLY | O_DIRECTORY);
          struct stat info;

          state->is_quiet = step->sets_time && fd >= 0 && fstat (fd, &info) == 0
                            && beckon_landing_tree_get_mtime (&info) == step->before_time;
        }
      return;
    }
  if (step->stays && change != NULL && change->fate == BECKON_FILE_CONFLICT)
    note_bonds (pass, pass->refused, path);
  if (step->stays || (change != NULL && !is_wanted_change (pass, change))
      || (pass->is_redo && state->status != BECKON_STEP_UNDONE))
    return;

  beckon_lander_look (lander, path, beckon_lander_get_merged (lander, step, path), &spot);
  if (lander->resumed == get_phase (pass))
    beckon_lander_correct_step (lander, step, &spot, spot.is_in_folder && spot.in_folder.st_ino == step->before_inode);
  if (is_done (pass, step, path, &spot))
    {
      beckon_lander_note_done (lander, &spot);
      note_bonds (pass, pass->begun, path);
    }
  else if (!is_ready (pass, number, step, path, &spot) && !is_known_object (step, path, &spot))
    {
      state->is_refused = TRUE;
      note_bonds (pass, pass->refused, path);
    }
}

static void
refuse_bound (Pass *pass)
{
  BeckonLandingStep step;
  const char *path;

  if (g_hash_table_size (pass->refused) == 0)
    return;

  for (guint i = 0; beckon_landing_reader_next (pass->lander->reader, &step, &path); i++)
    {
      g_autofree char *bond = beckon_lander_dup_bond (pass->lander, path);

      if (bond != NULL && g_hash_table_contains (pass->refused, bond) && !g_hash_table_contains (pass->begun, bond))
        pass->lander->states[i].is_refused = TRUE;
    }
}

/* Landing, step by step. */

/* All may have landed and been noted by a process that ended before the store knew. */
static void
set_landed (Pass *pass, guint number)
{
  BeckonStepState *state = &pass->lander->states[number];

  pass->lander->is_done_now[number]
      = state->status != BECKON_STEP_LANDED || pass->lander->resumed != BECKON_LANDER_RESTS;
  state->status = BECKON_STEP_LANDED;
}

static void
remove_from_layer (Pass *pass, const char *path)
{
  const char *name;
  g_auto (BeckonFd) parent = beckon_landing_tree_open_parent (pass->lander->layer, path, &name);

  if (parent >= 0)
    beckon_landing_tree_remove (parent, name, NULL);
}

static void
note_kept (Pass *pass, const char *path)
{
  g_hash_table_add (pass->lander->kept, g_strdup (path));
  for (const char *at = strchr (path, '/'); at != NULL; at = strchr (at + 1, '/'))
    g_hash_table_add (pass->lander->above, g_strndup (path, (gsize) (at - path)));
}

/* Everything in a folder of the layer goes but what is kept. @path: (nullable): of the folder; %NULL for the layer itself. */
static void
sweep (Pass *pass, int folder, const char *name, const char *path)
{
  g_autoptr (BeckonEntries) entries = beckon_landing_tree_list (folder, name, TRUE);
  const char *entry;

  while ((entry = beckon_landing_tree_next (entries)) != NULL)
    {
      g_autofree char *inner = path != NULL ? g_strconcat (path, "/", entry, NULL) : g_strdup (entry);

      if (g_hash_table_contains (pass->lander->kept, inner))
        continue;
      if (g_hash_table_contains (pass->lander->above, inner))
        sweep (pass, dirfd (entries), entry, inner);
      else
        beckon_landing_tree_remove (dirfd (entries), entry, NULL);
    }
}

/* A new folder of which the person keeps the greater part loses the rest, and one of which they keep the least loses
 * all but that. */
static void
leave_out_inside (Pass *pass, const char *folder)
{
  g_auto (BeckonFd) parent = -1;
  const char *name;

  for (guint i = 0; i < pass->lander->inside->len; i++)
    {
      const BeckonInsideStep *inside = g_ptr_array_index (pass->lander->inside, i);

      if (is_inside_wanted (pass, inside))
        note_kept (pass, inside->path);
      else
        remove_from_layer (pass, inside->path);
    }
  if (!is_wanted_path (pass, folder))
    parent = beckon_landing_tree_open_parent (pass->lander->layer, folder, &name);
  if (parent >= 0)
    sweep (pass, parent, name, folder);
}

static void
count_inside (Pass *pass, BeckonMove move)
{
  for (guint i = 0; i < pass->lander->inside->len; i++)
    {
      const BeckonInsideStep *inside = g_ptr_array_index (pass->lander->inside, i);
      int number;
      const BeckonFileChange *change = beckon_lander_find (pass->lander, inside->path, TRUE, &number);
      gboolean is_refused = pass->lander->states[inside->number].is_refused;
      BeckonMove inner = is_refused && move == BECKON_MOVE_DONE ? BECKON_MOVE_CHANGED : move;

      if (!is_wanted_change (pass, change))
        continue;
      lander_count (pass, number, inner);
      if (inner == BECKON_MOVE_DONE)
        set_landed (pass, inside->number);
    }
}

static gboolean
is_quiet (Pass *pass, guint number, const BeckonSpot *spot)
{
  gint64 since = pass->is_redo ? pass->lander->states[number].done_at : beckon_landing_reader_get_time (pass->lander->reader);

  return !S_ISDIR (spot->in_folder.st_mode)
         || beckon_lander_is_quiet_inside (pass->lander, spot->folder, spot->name, since, 0);
}

static BeckonMove
land_missing_objects (Pass *pass, const char *folder)
{
  g_auto (BeckonFd) fd = beckon_landing_tree_open (pass->lander->layer, folder, O_RDONLY | O_DIRECTORY);
  g_autoptr (BeckonEntries) entries = fd >= 0 ? beckon_landing_tree_list (fd, ".", TRUE) : NULL;
  BeckonMove move = BECKON_MOVE_DONE;
  const char *name;

  while (entries != NULL && move != BECKON_MOVE_FAILED && (name = beckon_landing_tree_next (entries)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_auto (BeckonSpot) spot = { 0 };

      beckon_lander_look (pass->lander, path, -1, &spot);
      if (spot.is_in_layer && !spot.is_in_folder && S_ISREG (spot.in_layer.st_mode))
        move = beckon_lander_move (pass->lander, path, &spot, TRUE, FALSE);
    }
  return move == BECKON_MOVE_FAILED ? move : BECKON_MOVE_DONE;
}

/* A thing comes, to where nothing is or in the place of another. */
static void
land_thing (Pass *pass, guint number, const BeckonLandingStep *step, const char *path)
{
  BeckonLander *lander = pass->lander;
  const gboolean is_new = step->action == BECKON_LANDING_CREATE;
  const int exactly = beckon_landing_index_find_exactly (lander->index, path);
  g_auto (BeckonSpot) spot = { 0 };
  BeckonMove move = BECKON_MOVE_CHANGED;

  beckon_lander_look (lander, path, beckon_lander_get_merged (lander, step, path), &spot);
  if (!lander->states[number].is_refused && is_known_object (step, path, &spot))
    {
      if (S_ISDIR (spot.in_layer.st_mode) && !pass->is_redo)
        leave_out_inside (pass, path);
      move = S_ISDIR (spot.in_layer.st_mode) ? land_missing_objects (pass, path) : BECKON_MOVE_DONE;
    }
  else if (is_done (pass, step, path, &spot))
    {
      beckon_lander_stir (lander);
      move = BECKON_MOVE_DONE;
    }
  else if (!lander->states[number].is_refused && is_ready (pass, number, step, path, &spot)
           && (is_new || is_quiet (pass, number, &spot)))
    {
      if (S_ISDIR (spot.in_layer.st_mode) && !pass->is_redo)
        leave_out_inside (pass, path);
      move = beckon_lander_move (lander, path, &spot, TRUE, !is_new);
    }
  if (move == BECKON_MOVE_DONE)
    set_landed (pass, number);
  lander_count (pass, is_new && (exactly >= 0 || lander->inside->len > 0) ? exactly : beckon_landing_index_find (lander->index,
                                                                                                                 path),
                move);
  count_inside (pass, move);
}

/* A file that was moved is not deleted where it could not be put. A secret in a folder that is deleted is not kept; one that
 * the person does not let go keeps the folder. */
static void
land_delete (Pass *pass, guint number, const BeckonLandingStep *step, const char *path)
{
  BeckonLander *lander = pass->lander;
  int decides;
  const BeckonFileChange *change = beckon_lander_find (lander, path, FALSE, &decides);
  const Tally *tally = change != NULL && change->bound != NULL ? &pass->tallies[decides] : NULL;
  gboolean is_released = TRUE, is_moved = FALSE;
  g_auto (BeckonSpot) spot = { 0 };
  BeckonMove move = BECKON_MOVE_CHANGED;

  for (guint i = 0; i < lander->inside->len && is_released; i++)
    is_released = is_inside_wanted (pass, g_ptr_array_index (lander->inside, i));
  beckon_lander_look (lander, path, -1, &spot);
  if (tally != NULL && tally->n_changed + tally->n_failed > 0)
    move = BECKON_MOVE_CHANGED;
  else if (is_done (pass, step, path, &spot))
    {
      beckon_lander_stir (lander);
      is_moved = TRUE;
    }
  else if (!lander->states[number].is_refused && is_ready (pass, number, step, path, &spot))
    {
      is_moved = spot.is_in_folder && is_quiet (pass, number, &spot) && is_released
                 && beckon_lander_move (lander, path, &spot, FALSE, TRUE) == BECKON_MOVE_DONE;
      move = spot.is_in_folder ? BECKON_MOVE_CHANGED : BECKON_MOVE_DONE;
    }
  if (is_moved)
    {
      set_landed (pass, number);
      move = BECKON_MOVE_DONE;
    }
  lander_count (pass, decides, move);
  count_inside (pass, move);
}

/* %TRUE if the mode is @to now. */
static gboolean
set_folder (BeckonLander *lander, guint number, const char *path, guint from, guint to, gint64 time, gboolean *is_same)
{
  g_auto (BeckonFd) fd = beckon_landing_root_open_at (&lander->root, path, O_RDONLY | O_DIRECTORY);
  struct stat info;
  gboolean is_set = FALSE;

  *is_same = fd >= 0 && fstat (fd, &info) == 0
             && (beckon_lander_is_mode (lander, info.st_mode, from) || beckon_lander_is_mode (lander, info.st_mode, to));
  if (*is_same)
    {
      is_set = (info.st_mode & 07777) == to;
      if (!is_set)
        beckon_lander_reach ();
      if (!is_set && fchmod (fd, to) == 0)
        {
          beckon_lander_note_folder (fd);
          is_set = TRUE;
        }
    }
  if (fd >= 0 && lander->states[number].is_quiet && (from != to || g_hash_table_contains (lander->stirred, path)))
    beckon_lander_set_time (fd, time);
  return is_set;
}

static void
land_folder (Pass *pass, guint number, const BeckonLandingStep *step, const char *path)
{
  int exactly;
  const BeckonFileChange *change = beckon_lander_find (pass->lander, path, TRUE, &exactly);
  gboolean sets_mode = step->mode_before != step->mode_after && is_wanted_change (pass, change)
                       && !pass->lander->states[number].is_refused;
  gboolean is_same;
  gboolean is_set = set_folder (pass->lander, number, path, step->mode_before,
                                sets_mode ? step->mode_after : step->mode_before, step->after_time, &is_same);

  if (is_same)
    set_landed (pass, number);
  if (sets_mode)
    lander_count (pass, exactly, is_set ? BECKON_MOVE_DONE : is_same ? BECKON_MOVE_FAILED : BECKON_MOVE_CHANGED);
}

/* Done again before, by a process that ended before that was stored. */
static void
count_earlier (Pass *pass, guint number, const char *path)
{
  const int change = beckon_landing_index_find (pass->lander->index, path);

  if (pass->is_redo && change >= 0 && pass->lander->states[number].status == BECKON_STEP_LANDED)
    pass->tallies[change].n_done++;
}

/* A file that was moved goes when it has come, and folders get their times behind all that is done in them. */
static void
land_step (gpointer data, guint number, const BeckonLandingStep *step, const char *path)
{
  Pass *pass = data;
  const gboolean is_open = !pass->is_redo || pass->lander->states[number].status == BECKON_STEP_UNDONE;
  const gboolean is_folder = step->action == BECKON_LANDING_FOLDER, is_deletion = step->action == BECKON_LANDING_DELETE;
  int decides;
  const BeckonFileChange *change = beckon_lander_find (pass->lander, path, FALSE, &decides);

  if (!pass->is_end && !is_folder)
    count_earlier (pass, number, path);
  for (guint i = 0; !pass->is_end && i < pass->lander->inside->len; i++)
    {
      const BeckonInsideStep *inside = g_ptr_array_index (pass->lander->inside, i);

      count_earlier (pass, inside->number, inside->path);
    }
  if ((is_folder || (is_deletion && change != NULL && change->bound != NULL)) != pass->is_end)
    return;
  if (is_folder)
    land_folder (pass, number, step, path);
  else if (is_open && is_wanted (pass, step, path))
    (is_deletion ? land_delete : land_thing) (pass, number, step, path);
}

/* Takes @fd: -1 for none. */
static void
sync_one (int fd)
{
  g_auto (BeckonFd) owned = fd;

  if (owned >= 0)
    fsync (owned);
}

/* Everything that is done is written to the disk before anybody is told so. */
static void
sync_all (Pass *pass)
{
  BeckonLander *lander = pass->lander;
  BeckonLandingStep step;
  GHashTableIter iter;
  const char *path;
  gpointer folder;

  if (pass->n_done > FEW_FILES)
    {
      syncfs (lander->root.folder);
      return;
    }

  for (guint i = 0; g_hash_table_size (lander->stirred) > 0 && beckon_landing_reader_next (lander->reader, &step, &path); i++)
    if (lander->states[i].status == BECKON_STEP_LANDED && step.action != BECKON_LANDING_DELETE)
      sync_one (beckon_landing_root_open_at (&lander->root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  g_hash_table_iter_init (&iter, lander->stirred);
  while (g_hash_table_iter_next (&iter, &folder, NULL))
    {
      sync_one (beckon_landing_root_open_at (&lander->root, folder, O_RDONLY | O_DIRECTORY));
      sync_one (beckon_landing_tree_open (lander->layer, folder, O_RDONLY | O_DIRECTORY));
    }
}

/* Afterwards. */

/* The content that landed; what is put together from hunks is written later than the survey. */
static gboolean
has_landed_content (BeckonLander *lander, const BeckonLandingStep *step, const char *path, const BeckonSpot *spot)
{
  const BeckonFileChange *change = beckon_landing_index_get (lander->index, path);

  return beckon_lander_get_merged (lander, step, path) >= 0
         || (change != NULL && beckon_spot_has_hash (spot, change->after_hash, change->mode_after));
}

/* Old versions are kept until they are undone, where the new ones were, and files that did not land because of another writer's
 * work may still be wanted. */
static void
note_all_old (Pass *pass)
{
  BeckonLandingStep step;
  const char *path;

  g_hash_table_remove_all (pass->lander->kept);
  g_hash_table_remove_all (pass->lander->above);
  for (guint i = 0; beckon_landing_reader_next (pass->lander->reader, &step, &path); i++)
    {
      const guint8 status = pass->lander->states[i].status;
      int number;
      const BeckonFileChange *change = beckon_lander_find (pass->lander, path, TRUE, &number);

      if (status == BECKON_STEP_NONE && step.is_clean && change != NULL && change->fate == BECKON_FILE_CONFLICT)
        note_kept (pass, path);
      if (status != BECKON_STEP_LANDED)
        continue;
      if (step.action == BECKON_LANDING_HOLDS)
        remove_from_layer (pass, path);
      else if ((step.action == BECKON_LANDING_EXCHANGE || step.action == BECKON_LANDING_DELETE) && !step.is_withheld
               && beckon_lander_get_merged (pass->lander, &step, path) < 0)
        note_kept (pass, path);
    }
}

/* Everything goes that is not old: what did not land, and what the kernel wrote there. A file of which some hunks were kept has
 * its old version elsewhere, by the number of the change. */
static void
clean_up (Pass *pass)
{
  BeckonLander *lander = pass->lander;

  note_all_old (pass);
  sweep (pass, lander->layer, ".", NULL);
  for (guint i = 0; i < beckon_change_set_get_n_changes (lander->landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (lander->landing->changes, i);
      g_autofree char *name = g_strdup_printf ("merged/%u", i);

      if (change->kept_hunks != NULL && (change->is_withheld || change->fate != BECKON_FILE_KEPT))
        unlinkat (lander->stage >= 0 ? lander->stage : lander->place, name, 0);
    }
  beckon_landing_tree_remove (lander->place, "work", NULL);
}

/* A change that stands for many is what most of them are. */
static void
settle_landed (BeckonFileChange *change, const Tally *tally)
{
  const guint n_left = tally->n_changed + tally->n_failed;
  g_autofree char *remark = NULL;

  if (change->fate != BECKON_FILE_FAILED)
    g_clear_pointer (&change->remark, g_free);
  if (change->fate != BECKON_FILE_KEPT)
    return;
  if (tally->n_done == 0 && tally->n_changed > 0)
    change->fate = BECKON_FILE_CONFLICT;
  else if (tally->n_done == 0 && tally->n_failed > 0)
    {
      change->fate = BECKON_FILE_FAILED;
      set_remark (change, beckon_errno_describe (tally->problem));
    }
  else if (n_left > 0)
    {
      remark = g_strdup_printf (ngettext ("%u file in it was left as it was: it changed meanwhile, or can’t be written.",
                                          "%u files in it were left as they were: they changed meanwhile, or can’t be written.",
                                          n_left),
                                n_left);
      set_remark (change, remark);
    }
}

static void
settle_redone (BeckonFileChange *change, const Tally *tally)
{
  if (change->fate != BECKON_FILE_UNDONE)
    return;
  if (tally->n_done > 0)
    {
      change->fate = BECKON_FILE_KEPT;
      g_clear_pointer (&change->remark, g_free);
    }
  else
    set_remark (change, tally->n_failed > 0 ? beckon_errno_describe (tally->problem) : _("It has changed since."));
}

/* "" for what is not there; NULL for what is no text. */
static char *
conflict_read (BeckonLander *self, const char *path, gboolean is_ours)
{
  g_auto (BeckonFd) fd = is_ours ? beckon_landing_tree_open_file (self->layer, path, TRUE)
                                 : beckon_landing_root_open_file (&self->root, path);
  struct stat info;

  if (fd < 0)
    return errno == ENOENT || errno == ENOTDIR ? g_strdup ("") : NULL;

  return fstat (fd, &info) == 0 && S_ISREG (info.st_mode) ? beckon_landing_content_read_text (fd) : NULL;
}

/* The survey's difference and the command's version tell how the file was when the command had ended. */
static char *
conflict_find_theirs (BeckonLander *self, const BeckonFileChange *change, gsize left)
{
  const char *was_at = change->from != NULL && !beckon_file_change_was_there (change) ? change->from : change->path;
  g_autofree char *ours
      = change->kind == BECKON_FILE_DELETED ? g_strdup ("") : conflict_read (self, change->path, TRUE);
  g_autofree char *before
      = ours != NULL ? beckon_landing_content_unapply (change->diff, ours, change->before_hash) : NULL;
  g_autofree char *now = before != NULL ? conflict_read (self, was_at, FALSE) : NULL;
  g_autoptr (BeckonLineDiff) lines = now != NULL && strcmp (now, before) != 0 ? beckon_line_diff_new (before, now) : NULL;
  g_autofree char *diff
      = lines != NULL ? beckon_line_diff_to_unified (lines, BECKON_LANDING_CONTENT_CONTEXT_LINES) : NULL;

  return diff != NULL && strlen (diff) <= left ? g_steal_pointer (&diff) : NULL;
}

/* Adds to each file that conflicts what another writer did to it, as far as that can be known. */
static void
show_conflicts (BeckonLander *self)
{
  BeckonChangeSet *changes = self->landing->changes;
  gsize left = BECKON_CHANGE_SET_MAX_DIFFS;

  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);

      if (change->diff != NULL)
        left -= MIN (left, strlen (change->diff));
    }
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (changes, i);

      if (change->fate != BECKON_FILE_CONFLICT || change->diff == NULL || change->theirs != NULL)
        continue;
      change->theirs = conflict_find_theirs (self, change, MIN (left, BECKON_CHANGE_SET_MAX_DIFF));
      if (change->theirs != NULL)
        left -= strlen (change->theirs);
    }
}

/* Things have moved, whether that can be written down or not: what they replaced stays where it is, and nothing has failed. */
static void
end_landing (Pass *pass)
{
  BeckonLander *lander = pass->lander;
  BeckonChangeSet *changes = lander->landing->changes;
  g_autoptr (GError) error = NULL;
  locale_t english;

  sync_all (pass);
  /* Remarks that hold a number are for the person alone. */
  english = uselocale (LC_GLOBAL_LOCALE);
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    (pass->is_redo ? settle_redone : settle_landed) (beckon_change_set_get (changes, i), &pass->tallies[i]);
  uselocale (english);
  if (!pass->is_redo)
    show_conflicts (lander);
  if (beckon_lander_save (lander, get_phase (pass), &error))
    {
      /* Names that go change the ctimes of what has others. */
      if (!pass->is_redo)
        clean_up (pass);
      if (beckon_lander_record_all (lander, has_landed_content,
                                    pass->is_redo ? lander->done_at : beckon_landing_reader_get_time (lander->reader), &error))
        beckon_lander_stage_out (lander, &error);
    }
  if (error != NULL)
    g_message ("what landed could not be written down: %s", error->message);
}

/* (transfer full) (nullable): of a change or one that is bound to it. One that was kept by name was seen as what it is; of a
 * package.json it is the same text. */
static char *
find_new_runner (BeckonRunners *runners, BeckonLandingRoot *root, const BeckonFileChange *change)
{
  const BeckonRunnerChange run = { .mode_after = change->mode_after | (change->type == BECKON_FILE_LINK ? S_IFLNK : S_IFREG),
                                   .before = "{}",
                                   .after = "{}" };
  char *why = NULL;

  if (change->concern != BECKON_FILE_CONCERN_TRIGGER && change->type != BECKON_FILE_FOLDER
      && beckon_file_change_is_there (change))
    why = beckon_runners_why (runners, change->path, beckon_landing_root_is_git, root, &run);
  for (guint i = 0; change->bound != NULL && i < change->bound->len && why == NULL; i++)
    why = find_new_runner (runners, root, g_ptr_array_index (change->bound, i));
  return why;
}

/* Something may have come to run it since it was undone. */
static gboolean
check_runners (const BeckonLanding *landing, BeckonLandingRoot *root, GError **error)
{
  g_autoptr (BeckonRunners) runners = beckon_runners_new (landing->folder, BECKON_RUNNERS_MAX_ENTRIES);
  g_autofree char *why = NULL;

  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes) && why == NULL; i++)
    {
      BeckonFileChange *change = beckon_change_set_get (landing->changes, i);
      g_autofree char *shown = NULL;

      if (change->fate != BECKON_FILE_UNDONE)
        continue;
      beckon_runners_look_above (runners, change->path);
      why = find_new_runner (runners, root, change);
      if (why == NULL)
        continue;
      set_remark (change, why);
      shown = beckon_file_change_dup_shown_path (change);
      /* Translators: a file, and why it is left as it is */
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("“%s” is left as it is: %s"), shown, why);
    }
  return why == NULL;
}

static gboolean
land (BeckonLanding *landing, gboolean is_redo, GError **error)
{
  g_autoptr (BeckonLander) lander = beckon_lander_open (landing, error);
  g_autofree Tally *tallies = g_new0 (Tally, beckon_change_set_get_n_changes (landing->changes) + 1);
  g_autoptr (GHashTable) refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) begun = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Pass pass = { lander, is_redo, tallies, refused, begun, FALSE, 0 };
  gboolean is_saved;

  if (lander == NULL)
    return FALSE;
  if (!is_redo && !beckon_landing_place_is_of (lander->place, lander->root.folder))
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” was moved or replaced meanwhile."),
                             landing->folder);
      return FALSE;
    }
  if ((is_redo && lander->resumed != BECKON_LANDER_REDOES && !check_runners (landing, &lander->root, error))
      || !beckon_lander_stage_in (lander, error))
    return FALSE;

  beckon_lander_foreach (lander, lander_check_step, &pass);
  refuse_bound (&pass);
  is_saved = beckon_lander_save (lander, get_phase (&pass), error);
  if (is_saved)
    {
      beckon_lander_foreach (lander, land_step, &pass);
      pass.is_end = TRUE;
      beckon_lander_foreach (lander, land_step, &pass);
      end_landing (&pass);
    }
  landing->kept_bytes = beckon_landing_place_measure (landing->place);
  return is_saved;
}

gboolean
beckon_lander_land (BeckonLanding *landing, GError **error)
{
  locale_t before;
  gboolean is_landed;

  g_return_val_if_fail (landing != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  before = beckon_english_begin ();
  is_landed = land (landing, FALSE, error);
  beckon_english_end (before);
  return is_landed;
}

/* Takes @what: a sentence. */
static void
check_refuse (char *what, GError **error)
{
  g_autofree char *owned = what;

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                         /* Translators: %s is a sentence that says why */
                         _("%s Nothing was saved, the changes are still waiting."), owned);
}

gboolean
beckon_lander_check (const BeckonLanding *landing, GError **error)
{
  g_auto (BeckonFd) folder = open (landing->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  g_auto (BeckonFd) place = open (landing->place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  g_autofree char *shown = beckon_text_for_display (landing->folder, -1, BECKON_TEXT_EXACT);
  g_auto (BeckonLandingRoot) root = BECKON_LANDING_ROOT_INIT;
  g_autoptr (GError) problem = NULL;
  struct statvfs room = { .f_bavail = 1 };
  gboolean changes_top = FALSE, is_good = FALSE;

  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    changes_top = changes_top || strchr (beckon_change_set_get (landing->changes, i)->path, '/') == NULL;
  if (folder < 0)
    check_refuse (beckon_text_printf (_("The folder is not there now: %s."), shown), error);
  else if (place >= 0 && !beckon_landing_place_is_of (place, folder))
    check_refuse (beckon_text_printf (_("Another folder is there now: %s."), shown), error);
  else if (place >= 0 && !beckon_landing_root_open (&root, landing->folder, place, &problem))
    check_refuse (g_strdup (problem->message), error);
  else if (fstatvfs (folder, &room) != 0 || (room.f_flag & ST_RDONLY) != 0
           || (changes_top && faccessat (folder, ".", W_OK, AT_EACCESS) != 0))
    check_refuse (beckon_text_printf (_("The folder can’t be written now: %s."), shown), error);
  else if (room.f_bavail == 0 && room.f_blocks > 0)
    check_refuse (beckon_text_printf (_("The disk is full: %s."), shown), error);
  else
    is_good = TRUE;
  return is_good;
}

gboolean
beckon_lander_redo (BeckonLanding *landing, GError **error)
{
  g_return_val_if_fail (landing != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return land (landing, TRUE, error);
}

gboolean
beckon_lander_note_landed (BeckonLanding *landing, const char *place, GError **error)
{
  g_autoptr (BeckonLander) lander = NULL;
  g_autoptr (GHashTable) landed = NULL;
  BeckonLandingStep step;
  const char *path;

  g_return_val_if_fail (landing != NULL && place != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  lander = beckon_lander_open (landing, error);
  if (lander != NULL)
    landed = beckon_landing_table_load (place, BECKON_SURVEY_LANDED, sizeof (BeckonLandedRecord), error);
  if (landed == NULL)
    return FALSE;

  for (guint i = 0; beckon_landing_reader_next (lander->reader, &step, &path); i++)
    if (lander->states[i].status == BECKON_STEP_LANDED)
      {
        BeckonLandedRecord *record = g_new0 (BeckonLandedRecord, 1);

        record->time = lander->done_at;
        record->with_all = step.action != BECKON_LANDING_FOLDER;
        g_hash_table_insert (landed, g_strdup (path), record);
      }
  return beckon_landing_table_save (landed, place, BECKON_SURVEY_LANDED, sizeof (BeckonLandedRecord), error);
}

/* Notes. */

gboolean
beckon_lander_note_write (const BeckonLanding *landing, GError **error)
{
  g_autofree char *file = NULL;
  g_autofree char *changes = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (landing != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  file = g_build_filename (landing->place, NOTE, NULL);
  changes = beckon_change_set_to_json (landing->changes);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "call", landing->call_id);
  beckon_json_writer_member_string (&writer, "folder", landing->folder);
  beckon_json_writer_member_int (&writer, "base", landing->base);
  beckon_json_writer_member_string (&writer, "changes", changes);
  beckon_json_writer_end_object (&writer);
  return g_file_set_contents_full (file, text->str, (gssize) text->len, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* (nullable): nothing is noted, or nothing that could be understood. */
static BeckonLanding *
read_note (const char *place)
{
  g_autofree char *file = g_build_filename (place, NOTE, NULL);
  g_autofree char *text = NULL;
  g_autoptr (JsonObject) note = NULL;
  g_autoptr (BeckonChangeSet) changes = NULL;
  const char *call_id, *folder, *json;
  gsize length;

  if (!g_file_get_contents (file, &text, &length, NULL) || length > MAX_BYTES)
    return NULL;
  note = beckon_json_parse_object (text, (gssize) length, NULL);
  call_id = note != NULL ? beckon_json_get_string (note, "call") : NULL;
  folder = note != NULL ? beckon_json_get_string (note, "folder") : NULL;
  json = note != NULL ? beckon_json_get_string (note, "changes") : NULL;
  changes = json != NULL ? beckon_change_set_from_json (json, NULL) : NULL;
  if (call_id == NULL || folder == NULL || changes == NULL)
    return NULL;

  return beckon_landing_new (call_id, folder, place, beckon_json_get_int (note, "base", 0), changes);
}

gboolean
beckon_lander_note_finish (const char *place, GError **error)
{
  g_autoptr (BeckonLanding) landing = NULL;
  BeckonLander *lander;
  BeckonLanderPhase phase;

  g_return_val_if_fail (place != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  landing = read_note (place);
  if (landing == NULL || !g_file_test (landing->folder, G_FILE_TEST_IS_DIR))
    return TRUE;

  lander = beckon_lander_open (landing, NULL);
  phase = lander != NULL ? lander->resumed : BECKON_LANDER_RESTS;
  g_clear_pointer (&lander, beckon_lander_close);
  switch (phase)
    {
    case BECKON_LANDER_LANDS:
      return beckon_lander_land (landing, error);
    case BECKON_LANDER_UNDOES:
      return beckon_lander_undo (landing, error);
    case BECKON_LANDER_REDOES:
      /* The note has what was decided; what is to land again was undone before. */
      for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
        if (beckon_change_set_get (landing->changes, i)->fate == BECKON_FILE_KEPT)
          beckon_change_set_get (landing->changes, i)->fate = BECKON_FILE_UNDONE;
      return beckon_lander_redo (landing, error);
    case BECKON_LANDER_RESTS:
    default:
      return TRUE;
    }
}
