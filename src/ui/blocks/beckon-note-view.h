/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-note.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_NOTE_VIEW (beckon_note_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonNoteView, beckon_note_view, BECKON, NOTE_VIEW, AdwBin)

/**
 * beckon_note_view_new:
 * @part: a part for which beckon_note_read() is true
 *
 * What Beckon itself says within a conversation: a line, or, where a summary begins, a divider that opens.
 */
GtkWidget *beckon_note_view_new (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
