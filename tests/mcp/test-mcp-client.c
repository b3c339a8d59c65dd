/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mcp/beckon-mcp-client.h"
#include "mcp/beckon-mcp-environment.h"
#include "mcp/beckon-mcp-process.h"
#include "mcp/beckon-mcp-stdio.h"

#include "base/beckon-error.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#define DEADLINE_S 30

/* A client and a real process, tests/mcp/server.py, which behaves as it is told. */
typedef struct
{
  BeckonMcpServer *server;
  BeckonMcpTransport *transport;
  BeckonMcpClient *client;
  GCancellable *cancellable;
  GPtrArray *infos;
  BeckonMcpResult *result;
  GError *error;
  GError *ended; /* (nullable): why it ended by itself */
  gboolean is_done;
  guint n_changed;
  guint n_ended;
  GString *progress;
  char *elicited;   /* (nullable): the params of the last form */
  char *resumption; /* (nullable) */
  char *completed;  /* (nullable) */
  gboolean is_lost;  /* the person's answer can't be had */
  const char *reply; /* (nullable): what the person answers; %NULL: nothing yet */
  GTask *asked;     /* (nullable): a form without an answer */
  guint n_asked;
} Case;

static gboolean
on_deadline (gpointer user_data)
{
  g_error ("nothing happened for %d seconds", DEADLINE_S);
  return G_SOURCE_REMOVE;
}

/* Everything seen outside of the main loop is looked at again now and then. */
static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

#define wait_until(condition)                                                                                                  \
  G_STMT_START                                                                                                                 \
  {                                                                                                                            \
    guint deadline_ = g_timeout_add_seconds (DEADLINE_S, on_deadline, NULL);                                                   \
    guint tick_ = g_timeout_add (10, on_tick, NULL);                                                                           \
    while (!(condition))                                                                                                       \
      g_main_context_iteration (NULL, TRUE);                                                                                   \
    g_source_remove (deadline_);                                                                                               \
    g_source_remove (tick_);                                                                                                   \
  }                                                                                                                            \
  G_STMT_END

static void
on_changed (Case *test)
{
  test->n_changed++;
}

static void
on_ended (BeckonMcpClient *client, const GError *error, gpointer user_data)
{
  Case *test = user_data;

  test->n_ended++;
  g_clear_error (&test->ended);
  test->ended = g_error_copy (error);
}

static Case *
case_new_with (const char *words, GHashTable *secrets, const BeckonMcpClientLimits *limits)
{
  Case *test = g_new0 (Case, 1);
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "mcp", "server.py", NULL);
  g_autofree char *line = g_strdup_printf ("-u %s %s", script, words);

  test->server = beckon_mcp_server_new ("Test", BECKON_MCP_KIND_STDIO);
  test->server->program = g_strdup (g_getenv ("BECKON_TEST_PYTHON"));
  test->server->arguments = g_strsplit (line, " ", -1);
  if (secrets != NULL)
    g_ptr_array_add (test->server->variables, beckon_mcp_variable_new ("TOKEN", NULL, BECKON_MCP_VALUE_SECRET));
  test->transport = beckon_mcp_stdio_new (test->server, secrets, beckon_clock_get_system ());
  test->client = beckon_mcp_client_new ("Test", test->transport, beckon_clock_get_system (), limits);
  test->cancellable = g_cancellable_new ();
  test->progress = g_string_new (NULL);
  g_signal_connect_swapped (test->client, "tools-changed", G_CALLBACK (on_changed), test);
  g_signal_connect (test->client, "ended", G_CALLBACK (on_ended), test);
  return test;
}

