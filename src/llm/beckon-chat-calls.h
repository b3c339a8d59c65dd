/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-llm-calls.h"

G_BEGIN_DECLS

/**
 * beckon_chat_calls_feed:
 * @calls: the calls
 * @deltas: raw JSON of a `tool_calls` member, checked
 *
 * Returns: %FALSE when there are more than %BECKON_LLM_MAX_CALLS or %BECKON_LLM_MAX_ARGUMENTS
 */
gboolean beckon_chat_calls_feed (BeckonLlmCalls *calls, const BeckonJsonSlice *deltas);

/** As beckon_chat_calls_feed(), for the older `function_call` member: one call without an id. */
gboolean beckon_chat_calls_feed_function (BeckonLlmCalls *calls, const BeckonJsonSlice *delta);

G_END_DECLS
