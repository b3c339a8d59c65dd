/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A masked answer never reaches the journal: on its way there every secret goes into the vault and its handle takes its
 * place. Since all front ends answer through the inbox, none can forget it. */

#include "beckon-config.h"

#include "base/beckon-finish.h"
#include "base/beckon-wipe.h"
#include "beckon-answer-private.h"
#include "beckon-form-request.h"
#include "beckon-inbox-private.h"
#include "beckon-question-request.h"
#include "beckon-vault.h"

#include <glib/gi18n-lib.h>

/* A question has its secrets by place, a server's form by the names of its fields. */
typedef struct
{
  BeckonRequest *request;
  BeckonAnswer *answer; /* what was given */
  BeckonAnswer *kept;   /* of a question: the same with handles */
  char *text;           /* (nullable): of a form: the same with handles */
  guint next;           /* the place to look at next */
} Keeping;

static void
keeping_free (Keeping *keeping)
{
  g_object_unref (keeping->request);
  beckon_answer_unref (keeping->answer);
  g_clear_pointer (&keeping->kept, beckon_answer_unref);
  beckon_wipe (keeping->text);
  g_free (keeping);
}

static guint
count_places (BeckonRequest *request, const BeckonAnswer *answer)
{
  GPtrArray *fields = beckon_form_request_get_secrets (request);

  if (answer->kind == BECKON_ANSWER_QUESTION && beckon_request_get_question (request) != NULL)
    return answer->items->len;
  return answer->kind == BECKON_ANSWER_FORM && answer->text != NULL && fields != NULL ? fields->len : 0;
}

/* (transfer full) (nullable): what is not to be stored of that place. */
static char *
dup_secret (BeckonRequest *request, const BeckonAnswer *answer, guint place)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  char *value;

  if (question != NULL)
    return beckon_question_get_item (question, place)->secret ? g_strdup (beckon_answer_get_item (answer, place)->text) : NULL;
  value = beckon_form_request_dup_value (answer->text, g_ptr_array_index (beckon_form_request_get_secrets (request), place));
  if (value == NULL || *value != '\0')
    return value;
  g_free (value);
  return NULL;
}

gboolean
beckon_inbox_has_secrets (BeckonRequest *request, const BeckonAnswer *answer)
{
  for (guint i = 0; i < count_places (request, answer); i++)
    {
      beckon_autowipe char *secret = dup_secret (request, answer, i);

      if (secret != NULL)
        return TRUE;
    }
  return FALSE;
}

void
beckon_inbox_forget_secrets (BeckonInbox *self, BeckonRequest *request, const BeckonAnswer *answer)
{
  BeckonVault *vault = beckon_inbox_get_vault (self);

  for (guint i = 0; vault != NULL && i < count_places (request, answer); i++)
    {
      beckon_autowipe char *secret = dup_secret (request, answer, i);

      if (beckon_secret_handle_is (secret))
        beckon_vault_forget (vault, secret);
    }
}

static Keeping *
keeping_new (BeckonRequest *request, BeckonAnswer *answer)
{
  Keeping *keeping = g_new0 (Keeping, 1);
  BeckonQuestion *question = beckon_request_get_question (request);

  keeping->request = g_object_ref (request);
  keeping->answer = beckon_answer_ref (answer);
  if (question != NULL)
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

      keeping->kept = copy;
    }
  else
    keeping->text = g_strdup (answer->text);
  return keeping;
}

/* Puts a handle, or what is behind one, into a field. */
static void
put_in_field (Keeping *keeping, guint place, const char *value)
{
  const char *name = g_ptr_array_index (beckon_form_request_get_secrets (keeping->request), place);
  char *text = beckon_form_request_dup_with (keeping->request, keeping->text, name, value);

  beckon_wipe (keeping->text);
  keeping->text = text;
}

static char *
make_handle (const Keeping *keeping, guint place)
{
  BeckonQuestion *question = beckon_request_get_question (keeping->request);
  const BeckonQuestionItem *item = question != NULL ? beckon_question_get_item (question, place) : NULL;

  if (item == NULL)
    return beckon_secret_handle_new (g_ptr_array_index (beckon_form_request_get_secrets (keeping->request), place));
  return beckon_secret_handle_new (item->header != NULL ? item->header : item->question);
}

