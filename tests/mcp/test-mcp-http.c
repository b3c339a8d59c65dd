/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mcp/beckon-mcp-client.h"
#include "mcp/beckon-mcp-http.h"

#include "base/beckon-error.h"
#include "rpc/beckon-rpc-message.h"

#include <string.h>

#define DEADLINE_S 30
#define NO_ANSWER_S 15 /* much more than it takes on a busy computer */

/* A client and tests/mcp/http-server.py, a real server on this computer. */
typedef struct
{
  BeckonMcpTransport *transport;
  BeckonMcpClient *client;
  GCancellable *cancellable;
  GPtrArray *infos;
  BeckonMcpResult *result;
  GError *error;
  gboolean is_done;
  guint n_ended;
  guint n_progress;
  char *progress; /* (nullable): the last one */
} Case;

static GSubprocess *process;
static char *port;

static gboolean
on_deadline (gpointer user_data)
{
  g_error ("nothing happened for %d seconds", DEADLINE_S);
  return G_SOURCE_REMOVE;
}

static void
wait_done (Case *test)
{
  guint deadline = g_timeout_add_seconds (DEADLINE_S, on_deadline, NULL);

  while (!test->is_done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (deadline);
}

static void
start_server (void)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "mcp", "http-server.py", NULL);
  g_autoptr (GDataInputStream) lines = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL,
                              g_getenv ("BECKON_TEST_PYTHON"), script, NULL);
  g_assert_nonnull (process);
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  port = g_data_input_stream_read_line (lines, NULL, NULL, NULL);
  g_assert_nonnull (port);
}

static void
on_ended (BeckonMcpClient *client, const GError *error, gpointer user_data)
{
  ((Case *) user_data)->n_ended++;
}

static Case *
case_new (const char *path)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("Far", BECKON_MCP_KIND_HTTP);
  g_autoptr (GHashTable) secrets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Case *test = g_new0 (Case, 1);

  server->address = g_strdup_printf ("http://127.0.0.1:%s/%s", port, path);
  g_ptr_array_add (server->headers, beckon_mcp_variable_new ("Authorization", NULL, BECKON_MCP_VALUE_SECRET));
  g_hash_table_insert (secrets, g_strdup ("Authorization"), g_strdup ("Bearer abc"));
  test->transport = beckon_mcp_http_new (server, secrets, beckon_clock_get_system ());
  test->client = beckon_mcp_client_new ("Far", test->transport, beckon_clock_get_system (), NULL);
  test->cancellable = g_cancellable_new ();
  g_signal_connect (test->client, "ended", G_CALLBACK (on_ended), test);
  return test;
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  beckon_mcp_client_close_finish (BECKON_MCP_CLIENT (source), result, NULL);
  ((Case *) user_data)->is_done = TRUE;
}

static void
case_free (Case *test)
{
  test->is_done = FALSE;
  beckon_mcp_client_close_async (test->client, NULL, on_closed, test);
  wait_done (test);
  g_object_unref (test->client);
  g_object_unref (test->transport);
  g_object_unref (test->cancellable);
  g_clear_pointer (&test->infos, g_ptr_array_unref);
  beckon_mcp_result_free (test->result);
  g_clear_error (&test->error);
  g_free (test->progress);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  g_clear_error (&test->error);
  beckon_mcp_client_open_finish (BECKON_MCP_CLIENT (source), result, &test->error);
  test->is_done = TRUE;
}

static void
open_client (Case *test)
{
  test->is_done = FALSE;
  beckon_mcp_client_open_async (test->client, NULL, on_opened, test);
  wait_done (test);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  test->infos = beckon_mcp_client_list_tools_finish (BECKON_MCP_CLIENT (source), result, &test->error);
  test->is_done = TRUE;
}

static Case *
case_open (const char *path)
{
  Case *test = case_new (path);

  open_client (test);
  g_assert_no_error (test->error);
  test->is_done = FALSE;
  beckon_mcp_client_list_tools_async (test->client, NULL, on_listed, test);
  wait_done (test);
  g_assert_no_error (test->error);
  return test;
}

static void
count_progress (const char *text, gpointer data)
{
  Case *test = data;

  test->n_progress++;
  g_free (test->progress);
  test->progress = g_strdup (text);
}

static const BeckonMcpCallHandler handler = { .progress = count_progress };

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  g_clear_error (&test->error);
  g_clear_pointer (&test->result, beckon_mcp_result_free);
  test->result = beckon_mcp_client_call_finish (BECKON_MCP_CLIENT (source), result, &test->error);
  test->is_done = TRUE;
}

static void
begin_call (Case *test, const char *name)
{
  const BeckonMcpToolCall call
      = { .tool = beckon_mcp_tool_infos_find (test->infos, name), .arguments = "{}", .handler = &handler, .data = test };

  test->is_done = FALSE;
  beckon_mcp_client_call_async (test->client, &call, test->cancellable, on_called, test);
}

