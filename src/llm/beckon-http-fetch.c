/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-http-fetch.h"

#include "base/beckon-wipe.h"
#include "beckon-http-message.h"
#include "beckon-llm-failure.h"
#include "net/beckon-tls.h"

#include <glib/gi18n-lib.h>

#define PIECE_BYTES (64 * 1024)

typedef struct
{
  SoupMessage *message;
  BeckonClock *clock;
  char *host;
  char *key;
  guint seconds;
  guint timeout;
  gboolean connected;
  gboolean old_tls;
  GCancellable *io;
  GSource *cancelled;
  GInputStream *input;
  GByteArray *body;
  gboolean returned;
} Fetch;

static void
fetch_free (Fetch *fetch)
{
  g_clear_object (&fetch->input);
  g_object_unref (fetch->message);
  g_object_unref (fetch->clock);
  g_object_unref (fetch->io);
  g_byte_array_unref (fetch->body);
  g_free (fetch->host);
  beckon_wipe (fetch->key);
  g_free (fetch);
}

/* The first of server, clock and caller returns the task. */
static gboolean
take_return (Fetch *fetch)
{
  if (fetch->returned)
    return FALSE;
  fetch->returned = TRUE;
  beckon_clock_remove (fetch->clock, fetch->timeout);
  if (fetch->cancelled != NULL)
    g_source_destroy (fetch->cancelled);
  g_clear_pointer (&fetch->cancelled, g_source_unref);
  g_signal_handlers_disconnect_by_data (fetch->message, fetch);
  g_cancellable_cancel (fetch->io);
  return TRUE;
}

static void
fail (GTask *task, GError *error)
{
  if (take_return (g_task_get_task_data (task)))
    g_task_return_error (task, error);
  else
    g_error_free (error);
}

static gboolean
on_time_over (gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);
  Fetch *fetch = g_task_get_task_data (task);

  fetch->timeout = 0;
  fail (task, beckon_llm_failure_from_waiting (fetch->host,
                                               fetch->connected ? BECKON_LLM_WAIT_ANSWER : BECKON_LLM_WAIT_CONNECTION,
                                               fetch->seconds));
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);

  fail (task, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The request was stopped.")));
  return G_SOURCE_REMOVE;
}

static void
end (GTask *task)
{
  Fetch *fetch = g_task_get_task_data (task);
  SoupMessageHeaders *headers = soup_message_get_response_headers (fetch->message);
  BeckonLlmFailure failure = {
    .host = fetch->host,
    .status = soup_message_get_status (fetch->message),
    .location = soup_message_headers_get_one (headers, "Location"),
    .key = fetch->key,
    .body = (const char *) fetch->body->data,
    .length = MIN (fetch->body->len, BECKON_LLM_FAILURE_BODY_MAX),
    .now = beckon_clock_get_real_time (fetch->clock),
  };
  gint64 retry_after_ms;

  if (!SOUP_STATUS_IS_SUCCESSFUL (failure.status))
    fail (task, beckon_llm_failure_to_error (&failure, &retry_after_ms));
  else if (take_return (fetch))
    g_task_return_pointer (task, g_bytes_new (fetch->body->data, fetch->body->len), (GDestroyNotify) g_bytes_unref);
}

static void read_on (GTask *task);

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) piece = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);

  if (fetch->returned)
    return;
  if (piece == NULL)
    fail (task, beckon_llm_failure_from_transport (fetch->host, 0, error));
  else if (g_bytes_get_size (piece) == 0)
    end (task);
  else if (fetch->body->len + g_bytes_get_size (piece) > BECKON_HTTP_FETCH_MAX)
    fail (task, g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE, _("The answer from %s is too large."), fetch->host));
  else
    {
      g_byte_array_append (fetch->body, g_bytes_get_data (piece, NULL), (guint) g_bytes_get_size (piece));
      read_on (task);
    }
}

static void
read_on (GTask *task)
{
  Fetch *fetch = g_task_get_task_data (task);

  g_input_stream_read_bytes_async (fetch->input, PIECE_BYTES, G_PRIORITY_DEFAULT, fetch->io, on_read,
                                   g_object_ref (task));
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  fetch->input = soup_session_send_finish (SOUP_SESSION (source), result, &error);
  if (fetch->returned)
    return;
  if (fetch->old_tls)
    fail (task, beckon_llm_failure_from_old_tls (fetch->host));
  else if (fetch->input != NULL)
    read_on (task);
  else
    fail (task, beckon_llm_failure_from_transport (
                    fetch->host, soup_message_get_tls_peer_certificate_errors (fetch->message), error));
}

static void
on_starting (SoupMessage *message, gpointer user_data)
{
  Fetch *fetch = user_data;

  fetch->connected = TRUE;
  fetch->old_tls = beckon_tls_is_old (soup_message_get_tls_protocol_version (message));
  if (fetch->old_tls)
    g_cancellable_cancel (fetch->io);
}

void
beckon_http_fetch_async (SoupSession *session, BeckonClock *clock, SoupMessage *message, const char *key, guint seconds,
                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (session, cancellable, callback, user_data);
  Fetch *fetch = g_new0 (Fetch, 1);

  g_task_set_source_tag (task, beckon_http_fetch_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, fetch, (GDestroyNotify) fetch_free);
  fetch->message = g_object_ref (message);
  fetch->clock = g_object_ref (clock);
  fetch->host = beckon_http_message_dup_host (soup_message_get_uri (message));
  fetch->key = g_strdup (key);
  fetch->seconds = seconds;
  fetch->io = g_cancellable_new ();
  fetch->body = g_byte_array_new ();
  fetch->timeout = beckon_clock_add_timeout (clock, seconds * 1000, on_time_over, task);
  g_signal_connect (message, "starting", G_CALLBACK (on_starting), fetch);
  if (cancellable != NULL)
    {
      fetch->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (fetch->cancelled, G_SOURCE_FUNC (on_cancelled), task, NULL);
      g_source_attach (fetch->cancelled, g_main_context_get_thread_default ());
    }
  soup_session_send_async (session, message, G_PRIORITY_DEFAULT, fetch->io, on_sent, g_object_ref (task));
}

GBytes *
beckon_http_fetch_finish (SoupSession *session, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, session), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_http_fetch_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
