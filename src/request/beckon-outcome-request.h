/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-call-request.h"

G_BEGIN_DECLS

#define BECKON_TYPE_OUTCOME_REQUEST (beckon_outcome_request_get_type ())
G_DECLARE_FINAL_TYPE (BeckonOutcomeRequest, beckon_outcome_request, BECKON, OUTCOME_REQUEST, BeckonCallRequest)

/**
 * BeckonOutcomeRequest:
 *
 * What became of a call that was running when its program ended: whether it took effect nobody knows. The person looks and says
 * what became of it, has the very same run again, or skips it. It is stored and published as a form of its own kind.
 */

/**
 * beckon_outcome_request_new:
 * @id: (nullable): %NULL makes one
 * @conversation_id: whose run it is
 * @message_id: (nullable): the message that holds the call
 * @call_id: (nullable): our id of the call
 * @tool: what was running when its program ended
 * @arguments: the JSON text that ran
 * @started_at: when it began, in microseconds since the epoch; 0 if that is not known
 * @asked_at: the same of the request
 *
 * Returns: (transfer full): a pending request
 */
BeckonRequest *beckon_outcome_request_new (const char *id, const char *conversation_id, const char *message_id,
                                           const char *call_id, const char *tool, const char *arguments,
                                           gint64 started_at, gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/** When its call began, in microseconds since the epoch; 0 if that is not known, and for other requests. */
gint64 beckon_request_get_started_at (BeckonRequest *request);

/** Whether the tool can look by itself what became of the call; set before the request is stored. */
gboolean beckon_request_get_can_verify (BeckonRequest *request);
void     beckon_request_set_can_verify (BeckonRequest *request, gboolean can_verify);

/** That it was running, since when, and that nobody knows what became of it; translated. Caller frees. */
char *beckon_request_dup_outcome_words (BeckonRequest *request);

G_END_DECLS
