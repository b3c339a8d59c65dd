/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "text/beckon-away-digest.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_AWAY_LINE (beckon_away_line_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAwayLine, beckon_away_line, BECKON, AWAY_LINE, AdwBin)

/**
 * BeckonAwayLine:
 *
 * One quiet line of what a conversation did while its person was away; opened, what was done, asked and changed. Its buttons
 * activate `win.undo-calls` with the ids of the calls, the newest first. Hidden without a digest.
 */

/** @digest: (transfer full) (nullable): what is shown. */
void beckon_away_line_take_digest (BeckonAwayLine *self, BeckonAwayDigest *digest);

G_END_DECLS
