/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"
#include "beckon-tls-front.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* Faults of the wire in a stream, over real HTTP. Each case says what is given, how it ends, and that nothing else
 * comes: the recorder of the exchange fails on an event after the end, after the callback, or after a Stop. */

#define HELLO "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"},\"finish_reason\":null}]}\n\n"
#define FINISH "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define DONE "data: [DONE]\n\n"

#define CLOSE_HEAD "Content-Type: text/event-stream\r\nConnection: close\r\n"

/* A stream that ends with the connection. */
static BeckonFixtureReply *
reply_until_close (const char *body)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 200, CLOSE_HEAD);
  beckon_fixture_reply_add (reply, body, -1);
  beckon_fixture_reply_add_close (reply);
  return reply;
}

static BeckonFixtureReply *
reply_begun_with_hello (void)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chunk (reply, HELLO, -1);
  return reply;
}

static void
assert_log_of (const char *body, const char *log)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  beckon_exchange_run (exchange, reply_until_close (body));
  beckon_exchange_assert_log (exchange, log);
}

/* --- 3, 20 to 24: what the stream says ---------------------------------------------------------------------------- */

static void
test_line_ends (gconstpointer data)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_auto (GStrv) lines = g_strsplit (HELLO FINISH DONE, "\n", -1);
  g_autofree char *body = g_strjoinv (data, lines);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_exchange_take_each_piece (exchange);
  beckon_fixture_reply_add_head (reply, 200, CLOSE_HEAD);
  /* Every byte in a read of its own, so that CR and LF are, too. */
  for (const char *byte = body; *byte != '\0'; byte++)
    {
      beckon_fixture_reply_add (reply, byte, 1);
      beckon_fixture_reply_add_drain (reply);
    }
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "text Hello\nend complete\n");
}

static void
test_mixed_line_ends (void)
{
  assert_log_of ("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\r\n\n"
                 "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"}}]}\r\r\n"
                 "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\r"
                 "data: [DONE]\r\n\r\n",
                 "text Hello\nend complete\n");
}

static void
test_no_last_blank_line (void)
{
  assert_log_of (HELLO FINISH "data: [DONE]", "text Hello\nend complete\n");
  assert_log_of (HELLO "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" lost\"}}]}", "text Hello\nend cut_off\n");
}

static void
test_no_done (void)
{
  assert_log_of (HELLO FINISH, "text Hello\nend complete\n");
}

static void
test_no_finish_reason (void)
{
  assert_log_of (HELLO DONE, "text Hello\nend complete\n");
}

static void
test_neither (void)
{
  assert_log_of (HELLO, "text Hello\nend cut_off\n");
}

static void
test_after_done (void)
{
  assert_log_of (HELLO FINISH DONE HELLO HELLO DONE, "text Hello\nend complete\n");
}

/* --- 8, 9: errors within the stream ------------------------------------------------------------------------------- */

static void
test_error_event (void)
{
  assert_log_of (HELLO "event: error\ndata: {\"error\":{\"message\":\"the tool was wrong\",\"code\":\"x\"}}\n\n",
                 "text Hello\nerror the tool was wrong\nend failed\n");
}

static void
test_error_beside_choices (void)
{
  assert_log_of (HELLO "data: {\"error\":{\"code\":400,\"message\":\"Provider returned error\"},\"choices\":[{\"index\":0,"
                       "\"delta\":{},\"finish_reason\":\"length\"}]}\n\n" DONE,
                 "text Hello\nerror Provider returned error\nend failed\n");
}

/* --- 5, 18, 19: time ---------------------------------------------------------------------------------------------- */

static void
let_pass (BeckonExchange *exchange, const char *gate, gint64 milliseconds)
{
  beckon_exchange_wait_at (exchange, gate);
  g_assert_false (exchange->done);
  beckon_clock_advance (exchange->clock, milliseconds);
  beckon_exchange_settle ();
  g_assert_false (exchange->done);
  beckon_fixture_server_release (exchange->server, gate);
}

