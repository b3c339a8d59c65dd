/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-log.h"

#include "base/beckon-json.h"
#include "domain/beckon-request-error.h"
#include "store/db/beckon-store-private.h"

#define MOVED                                                                                                          \
  " IN (SELECT call FROM provenance WHERE seq > ?2 AND conversation = ?1 AND event IN ('undone', 'redone'))"

void
beckon_moved_calls_free (BeckonMovedCalls *moved)
{
  g_hash_table_unref (moved->calls);
  g_free (moved);
}

static BeckonToolCall *
moved_calls_add (BeckonMovedCalls *moved, const char *id)
{
  BeckonToolCall *call = g_hash_table_lookup (moved->calls, id);

  if (call == NULL)
    {
      call = beckon_tool_call_new (id, NULL, "", "{}");
      g_hash_table_insert (moved->calls, (gpointer) beckon_tool_call_get_id (call), call);
    }
  return call;
}

static void
moved_calls_take_logged (BeckonMovedCalls *moved, sqlite3_stmt *row)
{
  moved->logged = sqlite3_column_int64 (row, 0);
}

static void
moved_calls_take_copy (BeckonMovedCalls *moved, sqlite3_stmt *row)
{
  beckon_tool_call_set_change (moved_calls_add (moved, beckon_column_text (row, 0)), beckon_store_get_change (row, 1, 2));
}

static void
moved_calls_take_landing (BeckonMovedCalls *moved, sqlite3_stmt *row)
{
  BeckonLanding *landing = beckon_store_read_landing (row);

  if (landing != NULL)
    beckon_tool_call_take_landing (moved_calls_add (moved, landing->call_id), landing);
}

/* A call of a file tool has a copy, one of a command what landed, in order. */
static gpointer
moved_calls_read (BeckonSession *session, gpointer data, GError **error)
{
  static const struct
  {
    const char *sql;
    void (*take) (BeckonMovedCalls *moved, sqlite3_stmt *row);
  } queries[] = {
    { "SELECT coalesce (max (seq), 0) FROM provenance WHERE ?1 <> '' AND ?2 >= 0", moved_calls_take_logged },
    { "SELECT f.call, f.undone_at, f.withheld FROM file_copy f WHERE f.call" MOVED, moved_calls_take_copy },
    { "SELECT" BECKON_STORE_LANDING_COLUMNS "FROM landing l WHERE l.call" MOVED " ORDER BY l.id", moved_calls_take_landing },
  };
  g_autoptr (BeckonMovedCalls) moved = g_new0 (BeckonMovedCalls, 1);

  moved->calls = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      sqlite3_stmt *row = beckon_database_query_values (session->database, error, queries[i].sql, data);
      BeckonStep step = BECKON_STEP_ERROR;

      while (row != NULL && (step = beckon_database_step (session->database, row, error)) == BECKON_STEP_ROW)
        queries[i].take (moved, row);
      if (step != BECKON_STEP_DONE)
        return NULL;
    }
  return g_steal_pointer (&moved);
}

void
beckon_moved_calls_read_async (BeckonStore *store, const char *conversation_id, gint64 logged, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  const BeckonStoreOp op = { .func = moved_calls_read, .free_result = (GDestroyNotify) beckon_moved_calls_free };

  g_return_if_fail (BECKON_IS_STORE (store));
  g_return_if_fail (conversation_id != NULL);

  beckon_store_work_async (store, &op, beckon_moved_calls_read_async, NULL, callback, user_data, conversation_id, logged);
}

BECKON_FINISH_POINTER (BeckonMovedCalls *, beckon_moved_calls_read, BeckonStore)

static const char list_sql[] =
  "SELECT p.seq, p.at, p.conversation, v.title, p.call, c.tool, p.event, p.data FROM provenance p"
  "  LEFT JOIN call c ON c.id = p.call LEFT JOIN conversation v ON v.id = p.conversation"
  " WHERE v.deleted_at IS NULL AND (?1 IS NULL OR p.conversation = ?1) AND (?2 IS NULL OR p.event = ?2)"
  "  AND (?3 IS NULL OR c.tool = ?3) AND p.at >= ?4 AND p.seq < ?5 ORDER BY p.seq DESC LIMIT ?6";