static void
call_tool (Case *test, const char *name)
{
  begin_call (test, name);
  wait_done (test);
}

static void
assert_hello (Case *test)
{
  g_assert_no_error (test->error);
  g_assert_cmpstr (test->result->text, ==, "hello");
}

static void
test_works (gconstpointer path)
{
  g_autoptr (Case) test = case_open (path);
  gboolean is_modern = g_str_has_prefix (path, "modern");

  g_assert_cmpstr (beckon_mcp_client_get_hello (test->client)->revision, ==, is_modern ? "2026-07-28" : "2025-11-25");
  call_tool (test, "echo");
  assert_hello (test);
  g_assert_cmpuint (test->n_progress, ==, strstr (path, "events") != NULL ? 1 : 0);
  call_tool (test, "seen");
  g_assert_no_error (test->error);
  if (is_modern)
    g_assert_nonnull (strstr (test->result->text, "tools/call 2026-07-28 None tools/call echo ••••••"));
  else
    g_assert_nonnull (strstr (test->result->text, strstr (path, "session") != NULL
                                                    ? "tools/call 2025-11-25 s1 None None ••••••"
                                                    : "tools/call 2025-11-25 None None None ••••••"));
}

/* Messages that are parsed in a thread, and the short ones between them, come in their order, and all before the stream's end. */
static void
test_long (gconstpointer path)
{
  g_autoptr (Case) test = case_open (path);

  for (guint i = 0; i < 3; i++)
    {
      test->n_progress = 0;
      call_tool (test, "echo");
      assert_hello (test);
      if (strstr (path, "events") == NULL)
        continue;
      g_assert_cmpuint (test->n_progress, ==, 5);
      g_assert_nonnull (strstr (test->progress, "step 5"));
    }
}

