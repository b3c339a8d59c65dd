/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-landing-content.h"
#include "beckon-landing-copy.h"
#include "beckon-landing-place.h"
#include "beckon-landing-survey-private.h"
#include "beckon-landing-tree-copy.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS G_GINT64_CONSTANT (1000000000)

/* The clock that ctimes are taken from lags behind this one by up to a tick. So nothing that was changed before is
 * later than its time of now; and what is changed within the same tick is changed before a command could begin to read
 * it. Some kernels give a ctime the full resolution when it was looked at, which is never later either. */
gint64
beckon_landing_survey_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  return (gint64) now.tv_sec * NANOSECONDS + now.tv_nsec;
}

/* Files that the sandbox hides from the command are not deleted by it. */
static gboolean
survey_gone (BeckonSurvey *self, int lower, const char *name)
{
  struct stat before;

  if (lower < 0 || !beckon_landing_tree_look (lower, name, &before) || beckon_survey_is_denied (self, TRUE))
    return FALSE;

  self->n_gone++;
  return S_ISDIR (before.st_mode) ? beckon_survey_note_gone_folder (self, lower, -1, name, &before, NULL)
                                  : beckon_survey_note_file (self, lower, -1, name, &before, NULL, BECKON_FILE_OPEN, FALSE);
}

/* Whether another writer made it since. Where the file system does not know, what was touched since is taken for new. */
static gboolean
is_new_in_folder (BeckonSurvey *self, int lower, const char *name, const struct stat *info)
{
  gint64 birth = beckon_landing_tree_get_birth (lower, name);

  return birth >= 0 ? birth > beckon_survey_get_landed (self, self->base)
                    : beckon_survey_is_later (self, info);
}

static gboolean
landing_survey_is_same (
    BeckonSurvey *self, int lower, int upper, const char *name, const struct stat *before, const struct stat *after)
{
  g_auto (BeckonFd) old = -1;
  g_auto (BeckonFd) new = -1;
  g_autofree char *attributes = NULL;
  gboolean is_read;

  if ((before->st_mode & S_IFMT) != (after->st_mode & S_IFMT) || (before->st_mode & 07777) != (after->st_mode & 07777))
    return FALSE;
  if (S_ISLNK (after->st_mode))
    {
      g_autofree char *was = beckon_landing_tree_read_link (lower, name);
      g_autofree char *is = beckon_landing_tree_read_link (upper, name);

      return g_strcmp0 (was, is) == 0;
    }
  if (!S_ISREG (after->st_mode))
    return S_ISFIFO (after->st_mode) || before->st_rdev == after->st_rdev;
  if (before->st_size != after->st_size)
    return FALSE;

  old = beckon_survey_open_regular (lower, name, before, FALSE);
  new = beckon_survey_open_regular (upper, name, after, TRUE);
  if (old < 0 || new < 0 || !beckon_landing_content_is_same (old, new, self->cancellable, &is_read))
    return FALSE;
  attributes = beckon_landing_attributes_dup_changed (old, new);
  return attributes == NULL;
}

static void survey_folder (BeckonSurvey *self, int lower, int upper, gboolean is_opaque);

static gboolean
is_opaque (int upper, const char *name)
{
  char value[2];

  return beckon_landing_tree_get_attribute (upper, name, BECKON_LANDING_TREE_OVERLAY "opaque", value, sizeof value) == 1
         && value[0] == 'y';
}

/* Whether a folder was there before the command; a file may have been renamed. */
static gboolean
came_from_folder (int upper, const char *name)
{
  return !is_opaque (upper, name)
         && beckon_landing_tree_get_attribute (upper, name, BECKON_LANDING_TREE_OVERLAY "origin", NULL, 0) >= 0;
}

/* Something that landed while the command ran, and is gone now, was deleted by another writer. */
static gboolean
landing_survey_has_landed (BeckonSurvey *self)
{
  return beckon_survey_get_landed (self, -1) >= 0;
}

/* Whether the command may not have seen the person's folder: another one was there, or none, or it made its own anew where
 * another writer was at work too. What is in such a folder may be older than the command. */
