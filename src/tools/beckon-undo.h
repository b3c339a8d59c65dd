/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-file-copies.h"
#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/**
 * beckon_undo_async:
 * @copies: where what files were is kept
 * @conversation_id: the conversation of @call
 * @call: a call that changed a file which can be put back; its `change` says so
 * @front_end: who does it: "window", "terminal"
 * @cancellable: (nullable): before the file is put back
 * @callback: called later
 * @user_data: for @callback
 *
 * Puts the file back that a call changed: as it was before, or away if it was not there. Refused when the file is not what
 * the call made of it any more. What was done is in the provenance, and the model is told with the next round. Main thread;
 * the file is touched on another one.
 */
void beckon_undo_async (BeckonFileCopies *copies, const char *conversation_id, BeckonToolCall *call, const char *front_end,
                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** %FALSE with an error in words to be shown; %BECKON_ERROR_CONFLICT if the file was changed since. */
gboolean beckon_undo_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error);

G_END_DECLS
