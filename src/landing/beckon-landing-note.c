/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-content.h"
#include "beckon-landing-survey-private.h"
#include "beckon-landing-tree-copy.h"
#include "beckon-landing-tree.h"

#include "base/beckon-path.h"
#include "base/beckon-tree-stamp.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>

/* A new folder with more files is one change; those in it that wait, or do not land, are still listed by themselves. */
#define FEW_FILES BECKON_CHANGE_SET_MAX_LISTED

/* The same of one that is a trigger, as a hidden folder of an editor. */
#define FEW_TRIGGERS 30

gsize
beckon_survey_enter (BeckonSurvey *self, const char *name)
{
  gsize length = self->path->len;

  g_string_append_printf (self->path, "%s%s", length > 0 ? "/" : "", name);
  self->depth++;
  return length;
}

void
beckon_survey_pop (BeckonSurvey *self, gsize length)
{
  g_string_truncate (self->path, length);
  self->depth--;
}

const char *
beckon_survey_get_path (BeckonSurvey *self)
{
  return self->path->len > 0 ? self->path->str : ".";
}

gboolean
beckon_survey_is_too_deep (BeckonSurvey *self)
{
  return self->depth > BECKON_LANDING_TREE_MAX_DEPTH || self->path->len > BECKON_LANDING_TREE_MAX_PATH;
}

gboolean
beckon_survey_is_layer (BeckonSurvey *self)
{
  return self->path->len == 0
         || (self->depth == 1 && beckon_landing_root_is_elsewhere (&self->root, self->path->str));
}

gint64
beckon_survey_get_landed (BeckonSurvey *self, gint64 base)
{
  g_autofree char *at = NULL;
  const BeckonLandedRecord *landed;
  gint64 time = base;
  char *slash;

  if (g_hash_table_size (self->landed) == 0)
    return base;

  at = g_strdup (beckon_survey_get_path (self));
  landed = g_hash_table_lookup (self->landed, at);
  if (landed != NULL)
    time = MAX (base, landed->time);
  while ((slash = strrchr (at, '/')) != NULL)
    {
      *slash = '\0';
      landed = g_hash_table_lookup (self->landed, at);
      if (landed != NULL && landed->with_all)
        time = MAX (time, landed->time);
    }
  return time;
}

gboolean
beckon_survey_is_later (BeckonSurvey *self, const struct stat *info)
{
  return self->is_contested || beckon_landing_tree_get_ctime (info) > beckon_survey_get_landed (self, self->base);
}

/* Types and links. */

static BeckonFileType
get_type (const struct stat *info)
{
  if (S_ISREG (info->st_mode))
    return BECKON_FILE_REGULAR;
  if (S_ISDIR (info->st_mode))
    return BECKON_FILE_FOLDER;

  return S_ISLNK (info->st_mode) ? BECKON_FILE_LINK : BECKON_FILE_OTHER;
}

static guint
get_mode (const struct stat *info)
{
  return info->st_mode & 07777;
}

static void
landing_note_fail (BeckonFileChange *change, const char *why)
{
  change->fate = BECKON_FILE_FAILED;
  g_free (change->remark);
  change->remark = g_strdup (why);
}

/* Making changes and steps of what is found. */

static BeckonFileChange *
survey_make_change (BeckonSurvey *self, BeckonFileChangeKind kind, const struct stat *before, const struct stat *after)
{
  BeckonFileChange *change
      = beckon_file_change_new (beckon_survey_get_path (self), kind, get_type (after != NULL ? after : before));

  if (before != NULL)
    {
      change->type_before = get_type (before);
      change->mode_before = get_mode (before);
      change->before_inode = before->st_ino;
      change->before_changed_at = beckon_landing_tree_get_ctime (before);
    }
  if (after != NULL)
    {
      change->mode_after = get_mode (after);
      change->after_inode = after->st_ino;
    }
  if (S_ISREG ((after != NULL ? after : before)->st_mode))
    change->size = (guint64) (after != NULL ? after : before)->st_size;
  return change;
}

