/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The most bytes of a message that is read. */
#define BECKON_RPC_MESSAGE_MAX (16 * 1024 * 1024)

/** The most values that a message has, and members of objects, each of which takes far more memory than its few bytes. */
#define BECKON_RPC_MESSAGE_MOST_VALUES 1000000

/** The most bytes of an id and of a method, which are kept for as long as a call takes. */
#define BECKON_RPC_NAME_MAX 1024

typedef enum
{
  BECKON_RPC_MESSAGE_REQUEST,
  BECKON_RPC_MESSAGE_NOTIFICATION,
  BECKON_RPC_MESSAGE_RESULT,
  BECKON_RPC_MESSAGE_ERROR,
} BeckonRpcMessageKind;

/**
 * BeckonRpcMessage:
 * @id: (nullable): the id as JSON text, exactly as it was written, so that 1 and "1" are two ids; %NULL for a notification,
 *   and for an error that belongs to no request
 * @method: (nullable): of a request or notification
 * @json: (nullable): the exact text of `params`, of `result` or of an error's `data`; %NULL where there is none. Params are
 *   an object or array
 * @code: of an error
 * @text: (nullable): what an error says; untrusted
 *
 * One message of JSON-RPC 2.0. Never changed once made; any thread.
 */
typedef struct
{
  BeckonRpcMessageKind kind;
  char *id;
  char *method;
  char *json;
  int code;
  char *text;
} BeckonRpcMessage;

/**
 * beckon_rpc_message_parse:
 * @text: bytes
 * @length: how many
 * @response_id: (out) (optional) (nullable): the id of a response that is faulty, so that its call can end; %NULL otherwise.
 *   Caller frees
 * @error: return location
 *
 * Reads one message strictly: JSON as beckon_json_check() wants it, version "2.0", an id that is a string or an integer,
 * either a result or an error. Members that are unknown are passed over, and null counts as absent in `params`. Batches are
 * refused: MCP has dropped them, and one would let a peer order any number of answers with one message.
 *
 * Returns: (transfer full): %NULL with %BECKON_RPC_ERROR_PARSE, %BECKON_RPC_ERROR_INVALID_REQUEST or
 *   %BECKON_RPC_ERROR_TOO_LARGE
 */
BeckonRpcMessage *beckon_rpc_message_parse (const char *text, gsize length, char **response_id,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** @id, @params, @result and @data are whole JSON values that were checked before. @params, @data: (nullable). Caller frees. */
BeckonRpcMessage *beckon_rpc_message_new_request (const char *id, const char *method,
                                                  const char *params) G_GNUC_WARN_UNUSED_RESULT;
BeckonRpcMessage *beckon_rpc_message_new_notification (const char *method, const char *params) G_GNUC_WARN_UNUSED_RESULT;
BeckonRpcMessage *beckon_rpc_message_new_result (const char *id, const char *result) G_GNUC_WARN_UNUSED_RESULT;
BeckonRpcMessage *beckon_rpc_message_new_error (const char *id, int code, const char *text,
                                                const char *data) G_GNUC_WARN_UNUSED_RESULT;

void beckon_rpc_message_free (BeckonRpcMessage *message);

/** The message as one line without its end: line breaks between values become spaces. Caller frees. */
char *beckon_rpc_message_print (const BeckonRpcMessage *message) G_GNUC_WARN_UNUSED_RESULT;

/** %FALSE with %BECKON_RPC_ERROR if @message is an error of the peer's; the standard codes are those of #BeckonRpcError. */
gboolean beckon_rpc_message_check (const BeckonRpcMessage *message, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRpcMessage, beckon_rpc_message_free)

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
