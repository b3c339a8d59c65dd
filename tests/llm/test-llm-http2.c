/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"
#include "beckon-tls-front.h"

/* A server that speaks nothing but HTTP/2: node's. */

static const char script[] =
  "const pem = require ('fs').readFileSync (process.argv[1]);"
  "const server = require ('http2').createSecureServer ({ key: pem, cert: pem });"
  "server.on ('stream', (stream) => {"
  "  stream.respond ({ ':status': 200, 'content-type': 'text/event-stream' });"
  "  stream.write ('data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\\n\\n');"
  "  stream.write ('data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"}}]}\\n\\n');"
  "  stream.end ('data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\\n\\ndata: [DONE]\\n\\n');"
  "});"
  "server.listen (0, '127.0.0.1', () => console.log (server.address ().port));";

static char *
read_line (GSubprocess *process)
{
  g_autoptr (GDataInputStream) output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));

  g_filter_input_stream_set_close_base_stream (G_FILTER_INPUT_STREAM (output), FALSE);
  return g_data_input_stream_read_line (output, NULL, NULL, NULL);
}

static void
test_stream (void)
{
  g_autofree char *node = g_find_program_in_path ("node");
  g_autofree char *pem = g_test_build_filename (G_TEST_DIST, "llm", "tls", "good.pem", NULL);
  g_autoptr (BeckonTlsFront) trust = beckon_tls_front_new ("good.pem", 1);
  g_autoptr (GSubprocess) server = NULL;
  g_autofree char *port = NULL;
  g_autofree char *url = NULL;

  if (node == NULL)
    {
      g_test_skip ("there is no node here");
      return;
    }
  server = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL, node, "-e", script, pem, NULL);
  g_assert_nonnull (server);
  port = read_line (server);
  g_assert_nonnull (port);
  url = g_strdup_printf ("https://127.0.0.1:%s/v1", port);
  {
    g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (url, BECKON_EXCHANGE_KEY);

    for (guint i = 0; i < 3; i++)
      {
        beckon_exchange_start (exchange);
        beckon_exchange_wait (exchange);
        beckon_exchange_assert_log (exchange, "text Hello\nend complete\n");
        beckon_exchange_wait_drained (exchange);
      }
  }
  g_subprocess_force_exit (server);
  g_subprocess_wait (server, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/llm/http2/stream", test_stream);
  return g_test_run ();
}
