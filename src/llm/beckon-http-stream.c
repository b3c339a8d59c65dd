/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-http-stream.h"

#include "beckon-llm-failure.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* One exchange: a request is sent, its reply is read into one buffer and pushed through the decoder.
 *
 * The exchange ends in one of two functions, complete() and fail(). Both take the task out of the object first, so that
 * it is returned once, and return it last, because the caller may do anything in its callback. Operations of libsoup that
 * are under way then are cancelled, and their callbacks find no task and only tidy up; so neither a slow resolver nor a
 * stuck handshake can delay Stop. The cancellable of the caller is watched by a source and never handed on: `io` is ours.
 *
 * Nothing here trusts the end of the connection. libsoup reports a body without its last chunk, a bad chunk size and a cut
 * gzip stream as a clean end; only the decoder knows whether the reply was whole.
 *
 * Waiting is bounded by one watchdog, which is armed when the phase changes; data that comes only moves `since`, and the
 * watchdog looks at it when it fires. While data flows no source is made or moved but the one libsoup reads with.
 */

#define BUFFER_SIZE (64 * 1024)

/* How long one dispatch may go on decoding what is there already, so that a frame is never late because of a flood. */
#define DISPATCH_BUDGET_US (4 * 1000)

/* How long an error's body, and the end of a reply that is whole, may be waited for. */
#define WHOLE_BODY_S 5
#define DRAIN_S 1

typedef enum
{
  PHASE_IDLE,
  PHASE_CONNECTING,
  PHASE_WAITING,
  PHASE_READING,
  PHASE_WHOLE,
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
  GBytes *body;
  BeckonLlmEventFunc function;
  gpointer function_data;

  /* In progress. */
  Phase phase;
  GTask *task;            /* (owned) (nullable) until it is returned */
  GSource *cancel_source; /* (owned) (nullable) */
  GCancellable *io;
  guint watchdog;
  gint64 since;
  SoupMessage *message; /* (owned) (nullable) */
  GInputStream *input;  /* (owned) (nullable) */
  guint idle;
  char *buffer;
  BeckonDecoder *decoder;
  GByteArray *whole; /* (owned) (nullable) a body that is not a stream */
  gsize received;
  gboolean sniffed;
  gboolean new_connection;
  gboolean spoke; /* an event was given */

  /* Results. */
  gboolean resent;
  gint64 retry_after_ms;
};

G_DEFINE_FINAL_TYPE (BeckonHttpStream, beckon_http_stream, G_TYPE_OBJECT)

static void send_message (BeckonHttpStream *self);
static void read_more (BeckonHttpStream *self);

static void
beckon_http_stream_dispose (GObject *object)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (object);

  g_assert (self->task == NULL);
  g_assert (self->idle == 0);
  g_assert (self->watchdog == 0);
  g_assert (self->cancel_source == NULL);
  g_clear_object (&self->input);
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
  g_clear_pointer (&self->whole, g_byte_array_unref);
  g_clear_pointer (&self->uri, g_uri_unref);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_free (self->buffer);
  g_free (self->host);
  g_free (self->key);
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
  self->limits = *limits;
  self->codec = codec;
  return self;
}

/* --- The end ------------------------------------------------------------------------------------------------------- */

