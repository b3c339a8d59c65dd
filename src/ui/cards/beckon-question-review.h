/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-question.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_QUESTION_REVIEW (beckon_question_review_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQuestionReview, beckon_question_review, BECKON, QUESTION_REVIEW, AdwBin)

/**
 * The answers to several questions in a list, before they are sent. @pages: (element-type BeckonQuestionPage): borrowed, to
 * live as long as this. Signal `chosen` (guint): the person wants to go back to that question.
 */
GtkWidget *beckon_question_review_new (BeckonQuestion *question, GPtrArray *pages) G_GNUC_WARN_UNUSED_RESULT;

/** Reads the answers again. */
void beckon_question_review_update (BeckonQuestionReview *self);

G_END_DECLS
