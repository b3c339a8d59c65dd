/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-late-answers.h"

BeckonLateAnswer *
beckon_late_answer_new (const char *request_id, const char *call_id, char *text, gboolean is_dismissed)
{
  BeckonLateAnswer *answer = g_new0 (BeckonLateAnswer, 1);

  answer->request_id = g_strdup (request_id);
  answer->call_id = g_strdup (call_id);
  answer->text = text;
  answer->is_dismissed = is_dismissed;
  return answer;
}

static void
late_answer_free (gpointer data)
{
  BeckonLateAnswer *answer = data;

  g_free (answer->request_id);
  g_free (answer->call_id);
  g_free (answer->text);
  g_free (answer);
}

BeckonLateAnswers *
beckon_late_answers_new (void)
{
  BeckonLateAnswers *self = g_new0 (BeckonLateAnswers, 1);

  self->answers = g_ptr_array_new_with_free_func (late_answer_free);
  return self;
}

void
beckon_late_answers_free (BeckonLateAnswers *self)
{
  g_ptr_array_unref (self->answers);
  g_free (self);
}
