/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-landing-listing.h"
#include "beckon-landing-renames.h"
#include "beckon-landing-steps.h"
#include "beckon-landing-survey.h"
#include "beckon-landing-place.h"
#include "beckon-landing-root.h"
#include "beckon-runners.h"

#include <sys/stat.h>

G_BEGIN_DECLS

/* A survey on its way through the folder. The walk (beckon-landing-survey.c) finds where the two sides differ; what is found
 * is judged (beckon-landing-concern.c), and becomes changes and steps (beckon-landing-note.c). */

typedef struct
{
  const char *folder;
  const char *place;
  gint64 base;
  gboolean is_replacing; /* within a folder that was made anew in the place of another: nothing of that is left */
  gboolean is_contested; /* within a folder that was made anew while another writer changed the other */
  BeckonDeniedPaths *denied;
  BeckonRunners *runners; /* (nullable): of the folder, once anything is judged */
  GHashTable *hidden; /* BECKON_LANDING_HIDDEN: what the command could not see */
  BeckonMask *mask;
  GCancellable *cancellable;

  GHashTable *landed; /* (element-type filename BeckonLandedRecord): what landed while the command ran */

  BeckonLandingRoot root;
  int lower; /* the folder; borrowed */
  int upper; /* the layer */
  GString *path;
  guint depth;
  gsize diffs_left;
  gboolean is_clean; /* the file that was described last holds no secret */
  BeckonLandingWriter *writer;
  BeckonLandingListing *listing;
  BeckonLandingRenames *renames;
  GPtrArray *doubtful; /* (element-type BeckonDoubtful) */
  guint n_gone;
} BeckonSurvey;

/* A file that came from the folder, where none is now: it was renamed, or another writer has deleted it meanwhile. */
typedef struct
{
  BeckonFileChange *change;
  BeckonLandingStep step;
} BeckonDoubtful;

/** The table of a command's changes that landed while it still ran: its surveys do not take them for another writer's work. */
#define BECKON_SURVEY_LANDED "landed"

/**
 * BeckonLandedRecord:
 * @time: when it stood so, by the clock of ctimes
 * @with_all: and so did all in it
 */
typedef struct
{
  gint64 time;
  gboolean with_all;
} BeckonLandedRecord;

/** The latest time at which the present path stood as it had landed; @base if it had not. */
gint64 beckon_survey_get_landed (BeckonSurvey *self, gint64 base);

/** The path becomes the one of @name in it. What is returned is for beckon_survey_pop(). */
gsize beckon_survey_enter (BeckonSurvey *self, const char *name);
void beckon_survey_pop (BeckonSurvey *self, gsize length);

/** The current path, relative to the folder. Borrowed. */
const char *beckon_survey_get_path (BeckonSurvey *self);
gboolean beckon_survey_is_too_deep (BeckonSurvey *self);

/** Whether the current path is that of a layer itself, which is ours, and so is its mode. */
gboolean beckon_survey_is_layer (BeckonSurvey *self);

/** Whether another writer changed it while the command ran. */
gboolean beckon_survey_is_later (BeckonSurvey *self, const struct stat *info);

gboolean beckon_survey_is_trigger (BeckonSurvey *self, const char *path);

/** Says in @change why what is at the present path, @name in @folder, does not land unseen, if it does not. */
void beckon_survey_judge (BeckonSurvey *self, int folder, const char *name, const struct stat *info, BeckonFileChange *change);

/** The same by the present path alone, of what is deleted or changes its mode. */
void beckon_survey_judge_path (BeckonSurvey *self, BeckonFileChange *change);

/** A new file that makes other files count gets a remark which names them. */
void beckon_survey_say_what_it_wakes (BeckonSurvey *self, BeckonFileChange *change);

/** Finds out whether a judged change is a by-product, by what the folder was before. */
void beckon_survey_note_by_product (BeckonSurvey *self, BeckonFileChange *change);

/** All that a command did to one repository becomes one change, with the files that it committed. @place: its landing place. */
void beckon_survey_bind_commits (BeckonSurvey *self, const char *place, BeckonChangeSet *set);

/** Whether a rule denies the present path: for changes, or @only_reading. */
gboolean beckon_survey_is_denied (BeckonSurvey *self, gboolean only_reading);
BeckonLandingStep beckon_survey_make_step (BeckonLandingAction action, const struct stat *before, const struct stat *after);

/** -1 for what is no regular file, or cannot be opened. @is_ours: in the layer, where permissions are no obstacle. */
int beckon_survey_open_regular (int folder, const char *name, const struct stat *info, gboolean is_ours);

/** A step never lands where its change cannot. */
void beckon_survey_write_step (BeckonSurvey *self, BeckonLandingStep *step, const BeckonFileChange *change, const char *path);

/* The thing at the present path becomes a change and its steps. %TRUE if it will be moved. */
gboolean beckon_survey_note_new_folder (BeckonSurvey *self, int upper, const char *name, const struct stat *info,
                                        BeckonFileFate fate);
gboolean beckon_survey_note_folder_for_file (BeckonSurvey *self, int lower, int upper, const char *name,
                                             const struct stat *before, const struct stat *after);

/** @after: (nullable): of the file, link or pipe in its place. */
gboolean beckon_survey_note_gone_folder (BeckonSurvey *self, int lower, int upper, const char *name, const struct stat *before,
                                         const struct stat *after);

/** No folder is there or was. @before: (nullable): it is new. @after: (nullable): it is gone. @fate: what the folder around it
 * makes of it. @is_doubtful: see #BeckonDoubtful. */
gboolean beckon_survey_note_file (BeckonSurvey *self, int lower, int upper, const char *name, const struct stat *before,
                                  const struct stat *after, BeckonFileFate fate, gboolean is_doubtful);

/* The change at the present path cannot be looked into, and does not land. @before: (nullable). @why: translated. */
void beckon_survey_note_unread (BeckonSurvey *self, const struct stat *before, const struct stat *after, const char *why);

/** The folder at the present path stays; its mode or its attributes may be others. %TRUE if the mode will be set. */
gboolean beckon_survey_note_folder (BeckonSurvey *self, int lower, int upper, const struct stat *before,
                                    const struct stat *after);

G_END_DECLS
