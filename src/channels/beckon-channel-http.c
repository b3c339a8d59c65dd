/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-http.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "llm/beckon-llm-failure.h"
#include "net/beckon-http-exchange.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A server may not send everything to sleep for longer. */
#define MOST_RETRY_AFTER_S (60 * 60)

typedef struct
{
  BeckonHttpExchange *exchange;
  SoupMessage *message;
  gboolean is_sent;
  char *host;
  gsize most;
  GString *body;
} Ask;

gboolean
beckon_channel_check_address (const char *url, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  gboolean is_plain = host != NULL && *host != '\0' && g_uri_get_userinfo (uri) == NULL && g_uri_get_query (uri) == NULL
                      && g_uri_get_fragment (uri) == NULL;

  if (is_plain
      && (strcmp (g_uri_get_scheme (uri), "https") == 0
          || (strcmp (g_uri_get_scheme (uri), "http") == 0 && beckon_uri_is_loopback (url))))
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("Enter the server's address, such as https://example.com."));
  return FALSE;
}

void
beckon_channel_reply_free (BeckonChannelReply *reply)
{
  g_free (reply->body);
  g_free (reply);
}

static void
ask_free (gpointer data)
{
  Ask *ask = data;

  g_object_unref (ask->exchange);
  g_object_unref (ask->message);
  g_free (ask->host);
  g_string_free (ask->body, TRUE);
  g_free (ask);
}

/* A message that was sent may have arrived: whoever asks decides whether it goes again. */
static SoupMessage *
channel_http_make_message (gpointer user_data)
{
  Ask *ask = g_task_get_task_data (G_TASK (user_data));

  if (ask->is_sent)
    return NULL;
  ask->is_sent = TRUE;
  return g_object_ref (ask->message);
}

static gboolean
channel_http_on_head (SoupMessage *message, gpointer user_data)
{
  return TRUE;
}

static gboolean
channel_http_on_body (const char *data, gsize length, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Ask *ask = g_task_get_task_data (task);

  if (ask->body->len + length <= ask->most)
    {
      g_string_append_len (ask->body, data, (gssize)length);
      g_steal_pointer (&task);
      return TRUE;
    }
  beckon_http_exchange_stop (ask->exchange);
  g_task_return_error (task, beckon_text_error_new (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED,
                                                    _("The answer from %s is too large."), ask->host));
  return FALSE;
}

static GError *
make_error (Ask *ask, const BeckonHttpOutcome *outcome)
{
  BeckonHttpOutcome whole = *outcome;
  g_autoptr (GError) error = NULL;

  /* The limit is one for all of it: what was late is the answer. */
  whole.phase = MIN (outcome->phase, BECKON_HTTP_PHASE_WAITING);
  error = beckon_llm_failure_from_outcome (ask->host, &whole);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_steal_pointer (&error);
  return g_error_new_literal (
      BECKON_CHANNEL_ERROR,
      outcome->end == BECKON_HTTP_END_LATE ? BECKON_CHANNEL_ERROR_LATE : BECKON_CHANNEL_ERROR_NETWORK, error->message);
}

/* The task belongs to the exchange until the end, which gives it back. */
static void
channel_http_on_end (const BeckonHttpOutcome *outcome, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Ask *ask = g_task_get_task_data (task);

  if (outcome->end == BECKON_HTTP_END_WHOLE)
    {
      BeckonChannelReply *reply = g_new0 (BeckonChannelReply, 1);
      const char *value;
      guint64 seconds = 0;

      reply->status = soup_message_get_status (ask->message);

      value = soup_message_headers_get_one (soup_message_get_response_headers (ask->message), "Retry-After");
      if (value != NULL)
        g_ascii_string_to_unsigned (value, 10, 0, MOST_RETRY_AFTER_S, &seconds, NULL);
      reply->retry_after_s = (guint) seconds;
      reply->length = ask->body->len;
      reply->body = g_string_free (g_steal_pointer (&ask->body), FALSE);
      ask->body = g_string_new (NULL);
      g_task_return_pointer (task, reply, (GDestroyNotify) beckon_channel_reply_free);
    }
  else
    g_task_return_error (task, make_error (ask, outcome));
}

void
beckon_channel_http_ask_async (SoupSession *session,
                               BeckonClock *clock,
                               SoupMessage *message,
                               guint seconds,
                               gsize most,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  static const BeckonHttpHandler handler
    = { channel_http_make_message, channel_http_on_head, channel_http_on_body, channel_http_on_end };
  const BeckonHttpLimits limits = { .total_s = seconds };
  GTask *task = g_task_new (session, cancellable, callback, user_data);
  Ask *ask = g_new0 (Ask, 1);

  g_task_set_source_tag (task, beckon_channel_http_ask_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, ask, ask_free);
  ask->message = g_object_ref (message);
  ask->host = beckon_http_dup_host (soup_message_get_uri (message));
  ask->most = most;
  ask->body = g_string_new (NULL);
  ask->exchange = beckon_http_exchange_new (session, clock, &limits, &handler, task);
  beckon_http_exchange_begin (ask->exchange, cancellable);
}

BECKON_FINISH_POINTER (BeckonChannelReply *, beckon_channel_http_ask, SoupSession)