static gpointer
provenance_query_read_line (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonProvenance *line = beckon_provenance_new ();

  line->seq = sqlite3_column_int64 (row, 0);
  line->at = sqlite3_column_int64 (row, 1);
  line->conversation_id = g_strdup (beckon_column_text (row, 2));
  line->title = g_strdup (beckon_column_text (row, 3));
  line->call_id = g_strdup (beckon_column_text (row, 4));
  line->tool = g_strdup (beckon_column_text (row, 5));
  line->event = g_strdup (beckon_column_text (row, 6));
  line->data = g_strdup (beckon_column_text (row, 7));

  return line;
}

void
beckon_store_list_provenance_async (BeckonStore *self, const BeckonProvenanceFilter *filter, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { list_sql, provenance_query_read_line, (GDestroyNotify) beckon_provenance_unref };

  g_return_if_fail (filter != NULL);

  beckon_store_select_async (self, &query, beckon_store_list_provenance_async, cancellable, callback, user_data,
                             filter->conversation_id, filter->event, filter->tool, filter->since,
                             filter->before_seq > 0 ? filter->before_seq : G_MAXINT64,
                             filter->max > 0 ? (gint64) filter->max : -1);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_provenance, BeckonStore)

/* Ids grow with time. */
static const char calls_sql[] =
  "SELECT c.id, c.tool, c.state, c.started_at, c.finished_at, c.exit_status, m.id, m.created_at, v.id, v.title,"
  "  COALESCE ((SELECT r.is_error FROM part r WHERE r.call = c.id AND r.kind = 'result'), 0),"
  "  EXISTS (SELECT 1 FROM file_copy f WHERE f.call = c.id AND f.undone_at = 0)"
  "   OR EXISTS (SELECT 1 FROM landing l WHERE l.call = c.id AND l.state = 'landed' AND l.is_gone = 0),"
  "  EXISTS (SELECT 1 FROM file_copy f WHERE f.call = c.id AND f.undone_at <> 0)"
  "   OR EXISTS (SELECT 1 FROM landing l WHERE l.call = c.id AND l.state = 'undone')"
  " FROM call c JOIN message m ON m.id = c.message JOIN conversation v ON v.id = m.conversation"
  " WHERE v.deleted_at IS NULL AND (?1 IS NULL OR v.id = ?1) AND (?2 IS NULL OR c.tool = ?2)"
  "  AND (?3 IS NULL OR c.id < ?3) AND m.created_at >= ?4 ORDER BY c.id DESC";

static const char lines_sql[] = "SELECT event, data FROM provenance WHERE call = ?1 ORDER BY seq";

static void
call_log_take_string (char **place, JsonObject *data, const char *member)
{
  const char *text = beckon_json_get_string (data, member);

  if (text != NULL)
    {
      g_free (*place);
      *place = g_strdup (text);
    }
}

static gboolean
read_log (BeckonSession *session, BeckonLoggedCall *call, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (session->database, error, lines_sql, "s", call->id);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      const char *event = beckon_column_text (statement, 0);
      const char *text = beckon_column_text (statement, 1);
      g_autoptr (JsonObject) data = text != NULL ? beckon_json_parse_object (text, -1, NULL) : NULL;

      /* The log is ours, and it may still come from a damaged or a newer file. */
      if (data == NULL)
        continue;
      if (g_str_equal (event, "decided"))
        {
          JsonArray *rules = beckon_json_get_array (data, "rules");

          call_log_take_string (&call->arguments, data, "shown");
          if (g_strcmp0 (beckon_json_get_string (data, "verdict"), "ask") != 0)
            call->decider
              = rules != NULL && json_array_get_length (rules) > 0 ? BECKON_CALL_DECIDER_RULE : BECKON_CALL_DECIDER_MODE;
        }
      else if (g_str_equal (event, "settled"))
        {
          call_log_take_string (&call->front_end, data, "front_end");
          call_log_take_string (&call->actor, data, "actor");
          call_log_take_string (&call->answer, data, "state");
          /* A request that timed out or was cancelled was settled by the run. */
          if (g_strcmp0 (call->front_end, BECKON_FRONT_END_RULE) == 0)
            call->decider = BECKON_CALL_DECIDER_RULE;
          else if (g_strcmp0 (call->front_end, "agent") != 0)
            call->decider = BECKON_CALL_DECIDER_PERSON;
        }
      else if (g_str_equal (event, "asked"))
        call_log_take_string (&call->arguments, data, "shown");
      else if (g_str_equal (event, "started"))
        call_log_take_string (&call->arguments, data, "executed");
    }
  return step == BECKON_STEP_DONE;
}

