/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A damaged page takes its rows with it, and stops those who read past it. So a table is read from both ends; a table with
 * numbers is also read on behind what stops it. Rows between two damaged pages are asked for one by one: their keys are known
 * from the indexes and from the rows that refer to them, which lie elsewhere. A key that is known and has no row is a loss that
 * can be counted. Where the tree that leads to the pages of a table is destroyed, its rows are lost to this: that is what the
 * copy of each day is for.
 */

#include "beckon-config.h"

#include "beckon-salvage-rows.h"

#include "store/sqlite/beckon-branches.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Made anew from the rest. */
static const char *const derived[] = {
  "title", "unindexed_title", "unindexed_text", "removed_title", "removed_text",
};

typedef struct
{
  sqlite3 *from;
  sqlite3 *to;
  char *name;
  char *columns;     /* those that both have */
  char *key;         /* (nullable): the only column of the primary key */
  gboolean numbered; /* it is the number that the table is ordered by */
  gboolean stopped;  /* it could not be read to its end */
  sqlite3_stmt *insert;
  GHashTable *lost; /* (element-type utf8): keys without a row */
} Table;

static void
table_free (Table *table)
{
  sqlite3_finalize (table->insert);
  g_hash_table_unref (table->lost);
  g_free (table->name);
  g_free (table->columns);
  g_free (table->key);
  g_free (table);
}

static sqlite3_stmt *
salvage_rows_prepare (sqlite3 *handle, const char *format, ...) G_GNUC_PRINTF (2, 3);

static sqlite3_stmt *
salvage_rows_prepare (sqlite3 *handle, const char *format, ...)
{
  sqlite3_stmt *statement = NULL;
  g_autofree char *sql = NULL;
  va_list arguments;

  va_start (arguments, format);
  sql = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  sqlite3_prepare_v2 (handle, sql, -1, &statement, NULL);

  return statement;
}

/* The columns, and the key if it is one column. */
static void
read_shape (Table *table, GString *columns, GString *places)
{
  sqlite3_stmt *statement =
    salvage_rows_prepare (table->to, "SELECT name, type, pk FROM pragma_table_info ('%s')", table->name);
  guint n_keys = 0;

  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      const char *name = beckon_column_text (statement, 0);

      if (sqlite3_column_int (statement, 2) > 0 && n_keys++ == 0)
        {
          table->key = g_strdup (name);
          table->numbered = g_str_equal (beckon_column_text (statement, 1), "INTEGER");
        }
      if (sqlite3_table_column_metadata (table->from, NULL, table->name, name, NULL, NULL, NULL, NULL, NULL)
          != SQLITE_OK)
        continue;
      g_string_append_printf (columns, "%s\"%s\"", columns->len > 0 ? ", " : "", name);
      g_string_append (places, places->len > 0 ? ", ?" : "?");
    }
  sqlite3_finalize (statement);
  if (n_keys != 1)
    g_clear_pointer (&table->key, g_free);
}

/* Frees @rows. %TRUE if they came to their end. @last: (nullable): the number of the last one. */
static gboolean
copy_rows (Table *table, sqlite3_stmt *rows, gint64 *last)
{
  int code = rows != NULL ? SQLITE_ROW : SQLITE_ERROR;

  while (rows != NULL && (code = sqlite3_step (rows)) == SQLITE_ROW)
    {
      /* A row that breaks a rule of the new file is not carried over. */
      if (table->insert != NULL)
        {
          for (int i = 0; i < sqlite3_bind_parameter_count (table->insert); i++)
            sqlite3_bind_value (table->insert, i + 1, sqlite3_column_value (rows, i));
          sqlite3_step (table->insert);
          sqlite3_reset (table->insert);
        }
      if (last != NULL)
        *last = sqlite3_column_int64 (rows, sqlite3_column_count (rows) - 1);
    }
  sqlite3_finalize (rows);

  return code == SQLITE_DONE;
}