BeckonLandingStep
beckon_survey_make_step (BeckonLandingAction action, const struct stat *before, const struct stat *after)
{
  BeckonLandingStep step;

  memset (&step, 0, sizeof step);
  step.action = action;
  if (before != NULL)
    {
      step.mode_before = get_mode (before);
      step.before_inode = before->st_ino;
      step.before_changed_at = beckon_landing_tree_get_ctime (before);
      step.before_time = beckon_landing_tree_get_mtime (before);
      step.size = S_ISREG (before->st_mode) ? (guint64) before->st_size : 0;
    }
  if (after != NULL)
    {
      step.mode_after = get_mode (after);
      step.after_inode = after->st_ino;
      step.after_time = beckon_landing_tree_get_mtime (after);
    }
  return step;
}

/* The two files of a change are opened where they stand; what cannot be opened is described without its content. */
static void
landing_note_describe (BeckonSurvey *self, BeckonFileChange *change, int before, int after)
{
  beckon_landing_content_describe (change, before, after, self->mask, &self->diffs_left, self->cancellable);
  self->is_clean = after >= 0 && !beckon_landing_content_has_secret (after, self->mask, self->cancellable);
}

int
beckon_survey_open_regular (int folder, const char *name, const struct stat *info, gboolean is_ours)
{
  int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

  if (info == NULL || !S_ISREG (info->st_mode))
    return -1;

  return is_ours ? beckon_landing_tree_open_ours (folder, name, O_RDONLY) : openat (folder, name, flags);
}

/* A file that both have changed is for a person to decide: both sides are there. Of a Git directory nothing lands by half, and
 * what the command did not see at all it does not replace. */
static void
settle_contested (BeckonSurvey *self, BeckonFileChange *change)
{
  gboolean is_object;

  /* Git writes its index anew when somebody only looks. */
  if (!self->is_contested && !self->is_replacing && beckon_landing_root_holds_index (&self->root, self->place, change->path))
    return;
  if (self->is_contested || self->is_replacing || change->type != BECKON_FILE_REGULAR
      || change->type_before != BECKON_FILE_REGULAR || beckon_landing_get_git_length (change->path, &is_object) > 0)
    {
      change->fate = BECKON_FILE_CONFLICT;
      return;
    }
  if (change->concern != BECKON_FILE_CONCERN_NONE && change->remark == NULL)
    change->remark = g_strdup (beckon_file_concern_to_words (change->concern));
  change->concern = BECKON_FILE_CONCERN_CONFLICT;
}

/* The fate of a change, as far as it is settled already. @before, @after: (nullable): of what was there, and of what is. */
static void
settle_change (BeckonSurvey *self, BeckonFileChange *change, const struct stat *before, const struct stat *after)
{
  if (beckon_survey_is_denied (self, FALSE))
    change->fate = BECKON_FILE_DENIED;
  else if (after != NULL && !S_ISREG (after->st_mode) && !S_ISDIR (after->st_mode) && !S_ISLNK (after->st_mode)
           && !S_ISFIFO (after->st_mode))
    landing_note_fail (change, N_("Sockets and devices can’t be added to the folder."));
  else if (before != NULL && beckon_survey_is_later (self, before))
    settle_contested (self, change);
}

/* New folders: everything in them comes with one step. */

typedef struct
{
  GPtrArray *few;     /* (element-type BeckonFileChange): the files, as long as they are few */
  GPtrArray *special; /* (element-type BeckonFileChange): those that are listed by themselves in any case */
  guint n_files;
  guint64 size;
  gboolean is_trigger; /* all of it */
  gboolean is_too_deep;
  gboolean is_denied;       /* there is more that is denied than was listed */
  BeckonFileConcern beyond; /* of what is special and was too much to be listed */
} Whole;

static void
whole_init (Whole *whole, gboolean is_trigger)
{
  *whole = (Whole){ .is_trigger = is_trigger };
  whole->few = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_file_change_free);
  whole->special = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_file_change_free);
}

static void
whole_clear (Whole *whole)
{
  g_ptr_array_unref (whole->few);
  g_ptr_array_unref (whole->special);
}

static gboolean scan_whole (BeckonSurvey *self, int folder, const char *name, Whole *whole);

