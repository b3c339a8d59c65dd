/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-provenance-query.h"

#include "store/db/beckon-store-private.h"

static const char list_sql[] =
  "SELECT p.seq, p.at, p.conversation, v.title, p.call, c.tool, p.event, p.data FROM provenance p"
  "  LEFT JOIN call c ON c.id = p.call LEFT JOIN conversation v ON v.id = p.conversation"
  " WHERE v.deleted_at IS NULL AND (?1 IS NULL OR p.conversation = ?1) AND (?2 IS NULL OR p.event = ?2)"
  "  AND (?3 IS NULL OR c.tool = ?3) AND p.at >= ?4 AND p.seq < ?5 ORDER BY p.seq DESC LIMIT ?6";

static gpointer
provenance_query_read_line (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonProvenance *line = beckon_provenance_new ();

  line->seq = sqlite3_column_int64 (row, 0);
  line->at = sqlite3_column_int64 (row, 1);
  line->conversation_id = g_strdup (beckon_column_text (row, 2));
  line->title = g_strdup (beckon_column_text (row, 3));
  line->call_id = g_strdup (beckon_column_text (row, 4));
  line->tool = g_strdup (beckon_column_text (row, 5));
  line->event = g_strdup (beckon_column_text (row, 6));
  line->data = g_strdup (beckon_column_text (row, 7));

  return line;
}

void
beckon_store_list_provenance_async (BeckonStore *self, const BeckonProvenanceFilter *filter, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { list_sql, provenance_query_read_line, (GDestroyNotify) beckon_provenance_unref };

  g_return_if_fail (filter != NULL);

  beckon_store_select_async (self, &query, beckon_store_list_provenance_async, cancellable, callback, user_data,
                             filter->conversation_id, filter->event, filter->tool, filter->since,
                             filter->before_seq > 0 ? filter->before_seq : G_MAXINT64,
                             filter->max > 0 ? (gint64) filter->max : -1);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_provenance, BeckonStore)
