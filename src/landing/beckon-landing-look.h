/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-landing.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** No more files than these are listed. */
#define BECKON_LANDING_LOOK_MAX_FILES 1000

/**
 * BeckonLandingLook:
 * @files: (element-type BeckonFileChange): no folders; the paths are relative to the working folder, sorted
 * @n_left: how many others there are; no more than 100,000 are counted
 *
 * What is in a new folder that stands for all that is in it.
 */
typedef struct
{
  GPtrArray *files;
  guint n_left;
} BeckonLandingLook;

void beckon_landing_look_free (BeckonLandingLook *look);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLandingLook, beckon_landing_look_free)

/**
 * beckon_landing_look_async:
 * @landing: a landing, of which what is needed is copied
 * @change: one of it that stands for all in a folder
 * @cancellable: (nullable)
 * @callback: called later, on the thread that called
 * @user_data: for @callback
 *
 * Lists the files where they are now: in the landing place while they wait, then in the folder; those of a deleted one in
 * the folder, until they are gone. No link is followed.
 */
void beckon_landing_look_async (const BeckonLanding *landing, const BeckonFileChange *change,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): %NULL with BECKON_ERROR_UNAVAILABLE where the folder cannot be read, or is there no longer. */
BeckonLandingLook *beckon_landing_look_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_landing_look_for_conflicts_async:
 * @landing: one that waits; what is needed of it is copied
 * @cancellable: (nullable)
 * @callback: called later, on the thread that called
 * @user_data: for @callback
 *
 * Looks which files and links were changed in the folder since the command began, so that their changes would not land.
 * Landing looks again, and at folders too: this only tells a person early.
 */
void beckon_landing_look_for_conflicts_async (const BeckonLanding *landing, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type guint): which open changes of the landing; %NULL with BECKON_ERROR_UNAVAILABLE. */
GArray *beckon_landing_look_for_conflicts_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
