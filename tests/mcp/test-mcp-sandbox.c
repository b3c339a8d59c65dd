/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mcp/beckon-mcp-client.h"
#include "beckon-tree.h"
#include "mcp/beckon-mcp-stdio.h"

#include "base/beckon-error.h"
#include "policy/beckon-rule-set.h"
#include "sandbox/beckon-sandbox.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEADLINE_S 30

/* A server that the person keeps in a sandbox, with the real one: what it sees, and what becomes of it. */
typedef struct
{
  char *folder;
  char *outside; /* a file in another folder */
  BeckonMcpServer *server;
  BeckonRuleSet *rules;          /* (nullable) */
  const char *const *tool_chains; /* (nullable) */
  BeckonMcpTransport *transport; /* (nullable) until it is opened */
  BeckonMcpClient *client;       /* (nullable) likewise */
  GPtrArray *infos;
  BeckonMcpResult *result;
  GError *error;
  gboolean is_done;
} Case;

static gboolean
on_deadline (gpointer user_data)
{
  g_error ("nothing happened for %d seconds", DEADLINE_S);
  return G_SOURCE_REMOVE;
}

static void
wait_done (gboolean *is_done)
{
  guint deadline = g_timeout_add_seconds (DEADLINE_S, on_deadline, NULL);

  while (!*is_done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (deadline);
}

static char *
make_folder (void)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-mcp-XXXXXX", NULL);

  g_assert_nonnull (made);
  return g_steal_pointer (&made);
}

