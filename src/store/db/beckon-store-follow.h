/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/* The part of the store that its lists stand on: they hold objects and follow the store, and know no SQL. */

/** How long a deletion can be taken back. */
#define BECKON_UNDO_US G_TIME_SPAN_MINUTE

/** Changes with everything this process gives the store to write: a reader that compares afterwards knows whether what was read
 *  may be older than the objects here. */
guint beckon_store_get_serial (BeckonStore *store);

/** Ids of what is kept in memory only: conversations, messages, calls, requests. Borrowed. */
GHashTable *beckon_store_get_temporary (BeckonStore *store);

/** As beckon_store_load_messages_async(), from a place in the conversation on; the same finish function. */
void beckon_store_load_messages_from_async (BeckonStore *store, const char *conversation_id, gint64 first_seq,
                                            GCancellable *cancellable, GAsyncReadyCallback callback,
                                            gpointer user_data);

/**
 * beckon_store_load_messages_before_async:
 * @store: the store
 * @conversation_id: a conversation
 * @end_seq: the place before which they stand; %G_MAXINT64 for the end
 * @n_last: how many of them, the last ones; 0 for all
 * @message_id: (nullable): with @n_last: from @n_last messages before this one on instead
 * @cancellable: (nullable): before it is begun
 * @callback: called later
 * @user_data: for @callback
 *
 * As beckon_store_load_messages_async(), of a part of the conversation; the same finish function.
 */
void beckon_store_load_messages_before_async (BeckonStore *store, const char *conversation_id, gint64 end_seq, guint n_last,
                                              const char *message_id, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);

/** %TRUE if this process drove an open run of the conversation when its header was listed. */
gboolean beckon_store_header_is_ours (BeckonConversation *header);

/** How many requests are pending, by conversation: (element-type utf8 guint) (transfer full). */
void        beckon_store_count_pending_async (BeckonStore *store, GAsyncReadyCallback callback, gpointer user_data);
GHashTable *beckon_store_count_pending_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_END_DECLS
