/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-lander.h"
#include "beckon-landing-listing.h"
#include "beckon-landing-root.h"
#include "beckon-landing-steps.h"

#include <sys/stat.h>

G_BEGIN_DECLS

/** The outcome of a step, as it is kept beside the steps. */
typedef enum
{
  BECKON_STEP_NONE,
  BECKON_STEP_LANDED,
  BECKON_STEP_UNDONE,
} BeckonStepStatus;

/**
 * BeckonStepState:
 * @status: what it has come to
 * @is_quiet: of a folder: no other writer has changed it, so its time may be set
 * @is_refused: it is not done this time
 * @inode: what stands in the folder now, 0 for nothing
 * @changed_at: the ctime of that
 * @done_at: when that was noted: what is in a folder and changed later is another writer's; by the clock of ctimes
 */
typedef struct
{
  guint8 status;
  guint8 is_quiet;
  guint8 is_refused;
  guint64 inode;
  gint64 changed_at;
  gint64 done_at;
} BeckonStepState;

/** The work that is under way in the folder, for the next process after a crash. */
typedef enum
{
  BECKON_LANDER_RESTS,
  BECKON_LANDER_LANDS,
  BECKON_LANDER_UNDOES,
  BECKON_LANDER_REDOES,
} BeckonLanderPhase;

/** A step within a folder that comes or goes. */
typedef struct
{
  guint number;
  gboolean stays;
  gboolean is_held; /* it is a secret in a folder that is deleted */
  char path[];
} BeckonInsideStep;

/**
 * BeckonLander:
 *
 * One landing, undoing or redoing.
 */
typedef struct
{
  BeckonLanding *landing;
  BeckonLandingRoot root;
  int place;
  int layer;
  int stage; /* where the layer is for the moment, if the place is on another file system; or -1 */
  BeckonLandingReader *reader;
  BeckonLandingIndex *index;
  guint n_steps;
  BeckonStepState *states;
  gboolean *is_done_now;     /* by step: this run has moved it, or found it moved by the one that it resumes */
  BeckonLanderPhase resumed; /* what was begun and not ended */
  gint64 done_at;            /* when what was done before ended, by the clock of ctimes */

  GHashTable *touched; /* as the ledger: files with several names, which change with each that is moved */
  GHashTable *stirred; /* the folders that something was moved in or out of */
  GHashTable *kept;    /* paths in new folders that are kept though the folder is not */
  GHashTable *above;   /* the folders that those are in */
  GPtrArray *inside;   /* (element-type BeckonInsideStep): of the folder that a step is about */

  char *parent; /* the last one opened, in the folder and in the layer; -1 where it is not there */
  int in_folder;
  int in_layer;
} BeckonLander;

/** Opens everything that a landing is about. */
BeckonLander *beckon_lander_open (BeckonLanding *landing, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void          beckon_lander_close (BeckonLander *lander);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLander, beckon_lander_close)

typedef void (*BeckonLanderFunc) (gpointer data, guint number, const BeckonLandingStep *step, const char *path);

/** Calls @func for each step that stands by itself; those within its folder are in #BeckonLander.inside then. */
void beckon_lander_foreach (BeckonLander *lander, BeckonLanderFunc func, gpointer data);

/** Writes down what the steps have come to, and what is under way. */
gboolean beckon_lander_save (BeckonLander *lander, BeckonLanderPhase phase, GError **error);

/** Brings the layer over where folder and place are on two file systems, and takes back what is left of it. */
gboolean beckon_lander_stage_in (BeckonLander *lander, GError **error);
gboolean beckon_lander_stage_out (BeckonLander *lander, GError **error);

/** Takes away what a process that ended left of the layer of the place @id in the folder; what is whole only if @with_ready. */
void beckon_lander_stage_sweep (int folder, int place, const char *id, gboolean with_ready);

/** The outcome of the attempt to move one thing. */
typedef enum
{
  BECKON_MOVE_DONE,
  BECKON_MOVE_CHANGED, /* by another writer, so it was not done */
  BECKON_MOVE_FAILED,  /* errno says why */
} BeckonMove;

