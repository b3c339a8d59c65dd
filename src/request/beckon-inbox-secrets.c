/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A masked answer never reaches the journal: on its way there every secret goes into the vault and its handle takes its
 * place. Since all front ends answer through the inbox, none can forget it. */

#include "beckon-config.h"

#include "beckon-answer-private.h"
#include "beckon-inbox-private.h"
#include "beckon-question-request.h"
#include "beckon-secret-handle.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  BeckonQuestion *question;
  BeckonAnswer *answer; /* what was given */
  BeckonAnswer *kept;   /* the same with handles */
  guint next;           /* the item to look at next */
} Keeping;

static void
keeping_free (Keeping *keeping)
{
  beckon_question_unref (keeping->question);
  beckon_answer_unref (keeping->answer);
  beckon_answer_unref (keeping->kept);
  g_free (keeping);
}

static gboolean
is_secret (const BeckonQuestion *question, const BeckonAnswer *answer, guint index)
{
  return beckon_question_get_item (question, index)->secret && beckon_answer_get_item (answer, index)->text != NULL;
}

gboolean
beckon_inbox_has_secrets (BeckonRequest *request, const BeckonAnswer *answer)
{
  const BeckonQuestion *question = beckon_request_get_question (request);

  if (question == NULL || answer->kind != BECKON_ANSWER_QUESTION)
    return FALSE;
  for (guint i = 0; i < answer->items->len; i++)
    {
      if (is_secret (question, answer, i))
        return TRUE;
    }
  return FALSE;
}

void
beckon_inbox_forget_secrets (BeckonInbox *self, BeckonRequest *request, const BeckonAnswer *answer)
{
  BeckonVault *vault = beckon_inbox_get_vault (self);

  if (vault == NULL || !beckon_inbox_has_secrets (request, answer))
    return;
  for (guint i = 0; i < answer->items->len; i++)
    {
      const char *text = beckon_answer_get_item (answer, i)->text;

      if (is_secret (beckon_request_get_question (request), answer, i) && beckon_secret_handle_is (text))
        beckon_vault_forget (vault, text);
    }
}

static BeckonAnswer *
copy_without_secrets (const BeckonAnswer *answer, const BeckonQuestion *question)
{
  BeckonAnswer *copy = beckon_answer_new_question (answer->items->len);

  for (guint i = 0; i < answer->items->len; i++)
    {
      const BeckonAnswerItem *item = beckon_answer_get_item (answer, i);

      if (item->skipped)
        beckon_answer_skip (copy, i);
      for (guint k = 0; k < item->selected->len; k++)
        beckon_answer_select (copy, i, g_ptr_array_index (item->selected, k));
      if (item->text != NULL && !beckon_question_get_item (question, i)->secret)
        beckon_answer_set_item_text (copy, i, item->text);
    }
  return copy;
}

static void keep_next (GTask *task);

static void
on_kept (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_vault_keep_finish (BECKON_VAULT (source), result, &error))
    keep_next (task);
  else
    g_task_return_error (task, error);
}

static void
keep_next (GTask *task)
{
  BeckonInbox *self = g_task_get_source_object (task);
  Keeping *keeping = g_task_get_task_data (task);
  const BeckonQuestionItem *item;
  g_autofree char *handle = NULL;
  guint i;

  while (keeping->next < keeping->answer->items->len && !is_secret (keeping->question, keeping->answer, keeping->next))
    keeping->next++;
  if (keeping->next == keeping->answer->items->len)
    {
      g_task_return_pointer (task, beckon_answer_ref (keeping->kept), (GDestroyNotify) beckon_answer_unref);
      return;
    }

  i = keeping->next++;
  item = beckon_question_get_item (keeping->question, i);
  handle = beckon_secret_handle_new (item->header != NULL ? item->header : item->question);
  beckon_answer_set_item_text (keeping->kept, i, handle);
  beckon_vault_keep_async (beckon_inbox_get_vault (self), handle, beckon_answer_get_item (keeping->answer, i)->text,
                           g_task_get_cancellable (task), on_kept, g_object_ref (task));
}

void
beckon_inbox_keep_secrets_async (BeckonInbox *self, BeckonRequest *request, BeckonAnswer *answer,
                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Keeping *keeping;

  g_task_set_source_tag (task, beckon_inbox_keep_secrets_async);
  if (beckon_inbox_get_vault (self) == NULL)
    {
      g_task_return_new_error (task, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID,
                               _("A masked answer can't be stored here."));
      return;
    }

  keeping = g_new0 (Keeping, 1);
  keeping->question = beckon_question_ref (beckon_request_get_question (request));
  keeping->answer = beckon_answer_ref (answer);
  keeping->kept = copy_without_secrets (answer, keeping->question);
  g_task_set_task_data (task, keeping, (GDestroyNotify) keeping_free);
  keep_next (task);
}

BeckonAnswer *
beckon_inbox_keep_secrets_finish (BeckonInbox *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_inbox_keep_secrets_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
