/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-rpc-private.h"

static void
rpc_request_settle (BeckonRpcRequest *request, BeckonRpcMessage *answer)
{
  if (request->connection != NULL)
    beckon_rpc_connection_settle (request->connection, request, answer);
  else
    beckon_rpc_message_free (answer);
  beckon_rpc_message_free (request->message);
  g_free (request);
}

const BeckonRpcMessage *
beckon_rpc_request_get_message (BeckonRpcRequest *request)
{
  g_return_val_if_fail (request != NULL, NULL);

  return request->message;
}

void
beckon_rpc_request_answer (BeckonRpcRequest *request, const char *result)
{
  g_return_if_fail (request != NULL);
  g_return_if_fail (result != NULL);

  rpc_request_settle (request, beckon_rpc_message_new_result (request->message->id, result));
}

void
beckon_rpc_request_fail (BeckonRpcRequest *request, int code, const char *text, const char *data)
{
  g_return_if_fail (request != NULL);

  rpc_request_settle (request, beckon_rpc_message_new_error (request->message->id, code, text, data));
}

void
beckon_rpc_request_forget (BeckonRpcRequest *request)
{
  g_return_if_fail (request != NULL);

  rpc_request_settle (request, NULL);
}

void
beckon_rpc_request_free (BeckonRpcRequest *request)
{
  if (request != NULL)
    beckon_rpc_request_fail (request, BECKON_RPC_ERROR_INTERNAL, "The request was not answered", NULL);
}
