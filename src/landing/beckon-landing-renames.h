/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "domain/beckon-change-set.h"

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * BeckonLandingRenames:
 *
 * Finds out what was moved. A layer tells of a move as of a file that is gone and of one that is new; whoever keeps the first
 * and discards the second loses the file. So the two become one change, and so does everything between which a file could be
 * lost: two files that changed places, a folder that went with all that is in it, files that came out of a folder which is
 * gone. A survey adds what it meets; not two threads at once.
 */
typedef struct _BeckonLandingRenames BeckonLandingRenames;

BeckonLandingRenames *beckon_landing_renames_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_landing_renames_free (BeckonLandingRenames *renames);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLandingRenames, beckon_landing_renames_free)

/**
 * beckon_landing_renames_add:
 * @renames: what a survey has met
 * @is_old: whether it was there, and is no more; otherwise it was not there before
 * @path: where the file or the link is, or was
 * @info: of it
 * @folder: (nullable): of an old one the path of the folder that is gone with it
 * @is_replaced: something else took its place
 */
void beckon_landing_renames_add (BeckonLandingRenames *renames, gboolean is_old, const char *path, const struct stat *info,
                                 const char *folder, gboolean is_replaced);

/**
 * beckon_landing_renames_bind:
 * @renames: all that the survey has met
 * @set: its changes
 * @lower: the folder
 * @upper: the layer
 * @mask: (nullable): what no difference shows
 * @left: how many bytes of differences the set has left
 * @cancellable: (nullable)
 *
 * Makes one change of what belongs together. Files are compared by their content: what came out otherwise than it was has a
 * difference.
 */
void beckon_landing_renames_bind (BeckonLandingRenames *renames, BeckonChangeSet *set, int lower, int upper, BeckonMask *mask,
                                  gsize *left, GCancellable *cancellable);

G_END_DECLS
