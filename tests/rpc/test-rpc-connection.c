/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rpc/beckon-rpc-connection.h"

#include "base/beckon-priority.h"

#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

/* No wait takes longer, in seconds. */
#define DEADLINE 60

typedef struct
{
  GSubprocess *process; /* (nullable) */
  BeckonClock *clock;
  BeckonRpcConnection *connection;
  GPtrArray *requests; /* (element-type BeckonRpcRequest) unanswered */
  GString *log;        /* notifications, one in a line */
  guint n_notifications;
  guint n_since_turn; /* without a turn of another source */
  guint most_in_turn;
  guint n_abandoned;
  guint n_rejected;
  char *rejected; /* the last one */
  guint n_ended;
  GError *ended;
  gboolean inside; /* a function of the connection */
  gboolean close_on_notification;
} Fixture;

static void
on_request (BeckonRpcConnection *connection, BeckonRpcRequest *request, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_ptr_array_add (fixture->requests, request);
}

static void
on_notification (BeckonRpcConnection *connection, const BeckonRpcMessage *message, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_string_append_printf (fixture->log, "%s%s\n", message->method, message->json != NULL ? message->json : "");
  fixture->n_notifications++;
  fixture->n_since_turn++;
  fixture->most_in_turn = MAX (fixture->most_in_turn, fixture->n_since_turn);
  if (fixture->close_on_notification)
    beckon_rpc_connection_close_async (connection, NULL, NULL, NULL);
}

static void
on_abandoned (BeckonRpcConnection *connection, const char *id, const char *method, gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autofree char *params = g_strdup_printf ("{\"requestId\":%s,\"method\":\"%s\"}", id, method);

  fixture->n_abandoned++;
  beckon_rpc_connection_notify (connection, "notifications/cancelled", params, NULL);
}

static void
on_rejected (BeckonRpcConnection *connection, const char *line, const GError *error, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_nonnull (error);
  g_assert_true (g_utf8_validate (line, -1, NULL));
  g_assert_cmpuint (strlen (line), <=, 3 * 256);
  fixture->n_rejected++;
  g_free (fixture->rejected);
  fixture->rejected = g_strdup (error->message);
}

static void
on_ended (BeckonRpcConnection *connection, const GError *error, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_false (fixture->inside);
  fixture->n_ended++;
  fixture->ended = g_error_copy (error);
}

static const BeckonRpcHandler handler = { on_request, on_notification, on_abandoned, on_rejected, on_ended };

static void
fixture_init (Fixture *fixture, GInputStream *input, GOutputStream *output, const BeckonRpcLimits *limits)
{
  fixture->clock = beckon_clock_new_manual (0);
  fixture->requests = g_ptr_array_new ();
  fixture->log = g_string_new (NULL);
  fixture->connection = beckon_rpc_connection_new ("Peer", input, output, fixture->clock, limits, &handler, fixture);
  alarm (DEADLINE);
}

static void
fixture_start (Fixture *fixture, const BeckonRpcLimits *limits)
{
  g_autofree char *peer = g_test_build_filename (G_TEST_DIST, "fixtures", "rpc-peer.py", NULL);
  g_autoptr (GError) error = NULL;

  fixture->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                                       g_getenv ("BECKON_TEST_PYTHON"), peer, NULL);
  g_assert_no_error (error);
  fixture_init (fixture, g_subprocess_get_stdout_pipe (fixture->process), g_subprocess_get_stdin_pipe (fixture->process),
                limits);
}

/* The connection is no longer held, so that it ends here, and the peer by itself. */
static void
fixture_clear (Fixture *fixture)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->connection);
  if (fixture->process != NULL)
    g_assert_true (g_subprocess_wait (fixture->process, NULL, NULL));
  g_clear_object (&fixture->process);
  g_object_unref (fixture->clock);
  g_ptr_array_unref (fixture->requests);
  g_string_free (fixture->log, TRUE);
  g_free (fixture->rejected);
  g_clear_error (&fixture->ended);
  alarm (0);
}

