/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-http-stream-private.h"

#include "base/beckon-wipe.h"
#include "beckon-http-message.h"
#include "beckon-llm-failure.h"
#include "net/beckon-tls.h"

#include <glib/gi18n-lib.h>

/* An exchange: it sends a request and pushes the reply through the decoder.
 *
 * The exchange ends in one of two functions, hand_over() and fail(). The task is taken out of the object first, so
 * that it is returned once, and returned last, because the caller may do anything in its callback. Operations of
 * libsoup that are under way then are cancelled, and their callbacks find no task and only tidy up; so neither a slow
 * resolver nor a stuck handshake can delay Stop. The cancellable of the caller is watched by a source and never
 * handed on: `io` is ours.
 *
 * Nothing here trusts the end of the connection. libsoup reports a body without its last chunk, a bad chunk size and
 * a cut gzip stream as a clean end; only the decoder knows whether the reply was whole. Waiting is bounded by one
 * watchdog, which is armed when the phase changes.
 *
 * A reply that is whole is handed over one turn of the main loop later, so that the reader comes upon the end of the
 * body meanwhile and the connection is free for the next round. If the end is not there yet, the exchange keeps
 * itself alive for a moment to read it.
 */

/* How long an error's body, and the end of a reply that is whole, may be waited for. */
#define ERROR_BODY_S 5
#define DRAIN_S 1

G_DEFINE_FINAL_TYPE (BeckonHttpStream, beckon_http_stream, G_TYPE_OBJECT)

static void send_message (BeckonHttpStream *self);
static void on_time_over (gpointer user_data);

static void
beckon_http_stream_dispose (GObject *object)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (object);

  g_assert (self->task == NULL);
  g_assert (self->watchdog.timeout == 0);
  g_assert (self->cancel_source == NULL);
  g_assert (self->reader == NULL);
  g_clear_object (&self->message);
  g_clear_object (&self->session);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (beckon_http_stream_parent_class)->dispose (object);
}

static void
beckon_http_stream_finalize (GObject *object)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (object);

  g_clear_pointer (&self->decoder, beckon_decoder_free);
  g_byte_array_unref (self->beginning);
  g_clear_pointer (&self->uri, g_uri_unref);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_free (self->host);
  beckon_wipe (self->key);
  g_strfreev (self->headers);
  g_object_unref (self->io);

  G_OBJECT_CLASS (beckon_http_stream_parent_class)->finalize (object);
}

static void
beckon_http_stream_class_init (BeckonHttpStreamClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_http_stream_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_http_stream_finalize;
}

static void
beckon_http_stream_init (BeckonHttpStream *self)
{
  self->io = g_cancellable_new ();
  self->beginning = g_byte_array_new ();
  self->retry_after_ms = -1;
}

BeckonHttpStream *
beckon_http_stream_new (SoupSession *session, BeckonClock *clock, const BeckonProviderLimits *limits,
                        const BeckonCodec *codec)
{
  BeckonHttpStream *self;

  g_return_val_if_fail (SOUP_IS_SESSION (session), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);
  g_return_val_if_fail (limits != NULL, NULL);
  g_return_val_if_fail (codec != NULL, NULL);

  self = g_object_new (BECKON_TYPE_HTTP_STREAM, NULL);
  self->session = g_object_ref (session);
  self->clock = g_object_ref (clock);
  beckon_watchdog_init (&self->watchdog, clock, on_time_over, self);
  self->limits = *limits;
  self->codec = codec;
  return self;
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

void
beckon_http_stream_stop_watching (BeckonHttpStream *self)
{
  beckon_watchdog_disarm (&self->watchdog);
  if (self->cancel_source != NULL)
    g_source_destroy (self->cancel_source);
  g_clear_pointer (&self->cancel_source, g_source_unref);
}

void
beckon_http_stream_end_io (BeckonHttpStream *self)
{
  self->phase = BECKON_HTTP_PHASE_ENDED;
  beckon_http_stream_stop_watching (self);
  g_cancellable_cancel (self->io);
  g_clear_pointer (&self->reader, beckon_body_reader_free);
}

void
beckon_http_stream_end_drain (BeckonHttpStream *self)
{
  beckon_http_stream_end_io (self);
  g_object_unref (self);
}

void
beckon_http_stream_fail (BeckonHttpStream *self, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  g_assert (task != NULL);
  beckon_http_stream_end_io (self);
  g_task_return_error (task, error);
}

void
beckon_http_stream_fail_with_response (BeckonHttpStream *self)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (self->message);
  BeckonLlmFailure failure = {
    .host = self->host,
    .status = soup_message_get_status (self->message),
    .location = soup_message_headers_get_one (headers, "Location"),
    .retry_after = soup_message_headers_get_one (headers, "Retry-After"),
    .retry_after_ms = soup_message_headers_get_one (headers, "Retry-After-Ms"),
    .key = self->key,
    .body = (const char *) self->beginning->data,
    .length = self->beginning->len,
    .now = beckon_clock_get_real_time (self->clock),
  };

  beckon_http_stream_fail (self, beckon_llm_failure_to_error (&failure, &self->retry_after_ms));
}

