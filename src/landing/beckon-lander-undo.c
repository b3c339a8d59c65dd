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

/* Undoing looks at every step first, and then takes back those that were not touched. */
typedef struct
{
  BeckonLander *lander;
  BeckonLanding *landing;
  gboolean only_looks;
  guint *n_done;        /* by change */
  guint *n_refused;     /* by change */
  const char **reasons; /* by change: translated, static */
  GHashTable *refused;  /* of what belongs together (beckon_lander_dup_bond()), that of which a part cannot be taken back */
  GArray *inside;       /* (element-type guint): steps in the folder that comes next */
  GPtrArray *inside_at; /* (element-type utf8) */
  gboolean are_held;    /* they are secrets in a folder that was deleted */
} Undo;

static void
undo_init (Undo *undo, BeckonLander *lander)
{
  guint n = beckon_change_set_get_n_changes (lander->landing->changes) + 1;

  memset (undo, 0, sizeof *undo);
  undo->lander = lander;
  undo->landing = lander->landing;
  undo->n_done = g_new0 (guint, n);
  undo->n_refused = g_new0 (guint, n);
  undo->reasons = g_new0 (const char *, n);
  undo->refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  undo->inside = g_array_new (FALSE, FALSE, sizeof (guint));
  undo->inside_at = g_ptr_array_new_with_free_func (g_free);
}

static void
undo_clear (Undo *undo)
{
  g_free (undo->n_done);
  g_free (undo->n_refused);
  g_free (undo->reasons);
  g_hash_table_unref (undo->refused);
  g_array_unref (undo->inside);
  g_ptr_array_unref (undo->inside_at);
}

static BeckonFileChange *
get_change (Undo *undo, int number)
{
  return number >= 0 ? beckon_change_set_get (undo->landing->changes, (guint) number) : NULL;
}

static int
find (Undo *undo, const char *path)
{
  return beckon_landing_index_find (undo->lander->index, path);
}

/* Why a step cannot be taken back; all of them static. */

static const char *
get_gone (void)
{
  return _("It is no longer there.");
}

static const char *
get_changed (void)
{
  return _("It has changed since.");
}

static const char *
get_taken (void)
{
  return _("Something else is there now.");
}

static const char *
get_withheld (void)
{
  return _("What it was before isn’t kept, because one of your secrets was in it.");
}

static const char *
get_lost (void)
{
  return _("What it was before is no longer kept.");
}

static const char *
get_half (void)
{
  return _("Other files of this Git directory have changed since.");
}

static gboolean
has_landed_content (Undo *undo, const char *path, const BeckonSpot *spot)
{
  const BeckonFileChange *change = beckon_landing_index_get (undo->lander->index, path);

  return change != NULL && beckon_spot_has_hash (spot, change->after_hash, change->mode_after);
}

static gboolean
is_unchanged (Undo *undo, guint number, const char *path, const BeckonSpot *spot)
{
  BeckonStepState *state = &undo->lander->states[number];

  if (spot->in_folder.st_ino == state->inode
      && beckon_lander_is_unchanged (undo->lander, &spot->in_folder, state->changed_at))
    return !S_ISDIR (spot->in_folder.st_mode)
           || beckon_lander_is_quiet_inside (undo->lander, spot->folder, spot->name, state->done_at);

  /* A file that was written anew with the same content is as good as the same. */
  return has_landed_content (undo, path, spot);
}

/* %NULL if it can be taken back. */
static const char *
find_reason (Undo *undo, guint number, const BeckonLandingStep *step, const char *path, const BeckonSpot *spot)
{
  if (step->action == BECKON_LANDING_DELETE)
    {
      if (spot->is_in_folder)
        return get_taken ();
      if (spot->folder < 0)
        return get_gone ();
      if (step->is_withheld)
        return get_withheld ();
      return spot->is_in_layer ? NULL : get_lost ();
    }

  if (!spot->is_in_folder)
    return get_gone ();
  if (!is_unchanged (undo, number, path, spot))
    return get_changed ();
  if (step->action == BECKON_LANDING_EXCHANGE && step->is_withheld)
    return get_withheld ();
  return step->action == BECKON_LANDING_EXCHANGE && !spot->is_in_layer ? get_lost () : NULL;
}

