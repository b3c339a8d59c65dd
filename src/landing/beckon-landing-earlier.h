/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLandingEarlier:
 *
 * What of a command's changes landed while it still ran: by its surveys, that is not taken for another writer's work. Kept as a
 * file in the command's landing place. Worker threads.
 */
typedef struct _BeckonLandingEarlier BeckonLandingEarlier;

/** Loads what is known of @place, which may be nothing; %NULL with an error. */
BeckonLandingEarlier *beckon_landing_earlier_load (const char *place, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** @path landed, @with_all in it, and stood so at @time, by the clock of ctimes. */
void beckon_landing_earlier_add (BeckonLandingEarlier *earlier, const char *path, gboolean with_all, gint64 time);

/** The latest time at which @path stood as it had landed; @base if it had not. */
gint64 beckon_landing_earlier_get (BeckonLandingEarlier *earlier, const char *path, gint64 base);

gboolean beckon_landing_earlier_save (BeckonLandingEarlier *earlier, const char *place, GError **error);
void     beckon_landing_earlier_free (BeckonLandingEarlier *earlier);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLandingEarlier, beckon_landing_earlier_free)

G_END_DECLS
