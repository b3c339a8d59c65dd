/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* Stop waits for nothing, wherever a request is: what it could wait for takes seconds. A machine that is busy with other things
 * may take the processor away, so the best of a few counts. */
#define WITHIN_US G_USEC_PER_SEC
#define TRIES 5

typedef void (*Begin) (BeckonExchange *exchange);

static void
cancel_and_wait (BeckonExchange *exchange)
{
  g_cancellable_cancel (exchange->cancellable);
  g_assert_false (exchange->done);
  beckon_exchange_wait (exchange);
}

static void
assert_cancelled (BeckonExchange *exchange)
{
  guint n_events = exchange->n_events;

  g_assert_error (exchange->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (exchange->retry_after_ms, ==, -1);
  beckon_fixture_server_release (exchange->server, "stall");
  beckon_exchange_wait_until (beckon_fixture_server_count_open (exchange->server) == 0);
  beckon_exchange_settle ();
  g_assert_cmpuint (exchange->n_events, ==, n_events);
}

static gint64
cancel_once (const char *url, Begin begin)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (url, BECKON_EXCHANGE_KEY);
  gint64 before, took;

  begin (exchange);
  before = g_get_monotonic_time ();
  cancel_and_wait (exchange);
  took = g_get_monotonic_time () - before;
  assert_cancelled (exchange);
  return took;
}

static void
assert_cancels (const char *url, Begin begin)
{
  gint64 best = G_MAXINT64;

  for (guint i = 0; i < TRIES && best >= WITHIN_US; i++)
    {
      gint64 took = cancel_once (url, begin);

      best = MIN (best, took);
    }
  g_assert_cmpint (best, <, WITHIN_US);
}

static void
begin_held_look_up (BeckonExchange *exchange)
{
  beckon_test_endpoint_set_held (exchange->endpoint, TRUE);
  beckon_exchange_start (exchange);
  beckon_exchange_settle ();
}

static void
begin_plain (BeckonExchange *exchange)
{
  beckon_exchange_start (exchange);
  beckon_exchange_settle ();
}

static void
begin_and_do_nothing (BeckonExchange *exchange)
{
  beckon_exchange_start (exchange);
}

static void
begin_stall_at (BeckonExchange *exchange, guint place)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  if (place == 0)
    beckon_fixture_reply_add_hold (reply, "stall");
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_drain (reply);
  if (place == 1)
    beckon_fixture_reply_add_hold (reply, "stall");
  beckon_fixture_reply_add_chat_text (reply, "Hello");
  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_hold (reply, "stall");
  beckon_fixture_reply_add_chat_text (reply, " again");
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  beckon_exchange_wait_until (beckon_fixture_server_count_held (exchange->server, "stall") == 1);
  if (place == 2)
    beckon_exchange_wait_until (exchange->n_events == 1);
  beckon_exchange_settle ();
}

static void
begin_before_headers (BeckonExchange *exchange)
{
  begin_stall_at (exchange, 0);
}

static void
begin_after_headers (BeckonExchange *exchange)
{
  begin_stall_at (exchange, 1);
}

static void
begin_in_the_middle (BeckonExchange *exchange)
{
  begin_stall_at (exchange, 2);
}

static void
begin_error_body (BeckonExchange *exchange)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 500, "Content-Length: 100\r\n");
  beckon_fixture_reply_add (reply, "some", -1);
  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_hold (reply, "stall");
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  beckon_exchange_wait_until (beckon_fixture_server_count_held (exchange->server, "stall") == 1);
  beckon_exchange_settle ();
}

/* More than can be read comes faster than it can be read. */
static void
begin_flood (BeckonExchange *exchange)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 200, "Content-Type: text/event-stream\r\nConnection: close\r\n");
  beckon_fixture_reply_add_repeated (reply, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n", -1,
                                     G_MAXUINT64);
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  beckon_exchange_wait_until (exchange->n_events > 100);
}

static void
test_at_once (void)
{
  assert_cancels (NULL, begin_and_do_nothing);
}

static void
test_before_look_up (void)
{
  assert_cancels (NULL, begin_held_look_up);
}

static void
test_before_headers (void)
{
  assert_cancels (NULL, begin_before_headers);
}

static void
test_after_headers (void)
{
  assert_cancels (NULL, begin_after_headers);
}

