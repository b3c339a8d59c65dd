/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ANSWER_ENTRY (beckon_answer_entry_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAnswerEntry, beckon_answer_entry, BECKON, ANSWER_ENTRY, AdwBin)

/**
 * BeckonAnswerEntry:
 *
 * Where an answer is typed, with a button that sends it. Made in templates.
 *
 * Signals: `changed`; `send`: Enter, which is never the one that ends what an input method composes, or the button.
 */

/** Sets its texts: the words in it while it is empty, the button's, and what a screen reader calls the button. */
void beckon_answer_entry_set_words (BeckonAnswerEntry *self, const char *placeholder, const char *button,
                                    const char *spoken);

/** Masks the text, until the person asks to see it. */
void beckon_answer_entry_set_secret (BeckonAnswerEntry *self, gboolean secret);

void beckon_answer_entry_set_button (BeckonAnswerEntry *self, gboolean visible, gboolean usable);

/** Whether Enter sends nothing, though the button does: what would be sent is only suggested. */
void beckon_answer_entry_set_ignores_enter (BeckonAnswerEntry *self, gboolean ignores);

/** Copies its text, without the space around it; %NULL if blank. Caller frees. */
char *beckon_answer_entry_dup_text (BeckonAnswerEntry *self);

/** @text: (nullable). */
void beckon_answer_entry_set_text (BeckonAnswerEntry *self, const char *text);
void beckon_answer_entry_focus (BeckonAnswerEntry *self);

/** Puts @text behind what is there, and the focus behind that. */
void beckon_answer_entry_type (BeckonAnswerEntry *self, const char *text);

/** The focus is in the text, where digits are text. */
gboolean beckon_answer_entry_is_typing (BeckonAnswerEntry *self);

G_END_DECLS
