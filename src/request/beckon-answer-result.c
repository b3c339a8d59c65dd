/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns an answer into the result that the model gets, in English, and a line for people, translated. Both keep apart what a
 * person said from what no one said: an end without an answer is never an empty success. */

#include "beckon-config.h"

#include "base/beckon-text-printf.h"
#include "beckon-answer-private.h"
#include "beckon-question-private.h"
#include "beckon-question-text.h"
#include "beckon-vault.h"
#include "form/beckon-request-json.h"

#include <glib/gi18n-lib.h>

#define DISMISSED "The user dismissed this question"

/* Characters of a question that an answer to it names. */
#define LATE_MAX_QUESTION 200

gboolean
beckon_answer_is_skipped (const BeckonAnswer *answer)
{
  for (guint i = 0; i < answer->items->len; i++)
    if (!beckon_answer_get_item (answer, i)->skipped)
      return FALSE;

  return answer->items->len > 0;
}

static char *
make_full_result (const BeckonAnswer *answer, const BeckonQuestion *question)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_request_json_member (&writer, "status", beckon_answer_is_skipped (answer) ? "skipped" : "answered");
  beckon_json_writer_name (&writer, "answers");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < question->items->len; i++)
    {
      const BeckonAnswerItem *entry = beckon_answer_get_item (answer, i);
      const BeckonQuestionItem *item = beckon_question_get_item (question, i);

      beckon_json_writer_begin_object (&writer);
      beckon_request_json_member (&writer, "question", item->question);

      beckon_json_writer_name (&writer, "selected");
      beckon_json_writer_begin_array (&writer);
      for (guint j = 0; j < item->options->len; j++)
        {
          const BeckonQuestionOption *option = beckon_question_item_get_option (item, j);

          if (beckon_answer_item_has (entry, option->label))
            beckon_json_writer_string (&writer, option->label, -1);
        }
      beckon_json_writer_end_array (&writer);

      beckon_request_json_member (&writer, "text", entry->text != NULL ? entry->text : "");
      beckon_json_writer_member_boolean (&writer, "skipped", entry->skipped);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
make_simple_result (const BeckonAnswer *answer)
{
  const BeckonAnswerItem *entry = beckon_answer_get_item (answer, 0);

  if (entry->skipped)
    return g_strdup ("The user skipped this question");
  if (entry->selected->len == 0)
    return g_strdup (entry->text);
  if (entry->text == NULL)
    return g_strdup (g_ptr_array_index (entry->selected, 0));

  return g_strdup_printf ("%s — %s", (const char *) g_ptr_array_index (entry->selected, 0), entry->text);
}

static char *
make_asked_back_result (const BeckonAnswer *answer)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_request_json_member (&writer, "status", "asked_back");
  beckon_request_json_member (&writer, "text", answer->text);
  beckon_json_writer_end_object (&writer);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_answer_to_result (const BeckonAnswer *answer, const BeckonQuestion *question, gboolean *is_error)
{
  *is_error = FALSE;
  switch (answer->kind)
    {
    case BECKON_ANSWER_QUESTION:
      g_return_val_if_fail (answer->items->len == question->items->len, NULL);
      return question->simple ? make_simple_result (answer) : make_full_result (answer, question);
    case BECKON_ANSWER_DELEGATED:
      return g_strdup ("The user left the choice to you. Choose what fits best, say what you chose, and go on.");
    case BECKON_ANSWER_ASKED_BACK:
      return make_asked_back_result (answer);
    case BECKON_ANSWER_DECLINED:
      *is_error = TRUE;
      if (answer->text == NULL)
        return g_strdup (DISMISSED);

      return g_strdup_printf (DISMISSED ". They said: %s", answer->text);
    case BECKON_ANSWER_TIMED_OUT:
      *is_error = TRUE;
      return g_strdup ("The user did not answer in the time that was set. Nobody has chosen anything.");
    case BECKON_ANSWER_UNAVAILABLE:
      *is_error = TRUE;
      return g_strdup ("Nobody can answer questions here. Go on with what does not need an answer, or finish and say "
                       "what you need to know.");
    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_APPROVED_EDITED:
    case BECKON_ANSWER_LOOKED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_SKIP:
    case BECKON_ANSWER_PLAN:
    case BECKON_ANSWER_KEPT:
    case BECKON_ANSWER_FORM:
    case BECKON_ANSWER_CANCELLED:
    default:
      *is_error = TRUE;
      return g_strdup (BECKON_ANSWER_CANCELLED_RESULT);
    }
}

char *
beckon_answer_to_late_message (const BeckonAnswer *answer, const BeckonQuestion *question)
{
  g_autoptr (BeckonAnswer) cancelled = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *result = NULL;
  gboolean is_answered = answer != NULL && answer->kind == BECKON_ANSWER_QUESTION;
  gboolean is_error;

  g_return_val_if_fail (question != NULL, NULL);

  for (guint i = 0; i < question->items->len; i++)
    {
      /* In a line, and short: it only says which question is meant. */
      g_autofree char *line
          = beckon_question_text_clean (beckon_question_get_item (question, i)->question, LATE_MAX_QUESTION, TRUE);

      g_string_append_printf (names, "%s\"%s\"", names->len > 0 ? ", " : "", line != NULL ? line : "");
    }
  result = beckon_answer_to_result (answer != NULL ? answer : cancelled, question, &is_error);
  return g_strdup_printf ("%s earlier question%s %s:\n%s", is_answered ? "My answer to your" : "About your",
                          question->items->len > 1 ? "s" : "", names->str, result);
}

/* As it was picked and written; a note goes behind what it is about. */
static char *
join_item (const BeckonAnswerItem *entry)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *picked = NULL;

  if (entry->skipped)
    return g_strdup (_("I skip this question."));

  for (guint i = 0; i < entry->selected->len; i++)
    g_ptr_array_add (words, g_ptr_array_index (entry->selected, i));
  g_ptr_array_add (words, NULL);
  picked = g_strjoinv (_(", "), (char **) words->pdata);
  if (entry->text == NULL)
    return g_steal_pointer (&picked);
  if (entry->selected->len == 0)
    return g_strdup (entry->text);

  return g_strdup_printf ("%s — %s", picked, entry->text);
}

