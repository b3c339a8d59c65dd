/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * BECKON_LANDINGS_MAX_BYTES:
 *
 * How much is kept so that commands can be undone; beyond it the oldest go, but never the last one.
 */
#define BECKON_LANDINGS_MAX_BYTES (G_GINT64_CONSTANT (1024) * 1024 * 1024)

/** How long it is kept, in microseconds. */
#define BECKON_LANDINGS_MAX_AGE (30 * G_TIME_SPAN_DAY)

/**
 * beckon_store_expire_landings_async:
 * @store: the store
 * @call_ids: (array zero-terminated=1): the calls that have a place on the disk
 * @is_alone: no other process has places for conversations that are in memory only
 * @now: microseconds since the epoch
 * @cancellable: (nullable): honoured until it begins
 * @callback: called later
 * @user_data: for @callback
 *
 * Marks what is too old, or too much, as no longer there to be undone, drops what waited for a call that is over, and finds out
 * which places are no longer needed: of those, of calls that ended without a change, and of calls that are gone.
 */
void beckon_store_expire_landings_async (BeckonStore *store, const char *const *call_ids, gboolean is_alone, gint64 now,
                                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (array zero-terminated=1): the calls whose places can be removed. */
char **beckon_store_expire_landings_finish (BeckonStore *store, GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The bytes that are kept so that commands can be undone. */
void   beckon_store_measure_landings_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                            gpointer user_data);
gint64 beckon_store_measure_landings_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_END_DECLS
