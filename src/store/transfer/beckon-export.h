/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"
#include <glib.h>

G_BEGIN_DECLS

/** The format's name in a document, and its version. */
#define BECKON_EXPORT_FORMAT "beckon-conversation"
#define BECKON_EXPORT_VERSION 2

/**
 * beckon_store_export_async:
 * @store: an open store
 * @conversation_id: which conversation
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Everything a conversation is, as one JSON document; beckon_store_import_async() reads it. Times are microseconds since the
 * epoch. What holds JSON itself (arguments, bodies, answers, drafts) is a string with that JSON, byte for byte. Text that is
 * not UTF-8, or has a NUL, is `base64` instead of `text`.
 *
 *     {"format": "beckon-conversation", "version": 2,
 *      "conversation": {id, created_at, updated_at, title, profile, draft, pinned, archived, unread, named_by, origin,
 *        origin_message, folder, mode, effort, and if there are any "draft_files": [{origin, media_type, text | base64}],
 *        "queue": [{id, text, "files": [as before]}],
 *        "messages": [{id, role, status, created_at, input, output, cached, parent, chosen,
 *          "parts": [{kind, origin, media_type, duration, text | base64,
 *            "call": {id, provider_id, tool, arguments, fault, read_only, state, started_at, finished_at,
 *              "result": {is_error, text | base64} | null, "requests": [REQUEST]}}]}],
 *        "requests": [REQUEST],
 *        "runs": [{id, profile, phase, detail, round, round_limit, retry_at}]}}
 *
 * where a part of the kind "image" with the media type "application/pdf; pages=N" is the file that the text before it was read
 * from, and REQUEST is {id, kind, body, state, draft, asked_at, asked_by,
 * "settlement": {state, answer, arguments, front_end, actor, at} | null}, and those of the conversation itself belong to no
 * call. The `parent` of a message stands before it, and is null for the first of a branch that begins the conversation; of
 * those with the same one the `chosen` one is shown. Version 1 had neither: there each message follows the one before it. A
 * `mode` in which less is asked than is usual is not taken over by an import.
 */
void  beckon_store_export_async (BeckonStore *store, const char *conversation_id, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);

/** The document; %BECKON_ERROR_NOT_FOUND if there is no such conversation. Caller frees. */
char *beckon_store_export_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_END_DECLS
