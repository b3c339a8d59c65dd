/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-lander-private.h"
#include "beckon-landing-place.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

/* The outcome of the steps of one change. */
typedef struct
{
  guint n_done;
  guint n_refused;
  const char *reason; /* translated, static */
} Tally;

/* Undoing looks at every step first, and then takes back those that were not touched. */
typedef struct
{
  BeckonLander *lander;
  gboolean only_looks;
  gboolean keeps_by_products; /* of a commit that can't be taken back */
  Tally *tallies;      /* by change */
  GHashTable *refused; /* of what belongs together (beckon_lander_dup_bond()), that of which a part cannot be taken back */
} Undo;

/* (nullable) */
static Tally *
undo_find_tally (Undo *undo, const char *path)
{
  const int number = beckon_landing_index_find (undo->lander->index, path);

  return number >= 0 ? &undo->tallies[number] : NULL;
}

/* Why a step cannot be taken back. */
#define GONE _("It is no longer there.")
#define CHANGED _("It has changed since.")
#define FOLLOWED _("More was done to this Git repository since. Undo that first.")
#define WITHHELD _("What it was before isn’t kept, because one of your secrets was in it.")
#define LOST _("What it was before is no longer kept.")

static gboolean
has_landed_content (Undo *undo, const char *path, const BeckonSpot *spot)
{
  const BeckonFileChange *change = beckon_landing_index_get (undo->lander->index, path);

  return change != NULL
         && (beckon_spot_has_hash (spot, change->after_hash, change->mode_after)
             || beckon_landing_root_is_index (&undo->lander->root, change, FALSE));
}

static gboolean
is_unchanged (Undo *undo, guint number, const char *path, const BeckonSpot *spot)
{
  BeckonStepState *state = &undo->lander->states[number];

  if (spot->in_folder.st_ino == state->inode
      && beckon_lander_is_unchanged (undo->lander, &spot->in_folder, state->changed_at))
    return !S_ISDIR (spot->in_folder.st_mode)
           || beckon_lander_is_quiet_inside (undo->lander, spot->folder, spot->name, state->done_at, 0);

  /* A file that was written anew with the same content is as good as the same. */
  return has_landed_content (undo, path, spot);
}

/* %NULL if it can be taken back. */
static const char *
find_reason (Undo *undo, guint number, const BeckonLandingStep *step, const char *path, const BeckonSpot *spot)
{
  gboolean is_object;

  if (step->action == BECKON_LANDING_DELETE)
    {
      if (spot->is_in_folder)
        return _("Something else is there now.");
      if (spot->folder < 0)
        return GONE;
      if (step->is_withheld)
        return WITHHELD;
      return spot->is_in_layer ? NULL : LOST;
    }

  if (!spot->is_in_folder)
    return GONE;
  if (!is_unchanged (undo, number, path, spot))
    return beckon_landing_get_git_length (path, &is_object) > 0 ? FOLLOWED : CHANGED;
  if (step->action == BECKON_LANDING_EXCHANGE && step->is_withheld)
    return WITHHELD;
  return step->action == BECKON_LANDING_EXCHANGE && !spot->is_in_layer ? LOST : NULL;
}

/* After a crash in the middle of undoing. Files are known by their inodes; an index of Git, which that writes anew whenever
 * somebody looks, by its content, and what came alone by where it is. */
static gboolean
is_undone (Undo *undo, guint number, const BeckonLandingStep *step, const char *path, const BeckonSpot *spot)
{
  const gboolean is_resumed = undo->lander->resumed == BECKON_LANDER_UNDOES;
  const BeckonFileChange *change = beckon_landing_index_get (undo->lander->index, path);
  const gboolean is_back = spot->is_in_folder && spot->in_folder.st_ino == step->before_inode;
  const gboolean is_kept = spot->is_in_layer && spot->in_layer.st_ino == undo->lander->states[number].inode;

  if (step->action == BECKON_LANDING_DELETE)
    return is_back && !spot->is_in_layer;
  if (step->action == BECKON_LANDING_EXCHANGE)
    return (is_back && is_kept)
           || (is_resumed && change != NULL && beckon_landing_root_is_index (&undo->lander->root, change, TRUE));

  return (step->action == BECKON_LANDING_CREATE || step->action == BECKON_LANDING_INSIDE) && !spot->is_in_folder
         && (is_kept || (spot->is_in_layer && is_resumed));
}

