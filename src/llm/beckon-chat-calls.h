/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-reader.h"
#include "beckon-llm-event.h"

G_BEGIN_DECLS

/** More calls, or more bytes of arguments, than this in one reply are no reply any more. */
#define BECKON_CHAT_MAX_CALLS 1000
#define BECKON_CHAT_MAX_ARGUMENTS (8 * 1024 * 1024)

typedef struct _BeckonChatCalls BeckonChatCalls;

/** The calls of one reply, put together from their pieces. Events go to @function. */
BeckonChatCalls *beckon_chat_calls_new (BeckonLlmEventFunc function, gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_chat_calls_feed:
 * @calls: the calls
 * @deltas: raw JSON of a `tool_calls` member, checked
 *
 * Returns: %FALSE when there are more than %BECKON_CHAT_MAX_CALLS or %BECKON_CHAT_MAX_ARGUMENTS
 */
gboolean beckon_chat_calls_feed (BeckonChatCalls *calls, const BeckonJsonSlice *deltas);

/** As beckon_chat_calls_feed(), for the older `function_call` member: one call without an id. */
gboolean beckon_chat_calls_feed_function (BeckonChatCalls *calls, const BeckonJsonSlice *delta);

guint beckon_chat_calls_get_count (BeckonChatCalls *calls);

/** %TRUE if every call has a name and arguments that are an object; with @empty_is_none, no arguments are one too. */
gboolean beckon_chat_calls_are_whole (BeckonChatCalls *calls, gboolean empty_is_none);

/**
 * beckon_chat_calls_give:
 * @calls: the calls
 * @empty_is_none: no arguments mean `{}`
 * @broken_off: (nullable): why none of them is to run, for the model
 *
 * Gives an event for every call, in their order.
 */
void beckon_chat_calls_give (BeckonChatCalls *calls, gboolean empty_is_none, const char *broken_off);

void beckon_chat_calls_free (BeckonChatCalls *calls);

G_END_DECLS
