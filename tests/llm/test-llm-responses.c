/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"

#include <string.h>

/* Answers of a server other than a stream, and what becomes of connections. */

static void
run_response (BeckonExchange *exchange, guint status, const char *headers, const char *type, const char *body)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, status, headers, type, body);
  beckon_exchange_run (exchange, reply);
}

/* --- 55: a good status, and no stream ----------------------------------------------------------------------------- */

static void
test_page (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  run_response (exchange, 200, NULL, "text/html", "<!DOCTYPE html><html><title>Sign in</title></html>");
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_PROTOCOL, "web page");
  run_response (exchange, 200, NULL, "text/event-stream", "\n<html><title>Sign in</title></html>");
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_PROTOCOL, "Sign in");
}

static void
test_json_error (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  run_response (exchange, 200, NULL, "application/json", "{\"error\":{\"code\":503,\"message\":\"no capacity\"}}");
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_SERVER, "no capacity");
  run_response (exchange, 200, NULL, "text/event-stream", "{\"error\":\"no such thing\"}");
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_REJECTED, "no such thing");
}

/* Some servers do not stream whatever they are asked. The reply is the reply. */
static void
test_reply_in_one_piece (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  run_response (exchange, 200, NULL, "application/json",
                "{\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":"
                "\"Hello\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}");
  beckon_exchange_assert_log (exchange, "text Hello\nusage 7 3\nend complete\n");
}

static void
test_other_json (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  run_response (exchange, 200, NULL, "application/json", "{\"status\":\"ok\"}");
  g_assert_true (exchange->error != NULL || strstr (exchange->log->str, "end failed") != NULL);
}

static void
test_words (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  run_response (exchange, 200, NULL, "text/plain", "It works!");
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_PROTOCOL, "It works!");
}

static void
test_nothing (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  run_response (exchange, 200, NULL, "text/event-stream", "");
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_PROTOCOL, "empty reply");
  beckon_fixture_reply_add_head (reply, 204, "");
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_PROTOCOL, "empty reply");
}

/* A stream by another name is one all the same. */
static void
test_stream_by_another_name (void)
{
  static const char *const types[] = { "text/plain", "application/octet-stream", "application/json", "x" };
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      run_response (exchange, 200, NULL, types[i],
                    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\n\n"
                    "data: [DONE]\n\n");
      beckon_exchange_assert_log (exchange, "text Hello\nend complete\n");
    }
}

/* --- 58, 59: to be tried again ------------------------------------------------------------------------------------ */

static void
assert_retry (const char *headers, const char *body, gint64 retry_after_ms)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  run_response (exchange, 429, headers, "application/json", body);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_RATE, "Rate limit reached");
  g_assert_cmpint (exchange->retry_after_ms, ==, retry_after_ms);
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 1);
}

static void
test_retry_after (void)
{
  assert_retry ("Retry-After: 7\r\n", "{}", 7000);
  assert_retry ("Retry-After: Tue, 02 Jun 2026 12:00:09 GMT\r\n", "{}", 9000);
  assert_retry ("Retry-After: 0\r\n", "{}", 0);
  assert_retry ("Retry-After: -1\r\n", "{}", -1);
  assert_retry ("Retry-After: 86400\r\n", "{}", 86400000);
  assert_retry ("Retry-After-Ms: 120\r\n", "{}", 120);
  assert_retry (NULL, "{\"error\":{\"code\":429,\"message\":\"x\",\"details\":[{\"retryDelay\":\"1.5s\"}]}}", 1500);
  assert_retry (NULL, "{}", -1);
}

static void
test_server_errors (void)
{
  static const guint statuses[] = { 500, 502, 503, 529 };

  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++)
    {
      g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

      run_response (exchange, statuses[i], NULL, "text/html", "<html><title>Bad day</title></html>");
      beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_SERVER, "Bad day");
      /* Whether to try again is for the run to decide. */
      g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 1);
    }
}

/* --- 61: redirects ------------------------------------------------------------------------------------------------ */

static void
test_redirect (gconstpointer data)
{
  guint status = GPOINTER_TO_UINT (data);
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autoptr (BeckonFixtureServer) other = beckon_fixture_server_new (0);
  g_autofree char *location = g_strdup_printf ("127.0.0.1:%u/stolen", beckon_fixture_server_get_port (other));
  g_autofree char *header = g_strdup_printf ("Location: http://%s\r\n", location);

  run_response (exchange, status, header, "text/plain", "over there");
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_REDIRECT, location);
  g_assert_cmpint (exchange->retry_after_ms, ==, -1);
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 1);
  g_assert_cmpuint (beckon_fixture_server_count_connections (other), ==, 0);
}

static void
test_redirect_without_location (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  run_response (exchange, 302, NULL, "text/plain", "");
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_REDIRECT, "not followed");
}

/* --- 65: headers -------------------------------------------------------------------------------------------------- */

static void
test_huge_header (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add (reply, "HTTP/1.1 200 Fine\r\nX: ", -1);
  beckon_fixture_reply_add_repeated (reply, "0123456789abcdef0123456789abcdef", -1, 5 * 1024 * 1024 / 32);
  beckon_fixture_reply_add (reply, "\r\n\r\n", -1);
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  g_assert_false (exchange->ok);
  g_assert_cmpstr (exchange->log->str, ==, "");
  g_assert_cmpuint (exchange->error->domain, ==, BECKON_LLM_ERROR);
  g_assert_true (g_utf8_validate (exchange->error->message, -1, NULL));
}

