/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-lander-private.h"
#include "beckon-landing-tree-copy.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Things change places only within one file system. Where the place is on another one than the folder, its layer is
 * copied into a folder of ours in the person's for the time of landing or undoing, everything is done with that, and it
 * is copied back. The mark READY is what makes it count: without it, it is what a crash left of the copying, and goes.
 */

#define READY "ready"
#define TIME "time"
#define UPPER "upper"
#define UPPER_PART "upper.part"

static gboolean
stage_refuse (BeckonLander *self, GError **error)
{
  int saved_errno = errno;
  g_autofree char *shown = g_filename_display_name (self->landing->folder);

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” can’t be written: %s"), shown,
                         beckon_errno_describe (saved_errno));
  return FALSE;
}

static char *
stage_get_name (BeckonLander *self)
{
  g_autofree char *id = g_path_get_basename (self->landing->place);

  return g_strdup_printf (".beckon-%s", id);
}

static gboolean
is_apart (BeckonLander *self)
{
  struct stat folder, layer;

  return beckon_lander_is_always_apart
         || (fstat (self->root.folder, &folder) == 0 && fstat (self->layer, &layer) == 0 && folder.st_dev != layer.st_dev);
}

static gboolean
exists (int folder, const char *name)
{
  struct stat info;

  return folder >= 0 && beckon_landing_tree_look (folder, name, &info);
}

/* A thing in the layer has another inode now. That is the new version of a step, or the old one once that has landed. */
static void
stage_translate (BeckonLander *self, guint number, BeckonLandingStep *step, const char *path, int stage, int upper)
{
  int change = beckon_lander_get_merged (self, step, path);
  gboolean is_merged = change >= 0;
  g_autofree char *merged = g_strdup_printf ("merged/%d", change);
  gboolean is_old = self->states[number].status == BECKON_STEP_LANDED;
  struct stat info;

  if (step->action == BECKON_LANDING_FOLDER
      || !beckon_landing_tree_look_at (is_merged ? stage : upper, is_merged ? merged : path, &info))
    return;
  if (is_old && (step->action == BECKON_LANDING_EXCHANGE || step->action == BECKON_LANDING_DELETE))
    step->before_inode = info.st_ino;
  else if (!is_old && step->action != BECKON_LANDING_DELETE)
    step->after_inode = info.st_ino;
}

static gboolean
write_steps (BeckonLander *self, int stage, GError **error)
{
  g_autoptr (BeckonLandingWriter) writer
      = beckon_landing_writer_new (stage, beckon_landing_reader_get_time (self->reader), error);
  g_auto (BeckonFd) upper = beckon_landing_tree_open (stage, UPPER, O_RDONLY | O_DIRECTORY);
  BeckonLandingStep step;
  const char *path;

  if (writer == NULL || (upper < 0 && !stage_refuse (self, error)))
    return FALSE;
  for (guint i = 0; beckon_landing_reader_next (self->reader, &step, &path); i++)
    {
      stage_translate (self, i, &step, path, stage, upper);
      beckon_landing_writer_add (writer, &step, path);
    }
  return beckon_landing_writer_close (writer, error);
}

