/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "beckon-rpc-message.h"

#include <gio/gio.h>

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

#define BECKON_TYPE_RPC_CONNECTION (beckon_rpc_connection_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRpcConnection, beckon_rpc_connection, BECKON, RPC_CONNECTION, GObject)

/**
 * BeckonRpcConnection:
 *
 * JSON-RPC 2.0 over a pair of streams, one message in each line; both sides may call. Messages of the peer reach the handler
 * and the callers in the order in which they came, a limited number in a turn of the main loop, which they share with a
 * window's frames. Nothing wakes up while nothing happens. Main thread.
 */

/**
 * BeckonRpcHandler:
 * @request: (nullable): a request came, to be answered now or later; takes it. %NULL: each is answered "method not found"
 * @notification: (nullable): a notification came
 * @abandoned: (nullable): a call was cancelled or ran out of time; its late response will be dropped. The place to tell the
 *   peer, as with `notifications/cancelled` of MCP
 * @rejected: (nullable): a line came that is no message, or a response that answers nothing; @line is its beginning, made
 *   valid UTF-8 and otherwise untrusted; @error is English, for a log
 * @ended: (nullable): the connection ended without having been closed; all calls have ended with the same @error
 *
 * What a connection tells its owner; any of these may close the connection. Nothing is called after
 * beckon_rpc_connection_close_async().
 */
typedef struct
{
  void (*request) (BeckonRpcConnection *connection, BeckonRpcRequest *request, gpointer user_data);
  void (*notification) (BeckonRpcConnection *connection, const BeckonRpcMessage *message, gpointer user_data);
  void (*abandoned) (BeckonRpcConnection *connection, const char *id, const char *method, gpointer user_data);
  void (*rejected) (BeckonRpcConnection *connection, const char *line, const GError *error, gpointer user_data);
  void (*ended) (BeckonRpcConnection *connection, const GError *error, gpointer user_data);
} BeckonRpcHandler;

/**
 * BeckonRpcLimits:
 * @max_line: bytes of a line that is read, at most %BECKON_RPC_MESSAGE_MAX. A longer one ends the connection, because it may
 *   be the response that a call waits for
 * @max_queue: bytes that wait to be sent. A message longer than this fails by itself; several that the peer does not read end
 *   the connection
 * @max_rejected: how many lines in a row may be no message before the connection ends, 0 to allow none. Many MCP servers
 *   print logs to standard output
 * @max_requests: how many requests of the peer's may be unanswered, with @max_line bytes of params together; more are
 *   answered with an error
 */
typedef struct
{
  gsize max_line;
  gsize max_queue;
  guint max_rejected;
  guint max_requests;
} BeckonRpcLimits;

#define BECKON_RPC_LIMITS_INIT { BECKON_RPC_MESSAGE_MAX, 2 * BECKON_RPC_MESSAGE_MAX, 1000, 64 }

/**
 * beckon_rpc_connection_new:
 * @name: the peer, as a person knows it, for errors
 * @input: what the peer writes; pollable, as pipes and sockets are
 * @output: what the peer reads; pollable. A file descriptor is made non-blocking
 * @clock: for timeouts
 * @limits: (nullable): %NULL for %BECKON_RPC_LIMITS_INIT
 * @handler: static
 * @user_data: for @handler; has to live until the connection is closed or has ended
 *
 * Reads from now on. The streams belong to the connection, which closes them at its end. Calls keep the connection alive;
 * when its last reference goes, it ends, and what was not sent yet is lost. SIGPIPE is ignored from then on in the whole
 * process.
 *
 * Returns: (transfer full): a connection
 */
BeckonRpcConnection *beckon_rpc_connection_new (const char *name, GInputStream *input, GOutputStream *output,
                                                BeckonClock *clock, const BeckonRpcLimits *limits,
                                                const BeckonRpcHandler *handler, gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_rpc_connection_call_async:
 * @connection: a connection
 * @method: a method of the peer's
 * @params: (nullable): a JSON object or array, checked before
 * @timeout_ms: milliseconds until the call fails; 0 for never
 * @cancellable: (nullable): abandons the call
 * @callback: called once
 * @user_data: for @callback
 */
void beckon_rpc_connection_call_async (BeckonRpcConnection *connection, const char *method, const char *params,
                                       guint timeout_ms, GCancellable *cancellable, GAsyncReadyCallback callback,
                                       gpointer user_data);

/**
 * beckon_rpc_connection_call_finish:
 *
 * Returns: (transfer full): the response, which may be an error of the peer's: see beckon_rpc_message_check(). %NULL with
 *   %BECKON_RPC_ERROR or %G_IO_ERROR_CANCELLED when there was no response
 */
BeckonRpcMessage *beckon_rpc_connection_call_finish (BeckonRpcConnection *connection, GAsyncResult *result,
                                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Queues a notification. @params: (nullable): a JSON object or array, checked before. %FALSE with %BECKON_RPC_ERROR. */
gboolean beckon_rpc_connection_notify (BeckonRpcConnection *connection, const char *method, const char *params, GError **error);

/**
 * beckon_rpc_connection_close_async:
 *
 * Ends all calls with %BECKON_RPC_ERROR_CLOSED, sends what is queued, and closes both streams. @cancellable does not wait for
 * what is queued: then @callback gets %G_IO_ERROR_CANCELLED, and the connection is closed all the same. Further calls of this
 * return at once.
 */
void     beckon_rpc_connection_close_async (BeckonRpcConnection *connection, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_rpc_connection_close_finish (BeckonRpcConnection *connection, GAsyncResult *result, GError **error);

G_END_DECLS
