/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-question.h"

#include "base/beckon-text-printf.h"
#include "beckon-plain-number.h"
#include "beckon-plain-reply.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char *
plain_question_get_hint (const BeckonQuestionItem *item)
{
  if (item->options->len == 0)
    return _("Type your answer");
  if (item->multiple && item->freeform)
    return _("Reply with numbers such as 1,3, or type your answer");
  if (item->multiple)
    return _("Reply with numbers such as 1,3");
  if (item->freeform)
    return _("Reply with a number, or type your answer");
  return _("Reply with a number");
}

void
beckon_plain_question_append_heading (GString *text, BeckonRequest *request, guint item)
{
  BeckonQuestion *question = beckon_request_get_question (request);

  if (beckon_question_get_n_items (question) > 1)
    /* Translators: which of several questions this is, such as "(2 of 3) " */
    g_string_append_printf (text, _("(%u of %u) "), item + 1, beckon_question_get_n_items (question));
  beckon_plain_text_append (text, "", beckon_question_get_item (question, item)->question);
}

void
beckon_plain_question_append (GString *text, BeckonRequest *request, guint index, const char *code)
{
  const BeckonQuestionItem *item = beckon_question_get_item (beckon_request_get_question (request), index);
  g_autofree char *last = NULL;

  for (guint i = 0; i < item->options->len; i++)
    {
      const BeckonQuestionOption *option = beckon_question_item_get_option (item, i);

      g_string_append_printf (text, "\n%u. ", i + 1);
      beckon_plain_text_append (text, "", option->label);
      if (option->recommended)
        /* Translators: marks the choice that the model recommends, in plain text */
        beckon_text_append (text, " %s", _("(recommended)"));
      if (option->description != NULL)
        beckon_plain_text_append (text, " — ", option->description);
    }
  last = item->last != NULL ? beckon_last_answer_describe (item->last) : NULL;
  if (last != NULL)
    {
      g_string_append_c (text, '\n');
      /* Translators: what the person answered when the same was asked before */
      beckon_text_append (text, _("Last time: %s"), last);
    }
  g_string_append_printf (text, "\n\n%s", plain_question_get_hint (item));
  if (beckon_request_is_late (request))
    {
      g_string_append_c (text, '\n');
      g_string_append (text, _("The agent goes on meanwhile, as far as it can."));
    }
}

static gboolean
parse_question_command (const char *line, guint item, BeckonAnswer *answer, BeckonPlainResult *result,
                        BeckonAnswer **whole)
{
  const char *text = beckon_plain_reply_get_argument (line, "/ask");

  if (beckon_plain_reply_parse_command (line, result, whole))
    return TRUE;

  if (strcmp (line, "/skip") == 0)
    {
      beckon_answer_skip (answer, item);
      *result = BECKON_PLAIN_ITEM;
      return TRUE;
    }

  if (strcmp (line, "/choose") == 0)
    *whole = beckon_answer_new (BECKON_ANSWER_DELEGATED, NULL);
  else if (text != NULL)
    *whole = beckon_answer_new (BECKON_ANSWER_ASKED_BACK, text);
  else
    return FALSE;

  *result = BECKON_PLAIN_ANSWER;
  return TRUE;
}

/* The option whose label @text is, whatever the case if that leaves only one; -1 if there is none. */
static int
find_label (const BeckonQuestionItem *item, const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  int found = -1;

  for (guint i = 0; i < item->options->len; i++)
    {
      const BeckonQuestionOption *option = beckon_question_item_get_option (item, i);
      g_autofree char *label = g_utf8_casefold (option->label, -1);

      if (strcmp (option->label, text) == 0)
        return (int) i;
      if (strcmp (label, folded) == 0)
        found = found == -1 ? (int) i : -2;
    }

  return found >= 0 ? found : -1;
}

static gboolean
are_in_range (const BeckonQuestionItem *item, GArray *numbers)
{
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint, i) > item->options->len)
      return FALSE;

  return TRUE;
}