static Case *
case_new (const char *words, const BeckonMcpClientLimits *limits)
{
  return case_new_with (words, NULL, limits);
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_mcp_client_close_finish (BECKON_MCP_CLIENT (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

static void
case_close (Case *test)
{
  gboolean is_closed = FALSE;

  beckon_mcp_client_close_async (test->client, NULL, on_closed, &is_closed);
  wait_until (is_closed);
}

static void
case_free (Case *test)
{
  case_close (test);
  g_assert_finalize_object (test->client);
  g_object_unref (test->transport);
  beckon_mcp_server_unref (test->server);
  g_object_unref (test->cancellable);
  g_clear_pointer (&test->infos, g_ptr_array_unref);
  beckon_mcp_result_free (test->result);
  g_clear_error (&test->error);
  g_clear_error (&test->ended);
  g_string_free (test->progress, TRUE);
  g_free (test->elicited);
  g_free (test->resumption);
  g_free (test->completed);
  g_clear_object (&test->asked);
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
  beckon_mcp_client_open_async (test->client, test->cancellable, on_opened, test);
  wait_until (test->is_done);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  g_clear_error (&test->error);
  g_clear_pointer (&test->infos, g_ptr_array_unref);
  test->infos = beckon_mcp_client_list_tools_finish (BECKON_MCP_CLIENT (source), result, &test->error);
  test->is_done = TRUE;
}

static void
list_tools (Case *test)
{
  test->is_done = FALSE;
  beckon_mcp_client_list_tools_async (test->client, NULL, on_listed, test);
  wait_until (test->is_done);
}

static Case *
case_open (const char *words)
{
  Case *test = case_new (words, NULL);

  open_client (test);
  g_assert_no_error (test->error);
  list_tools (test);
  g_assert_no_error (test->error);
  return test;
}

static void
show_progress (const char *text, gpointer data)
{
  g_string_append_printf (((Case *) data)->progress, "%s|", text);
}

static void
on_form_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Case *test = user_data;
  g_autoptr (GTask) task = g_steal_pointer (&test->asked);

  if (task != NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "taken back");
}

static void
elicit (const char *params, const char *key, const char *resumption, GCancellable *cancellable, GAsyncReadyCallback callback,
        gpointer user_data, gpointer data)
{
  Case *test = data;
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  test->n_asked++;
  g_free (test->elicited);
  test->elicited = g_strdup (params);
  g_free (test->resumption);
  test->resumption = g_strdup (resumption);
  if (test->is_lost)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_STORE, "The keyring is locked.");
      g_object_unref (task);
      return;
    }
  if (test->reply != NULL)
    {
      g_task_return_pointer (task, g_strdup (test->reply), g_free);
      g_object_unref (task);
      return;
    }
  test->asked = task;
  g_cancellable_connect (cancellable, G_CALLBACK (on_form_cancelled), test, NULL);
}

static void
note_completed (const char *id, gpointer data)
{
  Case *test = data;

  g_free (test->completed);
  test->completed = g_strdup (id);
}

static const BeckonMcpCallHandler handler = { .progress = show_progress, .elicit = elicit,
                                                .completed = note_completed };

static void
on_other_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  beckon_mcp_result_free (beckon_mcp_client_call_finish (BECKON_MCP_CLIENT (source), result, NULL));
}

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
begin_call (Case *test, const char *name, const char *arguments, const char *resumption)
{
  const BeckonMcpToolCall call = {
    .tool = beckon_mcp_tool_infos_find (test->infos, name),
    .arguments = arguments,
    .folder = "/tmp/work",
    .resumption = resumption,
    .handler = &handler,
    .data = test,
  };

  g_assert_nonnull (call.tool);
  test->is_done = FALSE;
  beckon_mcp_client_call_async (test->client, &call, test->cancellable, on_called, test);
}

static void
call_tool (Case *test, const char *name, const char *arguments)
{
  begin_call (test, name, arguments, NULL);
  wait_until (test->is_done);
}

static void
assert_says (Case *test, const char *text)
{
  g_assert_no_error (test->error);
  g_assert_cmpstr (test->result->text, ==, text);
}

static void
assert_fails (Case *test, const char *words)
{
  g_assert_null (test->result);
  g_assert_nonnull (test->error);
  if (strstr (test->error->message, words) == NULL)
    g_error ("“%s” does not say “%s”", test->error->message, words);
}

static void
assert_log (Case *test, const char *words)
{
  g_autofree char *log = beckon_mcp_transport_dup_log (test->transport);

  if (strstr (log, words) == NULL)
    g_error ("the log does not say “%s”:\n%s", words, log);
}

static gboolean
log_has (Case *test, const char *words)
{
  g_autofree char *log = beckon_mcp_transport_dup_log (test->transport);

  return strstr (log, words) != NULL;
}

/* A number that the server says in its log, behind @word. */
static int
find_number (Case *test, const char *word)
{
  g_autofree char *log = NULL;
  const char *at;

  wait_until (log_has (test, word));
  log = beckon_mcp_transport_dup_log (test->transport);
  at = strstr (log, word);
  return atoi (at + strlen (word));
}

/* --- Both revisions ----------------------------------------------------------------------------------------------- */

