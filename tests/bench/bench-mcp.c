/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mcp/beckon-mcp-client.h"
#include "mcp/beckon-mcp-stdio.h"
#include "rpc/beckon-rpc-connection.h"

#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A call of a server's tool over stdio, beside a bare exchange of the same bytes; a list of 500 tools; and a server that idles.
 * The server is this program itself: bench-mcp --server. */

/* In turns, so that both meet the same load of the machine. */
#define N_TURNS 15
#define N_CALLS 200
#define N_TOOLS 500
#define IDLE_MS 5000
#define RESULT "{\"content\":[{\"type\":\"text\",\"text\":\"It is 21 degrees in the shade, and it will rain before the evening.\"}]}"

static const char *const schema
    = "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\",\"description\":\"Where\"},\"days\":{\"type\":\"integer\","
      "\"minimum\":1,\"maximum\":10,\"default\":3},\"unit\":{\"enum\":[\"c\",\"f\"]}},\"required\":[\"city\"]}";

static void
print_tools (void)
{
  printf ("{\"tools\":[");
  for (int i = 0; i < N_TOOLS; i++)
    printf ("%s{\"name\":\"forecast_%d\",\"title\":\"Forecast %d\",\"description\":\"Says what the weather will be like in a city in "
            "the next days, with temperature, wind and rain.\",\"inputSchema\":%s}",
            i > 0 ? "," : "", i, i, schema);
  printf ("]}");
}

static int
serve (void)
{
  char *line = NULL;
  size_t size = 0;

  while (getline (&line, &size, stdin) > 0)
    {
      const char *id = strstr (line, "\"id\":");

      if (id == NULL)
        continue;
      printf ("{\"jsonrpc\":\"2.0\",\"id\":%ld,", atol (id + 5));
      if (strstr (line, "\"initialize\"") != NULL)
        printf ("\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"b\","
                "\"version\":\"1\"}}");
      else if (strstr (line, "\"tools/list\"") != NULL)
        {
          printf ("\"result\":");
          print_tools ();
        }
      else if (strstr (line, "\"tools/call\"") != NULL)
        printf ("\"result\":%s", RESULT);
      else
        printf ("\"error\":{\"code\":-32601,\"message\":\"no\"}");
      printf ("}\n");
      fflush (stdout);
    }
  return 0;
}

static int
compare (const void *one, const void *other)
{
  double a = *(const double *) one, b = *(const double *) other;

  return (a > b) - (a < b);
}

static double
get_median (double *values, guint n)
{
  qsort (values, n, sizeof *values, compare);
  return values[n / 2];
}

static gboolean is_done;
static GPtrArray *infos;

static void
wait_done (void)
{
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
  is_done = FALSE;
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonRpcMessage *message = beckon_rpc_connection_call_finish (BECKON_RPC_CONNECTION (source), result, NULL);

  if (message == NULL)
    exit (1);
  beckon_rpc_message_free (message);
  is_done = TRUE;
}

/* (transfer full) */
static BeckonRpcConnection *
connect_bare (const char *program)
{
  static const BeckonRpcHandler none;
  const char *argv[] = { program, "--server", NULL };
  g_autoptr (GInputStream) input = NULL;
  g_autoptr (GOutputStream) output = NULL;
  int in, out;

  if (!g_spawn_async_with_pipes (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &in, &out, NULL, NULL))
    exit (1);
  input = g_unix_input_stream_new (out, TRUE);
  output = g_unix_output_stream_new (in, TRUE);
  return beckon_rpc_connection_new ("bare", input, output, beckon_clock_get_system (), NULL, &none, NULL);
}

/* The same bytes as JSON-RPC and nothing else. */
static void
measure_bare (BeckonRpcConnection *connection, double *times)
{
  for (guint i = 0; i < N_CALLS; i++)
    {
      gint64 begin = g_get_monotonic_time ();
      g_autofree char *params = g_strdup_printf ("{\"name\":\"forecast_7\",\"arguments\":{\"city\":\"Tromsø\",\"days\":2},"
                                                 "\"_meta\":{\"progressToken\":%u}}", i);

      beckon_rpc_connection_call_async (connection, "tools/call", params, 0, NULL, on_answered, NULL);
      wait_done ();
      times[i] = (double) (g_get_monotonic_time () - begin);
    }
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  is_done = beckon_mcp_client_open_finish (BECKON_MCP_CLIENT (source), result, NULL);
  if (!is_done)
    exit (1);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  infos = beckon_mcp_client_list_tools_finish (BECKON_MCP_CLIENT (source), result, NULL);
  is_done = TRUE;
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonMcpResult *read = beckon_mcp_client_call_finish (BECKON_MCP_CLIENT (source), result, NULL);

  if (read == NULL)
    exit (1);
  beckon_mcp_result_free (read);
  is_done = TRUE;
}

