/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-store-answers.h"

#include "request/beckon-question-key.h"
#include "store/db/beckon-answer-memory.h"
#include "store/db/beckon-store-private.h"

static const char list_sql[] =
  "SELECT a.folder, a.question, r.conversation, a.answer FROM remembered_answer a JOIN request r ON r.id = a.request"
  " JOIN conversation c ON c.id = r.conversation WHERE c.deleted_at IS NULL AND (?1 IS NULL OR a.folder = ?1)"
  " ORDER BY a.at DESC, a.key";
static const char forget_sql[] = "DELETE FROM remembered_answer WHERE ?1 IS NULL OR folder = ?1";
static const char asked_sql[] =
  "SELECT r.body, c.folder FROM request r JOIN conversation c ON c.id = r.conversation"
  " WHERE r.id = ?1 AND r.kind = 'question' AND c.folder IS NOT NULL";
static const char forget_one_sql[] = "DELETE FROM remembered_answer WHERE folder = ?1 AND key = ?2";

void
beckon_remembered_answer_free (BeckonRememberedAnswer *answer)
{
  g_free (answer->folder);
  g_free (answer->question);
  g_free (answer->conversation_id);
  g_clear_pointer (&answer->last, beckon_last_answer_free);
  g_free (answer);
}

/* --- Filling ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  char *folder;
  GPtrArray *questions;
} Filling;

static void
filling_free (gpointer data)
{
  Filling *filling = data;

  g_free (filling->folder);
  g_ptr_array_unref (filling->questions);
  g_free (filling);
}

static gpointer
fill (BeckonSession *session, gpointer data, GError **error)
{
  const Filling *filling = data;

  for (guint i = 0; i < filling->questions->len; i++)
    if (!beckon_answer_memory_fill (session->database, filling->folder, g_ptr_array_index (filling->questions, i), error))
      return NULL;
  return GINT_TO_POINTER (TRUE);
}

void
beckon_store_fill_questions_async (BeckonStore *self, const char *folder, GPtrArray *questions, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonStoreOp op = { .func = fill, .free_data = filling_free };
  Filling *filling = g_new0 (Filling, 1);

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (folder != NULL && questions != NULL);

  filling->folder = g_strdup (folder);
  filling->questions = g_ptr_array_ref (questions);
  op.data = filling;
  beckon_store_submit (self,
                       beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_fill_questions_async),
                       &op);
}

gboolean
beckon_store_fill_questions_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_fill_questions_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Listing ------------------------------------------------------------------------------------------------------- */

static void
read_row (GPtrArray *answers, sqlite3_stmt *row)
{
  BeckonLastAnswer *last = beckon_last_answer_from_json (beckon_column_text (row, 3));
  BeckonRememberedAnswer *answer;

  if (last == NULL)
    return;
  answer = g_new0 (BeckonRememberedAnswer, 1);
  answer->folder = g_strdup (beckon_column_text (row, 0));
  answer->question = g_strdup (beckon_column_text (row, 1));
  answer->conversation_id = g_strdup (beckon_column_text (row, 2));
  answer->last = last;
  g_ptr_array_add (answers, answer);
}

static gpointer
list (BeckonSession *session, gpointer data, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (session->database, error, list_sql, "s", (const char *) data);
  g_autoptr (GPtrArray) answers = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_remembered_answer_free);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    read_row (answers, statement);

  return step == BECKON_STEP_DONE ? g_steal_pointer (&answers) : NULL;
}

void
beckon_store_list_answers_async (BeckonStore *self, const char *folder, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonStoreOp op = { .func = list, .free_data = g_free, .free_result = (GDestroyNotify) g_ptr_array_unref };

  g_return_if_fail (BECKON_IS_STORE (self));

  op.data = g_strdup (folder);
  beckon_store_submit (self, beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_list_answers_async),
                       &op);
}

GPtrArray *
beckon_store_list_answers_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_list_answers_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Forgetting ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  char *folder;     /* (nullable) */
  char *request_id; /* (nullable) */
} Forgetting;

static void
forgetting_free (gpointer data)
{
  Forgetting *forgetting = data;

  g_free (forgetting->folder);
  g_free (forgetting->request_id);
  g_free (forgetting);
}

static gboolean
forget_asked (BeckonDatabase *database, const char *body, const char *folder, GError **error)
{
  g_autoptr (BeckonQuestion) question = beckon_question_from_json (body, NULL);

  for (guint i = 0; question != NULL && i < question->items->len; i++)
    {
      g_autofree char *key = beckon_question_key_new (beckon_question_get_item (question, i));

      if (key != NULL && !beckon_database_run (database, error, forget_one_sql, "ss", folder, key))
        return FALSE;
    }
  return TRUE;
}

static gboolean
forget_request (BeckonDatabase *database, const char *request_id, GError **error)
{
  sqlite3_stmt *row = beckon_database_query (database, error, asked_sql, "s", request_id);
  BeckonStep step = row != NULL ? beckon_database_step (database, row, error) : BECKON_STEP_ERROR;
  g_autofree char *body = NULL;
  g_autofree char *folder = NULL;

  if (step != BECKON_STEP_ROW)
    return step == BECKON_STEP_DONE;
  body = g_strdup (beckon_column_text (row, 0));
  folder = g_strdup (beckon_column_text (row, 1));
  sqlite3_reset (row);
  return forget_asked (database, body, folder, error);
}

static gpointer
forget (BeckonSession *session, gpointer data, GError **error)
{
  const Forgetting *forgetting = data;
  gboolean done;

  if (!beckon_database_begin (session->database, BECKON_DURABILITY_FULL, error))
    return NULL;

  done = forgetting->request_id != NULL ? forget_request (session->database, forgetting->request_id, error)
                                        : beckon_database_run (session->database, error, forget_sql, "s", forgetting->folder);
  if (!done)
    {
      beckon_database_rollback (session->database);
      return NULL;
    }
  if (!beckon_database_commit (session->database, error))
    return NULL;
  session->has_news = TRUE;

  return GINT_TO_POINTER (TRUE);
}

void
beckon_store_forget_answers_async (BeckonStore *self, const char *folder, const char *request_id, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonStoreOp op = { .use = BECKON_STORE_WRITES, .func = forget, .free_data = forgetting_free };
  Forgetting *forgetting = g_new0 (Forgetting, 1);

  g_return_if_fail (BECKON_IS_STORE (self));

  forgetting->folder = g_strdup (folder);
  forgetting->request_id = g_strdup (request_id);
  op.data = forgetting;
  op.in_memory = request_id != NULL && g_hash_table_contains (beckon_store_get_temporary (self), request_id);
  beckon_store_bump_serial (self);
  beckon_store_submit (self,
                       beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_forget_answers_async),
                       &op);
}

gboolean
beckon_store_forget_answers_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_forget_answers_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
