/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-question.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

#define BECKON_TYPE_QUESTION_REQUEST (beckon_question_request_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQuestionRequest, beckon_question_request, BECKON, QUESTION_REQUEST, BeckonRequest)

/**
 * BeckonQuestionRequest:
 *
 * Questions to a person, with choices or without. Their answer is the result of the call that asks.
 */

/** @id: (nullable): %NULL makes one. @call_id: (nullable): our id of the call that waits for it. */
BeckonRequest *beckon_question_request_new (const char *id, const char *conversation_id, const char *message_id,
                                            const char *call_id, BeckonQuestion *question,
                                            gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/** %NULL unless it is a question. Borrowed. */
BeckonQuestion *beckon_request_get_question (BeckonRequest *request);

/** Whether it is a question that the model does not wait for; see #BeckonQuestion. */
gboolean beckon_request_is_late (BeckonRequest *request);

/**
 * beckon_question_request_lets_server:
 *
 * Whether it asks if a server of tools may do something: use a tool that it changed, ask the model. The answer weighs as much
 * as an approval, and is taken only where approvals are.
 */
gboolean beckon_question_request_lets_server (BeckonRequest *request);

/** Whether @answer, to a request that asks so, allows it: its last choice does, and nothing else. */
gboolean beckon_question_request_allows (BeckonRequest *request, const BeckonAnswer *answer);

/** (nullable): "Beckon asks about GitHub", translated, fit to show, for a request that asks so; %NULL for all others. Caller
 *  frees. */
char *beckon_question_request_dup_title (BeckonRequest *request);

/** A copy of what @request asks, which is waited for, and without what was answered the last time; %NULL unless it is a
 *  question. Caller owns. */
BeckonQuestion *beckon_question_request_copy_question (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** The model waits for it all the same; before it is stored or shown. */
void beckon_question_request_make_wait (BeckonRequest *request);

G_END_DECLS