static BeckonCallOutcome
read_outcome (sqlite3_stmt *row)
{
  const char *state = beckon_column_text (row, 2);

  if (g_str_equal (state, "unknown"))
    return BECKON_CALL_OUTCOME_UNKNOWN;
  if (sqlite3_column_int (row, 12) != 0)
    return BECKON_CALL_OUTCOME_UNDONE;
  if (!g_str_equal (state, "done") && !g_str_equal (state, "cancelled"))
    return BECKON_CALL_OUTCOME_OPEN;
  /* A question never starts: its answer is its result. */
  if (sqlite3_column_int64 (row, 3) == 0 && (g_str_equal (state, "cancelled") || sqlite3_column_int (row, 10) != 0))
    return BECKON_CALL_OUTCOME_NOT_RUN;
  return sqlite3_column_int (row, 10) != 0 ? BECKON_CALL_OUTCOME_FAILED : BECKON_CALL_OUTCOME_DONE;
}

static BeckonLoggedCall *
read_call (sqlite3_stmt *row)
{
  BeckonLoggedCall *call = beckon_logged_call_new ();
  gint64 started = sqlite3_column_int64 (row, 3);
  gint64 finished = sqlite3_column_int64 (row, 4);

  call->id = g_strdup (beckon_column_text (row, 0));
  call->tool = g_strdup (beckon_column_text (row, 1));
  call->outcome = read_outcome (row);
  call->exit_status = sqlite3_column_type (row, 5) == SQLITE_NULL ? -1 : sqlite3_column_int (row, 5);
  call->message_id = g_strdup (beckon_column_text (row, 6));
  call->at = started > 0 ? started : sqlite3_column_int64 (row, 7);
  call->seconds = started > 0 && finished > started ? (double) (finished - started) / G_USEC_PER_SEC : 0;
  call->conversation_id = g_strdup (beckon_column_text (row, 8));
  call->title = g_strdup (beckon_column_text (row, 9));
  call->can_undo = sqlite3_column_int (row, 11) != 0;
  return call;
}

static gpointer
call_log_list (BeckonSession *session, gpointer data, GError **error)
{
  const BeckonValue *wanted = data;
  const BeckonCallLogFilter *limits = wanted[4].object;
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_logged_call_unref);
  sqlite3_stmt *statement = beckon_database_query (session->database, error, calls_sql, "sssi", wanted[0].text, wanted[1].text,
                                                   wanted[2].text, wanted[3].number);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (limits->max == 0 || calls->len < limits->max)
         && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      g_autoptr (BeckonLoggedCall) call = read_call (statement);

      if (!read_log (session, call, error))
        {
          sqlite3_reset (statement);
          return NULL;
        }
      if ((limits->decider == BECKON_CALL_DECIDER_NONE || call->decider == limits->decider)
          && (limits->outcomes == 0 || (limits->outcomes & (1u << call->outcome)) != 0))
        g_ptr_array_add (calls, g_steal_pointer (&call));
    }
  /* A statement that has rows left would hold up writers. */
  if (step == BECKON_STEP_ROW)
    sqlite3_reset (statement);

  return step != BECKON_STEP_ERROR ? g_steal_pointer (&calls) : NULL;
}

void
beckon_store_list_calls_async (BeckonStore *self, const BeckonCallLogFilter *filter, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = call_log_list, .free_result = (GDestroyNotify) g_ptr_array_unref };

  g_return_if_fail (filter != NULL);

  /* The texts are copied on their own; of the copy as a whole only what is no text is used. */
  beckon_store_work_async (self, &op, beckon_store_list_calls_async, cancellable, callback, user_data,
                           filter->conversation_id, filter->tool, filter->before_id, filter->since,
                           BECKON_OWNED (g_memdup2 (filter, sizeof *filter), g_free));
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_calls, BeckonStore)
