/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-stdio.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-mcp-transport.h"
#include "beckon-mcp-process.h"
#include "rpc/beckon-rpc-connection.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonMcpStdio
{
  GObject parent_instance;

  BeckonMcpServer *server;
  GHashTable *secrets; /* (nullable) */
  BeckonMask *mask;     /* (nullable): of them */
  BeckonRuleSet *rules; /* (owned) (nullable) */
  char **tool_chains;   /* (nullable) */
  BeckonClock *clock;
  BeckonMcpLog *log;
  const BeckonMcpPeer *peer; /* (nullable) */
  gpointer peer_data;
  BeckonMcpProcess *process;       /* (nullable) */
  BeckonRpcConnection *connection; /* (nullable) */
  GHashTable *requests;            /* (element-type utf8 BeckonRpcRequest): unanswered ones of the server's, by id */
};

static void beckon_mcp_stdio_transport_init (BeckonMcpTransportInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonMcpStdio, beckon_mcp_stdio, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_MCP_TRANSPORT, beckon_mcp_stdio_transport_init))

/* --- The connection ----------------------------------------------------------------------------------------------- */

static void
on_request (BeckonRpcConnection *connection, BeckonRpcRequest *request, gpointer user_data)
{
  BeckonMcpStdio *self = user_data;
  const BeckonRpcMessage *message = beckon_rpc_request_get_message (request);

  if (self->peer == NULL || g_hash_table_contains (self->requests, message->id))
    {
      beckon_rpc_request_fail (request, BECKON_RPC_ERROR_INVALID_REQUEST, "A request with this id is not answered yet", NULL);
      return;
    }
  g_hash_table_insert (self->requests, g_strdup (message->id), request);
  self->peer->request (message, NULL, self->peer_data);
}

static void
on_notification (BeckonRpcConnection *connection, const BeckonRpcMessage *message, gpointer user_data)
{
  BeckonMcpStdio *self = user_data;

  if (self->peer != NULL)
    self->peer->notification (message, self->peer_data);
}

static void
on_abandoned (BeckonRpcConnection *connection, const char *id, const char *method, gpointer user_data)
{
  g_autofree char *params = NULL;

  /* The first request must not be cancelled; the process is ended instead. */
  if (g_str_equal (method, "initialize"))
    return;
  params = g_strdup_printf ("{\"requestId\":%s,\"reason\":\"No longer needed\"}", id);
  beckon_rpc_connection_notify (connection, "notifications/cancelled", params, NULL);
}

static void
on_rejected (BeckonRpcConnection *connection, const char *line, const GError *error, gpointer user_data)
{
  BeckonMcpStdio *self = user_data;

  beckon_mcp_log_say (self->log, "Not a message: %s (%s)", line, error->message);
}

static void
drop_connection (BeckonMcpStdio *self)
{
  g_clear_object (&self->connection);
  g_hash_table_remove_all (self->requests);
}

static void
on_killed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  beckon_mcp_process_end_finish (BECKON_MCP_PROCESS (source), result, NULL);
}

static GCancellable *
make_at_once (void)
{
  GCancellable *at_once = g_cancellable_new ();

  g_cancellable_cancel (at_once);
  return at_once;
}

static void
kill_process (BeckonMcpProcess *process)
{
  g_autoptr (GCancellable) at_once = make_at_once ();

  beckon_mcp_process_end_async (process, at_once, on_killed, NULL);
}

typedef struct
{
  BeckonMcpStdio *self;
  GError *error;
} Ending;

/* @error: (transfer full): why the process is gone, to be told. */
static GError *
add_advice (BeckonMcpStdio *self, GError *error)
{
  g_autofree char *log = beckon_mcp_log_dup_text (self->log);
  g_autofree char *advice = beckon_mcp_read_only_dup_advice (self->server, log);
  g_autofree char *message = NULL;

  if (advice == NULL)
    return error;
  message = error->message;
  error->message = beckon_text_join_sentences (message, advice);
  beckon_mcp_log_say (self->log, "%s", advice);
  return error;
}

