/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "domain/beckon-landing.h"
#include "store/db/beckon-store-private.h"

#include <glib/gi18n-lib.h>

static const char get_sql[] = "SELECT" BECKON_STORE_LANDING_COLUMNS "FROM landing l WHERE l.call = ?1 ORDER BY l.id DESC";

BeckonLanding *
beckon_store_read_landing (sqlite3_stmt *row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChangeSet) changes = beckon_change_set_from_json (beckon_column_text (row, 12), &error);
  BeckonLandingState state;
  BeckonLanding *landing;

  if (changes == NULL || !beckon_landing_state_from_string (beckon_column_text (row, 3), &state))
    {
      g_message ("what a command changed cannot be read: %s", error != NULL ? error->message : "its state is unknown");
      return NULL;
    }
  landing = beckon_landing_new (beckon_column_text (row, 0), beckon_column_text (row, 1), beckon_column_text (row, 2),
                                sqlite3_column_int64 (row, 4), changes);
  beckon_landing_set_id (landing, beckon_column_text (row, 14));
  landing->state = state;
  landing->is_failure = sqlite3_column_int (row, 5) != 0;
  landing->exit_status = sqlite3_column_int (row, 6);
  landing->output_length = sqlite3_column_int64 (row, 7) < 0 ? G_MAXSIZE : (gsize) sqlite3_column_int64 (row, 7);
  landing->made_at = sqlite3_column_int64 (row, 8);
  landing->undone_at = sqlite3_column_int64 (row, 9);
  landing->kept_bytes = (guint64) sqlite3_column_int64 (row, 10);
  landing->is_gone = sqlite3_column_int (row, 11) != 0;
  /* SQLite has no address for no bytes. */
  if (sqlite3_column_type (row, 13) != SQLITE_NULL)
    landing->output = sqlite3_column_bytes (row, 13) > 0
                        ? g_strndup (sqlite3_column_blob (row, 13), (gsize) sqlite3_column_bytes (row, 13))
                        : g_strdup ("");
  return landing;
}

static gpointer
landings_read (BeckonSession *session, sqlite3_stmt *row)
{
  return beckon_store_read_landing (row);
}

static gpointer
landings_get (BeckonSession *session, gpointer data, GError **error)
{
  static const BeckonQuery query = { get_sql, landings_read, (GDestroyNotify) beckon_landing_free };
  g_autoptr (GPtrArray) landings = beckon_query_list (session, &query, data, error);

  if (landings == NULL || landings->len > 0)
    return g_steal_pointer (&landings);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, _("What the command changed is no longer kept."));

  return NULL;
}

static void
get_async (BeckonLandings *landings, const char *call_id, GCancellable *cancellable, GAsyncReadyCallback callback,
           gpointer user_data)
{
  const BeckonStoreOp op = { .func = landings_get, .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_work_async (BECKON_STORE (landings), &op, get_async, cancellable, callback, user_data, call_id);
}

static BECKON_FINISH_POINTER (GPtrArray *, get, BeckonLandings)

static void
put_async (BeckonLandings *landings, const char *conversation_id, GPtrArray *stored, const char *event,
           const char *front_end, gint64 at, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  const BeckonLandingBy by = { .front_end = front_end, .actor = g_get_user_name () };

  beckon_batch_keep (batch);
  for (guint i = 0; i < stored->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (stored, i);
      g_autofree char *data = beckon_landing_log (landing, &by);

      beckon_batch_put_landing (batch, landing);
      beckon_batch_end_undoing (batch, landing->call_id);
      beckon_batch_add_provenance (batch, conversation_id, landing->call_id, event, data, at);
    }
  beckon_store_commit_async (BECKON_STORE (landings), batch, NULL, callback, user_data);
}

static gboolean
put_finish (BeckonLandings *landings, GAsyncResult *result, GError **error)
{
  return beckon_store_commit_finish (BECKON_STORE (landings), result, error);
}

static void
begin_async (BeckonLandings *landings, const char *const *call_ids, gboolean is_redo, const char *front_end, GBytes *now,
             GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  for (guint i = 0; call_ids[i] != NULL; i++)
    beckon_batch_begin_undoing (batch, call_ids[i], is_redo, front_end, now);
  beckon_store_commit_async (BECKON_STORE (landings), batch, NULL, callback, user_data);
}

static void
store_landings_end (BeckonLandings *landings, const char *call_id)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_end_undoing (batch, call_id);
  beckon_store_commit_async (BECKON_STORE (landings), batch, NULL, NULL, NULL);
}

void
beckon_store_landings_init (BeckonLandingsInterface *iface)
{
  iface->get_async = get_async;
  iface->get_finish = get_finish;
  iface->put_async = put_async;
  iface->put_finish = put_finish;
  iface->begin_async = begin_async;
  iface->begin_finish = put_finish;
  iface->end = store_landings_end;
}
