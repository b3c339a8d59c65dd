/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-message-row.h"
#include "beckon-transcript.h"

G_BEGIN_DECLS

/* Actions on a transcript's messages without an agent or a store: they are copied, quoted, edited, selected. */

/** Installs `transcript.copy`, `.copy-markdown`, `.edit`, `.quote`, `.select`, `.top`, `.menu` (s: a message's id),
 *  `.copy-block` (the one that is pointed at), and for those that are selected `transcript.copy-selected`,
 *  `.copy-selected-plain`, `.quote-selected`, `.delete-selected`, `.end-selection`; `transcript.link-questions`, which
 *  call views activate. */
void beckon_transcript_install_actions (GtkWidgetClass *widget_class);

/** A row came to be: it is as the selection is. */
void beckon_transcript_prepare_row (BeckonTranscript *self, BeckonMessageRow *row);

/** Messages went: what is not there any more is not selected. */
void beckon_transcript_check_selection (BeckonTranscript *self);

/** Sets the menu's target: (nullable) a widget in one of the rows. */
void beckon_transcript_point_at (BeckonTranscript *self, GtkWidget *widget);

G_END_DECLS
