/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-question-page.h"
#include "request/beckon-question.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_QUESTION_DECK (beckon_question_deck_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQuestionDeck, beckon_question_deck, BECKON, QUESTION_DECK, AdwBin)

/**
 * BeckonQuestionDeck:
 *
 * The items of a question, one at a time: a page each, tabs, a way back and forth, and a review of them all at the end. It
 * collects what is picked and typed and decides nothing. Made in templates.
 *
 * Signals: `changed`: something was picked or typed, or another page is shown; `moved`: another page is shown; `picked`
 * (BeckonQuestionPage, BeckonChoice) and `send` (BeckonQuestionPage): as the page has them; `submit`: all is to be sent.
 */

/** Once, before it is shown. Keeps a reference of @question. */
void beckon_question_deck_set_question (BeckonQuestionDeck *self, BeckonQuestion *question);

/** The page that is shown; the last one while the review is. Borrowed. */
BeckonQuestionPage *beckon_question_deck_get_page (BeckonQuestionDeck *self);

/** Which item the page is for. */
guint beckon_question_deck_get_index (BeckonQuestionDeck *self);

/** Whether the page that is shown is the review. */
gboolean beckon_question_deck_is_reviewing (BeckonQuestionDeck *self);

/** Shows the next page, in the end the review. */
void beckon_question_deck_go_on (BeckonQuestionDeck *self);

/** Shows the first page that lacks an answer; %FALSE if none does. */
gboolean beckon_question_deck_show_unanswered (BeckonQuestionDeck *self);

/** Puts the focus where answering begins. */
void beckon_question_deck_focus (BeckonQuestionDeck *self);

/** "2 of 3"; %NULL where there is but one. Caller frees. */
char *beckon_question_deck_dup_progress (BeckonQuestionDeck *self);

/** Collects the answer. Caller owns. */
BeckonAnswer *beckon_question_deck_collect (BeckonQuestionDeck *self) G_GNUC_WARN_UNUSED_RESULT;

/** The same as a draft, without what must not be written down; %NULL if there is nothing to keep. Caller frees. */
char *beckon_question_deck_dup_draft (BeckonQuestionDeck *self);

/** Shows what a draft has and nothing else; what is no draft of this question counts as none. @draft: (nullable). */
void beckon_question_deck_restore (BeckonQuestionDeck *self, const char *draft);

/** Last answers are shown no more. */
void beckon_question_deck_forget_last (BeckonQuestionDeck *self);

/** The typed text, a line for each page; %NULL if none. Masked entries are left out. Caller frees. */
char *beckon_question_deck_dup_typed (BeckonQuestionDeck *self);

/** The entry of the page that is shown then holds a question back to the agent. It ends when another page is shown. */
void     beckon_question_deck_set_asking_back (BeckonQuestionDeck *self, gboolean asking_back);
gboolean beckon_question_deck_get_asking_back (BeckonQuestionDeck *self);

G_END_DECLS
