/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mcp/beckon-mcp-client.h"
#include "mcp/beckon-mcp-http.h"
#include "mcp/beckon-mcp-stdio.h"
#include "rpc/beckon-rpc-connection.h"

#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <libsoup/soup.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A call of a server's tool over stdio, beside a bare exchange of the same bytes; a list of 500 tools; and servers that idle, of
 * stdio and behind addresses with a stream of news that stays open. The servers are this program itself: bench-mcp --server and
 * bench-mcp --http, so that only the client is measured. */

/* In turns, so that both meet the same load of the machine. */
#define N_TURNS 15
#define N_CALLS 200
#define N_TOOLS 500
#define N_IDLE 16
#define IDLE_MS 10000
#define SETTLE_MS 2000
#define MOST_WAKE_UPS 2.0
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

/* --- The server behind an address --------------------------------------------------------------------------------- */

/* A stream that stays open: each one is told of in a line. */
static void
begin_news (SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  soup_message_headers_set_content_type (headers, "text/event-stream", NULL);
  soup_message_body_append (soup_server_message_get_response_body (message), SOUP_MEMORY_STATIC, ": here\n\n", 8);
  printf ("open\n");
  fflush (stdout);
}

static void
reply (SoupServerMessage *message, long id, const char *result)
{
  g_autofree char *text = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%ld,%s}", id, result);

  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY, text, strlen (text));
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data)
{
  const char *body = soup_server_message_get_request_body (message)->data;
  const char *id = body != NULL ? strstr (body, "\"id\":") : NULL;

  if (soup_server_message_get_method (message) == SOUP_METHOD_GET
      || (body != NULL && strstr (body, "\"subscriptions/listen\"") != NULL))
    begin_news (message);
  else if (id == NULL)
    soup_server_message_set_status (message, SOUP_STATUS_ACCEPTED, NULL);
  else if (strstr (body, "\"server/discover\"") != NULL && g_str_equal (path, "/modern"))
    reply (message, atol (id + 5), "\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":"
                                   "{\"tools\":{\"listChanged\":true}},\"ttlMs\":0,\"cacheScope\":\"private\"}");
  else if (strstr (body, "\"initialize\"") != NULL)
    reply (message, atol (id + 5), "\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                                   "\"serverInfo\":{\"name\":\"b\",\"version\":\"1\"}}");
  else
    soup_server_message_set_status (message, SOUP_STATUS_BAD_REQUEST, NULL);
}

static gboolean
on_hung_up (GIOChannel *input, GIOCondition condition, gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

/* Ends with its standard input. */
static int
serve_http (void)
{
  g_autoptr (SoupServer) server = soup_server_new (NULL, NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GIOChannel) input = g_io_channel_unix_new (STDIN_FILENO);
  GSList *addresses;

  soup_server_add_handler (server, NULL, on_request, NULL, NULL);
  if (!soup_server_listen_local (server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, NULL))
    return 1;
  addresses = soup_server_get_uris (server);
  printf ("%d\n", g_uri_get_port (addresses->data));
  fflush (stdout);
  g_slist_free_full (addresses, (GDestroyNotify) g_uri_unref);
  g_io_add_watch (input, G_IO_HUP, on_hung_up, loop);
  g_main_loop_run (loop);
  return 0;
}

/* --- Measuring ---------------------------------------------------------------------------------------------------- */

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

/* --- Idling ------------------------------------------------------------------------------------------------------- */

static gboolean
on_idle_over (gpointer user_data)
{
  is_done = TRUE;
  return G_SOURCE_REMOVE;
}

static void
rest (guint milliseconds)
{
  g_timeout_add (milliseconds, on_idle_over, NULL);
  wait_done ();
}

/* How often this program was woken while nothing was to be done. */
static long
measure_idle (void)
{
  struct rusage before, after;

  rest (SETTLE_MS);
  getrusage (RUSAGE_SELF, &before);
  rest (IDLE_MS);
  getrusage (RUSAGE_SELF, &after);
  return after.ru_nvcsw - before.ru_nvcsw;
}

static BeckonMcpClient *
open_client (BeckonMcpTransport *transport)
{
  BeckonMcpClient *client = beckon_mcp_client_new ("bench", transport, beckon_clock_get_system (), NULL);

  beckon_mcp_client_open_async (client, NULL, on_opened, NULL);
  wait_done ();
  return client;
}

static BeckonMcpClient *
open_stdio (const char *program)
{
  const char *arguments[] = { "--server", NULL };
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("bench", BECKON_MCP_KIND_STDIO);
  g_autoptr (BeckonMcpTransport) transport = NULL;

  server->program = g_strdup (program);
  server->arguments = g_strdupv ((char **) arguments);
  transport = beckon_mcp_stdio_new (server, NULL, beckon_clock_get_system ());
  return open_client (transport);
}

static BeckonMcpClient *
open_http (int port, const char *path)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("bench", BECKON_MCP_KIND_HTTP);
  g_autoptr (BeckonMcpTransport) transport = NULL;

  server->address = g_strdup_printf ("http://127.0.0.1:%d%s", port, path);
  transport = beckon_mcp_http_new (server, NULL, beckon_clock_get_system ());
  return open_client (transport);
}

