/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-transcript.h"

G_BEGIN_DECLS

#define BECKON_TYPE_SELECTION_BAR (beckon_selection_bar_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSelectionBar, beckon_selection_bar, BECKON, SELECTION_BAR, AdwBin)

/**
 * BeckonSelectionBar:
 *
 * What can be done with the messages that are selected in a transcript. It is there while they are being selected.
 */

/** @transcript: borrowed; it lives as long as this does. */
void beckon_selection_bar_set_transcript (BeckonSelectionBar *self, BeckonTranscript *transcript);

G_END_DECLS