static void
refuse_step (Undo *undo, guint number, const char *path, const char *reason)
{
  Tally *tally = undo_find_tally (undo, path);

  undo->lander->states[number].is_refused = TRUE;
  if (tally == NULL)
    return;
  tally->n_refused++;
  if (tally->reason == NULL)
    tally->reason = reason;
}

static void
refuse_bond (Undo *undo, const char *path)
{
  char *bond = beckon_lander_dup_bond (undo->lander, path);
  int number;
  const BeckonFileChange *change = beckon_lander_find (undo->lander, path, FALSE, &number);

  if (bond != NULL)
    g_hash_table_add (undo->refused, bond);
  undo->keeps_by_products = undo->keeps_by_products || (change != NULL && change->git != NULL && *change->git != '\0');
}

static void
refuse_inside (Undo *undo, const BeckonInsideStep *inside, const char *reason)
{
  int number;
  const BeckonFileChange *change = beckon_lander_find (undo->lander, inside->path, FALSE, &number);

  refuse_step (undo, inside->number, inside->path, reason);
  if (change != NULL && change->bound != NULL)
    refuse_bond (undo, inside->path);
}

/* Looking first. */

static void
look_inside (Undo *undo, const BeckonInsideStep *inside)
{
  g_auto (BeckonSpot) spot = { 0 };

  if (undo->lander->states[inside->number].status != BECKON_STEP_LANDED)
    return;
  beckon_lander_look (undo->lander, inside->path, -1, &spot);
  if (spot.is_in_folder ? !is_unchanged (undo, inside->number, inside->path, &spot) : !spot.is_in_layer)
    refuse_inside (undo, inside, spot.is_in_folder ? CHANGED : GONE);
}

static void
look_at_step (Undo *undo, guint number, const BeckonLandingStep *step, const char *path)
{
  BeckonStepState *state = &undo->lander->states[number];
  GPtrArray *inside = undo->lander->inside;
  g_auto (BeckonSpot) spot = { 0 };
  const char *reason;
  gboolean stays;

  if (state->status != BECKON_STEP_LANDED || beckon_lander_is_new_object (step, path))
    return;

  beckon_lander_look (undo->lander, path, beckon_lander_get_merged (undo->lander, step, path), &spot);
  if (undo->lander->resumed == BECKON_LANDER_UNDOES)
    beckon_lander_correct_step (undo->lander, step, &spot, !spot.is_in_folder || spot.in_folder.st_ino != state->inode);
  if (is_undone (undo, number, step, path, &spot))
    {
      beckon_lander_note_done (undo->lander, &spot);
      return;
    }
  reason = find_reason (undo, number, step, path, &spot);
  if (reason == NULL)
    return;

  /* A new folder that others use as well stays; the files that it came with may still go. */
  stays = step->action == BECKON_LANDING_CREATE && spot.is_in_folder && spot.in_folder.st_ino == state->inode;
  for (guint i = 0; i < inside->len; i++)
    if (stays)
      look_inside (undo, g_ptr_array_index (inside, i));
    else
      refuse_inside (undo, g_ptr_array_index (inside, i), reason);
  refuse_step (undo, number, path, reason);
  if (step->action != BECKON_LANDING_CREATE || inside->len == 0)
    refuse_bond (undo, path);
}

static void
refuse_bound (Undo *undo)
{
  BeckonLandingStep step;
  const char *path;
  const BeckonFileChange *change;
  gboolean is_any_refused = FALSE;
  int number;

  if (g_hash_table_size (undo->refused) == 0)
    return;

  for (guint i = 0; beckon_landing_reader_next (undo->lander->reader, &step, &path); i++)
    {
      const BeckonStepState *state = &undo->lander->states[i];
      g_autofree char *bond = beckon_lander_dup_bond (undo->lander, path);

      if (bond != NULL && state->status == BECKON_STEP_LANDED && !state->is_refused && step.action != BECKON_LANDING_FOLDER
          && g_hash_table_contains (undo->refused, bond))
        refuse_step (undo, i, path, _("Other files of this Git directory have changed since."));
      change = beckon_lander_find (undo->lander, path, FALSE, &number);
      if (undo->keeps_by_products && change != NULL && change->is_by_product && state->status == BECKON_STEP_LANDED
          && !state->is_refused && step.action != BECKON_LANDING_FOLDER)
        refuse_step (undo, i, path, _("It was made along with a commit that can’t be undone."));
      /* A folder that something stays in does not go itself. */
      if (is_any_refused && !state->is_refused && step.action != BECKON_LANDING_FOLDER && step.action != BECKON_LANDING_INSIDE)
        refuse_step (undo, i, path, CHANGED);
      is_any_refused = step.action == BECKON_LANDING_INSIDE
                       && (is_any_refused || (state->status == BECKON_STEP_LANDED && state->is_refused));
    }
}