/* Its program is in the folder: nothing else of the person's is there for it. */
static Case *
case_new (void)
{
  Case *test = g_new0 (Case, 1);
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "mcp", "server.py", NULL);
  g_autofree char *copy = NULL;
  g_autofree char *elsewhere = make_folder ();
  g_autofree char *text = NULL;
  const char *arguments[] = { "-u", "server.py", "modern", "one-page", "reaches-out", NULL };

  test->folder = make_folder ();
  copy = g_build_filename (test->folder, "server.py", NULL);
  g_assert_true (g_file_get_contents (script, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (copy, text, -1, NULL));
  test->outside = g_build_filename (elsewhere, "secret", NULL);
  g_assert_true (g_file_set_contents (test->outside, "x", -1, NULL));
  test->server = beckon_mcp_server_new ("Test", BECKON_MCP_KIND_STDIO);
  test->server->program = g_strdup ("python3");
  test->server->arguments = g_strdupv ((char **) arguments);
  test->server->directory = g_strdup (test->folder);
  test->server->is_sandboxed = TRUE;
  g_ptr_array_add (test->server->variables, beckon_mcp_variable_new ("GIVEN", "with \"quotes\"", BECKON_MCP_VALUE_PLAIN));
  return test;
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_mcp_client_close_finish (BECKON_MCP_CLIENT (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

static void
close_client (Case *test)
{
  gboolean is_closed = FALSE;

  if (test->client == NULL)
    return;
  beckon_mcp_client_close_async (test->client, NULL, on_closed, &is_closed);
  wait_done (&is_closed);
  g_clear_object (&test->client);
  g_clear_object (&test->transport);
}

static void
case_free (Case *test)
{
  g_autofree char *elsewhere = g_path_get_dirname (test->outside);

  close_client (test);
  beckon_mcp_server_unref (test->server);
  g_clear_pointer (&test->rules, beckon_rule_set_unref);
  g_clear_pointer (&test->infos, g_ptr_array_unref);
  beckon_mcp_result_free (test->result);
  g_clear_error (&test->error);
  beckon_tree_remove (test->folder);
  beckon_tree_remove (elsewhere);
  g_free (test->folder);
  g_free (test->outside);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  beckon_mcp_client_open_finish (BECKON_MCP_CLIENT (source), result, &test->error);
  test->is_done = TRUE;
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  test->infos = beckon_mcp_client_list_tools_finish (BECKON_MCP_CLIENT (source), result, &test->error);
  test->is_done = TRUE;
}

static void
open_client (Case *test)
{
  test->transport = beckon_mcp_stdio_new (test->server, NULL, beckon_clock_get_system ());
  beckon_mcp_stdio_set_rules (BECKON_MCP_STDIO (test->transport), test->rules);
  beckon_mcp_stdio_set_tool_chains (BECKON_MCP_STDIO (test->transport), test->tool_chains);
  test->client = beckon_mcp_client_new ("Test", test->transport, beckon_clock_get_system (), NULL);
  beckon_mcp_client_open_async (test->client, NULL, on_opened, test);
  wait_done (&test->is_done);
}

static void
open_listed (Case *test)
{
  if (test->error != NULL)
    g_error ("%s\n%s", test->error->message, beckon_mcp_transport_dup_log (test->transport));
  test->is_done = FALSE;
  beckon_mcp_client_list_tools_async (test->client, NULL, on_listed, test);
  wait_done (&test->is_done);
  g_assert_no_error (test->error);
}

static void
open_well (Case *test)
{
  open_client (test);
  open_listed (test);
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  g_clear_pointer (&test->result, beckon_mcp_result_free);
  g_clear_error (&test->error);
  test->result = beckon_mcp_client_call_finish (BECKON_MCP_CLIENT (source), result, &test->error);
  test->is_done = TRUE;
}

static const char *
call (Case *test, const char *name, const char *arguments)
{
  const BeckonMcpToolCall made = { .tool = beckon_mcp_tool_infos_find (test->infos, name), .arguments = arguments };

  test->is_done = FALSE;
  beckon_mcp_client_call_async (test->client, &made, NULL, on_called, test);
  wait_done (&test->is_done);
  g_assert_no_error (test->error);
  return test->result->text;
}

static void
on_probed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(int *) user_data = beckon_sandbox_probe_finish (result, NULL) ? 1 : 0;
}

static gboolean
skip (void)
{
  static int can = -1;

  if (can < 0)
    beckon_sandbox_probe_async (NULL, on_probed, &can);
  while (can < 0)
    g_main_context_iteration (NULL, TRUE);
  if (can == 0)
    g_test_skip ("there is no working bubblewrap here");
  return can == 0;
}

/* Its folder is there for it, and no other; no variable of this program's is, and no network. */
static void
test_kept (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *inside = g_build_filename (test->folder, "server.py", NULL);
  g_autofree char *reaches_in = g_strdup_printf ("{\"path\":\"%s\"}", inside);
  g_autofree char *reaches_out = g_strdup_printf ("{\"path\":\"%s\"}", test->outside);
  const char *environment;

  if (skip ())
    return;
  g_setenv ("BECKON_CANARY_KEY", "canary", TRUE);
  open_well (test);
  g_assert_cmpstr (call (test, "reach", reaches_in), ==, "seen, not written: read-only");
  g_assert_cmpstr (call (test, "reach", reaches_out), ==, "not seen, not written");
  g_assert_cmpstr (call (test, "reach", "{\"url\":\"http://127.0.0.1:1/\"}"), ==, "not reached");
  environment = call (test, "env", "{}");
  g_assert_nonnull (strstr (environment, "GIVEN=with \"quotes\"\n"));
  g_assert_nonnull (strstr (environment, "HOME=/tmp/home\n"));
  g_assert_null (strstr (environment, "canary"));
  g_assert_null (strstr (environment, "proxy"));
  g_unsetenv ("BECKON_CANARY_KEY");
}

static void
put (Case *test, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (test->folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
assert_holds (Case *test, const char *name, const char *expected)
{
  g_autofree char *path = g_build_filename (test->folder, name, NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

/* Files that Git, or a shell, runs by itself, somewhere in the folder; the last two are not there yet. */
static const char *const planted[] = {
  "sub/.git/config", "sub/.git/hooks/post-commit", ".git/config", ".git/hooks/post-commit", "sub/.git/hooks/pre-push", ".envrc",
};

/* (transfer full): the arguments of a call that writes to each of them */
static char *
list_planted (Case *test)
{
  g_autoptr (GString) list = g_string_new ("{\"append\":[");

  for (guint i = 0; i < G_N_ELEMENTS (planted); i++)
    g_string_append_printf (list, "%s\"%s/%s\"", i > 0 ? "," : "", test->folder, planted[i]);
  g_string_append (list, "]}");
  return g_string_free (g_steal_pointer (&list), FALSE);
}

static void
plant (Case *test)
{
  put (test, "sub/.git/HEAD", "ref: refs/heads/main\n");
  put (test, ".git/HEAD", "ref: refs/heads/main\n");
  for (guint i = 0; i < 4; i++)
    put (test, planted[i], "as it was");
}

/* Without a permission it changes nothing, at any depth, and nothing is laid in its folder. */
static void
test_read_only (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *arguments = list_planted (test);
  guint n_files;

  if (skip ())
    return;
  plant (test);
  n_files = beckon_tree_count (test->folder);
  open_well (test);
  g_assert_cmpuint (beckon_tree_count (test->folder), ==, n_files);
  g_assert_cmpstr (call (test, "reach", arguments), ==,
                   "not written: read-only, not written: read-only, not written: read-only, not written: read-only, "
                   "not written: read-only, not written: read-only");
  g_assert_cmpuint (beckon_tree_count (test->folder), ==, n_files);
  for (guint i = 0; i < 4; i++)
    assert_holds (test, planted[i], "as it was");
}

/* With it, too, what other programs run by themselves stays as it is. */
static void
test_may_write (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *inside = g_build_filename (test->folder, "server.py", NULL);
  g_autofree char *reaches_in = g_strdup_printf ("{\"path\":\"%s\"}", inside);
  g_autofree char *arguments
      = g_strdup_printf ("{\"append\":[\"%s/.git/config\",\"%s/.git/hooks/pre-push\"]}", test->folder, test->folder);

  if (skip ())
    return;
  plant (test);
  test->server->can_write = TRUE;
  open_well (test);
  g_assert_cmpstr (call (test, "reach", reaches_in), ==, "seen, written");
  assert_holds (test, "written", "");
  g_assert_cmpstr (call (test, "reach", arguments), ==, "not written: read-only, not written: read-only");
  assert_holds (test, ".git/config", "as it was");
}

/* The same deeper down, as far as it is there; what is around it can't be moved away. Folders are kept as a whole. */
static void
test_guarded (void)
{
  static const char *const kept[] = {
    "sub/.git/config", "sub/.git/hooks/post-commit", "sub/.envrc",         "sub/.vscode/tasks.json",
    ".npmrc",          "bare/config",                ".vscode/tasks.json", ".envrc",
    "sub/.git/HEAD",
  };
  static const char *const open[] = { "sub/notes", "sub/main.c", "sub/new/.envrc", "node_modules/a/.npmrc" };
  g_autoptr (Case) test = case_new ();
  g_autoptr (GString) arguments = g_string_new ("{\"move\":[");
  g_autofree char *told = NULL;

  if (skip ())
    return;
  put (test, "bare/HEAD", "as it was");
  put (test, "sub/new/notes", "");
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    put (test, kept[i], "as it was");
  put (test, "node_modules/a/.npmrc", "");
  test->server->can_write = TRUE;
  open_well (test);
  g_string_append_printf (arguments, "\"%1$s/sub\",\"%1$s/sub/.git\",\"%1$s/sub/.envrc\"],\"append\":[", test->folder);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    g_string_append_printf (arguments, "\"%s/%s\",", test->folder, kept[i]);
  for (guint i = 0; i < G_N_ELEMENTS (open); i++)
    g_string_append_printf (arguments, "%s\"%s/%s\"", i > 0 ? "," : "", test->folder, open[i]);
  g_string_append (arguments, "]}");
  told = g_strdup (call (test, "reach", arguments->str));
  g_assert_cmpstr (told, ==,
                   "not written: read-only, not written: read-only, not written: read-only, not written: read-only, "
                   "not written: read-only, not written: read-only, not written: read-only, not written: read-only, "
                   "not written: read-only, written, written, written, written, "
                   "not moved, not moved, not moved");
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    assert_holds (test, kept[i], "as it was");
}

/* Scripts that a hook calls are run like the hook, and so are those that they call. */
static void
test_called (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *arguments = g_strdup_printf (
      "{\"append\":[\"%1$s/tools/lint.py\",\"%1$s/tools/more.py\",\"%1$s/src/other.py\"],\"move\":[\"%1$s/tools\"]}",
      test->folder);

  if (skip ())
    return;
  plant (test);
  put (test, ".git/hooks/post-commit", "#!/bin/sh\npython3 tools/lint.py\n");
  put (test, "tools/lint.py", "import more\n");
  put (test, "tools/more.py", "");
  put (test, "src/other.py", "");
  test->server->can_write = TRUE;
  open_well (test);
  g_assert_cmpstr (call (test, "reach", arguments), ==,
                   "not written: read-only, not written: read-only, written, not moved");
  assert_holds (test, "tools/lint.py", "import more\n");
}

/* A file that a hook calls and that is not there yet can't be made, nor can a pipe; what stood in for it goes. */
static void
test_missing (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *arguments = g_strdup_printf (
      "{\"make\":[\"%1$s/scripts/x.sh\",\"%1$s/tools/y.sh\",\"%1$s/src/new.py\"],\"make_pipes\":[\"%1$s/pipe\"],"
      "\"move\":[\"%1$s/tools\",\"%1$s/scripts\"]}",
      test->folder);
  g_autofree char *awaited = g_build_filename (test->folder, "tools", "y.sh", NULL);
  guint n_files;

  if (skip ())
    return;
  plant (test);
  put (test, ".git/hooks/post-commit", "#!/bin/sh\n./scripts/x.sh\n. tools/y.sh\n");
  put (test, "tools/notes", "");
  test->server->can_write = TRUE;
  n_files = beckon_tree_count (test->folder);
  open_well (test);
  g_assert_cmpstr (call (test, "reach", arguments), ==, "not made, not made, made, not made, not moved, not moved");
  close_client (test);
  g_assert_cmpuint (beckon_tree_count (test->folder), ==, n_files + 1);
  g_assert_false (g_file_test (awaited, G_FILE_TEST_EXISTS));
}

/* Sockets and pipes in the folder lead to programs of the person's, wherever they lie; a socket may come later, too. */
static void
test_others (gconstpointer data)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GSocketService) service = g_socket_service_new ();
  g_autofree char *inner = g_build_filename (test->folder, "sub", NULL);
  g_autofree char *pipe = g_build_filename (inner, "pipe", NULL);
  g_autofree char *arguments
      = g_strdup_printf ("{\"connect\":[\"%1$s/sub/socket\",\"%1$s/later\"],\"pipes\":[\"%1$s/sub/pipe\"]}", test->folder);
  static const char *const names[] = { "sub/socket", "later" };

  if (skip ())
    return;
  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  test->server->can_write = data != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (test->folder, names[i], NULL);
      g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);

      g_assert_true (g_socket_listener_add_address (G_SOCKET_LISTENER (service), address, G_SOCKET_TYPE_STREAM,
                                                    G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, NULL));
      if (i == 0)
        open_well (test);
    }
  g_assert_cmpstr (call (test, "reach", arguments), ==, "not connected, not connected, not opened");
}

/* Git and editors save a file by renaming another one over it, which ends a mount over that file; and a folder of Git that gets
 * a commondir takes its hooks from elsewhere. */
static void
test_saved_outside (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *arguments
      = g_strdup_printf ("{\"append\":[\"%1$s/.git/config\",\"%1$s/sub/.git/config\",\"%1$s/.git/commondir\","
                         "\"%1$s/sub/.git/commondir\"],\"move\":[\"%1$s/.git\",\"%1$s/sub/.git\"]}",
                         test->folder);
  guint n_files;

  if (skip ())
    return;
  plant (test);
  test->server->can_write = TRUE;
  open_well (test);
  put (test, ".git/config", "saved");
  put (test, "sub/.git/config", "saved");
  n_files = beckon_tree_count (test->folder);
  g_assert_cmpstr (call (test, "reach", arguments), ==,
                   "not written: read-only, not written: read-only, not written: read-only, not written: read-only, "
                   "not moved, not moved");
  assert_holds (test, ".git/config", "saved");
  assert_holds (test, "sub/.git/config", "saved");
  g_assert_cmpuint (beckon_tree_count (test->folder), ==, n_files);
}

static char *
put_program (const char *folder, const char *name, const char *text)
{
  g_autofree char *whole = g_build_filename (g_get_home_dir (), folder, NULL);
  char *path = g_build_filename (whole, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (whole, 0700), ==, 0);
  g_assert_true (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  return path;
}

static void
deny (Case *test, const char *path)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  BeckonRule *rule = beckon_rule_new ();

  rule->id = g_strdup ("denied");
  rule->tool = g_strdup ("read_file");
  rule->verdict = BECKON_VERDICT_DENY;
  rule->arguments = g_strdup_printf ("{\"path\":\"%s\"}", path);
  g_ptr_array_add (rules, rule);
  test->rules = beckon_rule_set_new (rules);
}

/* A file that the person's rules deny to commands can't be read by a server, either. @data: (nullable): it may write */
static void
test_denied (gconstpointer data)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *hidden = g_build_filename (test->folder, "keys.env", NULL);
  g_autofree char *code
      = g_strdup_printf ("{\"path\":\"%s/server.py\",\"read\":\"%s\"}", test->folder, hidden);

  if (skip ())
    return;
  g_assert_true (g_file_set_contents (hidden, "TOKEN=canary", -1, NULL));
  deny (test, "keys.env");
  test->server->can_write = data != NULL;
  open_well (test);
  g_assert_cmpstr (call (test, "reach", code), ==,
                   data != NULL ? "seen, written, not read" : "seen, not written: read-only, not read");
  assert_holds (test, "keys.env", "TOKEN=canary");
}

/* Nor can a folder, whether it may change others or not. */
static void
test_denied_folder (gconstpointer data)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *arguments = g_strdup_printf ("{\"read\":\"%s/deep/keys/token\",\"append\":[\"%s/deep/keys/token\"]}",
                                                test->folder, test->folder);
  g_autofree char *told = NULL;

  if (skip ())
    return;
  put (test, "deep/keys/token", "canary");
  deny (test, "deep/keys/**");
  test->server->can_write = data != NULL;
  open_well (test);
  told = g_strdup (call (test, "reach", arguments));
  g_assert_true (g_str_has_prefix (told, "not written"));
  g_assert_true (g_str_has_suffix (told, "not read"));
  assert_holds (test, "deep/keys/token", "canary");
}