static void
iterate (void)
{
  g_main_context_iteration (NULL, TRUE);
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **place = user_data;

  g_assert_null (*place);
  *place = g_object_ref (result);
}

static BeckonRpcMessage *
finish (Fixture *fixture, GAsyncResult **result, GError **error)
{
  BeckonRpcMessage *message;

  while (*result == NULL)
    iterate ();
  message = beckon_rpc_connection_call_finish (fixture->connection, *result, error);
  g_clear_object (result);
  return message;
}

static BeckonRpcMessage *
call (Fixture *fixture, const char *method, const char *params, GError **error)
{
  GAsyncResult *result = NULL;

  beckon_rpc_connection_call_async (fixture->connection, method, params, 0, NULL, on_result, &result);
  return finish (fixture, &result, error);
}

static void
check_call (Fixture *fixture, const char *method, const char *params, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRpcMessage) message = call (fixture, method, params, &error);

  g_assert_no_error (error);
  g_assert_cmpint (message->kind, ==, BECKON_RPC_MESSAGE_RESULT);
  g_assert_cmpstr (message->json, ==, expected);
}

static void
check_call_fails (Fixture *fixture, const char *method, const char *params, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (call (fixture, method, params, &error));
  g_assert_error (error, BECKON_RPC_ERROR, code);
}

/* --- Calls -------------------------------------------------------------------------------------------------------- */

static void
test_call (void)
{
  Fixture fixture = { 0 };
  g_autoptr (BeckonRpcMessage) refused = NULL;
  g_autoptr (GError) error = NULL;

  fixture_start (&fixture, NULL);
  check_call (&fixture, "echo", "{\"a\":\n\"\\n\"}", "{\"a\": \"\\n\"}");
  check_call (&fixture, "echo", NULL, "null");
  refused = call (&fixture, "fail", NULL, NULL);
  g_assert_false (beckon_rpc_message_check (refused, &error));
  g_assert_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_REMOTE);
  g_assert_cmpint (refused->code, ==, -32042);
  g_assert_cmpstr (refused->json, ==, "{\"a\": 1}");
  fixture_clear (&fixture);
}

