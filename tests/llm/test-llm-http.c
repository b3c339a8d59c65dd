/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"

#include <string.h>

#define GOOD_LOG "text Hello\nusage 7 3\nend complete\n"

/* --- Requests ----------------------------------------------------------------------------------------------------- */

static void
assert_header (BeckonExchange *exchange, guint index, const char *name, const char *value)
{
  g_autofree char *found = beckon_fixture_request_dup_header (beckon_fixture_server_get_request (exchange->server, index),
                                                              name);

  g_assert_cmpstr (found, ==, value);
}

static void
test_request (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  const BeckonFixtureRequest *request;

  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  beckon_exchange_assert_log (exchange, GOOD_LOG);

  request = beckon_fixture_server_get_request (exchange->server, 0);
  g_assert_cmpstr (request->method, ==, "POST");
  g_assert_cmpstr (request->path, ==, "/v1/chat/completions");
  g_assert_nonnull (strstr (request->body, "\"fixture-1\""));
  assert_header (exchange, 0, "Authorization", "Bearer " BECKON_EXCHANGE_KEY);
  assert_header (exchange, 0, "Content-Type", "application/json");
  assert_header (exchange, 0, "Accept", "text/event-stream");
  assert_header (exchange, 0, "Cookie", NULL);
  g_assert_cmpuint (exchange->retry_after_ms, ==, -1);
}

/* They add; none takes the place of ours, and one that nobody could have entered is left out. */
static void
test_headers (void)
{
  static const char *const headers[] = { "X-Title: Beckon: tests ", "Accept: text/plain", "X-Broken: a\r\nX-Evil: b",
                                         "Authorization: Bearer other", NULL };
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  beckon_profile_set_headers (exchange->request->profile, headers);
  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  beckon_exchange_assert_log (exchange, GOOD_LOG);
  assert_header (exchange, 0, "X-Title", "Beckon: tests");
  assert_header (exchange, 0, "Accept", "text/event-stream");
  assert_header (exchange, 0, "Authorization", "Bearer " BECKON_EXCHANGE_KEY);
  assert_header (exchange, 0, "X-Broken", NULL);
  assert_header (exchange, 0, "X-Evil", NULL);
}

static void
test_no_key (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (NULL, NULL);

  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  beckon_exchange_assert_log (exchange, GOOD_LOG);
  assert_header (exchange, 0, "Authorization", NULL);
}

/* A base URL may end in a slash, be the whole address, or have a query. */
static void
test_base_url (void)
{
  static const struct
  {
    const char *base;
    const char *path;
  } cases[] = {
    { "/v1/", "/v1/chat/completions" },
    { "", "/chat/completions" },
    { "/v1/chat/completions", "/v1/chat/completions" },
    { "/openai/deployments/x?api-version=2024-10-21#part", "/openai/deployments/x/chat/completions?api-version=2024-10-21" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
      g_autofree char *url = g_strdup_printf ("http://127.0.0.1:%u%s", beckon_fixture_server_get_port (server),
                                              cases[i].base);
      g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (url, NULL);

      beckon_fixture_server_queue (server, beckon_fixture_reply_new_chat ("Hello"));
      beckon_exchange_start (exchange);
      beckon_exchange_wait (exchange);
      beckon_exchange_assert_log (exchange, GOOD_LOG);
      g_assert_cmpstr (beckon_fixture_server_get_request (server, 0)->path, ==, cases[i].path);
    }
}

static void
test_bad_base_url (void)
{
  static const char *const urls[] = { "", "ftp://example.org/v1", "no url", "http://", "file:///etc/passwd", "http://[::1" };

  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (urls[i], NULL);

      beckon_exchange_start (exchange);
      beckon_exchange_wait (exchange);
      beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_NOT_FOUND, "is not a web address");
    }
}

static void
test_look_up_fails (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "The keyring is locked.");

  beckon_test_endpoint_set_error (exchange->endpoint, error);
  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
  g_assert_error (exchange->error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 0);
}

