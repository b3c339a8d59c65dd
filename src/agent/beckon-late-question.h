/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"
#include "request/beckon-question-request.h"

G_BEGIN_DECLS

/**
 * beckon_late_question_end_call:
 * @calls: the calls of the reply that asks
 * @call: a proposed call
 * @request: its question; it is waited for from here on where too many others are open already
 *
 * Gives the call of a question that the model does not wait for its result, which says that the answer will come.
 *
 * Returns: %FALSE where the call waits for its answer
 */
gboolean beckon_late_question_end_call (BeckonCallBatch *calls, BeckonToolCall *call, BeckonRequest *request);

G_END_DECLS
