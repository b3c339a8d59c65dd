/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-store-answers.h"

#include "request/beckon-question-key.h"
#include "request/beckon-request.h"
#include "store/db/beckon-answer-memory.h"
#include "store/db/beckon-store-private.h"

/* Questions of a branch that is not shown wait until it is. */
static const char late_list_sql[] =
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
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, late_list_sql, data);
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

static gpointer
store_answers_fill (BeckonSession *session, gpointer data, GError **error)
{
  const BeckonValue *values = data;
  GPtrArray *questions = values[1].object;

  for (guint i = 0; i < questions->len; i++)
    if (!beckon_answer_memory_fill (session->database, values[0].text, g_ptr_array_index (questions, i), error))
      return NULL;
  return GINT_TO_POINTER (TRUE);
}

void
beckon_store_fill_questions_async (BeckonStore *self, const char *folder, GPtrArray *questions, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = store_answers_fill };

  beckon_store_work_async (self, &op, beckon_store_fill_questions_async, cancellable, callback, user_data, folder,
                           BECKON_OWNED (g_ptr_array_ref (questions), g_ptr_array_unref));
}

BECKON_FINISH_BOOLEAN (beckon_store_fill_questions, BeckonStore)

/* --- Listing ------------------------------------------------------------------------------------------------------- */

static gpointer
read_answer (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonLastAnswer *last = beckon_last_answer_from_json (beckon_column_text (row, 3));
  BeckonRememberedAnswer *answer;

  if (last == NULL)
    return NULL;
  answer = g_new0 (BeckonRememberedAnswer, 1);
  answer->folder = g_strdup (beckon_column_text (row, 0));
  answer->question = g_strdup (beckon_column_text (row, 1));
  answer->conversation_id = g_strdup (beckon_column_text (row, 2));
  answer->last = last;
  return answer;
}

void
beckon_store_list_answers_async (BeckonStore *self, const char *folder, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { list_sql, read_answer, (GDestroyNotify) beckon_remembered_answer_free };

  beckon_store_select_async (self, &query, beckon_store_list_answers_async, cancellable, callback, user_data, folder);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_answers, BeckonStore)

/* --- Forgetting ---------------------------------------------------------------------------------------------------- */

static gboolean
forget_request (BeckonDatabase *database, const char *request_id, GError **error)
{
  sqlite3_stmt *row = beckon_database_query (database, error, asked_sql, "s", request_id);
  BeckonStep step = row != NULL ? beckon_database_step (database, row, error) : BECKON_STEP_ERROR;
  g_autofree char *body = NULL;
  g_autofree char *folder = NULL;
  g_autoptr (BeckonQuestion) question = NULL;

  if (step != BECKON_STEP_ROW)
    return step == BECKON_STEP_DONE;
  body = g_strdup (beckon_column_text (row, 0));
  folder = g_strdup (beckon_column_text (row, 1));
  sqlite3_reset (row);

  question = beckon_question_from_json (body, NULL);
  for (guint i = 0; question != NULL && i < question->items->len; i++)
    {
      g_autofree char *key = beckon_question_key_new (beckon_question_get_item (question, i));

      if (key != NULL && !beckon_database_run (database, error, forget_one_sql, "ss", folder, key))
        return FALSE;
    }
  return TRUE;
}

static gpointer
store_answers_forget (BeckonSession *session, gpointer data, GError **error)
{
  const char *request_id = ((const BeckonValue *) data)[0].text;
  const char *folder = ((const BeckonValue *) data)[1].text;
  gboolean done;

  if (!beckon_database_begin (session->database, BECKON_DURABILITY_FULL, error))
    return NULL;

  done = request_id != NULL ? forget_request (session->database, request_id, error)
                            : beckon_database_run (session->database, error, forget_sql, "s", folder);
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
  const BeckonStoreOp op = { .use = BECKON_STORE_WRITES, .func = store_answers_forget };

  beckon_store_work_async (self, &op, beckon_store_forget_answers_async, cancellable, callback, user_data, request_id, folder);
}

BECKON_FINISH_BOOLEAN (beckon_store_forget_answers, BeckonStore)
