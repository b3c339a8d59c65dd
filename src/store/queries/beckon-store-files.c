/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "domain/beckon-landing.h"
#include "store/db/beckon-store-private.h"

#include <glib/gi18n-lib.h>

#define COLUMNS "folder, path, after_hash, made_at, undone_at, withheld, before, folders"

static const char get_sql[] = "SELECT " COLUMNS " FROM file_copy WHERE call = ?1";
static const char list_sql[] =
  "SELECT " COLUMNS ", call FROM file_copy"
  " WHERE call IN (SELECT id FROM call WHERE message = ?1) AND undone_at = 0 AND size <= ?2 ORDER BY id DESC LIMIT ?3";

static BeckonFileCopy *
read_copy (sqlite3_stmt *row, const char *call_id)
{
  g_autoptr (GBytes) before = NULL;
  BeckonFileCopy *copy;

  if (sqlite3_column_type (row, 6) != SQLITE_NULL)
    before = g_bytes_new (sqlite3_column_blob (row, 6), (gsize) sqlite3_column_bytes (row, 6));
  copy = beckon_file_copy_new (call_id, beckon_column_text (row, 0), beckon_column_text (row, 1), before,
                               beckon_column_text (row, 2), sqlite3_column_int64 (row, 3));
  copy->undone_at = sqlite3_column_int64 (row, 4);
  copy->is_withheld = (sqlite3_column_int (row, 5) & BECKON_STORE_BEFORE_WITHHELD) != 0;
  copy->is_after_withheld = (sqlite3_column_int (row, 5) & BECKON_STORE_AFTER_WITHHELD) != 0;
  copy->n_folders = (guint) sqlite3_column_int (row, 7);
  return copy;
}

static gpointer
get (BeckonSession *session, gpointer data, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, get_sql, data);
  g_autoptr (BeckonFileCopy) copy = NULL;
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      g_clear_pointer (&copy, beckon_file_copy_free);
      copy = read_copy (statement, ((const BeckonValue *) data)->text);
    }
  if (step == BECKON_STEP_DONE && copy == NULL)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                         _("The earlier version of this file is no longer stored."));

  return step == BECKON_STEP_DONE ? g_steal_pointer (&copy) : NULL;
}

static void
get_async (BeckonFileCopies *copies, const char *call_id, GCancellable *cancellable, GAsyncReadyCallback callback,
           gpointer user_data)
{
  const BeckonStoreOp op = { .func = get, .free_result = (GDestroyNotify) beckon_file_copy_free };

  beckon_store_work_async (BECKON_STORE (copies), &op, get_async, cancellable, callback, user_data, call_id);
}

static BECKON_FINISH_POINTER (BeckonFileCopy *, get, BeckonFileCopies)

static gpointer
read_listed_copy (BeckonSession *session, sqlite3_stmt *row)
{
  return read_copy (row, beckon_column_text (row, 8));
}

static void
list_async (BeckonFileCopies *copies, const char *message_id, GCancellable *cancellable, GAsyncReadyCallback callback,
            gpointer user_data)
{
  static const BeckonQuery query = { list_sql, read_listed_copy, (GDestroyNotify) beckon_file_copy_free };

  beckon_store_select_async (BECKON_STORE (copies), &query, list_async, cancellable, callback, user_data, message_id,
                             BECKON_FILE_COPIES_MAX_LENGTH, BECKON_FILE_COPIES_MAX_LISTED);
}

static BECKON_FINISH_POINTER (GPtrArray *, list, BeckonFileCopies)

static void
keep_async (BeckonFileCopies *copies, const BeckonFileCopy *copy, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  beckon_batch_put_file_copy (batch, copy);
  beckon_store_commit_async (BECKON_STORE (copies), batch, NULL, callback, user_data);
}

static gboolean
commit_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error)
{
  return beckon_store_commit_finish (BECKON_STORE (copies), result, error);
}

static void
store_files_drop (BeckonFileCopies *copies, const char *call_id)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_drop_file_copy (batch, call_id);
  beckon_store_commit_async (BECKON_STORE (copies), batch, NULL, NULL, NULL);
}

static void
put_async (BeckonFileCopies *copies, const char *conversation_id, const BeckonFileCopy *copy, const char *front_end, gint64 at,
           GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  const BeckonLandingBy by = { .front_end = front_end, .actor = g_get_user_name () };
  gboolean is_undone = copy->undone_at > 0;
  g_autofree char *kept_hash = copy->before != NULL ? beckon_file_copy_hash (copy->before) : NULL;
  const char *there_hash = *copy->after_hash != '\0' ? copy->after_hash : NULL;
  gboolean was_there = is_undone ? there_hash != NULL : copy->before != NULL;
  BeckonFileChange *change
    = beckon_file_change_new (copy->path, was_there ? BECKON_FILE_CHANGED : BECKON_FILE_CREATED, BECKON_FILE_REGULAR);
  g_autoptr (BeckonChangeSet) changes = beckon_change_set_new ();
  g_autoptr (BeckonLanding) landing = NULL;
  g_autofree char *data = NULL;

  /* In the words of the landings of commands, of which this is the smallest. */
  change->fate = is_undone ? BECKON_FILE_UNDONE : BECKON_FILE_KEPT;
  change->before_hash = g_strdup (is_undone ? there_hash : kept_hash);
  change->after_hash = g_strdup (is_undone ? kept_hash : there_hash);
  beckon_change_set_take (changes, change);
  landing = beckon_landing_new (copy->call_id, copy->folder, "", 0, changes);

  data = beckon_landing_log (landing, &by);
  beckon_batch_keep (batch);
  beckon_batch_update_file_copy (batch, copy);
  beckon_batch_end_undoing (batch, copy->call_id);
  beckon_batch_add_provenance (batch, conversation_id, copy->call_id, copy->undone_at > 0 ? "undone" : "redone", data, at);
  beckon_store_commit_async (BECKON_STORE (copies), batch, NULL, callback, user_data);
}

void
beckon_store_file_copies_init (BeckonFileCopiesInterface *iface)
{
  iface->keep_async = keep_async;
  iface->keep_finish = commit_finish;
  iface->drop = store_files_drop;
  iface->get_async = get_async;
  iface->get_finish = get_finish;
  iface->list_async = list_async;
  iface->list_finish = list_finish;
  iface->put_async = put_async;
  iface->put_finish = commit_finish;
}
