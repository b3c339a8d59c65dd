/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-logged-call.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * BeckonCallLogFilter:
 * @conversation_id: (nullable): only of this conversation
 * @tool: (nullable): only calls of this tool
 * @decider: only what this one decided; %BECKON_CALL_DECIDER_NONE for all
 * @outcomes: only what ended like this, a bit for each #BeckonCallOutcome; 0 for all
 * @since: only calls that were made at this time or later, microseconds since the epoch; 0 for all
 * @before_id: (nullable): only earlier calls than this one
 * @max: no more than so many; 0 for all
 *
 * What of the audit log is asked for.
 */
typedef struct
{
  const char *conversation_id;
  const char *tool;
  BeckonCallDecider decider;
  guint outcomes;
  gint64 since;
  const char *before_id;
  guint max;
} BeckonCallLogFilter;

/**
 * beckon_store_list_calls_async:
 * @store: the store
 * @filter: what is asked for; copied
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Reads the calls of the audit log, the latest first, each with who decided and how it ended. Calls of deleted conversations
 * are not among them, and those of a temporary one only where that is asked for by its id.
 */
void beckon_store_list_calls_async (BeckonStore *store, const BeckonCallLogFilter *filter, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type BeckonLoggedCall) */
GPtrArray *beckon_store_list_calls_finish (BeckonStore *store, GAsyncResult *result,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