/* Opening, a list of several pages, a call, and its end, in the revision that the test's argument names. */
static void
test_works (gconstpointer words)
{
  g_autoptr (Case) test = case_open (words);
  const BeckonMcpHello *hello = beckon_mcp_client_get_hello (test->client);
  gboolean is_modern = strcmp (words, "modern") == 0;

  g_assert_cmpstr (hello->revision, ==, is_modern ? "2026-07-28" : "2025-11-25");
  g_assert_cmpstr (hello->title, ==, is_modern ? "modern-test" : "Old Test");
  g_assert_cmpuint (test->infos->len, ==, 14);
  g_assert_cmpstr (((BeckonMcpToolInfo *) g_ptr_array_index (test->infos, 0))->title, ==, "Say Again");
  call_tool (test, "echo", "{\"text\":\"Grüße\\nzwei\"}");
  assert_says (test, "Grüße\nzwei");
  call_tool (test, "structured", "{}");
  assert_says (test, "{\"degrees\":21}\n");
  call_tool (test, "fail", "{}");
  assert_says (test, "It was not there<U+202E>");
  g_assert_true (test->result->is_error);
  call_tool (test, "progress", "{}");
  assert_says (test, "done");
  g_assert_cmpstr (test->progress->str, ==, "step 1 · 25 %|step 2 · 50 %|step 3 · 75 %|");
  call_tool (test, "state", "{}");
  if (is_modern)
    g_assert_nonnull (strstr (test->result->text, "\"io.modelcontextprotocol/protocolVersion\": \"2026-07-28\""));
  else
    g_assert_null (strstr (test->result->text, "modelcontextprotocol"));
}

/* A server that doesn't answer what it doesn't know. */
static void
test_silent (void)
{
  const BeckonMcpClientLimits limits = { 50, 20000, 20000, 20000, 20000 };
  g_autoptr (Case) test = case_new ("old silent", &limits);

  open_client (test);
  g_assert_no_error (test->error);
  g_assert_cmpstr (beckon_mcp_client_get_hello (test->client)->revision, ==, "2025-11-25");
}

/* A server that ends at it gets the older request in a new process. */
static void
test_dies_at_discover (void)
{
  g_autoptr (Case) test = case_new ("old dies-at-discover", NULL);

  open_client (test);
  g_assert_no_error (test->error);
  g_assert_cmpstr (beckon_mcp_client_get_hello (test->client)->revision, ==, "2025-11-25");
}

static void
test_other_revision (gconstpointer words)
{
  g_autoptr (Case) test = case_new (words, NULL);

  open_client (test);
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_false (beckon_mcp_client_is_open (test->client));
}

/* --- Forms -------------------------------------------------------------------------------------------------------- */

static void
test_asks_modern (void)
{
  g_autoptr (Case) test = case_open ("modern");

  test->reply = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
  call_tool (test, "ask", "{}");
  assert_says (test, "answers {\"where\": {\"roots\": [{\"name\": \"work\", \"uri\": \"file:///tmp/work\"}]}, \"who\": "
                     "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}}");
  g_assert_nonnull (strstr (test->elicited, "Which account?"));
}