/* No cookies, and no second request that the application did not make. */
static void
test_no_features (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, 401, "Set-Cookie: a=b\r\nWWW-Authenticate: Basic realm=\"x\"\r\n", "text/plain",
                                     "no");
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_AUTH, "does not accept the key");
  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  beckon_exchange_assert_log (exchange, GOOD_LOG);
  assert_header (exchange, 1, "Cookie", NULL);
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 2);
}

/* --- Connections -------------------------------------------------------------------------------------------------- */

static void
test_reuse (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  for (guint i = 0; i < 5; i++)
    {
      beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
      beckon_exchange_wait_drained (exchange);
      beckon_exchange_assert_log (exchange, GOOD_LOG);
    }
  g_assert_cmpuint (beckon_fixture_server_count_connections (exchange->server), ==, 1);
}

/* The reply is whole, but its framing comes late: it is waited for by nobody, and the connection is kept all the same. */
static void
test_reuse_after_late_end (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Hello");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_usage (reply, 7, 3);
  beckon_fixture_reply_add_chunk (reply, "data: [DONE]\n\n", -1);
  beckon_fixture_reply_add_hold (reply, "end");
  beckon_fixture_reply_add_last_chunk (reply);
  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_hold (reply, "drained");
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, GOOD_LOG);

  beckon_fixture_server_release (exchange->server, "end");
  beckon_exchange_wait_until (beckon_fixture_server_count_held (exchange->server, "drained") == 1);
  beckon_fixture_server_release (exchange->server, "drained");
  beckon_exchange_wait_drained (exchange);
  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  g_assert_cmpuint (beckon_fixture_server_count_connections (exchange->server), ==, 1);
}

/* The same, and the end never comes. */
static void
test_end_is_not_waited_for (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Hello");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chunk (reply, "data: [DONE]\n\n", -1);
  beckon_fixture_reply_add_hold (reply, "never");
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "text Hello\nend complete\n");

  beckon_clock_advance (exchange->clock, 1100);
  beckon_exchange_wait_until (beckon_fixture_server_count_open (exchange->server) == 0);
}

/* A connection whose reply was left unread must not serve another request. */
static void
test_no_reuse_after_cancel (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  beckon_exchange_wait_drained (exchange);
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Hel");
  beckon_fixture_reply_add_hold (reply, "never");
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  beckon_exchange_wait_until (exchange->n_events == 1);
  g_cancellable_cancel (exchange->cancellable);
  beckon_exchange_wait (exchange);
  g_assert_error (exchange->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  beckon_exchange_assert_log (exchange, GOOD_LOG);
  g_assert_cmpuint (beckon_fixture_server_count_connections (exchange->server), ==, 2);
}

static void
on_any_event (const BeckonLlmEvent *event, gpointer user_data)
{
  guint *n_events = user_data;

  (*n_events)++;
}

static void
on_any_end (GObject *source, GAsyncResult *result, gpointer user_data)
{
  guint *n_ends = user_data;
  g_autoptr (GError) error = NULL;

  beckon_provider_stream_finish (BECKON_PROVIDER (source), result, NULL, &error);
  g_assert_no_error (error);
  (*n_ends)++;
}

/* libsoup gives a host two connections unless it is told otherwise. */
static void
test_many_at_once (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  guint n_events = 0, n_ends = 0;

  for (guint i = 0; i < 40; i++)
    {
      BeckonFixtureReply *reply = beckon_fixture_reply_new ();

      beckon_fixture_reply_add_stream_head (reply);
      beckon_fixture_reply_add_chat_text (reply, "Hello");
      beckon_fixture_reply_add_hold (reply, "all");
      beckon_fixture_reply_add_chat_finish (reply, "stop");
      beckon_fixture_reply_add_chat_done (reply);
      beckon_fixture_server_queue (exchange->server, reply);
      beckon_provider_stream_async (exchange->provider, exchange->request, on_any_event, &n_events, NULL, on_any_end,
                                    &n_ends);
    }
  beckon_exchange_wait_until (beckon_fixture_server_count_held (exchange->server, "all") == 40 && n_events == 40);
  beckon_fixture_server_release (exchange->server, "all");
  beckon_exchange_wait_until (n_ends == 40);
  g_assert_cmpuint (n_events, ==, 80);
}

/* --- Time --------------------------------------------------------------------------------------------------------- */

static void
start_stalling (BeckonExchange *exchange, guint place)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  if (place == 0)
    beckon_fixture_reply_add_hold (reply, "stall");
  beckon_fixture_reply_add_stream_head (reply);
  if (place == 1)
    {
      beckon_fixture_reply_add_drain (reply);
      beckon_fixture_reply_add_hold (reply, "stall");
    }
  beckon_fixture_reply_add_chat_text (reply, "Hello");
  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_hold (reply, "stall");
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  beckon_exchange_wait_until (beckon_fixture_server_count_held (exchange->server, "stall") == 1);
  if (place == 2)
    beckon_exchange_wait_until (exchange->n_events == 1);
  beckon_exchange_settle ();
}

