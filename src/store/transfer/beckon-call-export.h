/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/queries/beckon-call-log.h"

G_BEGIN_DECLS

/**
 * BeckonCallExportProgress:
 * @n_calls: how many calls were read so far
 * @user_data: as it was given
 *
 * Called in the main thread, now and then until the export is over.
 */
typedef void (*BeckonCallExportProgress) (guint n_calls, gpointer user_data);

/**
 * beckon_call_export_async:
 * @store: the store
 * @filter: which calls; copied, its `before_id` and `max` do not count
 * @file: where to; it is replaced in one step at the end, and stays as it is if that is not reached
 * @as_table: CSV, not JSON Lines
 * @progress: (nullable): see #BeckonCallExportProgress
 * @progress_data: for @progress
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Writes the calls of the audit log to a file that only the person can read, the earliest first. They are read in pages,
 * between which others reach the store, and written on another thread.
 */
void beckon_call_export_async (BeckonStore *store, const BeckonCallLogFilter *filter, GFile *file, gboolean as_table,
                               BeckonCallExportProgress progress, gpointer progress_data, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);

/** %FALSE with an error in words to be shown. @n_calls: (out): how many were written. */
gboolean beckon_call_export_finish (BeckonStore *store, GAsyncResult *result, guint *n_calls, GError **error);

G_END_DECLS