static BeckonFileChange *
make_new (BeckonSurvey *self, int folder, const char *name, const struct stat *info, Whole *whole)
{
  BeckonFileChange *change = survey_make_change (self, BECKON_FILE_CREATED, NULL, info);

  beckon_survey_judge (self, folder, name, info, change);
  if (change->concern == BECKON_FILE_CONCERN_NONE && whole->is_trigger)
    change->concern = BECKON_FILE_CONCERN_TRIGGER;
  settle_change (self, change, NULL, info);
  return change;
}

static void
add_new (BeckonSurvey *self, Whole *whole, BeckonFileChange *change)
{
  gboolean is_special = change->fate != BECKON_FILE_OPEN || (change->concern != BECKON_FILE_CONCERN_NONE && !whole->is_trigger);

  if (is_special && whole->special->len < FEW_FILES)
    {
      g_ptr_array_add (whole->special, change);
      return;
    }

  if (is_special && whole->beyond == BECKON_FILE_CONCERN_NONE)
    whole->beyond = change->concern != BECKON_FILE_CONCERN_NONE ? change->concern : BECKON_FILE_CONCERN_RULE;
  whole->is_denied = whole->is_denied || (is_special && change->fate == BECKON_FILE_DENIED);
  whole->n_files++;
  whole->size += change->size;
  if (whole->n_files <= FEW_FILES)
    g_ptr_array_add (whole->few, change);
  else
    beckon_file_change_free (change);
}

/* A folder in a new one that is a trigger, as .vscode: many files in it are one change, and so is an empty one. */
static void
scan_trigger (BeckonSurvey *self, int folder, const char *name, const struct stat *info, Whole *whole)
{
  Whole inner;

  whole_init (&inner, TRUE);
  if (!scan_whole (self, folder, name, &inner))
    add_new (self, whole, make_new (self, folder, name, info, whole));
  whole->is_too_deep = whole->is_too_deep || inner.is_too_deep;
  whole->is_denied = whole->is_denied || inner.is_denied;
  if (inner.n_files > FEW_TRIGGERS)
    {
      BeckonFileChange *change = survey_make_change (self, BECKON_FILE_CREATED, NULL, info);

      change->concern = BECKON_FILE_CONCERN_TRIGGER;
      change->n_files = inner.n_files;
      change->size = inner.size;
      add_new (self, whole, change);
    }
  else
    while (inner.few->len > 0)
      add_new (self, whole, g_ptr_array_steal_index (inner.few, 0));
  while (inner.special->len > 0)
    add_new (self, whole, g_ptr_array_steal_index (inner.special, 0));
  whole_clear (&inner);
}

static void
scan_new_folder (BeckonSurvey *self, int folder, const char *name, const struct stat *info, Whole *whole)
{
  if (beckon_survey_is_denied (self, FALSE))
    add_new (self, whole, make_new (self, folder, name, info, whole));
  else if (!whole->is_trigger && beckon_survey_is_trigger (self, beckon_survey_get_path (self)))
    scan_trigger (self, folder, name, info, whole);
  else if (!scan_whole (self, folder, name, whole))
    add_new (self, whole, make_new (self, folder, name, info, whole));
}

static void
scan_new (BeckonSurvey *self, int folder, const char *name, Whole *whole)
{
  gsize length = beckon_survey_enter (self, name);
  struct stat info;

  if (beckon_survey_is_too_deep (self))
    whole->is_too_deep = TRUE;
  else if (beckon_landing_tree_look (folder, name, &info) && !beckon_landing_tree_is_whiteout (folder, name, &info))
    {
      if (S_ISREG (info.st_mode))
        beckon_landing_tree_strip (folder, name);
      beckon_landing_renames_add (self->renames, FALSE, self->path->str, &info, NULL, FALSE);
      if (S_ISDIR (info.st_mode))
        scan_new_folder (self, folder, name, &info, whole);
      else
        add_new (self, whole, make_new (self, folder, name, &info, whole));
    }
  beckon_survey_pop (self, length);
}

/* Takes off everything what only an overlay needs. %FALSE if the folder is empty. */
static gboolean
scan_whole (BeckonSurvey *self, int folder, const char *name, Whole *whole)
{
  g_autoptr (BeckonEntries) entries = beckon_landing_tree_list (folder, name, TRUE);
  gboolean is_empty = TRUE;
  const char *inner;

  if (entries == NULL)
    {
      whole->is_too_deep = TRUE;
      return TRUE;
    }

  beckon_landing_tree_strip (folder, name);
  while (!whole->is_too_deep && !g_cancellable_is_cancelled (self->cancellable)
         && (inner = beckon_landing_tree_next (entries)) != NULL)
    {
      scan_new (self, dirfd (entries), inner, whole);
      is_empty = FALSE;
    }
  return !is_empty;
}