static void
test_many_calls (void)
{
  GAsyncResult *results[500] = { NULL };
  Fixture fixture = { 0 };

  fixture_start (&fixture, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autofree char *params = g_strdup_printf ("[%u]", i);

      beckon_rpc_connection_call_async (fixture.connection, "echo", params, 0, NULL, on_result, &results[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (BeckonRpcMessage) message = finish (&fixture, &results[i], NULL);
      g_autofree char *params = g_strdup_printf ("[%u]", i);

      g_assert_cmpstr (message->json, ==, params);
    }
  fixture_clear (&fixture);
}

static void
test_cancel (void)
{
  Fixture fixture = { 0 };
  GAsyncResult *result = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) early = NULL;

  fixture_start (&fixture, NULL);
  beckon_rpc_connection_call_async (fixture.connection, "hold", NULL, 0, cancellable, on_result, &result);
  g_cancellable_cancel (cancellable);
  g_assert_null (finish (&fixture, &result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fixture.n_abandoned, ==, 1);
  while (fixture.n_notifications == 0)
    iterate ();
  g_assert_nonnull (strstr (fixture.log->str, "\"requestId\": 1, \"method\": \"hold\""));
  /* The late result came before that notification. */
  g_assert_cmpuint (fixture.n_rejected, ==, 0);

  /* Cancelled before, it is never sent. */
  beckon_rpc_connection_call_async (fixture.connection, "leave", NULL, 0, cancellable, on_result, &result);
  g_assert_null (finish (&fixture, &result, &early));
  g_assert_error (early, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fixture.n_abandoned, ==, 1);
  check_call (&fixture, "echo", "[1]", "[1]");
  fixture_clear (&fixture);
}

static void
test_timeout (void)
{
  Fixture fixture = { 0 };
  GAsyncResult *result = NULL;
  g_autoptr (GError) error = NULL;

  fixture_start (&fixture, NULL);
  beckon_rpc_connection_call_async (fixture.connection, "silence", NULL, 5000, NULL, on_result, &result);
  check_call (&fixture, "echo", "[1]", "[1]");
  beckon_clock_advance (fixture.clock, 4999);
  g_assert_null (result);
  beckon_clock_advance (fixture.clock, 1);
  g_assert_null (finish (&fixture, &result, &error));
  g_assert_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_TIMEOUT);
  g_assert_cmpstr (error->message, ==, "“Peer” did not answer within 5 seconds.");
  g_assert_cmpuint (fixture.n_abandoned, ==, 1);
  fixture_clear (&fixture);
}

/* --- A peer that misbehaves --------------------------------------------------------------------------------------- */

static void
test_garbage (void)
{
  static const struct
  {
    const char *hex;
    guint count;
    guint n_rejected;
  } cases[] = {
    /* blank */
    { "0a200d0a", 3, 0 },
    /* NUL */
    { "00", 5, 1 },
    /* \xff */
    { "7b226a736f6e727063223a22322e30222c226d6574686f64223a22ff227d", 1, 1 },
    /* [[[[ */
    { "5b", 100000, 1 },
    /* [] */
    { "5b5d", 1, 1 },
    /* id 999999 */
    { "7b226a736f6e727063223a22322e30222c226964223a3939393939392c22726573756c74223a317d", 1, 1 },
    /* id "1" */
    { "7b226a736f6e727063223a22322e30222c226964223a2231222c22726573756c74223a317d", 1, 1 },
    /* no id */
    { "7b226a736f6e727063223a22322e30222c226572726f72223a7b22636f6465223a312c226d657373616765223a2278227d7d", 1, 1 },
  };
  Fixture fixture = { 0 };
  guint n_rejected = 0;

  fixture_start (&fixture, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *params = g_strdup_printf ("[\"%s\",%u]", cases[i].hex, cases[i].count);

      g_test_message ("case %" G_GSIZE_FORMAT, i);
      check_call (&fixture, "garbage", params, "{}");
      n_rejected += cases[i].n_rejected;
      g_assert_cmpuint (fixture.n_rejected, ==, n_rejected);
    }
  g_assert_cmpstr (fixture.rejected, ==, "A response that answers no call: x");
  g_assert_cmpuint (fixture.n_notifications, ==, 0);
  fixture_clear (&fixture);
}

static void
test_logs (void)
{
  BeckonRpcLimits limits = BECKON_RPC_LIMITS_INIT;
  Fixture fixture = { 0 };

  limits.max_rejected = 10;
  fixture_start (&fixture, &limits);
  check_call (&fixture, "logs", "[10]", "{}");
  check_call (&fixture, "logs", "[10]", "{}");
  check_call_fails (&fixture, "logs", "[11]", BECKON_RPC_ERROR_PROTOCOL);
  g_assert_cmpuint (fixture.n_rejected, ==, 31);
  g_assert_cmpuint (fixture.n_ended, ==, 1);
  g_assert_nonnull (strstr (fixture.ended->message, "“Peer”"));
  g_assert_nonnull (strstr (fixture.ended->message, "[INFO] line 10 <U+001B>"));
  fixture_clear (&fixture);
}

static void
test_no_logs (void)
{
  BeckonRpcLimits limits = BECKON_RPC_LIMITS_INIT;
  Fixture fixture = { 0 };

  limits.max_rejected = 0;
  fixture_start (&fixture, &limits);
  check_call (&fixture, "echo", "[1]", "[1]");
  check_call_fails (&fixture, "logs", "[1]", BECKON_RPC_ERROR_PROTOCOL);
  fixture_clear (&fixture);
}

static void
test_broken_response (void)
{
  Fixture fixture = { 0 };

  fixture_start (&fixture, NULL);
  check_call_fails (&fixture, "broken", NULL, BECKON_RPC_ERROR_PROTOCOL);
  g_assert_cmpuint (fixture.n_rejected, ==, 1);
  check_call (&fixture, "twice", NULL, "1");
  while (fixture.n_notifications == 0)
    iterate ();
  g_assert_cmpuint (fixture.n_rejected, ==, 1);
  fixture_clear (&fixture);
}

static void
test_halves (void)
{
  Fixture fixture = { 0 };
  GAsyncResult *result = NULL;
  g_autoptr (BeckonRpcMessage) message = NULL;

  fixture_start (&fixture, NULL);
  beckon_rpc_connection_call_async (fixture.connection, "halves", NULL, 0, NULL, on_result, &result);
  while (fixture.n_notifications == 0)
    iterate ();
  g_assert_null (result);
  g_assert_true (beckon_rpc_connection_notify (fixture.connection, "go", NULL, NULL));
  message = finish (&fixture, &result, NULL);
  g_assert_cmpstr (message->json, ==, "\"whole\"");
  fixture_clear (&fixture);
}

/* All calls end with one error, and none is taken any more. */
static void
check_end (const char *method, const char *params, int code, const char *words)
{
  Fixture fixture = { 0 };
  GAsyncResult *silent = NULL;
  g_autoptr (GError) error = NULL;

  fixture_start (&fixture, NULL);
  beckon_rpc_connection_call_async (fixture.connection, "silence", NULL, 5000, NULL, on_result, &silent);
  check_call_fails (&fixture, method, params, code);
  g_assert_null (finish (&fixture, &silent, &error));
  g_assert_error (error, BECKON_RPC_ERROR, code);
  g_assert_cmpstr (error->message, ==, words);
  while (fixture.n_ended == 0)
    iterate ();
  g_assert_cmpstr (fixture.ended->message, ==, words);
  check_call_fails (&fixture, "echo", NULL, code);
  g_assert_false (beckon_rpc_connection_notify (fixture.connection, "a", NULL, NULL));
  beckon_clock_advance (fixture.clock, 10000);
  g_assert_cmpuint (fixture.n_ended, ==, 1);
  g_assert_cmpuint (fixture.n_abandoned, ==, 0);
  fixture_clear (&fixture);
}

static void
test_ends (void)
{
  g_autofree char *size = g_format_size (BECKON_RPC_MESSAGE_MAX);
  g_autofree char *too_long = g_strdup_printf ("“Peer” sent a message that is longer than %s.", size);

  check_end ("leave", NULL, BECKON_RPC_ERROR_CLOSED, "“Peer” closed the connection.");
  check_end ("leave_halfway", NULL, BECKON_RPC_ERROR_CLOSED, "“Peer” closed the connection in the middle of a message.");
  check_end ("long", "[100]", BECKON_RPC_ERROR_TOO_LARGE, too_long);
}

static void
test_long_line (void)
{
  Fixture fixture = { 0 };

  fixture_start (&fixture, NULL);
  check_call_fails (&fixture, "garbage", "[\"20\",16777217]", BECKON_RPC_ERROR_TOO_LARGE);
  fixture_clear (&fixture);
  fixture = (Fixture){ 0 };
  fixture_start (&fixture, NULL);
  check_call (&fixture, "garbage", "[\"20\",16777216]", "{}");
  fixture_clear (&fixture);
}

/* Messages that are parsed in a thread, with their order, their faults and the end behind them. */
static void
test_large (void)
{
  Fixture fixture = { 0 };
  g_autoptr (BeckonRpcMessage) message = NULL;
  g_autofree char *big = NULL;
  g_autofree char *expected = NULL;

  fixture_start (&fixture, NULL);
  message = call (&fixture, "large", "[500000]", NULL);
  g_assert_cmpuint (strlen (message->json), ==, 1000003);
  big = g_strdup (message->json);
  while (fixture.n_notifications < 4)
    iterate ();
  expected = g_strdup_printf ("tick[1]\nbig%s\ntick[2]\ntick[3]\n", big);
  g_assert_true (g_str_equal (fixture.log->str, expected));

  check_call_fails (&fixture, "large", "[500000,\"broken\"]", BECKON_RPC_ERROR_PROTOCOL);
  g_assert_cmpuint (fixture.n_rejected, ==, 1);
  check_call (&fixture, "echo", "[1]", "[1]");

  g_string_truncate (fixture.log, 0);
  check_call_fails (&fixture, "large", "[500000,\"end\"]", BECKON_RPC_ERROR_CLOSED);
  g_assert_true (g_str_has_prefix (fixture.log->str, "tick[1]\nbig[0,0,"));
  fixture_clear (&fixture);
}

/* A connection is closed, or dropped without its call, at any moment of that. */
static void
test_large_dropped (void)
{
  for (guint i = 0; i < 40; i++)
    {
      Fixture fixture = { 0 };
      GAsyncResult *result = NULL;
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();

      fixture_start (&fixture, NULL);
      beckon_rpc_connection_call_async (fixture.connection, "large", "[500000]", 0, cancellable, on_result, &result);
      while (fixture.n_notifications == 0)
        iterate ();
      for (guint n = 0; n < i && fixture.n_notifications < 4; n++)
        iterate ();
      if (i % 2 == 0)
        g_cancellable_cancel (cancellable);
      else
        beckon_rpc_connection_close_async (fixture.connection, NULL, NULL, NULL);
      beckon_rpc_message_free (finish (&fixture, &result, NULL));
      fixture_clear (&fixture);
    }
}

static gboolean
on_other_turn (gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_since_turn = 0;
  return G_SOURCE_CONTINUE;
}

/* Order is kept, and others have their turns. */
static void
test_flood (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GString) expected = g_string_new (NULL);
  guint other = g_idle_add_full (BECKON_PRIORITY_SHARED, on_other_turn, &fixture, NULL);

  fixture_start (&fixture, NULL);
  check_call (&fixture, "flood", "[50000]", "{}");
  for (guint i = 0; i < 50000; i++)
    g_string_append_printf (expected, "tick[%u]\n", i);
  g_assert_true (g_string_equal (fixture.log, expected));
  g_assert_cmpuint (fixture.most_in_turn, <=, 64);
  g_source_remove (other);
  fixture_clear (&fixture);
}

