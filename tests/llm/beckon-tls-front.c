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
  GMutex lock;
  GPtrArray *pairs; /* under the lock */
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
  GCancellable *ended;
  GMutex passing; /* held from taking a piece of a reply out of its socket to having put all of it into the other */
} Pair;

static void
pair_free (Pair *pair)
{
  g_thread_join (pair->thread);
  g_object_unref (pair->outside);
  g_object_unref (pair->tls);
  g_clear_object (&pair->inside);
  g_object_unref (pair->ended);
  g_mutex_clear (&pair->passing);
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

/* Until the client has nothing more to say. */
static gpointer
pass_requests (gpointer data)
{
  Pair *pair = data;

  g_output_stream_splice (g_io_stream_get_output_stream (G_IO_STREAM (pair->inside)), g_io_stream_get_input_stream (pair->tls),
                          G_OUTPUT_STREAM_SPLICE_NONE, pair->ended, NULL);
  g_cancellable_cancel (pair->ended);
  return NULL;
}

/* Passes on a piece of a reply: more than 0 if it continued, 0 at its end, -1 if it broke off. */
static gssize
pass_piece (Pair *pair, GSocket *socket)
{
  char piece[16 * 1024];
  gssize length;

  g_mutex_lock (&pair->passing);
  length = g_socket_receive (socket, piece, sizeof piece, pair->ended, NULL);
  if (length > 0
      && !g_output_stream_write_all (g_io_stream_get_output_stream (pair->tls), piece, (gsize) length, NULL, pair->ended, NULL))
    length = 0;
  g_mutex_unlock (&pair->passing);
  /* A caller that waits for beckon_tls_front_has_passed_on () asks again. */
  g_main_context_wakeup (NULL);
  return length;
}

/* Passes on what both sides say until one of them has nothing more to say; %FALSE if the server broke off. */
static gboolean
pass_on (Pair *pair)
{
  GSocket *socket = g_socket_connection_get_socket (pair->inside);
  GThread *requests = g_thread_new ("requests", pass_requests, pair);
  gssize length = 1;

  while (length > 0 && g_socket_condition_wait (socket, G_IO_IN | G_IO_HUP | G_IO_ERR, pair->ended, NULL))
    length = pass_piece (pair, socket);
  if (length < 0 && g_cancellable_is_cancelled (pair->ended))
    length = 0;
  g_cancellable_cancel (pair->ended);
  g_thread_join (requests);
  return length >= 0;
}

static gpointer
serve (gpointer data)
{
  Pair *pair = data;
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  GCancellable *cancellable = pair->front->cancellable;

  if (!g_tls_connection_handshake (G_TLS_CONNECTION (pair->tls), cancellable, NULL))
    return NULL;
  g_mutex_lock (&pair->passing);
  pair->inside = g_socket_client_connect_to_host (client, "127.0.0.1", pair->front->behind, cancellable, NULL);
  g_mutex_unlock (&pair->passing);
  if (pair->inside == NULL)
    return NULL;
  send_at_once (pair->inside);
  if (!pass_on (pair))
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
      pair->ended = g_cancellable_new ();
      g_mutex_init (&pair->passing);
      pair->thread = g_thread_new ("front", serve, pair);
      g_mutex_lock (&self->lock);
      g_ptr_array_add (self->pairs, pair);
      g_mutex_unlock (&self->lock);
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

static guint16
listen_on_loopback (GSocketListener *listener)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any_port = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (GError) error = NULL;

  g_socket_listener_add_address (listener, any_port, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &address, &error);
  g_assert_no_error (error);
  return g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
}

BeckonTlsFront *
beckon_tls_front_new (const char *certificate, guint16 behind)
{
  BeckonTlsFront *self = g_new0 (BeckonTlsFront, 1);
  g_autofree char *path = find_file (certificate);
  g_autoptr (GError) error = NULL;

  trust_authority ();
  g_mutex_init (&self->lock);
  self->behind = behind;
  self->certificate = g_tls_certificate_new_from_file (path, &error);
  g_assert_no_error (error);
  self->listener = g_socket_listener_new ();
  self->cancellable = g_cancellable_new ();
  self->pairs = g_ptr_array_new_with_free_func ((GDestroyNotify) pair_free);
  self->port = listen_on_loopback (self->listener);
  self->thread = g_thread_new ("fronts", serve_all, self);
  return self;
}

void
beckon_tls_front_free (BeckonTlsFront *front)
{
  g_cancellable_cancel (front->cancellable);
  g_thread_join (front->thread);
  for (guint i = 0; i < front->pairs->len; i++)
    g_cancellable_cancel (((Pair *) g_ptr_array_index (front->pairs, i))->ended);
  g_ptr_array_unref (front->pairs);
  g_socket_listener_close (front->listener);
  g_object_unref (front->listener);
  g_object_unref (front->certificate);
  g_object_unref (front->cancellable);
  g_mutex_clear (&front->lock);
  g_free (front);
}

/* No piece of a reply is held: not by the server's connection, the front, or the client's. */
static gboolean
has_passed_on (BeckonTlsFront *self, Pair *pair)
{
  g_autoptr (GSocketAddress) address = NULL;
  guint16 port;
  gboolean has_passed;

  if (!g_mutex_trylock (&pair->passing))
    return FALSE;
  if (pair->inside != NULL)
    address = g_socket_connection_get_local_address (pair->inside, NULL);
  port = address != NULL ? g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)) : 0;
  has_passed = address == NULL
               || (beckon_fixture_peer_count_unread (self->behind, port) <= 0
                   && beckon_fixture_peer_count_unread (self->port, get_peer_port (pair->outside)) <= 0);
  g_mutex_unlock (&pair->passing);
  return has_passed;
}

gboolean
beckon_tls_front_has_passed_on (BeckonTlsFront *front)
{
  gboolean has_passed = TRUE;

  g_mutex_lock (&front->lock);
  for (guint i = 0; i < front->pairs->len && has_passed; i++)
    has_passed = has_passed_on (front, g_ptr_array_index (front->pairs, i));
  g_mutex_unlock (&front->lock);
  return has_passed;
}

guint16
beckon_tls_front_get_port (BeckonTlsFront *front)
{
  return front->port;
}