/* Ten minutes in which nothing comes but comments, 100 seconds apart. */
static void
test_comments_only (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_exchange_take_each_piece (exchange);
  beckon_fixture_reply_add_stream_head (reply);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *gate = g_strdup_printf ("comment %u", i);

      beckon_fixture_reply_add_chunk (reply, ": waiting\n\n", -1);
      beckon_fixture_reply_add_drain (reply);
      beckon_fixture_reply_add_hold (reply, gate);
    }
  beckon_fixture_reply_add_chunk (reply, HELLO FINISH, -1);
  beckon_fixture_reply_add_chat_done (reply);
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *gate = g_strdup_printf ("comment %u", i);

      let_pass (exchange, gate, 100 * 1000);
      g_assert_cmpuint (exchange->n_events, ==, 0);
    }
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_log (exchange, "text Hello\nend complete\n");
}

static void
test_byte_per_second (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  const char *body = HELLO FINISH DONE;

  beckon_exchange_take_each_piece (exchange);
  beckon_fixture_reply_add_head (reply, 200, CLOSE_HEAD);
  for (gsize i = 0; i < strlen (body); i++)
    {
      g_autofree char *gate = g_strdup_printf ("byte %" G_GSIZE_FORMAT, i);

      beckon_fixture_reply_add_hold (reply, gate);
      beckon_fixture_reply_add (reply, body + i, 1);
      beckon_fixture_reply_add_drain (reply);
    }
  beckon_fixture_reply_add_close (reply);
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  for (gsize i = 0; i < strlen (body); i++)
    {
      g_autofree char *gate = g_strdup_printf ("byte %" G_GSIZE_FORMAT, i);

      let_pass (exchange, gate, 1000);
      /* The text is shown as it comes, not at the end. */
      if (i == strlen (HELLO) + 1)
        g_assert_cmpstr (exchange->log->str, ==, "text Hello\n");
    }
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_log (exchange, "text Hello\nend complete\n");
}

/* A server that holds everything back from a place on. */
static BeckonFixtureReply *
reply_that_falls_silent (gboolean after_text)
{
  BeckonFixtureReply *reply = after_text ? reply_begun_with_hello () : beckon_fixture_reply_new ();

  if (after_text)
    beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_hold (reply, "silence");
  return reply;
}

static void
test_silence (gconstpointer data)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  gboolean after_text = GPOINTER_TO_INT (data);

  beckon_fixture_server_queue (exchange->server, reply_that_falls_silent (after_text));
  beckon_exchange_start (exchange);
  beckon_exchange_wait_at (exchange, "silence");
  beckon_clock_advance (exchange->clock, (after_text ? 299 : 599) * 1000);
  beckon_exchange_settle ();
  g_assert_false (exchange->done);
  beckon_clock_advance (exchange->clock, 2 * 1000);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, after_text ? "text Hello\n" : "", BECKON_LLM_ERROR_TIMEOUT,
                                 after_text ? "300 seconds" : "600 seconds");
}

