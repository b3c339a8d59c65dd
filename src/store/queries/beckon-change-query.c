/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-query.h"

#include "base/beckon-error.h"
#include "store/db/beckon-store-private.h"

#include <glib/gi18n-lib.h>

/* Sorts behind every id with a prefix. */
#define LAST "\xf4\x8f\xbf\xbf"

static const char list_sql[] =
  "SELECT f.call, m.conversation, v.title, f.folder, f.path, f.made_at, f.undone_at, f.withheld FROM file_copy f"
  "  JOIN call c ON c.id = f.call JOIN message m ON m.id = c.message JOIN conversation v ON v.id = m.conversation"
  " WHERE v.deleted_at IS NULL AND f.call >= ?1 AND f.call <= ?2 ORDER BY f.id DESC LIMIT ?3";

static const char landings_sql[] =
  "SELECT" BECKON_STORE_LANDING_COLUMNS ", m.conversation, v.title FROM landing l"
  "  JOIN call c ON c.id = l.call JOIN message m ON m.id = c.message JOIN conversation v ON v.id = m.conversation"
  " WHERE v.deleted_at IS NULL AND l.call >= ?1 AND l.call <= ?2 AND l.state IN ('landed', 'undone') AND NOT l.is_gone"
  " ORDER BY l.id DESC LIMIT ?3";
static const char message_sql[] =
  "SELECT m.id, m.conversation FROM message m JOIN conversation v ON v.id = m.conversation"
  " WHERE v.deleted_at IS NULL AND m.deleted_at IS NULL AND m.id >= ?1 AND m.id <= ?2 LIMIT 2";

void
beckon_change_free (BeckonChange *change)
{
  if (change == NULL)
    return;

  g_free (change->call_id);
  g_free (change->conversation_id);
  g_free (change->title);
  g_free (change->folder);
  g_free (change->path);
  g_clear_pointer (&change->changes, beckon_change_set_unref);
  g_free (change);
}

static BeckonChange *
change_query_read_change (sqlite3_stmt *row)
{
  BeckonChange *change = g_new0 (BeckonChange, 1);

  change->call_id = g_strdup (beckon_column_text (row, 0));
  change->conversation_id = g_strdup (beckon_column_text (row, 1));
  change->title = g_strdup (beckon_column_text (row, 2));
  change->folder = g_strdup (beckon_column_text (row, 3));
  change->path = g_strdup (beckon_column_text (row, 4));
  change->made_at = sqlite3_column_int64 (row, 5);
  change->undone_at = sqlite3_column_int64 (row, 6);
  change->is_withheld = (sqlite3_column_int (row, 7) & BECKON_STORE_BEFORE_WITHHELD) != 0;
  return change;
}

/* %NULL for one of which nothing can be put back, or was. */
static BeckonChange *
read_landing (sqlite3_stmt *row)
{
  g_autoptr (BeckonLanding) landing = beckon_store_read_landing (row);
  BeckonChange *change;

  if (landing == NULL || (landing->undone_at == 0 && !beckon_change_set_can_undo (landing->changes)))
    return NULL;

  change = g_new0 (BeckonChange, 1);
  change->call_id = g_strdup (landing->call_id);
  change->conversation_id = g_strdup (beckon_column_text (row, 15));
  change->title = g_strdup (beckon_column_text (row, 16));
  change->folder = g_strdup (landing->folder);
  change->changes = beckon_change_set_ref (landing->changes);
  change->made_at = landing->made_at;
  change->undone_at = landing->undone_at;
  return change;
}

/* Takes @change. Changes that landed while a command still ran are undone with the rest. */
static void
change_query_add_change (GPtrArray *changes, BeckonChange *change)
{
  for (guint i = changes->len; i > 0 && change->changes != NULL; i--)
    {
      BeckonChange *newer = g_ptr_array_index (changes, i - 1);

      if (newer->changes == NULL || !g_str_equal (newer->call_id, change->call_id))
        continue;
      beckon_change_set_add_older (newer->changes, change->changes);
      if (change->undone_at == 0)
        newer->undone_at = 0;
      beckon_change_free (change);
      return;
    }
  g_ptr_array_add (changes, change);
}

static gboolean
change_query_read_all (BeckonSession *session, const BeckonValue *range, const char *sql,
                       BeckonChange *(*read) (sqlite3_stmt *),
                       GPtrArray *changes, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, sql, range);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      BeckonChange *change = read (statement);

      if (change != NULL)
        change_query_add_change (changes, change);
    }

  return step == BECKON_STEP_DONE;
}

/* The latest first; of two of one time, as of imported ones, the one that was read first. */
static int
compare_changes (gconstpointer one, gconstpointer other)
{
  gint64 first = (*(BeckonChange *const *) one)->made_at, second = (*(BeckonChange *const *) other)->made_at;

  return first > second ? -1 : first < second;
}

static gpointer
change_query_list (BeckonSession *session, gpointer data, GError **error)
{
  const gint64 max = ((const BeckonValue *) data)[2].number;
  g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_change_free);

  if (!change_query_read_all (session, data, list_sql, change_query_read_change, changes, error)
      || !change_query_read_all (session, data, landings_sql, read_landing, changes, error))
    return NULL;

  g_ptr_array_sort (changes, compare_changes);
  if (max > 0 && changes->len > max)
    g_ptr_array_set_size (changes, (int) max);
  return g_steal_pointer (&changes);
}

void
beckon_store_list_changes_async (BeckonStore *self, const char *call_id, guint max, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = change_query_list, .free_result = (GDestroyNotify) g_ptr_array_unref };
  g_autofree char *first = g_ascii_strup (call_id != NULL ? call_id : "", -1);
  g_autofree char *last = g_strconcat (first, LAST, NULL);

  beckon_store_work_async (self, &op, beckon_store_list_changes_async, cancellable, callback, user_data, first, last,
                           max > 0 ? (gint64) max : -1);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_changes, BeckonStore)

/* Its id, then that of its conversation. */
static gpointer
find_message (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, message_sql, data);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    for (int i = 0; i < 2; i++)
      g_ptr_array_add (found, g_strdup (beckon_column_text (statement, i)));

  if (step != BECKON_STEP_DONE)
    return NULL;
  if (found->len == 2)
    return g_steal_pointer (&found);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                       found->len == 0
                       ? _("Message not found. “beckonctl show --json” has the ids of messages.")
                       : _("More than one message begins with this id. Give more of it."));
  return NULL;
}

void
beckon_store_find_message_async (BeckonStore *self, const char *id, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  const BeckonStoreOp op = { .func = find_message, .free_result = (GDestroyNotify) g_ptr_array_unref };
  g_autofree char *first = g_ascii_strup (id, -1);
  g_autofree char *last = g_strconcat (first, LAST, NULL);

  beckon_store_work_async (self, &op, beckon_store_find_message_async, cancellable, callback, user_data, first, last);
}

char *
beckon_store_find_message_finish (BeckonStore *self, GAsyncResult *result, char **conversation_id, GError **error)
{
  g_autoptr (GPtrArray) found = beckon_store_propagate (self, result, beckon_store_find_message_async, error);

  if (found == NULL)
    return NULL;

  *conversation_id = g_strdup (g_ptr_array_index (found, 1));
  return g_strdup (g_ptr_array_index (found, 0));
}
