/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-answer-memory.h"

#include "request/beckon-question-key.h"
#include "request/beckon-question-request.h"

static const char ground_sql[] =
  "SELECT r.body, c.folder FROM request r JOIN conversation c ON c.id = r.conversation"
  " WHERE r.id = ?1 AND r.kind = 'question' AND c.folder IS NOT NULL";
static const char folder_sql[] = "SELECT folder FROM conversation WHERE id = ?1";
static const char write_sql[] =
  "INSERT INTO remembered_answer (folder, key, request, question, answer, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
  " ON CONFLICT (folder, key) DO UPDATE SET request = excluded.request, question = excluded.question,"
  "  answer = excluded.answer, at = excluded.at";

/* A conversation in the trash tells nothing. */
static const char read_sql[] =
  "SELECT a.answer FROM remembered_answer a JOIN request r ON r.id = a.request"
  " JOIN conversation c ON c.id = r.conversation WHERE a.folder = ?1 AND a.key = ?2 AND c.deleted_at IS NULL";

static gboolean
answer_memory_write_item (BeckonDatabase *database, const BeckonSettlement *settlement, const char *folder,
                          const BeckonQuestionItem *item,
                          const BeckonAnswerItem *answer, GError **error)
{
  g_autofree char *key = beckon_question_key_new (item);
  g_autoptr (BeckonLastAnswer) last = key != NULL ? beckon_question_key_remember (item, answer, settlement->at) : NULL;
  g_autofree char *json = NULL;

  if (last == NULL)
    return TRUE;
  json = beckon_last_answer_to_json (last);
  return beckon_database_run (database, error, write_sql, "sssssi", folder, key, settlement->request_id, item->question, json,
                              settlement->at);
}

gboolean
beckon_answer_memory_write (BeckonDatabase *database, const BeckonSettlement *settlement, GError **error)
{
  g_autofree char *body = NULL;
  g_autofree char *folder = NULL;
  sqlite3_stmt *row;
  BeckonStep step;
  g_autoptr (BeckonQuestion) question = NULL;
  const BeckonAnswer *answer;

  if (settlement->given == NULL || settlement->given->kind != BECKON_ANSWER_QUESTION)
    return TRUE;
  row = beckon_database_query (database, error, ground_sql, "s", settlement->request_id);
  step = row != NULL ? beckon_database_step (database, row, error) : BECKON_STEP_ERROR;
  if (step != BECKON_STEP_ROW)
    return step == BECKON_STEP_DONE;
  body = g_strdup (beckon_column_text (row, 0));
  folder = g_strdup (beckon_column_text (row, 1));
  sqlite3_reset (row);

  question = beckon_question_from_json (body, NULL);
  answer = settlement->given;
  for (guint i = 0; question != NULL && i < question->items->len && i < answer->items->len; i++)
    if (!answer_memory_write_item (database, settlement, folder, beckon_question_get_item (question, i),
                                   g_ptr_array_index (answer->items, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
fill_item (BeckonDatabase *database, const char *folder, BeckonQuestionItem *item, GError **error)
{
  g_autofree char *key = beckon_question_key_new (item);
  sqlite3_stmt *row;
  BeckonStep step;

  g_clear_pointer (&item->last, beckon_last_answer_free);
  if (key == NULL)
    return TRUE;
  row = beckon_database_query (database, error, read_sql, "ss", folder, key);
  step = row != NULL ? beckon_database_step (database, row, error) : BECKON_STEP_ERROR;
  if (step == BECKON_STEP_ROW)
    {
      item->last = beckon_last_answer_from_json (beckon_column_text (row, 0));
      sqlite3_reset (row);
    }
  return step != BECKON_STEP_ERROR;
}

gboolean
beckon_answer_memory_fill (BeckonDatabase *database, const char *folder, BeckonQuestion *question, GError **error)
{
  for (guint i = 0; folder != NULL && i < question->items->len; i++)
    if (!fill_item (database, folder, g_ptr_array_index (question->items, i), error))
      return FALSE;
  return TRUE;
}

gboolean
beckon_answer_memory_fill_request (BeckonDatabase *database, BeckonRequest *request, GError **error)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  g_autofree char *folder = NULL;
  sqlite3_stmt *row;
  BeckonStep step;

  if (question == NULL || beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
    return TRUE;
  row = beckon_database_query (database, error, folder_sql, "s", beckon_request_get_conversation_id (request));
  step = row != NULL ? beckon_database_step (database, row, error) : BECKON_STEP_ERROR;
  if (step != BECKON_STEP_ROW)
    return step == BECKON_STEP_DONE;
  folder = g_strdup (beckon_column_text (row, 0));
  sqlite3_reset (row);
  return beckon_answer_memory_fill (database, folder, question, error);
}