static void
close_input (BeckonHttpStream *self)
{
  /* Closed before its end, a response takes its connection with it. */
  if (self->input != NULL && !g_input_stream_has_pending (self->input))
    {
      g_input_stream_close_async (self->input, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
      g_clear_object (&self->input);
    }
}

static void
disarm (BeckonHttpStream *self)
{
  beckon_clock_remove (self->clock, self->watchdog);
  self->watchdog = 0;
}

static void
stop_watching (BeckonHttpStream *self)
{
  disarm (self);
  if (self->cancel_source != NULL)
    g_source_destroy (self->cancel_source);
  g_clear_pointer (&self->cancel_source, g_source_unref);
}

static void
end_io (BeckonHttpStream *self)
{
  self->phase = PHASE_ENDED;
  stop_watching (self);
  g_clear_handle_id (&self->idle, g_source_remove);
  g_cancellable_cancel (self->io);
  close_input (self);
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
    .now = beckon_clock_get_real_time (self->clock),
  };

  if (self->whole != NULL)
    {
      failure.body = (const char *) self->whole->data;
      failure.length = self->whole->len;
    }
  fail (self, beckon_llm_failure_to_error (&failure, &self->retry_after_ms));
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (user_data);

  fail (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The request was stopped.")));
  return G_SOURCE_REMOVE;
}

/* --- Time ---------------------------------------------------------------------------------------------------------- */

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
    case PHASE_WHOLE:
      return WHOLE_BODY_S;
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
  guint limit = phase_limit_s (self);

  if (self->phase == PHASE_CONNECTING)
    return g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TIMEOUT,
                        g_dngettext (GETTEXT_PACKAGE, "No connection to %s came about within %u second.",
                                     "No connection to %s came about within %u seconds.", limit),
                        self->host, limit);
  if (self->phase == PHASE_WAITING)
    return g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TIMEOUT,
                        g_dngettext (GETTEXT_PACKAGE, "%s did not begin to answer within %u second.",
                                     "%s did not begin to answer within %u seconds.", limit),
                        self->host, limit);
  return g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TIMEOUT,
                      g_dngettext (GETTEXT_PACKAGE, "%s sent nothing more for %u second.",
                                   "%s sent nothing more for %u seconds.", limit),
                      self->host, limit);
}

static void
time_is_over (BeckonHttpStream *self)
{
  if (self->phase == PHASE_DRAINING)
    end_io (self);
  else if (self->phase == PHASE_WHOLE)
    fail_with_response (self);
  else
    fail (self, timeout_error (self));
}

static gboolean
on_watchdog (gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = g_object_ref (BECKON_HTTP_STREAM (user_data));
  gint64 now = beckon_clock_get_monotonic_time (self->clock);
  gint64 left = self->since + phase_limit_s (self) * G_TIME_SPAN_SECOND - now;

  self->watchdog = 0;
  if (left > 0)
    self->watchdog = beckon_clock_add_timeout (self->clock, (guint) (left / 1000 + 1), on_watchdog, self);
  else
    time_is_over (self);
  return G_SOURCE_REMOVE;
}

static void
enter_phase (BeckonHttpStream *self, Phase phase)
{
  guint limit;

  self->phase = phase;
  self->since = beckon_clock_get_monotonic_time (self->clock);
  disarm (self);
  limit = phase_limit_s (self);
  if (limit > 0)
    self->watchdog = beckon_clock_add_timeout (self->clock, limit * 1000, on_watchdog, self);
}

/* --- Reading ------------------------------------------------------------------------------------------------------- */

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

/* What is left of a whole reply is only framing; read to its end, the connection serves the next round. */
static void
begin_draining (BeckonHttpStream *self)
{
  stop_watching (self);
  enter_phase (self, PHASE_DRAINING);
  read_more (self);
}

static void
complete (BeckonHttpStream *self, gboolean ended)
{
  g_autoptr (GTask) task = NULL;

  beckon_decoder_finish (self->decoder);
  task = g_steal_pointer (&self->task);
  if (ended)
    end_io (self);
  else
    begin_draining (self);
  g_task_return_boolean (task, TRUE);
}

static gboolean
starts_with (const char *data, gsize length, const char *word)
{
  return strncmp (data, word, MIN (length, strlen (word))) == 0;
}

/* The first byte that is not white space decides: no line of an event stream that means anything begins like JSON or like a
 * page, whatever Content-Type says. Servers that call a stream something else are believed if it looks like one. */
