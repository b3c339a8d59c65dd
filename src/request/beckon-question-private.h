/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-question.h"

G_BEGIN_DECLS

/* Limits of a question, in characters. Longer texts are cut with an ellipsis, more options are left out. */
#define BECKON_QUESTION_MAX_QUESTION 4000
#define BECKON_QUESTION_MAX_HEADER 200
#define BECKON_QUESTION_MAX_LABEL 200
#define BECKON_QUESTION_MAX_DESCRIPTION 1000
#define BECKON_QUESTION_MAX_PREVIEW 20000
#define BECKON_QUESTION_MAX_OPTIONS 50

/** Bytes of arguments that are looked at at all. */
#define BECKON_QUESTION_MAX_ARGUMENTS (1024 * 1024)

/** A question without items yet. */
BeckonQuestion *beckon_question_new (gboolean simple) G_GNUC_WARN_UNUSED_RESULT;

/** An item without options: free text. @text is cleaned and cut. */
BeckonQuestionItem *beckon_question_item_new (const char *text) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_question_item_free (BeckonQuestionItem *item);

/** @label, @description and @preview are cleaned and cut; %NULL when nothing is left of @label. */
BeckonQuestionOption *beckon_question_option_new (const char *label, const char *description, const char *preview,
                                                  gboolean recommended) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_question_option_free (BeckonQuestionOption *option);

BeckonQuestionOption *beckon_question_item_find_option (const BeckonQuestionItem *item, const char *label);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonQuestionItem, beckon_question_item_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonQuestionOption, beckon_question_option_free)

G_END_DECLS
