/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-config.h"
#include "beckon-mcp-client-private.h"
#include "beckon-mcp-http.h"
#include "beckon-mcp-log.h"
#include "rpc/beckon-rpc-message.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Servers say it several times in a row. */
#define JOIN_MS 300

/* How soon the server is listened to again, and the longest that it grows to; and how long a good stream lasts. */
#define LISTEN_MS 1000
#define LISTEN_MAX_MS (5 * 60 * 1000)
#define LONG_LISTENING_US (60 * G_TIME_SPAN_SECOND)

typedef enum
{
  SIGNAL_TOOLS_CHANGED,
  SIGNAL_ENDED,
} BeckonMcpClientSignal;

static guint signals[SIGNAL_ENDED + 1];

/* An opening. The first request is `server/discover`; a server that answers it with an unknown error, or not at all, gets
 * `initialize`. The first good answer wins, since a server that is still starting answers both late. */
typedef struct
{
  GTask *task;
  BeckonMcpClient *client; /* (owned): requests may be under way when the task is over */
  GCancellable *inner;
  GSource *cancelled;
  guint probe;
  guint patience;
  gboolean is_discovering;
  gboolean is_initializing;
  gboolean was_reopened;
  gboolean was_refused; /* the newest revision, by a server that says it knows it */
  GError *error; /* (nullable): the server's, of `initialize` */
} Opening;

G_DEFINE_FINAL_TYPE (BeckonMcpClient, beckon_mcp_client, G_TYPE_OBJECT)

static void open_transport (Opening *opening);
static void discover (Opening *opening);

/* --- What the server says ----------------------------------------------------------------------------------------- */

GError *
beckon_mcp_client_make_error (BeckonMcpClient *self, const BeckonRpcMessage *message, gboolean for_person)
{
  g_autofree char *marked = beckon_text_for_display (message->text, -1, BECKON_TEXT_MARKED);
  g_autofree char *masked = beckon_mcp_transport_mask (self->transport, g_steal_pointer (&marked));
  g_autofree char *said = beckon_text_shorten (masked, 2000);

  if (for_person)
    return beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                  /* Translators: a server, a number, and what it says */
                                  _("“%1$s” answered with error %2$d: %3$s"), self->name, message->code, said);
  return g_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "The server answered with error %d: %s", message->code, said);
}