/* A call that is given up while its response is parsed ends as others do, and the next one works. */
static void
test_long_cancelled (void)
{
  g_autoptr (Case) test = case_open ("old/events/long");

  begin_call (test, "echo");
  while (test->n_progress == 0)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (test->cancellable);
  wait_done (test);
  g_assert_error (test->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_cancellable_reset (test->cancellable);
  call_tool (test, "echo");
  assert_hello (test);
}

/* The call of a tool that may run twice is sent again, once, when its stream breaks off. Of any other nobody knows what became. */
static void
test_reissued (void)
{
  g_autoptr (Case) test = case_open ("modern/events/cut-once");
  g_autoptr (Case) always = case_open ("modern/events/cut");

  call_tool (test, "again");
  assert_hello (test);
  call_tool (test, "look");
  assert_hello (test);
  call_tool (test, "echo");
  g_assert_nonnull (test->error);
  g_assert_nonnull (strstr (test->error->message, "is not known"));
  call_tool (always, "again");
  g_assert_nonnull (always->error);
}

/* A server that asks without end gets some answers, and its own answer is taken. */
static void
test_floods (void)
{
  g_autoptr (Case) test = case_open ("old/events/floods");
  int most;

  call_tool (test, "echo");
  g_assert_no_error (test->error);
  most = atoi (test->result->text);
  g_assert_cmpint (most, >=, 1);
  g_assert_cmpint (most, <=, 16);
}

/* A session's id that no header may hold is none. */
static void
test_session_ids (gconstpointer path)
{
  g_autoptr (Case) test = case_open (path);

  call_tool (test, "seen");
  g_assert_no_error (test->error);
  g_assert_nonnull (strstr (test->result->text, "tools/call 2025-11-25 None None None ••••••"));
}

/* A stream that ends before the answer is asked for again, from its last event on. */
static void
test_resumes (void)
{
  g_autoptr (Case) test = case_open ("old/events/resumes");

  call_tool (test, "echo");
  assert_hello (test);
}

static void
test_fails (gconstpointer path)
{
  g_autoptr (Case) test = case_open (path);

  call_tool (test, "echo");
  g_assert_null (test->result);
  g_assert_nonnull (test->error);
  if (strstr (path, "refuses") != NULL)
    g_assert_nonnull (strstr (test->error->message, "Not with me"));
}

static void
on_changed (BeckonMcpClient *client, gpointer user_data)
{
  ((Case *) user_data)->is_done = TRUE;
}

/* The stream of what a server says by itself has ended: another is opened, and what was missed meanwhile is read. */
static void
test_news (gconstpointer path)
{
  g_autoptr (Case) test = case_new (path);

  open_client (test);
  g_assert_no_error (test->error);
  test->is_done = FALSE;
  g_signal_connect (test->client, "tools-changed", G_CALLBACK (on_changed), test);
  wait_done (test);
  g_assert_true (beckon_mcp_client_is_open (test->client));
  g_assert_cmpuint (test->n_ended, ==, 0);
}

/* A server that never lets its session end is waited for no longer than the deadline of the test's waiting. */
static void
test_keeps_session (void)
{
  g_autoptr (Case) test = case_open ("old/session/keeps");

  g_assert_true (beckon_mcp_client_is_open (test->client));
}

/* An unknown session: the client begins anew when it is opened again. */
static void
test_session_lost (void)
{
  g_autoptr (Case) test = case_open ("old/session/lost");

  call_tool (test, "echo");
  g_assert_nonnull (test->error);
  g_assert_cmpuint (test->n_ended, ==, 1);
  g_assert_false (beckon_mcp_client_is_open (test->client));
  open_client (test);
  g_assert_no_error (test->error);
}

/* A response that is no answer ends the request at once, long before the patience with a slow server is over. */
static void
test_no_answer (gconstpointer path)
{
  g_autoptr (Case) test = case_new (path);
  gint64 start = g_get_monotonic_time ();

  open_client (test);
  g_assert_error (test->error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (test->error->message, "Far"));
  g_assert_cmpint (g_get_monotonic_time () - start, <, NO_ANSWER_S * G_USEC_PER_SEC);
  g_assert_false (beckon_mcp_client_is_open (test->client));
}

/* Servers of 2024-11-05 answer by a stream of their own. */
static void
test_legacy (gconstpointer path)
{
  g_autoptr (Case) test = case_open (path);

  g_assert_cmpstr (beckon_mcp_client_get_hello (test->client)->revision, ==, "2024-11-05");
  call_tool (test, "echo");
  assert_hello (test);
  call_tool (test, "echo");
  assert_hello (test);
  call_tool (test, "seen");
  g_assert_no_error (test->error);
  g_assert_nonnull (strstr (test->result->text, "••••••"));
  g_assert_cmpuint (test->n_ended, ==, 0);
}

static void
test_legacy_refused (gconstpointer path)
{
  g_autoptr (Case) test = case_new (path);

  open_client (test);
  g_assert_nonnull (test->error);
  g_assert_nonnull (strstr (test->error->message, "HTTP status 404"));
  g_assert_false (beckon_mcp_client_is_open (test->client));
}

static void
test_legacy_ends (gconstpointer path)
{
  g_autoptr (Case) test = case_open (path);

  call_tool (test, "echo");
  g_assert_nonnull (test->error);
  g_assert_cmpuint (test->n_ended, ==, 1);
  g_assert_false (beckon_mcp_client_is_open (test->client));
  open_client (test);
  g_assert_no_error (test->error);
  call_tool (test, "seen");
  g_assert_no_error (test->error);
}

static void
test_legacy_refuses (void)
{
  g_autoptr (Case) test = case_open ("sse/refuses-post");

  call_tool (test, "echo");
  g_assert_nonnull (test->error);
  g_assert_nonnull (strstr (test->error->message, "500"));
  call_tool (test, "seen");
  g_assert_no_error (test->error);
}

static void
test_cancelled (void)
{
  g_autoptr (Case) test = case_open ("old/waits");

  begin_call (test, "echo");
  g_cancellable_cancel (test->cancellable);
  wait_done (test);
  g_assert_error (test->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_nobody_there (void)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("Far", BECKON_MCP_KIND_HTTP);
  g_autoptr (Case) test = g_new0 (Case, 1);

  server->address = g_strdup ("http://127.0.0.1:1/mcp");
  test->transport = beckon_mcp_http_new (server, NULL, beckon_clock_get_system ());
  test->client = beckon_mcp_client_new ("Far", test->transport, beckon_clock_get_system (), NULL);
  test->cancellable = g_cancellable_new ();
  open_client (test);
  g_assert_nonnull (test->error);
  g_assert_nonnull (strstr (test->error->message, "127.0.0.1:1"));
}

/* The forms of a call, one of two at once. */
typedef struct
{
  guint n_asked;
  gboolean is_done;
} Asked;

static void
ignore_progress (const char *text, gpointer data)
{
}

static void
count_form (const char *params, const char *key, const char *resumption, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  ((Asked *) data)->n_asked++;
  g_task_return_pointer (task, g_strdup ("{\"action\":\"decline\"}"), g_free);
}

static const BeckonMcpCallHandler asked_handler = { .progress = ignore_progress, .elicit = count_form };

static void
on_asked_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  BeckonMcpResult *read = beckon_mcp_client_call_finish (BECKON_MCP_CLIENT (source), result, &error);

  g_assert_no_error (error);
  beckon_mcp_result_free (read);
  ((Asked *) user_data)->is_done = TRUE;
}

static void
begin_asked (Case *test, const char *name, Asked *asked)
{
  const BeckonMcpToolCall call = { .tool = beckon_mcp_tool_infos_find (test->infos, name), .arguments = "{}",
                                   .handler = &asked_handler, .data = asked };

  beckon_mcp_client_call_async (test->client, &call, NULL, on_asked_called, asked);
}

/* A form goes to the call in whose stream it comes, though another call is newer. */
static void
test_asks (void)
{
  g_autoptr (Case) test = case_open ("old/events/asks");
  Asked first = { 0 }, second = { 0 };
  guint deadline = g_timeout_add_seconds (DEADLINE_S, on_deadline, NULL);

  begin_asked (test, "echo", &first);
  begin_asked (test, "look", &second);
  while (!first.is_done || !second.is_done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (deadline);
  g_assert_cmpuint (first.n_asked, ==, 1);
  g_assert_cmpuint (second.n_asked, ==, 0);
}

int
main (int argc, char **argv)
{
  static const char *const works[] = { "modern", "modern/events", "old", "old/events", "old/session", "old/session/events" };
  static const char *const fails[] = { "modern/broken", "modern/moved", "modern/page", "modern/half", "modern/huge",
                                       "modern/refuses", "modern/events/cut", "old/broken", "old/refuses" };
  static const char *const no_answers[] = { "no-answer/object", "no-answer/array",    "no-answer/other",
                                            "no-answer/empty",  "no-answer/accepted", "no-answer/stream" };
  static const char *const legacy[] = { "sse", "sse/405", "sse/400", "sse/twice", "sse/other-ids", "sse/two-endpoints",
                                        "sse/floods", "sse/early" };
  static const char *const refused[] = { "sse/no-stream", "sse/ends-at-once", "sse/elsewhere", "sse/long-endpoint",
                                         "sse/user-endpoint", "sse/odd-endpoint", "sse/silent" };
  static const char *const longs[] = { "modern/long", "old/long", "modern/events/long", "old/session/events/long" };
  int status;

  g_test_init (&argc, &argv, NULL);
  start_server ();
  g_test_add_func ("/mcp/http/asks", test_asks);
  for (guint i = 0; i < G_N_ELEMENTS (longs); i++)
    {
      g_autofree char *name = g_strconcat ("/mcp/http/long/", longs[i], NULL);

      g_test_add_data_func (name, longs[i], test_long);
    }
  g_test_add_func ("/mcp/http/long/cancelled", test_long_cancelled);
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      g_autofree char *name = g_strconcat ("/mcp/http/works/", works[i], NULL);

      g_test_add_data_func (name, works[i], test_works);
    }
  for (guint i = 0; i < G_N_ELEMENTS (fails); i++)
    {
      g_autofree char *name = g_strconcat ("/mcp/http/hostile/", fails[i], NULL);

      g_test_add_data_func (name, fails[i], test_fails);
    }
  for (guint i = 0; i < G_N_ELEMENTS (no_answers); i++)
    {
      g_autofree char *name = g_strconcat ("/mcp/http/", no_answers[i], NULL);

      g_test_add_data_func (name, no_answers[i], test_no_answer);
    }
  for (guint i = 0; i < G_N_ELEMENTS (legacy); i++)
    {
      g_autofree char *name = g_strconcat ("/mcp/http/legacy/", legacy[i], NULL);

      g_test_add_data_func (name, legacy[i], test_legacy);
    }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *name = g_strconcat ("/mcp/http/legacy/refused/", refused[i], NULL);

      g_test_add_data_func (name, refused[i], test_legacy_refused);
    }
  g_test_add_data_func ("/mcp/http/legacy/ends", "sse/ends", test_legacy_ends);
  g_test_add_data_func ("/mcp/http/legacy/huge", "sse/huge", test_legacy_ends);
  g_test_add_func ("/mcp/http/legacy/refuses", test_legacy_refuses);
  g_test_add_func ("/mcp/http/resumes", test_resumes);
  g_test_add_func ("/mcp/http/reissued", test_reissued);
  g_test_add_func ("/mcp/http/floods", test_floods);
  g_test_add_data_func ("/mcp/http/session-ids/space", "old/odd-session", test_session_ids);
  g_test_add_data_func ("/mcp/http/session-ids/long", "old/long-session", test_session_ids);
  g_test_add_func ("/mcp/http/session-lost", test_session_lost);
  g_test_add_func ("/mcp/http/keeps-session", test_keeps_session);
  g_test_add_data_func ("/mcp/http/news/old", "old/news", test_news);
  g_test_add_data_func ("/mcp/http/news/modern", "modern/news", test_news);
  g_test_add_func ("/mcp/http/cancelled", test_cancelled);
  g_test_add_func ("/mcp/http/nobody-there", test_nobody_there);
  status = g_test_run ();
  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
  g_object_unref (process);
  g_free (port);
  return status;
}