/* Nor one among the programs that it is shown. */
static void
test_denied_beside (void)
{
  static const char *const names[] = { "nvm", NULL };
  g_autoptr (Case) test = case_new ();
  g_autofree char *hidden = put_program (".nvm/versions/node/v20/bin", "hidden", "canary");
  g_autofree char *code = g_strdup_printf ("{\"read\":\"%s\"}", hidden);

  if (skip ())
    return;
  deny (test, hidden);
  open_client (test);
  g_assert_no_error (test->error);
  open_listed (test);
  g_assert_cmpstr (call (test, "reach", code), ==, "not read");
  case_free (g_steal_pointer (&test));

  test = case_new ();
  test->tool_chains = names;
  open_client (test);
  open_listed (test);
  g_assert_cmpstr (call (test, "reach", code), ==, "read 'canary'");
  case_free (g_steal_pointer (&test));

  test = case_new ();
  test->tool_chains = names;
  deny (test, hidden);
  open_client (test);
  open_listed (test);
  g_assert_cmpstr (call (test, "reach", code), !=, "read 'canary'");
}

/* A rule may name it by a pattern, in which no name is whole. */
static void
test_denied_pattern (gconstpointer pattern)
{
  static const char *const names[] = { "nvm", NULL };
  g_autoptr (Case) test = case_new ();
  g_autofree char *hidden = put_program (".nvm/versions/node/v20/bin", "hidden", "canary");
  g_autofree char *shown = put_program (".nvm/versions/node/v20/bin", "shown", "word");
  g_autofree char *code = g_strdup_printf ("{\"read\":\"%s\"}", hidden);
  g_autofree char *other = g_strdup_printf ("{\"read\":\"%s\"}", shown);
  g_autofree char *rule = g_build_filename (g_get_home_dir (), pattern, NULL);

  if (skip ())
    return;
  test->tool_chains = names;
  deny (test, rule);
  open_client (test);
  g_assert_no_error (test->error);
  open_listed (test);
  g_assert_cmpstr (call (test, "reach", code), !=, "read 'canary'");
  g_assert_cmpstr (call (test, "reach", other), ==, "read 'word'");
}