/* Behind a damaged page there are others. The steps grow until they lead out of it; what they leave out is read backwards. */
static void
copy_behind_damage (Table *table, gint64 last)
{
  while (last < G_MAXINT64 / 4)
    {
      gint64 before = last, step = 1;
      gboolean done = FALSE;

      while (!done && last == before && step < G_MAXINT64 / 4)
        {
          done = copy_rows (table,
                            salvage_rows_prepare (table->from, "SELECT %s, \"%s\" FROM \"%s\" WHERE \"%s\" > %" G_GINT64_FORMAT
                                                  " ORDER BY \"%s\"",
                                                  table->columns, table->key, table->name, table->key, before + step,
                                                  table->key),
                            &last);
          if (done || last != before)
            copy_rows (table,
                       salvage_rows_prepare (table->from,
                                             "SELECT %s, \"%s\" FROM \"%s\" WHERE \"%s\" <= %" G_GINT64_FORMAT
                                             " ORDER BY \"%s\" DESC",
                                             table->columns, table->key, table->name, table->key, before + step, table->key),
                       NULL);
          step *= 2;
        }
      if (done || last == before)
        return;
    }
}

static gboolean
has_row (Table *table, const char *key)
{
  sqlite3_stmt *statement = salvage_rows_prepare (table->to, "SELECT 1 FROM \"%s\" WHERE \"%s\" = ?", table->name, table->key);
  gboolean found;

  sqlite3_bind_text (statement, 1, key, -1, SQLITE_STATIC);
  found = sqlite3_step (statement) == SQLITE_ROW;
  sqlite3_finalize (statement);

  return found;
}

/* Frees @keys. */
static void
fetch_all (Table *table, sqlite3_stmt *keys)
{
  while (keys != NULL && sqlite3_step (keys) == SQLITE_ROW)
    if (sqlite3_column_type (keys, 0) != SQLITE_NULL)
      {
        const char *key = beckon_column_text (keys, 0);
        sqlite3_stmt *row;

        if (!has_row (table, key) && !g_hash_table_contains (table->lost, key))
          {
            row = salvage_rows_prepare (table->from, "SELECT %s FROM \"%s\" WHERE \"%s\" = ?", table->columns, table->name,
                                        table->key);
            if (row != NULL)
              sqlite3_bind_text (row, 1, key, -1, SQLITE_STATIC);
            copy_rows (table, row, NULL);
            if (!has_row (table, key))
              g_hash_table_add (table->lost, g_strdup (key));
          }
      }
  sqlite3_finalize (keys);
}

static void
copy_table (Table *table)
{
  gint64 last = G_MININT64 / 4;
  const char *order = table->key != NULL ? table->key : "";

  if (table->key == NULL)
    {
      table->stopped = !copy_rows (table, salvage_rows_prepare (table->from, "SELECT %s FROM \"%s\"", table->columns,
                                                                table->name), NULL);
      return;
    }
  if (copy_rows (table,
                 salvage_rows_prepare (table->from, "SELECT %s, \"%s\" FROM \"%s\" ORDER BY \"%s\"", table->columns, order,
                                       table->name,
                                       order),
                 table->numbered ? &last : NULL))
    return;

  table->stopped = TRUE;
  copy_rows (table,
             salvage_rows_prepare (table->from, "SELECT %s FROM \"%s\" ORDER BY \"%s\" DESC", table->columns, table->name,
                                   order), NULL);
  if (table->numbered)
    copy_behind_damage (table, MAX (last, 0));
}

static GPtrArray *
list_tables (sqlite3 *from, sqlite3 *to)
{
  GPtrArray *tables = g_ptr_array_new_with_free_func ((GDestroyNotify) table_free);
  sqlite3_stmt *names = salvage_rows_prepare (to, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
                                              " AND name NOT LIKE 'sqlite_%%'");

  while (sqlite3_step (names) == SQLITE_ROW)
    {
      const char *name = beckon_column_text (names, 0);
      gboolean is_derived = FALSE;

      for (guint i = 0; i < G_N_ELEMENTS (derived); i++)
        is_derived = is_derived || g_str_equal (name, derived[i]);
      if (!is_derived)
        {
          Table *table = g_new0 (Table, 1);
          GString *columns = g_string_new (NULL);
          g_autoptr (GString) places = g_string_new (NULL);

          table->from = from;
          table->to = to;
          table->name = g_strdup (name);
          table->lost = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
          read_shape (table, columns, places);
          table->columns = g_string_free (columns, FALSE);
          table->insert = salvage_rows_prepare (to, "INSERT OR IGNORE INTO \"%s\" (%s) VALUES (%s)", name, table->columns,
                                                places->str);
          g_ptr_array_add (tables, table);
        }
    }
  sqlite3_finalize (names);

  return tables;
}

