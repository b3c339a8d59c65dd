/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-rpc-connection.h"

G_BEGIN_DECLS

/**
 * BeckonRpcRequest:
 * @connection: (unowned) (nullable): clears this when it ends
 */
struct _BeckonRpcRequest
{
  BeckonRpcMessage *message;
  BeckonRpcConnection *connection;
};

/** The request is over. @answer: (transfer full) (nullable): what the peer gets. */
void beckon_rpc_connection_settle (BeckonRpcConnection *connection, BeckonRpcRequest *request, BeckonRpcMessage *answer);

G_END_DECLS
