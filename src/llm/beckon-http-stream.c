/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-http-stream.h"

#include "beckon-body-kind.h"
#include "beckon-body-reader.h"
#include "beckon-http-message.h"
#include "beckon-llm-complaint.h"
#include "beckon-llm-failure.h"
#include "beckon-watchdog.h"

#include <glib/gi18n-lib.h>

/* One exchange: a request is sent, and what comes is pushed through the decoder.
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

typedef enum
{
  PHASE_IDLE,
  PHASE_CONNECTING,
  PHASE_WAITING,
  PHASE_READING,
  PHASE_ERROR_BODY,
  PHASE_DRAINING,
  PHASE_ENDED,
} Phase;

struct _BeckonHttpStream
{
  GObject parent_instance;

  /* What is asked. */
  SoupSession *session;
  BeckonClock *clock;
  BeckonProviderLimits limits;
  const BeckonCodec *codec;
  GUri *uri;
  char *host;
  char *key; /* (nullable) */
  char **headers; /* (nullable) */
  GBytes *body;
  BeckonLlmEventFunc function;
  gpointer function_data;

  /* In progress. */
  Phase phase;
  GTask *task;            /* (owned) (nullable) until it is returned */
  GSource *cancel_source; /* (owned) (nullable) */
  GCancellable *io;
  BeckonWatchdog watchdog;
  SoupMessage *message; /* (owned) (nullable) */
  BeckonBodyReader *reader; /* (owned) (nullable) */
  BeckonDecoder *decoder;
  BeckonBodyKind kind;
  GByteArray *beginning; /* of a body that is not a stream */
  gsize received;
  gboolean new_connection;
  gboolean spoke; /* an event was given */

  /* Results. */
  gboolean resent;
  gint64 retry_after_ms;
};

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
  g_free (self->key);
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

static void
stop_watching (BeckonHttpStream *self)
{
  beckon_watchdog_disarm (&self->watchdog);
  if (self->cancel_source != NULL)
    g_source_destroy (self->cancel_source);
  g_clear_pointer (&self->cancel_source, g_source_unref);
}

static void
end_io (BeckonHttpStream *self)
{
  self->phase = PHASE_ENDED;
  stop_watching (self);
  g_cancellable_cancel (self->io);
  g_clear_pointer (&self->reader, beckon_body_reader_free);
}

static void
end_drain (BeckonHttpStream *self)
{
  end_io (self);
  g_object_unref (self);
}

static void
fail (BeckonHttpStream *self, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  g_assert (task != NULL);
  end_io (self);
  g_task_return_error (task, error);
}

static void
fail_with_response (BeckonHttpStream *self)
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

  fail (self, beckon_llm_failure_to_error (&failure, &self->retry_after_ms));
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (user_data);

  fail (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The request was stopped.")));
  return G_SOURCE_REMOVE;
}

/* --- Time --------------------------------------------------------------------------------------------------------- */

static guint
phase_limit_s (BeckonHttpStream *self)
{
  switch (self->phase)
    {
    case PHASE_CONNECTING:
      return self->limits.connect_s;
    case PHASE_WAITING:
      return self->limits.first_byte_s;
    case PHASE_READING:
      return self->limits.idle_s;
    case PHASE_ERROR_BODY:
      return ERROR_BODY_S;
    case PHASE_DRAINING:
      return DRAIN_S;
    case PHASE_IDLE:
    case PHASE_ENDED:
    default:
      return 0;
    }
}

static GError *
timeout_error (BeckonHttpStream *self)
{
  BeckonLlmWait wait = BECKON_LLM_WAIT_MORE;

  if (self->phase == PHASE_CONNECTING)
    wait = BECKON_LLM_WAIT_CONNECTION;
  else if (self->phase == PHASE_WAITING)
    wait = BECKON_LLM_WAIT_ANSWER;
  return beckon_llm_failure_from_waiting (self->host, wait, phase_limit_s (self));
}

