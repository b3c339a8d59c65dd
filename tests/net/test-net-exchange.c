/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An exchange alone, against a server on loopback. */

#include "beckon-fixture-server.h"
#include "beckon-tls-front.h"
#include "net/beckon-http-exchange.h"

#include <string.h>

#define WAIT(condition) \
  G_STMT_START \
  { \
    gint64 deadline_ = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; \
    while (!(condition)) \
      { \
        g_assert_cmpint (g_get_monotonic_time (), <, deadline_); \
        g_main_context_iteration (NULL, FALSE); \
      } \
  } \
  G_STMT_END

typedef struct
{
  BeckonFixtureServer *server;
  BeckonFixtureReply *reply;
  BeckonClock *clock;
  SoupSession *session;
  BeckonHttpLimits limits;
  GCancellable *cancellable;
  BeckonHttpExchange *exchange;
  char *uri;
  guint status;
  char *location; /* of a redirect */
  GString *body;
  guint n_ends;
  BeckonHttpOutcome outcome; /* without its error */
  gboolean has_error;
} Fixture;

static SoupMessage *
make_message (gpointer user_data)
{
  return soup_message_new (SOUP_METHOD_GET, ((Fixture *) user_data)->uri);
}

static gboolean
on_head (SoupMessage *message, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->status = soup_message_get_status (message);
  g_free (fixture->location);
  fixture->location = g_strdup (soup_message_headers_get_one (soup_message_get_response_headers (message), "Location"));
  return TRUE;
}

static gboolean
on_body (const char *data, gsize length, gpointer user_data)
{
  g_string_append_len (((Fixture *) user_data)->body, data, (gssize) length);
  return TRUE;
}

static void
on_end (const BeckonHttpOutcome *outcome, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_ends++;
  fixture->outcome = *outcome;
  fixture->has_error = outcome->error != NULL;
}

static const BeckonHttpHandler handler = { make_message, on_head, on_body, on_end };

static void
set_up (Fixture *fixture, gconstpointer data)
{
  memset (fixture, 0, sizeof *fixture);
  fixture->server = beckon_fixture_server_new (0);
  fixture->reply = beckon_fixture_reply_new ();
  fixture->clock = beckon_clock_new_manual (0);
  fixture->session = beckon_http_exchange_make_session (0);
  fixture->cancellable = g_cancellable_new ();
  fixture->uri = g_strconcat (beckon_fixture_server_get_base_url (fixture->server), "/there", NULL);
  fixture->body = g_string_new (NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->exchange);
  soup_session_abort (fixture->session);
  g_object_unref (fixture->session);
  beckon_fixture_server_free (fixture->server);
  g_object_unref (fixture->clock);
  g_object_unref (fixture->cancellable);
  beckon_fixture_reply_unref (fixture->reply);
  g_free (fixture->uri);
  g_free (fixture->location);
  g_string_free (fixture->body, TRUE);
}

static void
begin (Fixture *fixture)
{
  if (beckon_fixture_reply_get_n_steps (fixture->reply) > 0)
    beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_ref (fixture->reply));
  fixture->exchange = beckon_http_exchange_new (fixture->session, fixture->clock, &fixture->limits, &handler, fixture);
  beckon_http_exchange_begin (fixture->exchange, fixture->cancellable);
}

/* Told once: what comes later of the connection counts for nothing. */
static void
assert_ends (Fixture *fixture, BeckonHttpEnd end, BeckonHttpPhase phase)
{
  WAIT (fixture->n_ends > 0);
  g_assert_cmpint (fixture->outcome.end, ==, end);
  g_assert_cmpint (fixture->outcome.phase, ==, phase);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (fixture->n_ends, ==, 1);
}

static void
test_whole (Fixture *fixture, gconstpointer data)
{
  beckon_fixture_reply_add_response (fixture->reply, 200, NULL, "text/plain", "All of it");
  begin (fixture);
  assert_ends (fixture, BECKON_HTTP_END_WHOLE, BECKON_HTTP_PHASE_READING);
  g_assert_cmpuint (fixture->status, ==, 200);
  g_assert_cmpstr (fixture->body->str, ==, "All of it");
  g_assert_false (fixture->has_error);
}