static void
look_at_any (gpointer data, guint number, const BeckonLandingStep *step, const char *path)
{
  Undo *undo = data;
  BeckonLander *lander = undo->lander;
  BeckonStepState *state = &lander->states[number];

  state->is_refused = FALSE;
  for (guint i = 0; i < lander->inside->len; i++)
    lander->states[((BeckonInsideStep *) g_ptr_array_index (lander->inside, i))->number].is_refused = FALSE;
  if (step->action != BECKON_LANDING_FOLDER)
    look_at_step (undo, number, step, path);
  else if (lander->resumed != BECKON_LANDER_UNDOES && state->status == BECKON_STEP_LANDED)
    {
      g_auto (BeckonFd) fd = beckon_landing_root_open_at (&lander->root, path, O_RDONLY | O_DIRECTORY);
      struct stat info;

      state->is_quiet = state->is_quiet && fd >= 0 && fstat (fd, &info) == 0
                        && beckon_landing_tree_get_mtime (&info) == step->after_time;
    }
}

/* Taking back. */

static void
lander_undo_count (Undo *undo, guint number, const char *path, BeckonMove move)
{
  Tally *tally = undo_find_tally (undo, path);

  if (move == BECKON_MOVE_DONE)
    {
      undo->lander->states[number].status = BECKON_STEP_UNDONE;
      undo->lander->is_done_now[number] = TRUE;
    }
  if (tally == NULL)
    return;
  if (move == BECKON_MOVE_DONE)
    tally->n_done++;
  else
    {
      tally->n_refused++;
      tally->reason = move == BECKON_MOVE_CHANGED ? CHANGED : g_strerror (errno);
    }
}

static void
take_out_inside (Undo *undo, const BeckonInsideStep *inside)
{
  const BeckonStepState *state = &undo->lander->states[inside->number];
  g_auto (BeckonSpot) spot = { 0 };

  if (state->status != BECKON_STEP_LANDED || state->is_refused || beckon_landing_is_object (inside->path))
    return;
  beckon_lander_look (undo->lander, inside->path, -1, &spot);
  lander_undo_count (undo, inside->number, inside->path,
                     spot.is_in_folder  ? beckon_lander_move (undo->lander, inside->path, &spot, FALSE, TRUE)
                     : spot.is_in_layer ? BECKON_MOVE_DONE
                     : BECKON_MOVE_CHANGED);
}

/* A folder that the command made goes when nothing is left in it, used meanwhile or not. In the layer it stays, for
 * redoing. */
static void
remove_if_empty (Undo *undo, guint number, const char *path)
{
  g_autofree char *inner = g_strconcat (path, "/.", NULL);
  Tally *tally = undo_find_tally (undo, path);
  g_auto (BeckonSpot) spot = { 0 };
  const char *name;
  int kept;

  if (undo->lander->states[number].status != BECKON_STEP_LANDED)
    return;
  beckon_lander_look (undo->lander, path, -1, &spot);
  if (!spot.is_in_folder || !S_ISDIR (spot.in_folder.st_mode))
    return;
  kept = beckon_landing_tree_make_parent (undo->lander->layer, inner, &name);
  if (kept < 0)
    return;

  fchmod (kept, spot.in_folder.st_mode & 07777);
  close (kept);
  beckon_lander_reach ();
  if (unlinkat (spot.folder, spot.name, AT_REMOVEDIR) != 0)
    return;

  beckon_lander_stir (undo->lander);
  if (tally != NULL && tally->n_refused > 0)
    tally->n_refused--;
  lander_undo_count (undo, number, path, BECKON_MOVE_DONE);
}

static BeckonMove
lander_undo_take_back (Undo *undo, guint number, const BeckonLandingStep *step, const char *path, BeckonSpot *spot)
{
  if (is_undone (undo, number, step, path, spot))
    {
      beckon_lander_stir (undo->lander);
      return BECKON_MOVE_DONE;
    }
  if (step->action == BECKON_LANDING_CREATE)
    return beckon_lander_move (undo->lander, path, spot, FALSE, TRUE);
  if (step->action == BECKON_LANDING_DELETE)
    return beckon_lander_move (undo->lander, path, spot, TRUE, FALSE);

  return beckon_lander_move (undo->lander, path, spot, TRUE, TRUE);
}