/* After a crash in the middle of undoing. */
static gboolean
is_undone (Undo *undo, guint number, const BeckonLandingStep *step, const BeckonSpot *spot)
{
  guint64 landed = undo->lander->states[number].inode;

  switch (step->action)
    {
    case BECKON_LANDING_CREATE:
    case BECKON_LANDING_INSIDE:
      return !spot->is_in_folder && spot->is_in_layer && spot->in_layer.st_ino == landed;
    case BECKON_LANDING_EXCHANGE:
      return spot->is_in_folder && spot->in_folder.st_ino == step->before_inode && spot->is_in_layer
             && spot->in_layer.st_ino == landed;
    case BECKON_LANDING_DELETE:
      return spot->is_in_folder && spot->in_folder.st_ino == step->before_inode && !spot->is_in_layer;
    case BECKON_LANDING_FOLDER:
    case BECKON_LANDING_HOLDS:
    default:
      return FALSE;
    }
}

static void
refuse_step (Undo *undo, guint number, const char *path, const char *reason)
{
  int change = find (undo, path);

  undo->lander->states[number].is_refused = TRUE;
  if (change < 0)
    return;
  undo->n_refused[change]++;
  if (undo->reasons[change] == NULL)
    undo->reasons[change] = reason;
}

static void
refuse_bond (Undo *undo, const char *path)
{
  char *bond = beckon_lander_dup_bond (undo->lander, path);

  if (bond != NULL)
    g_hash_table_add (undo->refused, bond);
}

/* Looking first. */

static void
forget_inside (Undo *undo)
{
  g_array_set_size (undo->inside, 0);
  g_ptr_array_set_size (undo->inside_at, 0);
}

static void
look_inside (Undo *undo)
{
  for (guint i = 0; i < undo->inside->len; i++)
    {
      guint number = g_array_index (undo->inside, guint, i);
      const char *path = g_ptr_array_index (undo->inside_at, i);
      g_auto (BeckonSpot) spot = { 0 };

      if (undo->lander->states[number].status != BECKON_STEP_LANDED)
        continue;
      beckon_lander_look (undo->lander, path, -1, &spot);
      if (!spot.is_in_folder && spot.is_in_layer)
        continue;
      if (spot.is_in_folder && is_unchanged (undo, number, path, &spot))
        continue;
      refuse_step (undo, number, path, spot.is_in_folder ? get_changed () : get_gone ());
      if (beckon_lander_is_bound (undo->lander, path))
        refuse_bond (undo, path);
    }
}

static void
correct_modes (Undo *undo, guint number, const BeckonLandingStep *step, BeckonSpot *spot)
{
  gboolean is_new = spot->is_in_folder && spot->in_folder.st_ino == undo->lander->states[number].inode;

  if (undo->lander->resumed == BECKON_LANDER_UNDOES)
    beckon_lander_correct_step (undo->lander, step, spot, !is_new);
}

static void
look_at_step (Undo *undo, guint number, const BeckonLandingStep *step, const char *path)
{
  BeckonStepState *state = &undo->lander->states[number];
  g_auto (BeckonSpot) spot = { 0 };
  const char *reason;

  if (state->status != BECKON_STEP_LANDED)
    return;

  beckon_lander_look (undo->lander, path, beckon_lander_get_merged (undo->lander, step, path), &spot);
  correct_modes (undo, number, step, &spot);
  if (is_undone (undo, number, step, &spot))
    {
      beckon_lander_note_done (undo->lander, &spot);
      return;
    }
  reason = find_reason (undo, number, step, path, &spot);
  if (reason == NULL)
    return;

  /* A new folder that others use as well stays; the files that it came with may still go. */
  if (step->action == BECKON_LANDING_CREATE && undo->inside->len > 0 && spot.is_in_folder
      && spot.in_folder.st_ino == state->inode)
    look_inside (undo);
  else if (undo->inside->len > 0)
    for (guint i = 0; i < undo->inside->len; i++)
      {
        refuse_step (undo, g_array_index (undo->inside, guint, i), g_ptr_array_index (undo->inside_at, i), reason);
        if (beckon_lander_is_bound (undo->lander, g_ptr_array_index (undo->inside_at, i)))
          refuse_bond (undo, g_ptr_array_index (undo->inside_at, i));
      }
  refuse_step (undo, number, path, reason);
  if (step->action != BECKON_LANDING_CREATE || undo->inside->len == 0)
    refuse_bond (undo, path);
}