/* The caller decides where its key may go: the new place is told, and sent nothing. */
static void
test_redirect (Fixture *fixture, gconstpointer data)
{
  beckon_fixture_reply_add_response (fixture->reply, 307, "Location: /elsewhere\r\n", "text/plain", "Moved");
  begin (fixture);
  assert_ends (fixture, BECKON_HTTP_END_WHOLE, BECKON_HTTP_PHASE_READING);
  g_assert_cmpuint (fixture->status, ==, 307);
  g_assert_cmpstr (fixture->location, ==, "/elsewhere");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

/* A server that accepts and then never says a word of TLS. */
static GSocketListener *
listen_silently (Fixture *fixture)
{
  GSocketListener *listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_assert_cmpuint (port, >, 0);
  g_free (fixture->uri);
  fixture->uri = g_strdup_printf ("https://127.0.0.1:%u/", port);
  return listener;
}

static void
hold_before_body (Fixture *fixture)
{
  beckon_fixture_reply_add_hold (fixture->reply, "gate");
  begin (fixture);
  WAIT (beckon_fixture_server_count_held (fixture->server, "gate") == 1);
}

static void
hold_in_body (Fixture *fixture)
{
  beckon_fixture_reply_add_stream_head (fixture->reply);
  beckon_fixture_reply_add_chunk (fixture->reply, "some", -1);
  beckon_fixture_reply_add_hold (fixture->reply, "gate");
  begin (fixture);
  WAIT (fixture->body->len == 4);
}

static void
test_cancel_connecting (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = listen_silently (fixture);

  begin (fixture);
  g_cancellable_cancel (fixture->cancellable);
  g_assert_cmpuint (fixture->n_ends, ==, 0);
  assert_ends (fixture, BECKON_HTTP_END_CANCELLED, BECKON_HTTP_PHASE_CONNECTING);
}

static void
test_cancel_waiting (Fixture *fixture, gconstpointer data)
{
  hold_before_body (fixture);
  g_cancellable_cancel (fixture->cancellable);
  assert_ends (fixture, BECKON_HTTP_END_CANCELLED, BECKON_HTTP_PHASE_WAITING);
  WAIT (beckon_fixture_server_count_open (fixture->server) == 0);
}

static void
test_cancel_reading (Fixture *fixture, gconstpointer data)
{
  hold_in_body (fixture);
  g_cancellable_cancel (fixture->cancellable);
  assert_ends (fixture, BECKON_HTTP_END_CANCELLED, BECKON_HTTP_PHASE_READING);
  g_assert_cmpstr (fixture->body->str, ==, "some");
  WAIT (beckon_fixture_server_count_open (fixture->server) == 0);
}

/* Stopped, it says nothing any more, be it in the middle of the body. */
static void
test_stop (Fixture *fixture, gconstpointer data)
{
  hold_in_body (fixture);
  beckon_http_exchange_stop (fixture->exchange);
  beckon_http_exchange_stop (fixture->exchange);
  WAIT (beckon_fixture_server_count_open (fixture->server) == 0);
  g_assert_cmpuint (fixture->n_ends, ==, 0);
}

/* A limit is none one second before its end. */
static void
pass_limit (Fixture *fixture, guint seconds)
{
  beckon_clock_advance (fixture->clock, (seconds - 1) * 1000);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (fixture->n_ends, ==, 0);
  beckon_clock_advance (fixture->clock, 2000);
}

static void
test_limit_connecting (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = listen_silently (fixture);

  fixture->limits.connect_s = 10;
  begin (fixture);
  pass_limit (fixture, 10);
  assert_ends (fixture, BECKON_HTTP_END_LATE, BECKON_HTTP_PHASE_CONNECTING);
  g_assert_cmpuint (fixture->outcome.seconds, ==, 10);
}

static void
test_limit_waiting (Fixture *fixture, gconstpointer data)
{
  fixture->limits.first_byte_s = 20;
  hold_before_body (fixture);
  pass_limit (fixture, 20);
  assert_ends (fixture, BECKON_HTTP_END_LATE, BECKON_HTTP_PHASE_WAITING);
  g_assert_cmpuint (fixture->outcome.seconds, ==, 20);
}

static void
test_limit_idle (Fixture *fixture, gconstpointer data)
{
  fixture->limits.idle_s = 30;
  hold_in_body (fixture);
  pass_limit (fixture, 30);
  assert_ends (fixture, BECKON_HTTP_END_LATE, BECKON_HTTP_PHASE_READING);
  g_assert_cmpuint (fixture->outcome.seconds, ==, 30);
}

/* All of it counts, whatever comes meanwhile. */
static void
test_limit_total (Fixture *fixture, gconstpointer data)
{
  fixture->limits.total_s = 40;
  hold_in_body (fixture);
  pass_limit (fixture, 40);
  assert_ends (fixture, BECKON_HTTP_END_LATE, BECKON_HTTP_PHASE_READING);
}

static void
test_reset (Fixture *fixture, gconstpointer data)
{
  beckon_fixture_reply_add_stream_head (fixture->reply);
  beckon_fixture_reply_add_chunk (fixture->reply, "some", -1);
  beckon_fixture_reply_add_drain (fixture->reply);
  beckon_fixture_reply_add_reset (fixture->reply);
  begin (fixture);
  assert_ends (fixture, BECKON_HTTP_END_BROKEN, BECKON_HTTP_PHASE_READING);
  g_assert_true (fixture->has_error);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = listen_silently (fixture);

  g_socket_listener_close (listener);
  begin (fixture);
  assert_ends (fixture, BECKON_HTTP_END_UNSENT, BECKON_HTTP_PHASE_CONNECTING);
  g_assert_true (fixture->has_error);
}

/* A proxy of the system that is nowhere is not asked for this computer. */
static void
test_no_proxy (void)
{
  g_auto (GStrv) proxies = NULL;
  Fixture fixture;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      return;
    }

  g_setenv ("GIO_USE_PROXY_RESOLVER", "libproxy", TRUE);
  g_setenv ("http_proxy", "http://127.0.0.1:9", TRUE);
  g_unsetenv ("no_proxy");
  proxies = g_proxy_resolver_lookup (g_proxy_resolver_get_default (), "http://example.org/", NULL, NULL);
  if (proxies == NULL || !g_str_equal (proxies[0], "http://127.0.0.1:9"))
    g_error ("no proxy is taken from the environment here: %s", proxies != NULL ? proxies[0] : "none");
  set_up (&fixture, NULL);
  beckon_fixture_reply_add_response (fixture.reply, 200, NULL, "text/plain", "Here");
  begin (&fixture);
  assert_ends (&fixture, BECKON_HTTP_END_WHOLE, BECKON_HTTP_PHASE_READING);
  g_assert_cmpstr (fixture.body->str, ==, "Here");
  tear_down (&fixture, NULL);
}

