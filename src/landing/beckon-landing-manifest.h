/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * BeckonLandingManifest:
 *
 * What a copy of a folder had in it before a command began, by path relative to it.
 */
typedef struct _BeckonLandingManifest BeckonLandingManifest;

BeckonLandingManifest *beckon_landing_manifest_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** @info: what stands in the copy. */
void beckon_landing_manifest_add (BeckonLandingManifest *manifest, const char *path, const struct stat *info);

/** Whether anything was at @path. */
gboolean beckon_landing_manifest_has (const BeckonLandingManifest *manifest, const char *path);

/** Whether @info, of what is at @path now, is the same thing with the same mode, untouched since. For folders: a folder with
 * the same mode. */
gboolean beckon_landing_manifest_is_same (const BeckonLandingManifest *manifest, const char *path, const struct stat *info);

/** Whether there was a folder at @path. */
gboolean beckon_landing_manifest_is_folder (const BeckonLandingManifest *manifest, const char *path);

/** (transfer container) (element-type filename): all paths, in no order. */
GList *beckon_landing_manifest_list (const BeckonLandingManifest *manifest) G_GNUC_WARN_UNUSED_RESULT;

gboolean beckon_landing_manifest_save (const BeckonLandingManifest *manifest, const char *place, GError **error);
BeckonLandingManifest *beckon_landing_manifest_load (const char *place, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void beckon_landing_manifest_free (BeckonLandingManifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLandingManifest, beckon_landing_manifest_free)

G_END_DECLS