static void
test_in_the_middle (void)
{
  assert_cancels (NULL, begin_in_the_middle);
}

static void
test_error_body (void)
{
  assert_cancels (NULL, begin_error_body);
}

static void
test_flood (void)
{
  assert_cancels (NULL, begin_flood);
}

/* --- Connecting --------------------------------------------------------------------------------------------------- */

/* A listener whose queue is full: the kernel drops every further attempt to connect, as a host that is not there would. */
typedef struct
{
  int sockets[8];
  char *url;
} BlackHole;

static void
black_hole_open (BlackHole *hole)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t length = sizeof address;

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  hole->sockets[0] = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (bind (hole->sockets[0], (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (hole->sockets[0], 0), ==, 0);
  g_assert_cmpint (getsockname (hole->sockets[0], (struct sockaddr *) &address, &length), ==, 0);
  for (guint i = 1; i < G_N_ELEMENTS (hole->sockets); i++)
    {
      hole->sockets[i] = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      connect (hole->sockets[i], (struct sockaddr *) &address, sizeof address);
    }
  hole->url = g_strdup_printf ("http://127.0.0.1:%u/v1", ntohs (address.sin_port));
}

static void
black_hole_close (BlackHole *hole)
{
  for (guint i = 0; i < G_N_ELEMENTS (hole->sockets); i++)
    close (hole->sockets[i]);
  g_free (hole->url);
}

static void
test_connecting (void)
{
  BlackHole hole;

  black_hole_open (&hole);
  assert_cancels (hole.url, begin_plain);
  black_hole_close (&hole);
}

static void
test_connect_timeout (void)
{
  BlackHole hole;

  black_hole_open (&hole);
  {
    g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (hole.url, BECKON_EXCHANGE_KEY);

    begin_plain (exchange);
    beckon_clock_advance (exchange->clock, 9 * 1000);
    beckon_exchange_settle ();
    g_assert_false (exchange->done);
    beckon_clock_advance (exchange->clock, 2 * 1000);
    beckon_exchange_wait (exchange);
    beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_TIMEOUT, "came about within 10 seconds");
  }
  black_hole_close (&hole);
}

/* --- From within -------------------------------------------------------------------------------------------------- */

/* The recorder asserts that no event comes after this one, though the rest of the reply is in the buffer already. */
static void
cancel_on_event (BeckonExchange *exchange, const BeckonLlmEvent *event)
{
  g_cancellable_cancel (exchange->cancellable);
}

static void
test_in_an_event (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  /* The connection of a reply that is there to its end would be kept. */
  exchange->on_event = cancel_on_event;
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Hello");
  beckon_fixture_reply_add_chat_text (reply, " again");
  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_hold (reply, "stall");
  beckon_exchange_run (exchange, reply);
  g_assert_error (exchange->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_cancelled (exchange);
}

static void
test_cancelled_before (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  beckon_exchange_start (exchange);
  cancel_and_wait (exchange);
  assert_cancelled (exchange);
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 0);
}

/* A Stop after the end changes nothing. */
static void
test_after_the_end (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  g_cancellable_cancel (exchange->cancellable);
  beckon_exchange_settle ();
  beckon_exchange_assert_log (exchange, "text Hello\nusage 7 3\nend complete\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/llm/cancel/at-once", test_at_once);
  g_test_add_func ("/llm/cancel/cancelled-before", test_cancelled_before);
  g_test_add_func ("/llm/cancel/before-look-up", test_before_look_up);
  g_test_add_func ("/llm/cancel/connecting", test_connecting);
  g_test_add_func ("/llm/cancel/connect-timeout", test_connect_timeout);
  g_test_add_func ("/faults/A/18-cancel-before-headers", test_before_headers);
  g_test_add_func ("/llm/cancel/after-headers", test_after_headers);
  g_test_add_func ("/faults/A/18-cancel-in-the-middle", test_in_the_middle);
  g_test_add_func ("/llm/cancel/error-body", test_error_body);
  g_test_add_func ("/llm/cancel/flood", test_flood);
  g_test_add_func ("/llm/cancel/in-an-event", test_in_an_event);
  g_test_add_func ("/llm/cancel/after-the-end", test_after_the_end);
  return g_test_run ();
}