/* Old folders: everything in them goes with one step. */

typedef struct
{
  guint n_files;
  guint64 size;
  gboolean is_later;
  gboolean is_denied;
  gboolean is_too_deep;
  BeckonFileConcern concern;
  GPtrArray *secrets; /* (element-type BeckonFileChange) */
  GPtrArray *things;  /* (element-type utf8): all of them, as long as they are few */
  char *folder;       /* (owned): its path */
} Gone;

static void scan_gone (BeckonSurvey *self, int folder, const char *name, Gone *gone);

static void
scan_gone_folder (BeckonSurvey *self, int folder, const char *name, Gone *gone)
{
  g_autoptr (BeckonEntries) entries = beckon_landing_tree_list (folder, name, FALSE);
  const char *inner;

  while (!gone->is_too_deep && !g_cancellable_is_cancelled (self->cancellable)
         && (inner = beckon_landing_tree_next (entries)) != NULL)
    scan_gone (self, dirfd (entries), inner, gone);
}

static void
look_for_secret (BeckonSurvey *self, int folder, const char *name, const struct stat *info, Gone *gone)
{
  g_auto (BeckonFd) fd = self->mask != NULL && !beckon_mask_is_empty (self->mask)
                             ? beckon_survey_open_regular (folder, name, info, FALSE)
                             : -1;
  BeckonFileChange *change;

  if (fd < 0 || gone->secrets->len >= FEW_FILES || !beckon_landing_content_has_secret (fd, self->mask, self->cancellable))
    return;
  change = survey_make_change (self, BECKON_FILE_DELETED, info, NULL);
  change->is_withheld = TRUE;
  g_ptr_array_add (gone->secrets, change);
}

static void
scan_gone (BeckonSurvey *self, int folder, const char *name, Gone *gone)
{
  gsize length = beckon_survey_enter (self, name);
  struct stat info;

  if (beckon_survey_is_too_deep (self))
    gone->is_too_deep = TRUE;
  else if (beckon_landing_tree_look (folder, name, &info))
    {
      if (gone->things->len <= BECKON_TREE_STAMP_MAX_ENTRIES)
        beckon_tree_stamp_add (gone->things, beckon_path_relate (self->path->str, gone->folder), &info);
      gone->is_later = gone->is_later || beckon_survey_is_later (self, &info);
      gone->is_denied = gone->is_denied || beckon_survey_is_denied (self, FALSE)
                        || beckon_landing_table_covers (self->hidden, self->path->str);
      if (gone->concern == BECKON_FILE_CONCERN_NONE && beckon_survey_is_trigger (self, beckon_survey_get_path (self)))
        gone->concern = BECKON_FILE_CONCERN_TRIGGER;
      if (S_ISDIR (info.st_mode))
        scan_gone_folder (self, folder, name, gone);
      else
        {
          gone->n_files++;
          gone->size += S_ISREG (info.st_mode) ? (guint64) info.st_size : 0;
          beckon_landing_renames_add (self->renames, TRUE, self->path->str, &info, gone->folder, FALSE);
          look_for_secret (self, folder, name, &info, gone);
        }
    }
  beckon_survey_pop (self, length);
}

/* The folder itself is @info, at the present path. */
static void
scan_old (BeckonSurvey *self, int folder, const char *name, const struct stat *info, Gone *gone)
{
  memset (gone, 0, sizeof *gone);
  gone->secrets = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_file_change_free);
  gone->things = g_ptr_array_new_with_free_func (g_free);
  gone->folder = g_strdup (beckon_survey_get_path (self));
  gone->is_later = beckon_survey_is_later (self, info);
  gone->is_denied = beckon_survey_is_denied (self, FALSE);
  if (beckon_survey_is_trigger (self, beckon_survey_get_path (self)))
    gone->concern = BECKON_FILE_CONCERN_TRIGGER;
  scan_gone_folder (self, folder, name, gone);
}