static gboolean
on_joined (gpointer user_data)
{
  BeckonMcpClient *self = user_data;

  self->joining = 0;
  g_signal_emit (self, signals[SIGNAL_TOOLS_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* Lists are read again all at once. */
static gboolean
is_about_lists (const char *method)
{
  return g_str_equal (method, "notifications/tools/list_changed") || g_str_equal (method, "notifications/prompts/list_changed")
         || g_str_equal (method, "notifications/resources/list_changed");
}

static void
read_lists_again (BeckonMcpClient *self)
{
  if (self->is_open && self->joining == 0)
    self->joining = beckon_clock_add_timeout (self->clock, JOIN_MS, on_joined, self);
}

/* Lists may have changed while nothing could be heard of it. */
static void
peer_resumed (gpointer data)
{
  read_lists_again (data);
}

static void
peer_notification (const BeckonRpcMessage *message, gpointer data)
{
  BeckonMcpClient *self = data;

  if (is_about_lists (message->method))
    read_lists_again (self);
  else if (g_str_equal (message->method, "notifications/progress"))
    beckon_mcp_call_progress (self, message->json);
  else if (g_str_equal (message->method, "notifications/cancelled"))
    beckon_mcp_call_take_back (self, message->json);
  else if (g_str_equal (message->method, "notifications/elicitation/complete"))
    beckon_mcp_call_complete (self, message->json);
}

static void
client_answer (BeckonMcpClient *self, const BeckonRpcMessage *message, const char *result)
{
  beckon_mcp_transport_answer (self->transport, beckon_rpc_message_new_result (message->id, result));
}

static void
client_refuse (BeckonMcpClient *self, const BeckonRpcMessage *message, int code, const char *text)
{
  beckon_mcp_transport_answer (self->transport, beckon_rpc_message_new_error (message->id, code, text, NULL));
}

/* Servers of the modern revision ask nothing this way. */
static void
peer_request (const BeckonRpcMessage *message, gconstpointer asker, gpointer data)
{
  BeckonMcpClient *self = data;

  if (g_str_equal (message->method, "ping"))
    {
      client_answer (self, message, "{}");
    }
  else if (self->is_modern)
    {
      client_refuse (self, message, BECKON_RPC_ERROR_METHOD_NOT_FOUND, "This revision has no requests of a server's");
    }
  else if (g_str_equal (message->method, "roots/list"))
    {
      g_autofree char *roots = beckon_mcp_codec_make_roots (beckon_mcp_call_get_folder (self));

      client_answer (self, message, roots);
    }
  else if (g_str_equal (message->method, "elicitation/create"))
    {
      if (!beckon_mcp_call_serve (self, message, asker))
        client_answer (self, message, "{\"action\":\"cancel\"}");
    }
  else
    {
      client_refuse (self, message, BECKON_RPC_ERROR_METHOD_NOT_FOUND, "Not supported by this client");
    }
}

static void
forget_session (BeckonMcpClient *self)
{
  self->is_open = FALSE;
  self->is_modern = FALSE;
  beckon_clock_remove (self->clock, self->joining);
  self->joining = 0;
  beckon_clock_remove (self->clock, self->pause);
  self->pause = 0;
  self->n_pauses = 0;
  if (self->listening != NULL)
    g_cancellable_cancel (self->listening);
  g_clear_object (&self->listening);
}

/* --- Opening ------------------------------------------------------------------------------------------------------ */

/* Frees @opening when nothing of it is under way. */
static void
client_release (Opening *opening)
{
  if (opening->task == NULL && !opening->is_discovering && !opening->is_initializing)
    {
      g_clear_object (&opening->task);
      g_object_unref (opening->inner);
      g_clear_error (&opening->error);
      g_object_unref (opening->client);
      g_free (opening);
    }
}

/* @error: (transfer full) (nullable). */
static void
end_opening (Opening *opening, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&opening->task);
  BeckonMcpClient *self = opening->client;

  beckon_clock_remove (self->clock, opening->probe);
  beckon_clock_remove (self->clock, opening->patience);
  if (opening->cancelled != NULL)
    g_source_destroy (opening->cancelled);
  g_clear_pointer (&opening->cancelled, g_source_unref);
  self->opening = NULL;
  g_cancellable_cancel (opening->inner);
  client_release (opening);
  if (error == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  forget_session (self);
  beckon_mcp_transport_close_async (self->transport, NULL, NULL, NULL);
  g_task_return_error (task, error);
}

static void listen_for_changes (BeckonMcpClient *self);

static gboolean
client_on_pause_over (gpointer user_data)
{
  BeckonMcpClient *self = user_data;

  self->pause = 0;
  listen_for_changes (self);
  read_lists_again (self);
  return G_SOURCE_REMOVE;
}

/* A server that refuses it says so with an error, and is believed. */
static void
on_listening_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonMcpClient) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRpcMessage) message = beckon_mcp_transport_call_finish (self->transport, result, &error);

  if (self->is_open && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && (message == NULL || message->kind != BECKON_RPC_MESSAGE_ERROR))
    {
      gint64 now = beckon_clock_get_monotonic_time (self->clock);
      gint64 pause_ms;

      /* A stream that lasted was a good one; those that end at once come less and less often. */
      if (now - self->listening_since >= LONG_LISTENING_US)
        self->n_pauses = 0;
      pause_ms = MIN ((gint64) LISTEN_MS << MIN (self->n_pauses, 20), LISTEN_MAX_MS);
      self->pause = beckon_clock_add_timeout (self->clock, (guint) pause_ms, client_on_pause_over, self);
      self->n_pauses++;
    }
}