/* The last words of a process usually say why. */
static void
on_gone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Ending *ending = user_data;
  g_autoptr (BeckonMcpStdio) self = ending->self;
  g_autoptr (GError) error = ending->error;
  g_autofree char *log = NULL;
  g_autofree char *last = NULL;
  g_autoptr (GError) told = NULL;
  int status;

  beckon_mcp_process_end_finish (BECKON_MCP_PROCESS (source), result, NULL);
  beckon_mcp_log_flush (self->log);
  log = beckon_mcp_log_dup_text (self->log);
  last = beckon_mcp_log_dup_cause (log);
  status = beckon_mcp_process_get_status (BECKON_MCP_PROCESS (source));
  if (*last != '\0' && g_error_matches (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED))
    told = beckon_text_error_new (error->domain, error->code, _("“%1$s” ended with status %2$d. It said last: %3$s"),
                                  self->server->name, status, last);
  else
    told = g_error_copy (error);
  /* Translators: a line of the log of a program: why it ended, and its exit status */
  beckon_mcp_log_say (self->log, _("%1$s (status %2$d)"), error->message, status);
  told = add_advice (self, g_steal_pointer (&told));
  if (self->peer != NULL)
    self->peer->ended (told, status, self->peer_data);
}

/* A process that broke the protocol is not waited for. */
static void
stdio_on_ended (BeckonRpcConnection *connection, const GError *error, gpointer user_data)
{
  BeckonMcpStdio *self = user_data;
  gboolean is_closed = g_error_matches (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED);
  g_autoptr (GCancellable) at_once = is_closed ? NULL : make_at_once ();
  g_autoptr (BeckonMcpProcess) process = g_steal_pointer (&self->process);
  Ending *ending = g_new0 (Ending, 1);

  ending->self = g_object_ref (self);
  ending->error = g_error_copy (error);
  drop_connection (self);
  beckon_mcp_process_end_async (process, at_once, on_gone, ending);
}

static const BeckonRpcHandler handler = {
  .request = on_request,
  .notification = on_notification,
  .abandoned = on_abandoned,
  .rejected = on_rejected,
  .ended = stdio_on_ended,
};

/* --- The transport ------------------------------------------------------------------------------------------------ */

static void
set_peer (BeckonMcpTransport *transport, const BeckonMcpPeer *peer, gpointer data)
{
  BeckonMcpStdio *self = BECKON_MCP_STDIO (transport);

  self->peer = peer;
  self->peer_data = data;
}

static void
stdio_on_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpStdio *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (BeckonMcpProcess) process = beckon_mcp_process_start_finish (result, &error);

  if (process == NULL)
    {
      beckon_mcp_log_say (self->log, "%s", error->message);
      g_task_return_error (task, error);
      return;
    }
  if (g_task_return_error_if_cancelled (task))
    {
      kill_process (process);
      return;
    }
  /* Translators: a line of the log of a program; %d is its number on this computer */
  beckon_mcp_log_say (self->log, _("Started, process %d"), beckon_mcp_process_get_pid (process));
  self->connection = beckon_rpc_connection_new (self->server->name, beckon_mcp_process_get_output (process),
                                                beckon_mcp_process_get_input (process), self->clock, NULL, &handler, self);
  self->process = g_steal_pointer (&process);
  g_task_return_boolean (task, TRUE);
}

static void
open_async (BeckonMcpTransport *transport, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpStdio *self = BECKON_MCP_STDIO (transport);
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, open_async);
  beckon_mcp_process_start_async (self->server, self->secrets, self->rules, (const char *const *) self->tool_chains,
                                  self->clock, self->log, cancellable, stdio_on_started, task);
}

static BECKON_FINISH_BOOLEAN (open, BeckonMcpTransport)

