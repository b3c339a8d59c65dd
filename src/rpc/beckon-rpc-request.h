/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-rpc-message.h"

G_BEGIN_DECLS

/**
 * BeckonRpcRequest:
 *
 * A request of the peer's that is to be answered. Each way to end one takes it, so that it is answered exactly once; freed
 * without an answer, it is answered with an error. After the connection has ended an answer goes nowhere. Main thread.
 */
typedef struct _BeckonRpcRequest BeckonRpcRequest;

/** The message of the request; borrowed. */
const BeckonRpcMessage *beckon_rpc_request_get_message (BeckonRpcRequest *request);

/** @request: (transfer full). @result: a whole JSON value, checked before. */
void beckon_rpc_request_answer (BeckonRpcRequest *request, const char *result);

/** @request: (transfer full). @data: (nullable): a whole JSON value, checked before. */
void beckon_rpc_request_fail (BeckonRpcRequest *request, int code, const char *text, const char *data);

/** @request: (transfer full). Answers nothing, as MCP wants it for a request that the peer has cancelled. */
void beckon_rpc_request_forget (BeckonRpcRequest *request);

void beckon_rpc_request_free (BeckonRpcRequest *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRpcRequest, beckon_rpc_request_free)

G_END_DECLS
