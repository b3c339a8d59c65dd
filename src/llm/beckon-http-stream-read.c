/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-http-stream-private.h"

#include "beckon-llm-complaint.h"
#include "beckon-llm-failure.h"

#include <glib/gi18n-lib.h>

/* Reading of a body: its kind, the decoder, the caps, and the three ways it can end. */

static gboolean
is_cancelled (BeckonHttpStream *self)
{
  return g_cancellable_is_cancelled (g_task_get_cancellable (self->task));
}

void
beckon_http_stream_on_event (const BeckonLlmEvent *event, gpointer user_data)
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
  beckon_http_stream_stop_watching (self);
  g_idle_add_full (G_PRIORITY_DEFAULT, on_hand_over, g_object_ref (self), g_object_unref);
}

/* The rest is only framing; read to its end, the connection serves the next round. */
static void
complete_and_drain (BeckonHttpStream *self)
{
  hand_over (self);
  g_object_ref (self);
  beckon_http_stream_enter_phase (self, BECKON_HTTP_PHASE_DRAINING);
}

static void
complete_at_end (BeckonHttpStream *self)
{
  hand_over (self);
  beckon_http_stream_end_io (self);
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
  beckon_http_stream_fail_with_response (self);
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
      beckon_http_stream_fail_cancelled (self);
      return FALSE;
    }
  if (!pushed)
    beckon_http_stream_fail (self, error);
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
  beckon_http_stream_fail (self, g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE,
                                              _("%s sent more than %s in one reply."), self->host, size));
  return FALSE;
}

static void
guess_kind (BeckonHttpStream *self, const char *data, gsize length)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (self->message);

  self->kind = beckon_body_kind_guess (soup_message_headers_get_content_type (headers, NULL), data, length);
  if (self->kind == BECKON_BODY_OTHER)
    beckon_http_stream_enter_phase (self, BECKON_HTTP_PHASE_ERROR_BODY);
}

static gboolean
take_bytes (BeckonHttpStream *self, const char *data, gsize length)
{
  if (self->phase == BECKON_HTTP_PHASE_DRAINING)
    return TRUE;

  if (self->phase == BECKON_HTTP_PHASE_WAITING)
    beckon_http_stream_enter_phase (self, BECKON_HTTP_PHASE_READING);
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
  if (self->phase == BECKON_HTTP_PHASE_DRAINING)
    beckon_http_stream_end_drain (self);
  else if (self->kind == BECKON_BODY_OTHER || is_json_error (self))
    beckon_http_stream_fail_with_response (self);
  else if (self->received == 0)
    beckon_http_stream_fail (self, beckon_llm_failure_from_silence (self->host));
  else
    complete_at_end (self);
}

/* A body that breaks off is what one is that ends too early: which of the two is told differs between versions of libsoup. */
static void
take_break (BeckonHttpStream *self, const GError *error)
{
  if (self->phase == BECKON_HTTP_PHASE_DRAINING)
    beckon_http_stream_end_drain (self);
  else if (self->kind == BECKON_BODY_OTHER)
    beckon_http_stream_fail_with_response (self);
  else if (self->spoke || beckon_llm_failure_is_hang_up (error))
    complete_at_end (self);
  else
    beckon_http_stream_fail (self, beckon_llm_failure_from_transport (self->host, 0, error));
}

gboolean
beckon_http_stream_on_body (const char *data, gssize length, const GError *error, gpointer user_data)
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