/* The result is the connection's own: one task less for each call. */
static void
call_async (BeckonMcpTransport *transport, const BeckonMcpExchange *exchange, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpStdio *self = BECKON_MCP_STDIO (transport);
  g_autoptr (GTask) task = NULL;

  if (self->connection != NULL)
    {
      beckon_rpc_connection_call_async (self->connection, exchange->method, exchange->params, 0, cancellable, callback,
                                        user_data);
      return;
    }
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, call_async);
  g_task_return_new_error (task, BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED, "%s", _("The server is not running."));
}

static BeckonRpcMessage *
call_finish (BeckonMcpTransport *transport, GAsyncResult *result, GError **error)
{
  g_autoptr (GObject) source = g_async_result_get_source_object (result);

  if (BECKON_IS_RPC_CONNECTION (source))
    return beckon_rpc_connection_call_finish (BECKON_RPC_CONNECTION (source), result, error);
  return g_task_propagate_pointer (G_TASK (result), error);
}

static gboolean
notify (BeckonMcpTransport *transport, const char *method, const char *params, GError **error)
{
  BeckonMcpStdio *self = BECKON_MCP_STDIO (transport);

  if (self->connection != NULL)
    return beckon_rpc_connection_notify (self->connection, method, params, error);

  g_set_error_literal (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED, _("The server is not running."));
  return FALSE;
}

static void
stdio_answer (BeckonMcpTransport *transport, BeckonRpcMessage *response)
{
  BeckonMcpStdio *self = BECKON_MCP_STDIO (transport);
  g_autoptr (BeckonRpcMessage) message = response;
  g_autofree char *id = NULL;
  BeckonRpcRequest *request = NULL;

  if (!g_hash_table_steal_extended (self->requests, message->id, (gpointer *) &id, (gpointer *) &request))
    return;
  if (message->kind == BECKON_RPC_MESSAGE_RESULT)
    beckon_rpc_request_answer (request, message->json);
  else
    beckon_rpc_request_fail (request, message->code, message->text, message->json);
}

static void
set_revision (BeckonMcpTransport *transport, const char *revision)
{
}

typedef struct
{
  BeckonRpcConnection *connection;
  BeckonMcpProcess *process;
  GCancellable *ended; /* of the connection, once the process has ended */
  guint n_left;
} Closing;

static void
closing_free (Closing *closing)
{
  g_clear_object (&closing->connection);
  g_clear_object (&closing->process);
  g_object_unref (closing->ended);
  g_free (closing);
}

/* The connection or the process is gone. */
static void
note_part (GTask *task)
{
  Closing *closing = g_task_get_task_data (task);

  if (--closing->n_left == 0)
    g_task_return_boolean (task, TRUE);
}

static void
on_connection_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  beckon_rpc_connection_close_finish (BECKON_RPC_CONNECTION (source), result, NULL);
  note_part (task);
}

static void
on_process_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpStdio *self = g_task_get_source_object (task);
  Closing *closing = g_task_get_task_data (task);

  beckon_mcp_process_end_finish (BECKON_MCP_PROCESS (source), result, NULL);
  beckon_mcp_log_say (self->log, _("Ended with status %d"), beckon_mcp_process_get_status (BECKON_MCP_PROCESS (source)));
  g_cancellable_cancel (closing->ended);
  note_part (task);
}

static void
close_async (BeckonMcpTransport *transport, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpStdio *self = BECKON_MCP_STDIO (transport);
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Closing *closing;

  g_task_set_source_tag (task, close_async);
  if (self->connection == NULL)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  closing = g_new0 (Closing, 1);
  closing->connection = g_object_ref (self->connection);
  closing->process = g_steal_pointer (&self->process);
  closing->ended = g_cancellable_new ();
  closing->n_left = 2;
  g_task_set_task_data (task, closing, (GDestroyNotify) closing_free);
  drop_connection (self);
  /* A process that does not read what is queued for it is ended all the same. */
  beckon_mcp_process_end_async (closing->process, cancellable, on_process_ended, g_object_ref (task));
  beckon_rpc_connection_close_async (closing->connection, closing->ended, on_connection_closed, task);
}

