/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-store-secrets.h"

#include "store/db/beckon-store-private.h"

#include "request/beckon-answer.h"
#include "request/beckon-vault.h"

static const char all_sql[] = "SELECT answer FROM settlement WHERE instr (answer, 'secret:') > 0";
static const char list_sql[] = "SELECT s.answer FROM request r JOIN settlement s ON s.request = r.id"
                               " WHERE r.conversation = ?1 AND instr (s.answer, 'secret:') > 0";
static const char answered_sql[] = "SELECT s.answer FROM request r JOIN settlement s ON s.request = r.id"
                                   " WHERE r.conversation = ?1 AND r.kind = 'question' AND instr (s.answer, 'secret:') > 0";
static const char elsewhere_sql[] =
  "SELECT count (*) FROM settlement s JOIN request r ON r.id = s.request JOIN conversation c ON c.id = r.conversation"
  " WHERE r.conversation <> ?1 AND c.deleted_at IS NOT 0 AND instr (s.answer, ?2) > 0";

/* Hidden, and not to come back: a copy that stays keeps what it has. */
static const char hidden_sql[] = "SELECT s.answer FROM request r JOIN settlement s ON s.request = r.id"
                                 " JOIN conversation c ON c.id = r.conversation"
                                 " WHERE c.deleted_at > 0 AND c.deleted_at <= ?1 AND instr (s.answer, 'secret:') > 0";
static const char kept_sql[] =
  "SELECT count (*) FROM settlement s JOIN request r ON r.id = s.request JOIN conversation c ON c.id = r.conversation"
  " WHERE (c.deleted_at IS NULL OR c.deleted_at > ?1) AND instr (s.answer, ?2) > 0";

static void
take_handles (gpointer handles, sqlite3_stmt *row)
{
  const char *json = beckon_column_text (row, 0);
  g_autoptr (BeckonAnswer) answer = json != NULL ? beckon_answer_from_json (json, NULL) : NULL;

  if (answer != NULL && answer->kind == BECKON_ANSWER_FORM && answer->text != NULL)
    {
      /* Filled-in forms are JSON, in which handles are written as they are. */
      const char *found;
      gsize length;

      for (const char *rest = answer->text; (found = beckon_secret_handle_find (rest, &length)) != NULL;
           rest = found + length)
        g_ptr_array_add (handles, g_strndup (found, length));
    }

  for (guint i = 0; answer != NULL && i < answer->items->len; i++)
    {
      const BeckonAnswerItem *item = g_ptr_array_index (answer->items, i);

      if (beckon_secret_handle_is (item->text))
        g_ptr_array_add (handles, g_strdup (item->text));
    }
}

static gboolean
read_handles (BeckonDatabase *database, sqlite3_stmt *statement, GPtrArray *handles, GError **error)
{
  return beckon_database_each (database, statement, take_handles, handles, error);
}

/* Errors count as a yes. */
static gboolean
counts_some (BeckonDatabase *database, sqlite3_stmt *statement)
{
  gboolean found = TRUE;

  if (statement != NULL && beckon_database_step (database, statement, NULL) == BECKON_STEP_ROW)
    {
      found = sqlite3_column_int64 (statement, 0) > 0;
      sqlite3_reset (statement);
    }

  return found;
}

static gpointer
store_secrets_list (BeckonSession *session, gpointer data, GError **error)
{
  BeckonDatabase *database = session->database;
  const char *id = ((const BeckonValue *) data)->text;
  g_autoptr (GPtrArray) handles = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *statement = id != NULL ? beckon_database_query (database, error, list_sql, "s", id)
                                       : beckon_database_query (database, error, all_sql, "");

  if (!read_handles (database, statement, handles, error))
    return NULL;
  for (guint i = handles->len; id != NULL && i > 0; i--)
    if (counts_some (database, beckon_database_query (database, NULL, elsewhere_sql, "ss", id, handles->pdata[i - 1])))
      g_ptr_array_remove_index (handles, i - 1);

  return g_steal_pointer (&handles);
}

static gpointer
list_hidden (BeckonSession *session, gpointer data, GError **error)
{
  BeckonDatabase *database = session->database;
  const gint64 before = ((const BeckonValue *) data)->number;
  g_autoptr (GPtrArray) handles = g_ptr_array_new_with_free_func (g_free);

  if (!read_handles (database, beckon_database_query (database, error, hidden_sql, "i", before), handles, error))
    return NULL;
  for (guint i = handles->len; i > 0; i--)
    if (counts_some (database, beckon_database_query (database, NULL, kept_sql, "is", before, handles->pdata[i - 1])))
      g_ptr_array_remove_index (handles, i - 1);

  return g_steal_pointer (&handles);
}

static void
store_secrets_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonVault) vault = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) handles = g_task_propagate_pointer (G_TASK (result), &error);

  if (handles == NULL)
    g_message ("masked answers stay in the keyring: %s", error->message);
  for (guint i = 0; handles != NULL && i < handles->len; i++)
    beckon_vault_forget (vault, g_ptr_array_index (handles, i));
}

static void
store_secrets_forget (BeckonStore *self, BeckonVault *vault, gpointer (*func) (BeckonSession *, gpointer, GError **),
                      BeckonValue value,
                      gboolean in_memory)
{
  const BeckonStoreOp op = { .func = func, .free_result = (GDestroyNotify) g_ptr_array_unref, .in_memory = in_memory };

  beckon_store_work_async (self, &op, beckon_store_forget_secrets, NULL, store_secrets_on_listed, g_object_ref (vault), value);
}

void
beckon_store_forget_secrets (BeckonStore *self, BeckonVault *vault, const char *conversation_id)
{
  store_secrets_forget (self, vault, store_secrets_list, BECKON_VALUE (conversation_id), FALSE);
}

void
beckon_store_forget_hidden_secrets (BeckonStore *self, BeckonVault *vault, gint64 before)
{
  store_secrets_forget (self, vault, list_hidden, BECKON_VALUE (before), FALSE);
}

void
beckon_store_forget_temporary_secrets (BeckonStore *self, BeckonVault *vault)
{
  if (g_hash_table_size (beckon_store_get_temporary (self)) > 0)
    store_secrets_forget (self, vault, store_secrets_list, BECKON_NULL, TRUE);
}

static gpointer
list_all (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) handles = g_ptr_array_new_with_free_func (g_free);

  if (!read_handles (session->database, beckon_database_query (session->database, error, all_sql, ""), handles, error)
      || (session->memory != NULL
          && !read_handles (session->memory, beckon_database_query (session->memory, error, all_sql, ""), handles, error)))
    return NULL;

  return g_steal_pointer (&handles);
}

void
beckon_store_list_secrets_async (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  const BeckonStoreOp op = { .func = list_all, .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_work_async (self, &op, beckon_store_list_secrets_async, cancellable, callback, user_data, BECKON_NONE);
}

static gpointer
list_answered (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) handles = g_ptr_array_new_with_free_func (g_free);

  if (!read_handles (session->database, beckon_database_query_values (session->database, error, answered_sql, data),
                     handles, error))
    return NULL;

  return g_steal_pointer (&handles);
}

void
beckon_store_list_answered_secrets_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = list_answered, .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_work_async (self, &op, beckon_store_list_secrets_async, cancellable, callback, user_data, conversation_id);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_secrets, BeckonStore)