static gboolean
came_meanwhile (BeckonSurvey *self, int lower, int upper, const char *name, const struct stat *before,
                gboolean is_parent_later)
{
  gboolean is_ours = landing_survey_has_landed (self) && !is_new_in_folder (self, lower, name, before);
  gboolean is_later = beckon_survey_is_later (self, before);

  if (self->is_replacing || is_opaque (upper, name))
    return is_later;

  /* A folder that was moved to where it is has a new ctime and its old mtime, until something in it changes as well. */
  return (!is_ours && !came_from_folder (upper, name))
         || (is_parent_later && is_later && beckon_landing_tree_get_mtime (before) <= self->base);
}

static void
survey_both_folders (BeckonSurvey *self, int lower, int upper, const char *name, const struct stat *before,
                     const struct stat *after, gboolean is_parent_later)
{
  const gboolean was_replacing = self->is_replacing;
  const gboolean was_contested = self->is_contested;
  gboolean replaces = (was_replacing || is_opaque (upper, name)) && !is_new_in_folder (self, lower, name, before);
  g_auto (BeckonFd) old = openat (lower, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  g_auto (BeckonFd) new = old >= 0 ? beckon_landing_tree_open_ours (upper, name, O_RDONLY | O_DIRECTORY) : -1;
  const int problem = errno;

  self->is_contested = was_contested || came_meanwhile (self, lower, upper, name, before, is_parent_later);
  self->is_replacing = replaces;
  if (beckon_survey_is_too_deep (self))
    beckon_survey_note_unread (self, before, after, N_("The folder is nested too deeply."));
  else if (old < 0 || new < 0)
    beckon_survey_note_unread (self, before, after, beckon_errno_describe (problem));
  else
    survey_folder (self, old, new, replaces);
  self->is_replacing = was_replacing;
  self->is_contested = was_contested;
}

/* A thing that is not in the folder. Whoever deleted a folder of the person's there wins, whatever the command did in it; so
 * does the deletion of a file that has landed, told only if the command has changed it since. */
static gboolean
survey_new (BeckonSurvey *self, int upper, const char *name, const struct stat *after, gboolean is_parent_later)
{
  const gboolean is_folder = S_ISDIR (after->st_mode), was_here = landing_survey_has_landed (self);
  const gboolean comes_from = came_from_folder (upper, name);
  const BeckonFileFate fate = was_here || (is_folder && comes_from) ? BECKON_FILE_CONFLICT : BECKON_FILE_OPEN;

  if (is_folder)
    return beckon_survey_note_new_folder (self, upper, name, after, fate);

  return (!was_here || beckon_landing_tree_get_ctime (after) > beckon_survey_get_landed (self, -1))
         && beckon_survey_note_file (self, -1, upper, name, NULL, after, fate, !was_here && comes_from && is_parent_later);
}

/* %TRUE if a thing is moved in or out of the folder that holds it, by a step of its own. */
static gboolean
survey_entry (BeckonSurvey *self, int lower, int upper, const char *name, gboolean is_parent_later)
{
  struct stat before, after;
  gboolean was_there = lower >= 0 && beckon_landing_tree_look (lower, name, &before);

  if (!beckon_landing_tree_look (upper, name, &after))
    return FALSE;
  if (beckon_landing_tree_is_whiteout (upper, name, &after))
    return survey_gone (self, lower, name);
  if (!was_there)
    return survey_new (self, upper, name, &after, is_parent_later);
  if (S_ISDIR (after.st_mode) && S_ISDIR (before.st_mode))
    {
      survey_both_folders (self, lower, upper, name, &before, &after, is_parent_later);
      return FALSE;
    }
  if (S_ISDIR (after.st_mode))
    return beckon_survey_note_folder_for_file (self, lower, upper, name, &before, &after);
  if (S_ISDIR (before.st_mode))
    return beckon_survey_note_gone_folder (self, lower, upper, name, &before, &after);

  return !landing_survey_is_same (self, lower, upper, name, &before, &after)
         && beckon_survey_note_file (self, lower, upper, name, &before, &after, BECKON_FILE_OPEN, FALSE);
}

static gboolean
survey_name (BeckonSurvey *self, int lower, int upper, const char *name, gboolean is_parent_later)
{
  gsize length = beckon_survey_enter (self, name);
  gboolean moves = FALSE;
  struct stat after;

  if (self->path->len > BECKON_LANDING_TREE_MAX_PATH && beckon_landing_tree_look (upper, name, &after))
    beckon_survey_note_unread (self, NULL, &after, N_("The folder is nested too deeply."));
  else if (beckon_landing_root_is_elsewhere (&self->root, self->path->str) && lower == self->lower)
    {
      /* The Git directory that lies elsewhere, in the place of the folder's own. */
      g_auto (BeckonFd) git = beckon_landing_tree_open_ours (upper, name, O_RDONLY | O_DIRECTORY);

      if (git >= 0)
        survey_folder (self, self->root.git, git, FALSE);
    }
  else if (!beckon_landing_table_covers (self->hidden, self->path->str))
    moves = survey_entry (self, lower, upper, name, is_parent_later);
  beckon_survey_pop (self, length);
  return moves;
}

static gboolean
survey_present (BeckonSurvey *self, int lower, int upper, gboolean is_parent_later)
{
  g_autoptr (BeckonEntries) entries = beckon_landing_tree_list (upper, ".", FALSE);
  gboolean moves = FALSE;
  const char *name;

  while (!g_cancellable_is_cancelled (self->cancellable) && (name = beckon_landing_tree_next (entries)) != NULL)
    moves = survey_name (self, lower, upper, name, is_parent_later) || moves;
  return moves;
}

/* Finds what is in the folder and not in the view, though nothing says that it was deleted. */
static gboolean
survey_missing (BeckonSurvey *self, int lower, int upper)
{
  g_autoptr (BeckonEntries) entries = beckon_landing_tree_list (lower, ".", FALSE);
  gboolean moves = FALSE;
  const char *name;

  while (!g_cancellable_is_cancelled (self->cancellable) && (name = beckon_landing_tree_next (entries)) != NULL)
    {
      gsize length = beckon_survey_enter (self, name);
      struct stat info;

      if (!beckon_landing_tree_look (upper, name, &info) && beckon_landing_tree_look (lower, name, &info)
          && !is_new_in_folder (self, lower, name, &info) && !beckon_landing_table_covers (self->hidden, self->path->str))
        moves = survey_gone (self, lower, name) || moves;
      beckon_survey_pop (self, length);
    }
  return moves;
}

static void
survey_folder (BeckonSurvey *self, int lower, int upper, gboolean replaces)
{
  struct stat before, after;
  BeckonLandingStep step;
  gboolean moves;

  if (fstat (lower, &before) != 0 || fstat (upper, &after) != 0)
    return;

  moves = survey_present (self, lower, upper,
                          beckon_landing_tree_get_mtime (&before)
                          > beckon_survey_get_landed (self, self->base));
  if (replaces)
    moves = survey_missing (self, lower, upper) || moves;
  step = beckon_survey_make_step (BECKON_LANDING_FOLDER, &before, &after);
  if (beckon_survey_is_layer (self))
    step.mode_after = step.mode_before;
  moves = beckon_survey_note_folder (self, lower, upper, &before, &after) || moves;
  step.sets_time = moves && !beckon_survey_is_later (self, &before);
  if (moves)
    beckon_landing_writer_add (self->writer, &step, beckon_survey_get_path (self));
}

/* Renames need a deletion; without any, there are none. */
static void
settle_doubts (BeckonSurvey *self)
{
  for (guint i = 0; i < self->doubtful->len; i++)
    {
      BeckonDoubtful *doubtful = g_ptr_array_index (self->doubtful, i);

      if (self->n_gone == 0)
        doubtful->change->fate = BECKON_FILE_CONFLICT;
      self->is_clean = doubtful->step.is_clean;
      beckon_survey_write_step (self, &doubtful->step, doubtful->change, doubtful->change->path);
      beckon_landing_listing_take (self->listing, g_steal_pointer (&doubtful->change));
    }
}

static void
doubtful_free (gpointer data)
{
  BeckonDoubtful *doubtful = data;

  g_clear_pointer (&doubtful->change, beckon_file_change_free);
  g_free (doubtful);
}

/* No half commits: where anything but an object of a Git directory cannot land, nothing else of it does. */
static void
spread_conflicts (BeckonChangeSet *set)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (set, i);
      gboolean is_object;
      gsize length = beckon_landing_get_git_length (change->path, &is_object);

      if (length == 0 || is_object || change->fate != BECKON_FILE_CONFLICT)
        continue;
      for (guint j = 0; j < beckon_change_set_get_n_changes (set); j++)
        {
          BeckonFileChange *other = beckon_change_set_get (set, j);

          if (other->fate == BECKON_FILE_OPEN && beckon_landing_get_git_length (other->path, &is_object) == length
              && !is_object && strncmp (other->path, change->path, length) == 0)
            other->fate = BECKON_FILE_CONFLICT;
        }
    }
}

