/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "store/db/beckon-store-private.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>

#define COLUMNS                                                                                                        \
  "id, conversation, profile, phase, detail, round, round_limit, retry_at, lease, open, "                              \
  "(SELECT title FROM conversation WHERE conversation.id = run.conversation), stop_asked"

static const char list_sql[] = "SELECT " COLUMNS " FROM run INDEXED BY run_open WHERE open ORDER BY number";
static const char find_sql[] = "SELECT " COLUMNS " FROM run WHERE id = ?1";
static const char claim_sql[] = "UPDATE run SET lease = ?2 WHERE id = ?1";
static const char ask_stop_sql[] = "UPDATE run SET stop_asked = 1 WHERE conversation = ?1 AND open";
static const char stops_sql[] = "SELECT conversation FROM run INDEXED BY run_open WHERE open AND stop_asked AND lease = ?1";
static const char release_sql[] =
  "UPDATE run SET lease = NULL WHERE id = ?1 AND open AND lease = ?2"
  " AND ?3 = (SELECT count (*) FROM request WHERE conversation = run.conversation AND state = 'pending')";

static gpointer
read_record (BeckonSession *session, sqlite3_stmt *row)
{
  g_autoptr (BeckonRunRecord) record = g_new0 (BeckonRunRecord, 1);

  record->id = g_strdup (beckon_column_text (row, 0));
  record->conversation_id = g_strdup (beckon_column_text (row, 1));
  record->profile_id = g_strdup (beckon_column_text (row, 2));
  beckon_run_phase_from_string (beckon_column_text (row, 3), &record->phase);
  record->detail = g_strdup (beckon_column_text (row, 4));
  record->round = (guint) sqlite3_column_int64 (row, 5);
  record->round_limit = (guint) sqlite3_column_int64 (row, 6);
  record->retry_at = sqlite3_column_int64 (row, 7);
  record->title = g_strdup (beckon_column_text (row, 10));
  record->stop_asked = sqlite3_column_int (row, 11) != 0;
  record->held = beckon_lease_is_held (session->lease, beckon_column_text (row, 8));
  record->left_by = record->held ? NULL : g_strdup (beckon_column_text (row, 8));

  return g_steal_pointer (&record);
}

BECKON_STORE_LIST (beckon_store_list_open_runs, list_sql, read_record, beckon_run_record_free, BECKON_NONE)

/* Within a writing transaction, so that of two that find the holder gone the second finds the first. */
static BeckonRunRecord *
find_claimable (BeckonSession *session, const char *run_id, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (session->database, error, find_sql, "s", run_id);
  BeckonStep step = statement != NULL ? beckon_database_step (session->database, statement, error) : BECKON_STEP_ERROR;
  g_autoptr (BeckonRunRecord) record = NULL;
  gboolean is_open;

  if (step == BECKON_STEP_ERROR)
    return NULL;
  if (step == BECKON_STEP_DONE)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                           _("This belongs to something that is no longer in the history."));
      return NULL;
    }

  record = read_record (session, statement);
  is_open = sqlite3_column_int (statement, 9) != 0;
  sqlite3_reset (statement);

  if (is_open && !record->held)
    return g_steal_pointer (&record);

  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                       is_open ? _("Another window or terminal of Beckon is working on this conversation.")
                       : _("This run is over."));

  return NULL;
}

static gpointer
claim (BeckonSession *session, gpointer data, GError **error)
{
  const char *run_id = ((const BeckonValue *) data)->text;
  g_autoptr (BeckonRunRecord) record = NULL;

  if (!beckon_database_begin (session->database, BECKON_DURABILITY_NORMAL, error))
    return NULL;

  record = find_claimable (session, run_id, error);
  if (record == NULL
      || !beckon_database_run (session->database, error, claim_sql, "ss", run_id, beckon_lease_get_token (session->lease)))
    {
      beckon_database_rollback (session->database);
      return NULL;
    }

  if (!beckon_database_commit (session->database, error))
    return NULL;

  session->has_news = TRUE;

  return g_steal_pointer (&record);
}

void
beckon_store_claim_run_async (BeckonStore *self, const char *run_id, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op
    = { .use = BECKON_STORE_WRITES, .func = claim, .free_result = (GDestroyNotify) beckon_run_record_free };

  beckon_store_work_async (self, &op, beckon_store_claim_run_async, cancellable, callback, user_data, run_id);
}

BECKON_FINISH_POINTER (BeckonRunRecord *, beckon_store_claim_run, BeckonStore)

/* A single statement: an answer comes before it, and is seen, or after it, and finds that no process drives the run. */
static gpointer
query_runs_release (BeckonSession *session, gpointer data, GError **error)
{
  int changed;

  beckon_values_set_lease (data, beckon_lease_get_token (session->lease));
  changed = beckon_database_change_values (session->database, error, release_sql, data);

  if (changed > 0)
    {
      session->has_news = TRUE;
      return GINT_TO_POINTER (TRUE);
    }
  if (changed == 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                         _("A question of this conversation has just been answered."));

  return NULL;
}

void
beckon_store_release_run_async (BeckonStore *self, const char *run_id, guint n_pending, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .use = BECKON_STORE_WRITES, .func = query_runs_release };

  beckon_store_work_async (self, &op, beckon_store_release_run_async, cancellable, callback, user_data, run_id, BECKON_LEASE,
                           n_pending);
}

BECKON_FINISH_BOOLEAN (beckon_store_release_run, BeckonStore)

static gpointer
ask_stop (BeckonSession *session, gpointer data, GError **error)
{
  if (beckon_database_change_values (session->database, error, ask_stop_sql, data) < 0)
    return NULL;

  session->has_news = TRUE;

  return GINT_TO_POINTER (TRUE);
}

void
beckon_store_ask_stop_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .use = BECKON_STORE_WRITES, .func = ask_stop };

  beckon_store_work_async (self, &op, beckon_store_ask_stop_async, cancellable, callback, user_data, conversation_id);
}

BECKON_FINISH_BOOLEAN (beckon_store_ask_stop, BeckonStore)

BECKON_STORE_LIST (beckon_store_list_stops, stops_sql, beckon_query_read_text, g_free, BECKON_LEASE)