static void
judge_gone (BeckonFileChange *change, const Gone *gone)
{
  if (change->concern == BECKON_FILE_CONCERN_NONE)
    change->concern = gone->concern;
  if (gone->is_denied)
    change->fate = BECKON_FILE_DENIED;
  else if (gone->is_too_deep)
    landing_note_fail (change, N_("The folder is nested too deeply."));
  else if (gone->is_later)
    change->fate = BECKON_FILE_CONFLICT;
}

/* A step never lands where its change cannot. */
void
beckon_survey_write_step (BeckonSurvey *self, BeckonLandingStep *step, const BeckonFileChange *change, const char *path)
{
  step->stays = change->fate != BECKON_FILE_OPEN;
  step->is_withheld = change->is_withheld;
  step->is_clean = self->is_clean;
  self->is_clean = FALSE;
  beckon_landing_writer_add (self->writer, step, path);
}

static void
list_secrets (BeckonSurvey *self, Gone *gone)
{
  while (gone->secrets->len > 0)
    {
      BeckonFileChange *change = g_ptr_array_steal_index (gone->secrets, 0);
      BeckonLandingStep step = { .action = BECKON_LANDING_HOLDS,
                                 .mode_before = change->mode_before,
                                 .before_inode = change->before_inode };

      beckon_survey_write_step (self, &step, change, change->path);
      beckon_landing_listing_take (self->listing, change);
    }
  g_ptr_array_unref (gone->secrets);
  g_ptr_array_unref (gone->things);
  g_free (gone->folder);
}

/* The steps that a change of a single path takes. */

static gboolean
landing_note_note (BeckonSurvey *self,
                   BeckonFileChange *change,
                   BeckonLandingAction action,
                   const struct stat *before,
                   const struct stat *after)
{
  BeckonLandingStep step = beckon_survey_make_step (action, before, after);
  gboolean moves = change->fate == BECKON_FILE_OPEN;

  beckon_survey_write_step (self, &step, change, beckon_survey_get_path (self));
  beckon_landing_listing_take (self->listing, change);
  return moves;
}

static void
describe_new (BeckonSurvey *self, BeckonFileChange *change)
{
  g_auto (BeckonFd) fd = change->type == BECKON_FILE_REGULAR ? beckon_landing_tree_open_file (self->upper, change->path, TRUE)
                                                             : -1;

  if (fd >= 0)
    landing_note_describe (self, change, -1, fd);
}

static void
list_inside (BeckonSurvey *self, GPtrArray *changes)
{
  while (changes->len > 0)
    {
      BeckonFileChange *change = g_ptr_array_steal_index (changes, 0);
      BeckonLandingStep step
          = { .action = BECKON_LANDING_INSIDE, .mode_after = change->mode_after, .after_inode = change->after_inode };

      if (!beckon_landing_listing_is_folded (self->listing, change->path, BECKON_FILE_CREATED)
          || change->concern != BECKON_FILE_CONCERN_NONE)
        describe_new (self, change);
      beckon_survey_write_step (self, &step, change, change->path);
      beckon_landing_listing_take (self->listing, change);
    }
}

static void
set_fate_of_all (GPtrArray *changes, BeckonFileFate fate)
{
  for (guint i = 0; i < changes->len; i++)
    {
      BeckonFileChange *change = g_ptr_array_index (changes, i);

      if (change->fate == BECKON_FILE_OPEN)
        change->fate = fate;
    }
}

