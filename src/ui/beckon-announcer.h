/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ANNOUNCER (beckon_announcer_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAnnouncer, beckon_announcer, BECKON, ANNOUNCER, AdwBin)

/**
 * BeckonAnnouncer:
 *
 * Says something to who cannot see the window, and to nobody else: the toolkit has no call for it yet (GTK 4.14 has), but a
 * screen reader reads an alert out when it comes to be shown. So this is an alert without a size, which is hidden, named and
 * shown again.
 */

/** @words: what is said; fit to be shown. */
void beckon_announcer_say (BeckonAnnouncer *announcer, const char *words);

/** What was said last; %NULL before anything was. */
const char *beckon_announcer_get_words (BeckonAnnouncer *announcer);

G_END_DECLS