static char *
join_items (const BeckonAnswer *answer, const BeckonQuestion *question)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < answer->items->len && i < question->items->len; i++)
    {
      g_autofree char *item = join_item (beckon_answer_get_item (answer, i));

      if (i > 0)
        g_string_append_c (text, '\n');
      if (question->items->len > 1)
        g_string_append_printf (text, "%s — ", beckon_question_get_item (question, i)->question);
      g_string_append (text, item);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_answer_to_message (const BeckonAnswer *answer, const BeckonQuestion *question)
{
  g_return_val_if_fail (answer != NULL, NULL);
  g_return_val_if_fail (question != NULL, NULL);

  switch (answer->kind)
    {
    case BECKON_ANSWER_QUESTION:
      return join_items (answer, question);
    case BECKON_ANSWER_DELEGATED:
      return g_strdup (_("You choose."));
    case BECKON_ANSWER_ASKED_BACK:
      return g_strdup (answer->text);
    case BECKON_ANSWER_DECLINED:
      return answer->text != NULL ? g_strdup (answer->text) : g_strdup (_("I do not want to answer this."));
    case BECKON_ANSWER_LOOKED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_SKIP:
    case BECKON_ANSWER_PLAN:
    case BECKON_ANSWER_KEPT:
    case BECKON_ANSWER_FORM:
    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_APPROVED_EDITED:
    case BECKON_ANSWER_CANCELLED:
    case BECKON_ANSWER_TIMED_OUT:
    case BECKON_ANSWER_UNAVAILABLE:
    default:
      return NULL;
    }
}

static char *
make_line (const char *text)
{
  return beckon_question_text_clean (text, BECKON_QUESTION_MAX_QUESTION, TRUE);
}

static char *
summarise_item (const BeckonAnswerItem *entry, const BeckonQuestionItem *item)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  if (entry->skipped)
    return g_strdup (_("Skipped"));
  if (item != NULL && item->secret)
    return beckon_secret_handle_is (entry->text) ? g_strdup (entry->text) : g_strdup ("••••••");

  for (guint i = 0; i < entry->selected->len; i++)
    g_ptr_array_add (words, make_line (g_ptr_array_index (entry->selected, i)));
  if (entry->text != NULL)
    g_ptr_array_add (words, make_line (entry->text));
  g_ptr_array_add (words, NULL);

  /* Translators: stands between the things a person picked or wrote. */
  return g_strjoinv (_(", "), (char **) words->pdata);
}

static char *
summarise_items (const BeckonAnswer *answer, const BeckonQuestion *question)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < answer->items->len; i++)
    {
      const BeckonQuestionItem *item
          = question != NULL && i < question->items->len ? beckon_question_get_item (question, i) : NULL;

      g_ptr_array_add (lines, summarise_item (beckon_answer_get_item (answer, i), item));
    }
  g_ptr_array_add (lines, NULL);

  /* Translators: stands between the answers to several questions. */
  return g_strjoinv (_("; "), (char **) lines->pdata);
}

static char *
summarise_words (const char *words, const char *text)
{
  g_autofree char *line = make_line (text);

  /* Translators: how a request ended, and what the person wrote with it. */
  return line != NULL ? beckon_text_printf (_("%s: %s"), words, line) : g_strdup (words);
}

char *
beckon_answer_to_summary (const BeckonAnswer *answer, const BeckonQuestion *question)
{
  g_return_val_if_fail (answer != NULL, NULL);

  switch (answer->kind)
    {
    case BECKON_ANSWER_QUESTION:
      return summarise_items (answer, question);
    case BECKON_ANSWER_DELEGATED:
      return g_strdup (_("The choice was left to the model"));
    case BECKON_ANSWER_ASKED_BACK:
      return summarise_words (_("Asked back"), answer->text);
    case BECKON_ANSWER_DECLINED:
      if (question != NULL)
        return summarise_words (_("Dismissed"), answer->text);
      return summarise_words (_("Denied"), answer->text);
    case BECKON_ANSWER_APPROVED:
      return g_strdup (_("Approved"));
    case BECKON_ANSWER_APPROVED_EDITED:
      return g_strdup (_("Approved with changes"));
    case BECKON_ANSWER_LOOKED:
      return summarise_words (_("Looked"), answer->text);
    case BECKON_ANSWER_RETRY:
      return g_strdup (_("Run again"));
    case BECKON_ANSWER_PLAN:
      return g_strdup (_("Accepted"));
    case BECKON_ANSWER_KEPT:
      return g_strdup (answer->text == NULL ? _("Kept") : _("Kept in part"));
    case BECKON_ANSWER_FORM:
      return g_strdup (_("Sent"));
    case BECKON_ANSWER_SKIP:
      return g_strdup (_("Skipped; what it did is not known"));
    case BECKON_ANSWER_TIMED_OUT:
      return g_strdup (_("Timed out"));
    case BECKON_ANSWER_UNAVAILABLE:
      return g_strdup (_("You couldn't be asked"));
    case BECKON_ANSWER_CANCELLED:
    default:
      return g_strdup (_("The user did not answer; the operation was cancelled"));
    }
}