/* With the network it has the proxy of commands, which leads to the internet alone. */
static void
test_network (void)
{
  g_autoptr (Case) test = case_new ();

  if (skip ())
    return;
  test->server->has_network = TRUE;
  open_well (test);
  g_assert_nonnull (strstr (call (test, "env", "{}"), "http_proxy=http://127.0.0.1:"));
  g_assert_cmpstr (call (test, "reach", "{\"url\":\"http://192.168.0.1:1/\"}"), ==, "refused");
}

/* A company's certificate is there to be read where the server has the network, behind links, and what is beside it is not. A
 * value that came with the server has nothing shown. */
static void
test_certificates (void)
{
  g_autofree char *elsewhere = make_folder ();
  g_autofree char *file = g_build_filename (elsewhere, "company.pem", NULL);
  g_autofree char *link = g_build_filename (elsewhere, "link.pem", NULL);
  g_autofree char *beside = g_build_filename (elsewhere, "beside", NULL);

  if (skip ())
    return;
  g_assert_true (g_file_set_contents (file, "word", -1, NULL));
  g_assert_true (g_file_set_contents (beside, "canary", -1, NULL));
  g_assert_cmpint (symlink (file, link), ==, 0);
  g_setenv ("NODE_EXTRA_CA_CERTS", link, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Case) test = case_new ();
      g_autofree char *code = g_strdup_printf ("{\"read\":\"%s\"}", file);
      g_autofree char *other = g_strdup_printf ("{\"read\":\"%s\"}", beside);
      g_autofree char *line = g_strdup_printf ("NODE_EXTRA_CA_CERTS=%s", file);

      test->server->has_network = i > 0;
      if (i == 2)
        g_ptr_array_add (test->server->variables,
                         beckon_mcp_variable_new ("SSL_CERT_FILE", beside, BECKON_MCP_VALUE_PLAIN));
      open_well (test);
      g_assert_cmpint (strstr (call (test, "env", "{}"), line) != NULL, ==, i > 0);
      g_assert_cmpint (strcmp (call (test, "reach", code), "read 'word'") == 0, ==, i > 0);
      g_assert_null (strstr (call (test, "reach", other), "canary"));
    }
  g_unsetenv ("NODE_EXTRA_CA_CERTS");
  beckon_tree_remove (elsewhere);
}