static double
measure_list (BeckonMcpClient *client)
{
  double times[21];

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      gint64 begin = g_get_monotonic_time ();

      g_clear_pointer (&infos, g_ptr_array_unref);
      beckon_mcp_client_list_tools_async (client, NULL, on_listed, NULL);
      wait_done ();
      times[i] = (double) (g_get_monotonic_time () - begin);
    }
  return get_median (times, G_N_ELEMENTS (times));
}

static void
show_nothing (const char *text, gpointer data)
{
}

static void
measure_calls (BeckonMcpClient *client, double *times)
{
  static const BeckonMcpCallHandler handler = { .progress = show_nothing };
  const BeckonMcpToolCall call = { .tool = g_ptr_array_index (infos, 7), .arguments = "{\"city\":\"Tromsø\",\"days\":2}",
                                   .handler = &handler };

  for (guint i = 0; i < N_CALLS; i++)
    {
      gint64 begin = g_get_monotonic_time ();

      beckon_mcp_client_call_async (client, &call, NULL, on_called, NULL);
      wait_done ();
      times[i] = (double) (g_get_monotonic_time () - begin);
    }
}

static gboolean
on_idle_over (gpointer user_data)
{
  is_done = TRUE;
  return G_SOURCE_REMOVE;
}

/* How often this program was woken while nothing was to be done. */
static long
measure_idle (void)
{
  struct rusage before, after;

  getrusage (RUSAGE_SELF, &before);
  g_timeout_add (IDLE_MS, on_idle_over, NULL);
  wait_done ();
  getrusage (RUSAGE_SELF, &after);
  return after.ru_nvcsw - before.ru_nvcsw;
}

int
main (int argc, char **argv)
{
  g_autoptr (BeckonMcpServer) server = NULL;
  g_autoptr (BeckonMcpTransport) transport = NULL;
  g_autoptr (BeckonMcpClient) client = NULL;
  g_autoptr (BeckonRpcConnection) connection = NULL;
  static double bare_times[N_TURNS * N_CALLS], call_times[N_TURNS * N_CALLS];
  const char *arguments[] = { "--server", NULL };
  g_autofree char *program = g_canonicalize_filename (argv[0], NULL);
  double bare, list, calls;
  long without, with;

  if (argc > 1)
    return serve ();
  without = measure_idle ();
  server = beckon_mcp_server_new ("bench", BECKON_MCP_KIND_STDIO);
  server->program = g_strdup (program);
  server->arguments = g_strdupv ((char **) arguments);
  transport = beckon_mcp_stdio_new (server, NULL, beckon_clock_get_system ());
  client = beckon_mcp_client_new ("bench", transport, beckon_clock_get_system (), NULL);
  beckon_mcp_client_open_async (client, NULL, on_opened, NULL);
  wait_done ();
  list = measure_list (client);
  if (infos == NULL || infos->len != N_TOOLS)
    return 1;
  connection = connect_bare (program);
  for (guint i = 0; i < N_TURNS; i++)
    {
      measure_bare (connection, bare_times + i * N_CALLS);
      measure_calls (client, call_times + i * N_CALLS);
    }
  bare = get_median (bare_times, N_TURNS * N_CALLS);
  calls = get_median (call_times, N_TURNS * N_CALLS);
  printf ("list of %d tools: %.1f ms\ncall: %.0f µs, bare exchange %.0f µs, %.2f times\n", N_TOOLS, list / 1000, calls, bare,
          calls / bare);
  with = measure_idle ();
  printf ("idle for %d s: woken %ld times with a running server, %ld times without\n", IDLE_MS / 1000, with, without);
  return 0;
}