static void
on_time_over (gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = g_object_ref (BECKON_HTTP_STREAM (user_data));

  if (self->phase == PHASE_DRAINING)
    end_drain (self);
  else if (self->phase == PHASE_ERROR_BODY)
    fail_with_response (self);
  else
    fail (self, timeout_error (self));
}

static void
enter_phase (BeckonHttpStream *self, Phase phase)
{
  self->phase = phase;
  beckon_watchdog_arm (&self->watchdog, phase_limit_s (self));
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static gboolean
is_cancelled (BeckonHttpStream *self)
{
  return g_cancellable_is_cancelled (g_task_get_cancellable (self->task));
}

static void
on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (user_data);

  if (is_cancelled (self))
    return;
  self->spoke = TRUE;
  self->function (event, self->function_data);
}

static gboolean
on_hand_over (gpointer user_data)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (user_data);
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  g_task_return_boolean (task, TRUE);
  return G_SOURCE_REMOVE;
}

static void
hand_over (BeckonHttpStream *self)
{
  beckon_decoder_finish (self->decoder);
  stop_watching (self);
  g_idle_add_full (G_PRIORITY_DEFAULT, on_hand_over, g_object_ref (self), g_object_unref);
}

/* What is left is only framing; read to its end, the connection serves the next round. */
static void
complete_and_drain (BeckonHttpStream *self)
{
  hand_over (self);
  g_object_ref (self);
  enter_phase (self, PHASE_DRAINING);
}

static void
complete_at_end (BeckonHttpStream *self)
{
  hand_over (self);
  end_io (self);
}

static void
keep_beginning (BeckonHttpStream *self, const char *data, gsize length)
{
  gsize room = BECKON_LLM_FAILURE_BODY_MAX - self->beginning->len;

  g_byte_array_append (self->beginning, (const guint8 *) data, (guint) MIN (length, room));
}

/* The take_ functions return %TRUE if there is more to read. */
static gboolean
take_error_body (BeckonHttpStream *self, const char *data, gsize length)
{
  keep_beginning (self, data, length);
  if (self->beginning->len < BECKON_LLM_FAILURE_BODY_MAX)
    return TRUE;
  fail_with_response (self);
  return FALSE;
}

static gboolean
take_reply (BeckonHttpStream *self, const char *data, gsize length)
{
  GError *error = NULL;
  gboolean pushed = beckon_decoder_push (self->decoder, data, length, &error);

  if (is_cancelled (self))
    {
      g_clear_error (&error);
      on_cancelled (NULL, self);
      return FALSE;
    }
  if (!pushed)
    fail (self, error);
  else if (beckon_decoder_is_terminated (self->decoder))
    complete_and_drain (self);
  return pushed;
}

static gboolean
is_within_cap (BeckonHttpStream *self)
{
  g_autofree char *size = NULL;

  if (self->received <= self->limits.stream_bytes)
    return TRUE;
  size = g_format_size (self->limits.stream_bytes);
  fail (self, g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE, _("%s sent more than %s in one reply."),
                           self->host, size));
  return FALSE;
}

static void
guess_kind (BeckonHttpStream *self, const char *data, gsize length)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (self->message);

  self->kind = beckon_body_kind_guess (soup_message_headers_get_content_type (headers, NULL), data, length);
  if (self->kind == BECKON_BODY_OTHER)
    enter_phase (self, PHASE_ERROR_BODY);
}

static gboolean
take_bytes (BeckonHttpStream *self, const char *data, gsize length)
{
  if (self->phase == PHASE_DRAINING)
    return TRUE;

  if (self->phase == PHASE_WAITING)
    enter_phase (self, PHASE_READING);
  beckon_watchdog_touch (&self->watchdog);
  self->received += length;
  if (!is_within_cap (self))
    return FALSE;

  if (self->kind == BECKON_BODY_UNKNOWN)
    guess_kind (self, data, length);
  if (self->kind == BECKON_BODY_OTHER)
    return take_error_body (self, data, length);
  if (self->kind == BECKON_BODY_JSON)
    keep_beginning (self, data, length);
  return take_reply (self, data, length);
}