static gboolean
stage_fill (BeckonLander *self, int stage, GError **error)
{
  g_auto (BeckonFd) ready = -1;

  beckon_lander_reach ();
  if (!beckon_landing_tree_copy (self->place, UPPER, stage, UPPER, BECKON_TREE_COPY_OURS))
    return stage_refuse (self, error);
  if (exists (self->place, "merged")
      && !beckon_landing_tree_copy (self->place, "merged", stage, "merged", BECKON_TREE_COPY_OURS))
    return stage_refuse (self, error);
  if (!write_steps (self, stage, error))
    return FALSE;

  beckon_lander_reach ();
  ready = openat (stage, READY, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
  return (ready >= 0 && syncfs (stage) == 0) || stage_refuse (self, error);
}

static int
make_stage (BeckonLander *self, const char *name, GError **error)
{
  g_auto (BeckonFd) stage = beckon_landing_tree_open (self->root.folder, name, O_RDONLY | O_DIRECTORY);
  gboolean is_ready = exists (stage, READY);
  int made;

  if (!is_ready)
    {
      if (stage >= 0)
        close (stage);
      stage = -1;
      if (!beckon_landing_tree_remove (self->root.folder, name, error))
        return -1;
      if (mkdirat (self->root.folder, name, 0700) == 0)
        stage = beckon_landing_tree_open (self->root.folder, name, O_RDONLY | O_DIRECTORY);
      is_ready = stage >= 0 ? stage_fill (self, stage, error) : stage_refuse (self, error);
    }
  if (!is_ready)
    {
      beckon_landing_tree_remove (self->root.folder, name, NULL);
      return -1;
    }
  made = stage;
  stage = -1;
  return made;
}

/* The time of the folder is the time of a file in the place, as long as ours is in the folder or was when a process
 * ended. */
static gboolean
keep_time (BeckonLander *self)
{
  struct timespec times[2] = { { 0, UTIME_OMIT }, { 0, UTIME_OMIT } };
  g_auto (BeckonFd) fd = openat (self->place, TIME, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
  struct stat info;

  if (fd < 0 || fstat (self->root.folder, &info) != 0)
    return FALSE;

  times[1] = info.st_mtim;
  return futimens (fd, times) == 0;
}

static void
set_time (int folder, int place)
{
  struct timespec times[2] = { { 0, UTIME_OMIT }, { 0, UTIME_OMIT } };
  struct stat info;

  if (!beckon_landing_tree_look (place, TIME, &info))
    return;

  times[1] = info.st_mtim;
  futimens (folder, times);
}

gboolean
beckon_lander_stage_in (BeckonLander *self, GError **error)
{
  g_autofree char *name = NULL;
  int stage;

  if (!is_apart (self))
    return TRUE;

  name = stage_get_name (self);
  if (!exists (self->place, TIME) && !keep_time (self))
    return stage_refuse (self, error);
  stage = make_stage (self, name, error);
  if (stage < 0)
    return FALSE;

  set_time (self->root.folder, self->place);
  beckon_landing_reader_free (self->reader);
  self->reader = beckon_landing_reader_new (stage, NULL, error);
  close (self->layer);
  self->layer = beckon_landing_tree_open (stage, UPPER, O_RDONLY | O_DIRECTORY);
  self->stage = stage;
  return self->reader != NULL && (self->layer >= 0 || stage_refuse (self, error));
}

/* From here on the place is whole again; until then what is staged is. */
static gboolean
copy_back (BeckonLander *self)
{
  static const char *const names[] = { UPPER, "merged", "steps" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      beckon_lander_reach ();
      if (!beckon_landing_tree_remove (self->place, UPPER_PART, NULL))
        return FALSE;
      if (!exists (self->stage, names[i]))
        continue;
      if (!beckon_landing_tree_copy (self->stage, names[i], self->place, UPPER_PART, BECKON_TREE_COPY_OURS)
          || !beckon_landing_tree_remove (self->place, names[i], NULL)
          || renameat (self->place, UPPER_PART, self->place, names[i]) != 0)
        return FALSE;
    }
  return TRUE;
}

gboolean
beckon_lander_stage_out (BeckonLander *self, GError **error)
{
  g_autofree char *name = NULL;

  if (self->stage < 0)
    return TRUE;

  name = stage_get_name (self);
  if (!keep_time (self) || !copy_back (self))
    return stage_refuse (self, error);
  beckon_lander_reach ();
  unlinkat (self->stage, READY, 0);
  if (!beckon_landing_tree_remove (self->root.folder, name, error))
    return FALSE;

  set_time (self->root.folder, self->place);
  unlinkat (self->place, TIME, 0);
  return TRUE;
}

void
beckon_lander_stage_sweep (int folder, int place, const char *id, gboolean with_ready)
{
  g_autofree char *name = g_strdup_printf (".beckon-%s", id);
  g_autoptr (GError) error = NULL;
  g_auto (BeckonFd) stage = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (stage < 0 || (!with_ready && exists (stage, READY)))
    return;

  if (!beckon_landing_tree_remove (folder, name, &error))
    {
      g_message ("%s", error->message);
      return;
    }
  set_time (folder, place);
  unlinkat (place, TIME, 0);
}
