/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonGlob:
 *
 * A pattern of paths as shells and Git write it: `*` and `?` within a name, `**` across folders, `[a-z]`, `{a,b}`. Its
 * work is bounded, whatever the pattern. Never changed once made; any thread.
 */
typedef struct _BeckonGlob BeckonGlob;

/** (transfer full): %NULL with BECKON_ERROR_INVALID in English, fit for a model. */
BeckonGlob *beckon_glob_new (const char *pattern, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Whether it matches @path as a whole; a pattern without a slash is matched with the last name of @path. */
gboolean beckon_glob_matches (BeckonGlob *glob, const char *path);

void beckon_glob_free (BeckonGlob *glob);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonGlob, beckon_glob_free)

G_END_DECLS
