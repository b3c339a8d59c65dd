/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

#include "request/beckon-vault.h"

G_BEGIN_DECLS

/**
 * beckon_store_forget_secrets:
 * @store: an open store
 * @vault: where the values are
 * @conversation_id: (nullable): what is about to be erased; %NULL for everything that is in a file
 *
 * Takes the values behind the masked answers of a conversation out of the vault, soon. What another conversation that stays
 * has too, because it is a copy, is kept. Main thread; to be called before the erasing is asked for.
 */
void beckon_store_forget_secrets (BeckonStore *store, BeckonVault *vault, const char *conversation_id);

/** The same for what was deleted and is hidden since before @before, microseconds since the epoch; before it is doomed. */
void beckon_store_forget_hidden_secrets (BeckonStore *store, BeckonVault *vault, gint64 before);

/** The same for everything that is in no file and goes with the program. */
void beckon_store_forget_temporary_secrets (BeckonStore *store, BeckonVault *vault);

/**
 * beckon_store_list_secrets_async:
 * @store: an open store
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Reads the handles of all masked answers, of whatever conversation and process, temporary ones included. Cheap: an index
 * has them. Main thread.
 */
void beckon_store_list_secrets_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data);

/** The same of the answers to the model's questions in one conversation alone, whatever the model was told of them. */
void beckon_store_list_answered_secrets_async (BeckonStore *store, const char *conversation_id, GCancellable *cancellable,
                                               GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type utf8): of either */
GPtrArray *beckon_store_list_secrets_finish (BeckonStore *store, GAsyncResult *result,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
