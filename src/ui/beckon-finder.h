/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-transcript.h"

G_BEGIN_DECLS

#define BECKON_TYPE_FINDER (beckon_finder_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFinder, beckon_finder, BECKON, FINDER, GObject)

/**
 * BeckonFinder:
 *
 * Finds text in the messages of a conversation and marks it where it is shown.
 */

/** @transcript: where it is shown; it has to outlive the finder. Caller owns. */
BeckonFinder *beckon_finder_new (BeckonTranscript *transcript) G_GNUC_WARN_UNUSED_RESULT;

/** Brings @message on screen and into focus, with @words marked in it: (nullable). */
void beckon_finder_show_hit (BeckonFinder *finder, BeckonMessage *message, const char *words);

/** Takes all marks away. */
void beckon_finder_clear (BeckonFinder *finder);

G_END_DECLS