/* Words beside the protocol are in its log. */
static void
test_log (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *log = NULL;

  if (skip ())
    return;
  open_well (test);
  call (test, "env", "{}");
  log = beckon_mcp_transport_dup_log (test->transport);
  g_assert_nonnull (strstr (log, "process "));
}

static void
assert_not_started_with (Case *test, const char *words)
{
  g_assert_nonnull (test->error);
  if (strstr (test->error->message, words) == NULL)
    g_error ("“%s” is not in “%s”", words, test->error->message);
}

static void
assert_not_started (Case *test, const char *words)
{
  open_client (test);
  assert_not_started_with (test, words);
}

/* Programs of the home that the person lets commands have are there for a server too, to be read alone; what is beside them is
 * not. */
static void
test_tool_chains (void)
{
  static const char *const names[] = { "nvm", NULL };
  g_autoptr (Case) test = case_new ();
  g_autofree char *program = put_program (".nvm/versions/node/v20/bin", "own-node", "#!/bin/sh\nexec python3 \"$@\"\n");
  g_autofree char *key = put_program (".nvm/versions", ".npmrc", "canary-of-npm");
  g_autofree char *beside = put_program (".nvm", "token", "canary-beside");
  g_autofree char *seen = g_strdup_printf ("{\"path\":\"%s\",\"read\":\"%s\"}", program, key);
  g_autofree char *unseen = g_strdup_printf ("{\"path\":\"%s\",\"read\":\"%s\"}", beside, beside);
  const char *told;

  if (skip ())
    return;
  g_free (test->server->program);
  test->server->program = g_strdup ("own-node");
  assert_not_started (test, "own-node");
  g_clear_error (&test->error);
  test->is_done = FALSE;
  beckon_mcp_stdio_set_tool_chains (BECKON_MCP_STDIO (test->transport), names);
  beckon_mcp_client_open_async (test->client, NULL, on_opened, test);
  wait_done (&test->is_done);
  open_listed (test);
  told = call (test, "reach", seen);
  g_assert_true (g_str_has_prefix (told, "seen, not written"));
  g_assert_null (strstr (told, "canary"));
  told = call (test, "reach", unseen);
  g_assert_true (g_str_has_prefix (told, "not seen") && g_str_has_suffix (told, "not read"));
  told = call (test, "env", "{}");
  g_assert_nonnull (strstr (told, "HOME=/tmp/home\n"));
  g_assert_nonnull (strstr (told, "/v20/bin:"));
}

