/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"
#include "beckon-tls-front.h"

/* Connections that are not to be trusted. */

/* A case speaks to the server only through the front. */
typedef struct
{
  BeckonTlsFront *front;
  BeckonFixtureServer *server;
  BeckonExchange *exchange;
} Case;

static void
case_open (Case *self, const char *certificate, const char *host)
{
  g_autofree char *url = NULL;

  self->server = beckon_fixture_server_new (0);
  self->front = beckon_tls_front_new (certificate, beckon_fixture_server_get_port (self->server));
  url = g_strdup_printf ("https://%s:%u/v1", host, beckon_tls_front_get_port (self->front));
  self->exchange = beckon_exchange_new_for_url (url, BECKON_EXCHANGE_KEY);
}

static void
case_close (Case *self)
{
  beckon_exchange_free (self->exchange);
  beckon_tls_front_free (self->front);
  beckon_fixture_server_free (self->server);
}

static void
case_run (Case *self, BeckonFixtureReply *reply)
{
  beckon_fixture_server_queue (self->server, reply);
  beckon_exchange_start (self->exchange);
  beckon_exchange_wait (self->exchange);
}

static void
test_good (void)
{
  Case self;

  case_open (&self, "good.pem", "127.0.0.1");
  for (guint i = 0; i < 3; i++)
    {
      case_run (&self, beckon_fixture_reply_new_chat ("Hello"));
      beckon_exchange_assert_log (self.exchange, "text Hello\nusage 7 3\nend complete\n");
      beckon_exchange_wait_drained (self.exchange);
    }
  g_assert_cmpuint (beckon_fixture_server_count_connections (self.server), ==, 1);
  case_close (&self);
}

static void
test_bad (const char *certificate, const char *host, const char *words)
{
  Case self;

  case_open (&self, certificate, host);
  beckon_exchange_start (self.exchange);
  beckon_exchange_wait (self.exchange);
  beckon_exchange_assert_failed (self.exchange, "", BECKON_LLM_ERROR_TLS, words);
  g_assert_cmpuint (beckon_fixture_server_count_requests (self.server), ==, 0);
  case_close (&self);
}

static void
test_self_signed (void)
{
  test_bad ("self-signed.pem", "127.0.0.1", "is not signed by an authority that this computer trusts");
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

/* The library would speak it; the certificate is a good one. Nothing of the request may go there. The library reads what
 * versions there are when it is loaded, so that each case is a process of its own. */
static void
test_old_version_alone (void)
{
  test_bad ("good.pem", "127.0.0.1", "old version of TLS");
}

static void
test_old_version (gconstpointer version)
{
  g_autofree char *priority = g_strdup_printf ("NORMAL:%%COMPAT:-VERS-ALL:+VERS-%s", (const char *) version);

  g_setenv ("G_TLS_GNUTLS_PRIORITY", priority, TRUE);
  g_test_trap_subprocess ("/llm/tls/old-version/subprocess/alone", 0, 0);
  g_unsetenv ("G_TLS_GNUTLS_PRIORITY");
  g_test_trap_assert_passed ();
}

static void
test_redirect_to_http (void)
{
  Case self;
  g_autoptr (BeckonFixtureServer) other = beckon_fixture_server_new (0);
  g_autofree char *header = g_strdup_printf ("Location: http://127.0.0.1:%u/v1\r\n", beckon_fixture_server_get_port (other));
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  case_open (&self, "good.pem", "127.0.0.1");
  beckon_fixture_reply_add_response (reply, 307, header, "text/plain", "");
  case_run (&self, reply);
  beckon_exchange_assert_failed (self.exchange, "", BECKON_LLM_ERROR_REDIRECT, "“http://127.0.0.1:");
  g_assert_cmpuint (beckon_fixture_server_count_connections (other), ==, 0);
  case_close (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/llm/tls/good", test_good);
  g_test_add_func ("/llm/tls/no-tls", test_no_tls);
  g_test_add_func ("/faults/D/62-https-to-http", test_redirect_to_http);
  g_test_add_func ("/faults/D/63-self-signed", test_self_signed);
  g_test_add_func ("/faults/D/63-expired", test_expired);
  g_test_add_func ("/faults/D/63-early", test_early);
  g_test_add_func ("/faults/D/63-wrong-host", test_wrong_host);
  g_test_add_func ("/llm/tls/old-version/subprocess/alone", test_old_version_alone);
  g_test_add_data_func ("/faults/D/63-tls-1.0", "TLS1.0", test_old_version);
  g_test_add_data_func ("/faults/D/63-tls-1.1", "TLS1.1", test_old_version);
  return g_test_run ();
}
