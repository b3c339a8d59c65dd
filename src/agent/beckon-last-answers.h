/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent-parts.h"
#include "request/beckon-question-request.h"

G_BEGIN_DECLS

/**
 * beckon_last_answers_load_async:
 * @parts: the store and the tools are taken from it
 * @conversation: of the run
 * @calls: (element-type BeckonToolCall): those of a reply, before they are decided
 * @callback: called later
 * @user_data: for @callback
 *
 * Looks up what the person answered last to the questions that these calls ask, in the conversation's folder. What could not be
 * read is not there, so that there is nothing to finish.
 *
 * Returns: %FALSE where there is nothing to look up; then @callback isn't called
 */
gboolean beckon_last_answers_load_async (const BeckonAgentParts *parts, BeckonConversation *conversation,
                                         GPtrArray *calls, GAsyncReadyCallback callback, gpointer user_data);

/** Puts what was found for @call into the request that it makes. */
void beckon_last_answers_apply (BeckonToolCall *call, BeckonRequest *request);

G_END_DECLS
