/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/beckon-store.h"

G_BEGIN_DECLS

/** Where something that was looked for stands in a snippet, in bytes. */
typedef struct
{
  guint start;
  guint length;
} BeckonSearchMatch;

/**
 * BeckonSearchHit:
 * @conversation_id: where it was found
 * @title: of the conversation
 * @message_id: (nullable): which of its messages; %NULL when it was found in the title
 * @at: when the message came, or the conversation was last written to; microseconds since the epoch
 * @snippet: the text around what was found, on one line, fit to be shown
 * @matches: (element-type BeckonSearchMatch): in @snippet
 *
 * One place where something was found. Any thread.
 */
typedef struct
{
  char *conversation_id;
  char *title;
  char *message_id;
  gint64 at;
  char *snippet;
  GArray *matches;
} BeckonSearchHit;

/** Empty. Caller owns. */
BeckonSearchHit *beckon_search_hit_new (void) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_search_hit_free (BeckonSearchHit *hit);

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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSearchHit, beckon_search_hit_free)

G_END_DECLS