/* A stream of news that stays open for as long as the server does. */
static void
listen_for_changes (BeckonMcpClient *self)
{
  g_autofree char *members = beckon_mcp_codec_make_listen_members (&self->hello);
  const BeckonMcpParams params = { .is_modern = TRUE, .members = members };
  g_autofree char *text = beckon_mcp_codec_make_params (&params);
  const BeckonMcpExchange exchange = { .method = "subscriptions/listen", .params = text };

  g_clear_object (&self->listening);
  self->listening = g_cancellable_new ();
  self->listening_since = beckon_clock_get_monotonic_time (self->clock);
  beckon_mcp_transport_call_async (self->transport, &exchange, self->listening, on_listening_ended, g_object_ref (self));
}

/* @hello: (transfer full): with a revision. */
static void
agree (Opening *opening, BeckonMcpHello *hello, gboolean is_modern)
{
  BeckonMcpClient *self = opening->client;

  beckon_mcp_hello_clear (&self->hello);
  self->hello = *hello;
  *hello = (BeckonMcpHello) { 0 };
  self->hello.instructions = beckon_mcp_transport_mask (self->transport, self->hello.instructions);
  self->is_open = TRUE;
  self->is_modern = is_modern;
  beckon_mcp_transport_set_revision (self->transport, self->hello.revision);
  if (!is_modern)
    beckon_mcp_transport_notify (self->transport, "notifications/initialized", NULL, NULL);
  else if (self->hello.tells_tools || self->hello.tells_prompts || self->hello.tells_resources)
    listen_for_changes (self);
  end_opening (opening, NULL);
}

static void
disagree (Opening *opening, const char *revisions)
{
  end_opening (opening, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                               _("“%s” speaks a revision of MCP that Beckon doesn't know: %s. Update one of "
                                                 "them."),
                                               opening->client->name, revisions));
}

static GError *
make_refusal (BeckonMcpClient *self, const BeckonRpcMessage *message)
{
  g_autofree char *shown = beckon_text_for_display (message->text, -1, BECKON_TEXT_MARKED);
  g_autofree char *masked = beckon_mcp_transport_mask (self->transport, g_steal_pointer (&shown));
  g_autofree char *said = beckon_text_shorten (masked, 500);

  return beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%1$s” refused to begin: %2$s"), self->name, said);
}

gboolean
beckon_mcp_client_is_told_of (BeckonMcpClient *self, const GError *error)
{
  return error->domain == BECKON_RPC_ERROR && !BECKON_IS_MCP_HTTP (self->transport);
}

static void
on_initialized (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Opening *opening = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRpcMessage) message
      = beckon_mcp_transport_call_finish (opening->client->transport, result, &error);
  BeckonMcpHello hello;

  opening->is_initializing = FALSE;
  if (opening->task == NULL)
    {
      client_release (opening);
      return;
    }
  if (message == NULL)
    {
      if (!beckon_mcp_client_is_told_of (opening->client, error))
        end_opening (opening, g_steal_pointer (&error));
      return;
    }
  if (message->kind == BECKON_RPC_MESSAGE_ERROR)
    {
      if (opening->error == NULL)
        opening->error = make_refusal (opening->client, message);
      if (!opening->is_discovering)
        end_opening (opening, g_steal_pointer (&opening->error));
      return;
    }
  if (!beckon_mcp_codec_read_initialize (message->json, &hello))
    end_opening (opening, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                                 _("“%s” answered with something that is not MCP."), opening->client->name));
  else if (hello.revision != NULL)
    agree (opening, &hello, FALSE);
  else
    disagree (opening, hello.revisions);
  beckon_mcp_hello_clear (&hello);
}

static void
initialize (Opening *opening)
{
  const BeckonMcpExchange exchange = { .method = "initialize", .params = beckon_mcp_codec_get_initialize () };

  if (opening->is_initializing)
    return;
  beckon_clock_remove (opening->client->clock, opening->probe);
  opening->probe = 0;
  opening->is_initializing = TRUE;
  beckon_mcp_transport_set_revision (opening->client->transport, BECKON_MCP_REVISION_LEGACY);
  beckon_mcp_transport_call_async (opening->client->transport, &exchange, opening->inner, on_initialized, opening);
}

