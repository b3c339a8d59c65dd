/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent-parts.h"

G_BEGIN_DECLS

/**
 * BeckonSummaryTask:
 * @profile: who writes
 * @conversation: all of it loaded
 * @messages: (element-type BeckonMessage): what a model is told of it, see beckon_context_list()
 * @n: how many of them the summary is to stand for; not 0
 * @budget: how many tokens a request may have
 * @room: and its messages
 *
 * What is to be summarized; all of it borrowed.
 */
typedef struct
{
  BeckonProfile *profile;
  BeckonConversation *conversation;
  GPtrArray *messages;
  guint n;
  gint64 budget;
  gint64 room;
} BeckonSummaryTask;

/** Whether a model whose requests may have @budget tokens can be told enough of a conversation to summarize it. Pure. */
gboolean beckon_summary_has_room (gint64 budget);

/**
 * beckon_summary_write_async:
 * @parts: provider and clock; borrowed until @callback was called
 * @task: copied
 * @cancellable: (nullable): at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Has a model write a summary, in one request. Stores nothing. Fails with %BECKON_LLM_ERROR. Main thread.
 *
 * Returns: how many tokens the request has, as estimated
 */
gint64 beckon_summary_write_async (const BeckonAgentParts *parts, const BeckonSummaryTask *task, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_summary_write_finish:
 * @result: the result
 * @retry_after_ms: (out) (optional): with an error, see beckon_provider_stream_finish()
 * @error: return location
 *
 * Returns: (transfer full): the note for the conversation, with what it cost and without a place
 */
BeckonMessage *beckon_summary_write_finish (GAsyncResult *result, gint64 *retry_after_ms, GError **error);

G_END_DECLS
