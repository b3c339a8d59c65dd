/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ANNOUNCER (beckon_announcer_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAnnouncer, beckon_announcer, BECKON, ANNOUNCER, AdwBin)

/**
 * BeckonAnnouncer:
 *
 * Says something to who cannot see the window, and to nobody else: an alert without a size, whose name becomes what is said.
 * The accessibility bus tells that to a screen reader. Where GTK has a call for it (from 4.14 on) that is used as well.
 */

/** @words: what is said; fit to be shown. */
void beckon_announcer_say (BeckonAnnouncer *announcer, const char *words);

G_END_DECLS
