/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-http-stream.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-config.h"
#include "beckon-llm-address.h"
#include "beckon-llm-complaint.h"
#include "beckon-llm-failure.h"
#include "net/beckon-body-reader.h"
#include "net/beckon-http-exchange.h"

#include <glib/gi18n-lib.h>

/* A request is sent, and the body that comes is pushed through the decoder. The decoder alone knows whether the reply was
 * whole: the end of a connection proves nothing.
 *
 * The task is taken out of the object before it is returned, so that it is returned once, and returned last, because the caller
 * may do anything in its callback.
 *
 * A reply that is whole is handed over one turn of the main loop later, so that the reader comes upon the end of the
 * body meanwhile and the connection is free for the next round. If the end is not there yet, the exchange stays for a moment
 * to read it.
 */

/* How long an error's body, and the end of a reply that is whole, may be waited for. */
#define ERROR_BODY_S 5
#define DRAIN_S 1

struct _BeckonHttpStream
{
  GObject parent_instance;

  /* The request. */
  SoupSession *session;
  BeckonClock *clock;
  BeckonProviderLimits limits;
  const BeckonCodec *codec;
  GUri *uri;
  char *host;
  char *key;      /* (nullable) */
  char **headers; /* (nullable) */
  GBytes *body;
  BeckonLlmEventFunc function;
  gpointer function_data;

  /* In progress. */
  GTask *task;                  /* (owned) (nullable): until it is returned */
  BeckonHttpExchange *exchange; /* (owned) (nullable): since it began */
  BeckonDecoder *decoder;
  BeckonBodyKind kind;
  GByteArray *beginning; /* of a body that is not a stream */
  gsize received;
  gboolean spoke; /* an event was given */

  /* Results. */
  gint64 retry_after_ms;
};

G_DEFINE_FINAL_TYPE (BeckonHttpStream, beckon_http_stream, G_TYPE_OBJECT)

static void
set_headers (SoupMessageHeaders *headers, GUri *uri, const BeckonCodec *codec, const char *key)
{
  const char *prefix;
  const char *name = beckon_llm_address_get_key_header (uri, codec, key, &prefix);

  soup_message_headers_replace (headers, "Accept", codec->accept);
  for (const char *const *header = codec->headers; header != NULL && *header != NULL; header += 2)
    soup_message_headers_replace (headers, header[0], header[1]);
  if (key != NULL)
    {
      g_autofree char *value = g_strconcat (prefix, key, NULL);

      soup_message_headers_replace (headers, name, value);
    }
}

/* Headers were checked where they were entered, but what is in a file may be anything. */
static void
add_headers (SoupMessageHeaders *headers, const char *const *lines)
{
  for (; lines != NULL && *lines != NULL; lines++)
    {
      g_auto (GStrv) pair = beckon_profile_check_header (*lines, NULL) ? g_strsplit (*lines, ":", 2) : NULL;

      if (pair != NULL && soup_message_headers_get_one (headers, pair[0]) == NULL)
        soup_message_headers_append (headers, pair[0], g_strstrip (pair[1]));
    }
}

/**
 * beckon_http_message_new:
 * @uri: where it goes
 * @codec: what is spoken there
 * @key: (nullable): goes along where @codec says
 * @headers: (nullable): more headers, each "Name: value"; none takes the place of one that is there
 * @body: JSON
 *
 * Returns: (transfer full): a POST that asks for a stream
 */
static SoupMessage *
beckon_http_message_new (GUri *uri, const BeckonCodec *codec, const char *key, const char *const *headers, GBytes *body)
{
  SoupMessage *message;

  message = soup_message_new_from_uri (SOUP_METHOD_POST, uri);
  /* Without IDEMPOTENT every POST gets a connection of its own. A redirect would carry the key to another host. */
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_IDEMPOTENT);
  soup_message_set_request_body_from_bytes (message, "application/json", body);
  set_headers (soup_message_get_request_headers (message), uri, codec, key);
  add_headers (soup_message_get_request_headers (message), headers);
  return message;
}

