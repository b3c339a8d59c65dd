/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-answer.h"

G_BEGIN_DECLS

/* All pages of a card together; @pages: (element-type BeckonQuestionPage), in the question's order. */

/** What is picked and typed. @for_draft: without what must not be written down. Caller owns. */
BeckonAnswer *beckon_question_pages_collect (GPtrArray *pages, gboolean for_draft) G_GNUC_WARN_UNUSED_RESULT;

/** The same as JSON to keep; %NULL if nothing is picked or typed. Caller frees. */
char *beckon_question_pages_dup_draft (GPtrArray *pages);

/** Shows what a draft has; what is no draft of these pages is left alone. @draft: (nullable). */
void beckon_question_pages_restore (GPtrArray *pages, const char *draft);

/** The first page without an answer; the number of pages if there is none. */
guint beckon_question_pages_find_unanswered (GPtrArray *pages);

/** What was typed, a line for each page; %NULL if nothing was. Masked entries are left out. Caller frees. */
char *beckon_question_pages_dup_typed (GPtrArray *pages, const BeckonQuestion *question);

G_END_DECLS
