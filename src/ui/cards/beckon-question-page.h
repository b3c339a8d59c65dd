/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-answer.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_QUESTION_PAGE (beckon_question_page_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQuestionPage, beckon_question_page, BECKON, QUESTION_PAGE, AdwBin)

/**
 * BeckonQuestionPage:
 *
 * One item of a question: its text, its choices, its entry. It collects what is picked and typed and decides nothing.
 *
 * Signals: `changed`: something was picked or typed; `picked` (BeckonChoice): a choice was activated, by click or by key;
 * `send`: the entry was activated or its button clicked.
 */

/** @alone: it is the only item, so that its entry has a button of its own. Keeps a reference of @question. */
GtkWidget *beckon_question_page_new (BeckonQuestion *question, guint index,
                                     gboolean alone) G_GNUC_WARN_UNUSED_RESULT;

/** Titles its tab: the header, cut, or the number. Caller frees. */
char *beckon_question_page_dup_title (BeckonQuestionPage *self);

/** The widget with the text of the question. Borrowed. */
GtkWidget *beckon_question_page_get_text (BeckonQuestionPage *self);

/** Whether one of its choices answers it, and others follow. */
gboolean beckon_question_page_is_single_choice (BeckonQuestionPage *self);

/** The question back that is typed; %NULL if there is none, and as that of the answer. Caller frees. */
char *beckon_question_page_dup_back (BeckonQuestionPage *self);
void  beckon_question_page_set_back (BeckonQuestionPage *self, const char *text);

/** Whether text can answer it. */
gboolean beckon_question_page_takes_text (BeckonQuestionPage *self);

/** Something is picked, typed, or the item is skipped. */
gboolean beckon_question_page_has_answer (BeckonQuestionPage *self);

/** Writes what was picked and typed into item @index of @answer. */
void beckon_question_page_fill (BeckonQuestionPage *self, BeckonAnswer *answer, gboolean for_draft);

/** Shows what a draft has. */
void beckon_question_page_restore (BeckonQuestionPage *self, const BeckonAnswerItem *item);

/** Activates choice @number, from 1. %FALSE if there is none. */
gboolean beckon_question_page_pick_number (BeckonQuestionPage *self, guint number);

/** Marks a choice as the mode of the page has it. */
void beckon_question_page_mark (BeckonQuestionPage *self, const char *label);

/** The last answer is shown no more, and suggests nothing. */
void beckon_question_page_forget_last (BeckonQuestionPage *self);

void beckon_question_page_set_skipped (BeckonQuestionPage *self, gboolean skipped);

/** The entry then holds a question back to the agent. */
void beckon_question_page_set_asking_back (BeckonQuestionPage *self, gboolean asking_back);

/** Copies the entry's text, without the space around it; %NULL if blank. Caller frees. */
char *beckon_question_page_dup_text (BeckonQuestionPage *self);
void  beckon_question_page_focus_entry (BeckonQuestionPage *self);

/** Whether a masked answer is typed on it. */
gboolean beckon_question_page_takes_secret (BeckonQuestionPage *self);

/** Puts @text behind what the entry holds, and the focus there. */
void beckon_question_page_type (BeckonQuestionPage *self, const char *text);

/** Focuses the choice of the last time, or the first one; the entry where there is none. */
void beckon_question_page_focus (BeckonQuestionPage *self);

/** The focus is in the entry, where digits are text. */
gboolean beckon_question_page_is_typing (BeckonQuestionPage *self);

/** A line such as "8080, and only on this machine"; a dash without an answer. Caller frees. */
char *beckon_question_page_summarize (BeckonQuestionPage *self);

G_END_DECLS
