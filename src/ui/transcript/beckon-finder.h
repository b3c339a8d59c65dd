/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-transcript.h"

G_BEGIN_DECLS

#define BECKON_TYPE_FINDER (beckon_finder_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFinder, beckon_finder, BECKON, FINDER, GObject)

/**
 * BeckonFinder:
 *
 * Finds text in the messages of a conversation, whether they have rows or not, and marks it where it is shown. It counts
 * between other things, so that a long conversation holds nothing up. Signal: `updated`: the counts are others.
 */

/** @transcript: where it is shown; it has to outlive the finder. Caller owns. */
BeckonFinder *beckon_finder_new (BeckonTranscript *transcript) G_GNUC_WARN_UNUSED_RESULT;

/** @conversation: (nullable): the one that the transcript shows. Takes all marks away. */
void beckon_finder_set_conversation (BeckonFinder *finder, BeckonConversation *conversation);

/** Looks for @text as it is and goes to the match that is nearest to what is on screen. Blank: takes all marks away. */
void beckon_finder_find (BeckonFinder *finder, const char *text);

/** Goes to another match, behind the last one to the first. @step: 1 or -1. */
void beckon_finder_step (BeckonFinder *finder, int step);

/** How many matches there are so far, which of them is the current one, from 1, or 0, and whether that is all. */
gboolean beckon_finder_get_counts (BeckonFinder *finder, guint *current, guint *total);

/** Brings @message on screen and into focus, with @words marked in it: (nullable). */
void beckon_finder_show_hit (BeckonFinder *finder, BeckonMessage *message, const char *words);

/** Takes all marks away. */
void beckon_finder_clear (BeckonFinder *finder);

G_END_DECLS
