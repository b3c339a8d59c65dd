/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-http-message.h"

#include "beckon-llm-address.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/* A connection over which nothing comes is asked for a sign of life after so long, and so often. */
#define SILENT_S 15
#define ASK_EVERY_S 5
#define ASK_TIMES 5

/* Unacknowledged data closes the connection then. */
#define TAKEN_MS (40 * 1000)

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

/* They were checked where they were entered, but what is in a file may be anything. */
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

static void
set_option (GSocket *socket, int level, int option, int value)
{
  g_autoptr (GError) error = NULL;

  if (!g_socket_set_option (socket, level, option, value, &error))
    g_debug ("a connection is not watched as it could be: %s", error->message);
}

static void
on_network_event (SoupMessage *message, GSocketClientEvent event, GIOStream *connection)
{
  GSocket *socket;

  if (event != G_SOCKET_CLIENT_CONNECTED || !G_IS_SOCKET_CONNECTION (connection))
    return;

  socket = g_socket_connection_get_socket (G_SOCKET_CONNECTION (connection));
  g_socket_set_keepalive (socket, TRUE);
  set_option (socket, IPPROTO_TCP, TCP_KEEPIDLE, SILENT_S);
  set_option (socket, IPPROTO_TCP, TCP_KEEPINTVL, ASK_EVERY_S);
  set_option (socket, IPPROTO_TCP, TCP_KEEPCNT, ASK_TIMES);
  set_option (socket, IPPROTO_TCP, TCP_USER_TIMEOUT, TAKEN_MS);
}

void
beckon_http_message_watch_peer (SoupMessage *message)
{
  g_return_if_fail (SOUP_IS_MESSAGE (message));

  g_signal_connect (message, "network-event", G_CALLBACK (on_network_event), NULL);
}

SoupMessage *
beckon_http_message_new (GUri *uri, const BeckonCodec *codec, const char *key, const char *const *headers, GBytes *body)
{
  SoupMessage *message;

  g_return_val_if_fail (uri != NULL, NULL);
  g_return_val_if_fail (codec != NULL, NULL);
  g_return_val_if_fail (body != NULL, NULL);

  message = soup_message_new_from_uri (SOUP_METHOD_POST, uri);
  /* Without IDEMPOTENT every POST gets a connection of its own. A redirect would carry the key to another host. */
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_IDEMPOTENT | SOUP_MESSAGE_COLLECT_METRICS);
  soup_message_set_request_body_from_bytes (message, "application/json", body);
  set_headers (soup_message_get_request_headers (message), uri, codec, key);
  add_headers (soup_message_get_request_headers (message), headers);
  beckon_http_message_watch_peer (message);
  return message;
}

SoupMessage *
beckon_http_message_new_get (GUri *uri, const BeckonCodec *codec, const char *key, const char *const *headers)
{
  SoupMessage *message;

  g_return_val_if_fail (uri != NULL, NULL);
  g_return_val_if_fail (codec != NULL, NULL);

  message = soup_message_new_from_uri (SOUP_METHOD_GET, uri);
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  set_headers (soup_message_get_request_headers (message), uri, codec, key);
  add_headers (soup_message_get_request_headers (message), headers);
  beckon_http_message_watch_peer (message);
  return message;
}

char *
beckon_http_message_dup_host (GUri *uri)
{
  int port;

  g_return_val_if_fail (uri != NULL, NULL);

  port = g_uri_get_port (uri);
  return port < 0 ? g_strdup (g_uri_get_host (uri)) : g_strdup_printf ("%s:%d", g_uri_get_host (uri), port);
}

gboolean
beckon_http_message_is_unanswered (SoupMessage *message)
{
  SoupMessageMetrics *metrics = soup_message_get_metrics (message);

  return metrics != NULL && soup_message_metrics_get_response_start (metrics) == 0;
}