static gboolean
looks_like_a_stream (BeckonHttpStream *self, const char *data, gsize length)
{
  static const char *const beginnings[] = { "data:", "event:", "id:", "retry:", ":", "\xef\xbb\xbf" };
  SoupMessageHeaders *headers = soup_message_get_response_headers (self->message);
  const char *type = soup_message_headers_get_content_type (headers, NULL);

  if (g_strcmp0 (type, "application/x-ndjson") == 0)
    return TRUE;
  if (*data == '{' || *data == '[' || *data == '<')
    return FALSE;
  if (g_strcmp0 (type, "text/event-stream") == 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (starts_with (data, length, beginnings[i]))
      return TRUE;
  return FALSE;
}

static void
sniff (BeckonHttpStream *self, gsize length)
{
  gsize blank = 0;

  while (blank < length && g_ascii_isspace (self->buffer[blank]))
    blank++;
  if (blank == length)
    return;

  self->sniffed = TRUE;
  if (!looks_like_a_stream (self, self->buffer + blank, length - blank))
    {
      self->whole = g_byte_array_new ();
      enter_phase (self, PHASE_WHOLE);
    }
}

/* Each take_ function returns %TRUE if there is more to read. */
static gboolean
take_whole (BeckonHttpStream *self, gsize length)
{
  gsize room = BECKON_LLM_FAILURE_BODY_MAX - self->whole->len;

  g_byte_array_append (self->whole, (const guint8 *) self->buffer, (guint) MIN (length, room));
  if (length < room)
    return TRUE;
  fail_with_response (self);
  return FALSE;
}

static gboolean
take_stream (BeckonHttpStream *self, gsize length)
{
  GError *error = NULL;
  gboolean pushed = beckon_decoder_push (self->decoder, self->buffer, length, &error);

  if (is_cancelled (self))
    {
      g_clear_error (&error);
      on_cancelled (NULL, self);
    }
  else if (!pushed)
    fail (self, error);
  else if (beckon_decoder_is_terminated (self->decoder))
    complete (self, FALSE);
  else
    return TRUE;
  return FALSE;
}

static gboolean
take_bytes (BeckonHttpStream *self, gsize length)
{
  if (self->phase == PHASE_DRAINING)
    return TRUE;

  if (self->phase == PHASE_WAITING)
    enter_phase (self, PHASE_READING);
  self->since = beckon_clock_get_monotonic_time (self->clock);

  self->received += length;
  if (self->received > self->limits.stream_bytes)
    {
      g_autofree char *size = g_format_size (self->limits.stream_bytes);

      fail (self, g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE,
                               _("%s sent more than %s in one reply."), self->host, size));
      return FALSE;
    }

  if (!self->sniffed)
    sniff (self, length);
  return self->whole != NULL ? take_whole (self, length) : take_stream (self, length);
}

static void
take_end (BeckonHttpStream *self)
{
  /* At its end closing does no I/O, and gives the connection back before the next request looks for one. */
  g_input_stream_close (self->input, NULL, NULL);
  if (self->phase == PHASE_DRAINING)
    end_io (self);
  else if (self->whole != NULL)
    fail_with_response (self);
  else if (self->received == 0)
    fail (self, beckon_llm_failure_from_silence (self->host));
  else
    complete (self, TRUE);
}

static void
take_error (BeckonHttpStream *self, const GError *error)
{
  if (self->phase == PHASE_DRAINING)
    end_io (self);
  else if (self->whole != NULL)
    fail_with_response (self);
  else if (self->spoke)
    complete (self, TRUE);
  else
    fail (self, beckon_llm_failure_from_transport (self->host, 0, error));
}

/* %TRUE if there is more to read. */
static gboolean
take (BeckonHttpStream *self, gssize length, const GError *error)
{
  if (length > 0)
    return take_bytes (self, (gsize) length);
  if (length == 0)
    take_end (self);
  else
    take_error (self, error);
  return FALSE;
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = BECKON_HTTP_STREAM (user_data);
  g_autoptr (GError) error = NULL;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  if (self->phase == PHASE_ENDED)
    close_input (self);
  else if (take (self, length, error))
    read_more (self);
}

static gboolean
on_idle (gpointer user_data)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (user_data);

  self->idle = 0;
  read_more (self);
  return G_SOURCE_REMOVE;
}

/* Takes what is there already, for a while, then waits. */
static void
read_more (BeckonHttpStream *self)
{
  GPollableInputStream *pollable = G_POLLABLE_INPUT_STREAM (self->input);
  gint64 until = g_get_monotonic_time () + DISPATCH_BUDGET_US;
  g_autoptr (BeckonHttpStream) alive = g_object_ref (self);

  while (g_get_monotonic_time () < until)
    {
      g_autoptr (GError) error = NULL;
      gssize length = g_pollable_input_stream_read_nonblocking (pollable, self->buffer, BUFFER_SIZE, NULL, &error);

      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        {
          g_input_stream_read_async (self->input, self->buffer, BUFFER_SIZE, G_PRIORITY_DEFAULT, self->io, on_read,
                                     g_object_ref (self));
          return;
        }
      if (!take (self, length, error))
        return;
    }
  self->idle = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_idle, g_object_ref (self), g_object_unref);
}

