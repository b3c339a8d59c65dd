/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-question-pages.h"

#include "beckon-question-page.h"

BeckonAnswer *
beckon_question_pages_collect (GPtrArray *pages, gboolean for_draft)
{
  BeckonAnswer *answer = beckon_answer_new_question (pages->len);

  for (guint i = 0; i < pages->len; i++)
    beckon_question_page_fill (g_ptr_array_index (pages, i), answer, for_draft);
  return answer;
}

char *
beckon_question_pages_dup_draft (GPtrArray *pages)
{
  g_autoptr (BeckonAnswer) answer = NULL;

  for (guint i = 0; i < pages->len; i++)
    {
      if (!beckon_question_page_has_answer (g_ptr_array_index (pages, i)))
        continue;
      answer = beckon_question_pages_collect (pages, TRUE);
      return beckon_answer_to_json (answer);
    }
  return NULL;
}

void
beckon_question_pages_restore (GPtrArray *pages, const char *draft)
{
  g_autoptr (BeckonAnswer) answer = draft != NULL ? beckon_answer_from_json (draft, NULL) : NULL;

  if (answer == NULL || answer->kind != BECKON_ANSWER_QUESTION || answer->items->len != pages->len)
    return;

  for (guint i = 0; i < pages->len; i++)
    beckon_question_page_restore (g_ptr_array_index (pages, i), g_ptr_array_index (answer->items, i));
}

guint
beckon_question_pages_find_unanswered (GPtrArray *pages)
{
  guint i = 0;

  while (i < pages->len && beckon_question_page_has_answer (g_ptr_array_index (pages, i)))
    i++;
  return i;
}

char *
beckon_question_pages_dup_typed (GPtrArray *pages, const BeckonQuestion *question)
{
  g_autoptr (GString) typed = g_string_new (NULL);

  for (guint i = 0; i < pages->len; i++)
    {
      g_autofree char *text = beckon_question_page_dup_text (g_ptr_array_index (pages, i));

      if (text != NULL && !beckon_question_get_item (question, i)->secret)
        g_string_append_printf (typed, "%s%s", typed->len > 0 ? "\n" : "", text);
    }
  return typed->len > 0 ? g_string_free (g_steal_pointer (&typed), FALSE) : NULL;
}