static void
test_continues (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_repeated (reply, "HTTP/1.1 100 Continue\r\n\r\n", -1, 100);
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Hello");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_log (exchange, "text Hello\nend complete\n");
}

static void
test_no_http (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add (reply, "SSH-2.0-OpenSSH_9.2\r\n\r\n", -1);
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_PROTOCOL, "is not HTTP");
}

/* --- 66: a kept connection that is dead --------------------------------------------------------------------------- */

static void
queue_death (BeckonExchange *exchange, const char *last_words, gboolean reset)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  if (last_words != NULL)
    {
      beckon_fixture_reply_add (reply, last_words, -1);
      beckon_fixture_reply_add_drain (reply);
    }
  if (reset)
    beckon_fixture_reply_add_reset (reply);
  else
    beckon_fixture_reply_add_close (reply);
  beckon_fixture_server_queue (exchange->server, reply);
}

static void
test_dead_connection (gconstpointer data)
{
  gboolean reset = GPOINTER_TO_INT (data);
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  beckon_exchange_wait_drained (exchange);
  queue_death (exchange, NULL, reset);
  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("again"));
  beckon_exchange_assert_log (exchange, "text again\nusage 7 3\nend complete\n");
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 3);
  g_assert_cmpuint (beckon_fixture_server_count_connections (exchange->server), ==, 2);
}

static void
test_dead_twice (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  beckon_exchange_wait_drained (exchange);
  queue_death (exchange, NULL, FALSE);
  queue_death (exchange, NULL, FALSE);
  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_CONNECT, "closed the connection before it answered");
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 3);
}

/* A first byte came, so somebody has seen the request. */
static void
test_dead_after_a_byte (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("Hello"));
  beckon_exchange_wait_drained (exchange);
  queue_death (exchange, "HTTP/1.1 200", FALSE);
  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_PROTOCOL, "is not HTTP");
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 2);
}

/* A new connection is not a kept one. */
static void
test_dead_at_first (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();

  queue_death (exchange, NULL, FALSE);
  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_CONNECT, "closed the connection before it answered");
  g_assert_cmpuint (beckon_fixture_server_count_requests (exchange->server), ==, 1);
}

/* The server closed it while nobody looked, as it does with a connection that was not used for a while. */
static void
test_closed_meanwhile (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new_chat ("Hello");

  beckon_fixture_reply_add_drain (reply);
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  beckon_exchange_wait_until (beckon_fixture_server_count_open (exchange->server) == 0);
  beckon_exchange_run (exchange, beckon_fixture_reply_new_chat ("again"));
  beckon_exchange_assert_log (exchange, "text again\nusage 7 3\nend complete\n");
}

/* --- 68: keys ----------------------------------------------------------------------------------------------------- */

static void
test_bad_keys (void)
{
  static const char *const keys[] = { "sk-1\r\nX-Evil: 1", "sk-1\n", "schlüssel", "sk 1", "sk-\x7f", "\t" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (NULL, keys[i]);

      beckon_exchange_start (exchange);
      beckon_exchange_wait (exchange);
      beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_AUTH, "has a character that no key can have");
      g_assert_null (strstr (exchange->error->message, keys[i]));
      g_assert_cmpuint (beckon_fixture_server_count_connections (exchange->server), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  static const guint redirects[] = { 301, 302, 303, 307, 308 };

  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/faults/D/55-page", test_page);
  g_test_add_func ("/faults/D/55-json-error", test_json_error);
  g_test_add_func ("/faults/D/55-reply-in-one-piece", test_reply_in_one_piece);
  g_test_add_func ("/faults/D/55-other-json", test_other_json);
  g_test_add_func ("/faults/D/55-words", test_words);
  g_test_add_func ("/faults/D/55-nothing", test_nothing);
  g_test_add_func ("/llm/responses/stream-by-another-name", test_stream_by_another_name);
  g_test_add_func ("/faults/D/58-retry-after", test_retry_after);
  g_test_add_func ("/faults/D/59-server-errors", test_server_errors);
  for (guint i = 0; i < G_N_ELEMENTS (redirects); i++)
    {
      g_autofree char *path = g_strdup_printf ("/faults/D/61-redirect-%u", redirects[i]);

      g_test_add_data_func (path, GUINT_TO_POINTER (redirects[i]), test_redirect);
    }
  g_test_add_func ("/faults/D/61-redirect-without-location", test_redirect_without_location);
  g_test_add_func ("/faults/D/65-huge-header", test_huge_header);
  g_test_add_func ("/faults/D/65-continues", test_continues);
  g_test_add_func ("/llm/responses/no-http", test_no_http);
  g_test_add_data_func ("/faults/D/66-dead-connection/fin", GINT_TO_POINTER (FALSE), test_dead_connection);
  g_test_add_data_func ("/faults/D/66-dead-connection/rst", GINT_TO_POINTER (TRUE), test_dead_connection);
  g_test_add_func ("/faults/D/66-dead-twice", test_dead_twice);
  g_test_add_func ("/faults/D/66-dead-after-a-byte", test_dead_after_a_byte);
  g_test_add_func ("/faults/D/66-dead-at-first", test_dead_at_first);
  g_test_add_func ("/faults/D/66-closed-meanwhile", test_closed_meanwhile);
  g_test_add_func ("/faults/D/68-bad-keys", test_bad_keys);
  return g_test_run ();
}
