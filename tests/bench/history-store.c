/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-store.h"

#include "store/db/beckon-store-private.h"
#include "store/index/beckon-search-index.h"

static void
take_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return *result;
}

static void
need (gboolean worked, GError *error)
{
  if (!worked)
    g_error ("%s", error->message);
}

BeckonStore *
history_store_open (const char *directory)
{
  BeckonStore *store = beckon_store_new (directory, beckon_clock_get_system ());
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_open_async (store, NULL, take_result, &result);
  need (beckon_store_open_finish (store, wait_for (&result), &error), error);

  return store;
}

void
history_store_close (BeckonStore *store)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_close_async (store, take_result, &result);
  need (beckon_store_close_finish (store, wait_for (&result), &error), error);
  g_object_unref (store);
}

void
history_store_commit (BeckonStore *store, BeckonBatch *batch)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_commit_async (store, batch, NULL, take_result, &result);
  need (beckon_store_commit_finish (store, wait_for (&result), &error), error);
}

static gpointer
index_all (BeckonSession *session, gpointer data, GError **error)
{
  gboolean has_more = TRUE;

  while (has_more)
    {
      if (!beckon_search_index_step (session->database, &has_more, error))
        return NULL;
      if (beckon_database_get_log_pages (session->database) > 10000)
        beckon_database_checkpoint (session->database);
    }

  return GINT_TO_POINTER (TRUE);
}

void
history_store_index (BeckonStore *store)
{
  const BeckonStoreOp op = { .func = index_all };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_submit (store, beckon_store_task_new (store, NULL, take_result, &result, history_store_index), &op);
  need (g_task_propagate_boolean (G_TASK (wait_for (&result)), &error), error);
}

BeckonMessage *
history_message_new (gint64 seq, gint64 at, const char *text)
{
  BeckonMessage *message = beckon_message_new (NULL, seq % 2 == 0 ? BECKON_ROLE_USER : BECKON_ROLE_ASSISTANT, at);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_set_seq (message, seq);
  beckon_message_add_part (message, part);

  return message;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return first < second ? -1 : first > second;
}

double
history_percentile (GArray *values, double part)
{
  g_assert (values->len > 0);
  g_array_sort (values, compare);

  return g_array_index (values, double, MIN ((guint) (part * values->len), values->len - 1));
}