static void
test_close_in_flood (void)
{
  Fixture fixture = { 0 };

  fixture_start (&fixture, NULL);
  fixture.close_on_notification = TRUE;
  check_call_fails (&fixture, "flood", "[1000]", BECKON_RPC_ERROR_CLOSED);
  g_assert_cmpuint (fixture.n_notifications, ==, 1);
  g_assert_cmpuint (fixture.n_ended, ==, 0);
  fixture_clear (&fixture);
}

static void
test_deaf (void)
{
  BeckonRpcLimits limits = BECKON_RPC_LIMITS_INIT;
  g_autofree char *filler = g_strnfill (10000, 'a');
  g_autofree char *params = g_strdup_printf ("[\"%s\"]", filler);
  Fixture fixture = { 0 };
  GAsyncResult *result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) call_error = NULL;
  guint n_sent = 0;

  limits.max_queue = 1000000;
  fixture_start (&fixture, &limits);
  beckon_rpc_connection_call_async (fixture.connection, "deaf", NULL, 0, NULL, on_result, &result);
  while (fixture.n_notifications == 0)
    iterate ();
  fixture.inside = TRUE;
  while (beckon_rpc_connection_notify (fixture.connection, "more", params, &error))
    n_sent++;
  g_assert_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_STUCK);
  g_assert_cmpuint (n_sent, ==, 99);
  g_assert_null (result);
  fixture.inside = FALSE;
  g_assert_null (finish (&fixture, &result, &call_error));
  g_assert_error (call_error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_STUCK);
  g_assert_cmpuint (fixture.n_ended, ==, 1);
  g_subprocess_force_exit (fixture.process);
  fixture_clear (&fixture);
}