static gboolean
on_enough (gpointer user_data)
{
  gboolean *enough = user_data;

  *enough = TRUE;
  return G_SOURCE_REMOVE;
}

/* While nothing comes, nothing is done: a source that is always ready would turn the loop thousands of times. */
static void
test_does_not_spin (gconstpointer data)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  gboolean enough = FALSE;
  guint n_turns = 0;

  start_stalling (exchange, GPOINTER_TO_UINT (data));
  g_timeout_add (50, on_enough, &enough);
  while (!enough)
    {
      g_main_context_iteration (NULL, TRUE);
      n_turns++;
    }
  g_assert_cmpuint (n_turns, <, 25);
  g_cancellable_cancel (exchange->cancellable);
  beckon_exchange_wait (exchange);
}

static void
test_first_byte_timeout (gconstpointer data)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  start_stalling (exchange, GPOINTER_TO_UINT (data));
  beckon_clock_advance (exchange->clock, 599 * 1000);
  beckon_exchange_settle ();
  g_assert_false (exchange->done);
  beckon_clock_advance (exchange->clock, 2 * 1000);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_TIMEOUT, "did not begin to answer within 600 seconds");
  beckon_exchange_wait_until (beckon_fixture_server_count_open (exchange->server) == 0);
}

static void
test_idle_timeout (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonProviderLimits limits;

  beckon_provider_limits_default (&limits);
  limits.local_idle_s = 30;
  beckon_provider_set_limits (exchange->provider, &limits);
  start_stalling (exchange, 2);
  beckon_clock_advance (exchange->clock, 29 * 1000);
  beckon_exchange_settle ();
  g_assert_false (exchange->done);
  beckon_clock_advance (exchange->clock, 2 * 1000);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "text Hello\n", BECKON_LLM_ERROR_TIMEOUT, "sent nothing more for 30 seconds");
  beckon_exchange_wait_until (beckon_fixture_server_count_open (exchange->server) == 0);
}

/* Servers close by may load a model and read a long prompt first. */
static void
test_local_limits (void)
{
  static const char *const near[] = {
    "localhost", "127.0.0.1", "::1", "192.168.1.7", "10.0.0.1", "172.20.1.1", "169.254.7.7", "fd00::7", "fe80::1", "box", "box.local",
    "GPU.LAN",   "box.home.arpa",
  };
  static const char *const far[] = { "api.openai.com", "8.8.8.8", "2606:4700::1111", "192.169.1.1", "local.example", "lan.example" };
  BeckonProviderLimits limits;

  beckon_provider_limits_default (&limits);
  for (guint i = 0; i < G_N_ELEMENTS (near); i++)
    {
      g_assert_cmpuint (beckon_provider_limits_for_host (&limits, near[i]).first_byte_s, ==, 600);
      g_assert_cmpuint (beckon_provider_limits_for_host (&limits, near[i]).idle_s, ==, 300);
    }
  for (guint i = 0; i < G_N_ELEMENTS (far); i++)
    {
      g_assert_cmpuint (beckon_provider_limits_for_host (&limits, far[i]).first_byte_s, ==, 120);
      g_assert_cmpuint (beckon_provider_limits_for_host (&limits, far[i]).idle_s, ==, 120);
    }
}

