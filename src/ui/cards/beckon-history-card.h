/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_HISTORY_CARD (beckon_history_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonHistoryCard, beckon_history_card, BECKON, HISTORY_CARD, AdwBin)

/** A settled question: what was asked, what was answered, by whom and when. */
GtkWidget *beckon_history_card_new (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Keeps text that was typed here but did not become the answer, so that it can be copied. */
void beckon_history_card_set_unsent (BeckonHistoryCard *self, const char *text);

/** Folds an asked-back question that came again: one line is left, which opens all. */
void beckon_history_card_set_asked_again (BeckonHistoryCard *self);

/** Something about the answer, below it. */
void beckon_history_card_set_note (BeckonHistoryCard *self, const char *note);

/** A line for the question that comes again: what @earlier was asked back with. Caller frees. */
char *beckon_history_card_describe_earlier (BeckonRequest *earlier);

G_END_DECLS
