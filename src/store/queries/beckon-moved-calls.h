/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

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
