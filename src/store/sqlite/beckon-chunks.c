/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chunks.h"

static const char find_sql[] =
  "SELECT p.id FROM chunk k JOIN part p ON p.id = k.part JOIN message m ON m.id = p.message"
  " WHERE m.status <> 'streaming' LIMIT 1";
static const char part_sql[] = "SELECT text FROM part WHERE id = ?1";
static const char chunks_sql[] = "SELECT text FROM chunk WHERE part = ?1 ORDER BY seq";
static const char set_sql[] = "UPDATE part SET text = ?2 WHERE id = ?1";
static const char delete_sql[] = "DELETE FROM chunk WHERE part = ?1";

static gboolean
append_rows (BeckonDatabase *database, const char *sql, gint64 part, GByteArray *text, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (database, error, sql, "i", part);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    {
      const guint8 *bytes = sqlite3_column_blob (statement, 0);

      g_byte_array_append (text, bytes, (guint) sqlite3_column_bytes (statement, 0));
    }

  return step == BECKON_STEP_DONE;
}

static gboolean
join_part (BeckonDatabase *database, gint64 part, GError **error)
{
  g_autoptr (GByteArray) text = g_byte_array_new ();

  return append_rows (database, part_sql, part, text, error) && append_rows (database, chunks_sql, part, text, error)
         && beckon_database_run (database, error, set_sql, "ib", part, text->data, (gsize) text->len)
         && beckon_database_run (database, error, delete_sql, "i", part);
}

gboolean
beckon_chunks_join (BeckonDatabase *database, gboolean *joined, GError **error)
{
  BeckonStep step;
  gint64 part;
  sqlite3_stmt *statement;

  *joined = FALSE;
  if (!beckon_database_begin (database, BECKON_DURABILITY_NORMAL, error))
    return FALSE;

  statement = beckon_database_query (database, error, find_sql, "");
  step = statement != NULL ? beckon_database_step (database, statement, error) : BECKON_STEP_ERROR;
  if (step == BECKON_STEP_ROW)
    {
      part = sqlite3_column_int64 (statement, 0);
      sqlite3_reset (statement);
    }
  if (step != BECKON_STEP_ROW || !join_part (database, part, error))
    {
      beckon_database_rollback (database);
      return step == BECKON_STEP_DONE;
    }

  *joined = beckon_database_commit (database, error);

  return *joined;
}
