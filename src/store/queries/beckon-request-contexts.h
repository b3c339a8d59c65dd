/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request-store.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * beckon_store_load_contexts_async:
 * @store: an open store
 * @request_id: (nullable): which request, pending or not; %NULL is every pending one, without what the model had written
 * @cancellable: (nullable): honoured before its turn came
 * @callback: called later
 * @user_data: for @callback
 *
 * Reads what led to requests. Names of profiles are not filled in: they are known elsewhere.
 */
void beckon_store_load_contexts_async (BeckonStore *store, const char *request_id, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);

/** By id: (element-type utf8 BeckonRequestContext) (transfer full). */
GHashTable *beckon_store_load_contexts_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_END_DECLS
