/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * beckon_store_copy_async:
 * @store: an open store
 * @conversation_id: what to copy
 * @last_message_id: (nullable): copy the history up to this message, as a branch that notes where it came from; %NULL copies
 *   all of it, with the draft
 * @title: of the copy
 * @now: microseconds since the epoch
 * @cancellable: (nullable): before it is begun
 * @callback: called later
 * @user_data: for @callback
 *
 * Makes a conversation of its own of what is stored of another, in one transaction. Everything gets a new id. The copy is a
 * history and never acts: a run, a call or a question that is open in the original is closed in the copy. It is not pinned, not
 * archived, and temporary if the original is.
 */
void beckon_store_copy_async (BeckonStore *store, const char *conversation_id, const char *last_message_id,
                              const char *title, gint64 now, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data);

/** The header of the copy; %BECKON_ERROR_NOT_FOUND if there is nothing to copy. Caller owns. */
BeckonConversation *beckon_store_copy_finish (BeckonStore *store, GAsyncResult *result, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