/* The body of an error is not worth waiting for. */
static void
test_error_body_timeout (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 503, "Retry-After: 3\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n");
  beckon_fixture_reply_add (reply, "too busy", -1);
  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_hold (reply, "stall");
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  beckon_exchange_wait_until (beckon_fixture_server_count_held (exchange->server, "stall") == 1);
  beckon_exchange_settle ();
  g_assert_false (exchange->done);
  beckon_clock_advance (exchange->clock, 6 * 1000);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_SERVER, "too busy");
  g_assert_cmpint (exchange->retry_after_ms, ==, 3000);
}

static void
test_error_body_cap (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autofree char *block = g_strnfill (64 * 1024, 'x');
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 500, "Content-Type: text/plain\r\nContent-Length: 1000000000\r\n");
  beckon_fixture_reply_add_repeated (reply, block, -1, 15000);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_SERVER, "xxx");
  beckon_exchange_wait_until (beckon_fixture_server_count_open (exchange->server) == 0);
}

static void
test_stream_cap (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonProviderLimits limits;
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_provider_limits_default (&limits);
  limits.stream_bytes = 1024 * 1024;
  beckon_provider_set_limits (exchange->provider, &limits);
  beckon_fixture_reply_add_head (reply, 200, "Content-Type: text/event-stream\r\nConnection: close\r\n");
  beckon_fixture_reply_add_repeated (reply, ": comment\n\n", -1, 200000);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_TOO_LARGE, "in one reply");
  beckon_exchange_wait_until (beckon_fixture_server_count_open (exchange->server) == 0);
}

static void
test_refused (void)
{
  BeckonFixtureServer *server = beckon_fixture_server_new (0);
  g_autofree char *url = g_strdup (beckon_fixture_server_get_base_url (server));
  g_autofree char *words = g_strdup_printf ("Nothing answers at 127.0.0.1:%u.", beckon_fixture_server_get_port (server));
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (url, NULL);

  beckon_fixture_server_free (server);
  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_CONNECT, words);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/llm/http/request", test_request);
  g_test_add_func ("/llm/http/headers", test_headers);
  g_test_add_func ("/llm/http/no-key", test_no_key);
  g_test_add_func ("/llm/http/base-url", test_base_url);
  g_test_add_func ("/llm/http/bad-base-url", test_bad_base_url);
  g_test_add_func ("/llm/http/look-up-fails", test_look_up_fails);
  g_test_add_func ("/llm/http/no-features", test_no_features);
  g_test_add_func ("/llm/http/reuse", test_reuse);
  g_test_add_func ("/llm/http/reuse-after-late-end", test_reuse_after_late_end);
  g_test_add_func ("/llm/http/end-is-not-waited-for", test_end_is_not_waited_for);
  g_test_add_func ("/llm/http/no-reuse-after-cancel", test_no_reuse_after_cancel);
  g_test_add_func ("/llm/http/many-at-once", test_many_at_once);
  g_test_add_data_func ("/llm/http/does-not-spin/before-headers", GUINT_TO_POINTER (0), test_does_not_spin);
  g_test_add_data_func ("/llm/http/does-not-spin/after-headers", GUINT_TO_POINTER (1), test_does_not_spin);
  g_test_add_data_func ("/llm/http/does-not-spin/in-the-middle", GUINT_TO_POINTER (2), test_does_not_spin);
  g_test_add_func ("/llm/http/local-limits", test_local_limits);
  g_test_add_data_func ("/llm/http/first-byte-timeout/before-headers", GUINT_TO_POINTER (0), test_first_byte_timeout);
  g_test_add_data_func ("/llm/http/first-byte-timeout/after-headers", GUINT_TO_POINTER (1), test_first_byte_timeout);
  g_test_add_func ("/llm/http/idle-timeout", test_idle_timeout);
  g_test_add_func ("/llm/http/error-body-timeout", test_error_body_timeout);
  g_test_add_func ("/llm/http/error-body-cap", test_error_body_cap);
  g_test_add_func ("/llm/http/stream-cap", test_stream_cap);
  g_test_add_func ("/llm/http/refused", test_refused);
  return g_test_run ();
}
