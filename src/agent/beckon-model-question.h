/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-run-scope.h"
#include "tools/beckon-tool.h"

G_BEGIN_DECLS

/**
 * beckon_model_question_async: (skip)
 * @scope: whose conversation, and with it which model
 * @message: (nullable): the message of the conversation that it is asked for; what is used counts with it
 * @system: (nullable): the system prompt
 * @messages: (element-type BeckonMessage): what is asked
 * @max_tokens: the most that the reply may have, reasoning included
 * @cancellable: (nullable): ends it
 * @callback: see #BeckonToolAskModel
 * @user_data: for @callback
 *
 * Asks the conversation's model something beside the conversation: nothing of it is sent, and nothing of this becomes a part
 * of it but what it used.
 */
void beckon_model_question_async (const BeckonRunScope *scope, BeckonMessage *message, const char *system, GPtrArray *messages,
                                  guint max_tokens, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data);

G_END_DECLS
