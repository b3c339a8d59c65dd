/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-answer.h"

#include "base/beckon-counted.h"
#include "base/beckon-text-printf.h"
#include "beckon-answer-private.h"
#include "beckon-question-private.h"
#include "beckon-question-text.h"
#include "domain/beckon-request-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_BOXED_TYPE (BeckonAnswer, beckon_answer, beckon_answer_ref, beckon_answer_unref)

static void
item_free (BeckonAnswerItem *item)
{
  g_ptr_array_unref (item->selected);
  /* The text may be a secret for the vault. */
  if (item->text != NULL)
    explicit_bzero (item->text, strlen (item->text));
  g_free (item->text);
  g_free (item);
}

/* Blank text is no text. */
static char *
answer_dup_text (const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  return beckon_question_text_is_blank (valid) ? NULL : g_steal_pointer (&valid);
}

BeckonAnswer *
beckon_answer_new (BeckonAnswerKind kind, const char *text)
{
  BeckonAnswer *answer = g_atomic_rc_box_new0 (BeckonAnswer);

  answer->kind = kind;
  answer->items = g_ptr_array_new_with_free_func ((GDestroyNotify) item_free);
  answer->text = answer_dup_text (text);
  return answer;
}

BeckonAnswer *
beckon_answer_new_question (guint n_items)
{
  BeckonAnswer *answer = beckon_answer_new (BECKON_ANSWER_QUESTION, NULL);

  for (guint i = 0; i < n_items; i++)
    {
      BeckonAnswerItem *item = g_new0 (BeckonAnswerItem, 1);

      item->selected = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (answer->items, item);
    }

  return answer;
}

BeckonAnswerItem *
beckon_answer_get_item (const BeckonAnswer *answer, guint index)
{
  g_return_val_if_fail (index < answer->items->len, NULL);

  return g_ptr_array_index (answer->items, index);
}

gboolean
beckon_answer_item_has (const BeckonAnswerItem *item, const char *label)
{
  return g_ptr_array_find_with_equal_func (item->selected, label, g_str_equal, NULL);
}

void
beckon_answer_select (BeckonAnswer *answer, guint item, const char *label)
{
  BeckonAnswerItem *entry = beckon_answer_get_item (answer, item);

  g_return_if_fail (entry != NULL);
  g_return_if_fail (label != NULL);

  entry->skipped = FALSE;
  if (!beckon_answer_item_has (entry, label))
    g_ptr_array_add (entry->selected, g_utf8_make_valid (label, -1));
}

void
beckon_answer_set_item_text (BeckonAnswer *answer, guint item, const char *text)
{
  BeckonAnswerItem *entry = beckon_answer_get_item (answer, item);

  g_return_if_fail (entry != NULL);

  g_free (entry->text);
  entry->text = answer_dup_text (text);
  if (entry->text != NULL)
    entry->skipped = FALSE;
}

void
beckon_answer_skip (BeckonAnswer *answer, guint item)
{
  BeckonAnswerItem *entry = beckon_answer_get_item (answer, item);

  g_return_if_fail (entry != NULL);

  g_ptr_array_set_size (entry->selected, 0);
  g_clear_pointer (&entry->text, g_free);
  entry->skipped = TRUE;
}

static void
answer_clear (gpointer data)
{
  BeckonAnswer *answer = data;

  g_clear_pointer (&answer->items, g_ptr_array_unref);
  g_clear_pointer (&answer->text, g_free);
  g_clear_pointer (&answer->remember, g_ptr_array_unref);
  g_clear_pointer (&answer->files, g_free);
}

void
beckon_answer_set_files (BeckonAnswer *answer, const char *files)
{
  g_return_if_fail (answer != NULL);

  g_free (answer->files);
  answer->files = g_strdup (files);
}

void
beckon_answer_set_remember (BeckonAnswer *answer, GPtrArray *rules)
{
  g_return_if_fail (answer != NULL && rules != NULL);
  g_return_if_fail (answer->kind == BECKON_ANSWER_APPROVED || answer->kind == BECKON_ANSWER_APPROVED_EDITED
                    || answer->kind == BECKON_ANSWER_DECLINED || answer->kind == BECKON_ANSWER_KEPT);

  g_clear_pointer (&answer->remember, g_ptr_array_unref);
  answer->remember = rules;
}