/* --- Requests of the peer ------------------------------------------------------------------------------------------ */

static BeckonRpcRequest *
take_request (Fixture *fixture)
{
  while (fixture->requests->len == 0)
    iterate ();
  return g_ptr_array_steal_index (fixture->requests, 0);
}

static void
test_requests (void)
{
  BeckonRpcLimits limits = BECKON_RPC_LIMITS_INIT;
  g_autofree char *filler = g_strnfill (3000, 'a');
  g_autofree char *long_answer = g_strdup_printf ("\"%s\"", filler);
  Fixture fixture = { 0 };
  GAsyncResult *result = NULL;
  BeckonRpcRequest *request;
  g_autoptr (BeckonRpcMessage) message = NULL;

  limits.max_requests = 4;
  limits.max_queue = 2000;
  fixture_start (&fixture, &limits);
  beckon_rpc_connection_call_async (fixture.connection, "ask", "[0,\"0\",1,0,2,3]", 0, NULL, on_result, &result);
  /* The second 0 and the fifth that is open are answered without being asked about. */
  request = take_request (&fixture);
  g_assert_cmpstr (beckon_rpc_request_get_message (request)->id, ==, "0");
  g_assert_cmpstr (beckon_rpc_request_get_message (request)->json, ==, "[0]");
  while (fixture.requests->len < 3)
    iterate ();
  beckon_rpc_request_free (request);
  request = take_request (&fixture);
  g_assert_cmpstr (beckon_rpc_request_get_message (request)->id, ==, "\"0\"");
  beckon_rpc_request_answer (request, "[1,\n2]");
  beckon_rpc_request_fail (take_request (&fixture), 7, "no", "{}");
  beckon_rpc_request_answer (take_request (&fixture), long_answer);
  message = finish (&fixture, &result, NULL);
  g_assert_cmpuint (fixture.requests->len, ==, 0);
  g_assert_cmpstr (message->json, ==,
                   "[{\"jsonrpc\": \"2.0\", \"id\": 0, \"error\": {\"code\": -32603, \"message\": "
                   "\"A request with this id is not answered yet\"}}, "
                   "{\"jsonrpc\": \"2.0\", \"id\": 3, \"error\": {\"code\": -32603, \"message\": "
                   "\"Too many requests are not answered yet\"}}, "
                   "{\"jsonrpc\": \"2.0\", \"id\": 0, \"error\": {\"code\": -32603, \"message\": "
                   "\"The request was not answered\"}}, "
                   "{\"jsonrpc\": \"2.0\", \"id\": \"0\", \"result\": [1, 2]}, "
                   "{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": 7, \"message\": \"no\", \"data\": {}}}, "
                   "{\"jsonrpc\": \"2.0\", \"id\": 2, \"error\": {\"code\": -32603, \"message\": "
                   "\"The answer is too long to be sent\"}}]");
  fixture_clear (&fixture);
}

