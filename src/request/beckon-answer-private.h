/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-form.h"
#include "request/beckon-answer.h"

G_BEGIN_DECLS

/** Bytes a person may write in one place. */
#define BECKON_ANSWER_MAX_TEXT BECKON_FORM_MAX_TEXT

/** The result of a call whose request lost its ground. */
#define BECKON_ANSWER_CANCELLED_RESULT "The user did not answer; the operation was cancelled"

/** Borrowed. */
BeckonAnswerItem *beckon_answer_get_item (const BeckonAnswer *answer, guint index);

/** Whether @label is among what was picked. */
gboolean beckon_answer_item_has (const BeckonAnswerItem *item, const char *label);

/** Whether every item was skipped. */
gboolean beckon_answer_is_skipped (const BeckonAnswer *answer);

G_END_DECLS