BECKON_COUNTED (BeckonAnswer, beckon_answer, answer_clear)

static gboolean
answer_refuse (GError **error, const char *message)
{
  g_set_error_literal (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID, message);
  return FALSE;
}

/* Finds an item's fault, in words, and its member; NULL when there is none. */
static const char *
find_item_fault (const BeckonAnswerItem *entry, const BeckonQuestionItem *item, const char **member)
{
  gboolean empty = entry->selected->len == 0 && entry->text == NULL;

  *member = "skipped";
  if (entry->skipped)
    return empty ? NULL : _("can't be both skipped and answered");
  *member = item->options->len > 0 ? "selected" : "text";
  if (empty)
    return item->options->len > 0 ? _("choose something, write an answer or skip it") : _("write an answer or skip it");
  *member = "selected";
  if (entry->selected->len > 1 && !item->multiple)
    return _("only one choice is possible");
  *member = "text";
  if (entry->text != NULL && !item->freeform)
    return _("choose from the list; text is not possible here");
  if (entry->text != NULL && strlen (entry->text) > BECKON_ANSWER_MAX_TEXT)
    return _("the text is too long");

  *member = "selected";
  for (guint i = 0; i < entry->selected->len; i++)
    if (beckon_question_item_find_option (item, g_ptr_array_index (entry->selected, i)) == NULL)
      return _("there is no such choice");

  return NULL;
}

char *
beckon_answer_dup_faulty_field (const BeckonAnswer *answer, const BeckonQuestion *question)
{
  g_return_val_if_fail (answer != NULL, NULL);
  g_return_val_if_fail (question != NULL, NULL);

  if (answer->kind != BECKON_ANSWER_QUESTION)
    return g_strdup (answer->kind == BECKON_ANSWER_ASKED_BACK || answer->text != NULL ? "text" : "kind");

  for (guint i = 0; i < MIN (answer->items->len, question->items->len); i++)
    {
      const char *member;

      if (find_item_fault (g_ptr_array_index (answer->items, i), beckon_question_get_item (question, i), &member) != NULL)
        return g_strdup_printf ("items[%u].%s", i, member);
    }

  return g_strdup ("items");
}

gboolean
beckon_answer_check (const BeckonAnswer *answer, const BeckonQuestion *question, GError **error)
{
  g_return_val_if_fail (answer != NULL, FALSE);
  g_return_val_if_fail (question != NULL, FALSE);

  if (answer->text != NULL && strlen (answer->text) > BECKON_ANSWER_MAX_TEXT)
    return answer_refuse (error, _("The text is too long."));

  switch (answer->kind)
    {
    case BECKON_ANSWER_QUESTION:
      if (answer->items->len != question->items->len)
        return answer_refuse (error, _("Give one item for each question."));

      for (guint i = 0; i < question->items->len; i++)
        {
          const char *member;
          const char *fault
              = find_item_fault (g_ptr_array_index (answer->items, i), beckon_question_get_item (question, i), &member);

          if (fault == NULL)
            continue;

          /* Translators: the number of a question among several, and what is wrong with its answer. */
          beckon_text_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID, _("Question %u: %s"),
                                 i + 1, fault);
          return FALSE;
        }

      return TRUE;

    case BECKON_ANSWER_ASKED_BACK:
      if (answer->text == NULL)
        return answer_refuse (error, _("Write your question."));
      return TRUE;

    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_APPROVED_EDITED:
    case BECKON_ANSWER_LOOKED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_SKIP:
    case BECKON_ANSWER_PLAN:
    case BECKON_ANSWER_KEPT:
    case BECKON_ANSWER_FORM:
      return answer_refuse (error, _("This is a question. Answer it instead of approving it."));

    case BECKON_ANSWER_DELEGATED:
    case BECKON_ANSWER_DECLINED:
    case BECKON_ANSWER_CANCELLED:
    case BECKON_ANSWER_TIMED_OUT:
    case BECKON_ANSWER_UNAVAILABLE:
    default:
      return TRUE;
    }
}