/* A request taken back gets no answer, and its id is free again; one outliving the connection goes nowhere. */
static void
test_request_forgotten (void)
{
  Fixture fixture = { 0 };
  BeckonRpcRequest *late;

  fixture_start (&fixture, NULL);
  for (guint i = 0; i < 2; i++)
    {
      beckon_rpc_connection_call_async (fixture.connection, "ask_once", NULL, 0, NULL, NULL, NULL);
      beckon_rpc_request_forget (take_request (&fixture));
    }
  beckon_rpc_connection_call_async (fixture.connection, "ask_once", NULL, 0, NULL, NULL, NULL);
  late = take_request (&fixture);
  check_call (&fixture, "echo", "[1]", "[1]");
  g_assert_cmpuint (fixture.n_notifications, ==, 0);
  beckon_rpc_connection_close_async (fixture.connection, NULL, NULL, NULL);
  beckon_rpc_request_answer (late, "{}");
  fixture_clear (&fixture);
}

static void
test_no_request_handler (void)
{
  static const BeckonRpcHandler none = { NULL };
  Fixture fixture = { 0 };
  g_autoptr (BeckonRpcConnection) other = NULL;
  g_autoptr (BeckonRpcMessage) message = NULL;
  GInputStream *inputs[2];
  GOutputStream *outputs[2];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      int fds[2];

      g_assert_true (g_unix_open_pipe (fds, FD_CLOEXEC, NULL));
      inputs[i] = g_unix_input_stream_new (fds[0], TRUE);
      outputs[i] = g_unix_output_stream_new (fds[1], TRUE);
    }
  fixture_init (&fixture, inputs[0], outputs[1], NULL);
  other = beckon_rpc_connection_new ("Other", inputs[1], outputs[0], fixture.clock, NULL, &none, NULL);
  message = call (&fixture, "sampling/createMessage", NULL, NULL);
  g_assert_false (beckon_rpc_message_check (message, &error));
  g_assert_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_METHOD_NOT_FOUND);
  g_clear_object (&other);
  while (fixture.n_ended == 0)
    iterate ();
  fixture_clear (&fixture);
  for (guint i = 0; i < 2; i++)
    {
      g_object_unref (inputs[i]);
      g_object_unref (outputs[i]);
    }
}

