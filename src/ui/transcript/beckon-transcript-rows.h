/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/* The rows of a transcript, each a #BeckonMessageRow. */

/** The first card that waits; %NULL if there is none. Borrowed. */
GtkWidget *beckon_transcript_rows_find_card (GtkWidget *rows, const char *request_id);

/** The number of the last message in which a call waits for a person, counted from 1; 0 if there is none. */
guint beckon_transcript_rows_find_waiting (BeckonConversation *conversation, const char *request_id);

/** Tells the call views of all rows which of their questions were asked back and are asked again. What was told stays. */
void beckon_transcript_rows_link_questions (GtkWidget *rows);

G_END_DECLS
