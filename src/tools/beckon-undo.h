/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-file-copies.h"
#include "domain/beckon-landing.h"
#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/**
 * beckon_undo_async:
 * @copies: where what files were is kept, and the landings of commands: it has to implement #BeckonLandings too
 * @conversation_id: the conversation of @call
 * @call: a call that changed files which can be put back; its `change` says so
 * @front_end: who does it: "window", "terminal"
 * @cancellable: (nullable): before anything is put back
 * @callback: called later
 * @user_data: for @callback
 *
 * Puts back what a call changed: the file of a file tool, or all that a command landed, while it ran and at its end. Each file
 * becomes what it was before the call, or goes if it was not there. A file that is no longer what the call made of it is left
 * as it is. What was done is in the provenance, and the model is told with the next round. Main thread; files are touched on
 * another one.
 */
void beckon_undo_async (BeckonFileCopies *copies, const char *conversation_id, BeckonToolCall *call, const char *front_end,
                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_undo_finish:
 * @copies: the same
 * @result: the result
 * @error: return location
 *
 * Returns: %TRUE if anything was put back: beckon_undo_list_refused() has what was not. %FALSE with an error in words to be
 *   shown; %BECKON_ERROR_CONFLICT if all of it was changed since
 */
gboolean beckon_undo_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error);

/** Makes the changes again that were undone, by the same rules. */
void     beckon_redo_async (BeckonFileCopies *copies, const char *conversation_id, BeckonToolCall *call, const char *front_end,
                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_redo_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error);

/**
 * beckon_undo_resume_async:
 * @copies: as for beckon_undo_async()
 * @conversation_id: the conversation of @call
 * @call: a call whose changes a process was undoing, or making again, when it ended
 * @front_end: who had asked for it
 * @is_redo: they were being made again
 * @now: (nullable): the file of a file tool as it stood in the folder before
 * @callback: called later
 * @user_data: for @callback
 *
 * Finishes that. Nothing is done twice.
 */
void     beckon_undo_resume_async (BeckonFileCopies *copies, const char *conversation_id, BeckonToolCall *call,
                                   const char *front_end, gboolean is_redo, GBytes *now, GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean beckon_undo_resume_finish (BeckonFileCopies *copies, GAsyncResult *result, GError **error);

/**
 * beckon_undo_list_refused:
 * @call: a call of a command whose changes were undone, or made again
 *
 * Returns: (transfer container) (element-type BeckonFileChange): the changes that the last attempt left as they were, each with
 *   the reason in its remark; borrowed from the landings of @call
 */
GPtrArray *beckon_undo_list_refused (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
