/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-loopback-listener.h"

#include <errno.h>
#include <libsoup/soup.h>
#include <string.h>

/* A request with no more behind its head is answered. */
#define BODY_MAX (16 * 1024)

/* A port may be taken on one of the two loopback addresses alone. */
#define PORT_TRIES 8

struct _BeckonLoopbackListener
{
  GObject parent_instance;

  SoupServer *server; /* (owned) (nullable): while it listens */
  guint port;
  const BeckonLoopbackHandler *handler;
  gpointer data; /* (unowned) */
  gboolean is_answered;
};

G_DEFINE_FINAL_TYPE (BeckonLoopbackListener, beckon_loopback_listener, G_TYPE_OBJECT)

void
beckon_loopback_listener_stop (BeckonLoopbackListener *self)
{
  g_return_if_fail (BECKON_IS_LOOPBACK_LISTENER (self));

  if (self->server == NULL)
    return;
  /* Requests that are under way go on without it. */
  soup_server_remove_handler (self->server, NULL);
  soup_server_disconnect (self->server);
  g_clear_object (&self->server);
}

static void
beckon_loopback_listener_dispose (GObject *object)
{
  beckon_loopback_listener_stop (BECKON_LOOPBACK_LISTENER (object));
  G_OBJECT_CLASS (beckon_loopback_listener_parent_class)->dispose (object);
}

static void
beckon_loopback_listener_class_init (BeckonLoopbackListenerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_loopback_listener_dispose;
}

static void
beckon_loopback_listener_init (BeckonLoopbackListener *self)
{
}

gboolean
beckon_loopback_is_same (const char *text, const char *secret)
{
  gsize length = strlen (secret);
  guchar difference = 0;

  if (text == NULL || strlen (text) != length)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    difference |= (guchar) (text[i] ^ secret[i]);
  return difference == 0;
}

/* --- Requests ----------------------------------------------------------------------------------------------------- */

static void
answer_nothing (SoupServerMessage *message)
{
  soup_message_headers_replace (soup_server_message_get_response_headers (message), "Connection", "close");
  soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
}

static gboolean
tell_shown (gpointer user_data)
{
  BeckonLoopbackListener *self = user_data;

  if (self->server != NULL)
    self->handler->shown (self->data);
  return G_SOURCE_REMOVE;
}

/* Later, because the server is still busy with it. */
static void
on_page_sent (BeckonLoopbackListener *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, tell_shown, g_object_ref (self), g_object_unref);
}

static gboolean
is_expected (BeckonLoopbackListener *self, SoupServerMessage *message, const char *path, GHashTable *query)
{
  return self->server != NULL && !self->is_answered && soup_server_message_get_method (message) == SOUP_METHOD_GET
         && query != NULL && self->handler->expects (path, query, self->data);
}

static gboolean
has_large_body (SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);

  return soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CHUNKED
         || soup_message_headers_get_content_length (headers) > BODY_MAX;
}

/* Before a body is read, of which nothing is kept; any program and any page of this computer may send one. */
static void
on_early_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer user_data)
{
  soup_message_body_set_accumulate (soup_server_message_get_request_body (message), FALSE);
  if (has_large_body (message))
    g_socket_shutdown (soup_server_message_get_socket (message), TRUE, TRUE, NULL);
  if (!is_expected (BECKON_LOOPBACK_LISTENER (user_data), message, path, query))
    answer_nothing (message);
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer user_data)
{
  BeckonLoopbackListener *self = BECKON_LOOPBACK_LISTENER (user_data);
  const char *text;
  SoupMessageHeaders *headers;
  g_autofree char *words = NULL;
  g_autofree char *page = NULL;

  if (!is_expected (self, message, path, query))
    {
      answer_nothing (message);
      return;
    }
  self->is_answered = TRUE;
  text = self->handler->take (query, self->data);
  headers = soup_server_message_get_response_headers (message);
  words = g_markup_escape_text (text, -1);
  page = g_strdup_printf ("<!DOCTYPE html><meta charset=\"utf-8\"><title>Beckon</title><p dir=\"auto\">%s</p>\n", words);
  soup_message_headers_replace (headers, "Content-Security-Policy", "default-src 'none'");
  soup_message_headers_replace (headers, "Referrer-Policy", "no-referrer");
  soup_message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
  soup_message_headers_replace (headers, "Cache-Control", "no-store");
  soup_message_headers_replace (headers, "Connection", "close");
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response (message, "text/html; charset=utf-8", SOUP_MEMORY_COPY, page, strlen (page));
  g_signal_connect_object (message, "finished", G_CALLBACK (on_page_sent), self, G_CONNECT_SWAPPED);
}

/* --- Listening ---------------------------------------------------------------------------------------------------- */

static guint
find_port (SoupServer *server)
{
  GSList *uris = soup_server_get_uris (server);
  guint port = (guint) g_uri_get_port (uris->data);

  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return port;
}

static gboolean
listen_on (SoupServer *server, GSocketFamily family, guint port, GError **error)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (family);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, (guint16) port);

  return soup_server_listen (server, address, 0, error);
}

/* (transfer full) (nullable): on @port, which nobody else has on either address. */
static SoupServer *
try_port (guint port, gboolean both, gboolean *is_taken, GError **error)
{
  g_autoptr (SoupServer) server = soup_server_new ("server-header", NULL, NULL);
  g_autoptr (GError) other = NULL;

  *is_taken = FALSE;
  if (!listen_on (server, G_SOCKET_FAMILY_IPV4, port, error))
    return NULL;
  if (!both || listen_on (server, G_SOCKET_FAMILY_IPV6, find_port (server), &other)
      || !g_error_matches (other, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE))
    return g_steal_pointer (&server);
  soup_server_disconnect (server);
  *is_taken = TRUE;
  return NULL;
}

BeckonLoopbackListener *
beckon_loopback_listener_new (guint16 port, gboolean both, const BeckonLoopbackHandler *handler, gpointer data, GError **error)
{
  g_autoptr (BeckonLoopbackListener) self = NULL;
  SoupServer *server;
  gboolean is_taken = TRUE;

  g_return_val_if_fail (handler != NULL, NULL);

  server = port != 0 ? try_port (port, both, &is_taken, NULL) : NULL;

  is_taken = TRUE;
  for (guint i = 0; server == NULL && is_taken && i < PORT_TRIES; i++)
    server = try_port (0, both, &is_taken, error);
  if (server == NULL && is_taken)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE, g_strerror (EADDRINUSE));
  if (server == NULL)
    return NULL;
  self = g_object_new (BECKON_TYPE_LOOPBACK_LISTENER, NULL);
  self->server = server;
  self->port = find_port (server);
  self->handler = handler;
  self->data = data;
  soup_server_add_early_handler (server, NULL, on_early_request, self, NULL);
  soup_server_add_handler (server, NULL, on_request, self, NULL);
  return g_steal_pointer (&self);
}

guint
beckon_loopback_listener_get_port (BeckonLoopbackListener *self)
{
  g_return_val_if_fail (BECKON_IS_LOOPBACK_LISTENER (self), 0);

  return self->port;
}