/* A server of an older revision refuses what it doesn't know, or answers with something that is no answer. */
static void
take_no_discovery (Opening *opening)
{
  if (opening->error != NULL)
    end_opening (opening, g_steal_pointer (&opening->error));
  else
    initialize (opening);
}

static void
take_discovery (Opening *opening, const BeckonRpcMessage *message)
{
  BeckonMcpHello hello = { 0 };

  if (message->kind == BECKON_RPC_MESSAGE_ERROR)
    {
      gboolean is_modern = message->code == BECKON_MCP_ERROR_UNSUPPORTED_REVISION;

      if (is_modern && !opening->was_refused && beckon_mcp_codec_offers_modern (message->json))
        {
          opening->was_refused = TRUE;
          beckon_clock_remove (opening->client->clock, opening->probe);
          discover (opening);
        }
      /* A modern server that speaks none of our modern revisions. */
      else if (is_modern && !beckon_mcp_codec_offers_legacy (message->json))
        end_opening (opening, make_refusal (opening->client, message));
      else
        take_no_discovery (opening);
      return;
    }
  if (!beckon_mcp_codec_read_discover (message->json, &hello))
    initialize (opening);
  else if (g_strcmp0 (hello.revision, BECKON_MCP_REVISION_MODERN) == 0)
    agree (opening, &hello, TRUE);
  else if (hello.revision != NULL)
    initialize (opening);
  else
    disagree (opening, hello.revisions);
  beckon_mcp_hello_clear (&hello);
}

static void
on_discovered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Opening *opening = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRpcMessage) message
      = beckon_mcp_transport_call_finish (opening->client->transport, result, &error);

  opening->is_discovering = FALSE;
  if (opening->task == NULL)
    client_release (opening);
  else if (message != NULL)
    take_discovery (opening, message);
  else if (beckon_mcp_client_is_told_of (opening->client, error))
    return;
  else if (error->domain == BECKON_RPC_ERROR)
    take_no_discovery (opening);
  else
    end_opening (opening, g_steal_pointer (&error));
}

static gboolean
on_probe_over (gpointer user_data)
{
  Opening *opening = user_data;

  opening->probe = 0;
  initialize (opening);
  return G_SOURCE_REMOVE;
}

static void
discover (Opening *opening)
{
  const BeckonMcpParams params = { .is_modern = TRUE };
  g_autofree char *text = beckon_mcp_codec_make_params (&params);
  const BeckonMcpExchange exchange = { .method = "server/discover", .params = text };
  BeckonMcpClient *self = opening->client;

  opening->is_discovering = TRUE;
  opening->probe = beckon_clock_add_timeout (self->clock, self->limits.probe_ms, on_probe_over, opening);
  beckon_mcp_transport_set_revision (self->transport, BECKON_MCP_REVISION_MODERN);
  beckon_mcp_transport_call_async (self->transport, &exchange, opening->inner, on_discovered, opening);
}

static void
on_transport_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Opening *opening = user_data;
  GError *error = NULL;
  gboolean is_open = beckon_mcp_transport_open_finish (BECKON_MCP_TRANSPORT (source), result, &error);

  opening->is_initializing = FALSE;
  if (opening->task == NULL)
    {
      if (is_open)
        beckon_mcp_transport_close_async (BECKON_MCP_TRANSPORT (source), NULL, NULL, NULL);
      g_clear_error (&error);
      client_release (opening);
    }
  else if (!is_open)
    end_opening (opening, error);
  else if (opening->was_reopened)
    initialize (opening);
  else
    discover (opening);
}

/* Counts as initializing, so that the opening stays until it is known. */
static void
open_transport (Opening *opening)
{
  opening->is_initializing = TRUE;
  beckon_mcp_transport_open_async (opening->client->transport, opening->inner, on_transport_opened, opening);
}