/* A list of files that the command could not see is not what it makes of it, nor is a commit of them. */
static void
refuse_beyond (BeckonSurvey *self, BeckonChangeSet *set)
{
  for (guint i = 0; self->root.is_beyond && i < beckon_change_set_get_n_changes (set); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (set, i);

      if (change->fate != BECKON_FILE_OPEN || !beckon_landing_root_is_elsewhere (&self->root, change->path))
        continue;
      change->fate = BECKON_FILE_FAILED;
      g_free (change->remark);
      change->remark
          = g_strdup (N_("It concerns files of the repository outside of this folder, which the command could not see."));
    }
}

static BeckonChangeSet *
landing_survey_run (BeckonSurvey *self, const char *place, GError **error)
{
  BeckonChangeSet *set;

  survey_folder (self, self->lower, self->upper, FALSE);
  settle_doubts (self);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
      || !beckon_landing_writer_close (self->writer, error))
    return NULL;

  set = beckon_landing_listing_finish (self->listing);
  beckon_landing_renames_bind (self->renames, set, self->lower, self->upper, self->mask, &self->diffs_left, self->cancellable);
  refuse_beyond (self, set);
  beckon_survey_bind_commits (self, place, set);
  spread_conflicts (set);
  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    beckon_survey_note_by_product (self, beckon_change_set_get (set, i));
  return set;
}