SoupMessage *
beckon_http_message_new_get (GUri *uri, const BeckonCodec *codec, const char *key, const char *const *headers)
{
  SoupMessage *message;

  message = soup_message_new_from_uri (SOUP_METHOD_GET, uri);
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  set_headers (soup_message_get_request_headers (message), uri, codec, key);
  add_headers (soup_message_get_request_headers (message), headers);
  return message;
}

static void
beckon_http_stream_dispose (GObject *object)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (object);

  g_assert (self->task == NULL);
  g_clear_object (&self->exchange);
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
  self->beginning = g_byte_array_new ();
  self->retry_after_ms = -1;
}

BeckonHttpStream *
beckon_http_stream_new (SoupSession *session, BeckonClock *clock, const BeckonProviderLimits *limits,
                        const BeckonCodec *codec)
{
  BeckonHttpStream *self;

  self = g_object_new (BECKON_TYPE_HTTP_STREAM, NULL);
  self->session = g_object_ref (session);
  self->clock = g_object_ref (clock);
  self->limits = *limits;
  self->codec = codec;
  return self;
}

static gboolean
is_cancelled (BeckonHttpStream *self)
{
  return g_cancellable_is_cancelled (g_task_get_cancellable (self->task));
}

static void
http_stream_on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (user_data);

  if (is_cancelled (self))
    return;
  self->spoke = TRUE;
  self->function (event, self->function_data);
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

/* Takes @error. */
static void
http_stream_fail (BeckonHttpStream *self, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  g_assert (task != NULL);
  beckon_http_exchange_stop (self->exchange);
  g_task_return_error (task, error);
}

static void
fail_with_response (BeckonHttpStream *self)
{
  SoupMessage *message = beckon_http_exchange_get_message (self->exchange);
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  BeckonLlmFailure failure = {
    .host = self->host,
    .status = soup_message_get_status (message),
    .location = soup_message_headers_get_one (headers, "Location"),
    .retry_after = soup_message_headers_get_one (headers, "Retry-After"),
    .retry_after_ms = soup_message_headers_get_one (headers, "Retry-After-Ms"),
    .key = self->key,
    .body = (const char *) self->beginning->data,
    .length = self->beginning->len,
    .now = beckon_clock_get_real_time (self->clock),
  };

  http_stream_fail (self, beckon_llm_failure_to_error (&failure, &self->retry_after_ms));
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
http_stream_hand_over (BeckonHttpStream *self)
{
  beckon_decoder_finish (self->decoder);
  g_idle_add_full (G_PRIORITY_DEFAULT, on_hand_over, g_object_ref (self), g_object_unref);
}

/* --- The body ----------------------------------------------------------------------------------------------------- */

static void
keep_beginning (BeckonHttpStream *self, const char *data, gsize length)
{
  gsize room = BECKON_LLM_FAILURE_BODY_MAX - self->beginning->len;

  g_byte_array_append (self->beginning, (const guint8 *) data, (guint) MIN (length, room));
}

static void
expect_error (BeckonHttpStream *self)
{
  self->kind = BECKON_BODY_OTHER;
  beckon_http_exchange_set_patience (self->exchange, ERROR_BODY_S);
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
      http_stream_fail (self, beckon_llm_failure_from_stop ());
      return FALSE;
    }
  if (!pushed)
    {
      http_stream_fail (self, error);
      return FALSE;
    }
  if (beckon_decoder_is_terminated (self->decoder))
    {
      /* The rest is framing; read to its end, the connection serves the next round. */
      http_stream_hand_over (self);
      beckon_http_exchange_drain (self->exchange, DRAIN_S);
      return FALSE;
    }
  return TRUE;
}

static gboolean
is_within_cap (BeckonHttpStream *self)
{
  g_autofree char *size = NULL;

  if (self->received <= self->limits.stream_bytes)
    return TRUE;
  size = g_format_size (self->limits.stream_bytes);
  http_stream_fail (self, beckon_text_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE,
                                                 _("%s sent more than %s in one reply."),
                                                 self->host,
                                                 size));
  return FALSE;
}

