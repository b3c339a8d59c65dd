/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The rows of a transcript: the children of a box, each a #BeckonMessageRow. */

void beckon_transcript_rows_clear (GtkBox *rows);

/** The first card that waits; %NULL if there is none. Borrowed. */
GtkWidget *beckon_transcript_rows_find_card (GtkWidget *rows);

/** Whether a call of the message waits for a person. */
gboolean beckon_transcript_rows_message_waits (BeckonMessage *message);

G_END_DECLS
