/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define BECKON_RPC_ERROR (beckon_rpc_error_quark ())
GQuark beckon_rpc_error_quark (void);

/**
 * BeckonRpcError:
 * @BECKON_RPC_ERROR_PARSE: not JSON
 * @BECKON_RPC_ERROR_INVALID_REQUEST: JSON, but no message
 * @BECKON_RPC_ERROR_METHOD_NOT_FOUND: a method that the receiver does not have
 * @BECKON_RPC_ERROR_INVALID_PARAMS: parameters that the method does not take
 * @BECKON_RPC_ERROR_INTERNAL: the receiver failed
 * @BECKON_RPC_ERROR_REMOTE: the peer answered with any other code, which its message holds
 * @BECKON_RPC_ERROR_CLOSED: the connection has ended
 * @BECKON_RPC_ERROR_TIMEOUT: no response in time
 * @BECKON_RPC_ERROR_TOO_LARGE: a message exceeded a limit
 * @BECKON_RPC_ERROR_STUCK: the peer does not read, and too much waits to be sent
 * @BECKON_RPC_ERROR_PROTOCOL: the peer does not keep to JSON-RPC
 *
 * Negative codes are those of JSON-RPC 2.0, from either side; positive ones never travel. Errors of a connection are
 * translated and fit to show; those of one message are English, for logs and peers.
 */
typedef enum
{
  BECKON_RPC_ERROR_PARSE = -32700,
  BECKON_RPC_ERROR_INVALID_REQUEST = -32600,
  BECKON_RPC_ERROR_METHOD_NOT_FOUND = -32601,
  BECKON_RPC_ERROR_INVALID_PARAMS = -32602,
  BECKON_RPC_ERROR_INTERNAL = -32603,
  BECKON_RPC_ERROR_REMOTE = 1,
  BECKON_RPC_ERROR_CLOSED,
  BECKON_RPC_ERROR_TIMEOUT,
  BECKON_RPC_ERROR_TOO_LARGE,
  BECKON_RPC_ERROR_STUCK,
  BECKON_RPC_ERROR_PROTOCOL,
} BeckonRpcError;

G_END_DECLS
