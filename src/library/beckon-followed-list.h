/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

#define BECKON_TYPE_FOLLOWED_LIST (beckon_followed_list_get_type ())
G_DECLARE_DERIVABLE_TYPE (BeckonFollowedList, beckon_followed_list, BECKON, FOLLOWED_LIST, GObject)

/**
 * BeckonFollowedListClass:
 * @list_async: reads all there are
 * @list_finish: (transfer full): them
 * @complete: (nullable): (transfer full) what was read, with what no file knows; by default what was read
 *
 * A short list of what a person settled, held whole and kept up to date when another process writes. Signal `changed`, without
 * arguments: there is another snapshot. Main thread.
 */
struct _BeckonFollowedListClass
{
  GObjectClass parent_class;

  void (*list_async) (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  GPtrArray *(*list_finish) (BeckonStore *store, GAsyncResult *result, GError **error);
  GPtrArray *(*complete) (BeckonFollowedList *self, GPtrArray *listed);
};

/** For a new one. */
void beckon_followed_list_set_store (BeckonFollowedList *self, BeckonStore *store);

/** Borrowed. */
BeckonStore *beckon_followed_list_get_store (BeckonFollowedList *self);

void     beckon_followed_list_load_async (BeckonFollowedList *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
gboolean beckon_followed_list_load_finish (BeckonFollowedList *self, GAsyncResult *result, GError **error);

/** Reads it again: what was written beside it, as the uses of a rule are, is not told of. */
void beckon_followed_list_reload (BeckonFollowedList *self);

/** All there are now; never changed, only replaced. %NULL while nothing was read. Borrowed. */
GPtrArray *beckon_followed_list_get_snapshot (BeckonFollowedList *self);

/** Lets another snapshot hold at once, before the store is read again. Takes @snapshot. */
void beckon_followed_list_replace (BeckonFollowedList *self, GPtrArray *snapshot);

/** Writes @batch, which it takes, and reads the list again: what could not be written does not go on as if it were. */
void     beckon_followed_list_commit_async (BeckonFollowedList *self, BeckonBatch *batch, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_followed_list_commit_finish (BeckonFollowedList *self, GAsyncResult *result, GError **error);

G_END_DECLS
