/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/**
 * beckon_conversation_text_to_markdown:
 * @conversation: a loaded conversation
 *
 * The whole conversation for people to read: who said what, what was asked and answered, which tools ran and what came of it.
 * Control characters are made visible.
 *
 * Returns: (transfer full): Markdown that ends with a line break
 */
char *beckon_conversation_text_to_markdown (BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_conversation_text_of_messages:
 * @messages: (element-type BeckonMessage): some of them
 *
 * Returns: (transfer full): the same of these messages alone
 */
char *beckon_conversation_text_of_messages (GPtrArray *messages) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
