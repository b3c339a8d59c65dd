/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * beckon_folder_list_async:
 * @conversation: the conversation of @request
 * @request: a request about changes
 * @change: an index into them, of one that stands for all in a folder
 * @callback: called later
 * @user_data: for @callback
 *
 * Lists the files of a folder that a command made or deleted. Main thread; files are looked at on another one.
 */
void beckon_folder_list_async (BeckonConversation *conversation, BeckonRequest *request, guint change,
                               GAsyncReadyCallback callback, gpointer user_data);

/** Returns: (transfer full): lines for a terminal; they say so where the files cannot be listed. */
char *beckon_folder_list_finish (BeckonConversation *conversation, GAsyncResult *result) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