static void
test_cancel_in_silence (gconstpointer data)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  gboolean after_text = GPOINTER_TO_INT (data);

  beckon_fixture_server_queue (exchange->server, reply_that_falls_silent (after_text));
  beckon_exchange_start (exchange);
  beckon_exchange_wait_at (exchange, "silence");
  g_cancellable_cancel (exchange->cancellable);
  beckon_exchange_wait (exchange);
  g_assert_error (exchange->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* --- 67: the network is gone --------------------------------------------------------------------------------------- */

/* The connection to the server among all that is open here; -1 if there is none. */
static int
find_socket (guint16 port)
{
  for (int fd = 3; fd < 1024; fd++)
    {
      struct sockaddr_in peer;
      socklen_t length = sizeof peer;

      if (getpeername (fd, (struct sockaddr *) &peer, &length) == 0 && peer.sin_family == AF_INET && ntohs (peer.sin_port) == port)
        return fd;
    }
  return -1;
}

static void
assert_option (int fd, int level, int option, int least, int most)
{
  int value = -1;
  socklen_t length = sizeof value;

  g_assert_cmpint (getsockopt (fd, level, option, &value, &length), ==, 0);
  g_assert_cmpint (value, >=, least);
  g_assert_cmpint (value, <=, most);
}

/* A server that is gone sends neither more nor an end: only asking finds that. The kernel asks within a minute; the idle
 * timeout is for servers that are there and say nothing. */
static void
test_gone (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  guint16 port = exchange->front != NULL ? beckon_tls_front_get_port (exchange->front)
                                         : beckon_fixture_server_get_port (exchange->server);
  int fd;

  beckon_fixture_server_queue (exchange->server, reply_that_falls_silent (TRUE));
  beckon_exchange_start (exchange);
  beckon_exchange_wait_at (exchange, "silence");
  fd = find_socket (port);
  g_assert_cmpint (fd, >=, 0);
  assert_option (fd, SOL_SOCKET, SO_KEEPALIVE, 1, 1);
  assert_option (fd, IPPROTO_TCP, TCP_KEEPIDLE, 1, 30);
  assert_option (fd, IPPROTO_TCP, TCP_KEEPINTVL, 1, 10);
  assert_option (fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 1000, 60 * 1000);

  /* The end, as it comes from the kernel. */
  g_assert_cmpint (shutdown (fd, SHUT_RD), ==, 0);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_log (exchange, "text Hello\nend cut_off\n");
}

/* --- 10 to 14: ends that are none --------------------------------------------------------------------------------- */

static void
test_no_last_chunk (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = reply_begun_with_hello ();

  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "text Hello\nend cut_off\n");
}

static void
test_reset_in_the_middle (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = reply_begun_with_hello ();

  /* Bytes that TLS has taken from the connection, and not handed on yet, are lost with it; so the test waits further up. */
  beckon_fixture_reply_add_hold (reply, "seen");
  beckon_fixture_reply_add_reset (reply);
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  beckon_exchange_wait_until (strstr (exchange->log->str, "Hello") != NULL);
  beckon_fixture_server_release (exchange->server, "seen");
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_log (exchange, "text Hello\nend cut_off\n");
}

/* No event was shown, so the request may be sent again. */
static void
test_reset_before_any_event (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chunk (reply, ": waiting\n\n", -1);
  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_reset (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "end cut_off\n");
}

static void
test_reset_before_headers (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_reset (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_CONNECT, "127.0.0.1");
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 1);
}

static void
test_content_length_too_long (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 200, "Content-Type: text/event-stream\r\nContent-Length: 5000\r\n");
  beckon_fixture_reply_add (reply, HELLO, -1);
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "text Hello\nend cut_off\n");
}

static void
test_bad_chunk_size (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add (reply, "ZZ\r\n" HELLO "\r\n", -1);
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  g_assert_false (exchange->ok);
  g_assert_cmpstr (exchange->log->str, ==, "");
  g_assert_cmpuint (exchange->error->domain, ==, BECKON_LLM_ERROR);
}

static void
test_bad_chunk_size_in_the_middle (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = reply_begun_with_hello ();

  beckon_fixture_reply_add (reply, "ZZ\r\n" HELLO "\r\n", -1);
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "text Hello\nend cut_off\n");
}

/* A body as gzip makes it; in one piece, as @length bytes of @data repeated for as long as its reader likes. */
static GBytes *
compress (const char *data, gsize length, GConverterFlags flags)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
  g_autofree char *out = g_malloc (length + 1024);
  gsize n_read, n_written;
  g_autoptr (GError) error = NULL;

  g_converter_convert (G_CONVERTER (compressor), data, length, out, length + 1024, flags, &n_read, &n_written, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_read, ==, length);
  return g_bytes_new (out, n_written);
}

