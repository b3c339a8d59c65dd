/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * BeckonListing:
 *
 * What the store's headers were when they were last read: a print of each row, by which the next reading tells what changed,
 * was added or is gone, without making an object of any other. It is filled and read on the store's thread alone.
 */
typedef struct _BeckonListing BeckonListing;

/**
 * BeckonListingNews:
 * @headers: (element-type BeckonConversation): those that changed or came
 * @gone: (element-type utf8): ids of those that are no longer there, and of what was doubted and is not there
 * @is_whole: nothing was known before: what is not in @headers is not in the store
 */
typedef struct
{
  GPtrArray *headers;
  GPtrArray *gone;
  gboolean is_whole;
} BeckonListingNews;

/** Knows nothing yet. A further reference may be held by a reading that is under way. */
BeckonListing *beckon_listing_new (void) G_GNUC_WARN_UNUSED_RESULT;
void           beckon_listing_unref (BeckonListing *listing);

void beckon_listing_news_free (BeckonListingNews *news);

/**
 * beckon_listing_read_async:
 * @doubted: (element-type utf8) (transfer full): a set of ids that are told about even if they did not change
 *
 * What is told is told once: who cannot use it doubts it the next time, and who does not get it begins anew with a listing
 * that knows nothing.
 */
void               beckon_listing_read_async (BeckonListing *listing, BeckonStore *store, GHashTable *doubted,
                                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_listing_read_first_async:
 *
 * Tells only of those that a person sees first, and never that one is gone; beckon_listing_read_finish() ends it too. The next
 * reading tells of all others.
 */
void beckon_listing_read_first_async (BeckonListing *listing, BeckonStore *store, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data);

BeckonListingNews *beckon_listing_read_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonListing, beckon_listing_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonListingNews, beckon_listing_news_free)

G_END_DECLS