static gboolean
on_open_patience_over (gpointer user_data)
{
  Opening *opening = user_data;
  BeckonMcpClient *self = opening->client;
  g_autofree char *log = beckon_mcp_transport_dup_log (self->transport);
  g_autofree char *last = beckon_mcp_log_dup_cause (log);

  opening->patience = 0;
  end_opening (opening, *last != '\0'
               /* Translators: a server, and the last line that its program wrote */
               ? beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                        _("“%1$s” did not answer in time. It said last: %2$s"), self->name, last)
               : beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                        _("“%s” did not answer in time. Look at its log."), self->name));
  return G_SOURCE_REMOVE;
}

static gboolean
on_open_cancelled (GCancellable *cancellable, gpointer user_data)
{
  end_opening (user_data, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("It was stopped.")));
  return G_SOURCE_REMOVE;
}

/* A server of an older revision may end at a request that it doesn't know: it gets the other one then, in a new process. */
static void
peer_ended (const GError *error, int status, gpointer data)
{
  g_autoptr (BeckonMcpClient) self = g_object_ref (data);
  Opening *opening = self->opening;
  gboolean was_open = self->is_open;

  beckon_mcp_call_lose_all (self, status);
  forget_session (self);
  if (opening != NULL && !opening->was_reopened && !opening->is_initializing && opening->probe != 0)
    {
      beckon_clock_remove (self->clock, opening->probe);
      opening->probe = 0;
      opening->was_reopened = TRUE;
      open_transport (opening);
    }
  else if (opening != NULL)
    {
      end_opening (opening, g_error_copy (error));
    }
  else if (was_open && !self->is_closing)
    {
      g_signal_emit (self, signals[SIGNAL_ENDED], 0, error);
    }
}

static const BeckonMcpPeer peer = {
  .request = peer_request,
  .notification = peer_notification,
  .resumed = peer_resumed,
  .ended = peer_ended,
};

void
beckon_mcp_client_open_async (BeckonMcpClient *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  Opening *opening;

  g_return_if_fail (BECKON_IS_MCP_CLIENT (self));
  g_return_if_fail (self->opening == NULL && !self->is_open);

  opening = g_new0 (Opening, 1);
  opening->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (opening->task, beckon_mcp_client_open_async);
  opening->client = g_object_ref (self);
  opening->inner = g_cancellable_new ();
  opening->patience = beckon_clock_add_timeout (self->clock, self->limits.open_ms, on_open_patience_over, opening);
  if (cancellable != NULL)
    {
      opening->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (opening->cancelled, G_SOURCE_FUNC (on_open_cancelled), opening, NULL);
      g_source_attach (opening->cancelled, NULL);
    }
  self->opening = opening;
  self->is_closing = FALSE;
  open_transport (opening);
}

