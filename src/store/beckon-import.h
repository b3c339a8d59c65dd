/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/beckon-store.h"

G_BEGIN_DECLS

/** Bytes of the largest file that is read. */
#define BECKON_IMPORT_MAX_BYTES (128 * 1024 * 1024)

/**
 * beckon_store_import_async:
 * @store: an open store
 * @text: the file
 * @cancellable: (nullable): what was imported before stays
 * @callback: called later
 * @user_data: for @callback
 *
 * Reads a document of beckon_store_export_async(), or the conversations of ChatGPT's or Claude's export (`conversations.json`)
 * as far as text, roles and times go. All of the file is checked before anything is written; each conversation is one
 * transaction. A conversation keeps its ids unless one of them is taken; then it gets new ones.
 *
 * What is imported is a history and never acts: a run, a call or a question that was open when the file was made is closed,
 * and nothing a file claims to have been allowed is allowed by it.
 */
void       beckon_store_import_async (BeckonStore *store, GBytes *text, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data);

/** Ids of the new conversations: (element-type utf8) (transfer full). %BECKON_ERROR_INVALID and the like say what is wrong. */
GPtrArray *beckon_store_import_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_END_DECLS