static void
guess_kind (BeckonHttpStream *self, const char *data, gsize length)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (beckon_http_exchange_get_message (self->exchange));

  self->kind = beckon_body_kind_guess (soup_message_headers_get_content_type (headers, NULL), data, length);
  if (self->kind == BECKON_BODY_OTHER)
    expect_error (self);
}

static gboolean
http_stream_on_body (const char *data, gsize length, gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = g_object_ref (BECKON_HTTP_STREAM (user_data));

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
  if (self->kind == BECKON_BODY_OTHER || is_json_error (self))
    fail_with_response (self);
  else if (self->received == 0)
    http_stream_fail (self, beckon_llm_failure_from_silence (self->host));
  else
    http_stream_hand_over (self);
}

/* A body that breaks off is what one is that ends too early: which of the two is told differs between versions of libsoup. */
static void
take_break (BeckonHttpStream *self, const BeckonHttpOutcome *outcome)
{
  if (self->kind == BECKON_BODY_OTHER)
    fail_with_response (self);
  else if (self->spoke || beckon_llm_failure_is_hang_up (outcome->error))
    http_stream_hand_over (self);
  else
    http_stream_fail (self, beckon_llm_failure_from_outcome (self->host, outcome));
}

static void
http_stream_on_end (const BeckonHttpOutcome *outcome, gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = g_object_ref (BECKON_HTTP_STREAM (user_data));

  if (outcome->end == BECKON_HTTP_END_WHOLE)
    take_end (self);
  else if (outcome->end == BECKON_HTTP_END_BROKEN)
    take_break (self, outcome);
  else if (outcome->end == BECKON_HTTP_END_LATE && self->kind == BECKON_BODY_OTHER)
    fail_with_response (self);
  else
    http_stream_fail (self, beckon_llm_failure_from_outcome (self->host, outcome));
}

static gboolean
http_stream_on_head (SoupMessage *message, gpointer user_data)
{
  g_autoptr (BeckonHttpStream) self = g_object_ref (BECKON_HTTP_STREAM (user_data));
  guint status = soup_message_get_status (message);

  if (SOUP_STATUS_IS_REDIRECTION (status))
    {
      fail_with_response (self);
      return FALSE;
    }
  if (!SOUP_STATUS_IS_SUCCESSFUL (status))
    expect_error (self);
  return TRUE;
}

/* --- Interface ---------------------------------------------------------------------------------------------------- */

static SoupMessage *
http_stream_make_message (gpointer user_data)
{
  BeckonHttpStream *self = BECKON_HTTP_STREAM (user_data);

  return beckon_http_message_new (self->uri, self->codec, self->key, (const char *const *) self->headers, self->body);
}

void
beckon_http_stream_run_async (BeckonHttpStream *stream, GUri *uri, const char *key, const char *const *headers,
                              GBytes *body, BeckonLlmEventFunc function, gpointer function_data,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonHttpHandler handler
    = { http_stream_make_message, http_stream_on_head, http_stream_on_body, http_stream_on_end };
  BeckonHttpLimits limits;

  stream->uri = g_uri_ref (uri);
  stream->host = beckon_http_dup_host (uri);
  stream->key = g_strdup (key);
  stream->headers = g_strdupv ((char **) headers);
  stream->body = g_bytes_ref (body);
  stream->function = function;
  stream->function_data = function_data;
  stream->decoder = stream->codec->decoder_new (http_stream_on_event, stream);
  stream->task = g_task_new (stream, cancellable, callback, user_data);
  g_task_set_source_tag (stream->task, beckon_http_stream_run_async);
  limits = (BeckonHttpLimits) {
    .connect_s = stream->limits.connect_s,
    .first_byte_s = stream->limits.first_byte_s,
    .idle_s = stream->limits.idle_s,
    .pace_ms = stream->limits.pace_ms,
  };
  stream->exchange = beckon_http_exchange_new (stream->session, stream->clock, &limits, &handler, stream);
  beckon_http_exchange_begin (stream->exchange, cancellable);
}

gboolean
beckon_http_stream_run_finish (BeckonHttpStream *stream, GAsyncResult *result, gint64 *retry_after_ms, GError **error)
{
  *retry_after_ms = stream->retry_after_ms;
  return g_task_propagate_boolean (G_TASK (result), error);
}