static void
test_truncated_gzip (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autoptr (GBytes) bytes = compress (HELLO, strlen (HELLO), G_CONVERTER_FLUSH);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 200, CLOSE_HEAD "Content-Encoding: gzip\r\n");
  beckon_fixture_reply_add (reply, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "text Hello\nend cut_off\n");
}

static void
test_whole_gzip (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autoptr (GBytes) bytes = compress (HELLO FINISH DONE, strlen (HELLO FINISH DONE), G_CONVERTER_INPUT_AT_END);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 200, CLOSE_HEAD "Content-Encoding: gzip\r\n");
  beckon_fixture_reply_add (reply, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "text Hello\nend complete\n");
}

/* --- 15 to 17: too much ------------------------------------------------------------------------------------------- */

static gsize
resident_bytes (void)
{
  g_autofree char *statm = NULL;
  unsigned long size = 0, resident = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL));
  g_assert_cmpint (sscanf (statm, "%lu %lu", &size, &resident), ==, 2);
  return resident * 4096;
}

/* 400 MB of comments in some hundred kilobytes. A block that was flushed refers to nothing before it, so it can be
 * repeated. */
static void
test_gzip_bomb (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autofree char *block = g_strnfill (1024 * 1024, ':');
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
  g_autofree char *out = g_malloc (1024 * 1024);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  gsize before = resident_bytes ();
  gsize n_read, n_written;

  for (gsize i = 1022; i < 1024 * 1024; i += 1024)
    block[i] = block[i + 1] = '\n';
  beckon_fixture_reply_add_head (reply, 200, CLOSE_HEAD "Content-Encoding: gzip\r\n");
  for (guint i = 0; i < 2; i++)
    {
      g_converter_convert (G_CONVERTER (compressor), block, 1024 * 1024, out, 1024 * 1024, G_CONVERTER_FLUSH, &n_read,
                           &n_written, NULL);
      g_assert_cmpuint (n_read, ==, 1024 * 1024);
      beckon_fixture_reply_add_repeated (reply, out, (gssize) n_written, i == 0 ? 1 : 399);
    }
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_TOO_LARGE, "in one reply");
  g_assert_cmpuint (resident_bytes () - MIN (before, resident_bytes ()), <, 100 * 1024 * 1024);
}

static void
test_endless_line (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autofree char *block = g_strnfill (1024 * 1024, 'x');
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  gsize before = resident_bytes ();

  beckon_fixture_reply_add_head (reply, 200, CLOSE_HEAD);
  beckon_fixture_reply_add (reply, HELLO "data: ", -1);
  beckon_fixture_reply_add_repeated (reply, block, 1024 * 1024, 100);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_failed (exchange, "text Hello\n", BECKON_LLM_ERROR_TOO_LARGE, "");
  g_assert_cmpuint (resident_bytes () - MIN (before, resident_bytes ()), <, 100 * 1024 * 1024);
}

/* A flood of small events: none is lost, and the main loop gets its turns in between. Events are counted, because a turn's time
 * says more of the machine than of the program. */
