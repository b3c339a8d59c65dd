/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values with which a tool ran before: those of its last calls, what a person made of them included. Only what is
 * in the file: a temporary conversation leaves nothing. */

#include "store/db/beckon-store-private.h"

#include "base/beckon-json-value.h"
#include "form/beckon-parameters.h"
#include "request/beckon-secret-handle.h"

#include <string.h>

/* How many calls are looked at, how many values of an argument there are, and how long one may be. */
#define MAX_CALLS "100"
#define MAX_VALUES 8
#define MAX_BYTES 400

static const char list_sql[] =
  "SELECT coalesce ((SELECT s.arguments FROM request r JOIN settlement s ON s.request = r.id"
  "  WHERE r.call = c.id AND s.arguments IS NOT NULL ORDER BY s.at DESC LIMIT 1), c.settled, c.arguments), c.concealed"
  " FROM call c JOIN message m ON m.id = c.message JOIN conversation v ON v.id = m.conversation"
  " WHERE c.tool = ?1 AND c.state = 'done' AND c.started_at > 0 AND v.deleted_at IS NULL"
  " ORDER BY c.id DESC LIMIT " MAX_CALLS;

static void
add_value (GHashTable *values, const char *name, char *json)
{
  GPtrArray *list = g_hash_table_lookup (values, name);

  if (list == NULL)
    {
      list = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (values, g_strdup (name), list);
    }
  if (list->len < MAX_VALUES && !g_ptr_array_find_with_equal_func (list, json, g_str_equal, NULL))
    g_ptr_array_add (list, json);
  else
    g_free (json);
}

static gboolean
is_worth_it (const char *json)
{
  gsize length;

  return strlen (json) <= MAX_BYTES && beckon_secret_handle_find (json, &length) == NULL;
}

static void
store_query_earlier_add_call (GHashTable *values, const char *arguments, const char *redacted)
{
  g_autofree char *shown = beckon_parameters_show_by (redacted, arguments);
  g_autoptr (BeckonParameters) hidden = redacted != NULL ? beckon_parameters_from_json (redacted, NULL) : NULL;
  g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (shown, -1, NULL);

  for (guint i = 0; root != NULL && root->kind == BECKON_JSON_VALUE_OBJECT && i < root->children->len; i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (root, i);
      g_autofree char *json = beckon_json_value_print (member);

      if (beckon_parameters_find (hidden, member->name->str) == NULL && is_worth_it (json))
        add_value (values, member->name->str, g_steal_pointer (&json));
    }
}

static gpointer
store_query_earlier_list (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GHashTable) values
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, list_sql, data);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    store_query_earlier_add_call (values, beckon_column_text (statement, 0), beckon_column_text (statement, 1));

  return step == BECKON_STEP_DONE ? g_steal_pointer (&values) : NULL;
}

void
beckon_store_list_earlier_async (BeckonStore *self, const char *tool, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = store_query_earlier_list, .free_result = (GDestroyNotify) g_hash_table_unref };

  beckon_store_work_async (self, &op, beckon_store_list_earlier_async, cancellable, callback, user_data, tool);
}

BECKON_FINISH_POINTER (GHashTable *, beckon_store_list_earlier, BeckonStore)