static void
look_at_folder (Undo *undo, guint number, const BeckonLandingStep *step, const char *path)
{
  BeckonStepState *state = &undo->lander->states[number];
  int fd = beckon_landing_tree_open (undo->lander->folder, path, O_RDONLY | O_DIRECTORY);
  struct stat info;

  state->is_quiet = state->is_quiet && fd >= 0 && fstat (fd, &info) == 0
                    && beckon_landing_tree_get_mtime (&info) == step->after_time;
  if (fd >= 0)
    close (fd);
}

/* A folder that something stays in does not go itself. */
static void
refuse_around (Undo *undo, guint number, const BeckonLandingStep *step, const char *path, gboolean *is_any_refused)
{
  BeckonStepState *state = &undo->lander->states[number];

  if (step->action == BECKON_LANDING_INSIDE)
    {
      *is_any_refused = *is_any_refused || (state->status == BECKON_STEP_LANDED && state->is_refused);
      return;
    }
  if (*is_any_refused && !state->is_refused && step->action != BECKON_LANDING_FOLDER)
    refuse_step (undo, number, path, get_changed ());
  *is_any_refused = FALSE;
}

static void
refuse_bound (Undo *undo)
{
  BeckonLandingStep step;
  const char *path;
  gboolean is_any_refused = FALSE;

  if (g_hash_table_size (undo->refused) == 0)
    return;

  beckon_landing_reader_rewind (undo->lander->reader);
  for (guint i = 0; beckon_landing_reader_next (undo->lander->reader, &step, &path); i++)
    {
      g_autofree char *bond = beckon_lander_dup_bond (undo->lander, path);

      if (bond != NULL && undo->lander->states[i].status == BECKON_STEP_LANDED
          && !undo->lander->states[i].is_refused && step.action != BECKON_LANDING_FOLDER
          && g_hash_table_contains (undo->refused, bond))
        refuse_step (undo, i, path, get_half ());
      refuse_around (undo, i, &step, path, &is_any_refused);
    }
}

static void
note_inside (Undo *undo, guint number, const BeckonLandingStep *step, const char *path)
{
  undo->are_held = step->action == BECKON_LANDING_HOLDS;
  g_array_append_val (undo->inside, number);
  g_ptr_array_add (undo->inside_at, g_strdup (path));
}

static void
look_at_all (Undo *undo)
{
  BeckonLandingStep step;
  const char *path;

  beckon_landing_reader_rewind (undo->lander->reader);
  for (guint i = 0; beckon_landing_reader_next (undo->lander->reader, &step, &path); i++)
    {
      undo->lander->states[i].is_refused = FALSE;
      if (step.action == BECKON_LANDING_INSIDE || step.action == BECKON_LANDING_HOLDS)
        {
          note_inside (undo, i, &step, path);
          continue;
        }
      if (step.action == BECKON_LANDING_FOLDER && undo->lander->resumed != BECKON_LANDER_UNDOES
          && undo->lander->states[i].status == BECKON_STEP_LANDED)
        look_at_folder (undo, i, &step, path);
      else if (step.action != BECKON_LANDING_FOLDER)
        look_at_step (undo, i, &step, path);
      forget_inside (undo);
    }
  refuse_bound (undo);
}

/* Taking back. */

static void
count (Undo *undo, guint number, const char *path, BeckonMove move)
{
  int change = find (undo, path);

  if (move == BECKON_MOVE_DONE)
    {
      undo->lander->states[number].status = BECKON_STEP_UNDONE;
      undo->lander->is_done_now[number] = TRUE;
    }
  if (change < 0)
    return;
  if (move == BECKON_MOVE_DONE)
    undo->n_done[change]++;
  else
    {
      undo->n_refused[change]++;
      undo->reasons[change] = move == BECKON_MOVE_CHANGED ? get_changed () : g_strerror (errno);
    }
}

static void
take_out_inside (Undo *undo)
{
  for (guint i = 0; i < undo->inside->len; i++)
    {
      guint number = g_array_index (undo->inside, guint, i);
      const char *path = g_ptr_array_index (undo->inside_at, i);
      g_auto (BeckonSpot) spot = { 0 };

      if (undo->lander->states[number].status != BECKON_STEP_LANDED || undo->lander->states[number].is_refused)
        continue;
      beckon_lander_look (undo->lander, path, -1, &spot);
      count (undo, number, path,
             spot.is_in_folder  ? beckon_lander_move_out (undo->lander, path, &spot)
             : spot.is_in_layer ? BECKON_MOVE_DONE
                                : BECKON_MOVE_CHANGED);
    }
}

/* A folder that the command made goes when nothing is left in it, used meanwhile or not. In the layer it stays, for
 * redoing. */
