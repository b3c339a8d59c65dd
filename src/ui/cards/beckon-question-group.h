/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-call-view.h"

G_BEGIN_DECLS

#define BECKON_TYPE_QUESTION_GROUP (beckon_question_group_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQuestionGroup, beckon_question_group, BECKON, QUESTION_GROUP, AdwBin)

/**
 * BeckonQuestionGroup:
 *
 * The questions that one reply asks by several calls. They are answered one by one, in any order; together they stand in
 * one frame that says how many are left. A single one stands there as if there were no group.
 */
GtkWidget *beckon_question_group_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Adds a call that asks. Takes the floating reference of @view. */
void beckon_question_group_add (BeckonQuestionGroup *self, BeckonCallView *view, BeckonRequest *request);

/** Adds its call views to @views, in order. Borrowed. */
void beckon_question_group_list_calls (BeckonQuestionGroup *self, GPtrArray *views);

/** The first card in it that waits; %NULL if none does. */
GtkWidget *beckon_question_group_get_pending_card (BeckonQuestionGroup *self);

G_END_DECLS