/* With more of them than can be mounted over, the server starts and only reads; its log says so. */
static void
test_guarded_in_part (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *log = NULL;
  g_autofree char *arguments = g_strdup_printf ("{\"append\":[\"%1$s/notes\",\"%1$s/packages/299/.npmrc\"]}", test->folder);

  if (skip ())
    return;
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *name = g_strdup_printf ("packages/%u/.npmrc", i);

      put (test, name, "");
    }
  test->server->can_write = TRUE;
  open_well (test);
  log = beckon_mcp_transport_dup_log (test->transport);
  g_assert_nonnull (strstr (log, "The server can only read its folder: too many files in it"));
  g_assert_cmpstr (call (test, "reach", arguments), ==, "not written: read-only, not written: read-only");
}

/* A server that ends because it can't write is told of with the way to let it. */
static void
test_advice (void)
{
  static const struct
  {
    const char *word;
    const char *says;
    const char *cause;
    const char *log;
  } cases[] = {
    { "keeps-a-file", "beckonctl mcp set 'Test' --write", "Read-only file system", "\n— The sandbox lets it only read its folder." },
    { "listens", "beckonctl mcp set 'Test' --no-sandbox", "Address family not supported", "\n— In a sandbox a server has no Unix sockets" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases) && !skip (); i++)
    {
      const char *arguments[] = { "-u", "server.py", "modern", cases[i].word, NULL };
      g_autoptr (Case) test = case_new ();
      g_autofree char *log = NULL;

      g_strfreev (test->server->arguments);
      test->server->arguments = g_strdupv ((char **) arguments);
      test->server->can_write = i > 0;
      assert_not_started (test, cases[i].says);
      assert_not_started_with (test, cases[i].cause);
      log = beckon_mcp_transport_dup_log (test->transport);
      g_assert_nonnull (strstr (log, cases[i].log));
    }
}