/* Readable rows are not left out because their parent could not be read: they get a conversation, or a message, of their own.
 * Rows that mean nothing alone, such as the result of a lost call, go. */
static gboolean
mend (BeckonDatabase *to, GError **error)
{
  g_autofree char *title = g_strdup (_("Recovered conversation"));

  return beckon_database_run (to, error,
                              "INSERT OR IGNORE INTO conversation (id, created_at, updated_at, title)"
                              " SELECT conversation, min (created_at), max (created_at), ?1 FROM message"
                              " WHERE conversation NOT IN (SELECT id FROM conversation)"
                              " AND conversation NOT IN (SELECT id FROM gone) GROUP BY conversation",
                              "s", title)
         && beckon_database_run (to, error,
                                 "INSERT INTO conversation (id, created_at, updated_at, title)"
                                 " SELECT '00000000000000000000000000', unixepoch () * 1000000, unixepoch () * 1000000, ?1"
                                 " WHERE EXISTS (SELECT 1 FROM part"
                                 " WHERE kind IN ('text', 'reasoning') AND message NOT IN (SELECT id FROM message))",
                                 "s", title)
         && beckon_database_script (
              to,
              "INSERT INTO message (id, conversation, seq, role, status, created_at, input, output, cached)"
              " SELECT message, '00000000000000000000000000', row_number () OVER (ORDER BY message) - 1, 'assistant',"
              " 'cut-off', unixepoch () * 1000000, -1, -1, -1 FROM part"
              " WHERE kind IN ('text', 'reasoning') AND message NOT IN (SELECT id FROM message)"
              " GROUP BY message;"
              "DELETE FROM message WHERE conversation NOT IN (SELECT id FROM conversation);",
              error)
         && beckon_branches_mend (to, error)
         && beckon_database_script (
              to,
              "DELETE FROM call WHERE message NOT IN (SELECT id FROM message);"
              "DELETE FROM permit WHERE call NOT IN (SELECT id FROM call);"
              "DELETE FROM part WHERE message NOT IN (SELECT id FROM message)"
              "  OR (call IS NOT NULL AND call NOT IN (SELECT id FROM call));"
              "DELETE FROM chunk WHERE part NOT IN (SELECT id FROM part);"
              "DELETE FROM draft_file WHERE conversation NOT IN (SELECT id FROM conversation);"
              "DELETE FROM queued_message WHERE conversation NOT IN (SELECT id FROM conversation);"
              "DELETE FROM queued_file WHERE message NOT IN (SELECT id FROM queued_message);"
              "DELETE FROM prefix WHERE conversation NOT IN (SELECT id FROM conversation);"
              "DELETE FROM prefix_sent WHERE conversation NOT IN (SELECT id FROM conversation);"
              "DELETE FROM told WHERE message NOT IN (SELECT id FROM message);"
              "DELETE FROM result_image WHERE call NOT IN (SELECT id FROM call);"
              "DELETE FROM file_copy WHERE call NOT IN (SELECT id FROM call);"
              "DELETE FROM landing WHERE call NOT IN (SELECT id FROM call);"
              "DELETE FROM undoing WHERE call NOT IN (SELECT id FROM call);"
              "DELETE FROM plan WHERE call NOT IN (SELECT id FROM call);"
              "DELETE FROM step WHERE call NOT IN (SELECT id FROM call) OR plan NOT IN (SELECT call FROM plan);"
              "DELETE FROM request WHERE conversation NOT IN (SELECT id FROM conversation)"
              "  OR (message IS NOT NULL AND message NOT IN (SELECT id FROM message))"
              "  OR (call IS NOT NULL AND call NOT IN (SELECT id FROM call));"
              "DELETE FROM settlement WHERE request NOT IN (SELECT id FROM request);"
              "DELETE FROM remembered_answer WHERE request NOT IN (SELECT id FROM request);"
              "DELETE FROM run WHERE conversation NOT IN (SELECT id FROM conversation);"
              "DELETE FROM rule WHERE conversation IS NOT NULL AND conversation NOT IN (SELECT id FROM conversation);"
              "DELETE FROM unindexed_text; DELETE FROM unindexed_title; DELETE FROM removed_text; DELETE FROM removed_title;"
              "INSERT INTO unindexed_title SELECT id FROM conversation WHERE title <> '';"
              "INSERT INTO unindexed_text SELECT p.id FROM part p JOIN message m ON m.id = p.message"
              "  WHERE p.kind = 'text' AND m.status <> 'streaming';",
              error);
}

