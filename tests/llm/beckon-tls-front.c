/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tls-front.h"

#include "beckon-fixture-peer.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

struct _BeckonTlsFront
{
  GSocketListener *listener;
  GTlsCertificate *certificate;
  GCancellable *cancellable;
  GThread *thread;
  GPtrArray *pairs; /* only the thread's, until it is joined */
  guint16 port;
  guint16 behind;
};

typedef struct
{
  BeckonTlsFront *front;
  GSocketConnection *outside;
  GIOStream *tls;
  GSocketConnection *inside;
  GThread *thread;
} Pair;

static void
pair_free (Pair *pair)
{
  g_thread_join (pair->thread);
  g_object_unref (pair->outside);
  g_object_unref (pair->tls);
  g_clear_object (&pair->inside);
  g_free (pair);
}

/* Small pieces would wait for the acknowledgement of those before. */
static void
send_at_once (GSocketConnection *connection)
{
  g_socket_set_option (g_socket_connection_get_socket (connection), IPPROTO_TCP, TCP_NODELAY, 1, NULL);
}

static void
reset (GSocketConnection *connection)
{
  struct linger now = { .l_onoff = 1, .l_linger = 0 };
  GSocket *socket = g_socket_connection_get_socket (connection);

  setsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  g_socket_close (socket, NULL);
}

static guint16
get_peer_port (GSocketConnection *connection)
{
  g_autoptr (GSocketAddress) address = g_socket_connection_get_remote_address (connection, NULL);

  return address != NULL ? g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)) : 0;
}

/* A reset takes away what was sent and not read yet; the server behind waits for that before it resets, and so does this. */
static void
wait_until_read (Pair *pair)
{
  gint64 end = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;
  guint16 port = get_peer_port (pair->outside);

  while (beckon_fixture_peer_count_unread (pair->front->port, port) > 0 && g_get_monotonic_time () < end
         && !g_cancellable_is_cancelled (pair->front->cancellable))
    g_thread_yield ();
}

static void
on_spliced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **spliced = user_data;

  *spliced = g_object_ref (result);
}

/* Passes on what both sides say until one of them has nothing more to say; %FALSE if it broke off. */
static gboolean
splice (Pair *pair)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GAsyncResult) spliced = NULL;

  g_main_context_push_thread_default (context);
  g_io_stream_splice_async (pair->tls, G_IO_STREAM (pair->inside), G_IO_STREAM_SPLICE_NONE, G_PRIORITY_DEFAULT,
                            pair->front->cancellable, on_spliced, &spliced);
  while (spliced == NULL)
    g_main_context_iteration (context, TRUE);
  g_main_context_pop_thread_default (context);
  return g_io_stream_splice_finish (spliced, NULL);
}

static gpointer
serve (gpointer data)
{
  Pair *pair = data;
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  GCancellable *cancellable = pair->front->cancellable;

  if (!g_tls_connection_handshake (G_TLS_CONNECTION (pair->tls), cancellable, NULL))
    return NULL;
  pair->inside = g_socket_client_connect_to_host (client, "127.0.0.1", pair->front->behind, cancellable, NULL);
  if (pair->inside == NULL)
    return NULL;
  send_at_once (pair->inside);
  if (!splice (pair))
    {
      wait_until_read (pair);
      reset (pair->outside);
    }
  g_io_stream_close (pair->tls, NULL, NULL);
  g_io_stream_close (G_IO_STREAM (pair->inside), NULL, NULL);
  return NULL;
}

static gpointer
serve_all (gpointer data)
{
  BeckonTlsFront *self = data;

  for (;;)
    {
      GSocketConnection *connection = g_socket_listener_accept (self->listener, NULL, self->cancellable, NULL);
      Pair *pair;

      if (connection == NULL)
        return NULL;
      send_at_once (connection);
      pair = g_new0 (Pair, 1);
      pair->front = self;
      pair->outside = connection;
      pair->tls = g_tls_server_connection_new (G_IO_STREAM (connection), self->certificate, NULL);
      g_ptr_array_add (self->pairs, pair);
      pair->thread = g_thread_new ("front", serve, pair);
    }
}

static char *
find_file (const char *name)
{
  /* A program that is no test says where they are. */
  const char *folder = g_getenv ("BECKON_TEST_TLS_FOLDER");

  return folder != NULL ? g_build_filename (folder, name, NULL)
                        : g_test_build_filename (G_TEST_DIST, "llm", "tls", name, NULL);
}

static void
trust_authority (void)
{
  g_autofree char *authority = find_file ("authority.pem");
  g_autoptr (GError) error = NULL;
  g_autoptr (GTlsDatabase) database = NULL;

  if (!g_tls_backend_supports_tls (g_tls_backend_get_default ()))
    g_error ("GLib has no TLS; install glib-networking");
  database = g_tls_file_database_new (authority, &error);
  g_assert_no_error (error);
  g_tls_backend_set_default_database (g_tls_backend_get_default (), database);
}

BeckonTlsFront *
beckon_tls_front_new (const char *certificate, guint16 behind)
{
  BeckonTlsFront *self = g_new0 (BeckonTlsFront, 1);
  g_autofree char *path = find_file (certificate);
  g_autoptr (GError) error = NULL;

  trust_authority ();
  self->behind = behind;
  self->certificate = g_tls_certificate_new_from_file (path, &error);
  g_assert_no_error (error);
  self->listener = g_socket_listener_new ();
  self->cancellable = g_cancellable_new ();
  self->pairs = g_ptr_array_new_with_free_func ((GDestroyNotify) pair_free);
  self->port = g_socket_listener_add_any_inet_port (self->listener, NULL, &error);
  g_assert_no_error (error);
  self->thread = g_thread_new ("fronts", serve_all, self);
  return self;
}

void
beckon_tls_front_free (BeckonTlsFront *front)
{
  g_cancellable_cancel (front->cancellable);
  g_thread_join (front->thread);
  g_ptr_array_unref (front->pairs);
  g_socket_listener_close (front->listener);
  g_object_unref (front->listener);
  g_object_unref (front->certificate);
  g_object_unref (front->cancellable);
  g_free (front);
}

guint16
beckon_tls_front_get_port (BeckonTlsFront *front)
{
  return front->port;
}
