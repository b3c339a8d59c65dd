/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-store-secrets.h"

#include "store/db/beckon-store-private.h"

#include "request/beckon-answer.h"
#include "request/beckon-secret-handle.h"

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

/* Filled-in forms are JSON, in which handles are written as they are. */
static void
add_form_handles (GPtrArray *handles, const char *text)
{
  const char *found;
  gsize length;

  for (const char *rest = text; (found = beckon_secret_handle_find (rest, &length)) != NULL; rest = found + length)
    g_ptr_array_add (handles, g_strndup (found, length));
}

static void
add_handles (GPtrArray *handles, const char *json)
{
  g_autoptr (BeckonAnswer) answer = json != NULL ? beckon_answer_from_json (json, NULL) : NULL;

  if (answer != NULL && answer->kind == BECKON_ANSWER_FORM && answer->text != NULL)
    add_form_handles (handles, answer->text);

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
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    add_handles (handles, beckon_column_text (statement, 0));

  return step == BECKON_STEP_DONE;
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
list (BeckonSession *session, gpointer data, GError **error)
{
  BeckonDatabase *database = session->database;
  const char *id = data;
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
  const gint64 *before = data;
  g_autoptr (GPtrArray) handles = g_ptr_array_new_with_free_func (g_free);

  if (!read_handles (database, beckon_database_query (database, error, hidden_sql, "i", *before), handles, error))
    return NULL;
  for (guint i = handles->len; i > 0; i--)
    if (counts_some (database, beckon_database_query (database, NULL, kept_sql, "is", *before, handles->pdata[i - 1])))
      g_ptr_array_remove_index (handles, i - 1);

  return g_steal_pointer (&handles);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
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
forget (BeckonStore *self, BeckonVault *vault, gpointer (*func) (BeckonSession *, gpointer, GError **), gpointer data,
        gboolean in_memory)
{
  const BeckonStoreOp op = { .func = func,
                             .data = data,
                             .free_data = g_free,
                             .free_result = (GDestroyNotify) g_ptr_array_unref,
                             .in_memory = in_memory };

  beckon_store_submit (self, beckon_store_task_new (self, NULL, on_listed, g_object_ref (vault),
                                                    beckon_store_forget_secrets), &op);
}

void
beckon_store_forget_secrets (BeckonStore *self, BeckonVault *vault, const char *conversation_id)
{
  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (BECKON_IS_VAULT (vault));

  forget (self, vault, list, g_strdup (conversation_id),
          conversation_id != NULL && g_hash_table_contains (beckon_store_get_temporary (self), conversation_id));
}

void
beckon_store_forget_hidden_secrets (BeckonStore *self, BeckonVault *vault, gint64 before)
{
  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (BECKON_IS_VAULT (vault));

  forget (self, vault, list_hidden, g_memdup2 (&before, sizeof before), FALSE);
}

void
beckon_store_forget_temporary_secrets (BeckonStore *self, BeckonVault *vault)
{
  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (BECKON_IS_VAULT (vault));

  if (g_hash_table_size (beckon_store_get_temporary (self)) > 0)
    forget (self, vault, list, NULL, TRUE);
}

static gpointer
list_all (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) handles = g_ptr_array_new_with_free_func (g_free);

  if (!read_handles (session->database, beckon_database_query (session->database, error, all_sql, ""), handles, error))
    return NULL;

  return g_steal_pointer (&handles);
}

static void
list_part (GTask *task, gboolean in_memory, GAsyncReadyCallback callback)
{
  BeckonStore *self = g_task_get_source_object (task);
  const BeckonStoreOp op = { .func = list_all,
                             .free_result = (GDestroyNotify) g_ptr_array_unref,
                             .in_memory = in_memory };

  beckon_store_submit (self, beckon_store_task_new (self, g_task_get_cancellable (task), callback, g_object_ref (task),
                                                    list_part), &op);
}

static void
on_temporary_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GPtrArray *handles = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) more = g_task_propagate_pointer (G_TASK (result), &error);

  if (more == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_ptr_array_extend_and_steal (handles, g_steal_pointer (&more));
  g_task_return_pointer (task, g_ptr_array_ref (handles), (GDestroyNotify) g_ptr_array_unref);
}

static void
on_stored_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GPtrArray *handles = g_task_propagate_pointer (G_TASK (result), &error);

  if (handles == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (g_hash_table_size (beckon_store_get_temporary (BECKON_STORE (source))) == 0)
    {
      g_task_return_pointer (task, handles, (GDestroyNotify) g_ptr_array_unref);
      return;
    }
  g_task_set_task_data (task, handles, (GDestroyNotify) g_ptr_array_unref);
  list_part (task, TRUE, on_temporary_listed);
}

void
beckon_store_list_secrets_async (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (BECKON_IS_STORE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_store_list_secrets_async);
  list_part (task, FALSE, on_stored_listed);
}

static gpointer
list_answered (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) handles = g_ptr_array_new_with_free_func (g_free);

  if (!read_handles (session->database, beckon_database_query (session->database, error, answered_sql, "s", data), handles,
                     error))
    return NULL;

  return g_steal_pointer (&handles);
}

static void
on_answered_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GPtrArray *handles = g_task_propagate_pointer (G_TASK (result), &error);

  if (handles != NULL)
    g_task_return_pointer (task, handles, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
beckon_store_list_answered_secrets_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonStoreOp op = { .func = list_answered, .free_data = g_free, .free_result = (GDestroyNotify) g_ptr_array_unref };

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (conversation_id != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_store_list_secrets_async);
  op.data = g_strdup (conversation_id);
  op.in_memory = g_hash_table_contains (beckon_store_get_temporary (self), conversation_id);
  beckon_store_submit (self, beckon_store_task_new (self, cancellable, on_answered_listed, g_object_ref (task),
                                                    beckon_store_list_answered_secrets_async), &op);
}

GPtrArray *
beckon_store_list_secrets_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_list_secrets_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
