/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"
#include "store/repair/beckon-history-copies.h"

G_BEGIN_DECLS

/** Lists the copies of the history, the last one made first: (element-type BeckonHistoryCopy) (transfer full). The store need
 *  not be open. */
void       beckon_store_list_copies_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                           gpointer user_data);
GPtrArray *beckon_store_list_copies_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Notes that the copy in the file @name is the history from the next start on. The store need not be open. */
void     beckon_store_request_copy_async (BeckonStore *store, const char *name, GAsyncReadyCallback callback,
                                          gpointer user_data);
gboolean beckon_store_request_copy_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Why this process could not make today's copy, in words; %NULL if it could, or did not have to. Caller frees. */
char *beckon_store_dup_copy_problem (void);

G_END_DECLS