/* --- Our own end -------------------------------------------------------------------------------------------------- */

static void
test_too_long (void)
{
  BeckonRpcLimits limits = BECKON_RPC_LIMITS_INIT;
  g_autofree char *filler = g_strnfill (2000, 'a');
  g_autofree char *params = g_strdup_printf ("[\"%s\"]", filler);
  Fixture fixture = { 0 };
  g_autoptr (GError) error = NULL;

  limits.max_queue = 1000;
  fixture_start (&fixture, &limits);
  check_call_fails (&fixture, "echo", params, BECKON_RPC_ERROR_TOO_LARGE);
  g_assert_false (beckon_rpc_connection_notify (fixture.connection, "a", params, &error));
  g_assert_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_TOO_LARGE);
  check_call (&fixture, "echo", "[1]", "[1]");
  fixture_clear (&fixture);
}

static gboolean
close_finish (Fixture *fixture, GAsyncResult **result, GError **error)
{
  gboolean closed;

  while (*result == NULL)
    iterate ();
  closed = beckon_rpc_connection_close_finish (fixture->connection, *result, error);
  g_clear_object (result);
  return closed;
}

/* The queue is longer than what a pipe holds; the peer gets all of it and the end. */
static void
test_close (void)
{
  g_autofree char *filler = g_strnfill (3000000, 'a');
  g_autofree char *params = g_strdup_printf ("[\"%s\"]", filler);
  Fixture fixture = { 0 };
  GAsyncResult *silent = NULL;
  GAsyncResult *closed = NULL;
  GAsyncResult *again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) call_error = NULL;

  fixture_start (&fixture, NULL);
  beckon_rpc_connection_call_async (fixture.connection, "silence", NULL, 0, NULL, on_result, &silent);
  check_call (&fixture, "echo", "[1]", "[1]");
  beckon_rpc_connection_call_async (fixture.connection, "echo", params, 0, NULL, on_result, &again);
  beckon_rpc_connection_notify (fixture.connection, "last", params, NULL);
  beckon_rpc_connection_close_async (fixture.connection, NULL, on_result, &closed);
  g_assert_true (close_finish (&fixture, &closed, &error));
  g_assert_no_error (error);
  g_assert_null (finish (&fixture, &silent, &call_error));
  g_assert_error (call_error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED);
  g_assert_null (finish (&fixture, &again, NULL));
  beckon_rpc_connection_close_async (fixture.connection, NULL, on_result, &closed);
  g_assert_true (close_finish (&fixture, &closed, NULL));
  g_assert_true (g_subprocess_wait_check (fixture.process, NULL, &error));
  g_assert_cmpuint (fixture.n_ended + fixture.n_notifications, ==, 0);
  check_call_fails (&fixture, "echo", NULL, BECKON_RPC_ERROR_CLOSED);
  fixture_clear (&fixture);
}