static void
test_certificate (Fixture *fixture, gconstpointer certificate)
{
  g_autoptr (BeckonTlsFront) front
    = beckon_tls_front_new (certificate, beckon_fixture_server_get_port (fixture->server));
  gboolean is_good = g_str_equal (certificate, "good.pem");

  beckon_fixture_reply_add_response (fixture->reply, 200, NULL, "text/plain", "Secret");
  g_free (fixture->uri);
  fixture->uri = g_strdup_printf ("https://127.0.0.1:%u/", beckon_tls_front_get_port (front));
  begin (fixture);
  if (is_good)
    {
      assert_ends (fixture, BECKON_HTTP_END_WHOLE, BECKON_HTTP_PHASE_READING);
      return;
    }
  assert_ends (fixture, BECKON_HTTP_END_UNSENT, BECKON_HTTP_PHASE_CONNECTING);
  g_assert_cmpint (fixture->outcome.certificate, !=, 0);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add ("/net/exchange/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("whole", test_whole);
  ADD ("redirect", test_redirect);
  ADD ("cancel-connecting", test_cancel_connecting);
  ADD ("cancel-waiting", test_cancel_waiting);
  ADD ("cancel-reading", test_cancel_reading);
  ADD ("stop", test_stop);
  ADD ("limit-connecting", test_limit_connecting);
  ADD ("limit-waiting", test_limit_waiting);
  ADD ("limit-idle", test_limit_idle);
  ADD ("limit-total", test_limit_total);
  ADD ("reset", test_reset);
  ADD ("refused", test_refused);
  g_test_add_func ("/net/exchange/no-proxy", test_no_proxy);
#undef ADD
#define ADD(name) g_test_add ("/net/exchange-tls/" name, Fixture, name ".pem", set_up, test_certificate, tear_down)
  ADD ("good");
  ADD ("self-signed");
  ADD ("expired");
  ADD ("elsewhere");
  return g_test_run ();
}
