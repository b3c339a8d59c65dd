/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"
#include "store/index/beckon-search-text.h"

G_BEGIN_DECLS

/**
 * beckon_store_search_async:
 * @store: an open store
 * @words: what a person typed, whatever it is
 * @limit: how many hits at most
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Looks for all of @words in titles and in the text of messages. Chinese, Japanese and Korean are found from one
 * character on. The last word may be begun only, with two letters at least; what stands in quotation marks is found in
 * that order. The search runs beside the store's own thread, which it holds up for milliseconds at most. Titles come
 * first, then messages: the best of the newest.
 */
void beckon_store_search_async (BeckonStore *store, const char *words, guint limit, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_store_search_finish:
 * @store: the store
 * @result: what the callback got
 * @is_complete: (out) (optional): %FALSE while a part of the history is not indexed yet, as after an update
 * @error: return location
 *
 * Returns: (element-type BeckonSearchHit) (transfer full): the hits; empty if there are none
 */
GPtrArray *beckon_store_search_finish (BeckonStore *store, GAsyncResult *result, gboolean *is_complete, GError **error);

/** Whether what is not indexed can't be indexed now either, because nothing can be written: searching again finds nothing
 *  more. */
gboolean beckon_store_search_is_stuck (BeckonStore *store, GAsyncResult *result);

G_END_DECLS