static void
test_close_deaf (void)
{
  g_autofree char *filler = g_strnfill (1000000, 'a');
  g_autofree char *params = g_strdup_printf ("[\"%s\"]", filler);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Fixture fixture = { 0 };
  GAsyncResult *closed = NULL;
  g_autoptr (GError) error = NULL;

  fixture_start (&fixture, NULL);
  beckon_rpc_connection_call_async (fixture.connection, "deaf", NULL, 0, NULL, NULL, NULL);
  while (fixture.n_notifications == 0)
    iterate ();
  beckon_rpc_connection_notify (fixture.connection, "more", params, NULL);
  beckon_rpc_connection_close_async (fixture.connection, cancellable, on_result, &closed);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (closed);
  g_cancellable_cancel (cancellable);
  g_assert_false (close_finish (&fixture, &closed, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_subprocess_force_exit (fixture.process);
  fixture_clear (&fixture);
}

/* With a call that is open, nothing wants to be woken up but by the peer. */
static void
test_quiet (void)
{
  Fixture fixture = { 0 };
  GAsyncResult *result = NULL;
  GMainContext *context = g_main_context_default ();
  int priority;
  int timeout;
  GPollFD fds[16];

  fixture_start (&fixture, NULL);
  beckon_rpc_connection_call_async (fixture.connection, "silence", NULL, 0, NULL, on_result, &result);
  check_call (&fixture, "echo", "[1]", "[1]");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_true (g_main_context_acquire (context));
  g_assert_false (g_main_context_prepare (context, &priority));
  g_main_context_query (context, G_MAXINT, &timeout, fds, G_N_ELEMENTS (fds));
  g_assert_cmpint (timeout, ==, -1);
  g_main_context_release (context);
  beckon_rpc_connection_close_async (fixture.connection, NULL, NULL, NULL);
  g_assert_null (finish (&fixture, &result, NULL));
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rpc/connection/call", test_call);
  g_test_add_func ("/rpc/connection/many-calls", test_many_calls);
  g_test_add_func ("/rpc/connection/cancel", test_cancel);
  g_test_add_func ("/rpc/connection/timeout", test_timeout);
  g_test_add_func ("/rpc/connection/garbage", test_garbage);
  g_test_add_func ("/rpc/connection/logs", test_logs);
  g_test_add_func ("/rpc/connection/no-logs", test_no_logs);
  g_test_add_func ("/rpc/connection/broken-response", test_broken_response);
  g_test_add_func ("/rpc/connection/halves", test_halves);
  g_test_add_func ("/rpc/connection/ends", test_ends);
  g_test_add_func ("/rpc/connection/long-line", test_long_line);
  g_test_add_func ("/rpc/connection/large", test_large);
  g_test_add_func ("/rpc/connection/large-dropped", test_large_dropped);
  g_test_add_func ("/rpc/connection/flood", test_flood);
  g_test_add_func ("/rpc/connection/close-in-flood", test_close_in_flood);
  g_test_add_func ("/rpc/connection/deaf", test_deaf);
  g_test_add_func ("/rpc/connection/requests", test_requests);
  g_test_add_func ("/rpc/connection/request-forgotten", test_request_forgotten);
  g_test_add_func ("/rpc/connection/no-request-handler", test_no_request_handler);
  g_test_add_func ("/rpc/connection/too-long", test_too_long);
  g_test_add_func ("/rpc/connection/close", test_close);
  g_test_add_func ("/rpc/connection/close-deaf", test_close_deaf);
  g_test_add_func ("/rpc/connection/quiet", test_quiet);
  return g_test_run ();
}
