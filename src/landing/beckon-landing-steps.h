/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-set.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * The steps of a landing, one for each file that moves, as a file in the landing place. The set of changes is what a person is
 * shown: it is bounded, and one of its changes may stand for thousands of steps. The survey writes the steps, once; who
 * lands or undoes reads them in order.
 */

/**
 * BeckonLandingAction:
 * @BECKON_LANDING_CREATE: a thing is moved in where nothing was; a folder with all that is in it
 * @BECKON_LANDING_EXCHANGE: a thing takes the place of another
 * @BECKON_LANDING_DELETE: a thing is moved out; a folder with all that is in it
 * @BECKON_LANDING_FOLDER: the mode and the time of a folder that stays, behind all steps in it
 * @BECKON_LANDING_INSIDE: a thing that comes with a folder that is created, and can be left out of it; before that folder
 * @BECKON_LANDING_HOLDS: a file with a secret in a folder that is deleted; before that folder
 */
typedef enum
{
  BECKON_LANDING_CREATE,
  BECKON_LANDING_EXCHANGE,
  BECKON_LANDING_DELETE,
  BECKON_LANDING_FOLDER,
  BECKON_LANDING_INSIDE,
  BECKON_LANDING_HOLDS,
} BeckonLandingAction;

/**
 * BeckonLandingStep:
 * @action: what it does
 * @stays: it never lands, whatever is decided: denied, of no type that can land, or changed by another writer meanwhile
 * @is_withheld: what was there holds a secret, so it is not kept
 * @is_clean: what comes is a file that was looked through, and holds no secret
 * @sets_time: of a folder: no other writer had changed it, so its time is set as well
 * @mode_before: permission bits of what was there, 0 for nothing
 * @mode_after: the same of what comes
 * @before_inode: what was there, 0 for nothing
 * @after_inode: what comes, 0 for nothing
 * @before_changed_at: ctime of what was there, nanoseconds
 * @before_time: mtime of a folder before, nanoseconds
 * @after_time: the same afterwards
 * @size: bytes of what was there
 */
typedef struct
{
  BeckonLandingAction action;
  gboolean stays;
  gboolean is_withheld;
  gboolean is_clean;
  gboolean sets_time;
  guint32 mode_before;
  guint32 mode_after;
  guint64 before_inode;
  guint64 after_inode;
  gint64 before_changed_at;
  gint64 before_time;
  gint64 after_time;
  guint64 size;
} BeckonLandingStep;

/** Writes steps. Not two threads at once. */
typedef struct _BeckonLandingWriter BeckonLandingWriter;

/** @place: the descriptor of the landing place, which has to outlive it; @time: when the survey began. %NULL with an error. */
BeckonLandingWriter *beckon_landing_writer_new (int place, gint64 time, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** @path: relative to the folder. Errors come with beckon_landing_writer_close(). */
void beckon_landing_writer_add (BeckonLandingWriter *writer, const BeckonLandingStep *step, const char *path);

/** The steps are whole, and on the disk. */
gboolean beckon_landing_writer_close (BeckonLandingWriter *writer, GError **error);
void beckon_landing_writer_free (BeckonLandingWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLandingWriter, beckon_landing_writer_free)

/** Reads them from the first to the last, again and again. */
typedef struct _BeckonLandingReader BeckonLandingReader;

/** @n_steps: (out) (optional): the number of all steps. */
BeckonLandingReader *beckon_landing_reader_new (int place, guint *n_steps, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** When the survey that found them began, by the clock of ctimes. */
gint64 beckon_landing_reader_get_time (BeckonLandingReader *reader);

/** The next one; %FALSE behind the last, and then the first again. *@path: (out): borrowed until the next one. */
gboolean beckon_landing_reader_next (BeckonLandingReader *reader, BeckonLandingStep *step, const char **path);

void beckon_landing_reader_free (BeckonLandingReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLandingReader, beckon_landing_reader_free)

G_END_DECLS
