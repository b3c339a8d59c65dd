/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-answer.h"

G_BEGIN_DECLS

/**
 * beckon_question_key_new:
 * @item: a question
 *
 * What tells whether the same was asked before: the words of the question in their order, without case, punctuation and words
 * that only make it polite, and the choices in any order. A word more or less that says something, such as a "not" or a
 * number, makes another question. Pure; any thread.
 *
 * Returns: (transfer full) (nullable): a fixed-length text; %NULL for a masked question, and one that has no words
 */
char *beckon_question_key_new (const BeckonQuestionItem *item) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): what is remembered of an answer to @item; %NULL where the person picked and typed nothing.
 *  @at: microseconds since the epoch */
BeckonLastAnswer *beckon_question_key_remember (const BeckonQuestionItem *item, const BeckonAnswerItem *answer,
                                                gint64 at) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