/* %TRUE if a thing moves in. @fate is what the folder around it makes of it. */
gboolean
beckon_survey_note_new_folder (
    BeckonSurvey *self, int upper, const char *name, const struct stat *info, BeckonFileFate fate)
{
  Whole whole;
  BeckonFileChange *change = NULL;
  BeckonLandingStep step = beckon_survey_make_step (BECKON_LANDING_CREATE, NULL, info);

  whole_init (&whole, beckon_survey_is_trigger (self, beckon_survey_get_path (self)));
  scan_whole (self, upper, name, &whole);
  if (whole.n_files > FEW_FILES || whole.is_too_deep || whole.is_denied || whole.few->len + whole.special->len == 0)
    {
      change = survey_make_change (self, BECKON_FILE_CREATED, NULL, info);
      change->n_files = whole.n_files;
      change->size = whole.size;
      change->concern = whole.is_trigger ? BECKON_FILE_CONCERN_TRIGGER : whole.beyond;
      if (whole.is_too_deep)
        landing_note_fail (change, N_("The folder is nested too deeply."));
      else
        change->fate = whole.is_denied || beckon_survey_is_denied (self, FALSE) ? BECKON_FILE_DENIED : fate;
    }
  else
    while (whole.few->len > 0)
      g_ptr_array_add (whole.special, g_ptr_array_steal_index (whole.few, 0));
  step.stays = fate != BECKON_FILE_OPEN || whole.is_too_deep || whole.is_denied;
  set_fate_of_all (whole.special, fate);
  list_inside (self, whole.special);
  beckon_landing_writer_add (self->writer, &step, beckon_survey_get_path (self));
  if (change != NULL)
    beckon_landing_listing_take (self->listing, change);
  whole_clear (&whole);
  return !step.stays;
}

/* A folder in the place of a file, or of a link: what is in it is told by itself, and can come only where that goes. */
gboolean
beckon_survey_note_folder_for_file (
    BeckonSurvey *self, int lower, int upper, const char *name, const struct stat *before, const struct stat *after)
{
  BeckonFileChange *change = survey_make_change (self, BECKON_FILE_CHANGED, before, after);
  Whole whole;
  g_auto (BeckonFd) fd = beckon_survey_open_regular (lower, name, before, FALSE);

  whole_init (&whole, beckon_survey_is_trigger (self, beckon_survey_get_path (self)));
  scan_whole (self, upper, name, &whole);
  if (whole.n_files <= FEW_FILES && !whole.is_too_deep && !whole.is_denied)
    while (whole.few->len > 0)
      g_ptr_array_add (whole.special, g_ptr_array_steal_index (whole.few, 0));
  else
    {
      change->n_files = whole.n_files;
      change->n_made = whole.n_files;
      change->size = whole.size;
    }
  change->concern = whole.is_trigger ? BECKON_FILE_CONCERN_TRIGGER : whole.beyond;
  if (S_ISLNK (before->st_mode))
    change->target = beckon_landing_tree_read_link (lower, name);
  if (fd >= 0)
    landing_note_describe (self, change, fd, -1);
  change->n_hunks = 0;
  beckon_landing_renames_add (self->renames, TRUE, beckon_survey_get_path (self), before, NULL, FALSE);
  if (whole.is_too_deep)
    landing_note_fail (change, N_("The folder is nested too deeply."));
  else if (whole.is_denied)
    change->fate = BECKON_FILE_DENIED;
  else
    settle_change (self, change, before, NULL);
  set_fate_of_all (whole.special, change->fate);
  list_inside (self, whole.special);
  whole_clear (&whole);
  return landing_note_note (self, change, BECKON_LANDING_EXCHANGE, before, after);
}

gboolean
beckon_survey_note_gone_folder (BeckonSurvey *self, int lower, int upper, const char *name, const struct stat *before,
                                const struct stat *after)
{
  BeckonFileChange *change
      = survey_make_change (self, after != NULL ? BECKON_FILE_CHANGED : BECKON_FILE_DELETED, before, after);
  g_auto (BeckonFd) fd = beckon_survey_open_regular (upper, name, after, TRUE);
  Gone gone;

  scan_old (self, lower, name, before, &gone);
  change->n_files = gone.n_files;
  if (after != NULL)
    {
      beckon_survey_judge (self, upper, name, after, change);
      settle_change (self, change, NULL, after);
      beckon_landing_renames_add (self->renames, FALSE, change->path, after, NULL, FALSE);
    }
  else
    change->size = gone.size;
  if (after == NULL && !gone.is_too_deep && gone.things->len <= BECKON_TREE_STAMP_MAX_ENTRIES)
    change->contents = beckon_tree_stamp_digest (gone.things);
  judge_gone (change, &gone);
  if (fd >= 0)
    landing_note_describe (self, change, -1, fd);
  change->n_hunks = 0;
  list_secrets (self, &gone);
  return landing_note_note (self, change, after != NULL ? BECKON_LANDING_EXCHANGE : BECKON_LANDING_DELETE, before, after);
}