static char *line;

static void
on_line (GObject *source, GAsyncResult *result, gpointer user_data)
{
  line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);
  if (line == NULL)
    exit (1);
  is_done = TRUE;
}

/* A number, or 0 */
static int
read_line (GDataInputStream *told)
{
  int number;

  g_data_input_stream_read_line_async (told, G_PRIORITY_DEFAULT, NULL, on_line, NULL);
  wait_done ();
  number = atoi (line);
  g_clear_pointer (&line, g_free);
  return number;
}

/* Half of them of stdio, a quarter each behind an address in the two revisions, all with their stream open. */
static void
open_many (const char *program, BeckonMcpClient **clients)
{
  const char *argv[] = { program, "--http", NULL };
  g_autoptr (GInputStream) input = NULL;
  g_autoptr (GDataInputStream) told = NULL;
  int in, out, port;

  /* Its standard input is held open until this program ends. */
  if (!g_spawn_async_with_pipes (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &in, &out, NULL, NULL))
    exit (1);
  input = g_unix_input_stream_new (out, TRUE);
  told = g_data_input_stream_new (input);
  port = read_line (told);
  for (guint i = 0; i < N_IDLE / 2; i++)
    clients[i] = open_stdio (program);
  for (guint i = N_IDLE / 2; i < N_IDLE; i++)
    {
      clients[i] = open_http (port, i % 2 == 0 ? "/modern" : "/old");
      read_line (told);
    }
}

static gboolean
report_idle (const char *program)
{
  static BeckonMcpClient *clients[N_IDLE];
  long without = measure_idle (), with;
  double more;

  open_many (program, clients);
  with = measure_idle ();
  more = (double) MAX (with - without, 0);
  printf ("# idle for %d s: woken %ld times with %d servers, %ld times without\n", IDLE_MS / 1000, with, N_IDLE, without);
  printf ("bench mcp-idle-wakeups = %.2f more in %d s, goal <= %g: %s\n", more, IDLE_MS / 1000, MOST_WAKE_UPS,
          more <= MOST_WAKE_UPS ? "holds" : "falls short");
  for (guint i = 0; i < N_IDLE; i++)
    g_object_unref (clients[i]);
  return more <= MOST_WAKE_UPS;
}

int
main (int argc, char **argv)
{
  g_autoptr (BeckonMcpClient) client = NULL;
  g_autoptr (BeckonRpcConnection) connection = NULL;
  static double bare_times[N_TURNS * N_CALLS], call_times[N_TURNS * N_CALLS];
  g_autofree char *program = g_canonicalize_filename (argv[0], NULL);
  double bare, list, calls;
  gboolean holds;

  if (argc > 1)
    return strcmp (argv[1], "--http") == 0 ? serve_http () : serve ();
  holds = report_idle (program);
  client = open_stdio (program);
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
  return holds ? 0 : 1;
}
