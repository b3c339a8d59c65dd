/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-llm-request.h"

G_BEGIN_DECLS

/**
 * beckon_prompt_add_history:
 * @request: what is to be sent
 * @messages: (element-type BeckonMessage): what the model is to be told, see beckon_context_list()
 * @origin: the name of the protocol it is sent in
 *
 * Adds the messages, repaired: see beckon_history_repair(). A model that is known not to see pictures is told their names.
 */
void beckon_prompt_add_history (BeckonLlmRequest *request, GPtrArray *messages, const char *origin);

/** Whether the person attached pictures to @message. */
gboolean beckon_prompt_has_pictures (BeckonMessage *message);

/** (transfer full): @message with words in the place of each of them. */
BeckonMessage *beckon_prompt_copy_without_pictures (BeckonMessage *message) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_prompt_title:
 * @text: the first message
 *
 * Returns: (transfer full): its first line, cut at 60 characters, for a conversation without a title
 */
char *beckon_prompt_title (const char *text);

G_END_DECLS