gboolean
beckon_mcp_client_open_finish (BeckonMcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
client_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_mcp_transport_close_finish (BECKON_MCP_TRANSPORT (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
beckon_mcp_client_close_async (BeckonMcpClient *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_MCP_CLIENT (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_client_close_async);
  self->is_closing = TRUE;
  if (self->opening != NULL)
    end_opening (self->opening, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("It was stopped.")));
  beckon_mcp_call_lose_all (self, -1);
  forget_session (self);
  beckon_mcp_transport_close_async (self->transport, cancellable, client_on_closed, task);
}

BECKON_FINISH_BOOLEAN (beckon_mcp_client_close, BeckonMcpClient)

static void
beckon_mcp_client_dispose (GObject *object)
{
  BeckonMcpClient *self = BECKON_MCP_CLIENT (object);

  if (self->transport != NULL)
    {
      forget_session (self);
      beckon_mcp_transport_set_peer (self->transport, NULL, NULL);
    }
  g_clear_object (&self->transport);

  G_OBJECT_CLASS (beckon_mcp_client_parent_class)->dispose (object);
}

static void
beckon_mcp_client_finalize (GObject *object)
{
  BeckonMcpClient *self = BECKON_MCP_CLIENT (object);

  g_free (self->name);
  g_object_unref (self->clock);
  beckon_mcp_hello_clear (&self->hello);
  g_ptr_array_unref (self->calls);
  g_free (self->left_out);

  G_OBJECT_CLASS (beckon_mcp_client_parent_class)->finalize (object);
}

static void
beckon_mcp_client_class_init (BeckonMcpClientClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_mcp_client_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_mcp_client_finalize;

  signals[SIGNAL_TOOLS_CHANGED] = g_signal_new ("tools-changed", BECKON_TYPE_MCP_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                G_TYPE_NONE, 0);
  signals[SIGNAL_ENDED] = g_signal_new ("ended", BECKON_TYPE_MCP_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                        G_TYPE_ERROR);
}

static void
beckon_mcp_client_init (BeckonMcpClient *self)
{
  self->calls = g_ptr_array_new ();
}

BeckonMcpClient *
beckon_mcp_client_new (const char *name, BeckonMcpTransport *transport, BeckonClock *clock, const BeckonMcpClientLimits *limits)
{
  static const BeckonMcpClientLimits usual = BECKON_MCP_CLIENT_LIMITS_INIT;
  BeckonMcpClient *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (BECKON_IS_MCP_TRANSPORT (transport), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_MCP_CLIENT, NULL);
  self->name = g_strdup (name);
  self->transport = g_object_ref (transport);
  self->clock = g_object_ref (clock);
  self->limits = limits != NULL ? *limits : usual;
  beckon_mcp_transport_set_peer (transport, &peer, self);
  return self;
}

const BeckonMcpHello *
beckon_mcp_client_get_hello (BeckonMcpClient *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_CLIENT (self), NULL);

  return &self->hello;
}

gboolean
beckon_mcp_client_is_open (BeckonMcpClient *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_CLIENT (self), FALSE);

  return self->is_open;
}

BeckonMcpTransport *
beckon_mcp_client_get_transport (BeckonMcpClient *self)
{
  return self->transport;
}

char *
beckon_mcp_completion_make_members (const BeckonMcpCompletion *completion)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;
  GHashTableIter iter;
  gpointer key, value;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "ref");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", completion->is_template ? "ref/resource" : "ref/prompt");
  beckon_json_writer_member_string (&writer, completion->is_template ? "uri" : "name", completion->name);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_name (&writer, "argument");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "name", completion->argument);
  beckon_json_writer_member_string (&writer, "value", completion->typed);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_name (&writer, "context");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "arguments");

  beckon_json_writer_begin_object (&writer);
  if (completion->values != NULL)
    g_hash_table_iter_init (&iter, completion->values);
  while (completion->values != NULL && g_hash_table_iter_next (&iter, &key, &value))
    if (!g_str_equal (key, completion->argument))
      beckon_json_writer_member_string (&writer, key, value);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_end_object (&writer);
  /* Members are without the braces around them. */
  g_string_truncate (text, text->len - 1);
  g_string_erase (text, 0, 1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
completion_is_plain (const char *text)
{
  if (text == NULL || *text == '\0' || strlen (text) > 4 * BECKON_MCP_COMPLETION_TEXT_MAX || beckon_text_has_hidden (text, -1)
      || g_utf8_strlen (text, -1) > BECKON_MCP_COMPLETION_TEXT_MAX)
    return FALSE;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_iscntrl (g_utf8_get_char (at)))
      return FALSE;
  return TRUE;
}

char **
beckon_mcp_completion_read (const char *json)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const BeckonJsonValue *list = beckon_json_value_get (beckon_json_value_get (value, "completion"), "values");
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
  guint n = 0;

  if (list == NULL || list->kind != BECKON_JSON_VALUE_ARRAY)
    return NULL;
  for (guint i = 0; i < list->children->len && n < BECKON_MCP_COMPLETIONS_MAX; i++)
    {
      const char *text = beckon_json_value_get_string (g_ptr_array_index (list->children, i));

      if (!completion_is_plain (text))
        continue;
      g_strv_builder_add (values, text);
      n++;
    }
  return g_strv_builder_end (values);
}