static void
count_lost (GPtrArray *tables, BeckonSalvage *salvage)
{
  for (guint i = 0; i < tables->len; i++)
    {
      Table *table = g_ptr_array_index (tables, i);
      const guint n_lost = g_hash_table_size (table->lost);
      gint64 *counted = g_str_equal (table->name, "conversation") ? &salvage->n_lost_conversations
                        : g_str_equal (table->name, "message")    ? &salvage->n_lost_messages
                                                                  : NULL;

      if (counted != NULL)
        *counted = n_lost;
      if (counted != NULL ? table->stopped && n_lost == 0 : table->stopped || n_lost > 0)
        g_ptr_array_add (salvage->damaged, g_strdup (table->name));
    }
}

gboolean
beckon_salvage_copy_rows (BeckonDatabase *from, BeckonDatabase *to, BeckonSalvage *salvage, GError **error)
{
  g_autoptr (GPtrArray) tables = list_tables (beckon_database_get_handle (from), beckon_database_get_handle (to));

  for (guint i = 0; i < tables->len; i++)
    copy_table (g_ptr_array_index (tables, i));
  for (guint i = 0; i < tables->len; i++)
    {
      Table *table = g_ptr_array_index (tables, i);
      sqlite3_stmt *references;
      sqlite3_stmt *indexes;

      if (table->key == NULL)
        continue;

      indexes = salvage_rows_prepare (table->to,
                                      "SELECT l.name, i.name FROM pragma_index_list ('%s') l, pragma_index_info (l.name) i"
                                      " WHERE l.origin <> 'pk' AND NOT l.partial AND i.seqno = 0",
                                      table->name);
      while (sqlite3_step (indexes) == SQLITE_ROW)
        for (int backwards = 0; backwards < 2; backwards++)
          fetch_all (table, salvage_rows_prepare (table->from, "SELECT \"%s\" FROM \"%s\" INDEXED BY \"%s\" ORDER BY \"%s\" %s",
                                                  table->key, table->name, beckon_column_text (indexes, 0),
                                                  beckon_column_text (indexes, 1), backwards ? "DESC" : ""));
      sqlite3_finalize (indexes);

      /* Rows that refer to a row have its key. */
      references = salvage_rows_prepare (table->to,
                                         "SELECT s.name, f.\"from\" FROM sqlite_schema s, pragma_foreign_key_list (s.name) f"
                                         " WHERE s.type = 'table' AND f.\"table\" = '%s'",
                                         table->name);
      while (sqlite3_step (references) == SQLITE_ROW)
        fetch_all (table, salvage_rows_prepare (table->to, "SELECT DISTINCT \"%s\" FROM \"%s\"",
                                                beckon_column_text (references, 1),
                                                beckon_column_text (references, 0)));
      sqlite3_finalize (references);
    }
  count_lost (tables, salvage);

  return mend (to, error)
         && beckon_database_get_number (to, "SELECT count (*) FROM conversation", &salvage->n_conversations, error)
         && beckon_database_get_number (to, "SELECT count (*) FROM message", &salvage->n_messages, error);
}