gboolean
beckon_survey_note_file (BeckonSurvey *self, int lower, int upper, const char *name, const struct stat *before,
                         const struct stat *after, BeckonFileFate fate, gboolean is_doubtful)
{
  const BeckonFileChangeKind kind
      = before == NULL ? BECKON_FILE_CREATED : after == NULL ? BECKON_FILE_DELETED : BECKON_FILE_CHANGED;
  const BeckonLandingAction action
      = before == NULL ? BECKON_LANDING_CREATE : after == NULL ? BECKON_LANDING_DELETE : BECKON_LANDING_EXCHANGE;
  BeckonFileChange *change = survey_make_change (self, kind, before, after);
  g_auto (BeckonFd) old = beckon_survey_open_regular (lower, name, before, FALSE);
  g_auto (BeckonFd) new = beckon_survey_open_regular (upper, name, after, TRUE);
  gboolean is_folded = beckon_landing_listing_is_folded (self->listing, change->path, kind);

  if (after != NULL)
    beckon_survey_judge (self, upper, name, after, change);
  else
    {
      if (S_ISLNK (before->st_mode))
        change->target = beckon_landing_tree_read_link (lower, name);
      beckon_survey_judge_path (self, change);
    }
  if (before == NULL)
    beckon_survey_say_what_it_wakes (self, change);
  is_folded = is_folded && (after == NULL || change->concern == BECKON_FILE_CONCERN_NONE);
  if ((old >= 0 || new >= 0) && !is_folded)
    landing_note_describe (self, change, old, new);
  else if (old >= 0)
    change->is_withheld = beckon_landing_content_has_secret (old, self->mask, self->cancellable);
  if (old >= 0 && new >= 0)
    change->attributes = beckon_landing_attributes_dup_changed (old, new);
  settle_change (self, change, before, after);
  if (change->fate == BECKON_FILE_OPEN)
    change->fate = fate;
  if (before != NULL && !beckon_file_change_keeps_content (change))
    beckon_landing_renames_add (self->renames, TRUE, change->path, before, NULL, after != NULL);
  if (after != NULL && !beckon_file_change_keeps_content (change))
    beckon_landing_renames_add (self->renames, FALSE, change->path, after, NULL, FALSE);
  if (is_doubtful && change->fate == BECKON_FILE_OPEN)
    {
      BeckonDoubtful *doubtful = g_new0 (BeckonDoubtful, 1);

      doubtful->change = change;
      doubtful->step = beckon_survey_make_step (action, before, after);
      doubtful->step.is_clean = self->is_clean;
      g_ptr_array_add (self->doubtful, doubtful);
      return TRUE;
    }

  return landing_note_note (self, change, action, before, after);
}

void
beckon_survey_note_unread (BeckonSurvey *self, const struct stat *before, const struct stat *after, const char *why)
{
  BeckonFileChange *change
      = survey_make_change (self, before != NULL ? BECKON_FILE_CHANGED : BECKON_FILE_CREATED, before, after);

  landing_note_fail (change, why);
  beckon_landing_listing_take (self->listing, change);
}

gboolean
beckon_survey_note_folder (BeckonSurvey *self, int lower, int upper, const struct stat *before, const struct stat *after)
{
  g_autofree char *attributes
      = !beckon_survey_is_layer (self) ? beckon_landing_attributes_dup_changed (lower, upper) : NULL;
  BeckonFileChange *change;

  if (beckon_survey_is_layer (self) || (get_mode (before) == get_mode (after) && attributes == NULL))
    return FALSE;

  change = survey_make_change (self, BECKON_FILE_CHANGED, before, after);
  change->attributes = g_steal_pointer (&attributes);
  beckon_survey_judge_path (self, change);
  settle_change (self, change, before, NULL);
  if (change->fate == BECKON_FILE_OPEN && get_mode (before) == get_mode (after))
    landing_note_fail (change, N_("The attributes of a folder that is there already can’t be saved."));
  else if (change->fate == BECKON_FILE_OPEN && change->attributes != NULL)
    change->remark = g_strdup (_("The attributes of a folder that is there already can’t be saved."));
  beckon_landing_listing_take (self->listing, change);
  return get_mode (before) != get_mode (after);
}
