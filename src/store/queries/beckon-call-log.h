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

/**
 * BeckonMovedCalls:
 * @calls: (element-type utf8 BeckonToolCall): by their ids; only the state of their changes is set, as it stands now
 * @logged: how far the log was read
 *
 * Calls of a conversation whose changes were undone, or made again, by whatever process.
 */
typedef struct
{
  GHashTable *calls;
  gint64 logged;
} BeckonMovedCalls;

void beckon_moved_calls_free (BeckonMovedCalls *moved);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMovedCalls, beckon_moved_calls_free)

/** @logged: how far the log was read before; 0 for all of it. */
void              beckon_moved_calls_read_async (BeckonStore *store, const char *conversation_id, gint64 logged,
                                                 GAsyncReadyCallback callback, gpointer user_data);
BeckonMovedCalls *beckon_moved_calls_read_finish (BeckonStore *store, GAsyncResult *result,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