/* Objects of Git stay where they are: whoever made the same content since, or named a commit, has no other. Git deletes those
 * that nothing names. A second name is kept for redoing. */
static void
leave_object (Undo *undo, guint number, const char *path)
{
  g_auto (BeckonSpot) spot = { 0 };
  g_auto (BeckonFd) kept = -1;
  const char *name;

  if (undo->lander->states[number].status != BECKON_STEP_LANDED)
    return;
  beckon_lander_look (undo->lander, path, -1, &spot);
  kept = spot.is_in_folder && S_ISREG (spot.in_folder.st_mode)
           ? beckon_landing_tree_make_parent (undo->lander->layer, path, &name)
           : -1;
  if (kept >= 0)
    {
      beckon_lander_reach ();
      linkat (spot.folder, spot.name, kept, name, 0);
    }
  lander_undo_count (undo, number, path, BECKON_MOVE_DONE);
}

static void
undo_step (Undo *undo, guint number, const BeckonLandingStep *step, const char *path)
{
  BeckonStepState *state = &undo->lander->states[number];
  GPtrArray *inside = undo->lander->inside;
  g_auto (BeckonSpot) spot = { 0 };
  BeckonMove move;

  if (state->status != BECKON_STEP_LANDED)
    return;
  if (beckon_lander_is_new_object (step, path))
    {
      for (guint i = 0; i < inside->len && !state->is_refused; i++)
        {
          const BeckonInsideStep *inner = g_ptr_array_index (inside, i);

          leave_object (undo, inner->number, inner->path);
        }
      if (!state->is_refused)
        leave_object (undo, number, path);
      return;
    }
  if (state->is_refused)
    {
      if (step->action != BECKON_LANDING_CREATE)
        return;
      for (guint i = 0; i < inside->len; i++)
        take_out_inside (undo, g_ptr_array_index (inside, i));
      for (guint i = inside->len; i > 0; i--)
        {
          const BeckonInsideStep *inner = g_ptr_array_index (inside, i - 1);

          remove_if_empty (undo, inner->number, inner->path);
        }
      if (inside->len > 0)
        remove_if_empty (undo, number, path);
      return;
    }

  beckon_lander_look (undo->lander, path, beckon_lander_get_merged (undo->lander, step, path), &spot);
  move = lander_undo_take_back (undo, number, step, path, &spot);
  lander_undo_count (undo, number, path, move);
  /* Things that came or went with a folder share its fate. */
  for (guint i = 0; i < inside->len && move == BECKON_MOVE_DONE; i++)
    {
      const BeckonInsideStep *inner = g_ptr_array_index (inside, i);

      if (undo->lander->states[inner->number].status != BECKON_STEP_LANDED)
        continue;
      if (inner->is_held)
        refuse_step (undo, inner->number, inner->path, WITHHELD);
      else
        lander_undo_count (undo, inner->number, inner->path, BECKON_MOVE_DONE);
    }
}

/* %TRUE if it is the old one again. */
static gboolean
undo_mode (Undo *undo, guint number, const BeckonLandingStep *step, const char *path, int fd)
{
  int exactly;
  const BeckonFileChange *change = beckon_lander_find (undo->lander, path, TRUE, &exactly);
  gboolean is_change = change != NULL && change->fate == BECKON_FILE_KEPT && step->mode_before != step->mode_after;
  struct stat info;
  guint now;

  if (fstat (fd, &info) != 0)
    return FALSE;

  now = info.st_mode & 07777;
  if (!beckon_lander_is_mode (undo->lander, now, step->mode_before)
      && !beckon_lander_is_mode (undo->lander, now, step->mode_after))
    {
      if (is_change)
        refuse_step (undo, number, path, CHANGED);
      return FALSE;
    }
  if (!is_change)
    {
      if (now != step->mode_before && beckon_lander_is_mode (undo->lander, now, step->mode_before))
        fchmod (fd, step->mode_before);
      return FALSE;
    }

  beckon_lander_reach ();
  lander_undo_count (undo, number, path, fchmod (fd, step->mode_before) == 0 ? BECKON_MOVE_DONE : BECKON_MOVE_FAILED);
  beckon_lander_note_folder (fd);
  return TRUE;
}