/* --- Sending ------------------------------------------------------------------------------------------------------- */

static void
begin_reading (BeckonHttpStream *self)
{
  guint status = soup_message_get_status (self->message);

  self->buffer = g_malloc (BUFFER_SIZE);
  if (SOUP_STATUS_IS_REDIRECTION (status))
    {
      fail_with_response (self);
      return;
    }
  if (!SOUP_STATUS_IS_SUCCESSFUL (status))
    {
      self->sniffed = TRUE;
      self->whole = g_byte_array_new ();
      enter_phase (self, PHASE_WHOLE);
    }
  read_more (self);
}

/* A connection that was kept may be dead without our knowing. What was sent on it was then not seen by anybody, as far as
 * the absence of a single byte of an answer tells. */
static gboolean
may_resend (BeckonHttpStream *self, const GError *error)
{
  SoupMessageMetrics *metrics = soup_message_get_metrics (self->message);

  return !self->resent && !self->new_connection
      && (self->phase == PHASE_WAITING)
      && metrics != NULL && soup_message_metrics_get_response_start (metrics) == 0
      && error->domain == G_IO_ERROR;
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = BECKON_HTTP_STREAM (user_data);
  g_autoptr (GError) error = NULL;

  self->input = soup_session_send_finish (SOUP_SESSION (source), result, &error);
  if (self->phase == PHASE_ENDED)
    {
      close_input (self);
    }
  else if (self->input != NULL)
    {
      begin_reading (self);
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

static SoupMessage *
make_message (BeckonHttpStream *self)
{
  SoupMessage *message = soup_message_new_from_uri (SOUP_METHOD_POST, self->uri);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);

  /* Without IDEMPOTENT every POST gets a connection of its own. Redirects would carry the key to another host. */
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_IDEMPOTENT | SOUP_MESSAGE_COLLECT_METRICS);
  soup_message_set_request_body_from_bytes (message, "application/json", self->body);
  soup_message_headers_replace (headers, "Accept", "text/event-stream");
  if (self->key != NULL)
    {
      g_autofree char *bearer = g_strconcat ("Bearer ", self->key, NULL);

      soup_message_headers_replace (headers, "Authorization", bearer);
    }
  return message;
}

static void
send_message (BeckonHttpStream *self)
{
  if (self->message != NULL)
    g_signal_handlers_disconnect_by_data (self->message, self);
  g_clear_object (&self->message);
  self->message = make_message (self);
  self->new_connection = FALSE;
  g_signal_connect_object (self->message, "network-event", G_CALLBACK (on_network_event), self, 0);
  g_signal_connect_object (self->message, "starting", G_CALLBACK (on_starting), self, 0);
  enter_phase (self, PHASE_CONNECTING);
  soup_session_send_async (self->session, self->message, G_PRIORITY_DEFAULT, self->io, on_sent, g_object_ref (self));
}

/* --- Interface ----------------------------------------------------------------------------------------------------- */

static char *
host_to_show (GUri *uri)
{
  const char *host = g_uri_get_host (uri);
  int port = g_uri_get_port (uri);

  return port < 0 ? g_strdup (host) : g_strdup_printf ("%s:%d", host, port);
}

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
beckon_http_stream_run_async (BeckonHttpStream *stream, GUri *uri, const char *key, GBytes *body,
                              BeckonLlmEventFunc function, gpointer function_data, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_HTTP_STREAM (stream));
  g_return_if_fail (stream->phase == PHASE_IDLE);
  g_return_if_fail (uri != NULL);
  g_return_if_fail (body != NULL);
  g_return_if_fail (function != NULL);

  stream->uri = g_uri_ref (uri);
  stream->host = host_to_show (uri);
  stream->key = g_strdup (key);
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
beckon_http_stream_run_finish (BeckonHttpStream *stream, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, stream), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gint64
beckon_http_stream_get_retry_after_ms (BeckonHttpStream *stream)
{
  g_return_val_if_fail (BECKON_IS_HTTP_STREAM (stream), -1);

  return stream->retry_after_ms;
}

gboolean
beckon_http_stream_get_resent (BeckonHttpStream *stream)
{
  g_return_val_if_fail (BECKON_IS_HTTP_STREAM (stream), FALSE);

  return stream->resent;
}