/* "Red, Blue" where several may be chosen and all of it is labels: their numbers. */
static GArray *
parse_labels (const BeckonQuestionItem *item, const char *line)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  g_auto (GStrv) pieces = NULL;

  if (!item->multiple)
    return NULL;

  pieces = g_regex_split_simple ("[,，、;；]", line, 0, 0);
  for (guint i = 0; pieces[i] != NULL; i++)
    {
      g_autofree char *piece = beckon_plain_reply_trim (pieces[i]);
      int found = find_label (item, piece);
      guint number = (guint) found + 1;

      if (found < 0)
        return NULL;
      g_array_append_val (numbers, number);
    }

  return numbers->len > 0 ? g_steal_pointer (&numbers) : NULL;
}

/* In the order of the question, each once, however they were typed. */
static void
select_numbers (const BeckonQuestionItem *item, guint index, GArray *numbers, BeckonAnswer *answer)
{
  for (guint i = 0; i < item->options->len; i++)
    for (guint j = 0; j < numbers->len; j++)
      if (g_array_index (numbers, guint, j) == i + 1)
        {
          beckon_answer_select (answer, index, beckon_question_item_get_option (item, i)->label);
          break;
        }
}

/* Numbers of choices, or labels. FALSE when the line is neither. */
static gboolean
parse_choice (const BeckonQuestionItem *item, guint index, const char *line, BeckonAnswer *answer,
              BeckonPlainResult *result, char **message)
{
  g_autoptr (GArray) numbers = beckon_plain_number_parse (line, item->multiple);
  g_autoptr (GArray) labels = NULL;
  int found = find_label (item, line);
  gboolean is_number = numbers != NULL && are_in_range (item, numbers);

  *result = BECKON_PLAIN_ITEM;

  /* Choices such as "2" and "4": the first is called what the second is numbered. */
  if (is_number && found >= 0 && (numbers->len > 1 || g_array_index (numbers, guint, 0) != (guint) found + 1))
    {
      guint number = g_array_index (numbers, guint, 0);
      guint label = (guint) found + 1;

      *message = beckon_text_printf (_("That is the number of “%s” and the text of “%s”. Reply with “%u.” or with “%u.”"),
                                     beckon_question_item_get_option (item, number - 1)->label,
                                     beckon_question_item_get_option (item, label - 1)->label, number, label);

      *result = BECKON_PLAIN_AGAIN;
      return TRUE;
    }

  if (found >= 0)
    beckon_answer_select (answer, index, beckon_question_item_get_option (item, (guint) found)->label);
  else if (is_number)
    select_numbers (item, index, numbers, answer);
  else if ((labels = parse_labels (item, line)) != NULL)
    select_numbers (item, index, labels, answer);
  else
    return FALSE;

  return TRUE;
}

BeckonPlainResult
beckon_plain_question_parse (BeckonRequest *request, guint index, const char *line, BeckonAnswer *answer,
                             BeckonAnswer **whole, char **message)
{
  const BeckonQuestionItem *item;
  g_autoptr (GArray) numbers = NULL;
  const char *words;
  BeckonPlainResult result;

  item = beckon_question_get_item (beckon_request_get_question (request), index);
  if (*line == '\0')
    return beckon_plain_reply_again (message, plain_question_get_hint (item));
  if (parse_question_command (line, index, answer, &result, whole))
    return result;
  if (parse_choice (item, index, line, answer, &result, message))
    return result;

  words = beckon_plain_number_split (line, item->multiple, &numbers);
  if (words == NULL || !are_in_range (item, numbers))
    words = line;
  if (!item->freeform && *words != '\0')
    {
      *message = item->options->len == 1 ? g_strdup (_("There is only one choice. Reply with its number."))
                                         : g_strdup_printf (_("Reply with a number from 1 to %u."), item->options->len);
      return BECKON_PLAIN_AGAIN;
    }

  if (words != line)
    select_numbers (item, index, numbers, answer);
  if (*words == '\0')
    return BECKON_PLAIN_ITEM;
  beckon_answer_set_item_text (answer, index, words);
  if (answer->items->len > 0 && ((BeckonAnswerItem *) g_ptr_array_index (answer->items, index))->text == NULL)
    return beckon_plain_reply_again (message, plain_question_get_hint (item));
  return BECKON_PLAIN_ITEM;
}