void
beckon_http_stream_fail_cancelled (BeckonHttpStream *self)
{
  beckon_http_stream_fail (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The request was stopped.")));
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  beckon_http_stream_fail_cancelled (BECKON_HTTP_STREAM (user_data));
  return G_SOURCE_REMOVE;
}

/* --- Time --------------------------------------------------------------------------------------------------------- */

static guint
phase_limit_s (BeckonHttpStream *self)
{
  switch (self->phase)
    {
    case BECKON_HTTP_PHASE_CONNECTING:
      return self->limits.connect_s;
    case BECKON_HTTP_PHASE_WAITING:
      return self->limits.first_byte_s;
    case BECKON_HTTP_PHASE_READING:
      return self->limits.idle_s;
    case BECKON_HTTP_PHASE_ERROR_BODY:
      return ERROR_BODY_S;
    case BECKON_HTTP_PHASE_DRAINING:
      return DRAIN_S;
    case BECKON_HTTP_PHASE_IDLE:
    case BECKON_HTTP_PHASE_ENDED:
    default:
      return 0;
    }
}

static GError *
timeout_error (BeckonHttpStream *self)
{
  BeckonLlmWait wait = BECKON_LLM_WAIT_MORE;

  if (self->phase == BECKON_HTTP_PHASE_CONNECTING)
    wait = BECKON_LLM_WAIT_CONNECTION;
  else if (self->phase == BECKON_HTTP_PHASE_WAITING)
    wait = BECKON_LLM_WAIT_ANSWER;
  return beckon_llm_failure_from_waiting (self->host, wait, phase_limit_s (self));
}

static void
on_time_over (gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = g_object_ref (BECKON_HTTP_STREAM (user_data));

  if (self->phase == BECKON_HTTP_PHASE_DRAINING)
    beckon_http_stream_end_drain (self);
  else if (self->phase == BECKON_HTTP_PHASE_ERROR_BODY)
    beckon_http_stream_fail_with_response (self);
  else
    beckon_http_stream_fail (self, timeout_error (self));
}

void
beckon_http_stream_enter_phase (BeckonHttpStream *self, BeckonHttpPhase phase)
{
  self->phase = phase;
  beckon_watchdog_arm (&self->watchdog, phase_limit_s (self));
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

static void
begin_reading (BeckonHttpStream *self, GInputStream *input)
{
  guint status = soup_message_get_status (self->message);

  self->reader = beckon_body_reader_new (input, self->limits.pace_ms, beckon_http_stream_on_body, self);
  if (SOUP_STATUS_IS_REDIRECTION (status))
    {
      beckon_http_stream_fail_with_response (self);
      return;
    }
  if (!SOUP_STATUS_IS_SUCCESSFUL (status))
    {
      self->kind = BECKON_BODY_OTHER;
      beckon_http_stream_enter_phase (self, BECKON_HTTP_PHASE_ERROR_BODY);
    }
  beckon_body_reader_start (self->reader);
}

/* A connection that was kept may be dead without our knowing. What was sent on it was then not seen by anybody, as
 * far as the absence of a single byte of an answer tells. */
static gboolean
may_resend (BeckonHttpStream *self, const GError *error)
{
  return !self->resent && !self->new_connection && self->phase == BECKON_HTTP_PHASE_WAITING
      && error->domain == G_IO_ERROR && beckon_http_message_is_unanswered (self->message);
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = BECKON_HTTP_STREAM (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) input = soup_session_send_finish (SOUP_SESSION (source), result, &error);

  if (self->phase == BECKON_HTTP_PHASE_ENDED)
    {
      if (input != NULL)
        g_input_stream_close_async (input, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
    }
  else if (self->old_tls)
    {
      beckon_http_stream_fail (self, beckon_llm_failure_from_old_tls (self->host));
    }
  else if (input != NULL)
    {
      begin_reading (self, input);
    }
  else if (may_resend (self, error))
    {
      g_debug ("The kept connection to %s was dead; sending once more", self->host);
      self->resent = TRUE;
      send_message (self);
    }
  else
    {
      beckon_http_stream_fail (self, beckon_llm_failure_from_transport (self->host,
                                                     soup_message_get_tls_peer_certificate_errors (self->message),
                                                     error));
    }
}

static void
on_network_event (SoupMessage *message, GSocketClientEvent event, GIOStream *connection, gpointer user_data)
{
  BECKON_HTTP_STREAM (user_data)->new_connection = TRUE;
}

/* The connection is there, and nothing of the request is on it yet. */
static void
on_starting (SoupMessage *message, gpointer user_data)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (user_data);

  if (beckon_tls_is_old (soup_message_get_tls_protocol_version (message)))
    {
      self->old_tls = TRUE;
      g_cancellable_cancel (self->io);
      return;
    }
  if (self->phase == BECKON_HTTP_PHASE_CONNECTING)
    beckon_http_stream_enter_phase (self, BECKON_HTTP_PHASE_WAITING);
}

static void
send_message (BeckonHttpStream *self)
{
  if (self->message != NULL)
    g_signal_handlers_disconnect_by_data (self->message, self);
  g_clear_object (&self->message);
  self->message = beckon_http_message_new (self->uri, self->codec, self->key,
                                           (const char *const *) self->headers, self->body);
  self->new_connection = FALSE;
  g_signal_connect_object (self->message, "network-event", G_CALLBACK (on_network_event), self, 0);
  g_signal_connect_object (self->message, "starting", G_CALLBACK (on_starting), self, 0);
  beckon_http_stream_enter_phase (self, BECKON_HTTP_PHASE_CONNECTING);
  soup_session_send_async (self->session, self->message, G_PRIORITY_DEFAULT, self->io, on_sent, g_object_ref (self));
}

/* --- Interface ---------------------------------------------------------------------------------------------------- */

static void
watch_cancellable (BeckonHttpStream *self, GCancellable *cancellable)
{
  if (cancellable == NULL)
    return;
  self->cancel_source = g_cancellable_source_new (cancellable);
  g_source_set_static_name (self->cancel_source, "[beckon] stop of a request");
  g_source_set_callback (self->cancel_source, G_SOURCE_FUNC (on_cancelled), self, NULL);
  g_source_attach (self->cancel_source, g_main_context_get_thread_default ());
}

void
beckon_http_stream_run_async (BeckonHttpStream *stream, GUri *uri, const char *key, const char *const *headers,
                              GBytes *body, BeckonLlmEventFunc function, gpointer function_data,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_HTTP_STREAM (stream) && stream->phase == BECKON_HTTP_PHASE_IDLE);
  g_return_if_fail (uri != NULL && body != NULL && function != NULL);

  stream->uri = g_uri_ref (uri);
  stream->host = beckon_http_message_dup_host (uri);
  stream->key = g_strdup (key);
  stream->headers = g_strdupv ((char **) headers);
  stream->body = g_bytes_ref (body);
  stream->function = function;
  stream->function_data = function_data;
  stream->decoder = stream->codec->decoder_new (beckon_http_stream_on_event, stream);
  stream->task = g_task_new (stream, cancellable, callback, user_data);
  g_task_set_source_tag (stream->task, beckon_http_stream_run_async);
  watch_cancellable (stream, cancellable);
  send_message (stream);
}

gboolean
beckon_http_stream_run_finish (BeckonHttpStream *stream, GAsyncResult *result, gint64 *retry_after_ms, gboolean *resent,
                               GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, stream), FALSE);

  *retry_after_ms = stream->retry_after_ms;
  *resent = stream->resent;
  return g_task_propagate_boolean (G_TASK (result), error);
}