/* Without a sandbox nothing is started, and the words say what to do. */
static void
test_none_here (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *path = g_strdup (g_getenv ("PATH"));

  g_setenv ("PATH", test->folder, TRUE);
  g_free (test->server->program);
  test->server->program = g_strdup (g_getenv ("BECKON_TEST_PYTHON"));
  assert_not_started (test, "bubblewrap");
  g_setenv ("PATH", path, TRUE);
}

/* A home is no folder for a sandbox. */
static void
test_home (void)
{
  g_autoptr (Case) test = case_new ();

  if (skip ())
    return;
  g_free (test->server->directory);
  test->server->directory = g_strdup ("/usr");
  assert_not_started (test, "sandbox");
}

/* A program that is not in there says so with its last words, which are told. */
static void
test_not_in_there (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *program = g_path_get_dirname (test->outside);

  if (skip ())
    return;
  g_free (test->server->program);
  test->server->program = g_strconcat (program, "/secret", NULL);
  g_assert_cmpint (g_chmod (test->server->program, 0700), ==, 0);
  assert_not_started (test, "secret");
}

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("beckon-mcp-home-XXXXXX", NULL);
  int status;

  g_setenv ("HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mcp/sandbox/none-here", test_none_here);
  g_test_add_func ("/mcp/sandbox/kept", test_kept);
  g_test_add_func ("/mcp/sandbox/read-only", test_read_only);
  g_test_add_func ("/mcp/sandbox/may-write", test_may_write);
  g_test_add_func ("/mcp/sandbox/guarded", test_guarded);
  g_test_add_func ("/mcp/sandbox/called", test_called);
  g_test_add_func ("/mcp/sandbox/missing", test_missing);
  g_test_add_data_func ("/mcp/sandbox/others/read-only", NULL, test_others);
  g_test_add_data_func ("/mcp/sandbox/others/may-write", "write", test_others);
  g_test_add_func ("/mcp/sandbox/saved-outside", test_saved_outside);
  g_test_add_func ("/mcp/sandbox/guarded-in-part", test_guarded_in_part);
  g_test_add_func ("/mcp/sandbox/advice", test_advice);
  g_test_add_data_func ("/mcp/sandbox/denied/read-only", NULL, test_denied);
  g_test_add_data_func ("/mcp/sandbox/denied/may-write", "write", test_denied);
  g_test_add_data_func ("/mcp/sandbox/denied-folder/read-only", NULL, test_denied_folder);
  g_test_add_data_func ("/mcp/sandbox/denied-folder/may-write", "write", test_denied_folder);
  g_test_add_func ("/mcp/sandbox/denied-beside", test_denied_beside);
  g_test_add_data_func ("/mcp/sandbox/denied-pattern/name", ".nvm/versions/node/v20/bin/hid*", test_denied_pattern);
  g_test_add_data_func ("/mcp/sandbox/denied-pattern/folders", ".*/versions/n?de/*/bin/[h]idden", test_denied_pattern);
  g_test_add_func ("/mcp/sandbox/network", test_network);
  g_test_add_func ("/mcp/sandbox/certificates", test_certificates);
  g_test_add_func ("/mcp/sandbox/log", test_log);
  g_test_add_func ("/mcp/sandbox/home", test_home);
  g_test_add_func ("/mcp/sandbox/tool-chains", test_tool_chains);
  g_test_add_func ("/mcp/sandbox/not-in-there", test_not_in_there);
  status = g_test_run ();
  beckon_tree_remove (home);
  return status;
}
