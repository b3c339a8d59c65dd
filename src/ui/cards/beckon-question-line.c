/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-line.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "request/beckon-question-request.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>

BeckonQuestionLine
beckon_question_line_read (BeckonRequest *request, guint index, const char *line, BeckonAnswer **item, BeckonAnswer **whole,
                           char **message)
{
  g_autoptr (BeckonAnswer) answer = NULL;

  *item = *whole = NULL;
  *message = NULL;
  /* A masked answer must not be typed where it is stored as a draft. */
  if (beckon_question_get_item (beckon_request_get_question (request), index)->secret)
    {
      *message = g_strdup (_("This answer is masked. Type it in the card above."));
      return BECKON_QUESTION_LINE_REFUSED;
    }
  answer = beckon_plain_text_begin (request);
  switch (beckon_plain_text_parse (request, index, line, answer, whole, message))
    {
    case BECKON_PLAIN_ITEM:
      *item = g_steal_pointer (&answer);
      return BECKON_QUESTION_LINE_TAKEN;
    case BECKON_PLAIN_ANSWER:
      return BECKON_QUESTION_LINE_TAKEN;
    case BECKON_PLAIN_AGAIN:
      return BECKON_QUESTION_LINE_REFUSED;
    case BECKON_PLAIN_STOP:
    case BECKON_PLAIN_STATUS:
    default:
      return BECKON_QUESTION_LINE_OTHER;
    }
}

static char *
describe_item (BeckonRequest *request, guint index, const BeckonAnswerItem *item, const char *enter)
{
  if (item->selected->len > 0)
    {
      /* Numbers such as "1, 3", and with a single one its choice. */
      const BeckonQuestionItem *question = beckon_question_get_item (beckon_request_get_question (request), index);
      g_autoptr (GString) numbers = g_string_new (NULL);

      for (guint i = 0; i < question->options->len; i++)
        if (g_ptr_array_find_with_equal_func (item->selected, beckon_question_item_get_option (question, i)->label, g_str_equal,
                                              NULL))
          g_string_append_printf (numbers, "%s%u", numbers->len > 0 ? ", " : "", i + 1);
      if (item->selected->len == 1)
        {
          g_autofree char *label = beckon_text_for_display (g_ptr_array_index (item->selected, 0), -1, BECKON_TEXT_EXACT);
          g_autofree char *isolated = beckon_text_isolate (label, _("%s answers %s: %s"));

          /* Translators: a key of the keyboard, the number of a choice, the choice */
          return beckon_text_printf (_("%s answers %s: %s"), enter, numbers->str, isolated);
        }
      /* Translators: a key of the keyboard, and the numbers of several choices */
      return beckon_text_printf (_("%s answers %s"), enter, numbers->str);
    }
  if (item->text != NULL)
    /* Translators: %s is a key of the keyboard */
    return beckon_text_printf (_("%s answers in your own words"), enter);
  /* Translators: %s is a key of the keyboard */
  return beckon_text_printf (_("%s skips the question"), enter);
}

static char *
describe_whole (const BeckonAnswer *answer, const char *enter)
{
  if (answer->kind == BECKON_ANSWER_DELEGATED)
    /* Translators: %s is a key of the keyboard */
    return beckon_text_printf (_("%s lets the agent choose"), enter);
  if (answer->kind == BECKON_ANSWER_ASKED_BACK)
    /* Translators: %s is a key of the keyboard */
    return beckon_text_printf (_("%s asks the agent back"), enter);
  /* Translators: %s is a key of the keyboard */
  return beckon_text_printf (_("%s dismisses the question"), enter);
}

char *
beckon_question_line_describe (BeckonRequest *request, guint index, const char *line, const char *enter)
{
  g_autoptr (BeckonAnswer) item = NULL;
  g_autoptr (BeckonAnswer) whole = NULL;
  g_autofree char *message = NULL;

  switch (beckon_question_line_read (request, index, line, &item, &whole, &message))
    {
    case BECKON_QUESTION_LINE_TAKEN:
      return whole != NULL ? describe_whole (whole, enter)
                           : describe_item (request, index, g_ptr_array_index (item->items, index), enter);
    case BECKON_QUESTION_LINE_REFUSED:
      return g_steal_pointer (&message);
    case BECKON_QUESTION_LINE_OTHER:
    default:
      return NULL;
    }
}