/* A reply that was not streamed is as good as one that was; an error that came as one is worth its own words. */
static gboolean
is_json_error (BeckonHttpStream *self)
{
  g_autoptr (BeckonLlmComplaint) complaint = NULL;

  if (self->kind != BECKON_BODY_JSON)
    return FALSE;
  complaint = beckon_llm_complaint_new ((const char *) self->beginning->data, self->beginning->len);
  return complaint->is_error;
}

static void
take_end (BeckonHttpStream *self)
{
  if (self->phase == PHASE_DRAINING)
    end_drain (self);
  else if (self->kind == BECKON_BODY_OTHER || is_json_error (self))
    fail_with_response (self);
  else if (self->received == 0)
    fail (self, beckon_llm_failure_from_silence (self->host));
  else
    complete_at_end (self);
}

static void
take_break (BeckonHttpStream *self, const GError *error)
{
  if (self->phase == PHASE_DRAINING)
    end_drain (self);
  else if (self->kind == BECKON_BODY_OTHER)
    fail_with_response (self);
  else if (self->spoke)
    complete_at_end (self);
  else
    fail (self, beckon_llm_failure_from_transport (self->host, 0, error));
}

static gboolean
on_body (const char *data, gssize length, const GError *error, gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = g_object_ref (BECKON_HTTP_STREAM (user_data));

  if (length > 0)
    return take_bytes (self, data, (gsize) length);
  if (length == 0)
    take_end (self);
  else
    take_break (self, error);
  return FALSE;
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

static void
begin_reading (BeckonHttpStream *self, GInputStream *input)
{
  guint status = soup_message_get_status (self->message);

  self->reader = beckon_body_reader_new (input, self->limits.pace_ms, on_body, self);
  if (SOUP_STATUS_IS_REDIRECTION (status))
    {
      fail_with_response (self);
      return;
    }
  if (!SOUP_STATUS_IS_SUCCESSFUL (status))
    {
      self->kind = BECKON_BODY_OTHER;
      enter_phase (self, PHASE_ERROR_BODY);
    }
  beckon_body_reader_start (self->reader);
}

/* A connection that was kept may be dead without our knowing. What was sent on it was then not seen by anybody, as
 * far as the absence of a single byte of an answer tells. */
static gboolean
may_resend (BeckonHttpStream *self, const GError *error)
{
  return !self->resent && !self->new_connection && self->phase == PHASE_WAITING && error->domain == G_IO_ERROR
      && beckon_http_message_is_unanswered (self->message);
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = BECKON_HTTP_STREAM (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) input = soup_session_send_finish (SOUP_SESSION (source), result, &error);

  if (self->phase == PHASE_ENDED)
    {
      if (input != NULL)
        g_input_stream_close_async (input, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
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
      fail (self, beckon_llm_failure_from_transport (self->host,
                                                     soup_message_get_tls_peer_certificate_errors (self->message),
                                                     error));
    }
}

static void
on_network_event (SoupMessage *message, GSocketClientEvent event, GIOStream *connection, gpointer user_data)
{
  BECKON_HTTP_STREAM (user_data)->new_connection = TRUE;
}

static void
on_starting (SoupMessage *message, gpointer user_data)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (user_data);

  if (self->phase == PHASE_CONNECTING)
    enter_phase (self, PHASE_WAITING);
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
  enter_phase (self, PHASE_CONNECTING);
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
  g_return_if_fail (BECKON_IS_HTTP_STREAM (stream) && stream->phase == PHASE_IDLE);
  g_return_if_fail (uri != NULL && body != NULL && function != NULL);

  stream->uri = g_uri_ref (uri);
  stream->host = beckon_http_message_dup_host (uri);
  stream->key = g_strdup (key);
  stream->headers = g_strdupv ((char **) headers);
  stream->body = g_bytes_ref (body);
  stream->function = function;
  stream->function_data = function_data;
  stream->decoder = stream->codec->decoder_new (on_event, stream);
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