static BECKON_FINISH_BOOLEAN (close, BeckonMcpTransport)

static char *
dup_log (BeckonMcpTransport *transport)
{
  return beckon_mcp_log_dup_text (BECKON_MCP_STDIO (transport)->log);
}

static BeckonMask *
get_mask (BeckonMcpTransport *transport)
{
  return BECKON_MCP_STDIO (transport)->mask;
}

static void
beckon_mcp_stdio_transport_init (BeckonMcpTransportInterface *iface)
{
  iface->set_peer = set_peer;
  iface->open_async = open_async;
  iface->open_finish = open_finish;
  iface->call_async = call_async;
  iface->call_finish = call_finish;
  iface->notify = notify;
  iface->answer = stdio_answer;
  iface->set_revision = set_revision;
  iface->close_async = close_async;
  iface->close_finish = close_finish;
  iface->dup_log = dup_log;
  iface->get_mask = get_mask;
}

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
beckon_mcp_stdio_dispose (GObject *object)
{
  BeckonMcpStdio *self = BECKON_MCP_STDIO (object);

  self->peer = NULL;
  if (self->connection != NULL)
    beckon_rpc_connection_close_async (self->connection, NULL, NULL, NULL);
  drop_connection (self);
  if (self->process != NULL)
    kill_process (self->process);
  g_clear_object (&self->process);

  G_OBJECT_CLASS (beckon_mcp_stdio_parent_class)->dispose (object);
}

static void
beckon_mcp_stdio_finalize (GObject *object)
{
  BeckonMcpStdio *self = BECKON_MCP_STDIO (object);

  beckon_mcp_server_unref (self->server);
  g_clear_pointer (&self->secrets, g_hash_table_unref);
  g_clear_pointer (&self->mask, beckon_mask_unref);
  g_clear_pointer (&self->rules, beckon_rule_set_unref);
  g_strfreev (self->tool_chains);
  g_object_unref (self->clock);
  beckon_mcp_log_unref (self->log);
  g_hash_table_unref (self->requests);

  G_OBJECT_CLASS (beckon_mcp_stdio_parent_class)->finalize (object);
}

static void
beckon_mcp_stdio_class_init (BeckonMcpStdioClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_mcp_stdio_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_mcp_stdio_finalize;
}

static void
beckon_mcp_stdio_init (BeckonMcpStdio *self)
{
  self->log = beckon_mcp_log_new ();
  self->requests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) beckon_rpc_request_free);
}

BeckonMcpTransport *
beckon_mcp_stdio_new (BeckonMcpServer *server, GHashTable *secrets, BeckonClock *clock)
{
  BeckonMcpStdio *self;

  g_return_val_if_fail (server != NULL && server->kind == BECKON_MCP_KIND_STDIO, NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_MCP_STDIO, NULL);
  self->server = beckon_mcp_server_ref (server);
  self->secrets = secrets != NULL ? g_hash_table_ref (secrets) : NULL;
  self->mask = beckon_mcp_mask_new (server->variables, secrets, NULL);
  beckon_mcp_log_set_mask (self->log, self->mask);
  self->clock = g_object_ref (clock);
  return BECKON_MCP_TRANSPORT (self);
}

void
beckon_mcp_stdio_set_rules (BeckonMcpStdio *self, BeckonRuleSet *rules)
{
  g_return_if_fail (BECKON_IS_MCP_STDIO (self));

  g_clear_pointer (&self->rules, beckon_rule_set_unref);
  self->rules = rules != NULL ? beckon_rule_set_ref (rules) : NULL;
}

void
beckon_mcp_stdio_set_tool_chains (BeckonMcpStdio *self, const char *const *names)
{
  g_return_if_fail (BECKON_IS_MCP_STDIO (self));

  g_strfreev (self->tool_chains);
  self->tool_chains = g_strdupv ((char **) names);
}