static void
undo_folder (Undo *undo, guint number, const BeckonLandingStep *step, const char *path)
{
  BeckonStepState *state = &undo->lander->states[number];
  g_auto (BeckonFd) fd = state->status == BECKON_STEP_LANDED
                             ? beckon_landing_root_open_at (&undo->lander->root, path, O_RDONLY | O_DIRECTORY)
                             : -1;
  gboolean is_set;

  if (fd < 0)
    return;

  is_set = undo_mode (undo, number, step, path, fd);
  if (state->is_quiet && (is_set || g_hash_table_contains (undo->lander->stirred, path)))
    beckon_lander_set_time (fd, step->before_time);
  state->status = BECKON_STEP_UNDONE;
}

/* Undone before, by a process that ended before that was stored. */
static void
count_earlier (Undo *undo, guint number, const char *path)
{
  Tally *tally = undo_find_tally (undo, path);

  if (tally != NULL && undo->lander->states[number].status == BECKON_STEP_UNDONE)
    tally->n_done++;
}

static void
undo_any (gpointer data, guint number, const BeckonLandingStep *step, const char *path)
{
  Undo *undo = data;

  if (step->action != BECKON_LANDING_FOLDER || step->mode_before != step->mode_after)
    count_earlier (undo, number, path);
  for (guint i = 0; i < undo->lander->inside->len; i++)
    {
      const BeckonInsideStep *inside = g_ptr_array_index (undo->lander->inside, i);

      count_earlier (undo, inside->number, inside->path);
    }
  (step->action == BECKON_LANDING_FOLDER ? undo_folder : undo_step) (undo, number, step, path);
}

static gboolean
has_old_content (BeckonLander *lander, const BeckonLandingStep *step, const char *path, const BeckonSpot *spot)
{
  const BeckonFileChange *change = beckon_landing_index_get (lander->index, path);

  return change != NULL && beckon_spot_has_hash (spot, change->before_hash, change->mode_before);
}

static void
lander_undo_settle (Undo *undo, BeckonChangeSet *changes)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (changes, i);
      const Tally *tally = &undo->tallies[i];

      if (change->fate != BECKON_FILE_KEPT)
        continue;
      if (tally->n_refused > 0)
        {
          g_free (change->remark);
          change->remark = g_strdup (tally->reason);
        }
      else if (tally->n_done > 0 || undo->only_looks)
        g_clear_pointer (&change->remark, g_free);
      if (tally->n_done > 0)
        change->fate = BECKON_FILE_UNDONE;
    }
}

static gboolean
lander_undo_run (BeckonLanding *landing, gboolean only_looks, GError **error)
{
  g_autoptr (BeckonLander) lander = beckon_lander_open (landing, error);
  g_autofree Tally *tallies = g_new0 (Tally, beckon_change_set_get_n_changes (landing->changes) + 1);
  g_autoptr (GHashTable) refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Undo undo = { lander, only_looks, FALSE, tallies, refused };
  gboolean is_done;

  if (lander == NULL || (!only_looks && !beckon_lander_stage_in (lander, error)))
    return FALSE;

  beckon_lander_foreach (lander, look_at_any, &undo);
  refuse_bound (&undo);
  is_done = only_looks || beckon_lander_save (lander, BECKON_LANDER_UNDOES, error);
  if (is_done && !only_looks)
    {
      beckon_lander_foreach (lander, undo_any, &undo);
      syncfs (lander->root.folder);
      is_done = beckon_lander_record_all (lander, has_old_content, lander->done_at, error)
                && beckon_lander_stage_out (lander, error);
      landing->kept_bytes = beckon_landing_place_measure (landing->place);
    }
  if (is_done)
    lander_undo_settle (&undo, landing->changes);
  return is_done;
}

gboolean
beckon_lander_undo (BeckonLanding *landing, GError **error)
{
  g_autoptr (BeckonLander) lander = NULL;
  gboolean is_recorded;

  g_return_val_if_fail (landing != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  /* The steps of a landing may not have been written down when it was done. */
  lander = beckon_lander_open (landing, NULL);
  is_recorded = lander == NULL || lander->resumed != BECKON_LANDER_LANDS;
  g_clear_pointer (&lander, beckon_lander_close);
  return (is_recorded || beckon_lander_land (landing, error)) && lander_undo_run (landing, FALSE, error);
}

gboolean
beckon_lander_check_undo (BeckonLanding *landing, GError **error)
{
  g_return_val_if_fail (landing != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return lander_undo_run (landing, TRUE, error);
}
