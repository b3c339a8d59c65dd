/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent-parts.h"
#include "domain/beckon-folder-extras.h"

G_BEGIN_DECLS

/**
 * beckon_own_command_async:
 * @parts: store and settings
 * @conversation: the conversation
 * @text: a message
 * @callback: for beckon_own_command_finish()
 * @user_data: for @callback
 *
 * Makes a message of a command in a file: the person's own, or one that the folder brings and they use.
 */
void beckon_own_command_async (const BeckonAgentParts *parts, BeckonConversation *conversation, const char *text,
                               GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): the message; @text as it was where it names no command. */
char *beckon_own_command_finish (GAsyncResult *result) G_GNUC_WARN_UNUSED_RESULT;

/** Lists these commands. @cancellable: (nullable): ends the wait */
void beckon_own_command_list_async (const BeckonAgentParts *parts, BeckonConversation *conversation, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): their names and descriptions, without their texts; %NULL when it was cancelled. */
BeckonFolderExtras *beckon_own_command_list_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @text may be one. */
gboolean beckon_own_command_is_possible (const char *text);

G_END_DECLS
