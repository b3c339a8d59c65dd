/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "llm/beckon-llm-request.h"

G_BEGIN_DECLS

/**
 * beckon_prompt_add_history:
 * @request: what is to be sent
 * @conversation: the history
 * @origin: the name of the protocol it is sent in
 *
 * Adds the messages that a model should see, repaired: see beckon_history_repair(). A reply at the end that was cut off or
 * failed before it called anything is left out, because it is about to be made anew.
 */
void beckon_prompt_add_history (BeckonLlmRequest *request, BeckonConversation *conversation, const char *origin);

/**
 * beckon_prompt_title:
 * @text: the first message
 *
 * Returns: (transfer full): its first line, cut at 60 characters, for a conversation without a title
 */
char *beckon_prompt_title (const char *text);

G_END_DECLS