static void
test_flood (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autoptr (GString) block = g_string_new (NULL);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  guint most = 0;

  for (guint i = 0; i < 1000; i++)
    g_string_append (block, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n");
  beckon_fixture_reply_add_head (reply, 200, CLOSE_HEAD);
  beckon_fixture_reply_add_repeated (reply, block->str, -1, 200);
  beckon_fixture_reply_add (reply, FINISH DONE, -1);
  beckon_fixture_reply_add_close (reply);
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  while (!exchange->done)
    {
      guint n_before = exchange->n_events;

      g_main_context_iteration (NULL, TRUE);
      most = MAX (most, exchange->n_events - n_before);
    }
  g_assert_true (exchange->ok);
  g_assert_cmpuint (exchange->n_events, ==, 200001);
  g_assert_cmpuint (exchange->log->len, ==, strlen ("text ") + 200000 + strlen ("\nend complete\n"));
  g_test_message ("at most %u events in one turn", most);
  g_assert_cmpuint (most, <, 100000);
}

/* --- B 31 --------------------------------------------------------------------------------------------------------- */

static void
test_depth (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autofree char *body = g_strconcat (HELLO "data: ", deep, "\n\n", NULL);

  beckon_exchange_run (exchange, reply_until_close (body));
  g_assert_no_error (exchange->error);
  g_assert_true (g_str_has_prefix (exchange->log->str, "text Hello\n"));
  g_assert_true (g_str_has_suffix (exchange->log->str, "end failed\n") || g_str_has_suffix (exchange->log->str, "end cut_off\n"));
}

static void
test_depth_in_arguments (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autofree char *deep = g_strnfill (100000, '[');
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_call (reply, 0, "c1", "tool", deep);
  beckon_fixture_reply_add_chat_finish (reply, "tool_calls");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "bad call 0 tool\nend tool_calls\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/faults/A/3-crlf", "\r\n", test_line_ends);
  g_test_add_data_func ("/faults/A/3-cr", "\r", test_line_ends);
  g_test_add_data_func ("/faults/A/3-lf", "\n", test_line_ends);
  g_test_add_func ("/faults/A/3-mixed", test_mixed_line_ends);
  g_test_add_func ("/faults/A/5-comments-only", test_comments_only);
  g_test_add_func ("/faults/A/8-error-event", test_error_event);
  g_test_add_func ("/faults/A/9-error-beside-choices", test_error_beside_choices);
  g_test_add_func ("/faults/A/10-fin-without-last-chunk", test_no_last_chunk);
  g_test_add_func ("/faults/A/11-reset-in-the-middle", test_reset_in_the_middle);
  g_test_add_func ("/faults/A/11-reset-before-any-event", test_reset_before_any_event);
  g_test_add_func ("/faults/A/11-reset-before-headers", test_reset_before_headers);
  g_test_add_func ("/faults/A/12-content-length-too-long", test_content_length_too_long);
  g_test_add_func ("/faults/A/13-bad-chunk-size", test_bad_chunk_size);
  g_test_add_func ("/faults/A/13-bad-chunk-size-in-the-middle", test_bad_chunk_size_in_the_middle);
  g_test_add_func ("/faults/A/14-truncated-gzip", test_truncated_gzip);
  g_test_add_func ("/faults/A/14-whole-gzip", test_whole_gzip);
  g_test_add_func ("/faults/A/15-gzip-bomb", test_gzip_bomb);
  g_test_add_func ("/faults/A/16-endless-line", test_endless_line);
  g_test_add_func ("/faults/A/17-flood", test_flood);
  g_test_add_data_func ("/faults/A/18-silence-before-headers", GINT_TO_POINTER (FALSE), test_silence);
  g_test_add_data_func ("/faults/A/18-silence-in-the-middle", GINT_TO_POINTER (TRUE), test_silence);
  g_test_add_data_func ("/faults/A/18-cancel-before-headers", GINT_TO_POINTER (FALSE), test_cancel_in_silence);
  g_test_add_data_func ("/faults/A/18-cancel-in-the-middle", GINT_TO_POINTER (TRUE), test_cancel_in_silence);
  g_test_add_func ("/faults/A/19-byte-per-second", test_byte_per_second);
  g_test_add_func ("/faults/A/20-no-last-blank-line", test_no_last_blank_line);
  g_test_add_func ("/faults/A/21-no-done", test_no_done);
  g_test_add_func ("/faults/A/22-no-finish-reason", test_no_finish_reason);
  g_test_add_func ("/faults/A/23-neither", test_neither);
  g_test_add_func ("/faults/A/24-after-done", test_after_done);
  g_test_add_func ("/faults/D/67-gone", test_gone);
  g_test_add_func ("/faults/B/31-depth", test_depth);
  g_test_add_func ("/faults/B/31-depth-in-arguments", test_depth_in_arguments);
  return g_test_run ();
}
