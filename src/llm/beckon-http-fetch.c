/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-http-fetch.h"

#include "base/beckon-finish.h"
#include "base/beckon-wipe.h"
#include "beckon-llm-failure.h"
#include "net/beckon-http-exchange.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  BeckonHttpExchange *exchange;
  SoupMessage *message;
  gboolean is_sent;
  BeckonClock *clock;
  char *host;
  char *key;
  GByteArray *body;
} Fetch;

static void
fetch_free (Fetch *fetch)
{
  g_object_unref (fetch->exchange);
  g_object_unref (fetch->message);
  g_object_unref (fetch->clock);
  g_byte_array_unref (fetch->body);
  g_free (fetch->host);
  beckon_wipe (fetch->key);
  g_free (fetch);
}

static SoupMessage *
http_fetch_make_message (gpointer user_data)
{
  Fetch *fetch = g_task_get_task_data (G_TASK (user_data));

  if (fetch->is_sent)
    return NULL;
  fetch->is_sent = TRUE;
  return g_object_ref (fetch->message);
}

static gboolean
http_fetch_on_head (SoupMessage *message, gpointer user_data)
{
  return TRUE;
}

static gboolean
http_fetch_on_body (const char *data, gsize length, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Fetch *fetch = g_task_get_task_data (task);

  if (fetch->body->len + length <= BECKON_HTTP_FETCH_MAX)
    {
      g_byte_array_append (fetch->body, (const guint8 *) data, (guint) length);
      g_steal_pointer (&task);
      return TRUE;
    }
  beckon_http_exchange_stop (fetch->exchange);
  g_task_return_new_error (task, BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE, _("The answer from %s is too large."),
                           fetch->host);
  return FALSE;
}

static void
return_answer (GTask *task, Fetch *fetch)
{
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

  if (SOUP_STATUS_IS_SUCCESSFUL (failure.status))
    g_task_return_pointer (task, g_bytes_new (fetch->body->data, fetch->body->len), (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, beckon_llm_failure_to_error (&failure, &retry_after_ms));
}

/* The task belongs to the exchange until the end, which gives it back. */
static void
http_fetch_on_end (const BeckonHttpOutcome *outcome, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  BeckonHttpOutcome whole = *outcome;

  if (outcome->end == BECKON_HTTP_END_WHOLE)
    {
      return_answer (task, fetch);
      return;
    }
  /* The limit is one for all of it: what was late is the answer. */
  whole.phase = MIN (outcome->phase, BECKON_HTTP_PHASE_WAITING);
  g_task_return_error (task, beckon_llm_failure_from_outcome (fetch->host, &whole));
}

void
beckon_http_fetch_async (SoupSession *session, BeckonClock *clock, SoupMessage *message, const char *key, guint seconds,
                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonHttpHandler handler
    = { http_fetch_make_message, http_fetch_on_head, http_fetch_on_body, http_fetch_on_end };
  const BeckonHttpLimits limits = { .total_s = seconds };
  GTask *task = g_task_new (session, cancellable, callback, user_data);
  Fetch *fetch = g_new0 (Fetch, 1);

  g_task_set_source_tag (task, beckon_http_fetch_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, fetch, (GDestroyNotify) fetch_free);
  fetch->message = g_object_ref (message);
  fetch->clock = g_object_ref (clock);
  fetch->host = beckon_http_dup_host (soup_message_get_uri (message));
  fetch->key = g_strdup (key);
  fetch->body = g_byte_array_new ();
  fetch->exchange = beckon_http_exchange_new (session, clock, &limits, &handler, task);
  beckon_http_exchange_begin (fetch->exchange, cancellable);
}

BECKON_FINISH_POINTER (GBytes *, beckon_http_fetch, SoupSession)
