/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request/beckon-request.h"
#include "store/db/beckon-store-private.h"

/* Questions of a branch that is not shown wait until it is. */
static const char list_sql[] =
  "SELECT r.id, r.call, r.body, s.state, s.answer FROM request r INDEXED BY request_due"
  " JOIN message m ON m.id = r.message AND m.active LEFT JOIN settlement s ON s.request = r.id"
  " WHERE r.conversation = ?1 AND r.due ORDER BY s.at, r.id";

static void
read_row (BeckonLateAnswers *found, sqlite3_stmt *row)
{
  const char *body = beckon_column_text (row, 2);
  const char *json = beckon_column_text (row, 4);
  g_autoptr (BeckonQuestion) question = body != NULL ? beckon_question_from_json (body, NULL) : NULL;
  g_autoptr (BeckonAnswer) answer = json != NULL ? beckon_answer_from_json (json, NULL) : NULL;

  if (question == NULL)
    return;
  if (beckon_column_text (row, 3) == NULL)
    {
      found->n_open++;
      return;
    }
  g_ptr_array_add (found->answers,
                   beckon_late_answer_new (beckon_column_text (row, 0), beckon_column_text (row, 1),
                                           beckon_answer_to_late_message (answer, question),
                                           answer != NULL && answer->kind == BECKON_ANSWER_DECLINED));
}

static gpointer
store_late_load (BeckonSession *session, gpointer data, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, list_sql, data);
  g_autoptr (BeckonLateAnswers) found = beckon_late_answers_new ();
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    read_row (found, statement);

  return step == BECKON_STEP_DONE ? g_steal_pointer (&found) : NULL;
}

void
beckon_store_load_late_answers_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = store_late_load, .free_result = (GDestroyNotify) beckon_late_answers_free };

  beckon_store_work_async (self, &op, beckon_store_load_late_answers_async, cancellable, callback, user_data, conversation_id);
}

BECKON_FINISH_POINTER (BeckonLateAnswers *, beckon_store_load_late_answers, BeckonStore)