static BeckonAnswer *
end_keeping (Keeping *keeping)
{
  return keeping->kept != NULL ? beckon_answer_ref (keeping->kept) : beckon_answer_new (BECKON_ANSWER_FORM, keeping->text);
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
  guint n = count_places (keeping->request, keeping->answer);

  while (keeping->next < n)
    {
      guint place = keeping->next++;
      g_autofree char *handle = NULL;

      beckon_autowipe char *secret = dup_secret (keeping->request, keeping->answer, place);
      handle = secret != NULL ? make_handle (keeping, place) : NULL;
      if (secret == NULL)
        continue;

      if (keeping->kept != NULL)
        beckon_answer_set_item_text (keeping->kept, place, handle);
      else
        put_in_field (keeping, place, handle);

      beckon_vault_keep_async (beckon_inbox_get_vault (self), handle, secret, g_task_get_cancellable (task), on_kept,
                               g_object_ref (task));
      return;
    }
  g_task_return_pointer (task, end_keeping (keeping), (GDestroyNotify) beckon_answer_unref);
}

void
beckon_inbox_keep_secrets_async (BeckonInbox *self, BeckonRequest *request, BeckonAnswer *answer,
                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, beckon_inbox_keep_secrets_async);
  if (beckon_inbox_get_vault (self) == NULL)
    {
      g_task_return_new_error (task, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID,
                               _("A masked answer can't be stored here."));
      return;
    }

  g_task_set_task_data (task, keeping_new (request, answer), (GDestroyNotify) keeping_free);
  keep_next (task);
}

BECKON_FINISH_POINTER (BeckonAnswer *, beckon_inbox_keep_secrets, BeckonInbox)

/* --- For the tool that asked --------------------------------------------------------------------------------------- */

static void reveal_next (GTask *task);

static void
inbox_secrets_on_revealed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Keeping *keeping = g_task_get_task_data (task);
  GError *error = NULL;
  beckon_autowipe char *value = beckon_vault_look_up_finish (BECKON_VAULT (source), result, &error);

  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (value == NULL)
    {
      g_task_return_new_error (task, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNAVAILABLE, "%s",
                               _("A masked answer is no longer in the keyring."));
      return;
    }
  put_in_field (keeping, keeping->next - 1, value);
  reveal_next (task);
}

static void
reveal_next (GTask *task)
{
  BeckonInbox *self = g_task_get_source_object (task);
  Keeping *keeping = g_task_get_task_data (task);
  guint n = count_places (keeping->request, keeping->answer);

  while (keeping->next < n)
    {
      g_autofree char *handle = dup_secret (keeping->request, keeping->answer, keeping->next++);

      if (!beckon_secret_handle_is (handle))
        continue;
      beckon_vault_look_up_async (beckon_inbox_get_vault (self), handle, g_task_get_cancellable (task),
                                  inbox_secrets_on_revealed,
                                  g_object_ref (task));
      return;
    }
  g_task_return_pointer (task, end_keeping (keeping), (GDestroyNotify) beckon_answer_unref);
}

void
beckon_inbox_reveal_async (BeckonInbox *self, BeckonRequest *request, BeckonAnswer *answer, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (BECKON_IS_INBOX (self));
  g_return_if_fail (BECKON_IS_REQUEST (request));
  g_return_if_fail (answer != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_inbox_reveal_async);
  if (answer->kind != BECKON_ANSWER_FORM || beckon_inbox_get_vault (self) == NULL || count_places (request, answer) == 0)
    {
      g_task_return_pointer (task, beckon_answer_ref (answer), (GDestroyNotify) beckon_answer_unref);
      return;
    }
  g_task_set_task_data (task, keeping_new (request, answer), (GDestroyNotify) keeping_free);
  reveal_next (task);
}

BECKON_FINISH_POINTER (BeckonAnswer *, beckon_inbox_reveal, BeckonInbox)