static void
remove_if_empty (Undo *undo, guint number, const char *path)
{
  g_autofree char *inner = g_strconcat (path, "/.", NULL);
  int change = find (undo, path);
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
  if (change >= 0 && undo->n_refused[change] > 0)
    undo->n_refused[change]--;
  count (undo, number, path, BECKON_MOVE_DONE);
}

static void
remove_emptied (Undo *undo, guint number, const char *path)
{
  for (guint i = undo->inside->len; i > 0; i--)
    remove_if_empty (undo, g_array_index (undo->inside, guint, i - 1), g_ptr_array_index (undo->inside_at, i - 1));
  if (undo->inside->len > 0)
    remove_if_empty (undo, number, path);
}

/* Things that came or went with a folder share its fate. */
static void
count_inside (Undo *undo, const BeckonLandingStep *step)
{
  for (guint i = 0; i < undo->inside->len; i++)
    {
      guint number = g_array_index (undo->inside, guint, i);
      const char *path = g_ptr_array_index (undo->inside_at, i);

      if (undo->lander->states[number].status != BECKON_STEP_LANDED)
        continue;
      if (!undo->are_held)
        count (undo, number, path, BECKON_MOVE_DONE);
      else
        refuse_step (undo, number, path, get_withheld ());
    }
}

static BeckonMove
take_back (Undo *undo, guint number, const BeckonLandingStep *step, const char *path, BeckonSpot *spot)
{
  if (is_undone (undo, number, step, spot))
    {
      beckon_lander_stir (undo->lander);
      return BECKON_MOVE_DONE;
    }
  if (step->action == BECKON_LANDING_CREATE)
    return beckon_lander_move_out (undo->lander, path, spot);
  if (step->action == BECKON_LANDING_DELETE)
    return beckon_lander_move_in (undo->lander, path, spot);

  return beckon_lander_exchange (undo->lander, path, spot);
}

static void
undo_step (Undo *undo, guint number, const BeckonLandingStep *step, const char *path)
{
  BeckonStepState *state = &undo->lander->states[number];
  g_auto (BeckonSpot) spot = { 0 };
  BeckonMove move;

  if (state->status != BECKON_STEP_LANDED)
    return;
  if (state->is_refused)
    {
      if (step->action == BECKON_LANDING_CREATE)
        {
          take_out_inside (undo);
          remove_emptied (undo, number, path);
        }
      return;
    }

  beckon_lander_look (undo->lander, path, beckon_lander_get_merged (undo->lander, step, path), &spot);
  move = take_back (undo, number, step, path, &spot);
  count (undo, number, path, move);
  if (move == BECKON_MOVE_DONE)
    count_inside (undo, step);
}

/* Whether the change of a folder's mode has landed, and is to be taken back. */
static gboolean
has_mode_to_undo (Undo *undo, const BeckonLandingStep *step, const char *path)
{
  int change = beckon_landing_index_find_exactly (undo->lander->index, path);

  return change >= 0 && get_change (undo, change)->fate == BECKON_FILE_KEPT && step->mode_before != step->mode_after;
}

/* %TRUE if it is the old one again. */
static gboolean
undo_mode (Undo *undo, guint number, const BeckonLandingStep *step, const char *path, int fd)
{
  gboolean is_change = has_mode_to_undo (undo, step, path);
  struct stat info;
  guint now;

  if (fstat (fd, &info) != 0)
    return FALSE;

  now = info.st_mode & 07777;
  if (!beckon_lander_is_mode (undo->lander, now, step->mode_before)
      && !beckon_lander_is_mode (undo->lander, now, step->mode_after))
    {
      if (is_change)
        refuse_step (undo, number, path, get_changed ());
      return FALSE;
    }
  if (!is_change)
    {
      if (now != step->mode_before && beckon_lander_is_mode (undo->lander, now, step->mode_before))
        fchmod (fd, step->mode_before);
      return FALSE;
    }

  beckon_lander_reach ();
  count (undo, number, path, fchmod (fd, step->mode_before) == 0 ? BECKON_MOVE_DONE : BECKON_MOVE_FAILED);
  beckon_lander_note_folder (fd);
  return TRUE;
}

