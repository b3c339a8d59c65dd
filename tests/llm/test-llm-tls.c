/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"

/* Connections that are not to be trusted. Before the fixture server stands a front that speaks TLS; the authority of
 * the tests, whose key is kept by nobody, is the only one that this process trusts. */

typedef struct
{
  GSocketListener *listener;
  GTlsCertificate *certificate;
  GCancellable *cancellable;
  GThread *thread;
  guint16 port;
  guint16 behind;
} Front;

static char *
find_file (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "llm", "tls", name, NULL);
}

static void
on_spliced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *done = user_data;

  g_io_stream_splice_finish (result, NULL);
  *done = TRUE;
}

/* Passes on what both sides say. */
static void
splice (Front *front, GIOStream *one, GIOStream *other)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  gboolean done = FALSE;

  g_main_context_push_thread_default (context);
  g_io_stream_splice_async (one, other, G_IO_STREAM_SPLICE_CLOSE_STREAM1 | G_IO_STREAM_SPLICE_CLOSE_STREAM2,
                            G_PRIORITY_DEFAULT, front->cancellable, on_spliced, &done);
  while (!done)
    g_main_context_iteration (context, TRUE);
  g_main_context_pop_thread_default (context);
}

static void
serve (Front *front, GSocketConnection *connection)
{
  g_autoptr (GIOStream) tls = g_tls_server_connection_new (G_IO_STREAM (connection), front->certificate, NULL);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) behind = NULL;

  if (!g_tls_connection_handshake (G_TLS_CONNECTION (tls), front->cancellable, NULL))
    return;
  behind = g_socket_client_connect_to_host (client, "127.0.0.1", front->behind, front->cancellable, NULL);
  if (behind != NULL)
    splice (front, tls, G_IO_STREAM (behind));
}

static gpointer
serve_all (gpointer data)
{
  Front *front = data;

  for (;;)
    {
      g_autoptr (GSocketConnection) connection = g_socket_listener_accept (front->listener, NULL, front->cancellable, NULL);

      if (connection == NULL)
        return NULL;
      serve (front, connection);
    }
}

static BeckonExchange *
front_open (Front *front, const char *certificate, const char *host)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = find_file (certificate);
  BeckonExchange *exchange;
  g_autofree char *url = NULL;

  front->certificate = g_tls_certificate_new_from_file (path, &error);
  g_assert_no_error (error);
  front->listener = g_socket_listener_new ();
  front->cancellable = g_cancellable_new ();
  front->port = g_socket_listener_add_any_inet_port (front->listener, NULL, &error);
  g_assert_no_error (error);

  url = g_strdup_printf ("https://%s:%u/v1", host, front->port);
  exchange = beckon_exchange_new_for_url (url, BECKON_EXCHANGE_KEY);
  front->behind = beckon_fixture_server_get_port (exchange->server);
  front->thread = g_thread_new ("front", serve_all, front);
  return exchange;
}

static void
front_close (Front *front)
{
  g_cancellable_cancel (front->cancellable);
  g_thread_join (front->thread);
  g_socket_listener_close (front->listener);
  g_object_unref (front->listener);
  g_object_unref (front->certificate);
  g_object_unref (front->cancellable);
}

static void
test_good (void)
{
  Front front;
  g_autoptr (BeckonExchange) exchange = front_open (&front, "good.pem", "127.0.0.1");

  for (guint i = 0; i < 3; i++)
    {
      beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
      beckon_exchange_assert_log (exchange, "text Hello\nusage 7 3\nend complete\n");
      beckon_exchange_wait_drained (exchange);
    }
  g_assert_cmpuint (beckon_fixture_server_count_connections (exchange->server), ==, 1);
  front_close (&front);
}

static void
test_bad (const char *certificate, const char *host, const char *words)
{
  Front front;
  g_autoptr (BeckonExchange) exchange = front_open (&front, certificate, host);

  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_TLS, words);
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 0);
  front_close (&front);
}

static void
test_self_signed (void)
{
  test_bad ("self-signed.pem", "127.0.0.1", "signed by nobody this computer trusts");
}

static void
test_expired (void)
{
  test_bad ("expired.pem", "127.0.0.1", "has expired");
}

static void
test_early (void)
{
  test_bad ("early.pem", "127.0.0.1", "not valid yet");
}

static void
test_wrong_host (void)
{
  test_bad ("elsewhere.pem", "127.0.0.1", "belongs to another name");
}

/* A server that does not speak TLS at all. */
static void
test_no_tls (void)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  g_autofree char *url = g_strdup_printf ("https://127.0.0.1:%u/v1", beckon_fixture_server_get_port (server));
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (url, BECKON_EXCHANGE_KEY);

  beckon_exchange_start (exchange);
  beckon_exchange_settle ();
  beckon_clock_advance (exchange->clock, 11 * 1000);
  beckon_exchange_wait (exchange);
  g_assert_cmpuint (exchange->error->domain, ==, BECKON_LLM_ERROR);
  g_assert_cmpstr (exchange->log->str, ==, "");
}

static void
test_redirect_to_http (void)
{
  Front front;
  g_autoptr (BeckonExchange) exchange = front_open (&front, "good.pem", "127.0.0.1");
  g_autoptr (BeckonFixtureServer) other = beckon_fixture_server_new (0);
  g_autofree char *header = g_strdup_printf ("Location: http://127.0.0.1:%u/v1\r\n", beckon_fixture_server_get_port (other));
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, 307, header, "text/plain", "");
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_REDIRECT, "“http://127.0.0.1:");
  g_assert_cmpuint (beckon_fixture_server_count_connections (other), ==, 0);
  front_close (&front);
}

int
main (int argc, char **argv)
{
  g_autofree char *authority = NULL;
  g_autoptr (GTlsDatabase) database = NULL;
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  authority = find_file ("authority.pem");
  if (!g_tls_backend_supports_tls (g_tls_backend_get_default ()))
    g_error ("GLib has no TLS; install glib-networking");
  database = g_tls_file_database_new (authority, &error);
  g_assert_no_error (error);
  g_tls_backend_set_default_database (g_tls_backend_get_default (), database);

  g_test_add_func ("/llm/tls/good", test_good);
  g_test_add_func ("/llm/tls/no-tls", test_no_tls);
  g_test_add_func ("/faults/D/62-https-to-http", test_redirect_to_http);
  g_test_add_func ("/faults/D/63-self-signed", test_self_signed);
  g_test_add_func ("/faults/D/63-expired", test_expired);
  g_test_add_func ("/faults/D/63-early", test_early);
  g_test_add_func ("/faults/D/63-wrong-host", test_wrong_host);
  return g_test_run ();
}
