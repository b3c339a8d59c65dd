/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * beckon_store_delete_all_async:
 * @store: an open store
 * @callback: called later
 * @user_data: for @callback
 *
 * Closes the store and deletes every file of it: conversations with their messages, questions, answers and drafts, the log of
 * decisions, rules, profiles, the copies of each day and of older versions, and files that were salvaged or replaced. Keys are
 * not in these files. Does nothing while another process has the store open. Afterwards the store is closed either way;
 * opening it again begins a new history.
 */
void beckon_store_delete_all_async (BeckonStore *store, GAsyncReadyCallback callback, gpointer user_data);

/** %BECKON_ERROR_UNAVAILABLE while another process uses it; %BECKON_ERROR_STORE if a file could not be deleted. */
gboolean beckon_store_delete_all_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_END_DECLS