/* The two sides of one thing, in the folder and in the place. */
typedef struct
{
  int folder;       /* the folder that holds it; -1 where that is gone */
  int layer;        /* the same in the place */
  const char *name; /* in @folder */
  char *kept_name;  /* (owned): in @layer */
  gboolean is_in_folder;
  gboolean is_in_layer;
  struct stat in_folder;
  struct stat in_layer;
} BeckonSpot;

/** Looks at @path. @merged: the number of a change of which some hunks are kept, whose file stands elsewhere; -1 for none. */
void beckon_lander_look (BeckonLander *lander, const char *path, int merged, BeckonSpot *spot);
void beckon_spot_clear (BeckonSpot *spot);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonSpot, beckon_spot_clear)

/** Whether a regular file stands in the folder that holds what @hash (nullable) tells, with this mode. */
gboolean beckon_spot_has_hash (const BeckonSpot *spot, const char *hash, guint mode);

/** Whether the file at @spot holds what it should, where @path was just moved to. */
typedef gboolean (*BeckonLanderKnows) (BeckonLander *lander, const BeckonLandingStep *step, const char *path,
                                       const BeckonSpot *spot);

/**
 * beckon_lander_record_all:
 * @lander: the lander
 * @knows: asked after a crash
 * @since: then, nothing that was written later is ours; nanoseconds, by the clock of ctimes
 * @error: return location
 *
 * Notes what now stands in the folder where this run has done anything. A step that was left alone keeps what was noted of it:
 * the file there may be another writer's work. So may be a folder with such a file in it.
 */
gboolean beckon_lander_record_all (BeckonLander *lander, BeckonLanderKnows knows, gint64 since, GError **error);

/** Whether what @info tells is as it was at @changed_at, but for what was done here. */
gboolean beckon_lander_is_unchanged (BeckonLander *lander, const struct stat *info, gint64 changed_at);

/** The mode or the time of the folder @fd was set. */
void beckon_lander_note_folder (int fd);

/** Whether nothing in the folder @name has changed after @since but what was done here; the folder itself is not looked at.
 * @depth: 0. */
gboolean beckon_lander_is_quiet_inside (BeckonLander *lander, int folder, const char *name, gint64 since, guint depth);

/** Folders that were opened for a moment, in which the process ended, get their modes back. @is_old: the old one is in the
 * folder still. */
void beckon_lander_correct_step (BeckonLander *lander, const BeckonLandingStep *step, BeckonSpot *spot, gboolean is_old);

/** Whether a folder's mode is @mode, or was opened for a moment in which the process ended. */
gboolean beckon_lander_is_mode (BeckonLander *lander, mode_t now, guint mode);

/** Sets the mtime of the folder @fd, in nanoseconds since the epoch. Errors are not told: it is no more than a courtesy. */
void beckon_lander_set_time (int fd, gint64 time);

/** (nullable): the change that decides about @path; no folder around it if @exactly. @number: (out): its own, -1 for none. */
BeckonFileChange *beckon_lander_find (BeckonLander *lander, const char *path, gboolean exactly, int *number);

/** The number of the change of which only some hunks are kept, if that is the one of @step; or -1. */
int beckon_lander_get_merged (BeckonLander *lander, const BeckonLandingStep *step, const char *path);

/** (transfer full) (nullable): the name of what @path belongs to, if all steps of that land or none: the Git directory that it
 * is in, but for objects, or the change that it is bound to. */
char *beckon_lander_dup_bond (BeckonLander *lander, const char *path);

/** Whether an object of Git comes, or a folder of such. */
gboolean beckon_lander_is_new_object (const BeckonLandingStep *step, const char *path);

/** Something was done before a crash: what it did to files with several names was done here. */
void beckon_lander_note_done (BeckonLander *lander, const BeckonSpot *spot);

/** Moves a thing: it @comes from the layer into the folder, @goes from there into the layer, or two change places. */
BeckonMove beckon_lander_move (BeckonLander *lander, const char *path, BeckonSpot *spot, gboolean comes, gboolean goes);

/** Something was moved in or out of the folder that was looked at last. */
void beckon_lander_stir (BeckonLander *lander);

/** Called before everything that changes a file. */
void beckon_lander_reach (void);

/* For tests: what is called there, which may end the process; a file system that renames plainly; two file systems. */
extern void (*beckon_lander_hook) (void);
extern gboolean beckon_lander_renames_plainly;
extern gboolean beckon_lander_is_always_apart;

G_END_DECLS