static void
undo_folder (Undo *undo, guint number, const BeckonLandingStep *step, const char *path)
{
  BeckonStepState *state = &undo->lander->states[number];
  int fd = state->status == BECKON_STEP_LANDED
               ? beckon_landing_tree_open (undo->lander->folder, path, O_RDONLY | O_DIRECTORY)
               : -1;

  gboolean is_set;

  if (fd < 0)
    return;

  is_set = undo_mode (undo, number, step, path, fd);
  if (state->is_quiet && (is_set || g_hash_table_contains (undo->lander->stirred, path)))
    beckon_lander_set_time (fd, step->before_time);
  state->status = BECKON_STEP_UNDONE;
  close (fd);
}

/* Undone before, by a process that ended before that was stored. */
static void
count_earlier (Undo *undo, guint number, const BeckonLandingStep *step, const char *path)
{
  gboolean is_change = step->action != BECKON_LANDING_FOLDER || step->mode_before != step->mode_after;
  int change = find (undo, path);

  if (change >= 0 && is_change && undo->lander->states[number].status == BECKON_STEP_UNDONE)
    undo->n_done[change]++;
}

static void
undo_all (Undo *undo)
{
  BeckonLandingStep step;
  const char *path;

  beckon_landing_reader_rewind (undo->lander->reader);
  for (guint i = 0; beckon_landing_reader_next (undo->lander->reader, &step, &path); i++)
    {
      count_earlier (undo, i, &step, path);
      if (step.action == BECKON_LANDING_INSIDE || step.action == BECKON_LANDING_HOLDS)
        {
          note_inside (undo, i, &step, path);
          continue;
        }
      if (step.action == BECKON_LANDING_FOLDER)
        undo_folder (undo, i, &step, path);
      else
        undo_step (undo, i, &step, path);
      forget_inside (undo);
    }
}

static gboolean
record (gpointer data, guint number, const BeckonLandingStep *step, const char *path)
{
  Undo *undo = data;
  const BeckonFileChange *change = beckon_landing_index_get (undo->lander->index, path);
  gboolean is_known = FALSE;
  g_auto (BeckonSpot) spot = { 0 };

  beckon_lander_look (undo->lander, path, -1, &spot);
  if (undo->lander->resumed != BECKON_LANDER_RESTS && change != NULL)
    is_known = beckon_spot_has_hash (&spot, change->before_hash, change->mode_before);
  return beckon_lander_record (undo->lander, number, &spot, is_known, undo->lander->done_at);
}

static void
settle (Undo *undo)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (undo->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (undo->landing->changes, i);

      if (change->fate != BECKON_FILE_KEPT)
        continue;
      if (undo->n_refused[i] > 0)
        {
          g_free (change->remark);
          change->remark = g_strdup (undo->reasons[i]);
        }
      else if (undo->n_done[i] > 0 || undo->only_looks)
        g_clear_pointer (&change->remark, g_free);
      if (undo->n_done[i] > 0)
        change->fate = BECKON_FILE_UNDONE;
    }
}

static gboolean
run (BeckonLanding *landing, gboolean only_looks, GError **error)
{
  g_autoptr (BeckonLander) lander = beckon_lander_open (landing, error);
  gboolean is_done;
  Undo undo;

  if (lander == NULL || (!only_looks && !beckon_lander_stage_in (lander, error)))
    return FALSE;

  undo_init (&undo, lander);
  undo.only_looks = only_looks;
  look_at_all (&undo);
  is_done = only_looks || beckon_lander_save (lander, BECKON_LANDER_UNDOES, error);
  if (is_done && !only_looks)
    {
      undo_all (&undo);
      syncfs (lander->folder);
      is_done = beckon_lander_record_all (lander, record, &undo, error) && beckon_lander_stage_out (lander, error);
      landing->kept_bytes = beckon_landing_place_measure (landing->place);
    }
  if (is_done)
    settle (&undo);
  undo_clear (&undo);
  return is_done;
}

/* Landed, but what has come of the steps could not be written down then. */
static gboolean
is_unrecorded (BeckonLanding *landing)
{
  g_autoptr (BeckonLander) lander = beckon_lander_open (landing, NULL);

  return lander != NULL && lander->resumed == BECKON_LANDER_LANDS;
}

gboolean
beckon_lander_undo (BeckonLanding *landing, GError **error)
{
  g_return_val_if_fail (landing != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (is_unrecorded (landing) && !beckon_lander_land (landing, error))
    return FALSE;

  return run (landing, FALSE, error);
}

gboolean
beckon_lander_check_undo (BeckonLanding *landing, GError **error)
{
  g_return_val_if_fail (landing != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return run (landing, TRUE, error);
}
