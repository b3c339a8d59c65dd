/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-provenance.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * BeckonProvenanceFilter:
 * @conversation_id: (nullable): only of this conversation
 * @event: (nullable): only these lines
 * @tool: (nullable): only of calls of this tool
 * @since: only what happened at this time or later, microseconds since the epoch; 0 for all
 * @before_seq: only earlier lines than this one; 0 for all
 * @max: no more than so many; 0 for all
 *
 * What of the log is asked for; the latest lines come first.
 */
typedef struct
{
  const char *conversation_id;
  const char *event;
  const char *tool;
  gint64 since;
  gint64 before_seq;
  guint max;
} BeckonProvenanceFilter;

/**
 * beckon_store_list_provenance_async:
 * @store: the store
 * @filter: what is asked for; copied
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Reads the log of what was asked, decided and run. What was deleted with its conversation is not in it, and what belongs to a
 * temporary one only where that is asked for by its id, and as long as it is there: it is in memory alone.
 */
void beckon_store_list_provenance_async (BeckonStore *store, const BeckonProvenanceFilter *filter,
                                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type BeckonProvenance) */
GPtrArray *beckon_store_list_provenance_finish (BeckonStore *store, GAsyncResult *result,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