BeckonChangeSet *
beckon_landing_survey (const char *place,
                       const char *folder,
                       gint64 base,
                       BeckonDeniedPaths *denied,
                       BeckonMask *mask,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (GHashTable) hidden = NULL;
  g_autoptr (GHashTable) landed = NULL;
  BeckonSurvey self = { .folder = folder, .place = place, .base = base, .denied = denied, .mask = mask,
                        .cancellable = cancellable, .root = BECKON_LANDING_ROOT_INIT };
  BeckonChangeSet *set = NULL;
  g_auto (BeckonFd) fd = -1;
  g_auto (BeckonFd) upper = -1;

  g_return_val_if_fail (place != NULL && g_path_is_absolute (place), NULL);
  g_return_val_if_fail (folder != NULL && g_path_is_absolute (folder), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!beckon_landing_copy_to_upper (place, error))
    return NULL;
  hidden = beckon_landing_table_load (place, BECKON_LANDING_HIDDEN, 0, error);
  landed = hidden != NULL ? beckon_landing_table_load (place, BECKON_SURVEY_LANDED, sizeof (BeckonLandedRecord), error) : NULL;
  if (landed == NULL)
    return NULL;

  /* Since then every ctime is earlier by that much than it should be. */
  self.base -= beckon_landing_place_get_step_back (place);
  self.landed = landed;
  self.hidden = hidden;
  fd = open (place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  self.upper = upper = fd >= 0 ? beckon_landing_tree_open (fd, "upper", O_RDONLY | O_DIRECTORY) : -1;
  if (upper < 0)
    beckon_landing_tree_refuse (place, error);
  else if (!beckon_landing_root_open (&self.root, folder, fd, error)
           || !beckon_landing_root_join (&self.root, place, fd, error))
    set = NULL;
  else if (!beckon_landing_place_is_of (fd, self.root.folder))
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” was moved or replaced meanwhile."), folder);
  else if ((self.writer = beckon_landing_writer_new (fd, beckon_landing_survey_now (), error)) != NULL)
    {
      self.lower = self.root.folder;
      self.path = g_string_new (NULL);
      self.diffs_left = BECKON_CHANGE_SET_MAX_DIFFS;
      self.listing = beckon_landing_listing_new ();
      self.renames = beckon_landing_renames_new ();
      self.doubtful = g_ptr_array_new_with_free_func (doubtful_free);
      set = landing_survey_run (&self, place, error);
      g_ptr_array_unref (self.doubtful);
      g_clear_pointer (&self.runners, beckon_runners_free);
      beckon_landing_listing_free (self.listing);
      beckon_landing_renames_free (self.renames);
      g_string_free (self.path, TRUE);
      beckon_landing_writer_free (self.writer);
    }
  beckon_landing_root_clear (&self.root);
  return set;
}
