/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-set.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonLandingListing:
 *
 * The changes that a survey finds, kept few: where there are more than BECKON_CHANGE_SET_MAX_LISTED, those of the deepest
 * folder that has many become one that stands for them. That is done to new files first, so that no file of the person's is
 * changed or deleted among them; to changed ones where those are many themselves, and to deleted ones last. One thread at a
 * time.
 */
typedef struct _BeckonLandingListing BeckonLandingListing;

BeckonLandingListing *beckon_landing_listing_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a change of @path would only be counted: it is in a folder that stands for changes of this kind in it. */
gboolean beckon_landing_listing_is_folded (BeckonLandingListing *listing, const char *path, BeckonFileChangeKind kind);

/** @change: (transfer full). */
void beckon_landing_listing_take (BeckonLandingListing *listing, BeckonFileChange *change);

/** (transfer full): the changes; nothing is taken any more. */
BeckonChangeSet *beckon_landing_listing_finish (BeckonLandingListing *listing) G_GNUC_WARN_UNUSED_RESULT;

void beckon_landing_listing_free (BeckonLandingListing *listing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLandingListing, beckon_landing_listing_free)

/**
 * BeckonLandingIndex:
 *
 * Which change of a set a step belongs to.
 */
typedef struct _BeckonLandingIndex BeckonLandingIndex;

/** Takes a reference on @set, whose changes stay as many as they are. */
BeckonLandingIndex *beckon_landing_index_new (BeckonChangeSet *set) G_GNUC_WARN_UNUSED_RESULT;

/** The number of the change of @path itself, or of the one that this is bound to; -1 for none. */
int beckon_landing_index_find_exactly (BeckonLandingIndex *index, const char *path);

/** The same, or the one of the nearest folder around it that stands for all in it. */
int beckon_landing_index_find (BeckonLandingIndex *index, const char *path);

/** (nullable): the change of @path itself, bound to another one or not. Borrowed. */
BeckonFileChange *beckon_landing_index_get (BeckonLandingIndex *index, const char *path);

void beckon_landing_index_free (BeckonLandingIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLandingIndex, beckon_landing_index_free)

/**
 * beckon_landing_get_git_length:
 * @path: relative to the folder
 * @is_object: (out): whether it is one of Git's objects, which do no harm where the rest is missing
 *
 * Returns: the length of the part of @path that names the Git directory it is in; 0 if it is in none
 */
gsize beckon_landing_get_git_length (const char *path, gboolean *is_object);

/** Whether @path, relative to the folder, is one of Git's objects. */
gboolean beckon_landing_is_object (const char *path);

G_END_DECLS
