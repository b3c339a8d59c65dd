/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The rows of a transcript, each a #BeckonMessageRow. */

/** Tells the call views of all rows which of their questions were asked back and are asked again. What was told stays. */
void beckon_transcript_rows_link_questions (GtkWidget *rows);

/** Shows text that was typed for a question, and did not become its answer, where the question stands. */
void beckon_transcript_rows_set_unsent (GtkWidget *rows, BeckonRequest *request, const char *text);

G_END_DECLS
