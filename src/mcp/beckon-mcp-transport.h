/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "rpc/beckon-rpc-message.h"

#include <gio/gio.h>
#include "domain/beckon-mcp-server.h"

G_BEGIN_DECLS

#define BECKON_TYPE_MCP_TRANSPORT (beckon_mcp_transport_get_type ())
G_DECLARE_INTERFACE (BeckonMcpTransport, beckon_mcp_transport, BECKON, MCP_TRANSPORT, GObject)

/**
 * BeckonMcpPeer:
 * @request: the server asks something, to be answered by beckon_mcp_transport_answer() with its id, now or later; @asker is
 *   the user data of the call that it belongs to, %NULL where that is not known
 * @notification: the server says something that is no answer
 * @resumed: the server can be heard again, and what it said by itself meanwhile is lost
 * @ended: the transport is no longer open, without having been closed; all calls have ended with the same error, in words to be
 *   shown, and with the exit status of the server's process, or -1. It may be opened again
 *
 * What a transport tells its client; any of these may close it. Nothing is called after a close. Main thread.
 */
typedef struct
{
  void (*request) (const BeckonRpcMessage *message, gconstpointer asker, gpointer data);
  void (*notification) (const BeckonRpcMessage *message, gpointer data);
  void (*resumed) (gpointer data);
  void (*ended) (const GError *error, int status, gpointer data);
} BeckonMcpPeer;

/**
 * BeckonMcpExchange:
 * @method: the method
 * @params: a JSON object, whole
 * @name: (nullable): the tool, prompt or URI that it is about, as HTTP wants it in a header
 * @headers: (nullable) (array zero-terminated=1): names and values in turn that the tool's schema wants as headers of HTTP
 *
 * A request to a server. All is borrowed for the time of the call.
 */
typedef struct
{
  const char *method;
  const char *params;
  const char *name;
  const char *const *headers;
} BeckonMcpExchange;

/**
 * BeckonMcpTransport:
 * @set_peer: (nullable): who is told; %NULL for nobody. @peer is static, and @data lives until another is set
 * @open_async: starts the process, or makes ready what HTTP needs; called again after `ended`
 * @open_finish: an error in words to be shown
 * @call_async: sends a request with an id of its own, while it is open. Cancelling tells the server in the transport's way
 *   (notifications/cancelled, the closed stream), but for `initialize`, and ends the call at once. There is no timeout: the
 *   client has one, because only it knows whether a person is being asked. The callback's source object may be any: its
 *   caller knows the transport
 * @call_finish: (transfer full): the response, an error of the server's too; %NULL with %BECKON_RPC_ERROR or
 *   %G_IO_ERROR_CANCELLED. A refusal by a status of HTTP without a message of JSON-RPC becomes an error message with the code
 *   %BECKON_RPC_ERROR_INVALID_REQUEST, so that it counts as a server of an older revision where that is tried
 * @notify: sends a notification; @params is a JSON object, or %NULL
 * @answer: (transfer full): sends a response to a request of the server's: a result or an error with its id
 * @set_revision: the revision that was agreed on, such as "2025-11-25", for the headers of HTTP
 * @close_async: ends it in order: what is queued is sent, a process ends
 * @close_finish: %FALSE only if @close_async was cancelled; it is closed all the same
 * @dup_log: (nullable): the last of what the server said beside the protocol, valid UTF-8, untrusted; caller frees
 * @get_mask: (nullable): (nullable): what the server was given of secrets until now, for what it says to be masked; borrowed.
 *   The log is masked already
 *
 * How a client reaches its server: the only things that stdio and Streamable HTTP do differently. Main thread.
 */
struct _BeckonMcpTransportInterface
{
  GTypeInterface parent_iface;

  void (*set_peer) (BeckonMcpTransport *self, const BeckonMcpPeer *peer, gpointer data);
  void (*open_async) (BeckonMcpTransport *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*open_finish) (BeckonMcpTransport *self, GAsyncResult *result, GError **error);
  void (*call_async) (BeckonMcpTransport *self, const BeckonMcpExchange *exchange, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data);
  BeckonRpcMessage *(*call_finish) (BeckonMcpTransport *self, GAsyncResult *result, GError **error);
  gboolean (*notify) (BeckonMcpTransport *self, const char *method, const char *params, GError **error);
  void (*answer) (BeckonMcpTransport *self, BeckonRpcMessage *response);
  void (*set_revision) (BeckonMcpTransport *self, const char *revision);
  void (*close_async) (BeckonMcpTransport *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data);
  gboolean (*close_finish) (BeckonMcpTransport *self, GAsyncResult *result, GError **error);
  char *(*dup_log) (BeckonMcpTransport *self);
  BeckonMask *(*get_mask) (BeckonMcpTransport *self);
};

void              beckon_mcp_transport_set_peer (BeckonMcpTransport *self, const BeckonMcpPeer *peer, gpointer data);
void              beckon_mcp_transport_open_async (BeckonMcpTransport *self, GCancellable *cancellable,
                                                   GAsyncReadyCallback callback, gpointer user_data);
gboolean          beckon_mcp_transport_open_finish (BeckonMcpTransport *self, GAsyncResult *result, GError **error);
void              beckon_mcp_transport_call_async (BeckonMcpTransport *self, const BeckonMcpExchange *exchange,
                                                   GCancellable *cancellable, GAsyncReadyCallback callback,
                                                   gpointer user_data);
BeckonRpcMessage *beckon_mcp_transport_call_finish (BeckonMcpTransport *self, GAsyncResult *result,
                                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean          beckon_mcp_transport_notify (BeckonMcpTransport *self, const char *method, const char *params,
                                               GError **error);
void              beckon_mcp_transport_answer (BeckonMcpTransport *self, BeckonRpcMessage *response);
void              beckon_mcp_transport_set_revision (BeckonMcpTransport *self, const char *revision);
void              beckon_mcp_transport_close_async (BeckonMcpTransport *self, GCancellable *cancellable,
                                                    GAsyncReadyCallback callback, gpointer user_data);
gboolean          beckon_mcp_transport_close_finish (BeckonMcpTransport *self, GAsyncResult *result, GError **error);
char             *beckon_mcp_transport_dup_log (BeckonMcpTransport *self) G_GNUC_WARN_UNUSED_RESULT;
/** (transfer full): as it may be seen. @text: (transfer full) (nullable): something that the server says, which is wiped */
char *beckon_mcp_transport_mask (BeckonMcpTransport *self, char *text) G_GNUC_WARN_UNUSED_RESULT;

/** The same of JSON. */
char *beckon_mcp_transport_mask_json (BeckonMcpTransport *self, char *json) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_mask_new:
 * @variables: (element-type BeckonMcpVariable): what the server is given; those that it inherits from this program's
 *   environment are secrets where their names say so
 * @secrets: (nullable) (element-type utf8 utf8): values of secret ones, by name
 * @token: (nullable): what it is signed in to with
 *
 * A server knows its secrets and may say them again, in its log, its errors and its results; nobody has to see them there.
 * Of a header such as "Bearer KEY" the key by itself is found, too.
 *
 * Returns: (transfer full) (nullable): %NULL where there is nothing to be found
 */
BeckonMask *beckon_mcp_mask_new (GPtrArray *variables, GHashTable *secrets,
                                 const char *token) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