/* The answer comes in another process than the one that asked: state and answer still reach the server. */
static void
test_resumes (void)
{
  g_autoptr (Case) first = case_open ("modern");
  g_autoptr (Case) second = case_open ("modern");

  begin_call (first, "ask", "{}", NULL);
  wait_until (first->asked != NULL);
  g_assert_nonnull (first->resumption);
  second->reply = "{\"action\":\"decline\"}";
  begin_call (second, "ask", "{}", first->resumption);
  wait_until (second->is_done);
  g_assert_no_error (second->error);
  g_assert_nonnull (strstr (second->result->text, "\"who\": {\"action\": \"decline\"}"));
  g_assert_cmpuint (second->n_asked, ==, 1);
  g_cancellable_cancel (first->cancellable);
  wait_until (first->is_done);
  g_assert_error (first->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* The request of an older server has the id 0. Time doesn't count while the person thinks. */
static void
test_asks_old (void)
{
  const BeckonMcpClientLimits limits = { 3000, 20000, 20000, 150, 150 };
  g_autoptr (Case) test = case_new ("old", &limits);
  gint64 until;

  open_client (test);
  list_tools (test);
  begin_call (test, "ask", "{}", NULL);
  wait_until (test->asked != NULL);
  until = g_get_monotonic_time () + 400 * 1000;
  wait_until (g_get_monotonic_time () > until);
  g_assert_false (test->is_done);
  g_task_return_pointer (test->asked, g_strdup ("{\"action\":\"decline\"}"), g_free);
  g_clear_object (&test->asked);
  wait_until (test->is_done);
  assert_says (test, "answer {\"action\": \"decline\"}");
}

static void
test_asks_nobody (void)
{
  g_autoptr (Case) test = case_open ("old");

  begin_call (test, "ask", "{}", NULL);
  wait_until (test->asked != NULL);
  g_cancellable_cancel (test->cancellable);
  wait_until (test->is_done);
  g_assert_error (test->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (test->asked);
}

static void
test_takes_back (void)
{
  g_autoptr (Case) test = case_open ("old takes-back");

  call_tool (test, "ask", "{}");
  assert_says (test, "answer {\"action\": \"cancel\"}");
}

static void
test_dies_while_asking (void)
{
  g_autoptr (Case) test = case_open ("old dies-while-asking");

  begin_call (test, "ask", "{}", NULL);
  wait_until (test->is_done);
  assert_fails (test, "The server ended during the call, with exit status 6;");
  g_assert_null (test->asked);
}

static void
test_asks_forever (void)
{
  g_autoptr (Case) test = case_open ("modern asks-forever");

  test->reply = "{\"action\":\"decline\"}";
  call_tool (test, "ask", "{}");
  assert_fails (test, "more and more");
}

/* Folders are told, replies of a model refused, signs of life answered. */
static void
test_roots (void)
{
  g_autoptr (Case) test = case_open ("old");
  g_autoptr (Case) modern = case_open ("modern");

  call_tool (test, "roots", "{}");
  assert_says (test, "{\"ping\": {}, \"roots\": {\"roots\": [{\"name\": \"work\", \"uri\": \"file:///tmp/work\"}]}, \"sample\": "
                     "{\"code\": -32601}}");
  call_tool (modern, "roots", "{}");
  assert_fails (modern, "not allowed");
}

/* An address that the person has to open first. The server asks for it again: that is told. */
static void
test_link (void)
{
  const BeckonMcpClientLimits limits = { 3000, 20000, 20000, 20000, 20000, 100 };
  g_autoptr (Case) test = case_new ("old", &limits);

  open_client (test);
  list_tools (test);
  test->reply = "{\"action\":\"decline\"}";
  call_tool (test, "link", "{}");
  assert_fails (test, "did not open the address");
  test->reply = "{\"action\":\"accept\"}";
  call_tool (test, "link", "{}");
  assert_fails (test, "Sign in first");
  g_assert_cmpuint (test->n_asked, ==, 2);
}

/* A person who is at the address keeps the server waiting, not the other way round. */
static void
test_link_takes_long (void)
{
  const BeckonMcpClientLimits limits = { 3000, 20000, 20000, 1500, 20000, 3000 };
  g_autoptr (Case) test = case_new ("old", &limits);

  open_client (test);
  list_tools (test);
  test->reply = "{\"action\":\"accept\"}";
  call_tool (test, "link", "{}");
  assert_fails (test, "Sign in first");
}

/* The call is sent again when the server says that the person is done there. */
static void
test_link_opens (void)
{
  g_autoptr (Case) test = case_open ("old opens");
  const BeckonMcpToolCall call = { .tool = beckon_mcp_tool_infos_find (test->infos, "complete"), .arguments = "{}" };

  test->reply = "{\"action\":\"accept\"}";
  begin_call (test, "link", "{}", NULL);
  wait_until (test->n_asked == 1);
  beckon_mcp_client_call_async (test->client, &call, NULL, on_other_called, NULL);
  wait_until (test->is_done);
  assert_says (test, "signed in");
  g_assert_cmpstr (test->completed, ==, "e1");
}

static gboolean
is_gone (int pid)
{
  return kill (pid, 0) != 0 && errno == ESRCH;
}

/* --- Hostile ones ------------------------------------------------------------------------------------------------- */

static void
test_dies_at_start (void)
{
  g_autoptr (Case) test = case_new ("dies-at-start", NULL);

  open_client (test);
  assert_fails (test, "No such database");
}

static void
test_dies_at_initialize (void)
{
  g_autoptr (Case) test = case_new ("old dies-at-initialize", NULL);

  open_client (test);
  assert_fails (test, "I can't go on like this");
}

static void
test_never_answers (void)
{
  const BeckonMcpClientLimits limits = { 50, 300, 300, 300, 300 };
  g_autoptr (Case) test = case_new ("old silent never-answers", &limits);

  open_client (test);
  assert_fails (test, "did not answer in time");
}

/* A server that says nothing is given up after 20 seconds, with its last words, and its process ends. */
static void
test_gives_up (void)
{
  g_autoptr (BeckonClock) clock = beckon_clock_new_manual (0);
  g_autoptr (Case) test = case_new ("old silent never-answers", NULL);
  int pid;

  g_object_unref (test->client);
  test->client = beckon_mcp_client_new ("Test", test->transport, clock, NULL);
  test->is_done = FALSE;
  beckon_mcp_client_open_async (test->client, NULL, on_opened, test);
  wait_until (log_has (test, "\n  process "));
  pid = find_number (test, "\n  process ");
  beckon_clock_advance (clock, 19 * 1000);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_false (test->is_done);
  beckon_clock_advance (clock, 1000);
  wait_until (test->is_done);
  assert_fails (test, "did not answer in time. It said last: process ");
  wait_until (is_gone (pid));
}

static void
test_bad_list (gconstpointer words)
{
  g_autoptr (Case) test = case_new (words, NULL);

  open_client (test);
  g_assert_no_error (test->error);
  list_tools (test);
  g_assert_null (test->infos);
  g_assert_nonnull (test->error);
}

/* A process that is gone can be started again. */
static void
test_dies_at_call (void)
{
  g_autoptr (Case) test = case_open ("old dies-at-call");

  call_tool (test, "echo", "{\"text\":\"a\"}");
  assert_fails (test, "The server ended during the call, with exit status 7;");
  wait_until (test->n_ended == 1);
  g_assert_nonnull (strstr (test->ended->message, "Gone in the middle of it"));
  g_assert_false (beckon_mcp_client_is_open (test->client));
  open_client (test);
  g_assert_no_error (test->error);
  g_assert_true (beckon_mcp_client_is_open (test->client));
}

static void
test_answers_twice (void)
{
  g_autoptr (Case) test = case_open ("old twice wrong-id garbage");

  for (guint i = 0; i < 3; i++)
    {
      call_tool (test, "echo", "{\"text\":\"once\"}");
      assert_says (test, "once");
    }
  g_assert_cmpuint (test->n_ended, ==, 0);
  assert_log (test, "Not a message: not json at all {");
}

/* Programs that say what they are before they begin. */
static void
test_banner (gconstpointer words)
{
  g_autoptr (Case) test = case_open (words);

  call_tool (test, "echo", "{\"text\":\"a\"}");
  assert_says (test, "a");
  assert_log (test, "Not a message: Welcome to the server");
}

/* Several forms at once, the ids of which look the same: each has its answer, and the call its result. */
static void
test_asks_while_asking (void)
{
  g_autoptr (Case) test = case_open ("old asks-while-asking");

  test->reply = "{\"action\":\"decline\"}";
  call_tool (test, "ask", "{}");
  assert_says (test, "{\"'0'\": \"decline\", \"0\": \"decline\", \"1\": \"decline\"}");
  g_assert_cmpuint (test->n_asked, ==, 3);
}

static gsize
get_peak_memory (void)
{
  g_autofree char *status = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  line = strstr (status, "VmHWM:");
  return line != NULL ? (gsize) g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) * 1024 : 0;
}

/* A result that is no UTF-8 ends its call at once, with the reason. */
static void
test_unreadable (void)
{
  g_autoptr (Case) test = case_open ("old unreadable");

  call_tool (test, "echo", "{}");
  assert_fails (test, "UTF-8");
}

/* A server that reads nothing more, and ignores that it is to end, is ended all the same. */
static void
test_deaf (void)
{
  g_autoptr (Case) test = case_open ("old deaf stubborn");
  g_autofree char *text = g_strnfill (900 * 1024, 'x');
  g_autofree char *arguments = g_strdup_printf ("{\"text\":\"%s\"}", text);

  begin_call (test, "echo", arguments, NULL);
  case_close (test);
  wait_until (test->is_done);
  g_assert_nonnull (test->error);
}

/* A result of 100 MB is not read: the call fails, the process is ended, and another one can be started. */
static void
test_enormous (void)
{
  g_autoptr (Case) test = case_open ("modern one-page enormous");
  int pid = find_number (test, "process ");
  gsize before = get_peak_memory ();

  call_tool (test, "huge", "{}");
  assert_fails (test, "too long");
  wait_until (test->n_ended == 1);
  wait_until (is_gone (pid));
  g_assert_cmpuint (get_peak_memory () - before, <, 64 * 1024 * 1024);
  open_client (test);
  g_assert_no_error (test->error);
}

static void
test_floods (void)
{
  g_autoptr (Case) test = case_open ("old floods");

  call_tool (test, "echo", "{\"text\":\"after all that\"}");
  assert_says (test, "after all that");
}

static void
test_tools_change (void)
{
  g_autoptr (Case) test = case_open ("old changes one-page");
  g_autofree char *digest = g_strdup (((BeckonMcpToolInfo *) g_ptr_array_index (test->infos, 0))->digest);

  call_tool (test, "echo", "{}");
  wait_until (test->n_changed > 0);
  list_tools (test);
  g_assert_cmpstr (((BeckonMcpToolInfo *) g_ptr_array_index (test->infos, 0))->digest, !=, digest);
  /* Seven times in a row is once. */
  g_assert_cmpuint (test->n_changed, ==, 1);
}

static void
test_many_tools (void)
{
  g_autoptr (Case) test = case_open ("modern many");

  g_assert_cmpuint (test->infos->len, ==, BECKON_MCP_TOOLS_MAX);
}

static void
test_bad_tools (void)
{
  g_autoptr (Case) test = case_open ("modern bad-tools circle");

  g_assert_cmpuint (test->infos->len, ==, 18);
  g_assert_null (beckon_mcp_tool_infos_find (test->infos, "cr\r\nlf"));
  g_assert_null (beckon_mcp_tool_infos_find (test->infos, "no-schema"));
  g_assert_null (beckon_mcp_tool_infos_find (test->infos, "list"));
  g_assert_nonnull (beckon_mcp_tool_infos_find (test->infos, "cyclic"));
  g_assert_cmpstr (beckon_mcp_tool_infos_find (test->infos, "marked")->description, ==, "See<U+202E> this");
}

static void
test_contents (void)
{
  g_autoptr (Case) test = case_open ("modern");

  call_tool (test, "picture", "{}");
  assert_says (test, "[Picture 1]\n[Picture 2]\n[A sound is left out.]\n[Resource a.txt: file:///a.txt]\n"
                     "[Resource file:///b.txt]\ninside\n[Content of an unknown kind is left out.]");
  g_assert_cmpuint (test->result->images->len, ==, 2);
  call_tool (test, "huge", "{}");
  g_assert_no_error (test->error);
  g_assert_cmpuint (strlen (test->result->text), <, BECKON_MCP_RESULT_TEXT_MAX + 200);
  g_assert_nonnull (strstr (test->result->text, "[Cut: "));
}

/* Cancelling is told to the server; what it answers then goes nowhere. */
static void
test_cancelled (void)
{
  g_autoptr (Case) test = case_open ("old late");

  begin_call (test, "slow", "{}", NULL);
  wait_until (log_has (test, "slow began"));
  g_cancellable_cancel (test->cancellable);
  wait_until (test->is_done);
  g_assert_error (test->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wait_until (log_has (test, "cancelled "));
  g_cancellable_reset (test->cancellable);
  call_tool (test, "echo", "{\"text\":\"still there\"}");
  assert_says (test, "still there");
}

static void
test_late (void)
{
  const BeckonMcpClientLimits limits = { 3000, 20000, 20000, 100, 10000 };
  g_autoptr (Case) test = case_new ("old", &limits);

  open_client (test);
  list_tools (test);
  call_tool (test, "slow", "{}");
  assert_fails (test, "no sign of life");
  wait_until (log_has (test, "cancelled "));
}

/* --- The process -------------------------------------------------------------------------------------------------- */

/* Variables that were written down, what any program needs, and nothing else. */
static void
test_environment (void)
{
  g_autoptr (Case) test = case_new ("old", NULL);
  g_auto (GStrv) passed = NULL;
  g_auto (GStrv) lines = NULL;

  g_setenv ("BECKON_API_KEY", "canary-1", TRUE);
  g_setenv ("SECRET_TOKEN", "canary-2", TRUE);
  g_setenv ("npm_config__auth", "canary-3", TRUE);
  g_setenv ("NODE_EXTRA_CA_CERTS", "/etc/company.pem", TRUE);
  g_setenv ("PASSED_ON", "by name", TRUE);
  g_ptr_array_add (test->server->variables, beckon_mcp_variable_new ("OWN", "a b", BECKON_MCP_VALUE_PLAIN));
  g_ptr_array_add (test->server->variables, beckon_mcp_variable_new ("PASSED_ON", NULL, BECKON_MCP_VALUE_INHERITED));
  open_client (test);
  g_assert_no_error (test->error);
  list_tools (test);
  call_tool (test, "env", "{}");
  g_assert_no_error (test->error);
  g_assert_null (strstr (test->result->text, "canary"));
  g_assert_nonnull (strstr (test->result->text, "OWN=a b"));
  g_assert_nonnull (strstr (test->result->text, "PASSED_ON=by name"));
  g_assert_nonnull (strstr (test->result->text, "NODE_EXTRA_CA_CERTS=/etc/company.pem"));
  passed = beckon_mcp_environment_make (test->server, NULL);
  lines = g_strsplit (test->result->text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *name = g_strndup (lines[i], strcspn (lines[i], "="));

      if (g_environ_getenv (passed, name) == NULL && strcmp (name, "LC_CTYPE") != 0)
        g_error ("the server sees %s", name);
    }
}

/* A server that heeds neither the end of its input nor SIGTERM, with a process of its own. */
static void
test_stubborn (void)
{
  g_autoptr (Case) test = case_open ("old stubborn child");
  int pid = find_number (test, "process ");
  int child = find_number (test, "child ");

  g_assert_cmpint (kill (pid, 0), ==, 0);
  case_close (test);
  wait_until (is_gone (pid));
  wait_until (is_gone (child));
}

/* A process that a server leaves behind in a session of its own, and one of that, end with the server: when it is closed, and
 * when it ends by itself. */
static void
test_daemon (gconstpointer words)
{
  g_autoptr (Case) test = case_open (words);
  int child = find_number (test, "child ");
  int grandchild = find_number (test, "grandchild ");

  g_assert_cmpint (kill (child, 0), ==, 0);
  g_assert_cmpint (kill (grandchild, 0), ==, 0);
  if (strstr (words, "dies-at-call") != NULL)
    {
      call_tool (test, "echo", "{}");
      g_assert_nonnull (test->error);
    }
  else
    case_close (test);
  wait_until (is_gone (child));
  wait_until (is_gone (grandchild));
}

static void
test_missing (void)
{
  g_autoptr (Case) test = case_new ("", NULL);

  g_free (test->server->program);
  test->server->program = g_strdup ("npx-of-nowhere");
  open_client (test);
  assert_fails (test, "was not found");
}

/* The answer is there, but nobody can read it: the server is not told that the person said no. */
static void
test_answer_lost (gconstpointer words)
{
  g_autoptr (Case) test = case_open (words);

  test->is_lost = TRUE;
  call_tool (test, "ask", "{}");
  assert_fails (test, "The keyring is locked.");
  test->is_lost = FALSE;
  call_tool (test, "echo", "{\"text\":\"on\"}");
  assert_says (test, "on");
}

#define SECRET "canary-9f31-of-the-keyring"

/* The secret is seen by no model and no person, and is not in the log, however the server says it. */
static void
test_secret (gconstpointer words)
{
  g_autoptr (GHashTable) secrets = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (Case) test = NULL;
  g_autofree char *log = NULL;

  g_hash_table_insert (secrets, (gpointer) "TOKEN", (gpointer) SECRET);
  test = case_new_with (words, secrets, NULL);
  open_client (test);
  list_tools (test);
  g_assert_no_error (test->error);
  call_tool (test, "env", "{}");
  g_assert_no_error (test->error);
  g_assert_nonnull (strstr (test->result->text, "TOKEN=••••••"));
  g_assert_null (strstr (test->result->text, SECRET));
  call_tool (test, "fail", "{}");
  assert_fails (test, "Not accepted: ••••••");
  test->reply = "{\"action\":\"decline\"}";
  call_tool (test, "ask", "{}");
  g_assert_no_error (test->error);
  g_assert_nonnull (strstr (test->elicited, "Not ••••••"));
  wait_until (log_has (test, "by ••••••"));
  log = beckon_mcp_transport_dup_log (test->transport);
  g_assert_nonnull (strstr (log, "  key ••••••\n"));
  g_assert_null (strstr (log, SECRET));
  /* A line like one of ours is none. */
  g_assert_nonnull (strstr (log, "\n  — Started, process 1, by ••••••\n"));
}

/* The server chooses no line that is passed over for its last one. */
static void
test_last_words (void)
{
  g_autoptr (GHashTable) secrets = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (Case) test = NULL;

  g_hash_table_insert (secrets, (gpointer) "TOKEN", (gpointer) SECRET);
  test = case_new_with ("old dies-with-secret", secrets, NULL);
  open_client (test);
  assert_fails (test, "It said last: — refused ••••••");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/mcp/client/works/modern", "modern", test_works);
  g_test_add_data_func ("/mcp/client/works/old", "old", test_works);
  g_test_add_func ("/mcp/client/silent", test_silent);
  g_test_add_func ("/mcp/client/dies-at-discover", test_dies_at_discover);
  g_test_add_data_func ("/mcp/client/other-revision/modern", "modern other-revision", test_other_revision);
  g_test_add_data_func ("/mcp/client/other-revision/unsupported", "modern unsupported", test_other_revision);
  g_test_add_data_func ("/mcp/client/other-revision/old", "old other-revision", test_other_revision);
  g_test_add_func ("/mcp/client/asks/modern", test_asks_modern);
  g_test_add_func ("/mcp/client/asks/resumes", test_resumes);
  g_test_add_func ("/mcp/client/asks/old", test_asks_old);
  g_test_add_func ("/mcp/client/asks/nobody", test_asks_nobody);
  g_test_add_func ("/mcp/client/asks/takes-back", test_takes_back);
  g_test_add_func ("/mcp/client/asks/dies", test_dies_while_asking);
  g_test_add_func ("/mcp/client/asks/forever", test_asks_forever);
  g_test_add_func ("/mcp/client/asks/roots", test_roots);
  g_test_add_func ("/mcp/client/asks/link", test_link);
  g_test_add_func ("/mcp/client/asks/link-opens", test_link_opens);
  g_test_add_func ("/mcp/client/asks/link-takes-long", test_link_takes_long);
  g_test_add_func ("/mcp/client/hostile/deaf", test_deaf);
  g_test_add_func ("/mcp/client/hostile/unreadable", test_unreadable);
  g_test_add_func ("/mcp/client/hostile/dies-at-start", test_dies_at_start);
  g_test_add_func ("/mcp/client/hostile/dies-at-initialize", test_dies_at_initialize);
  g_test_add_func ("/mcp/client/hostile/never-answers", test_never_answers);
  g_test_add_func ("/mcp/client/hostile/gives-up", test_gives_up);
  g_test_add_data_func ("/mcp/client/hostile/dies-at-list", "old dies-at-list", test_bad_list);
  g_test_add_data_func ("/mcp/client/hostile/half-line", "modern half-line", test_bad_list);
  g_test_add_data_func ("/mcp/client/hostile/huge-frame", "modern huge-frame", test_bad_list);
  g_test_add_data_func ("/mcp/client/hostile/no-list", "old no-list", test_bad_list);
  g_test_add_func ("/mcp/client/hostile/dies-at-call", test_dies_at_call);
  g_test_add_func ("/mcp/client/hostile/answers-twice", test_answers_twice);
  g_test_add_data_func ("/mcp/client/hostile/banner/modern", "modern banner one-page", test_banner);
  g_test_add_data_func ("/mcp/client/hostile/banner/old", "old banner one-page", test_banner);
  g_test_add_func ("/mcp/client/hostile/asks-while-asking", test_asks_while_asking);
  g_test_add_func ("/mcp/client/hostile/enormous", test_enormous);
  g_test_add_func ("/mcp/client/hostile/floods", test_floods);
  g_test_add_func ("/mcp/client/hostile/many-tools", test_many_tools);
  g_test_add_func ("/mcp/client/hostile/bad-tools", test_bad_tools);
  g_test_add_func ("/mcp/client/tools-change", test_tools_change);
  g_test_add_func ("/mcp/client/contents", test_contents);
  g_test_add_func ("/mcp/client/cancelled", test_cancelled);
  g_test_add_func ("/mcp/client/late", test_late);
  g_test_add_data_func ("/mcp/client/asks/lost/modern", "modern", test_answer_lost);
  g_test_add_data_func ("/mcp/client/asks/lost/old", "old", test_answer_lost);
  g_test_add_data_func ("/mcp/client/secret/modern", "modern tells-secret", test_secret);
  g_test_add_data_func ("/mcp/client/secret/old", "old tells-secret", test_secret);
  g_test_add_func ("/mcp/client/secret/last-words", test_last_words);
  g_test_add_func ("/mcp/process/environment", test_environment);
  g_test_add_func ("/mcp/process/stubborn", test_stubborn);
  g_test_add_data_func ("/mcp/process/daemon/closed", "old daemon", test_daemon);
  g_test_add_data_func ("/mcp/process/daemon/died", "old daemon dies-at-call", test_daemon);
  g_test_add_func ("/mcp/process/missing", test_missing);
  return g_test_run ();
}
