/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-citation.h"
#include "domain/beckon-note.h"
#include "domain/beckon-part.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SOURCES_VIEW (beckon_sources_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSourcesView, beckon_sources_view, BECKON, SOURCES_VIEW, AdwBin)

/**
 * beckon_sources_view_new:
 * @sources: (element-type BeckonCitation): what a passage is said to be from
 *
 * The sources, folded, as numbered links with their hosts. Nothing of them is loaded.
 *
 * Returns: (transfer floating): a widget
 */
GtkWidget *beckon_sources_view_new (GPtrArray *sources) G_GNUC_WARN_UNUSED_RESULT;

#define BECKON_TYPE_NOTE_VIEW (beckon_note_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonNoteView, beckon_note_view, BECKON, NOTE_VIEW, AdwBin)

/**
 * beckon_note_view_new:
 * @part: a part for which beckon_note_read() is true
 *
 * What Beckon itself says within a conversation: a line, or, where a summary begins, a divider that opens.
 */
GtkWidget *beckon_note_view_new (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

#define BECKON_TYPE_REASONING (beckon_reasoning_get_type ())
G_DECLARE_FINAL_TYPE (BeckonReasoning, beckon_reasoning, BECKON, REASONING, AdwBin)

/** The model's reasoning, folded. Its text is laid out when it is unfolded for the first time. */
GtkWidget *beckon_reasoning_new (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
