/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLateAnswer:
 * @request_id: (owned): which question
 * @call_id: (owned) (nullable): the call that asked it
 * @text: (owned): the message that it is to become
 * @is_dismissed: the person dismissed it
 *
 * The answer to a question that the model did not wait for, or its end without one.
 */
typedef struct
{
  char *request_id;
  char *call_id;
  char *text;
  gboolean is_dismissed;
} BeckonLateAnswer;

/**
 * BeckonLateAnswers:
 * @answers: (owned) (element-type BeckonLateAnswer): those that are no message yet, in the order in which they were given
 * @n_open: how many such questions are open
 *
 * What became of the questions of a conversation that its model did not wait for.
 */
typedef struct
{
  GPtrArray *answers;
  guint n_open;
} BeckonLateAnswers;

/** @text: (transfer full) */
BeckonLateAnswer *beckon_late_answer_new (const char *request_id, const char *call_id, char *text,
                                          gboolean is_dismissed) G_GNUC_WARN_UNUSED_RESULT;

BeckonLateAnswers *beckon_late_answers_new (void) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_late_answers_free (BeckonLateAnswers *answers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLateAnswers, beckon_late_answers_free)

G_END_DECLS
