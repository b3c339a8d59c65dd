/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-fixture.h"

#include "base/beckon-error.h"
#include "text/beckon-call-labels.h"

#include <string.h>

/* The servers of a store, with tests/mcp/server.py: what is started when, and what is known without starting anything. */

typedef BeckonMcpFixture Case;

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  g_clear_error (&test->error);
  beckon_mcp_service_open_finish (BECKON_MCP_SERVICE (source), result, &test->error);
  test->is_done = TRUE;
}

static void
open_service (Case *test, BeckonMcpService *service, gboolean is_test)
{
  test->is_done = FALSE;
  beckon_mcp_service_open_async (service, is_test, NULL, on_opened, test);
  beckon_await (test->is_done);
}

static void
on_run (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  g_clear_error (&test->error);
  g_free (test->text);
  test->text = beckon_tool_run_finish (BECKON_TOOL (source), result, &test->error);
  test->is_done = TRUE;
}

static void
run (Case *test, const char *name, const char *arguments)
{
  BeckonTool *tool = beckon_tool_registry_lookup (test->registry, name);
  const BeckonToolContext context = { .conversation_id = "c", .message_id = "m", .arguments = arguments };

  g_assert_nonnull (tool);
  test->is_done = FALSE;
  beckon_tool_run_async (tool, &context, NULL, on_run, test);
  beckon_await (test->is_done);
}

static Case *
case_new (void)
{
  g_autofree char *directory = beckon_store_fixture_make_folder ();

  return beckon_mcp_fixture_open (directory);
}

static void
forget (Case *test)
{
  char *directory = g_strdup (test->directory);

  beckon_mcp_fixture_close (test);
  beckon_store_fixture_clear (directory);
}

/* A start knows the tools from the last time, and starts nothing before one is called. */
static void
test_starts_when_needed (void)
{
  Case *test = case_new ();
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("My Server", "modern");
  g_autofree char *directory = g_strdup (test->directory);
  g_autofree char *titled = NULL;
  g_autofree char *plain = NULL;
  BeckonMcpService *service;

  beckon_mcp_fixture_save (test, server);
  g_assert_no_error (test->error);
  g_assert_null (beckon_tool_registry_lookup (test->registry, "my_server__echo"));
  open_service (test, test->service, TRUE);
  g_assert_no_error (test->error);
  g_assert_nonnull (beckon_tool_registry_lookup (test->registry, "my_server__echo"));
  beckon_mcp_fixture_close (test);

  test = beckon_mcp_fixture_open (directory);
  service = beckon_mcp_servers_find (test->servers, "My Server");
  g_assert_nonnull (service);
  g_assert_cmpint (beckon_mcp_service_get_state (service), ==, BECKON_MCP_SERVICE_IDLE);
  g_assert_cmpuint (beckon_mcp_service_get_infos (service)->len, ==, 14);
  run (test, "my_server__echo", "{\"text\":\"a\"}");
  g_assert_no_error (test->error);
  g_assert_cmpstr (test->text, ==, "a");
  g_assert_cmpint (beckon_mcp_service_get_state (service), ==, BECKON_MCP_SERVICE_RUNNING);
  g_assert_cmpstr (beckon_tool_get_server (beckon_tool_registry_lookup (test->registry, "my_server__echo")), ==, "My Server");
  titled = beckon_call_labels_describe ("my_server__echo", "My Server", NULL, BECKON_CALL_PHASE_ASK);
  g_assert_cmpstr (titled, ==, "Say Again (echo) on My Server server");
  plain = beckon_call_labels_describe ("my_server__env", NULL, NULL, BECKON_CALL_PHASE_DONE);
  g_assert_cmpstr (plain, ==, "env on my_server server");
  forget (test);
}

static guint
count_children (void)
{
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (threads)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", name, "children", NULL);
      g_autofree char *text = NULL;
      g_auto (GStrv) pids = NULL;

      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      pids = g_strsplit (g_strstrip (text), " ", -1);
      n += *text != '\0' ? g_strv_length (pids) : 0;
    }
  return n;
}

/* Ten servers that nobody needs yet: their tools are there, and no process is, nor is any program looked for. */
static void
test_ten_idle (void)
{
  Case *test = case_new ();
  g_autofree char *directory = g_strdup (test->directory);

  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *name = g_strdup_printf ("s%u", i);
      g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server (name, "modern");
      g_autoptr (BeckonMcpServer) gone = NULL;

      beckon_mcp_fixture_save (test, server);
      open_service (test, test->service, TRUE);
      g_assert_no_error (test->error);
      gone = beckon_mcp_server_copy (beckon_mcp_service_get_server (test->service));
      g_free (gone->directory);
      gone->directory = g_strdup ("/nowhere/at/all");
      beckon_mcp_fixture_save (test, gone);
    }
  beckon_mcp_fixture_close (test);
  /* A server whose settings changed ends by itself. */
  beckon_await (count_children () == 0);

  test = beckon_mcp_fixture_open (directory);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (test->servers)), ==, 10);
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (G_LIST_MODEL (test->servers), i);

      g_assert_cmpint (beckon_mcp_service_get_state (service), ==, BECKON_MCP_SERVICE_IDLE);
      g_assert_null (beckon_mcp_service_get_error (service));
    }
  g_assert_nonnull (beckon_tool_registry_lookup (test->registry, "s9__echo"));
  g_assert_cmpuint (count_children (), ==, 0);
  forget (test);
}

/* Another program adds, switches off and removes a server: it is so here, too. */
static void
test_two_programs (void)
{
  Case *one = case_new ();
  Case *other = beckon_mcp_fixture_open (one->directory);
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("s", "old");
  g_autoptr (BeckonMcpServer) off = NULL;
  gboolean is_removed = FALSE;

  beckon_mcp_fixture_save (one, server);
  open_service (one, one->service, TRUE);
  beckon_await (beckon_tool_registry_lookup (other->registry, "s__echo") != NULL);
  run (other, "s__echo", "{\"text\":\"there\"}");
  g_assert_cmpstr (other->text, ==, "there");
  off = beckon_mcp_server_copy (beckon_mcp_service_get_server (one->service));
  off->is_on = FALSE;
  beckon_mcp_fixture_save (one, off);
  beckon_await (beckon_tool_registry_lookup (other->registry, "s__echo") == NULL);
  g_assert_cmpint (beckon_mcp_service_get_state (beckon_mcp_servers_find (other->servers, "s")), ==, BECKON_MCP_SERVICE_OFF);
  beckon_mcp_servers_remove_async (one->servers, one->service, NULL, NULL, NULL);
  beckon_await (beckon_mcp_servers_find (other->servers, "s") == NULL);
  is_removed = beckon_mcp_servers_find (one->servers, "s") == NULL;
  g_assert_true (is_removed);
  beckon_mcp_fixture_close (other);
  forget (one);
}

/* A server that fails is left alone for a while, unless the person tests it. */
static void
test_fails (void)
{
  Case *test = case_new ();
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("s", "dies-at-start");
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  gint64 begun = g_get_monotonic_time ();
  gboolean was_held;

  beckon_mcp_fixture_save (test, server);
  open_service (test, test->service, FALSE);
  g_assert_nonnull (strstr (test->error->message, "No such database"));
  g_assert_cmpint (beckon_mcp_service_get_state (test->service), ==, BECKON_MCP_SERVICE_FAILED);
  first = beckon_mcp_service_dup_log (test->service);
  g_assert_nonnull (strstr (first, "No such database"));
  open_service (test, test->service, FALSE);
  g_assert_nonnull (strstr (test->error->message, "No such database"));
  /* The first failure holds for half a second, which a busy machine may take to get here. */
  was_held = g_get_monotonic_time () - begun < G_USEC_PER_SEC / 2;
  second = beckon_mcp_service_dup_log (test->service);
  g_assert_true (!was_held || g_str_equal (first, second));
  open_service (test, test->service, TRUE);
  g_assert_nonnull (strstr (test->error->message, "No such database"));
  third = beckon_mcp_service_dup_log (test->service);
  g_assert_cmpstr (second, !=, third);
  forget (test);
}

/* After a crash in a call the next one has a new process. */
static void
test_restarts (void)
{
  Case *test = case_new ();
  g_autofree char *mark = g_build_filename (test->directory, "crashed", NULL);
  g_autofree char *words = g_strconcat ("old crashes-unless=", mark, NULL);
  g_autofree char *log = NULL;
  const char *crashed;
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("s", words);

  beckon_mcp_fixture_save (test, server);
  open_service (test, test->service, TRUE);
  g_assert_no_error (test->error);
  run (test, "s__echo", "{\"text\":\"a\"}");
  g_assert_nonnull (strstr (test->error->message, "what the tool did until then is not known"));
  beckon_await (beckon_mcp_service_get_state (test->service) == BECKON_MCP_SERVICE_FAILED);
  /* The first failure holds for half a second. */
  while (test->error != NULL)
    run (test, "s__echo", "{\"text\":\"a\"}");
  g_assert_cmpstr (test->text, ==, "a");
  /* The log of the new process begins with why the one before ended. */
  log = beckon_mcp_service_dup_log (test->service);
  crashed = strstr (log, "(status ");
  g_assert_nonnull (crashed);
  g_assert_nonnull (strstr (crashed, "Started, process "));
  forget (test);
}

static void
add_rule (Case *test, const char *server)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autoptr (BeckonRule) rule = beckon_rule_new ();

  rule->id = g_strdup (server);
  rule->server = g_strdup (server);
  rule->verdict = BECKON_VERDICT_ALLOW;
  rule->created_at = 1;
  beckon_batch_put_rule (batch, rule);
  beckon_store_fixture_commit (test->store, batch);
  beckon_followed_list_reload (BECKON_FOLLOWED_LIST (test->rules));
}

/* Another process finds a changed definition: a server that runs here is asked again, and its rule is suspended. */
static void
test_changed_elsewhere (void)
{
  Case *test = case_new ();
  g_autofree char *file = g_build_filename (test->directory, "changed", NULL);
  g_autofree char *words = g_strconcat ("old changes-if=", file, NULL);
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("s", words);
  BeckonMcpService *service;
  Case *other;

  add_rule (test, "s");
  beckon_await (beckon_rules_get_snapshot (test->rules)->len == 1);
  beckon_mcp_fixture_save (test, server);
  service = test->service;
  open_service (test, service, TRUE);
  g_assert_no_error (test->error);
  g_assert_null (beckon_mcp_service_get_previous (service, "echo"));
  beckon_store_fixture_settle_down (test->store);

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  other = beckon_mcp_fixture_open (test->directory);
  open_service (other, beckon_mcp_servers_find (other->servers, "s"), TRUE);
  g_assert_no_error (other->error);
  g_assert_nonnull (beckon_mcp_service_get_previous (beckon_mcp_servers_find (other->servers, "s"), "echo"));
  beckon_await (beckon_mcp_service_get_previous (service, "echo") != NULL);
  run (test, "s__echo", "{\"text\":\"unseen\"}");
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  beckon_mcp_fixture_close (other);
  forget (test);
}

/* A later server of the same name inherits no rule, and two have no name alike. */
static void
test_names (void)
{
  Case *test = case_new ();
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("My Server", "old");
  g_autoptr (BeckonMcpServer) like = beckon_mcp_fixture_make_server ("my-server", "old");
  g_autoptr (BeckonMcpServer) renamed = NULL;

  beckon_mcp_fixture_save (test, server);
  beckon_mcp_fixture_save (test, like);
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  renamed = beckon_mcp_server_copy (beckon_mcp_service_get_server (beckon_mcp_servers_find (test->servers, "My Server")));
  g_free (renamed->name);
  renamed->name = g_strdup ("Other");
  beckon_mcp_fixture_save (test, renamed);
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_INVALID);
  add_rule (test, "My Server");
  add_rule (test, "Not Mine");
  beckon_await (beckon_rules_get_snapshot (test->rules)->len == 2);
  beckon_mcp_servers_remove_async (test->servers, beckon_mcp_servers_find (test->servers, "My Server"), NULL, NULL, NULL);
  beckon_await (beckon_mcp_servers_find (test->servers, "My Server") == NULL);
  beckon_followed_list_reload (BECKON_FOLLOWED_LIST (test->rules));
  beckon_await (beckon_rules_get_snapshot (test->rules)->len == 1);
  beckon_mcp_fixture_save (test, like);
  g_assert_no_error (test->error);
  forget (test);
}

/* Only in conversations of its folder, and without the tools that are switched off. */
static void
test_scope (void)
{
  Case *test = case_new ();
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("s", "old");
  g_autoptr (BeckonMcpServer) changed = NULL;
  g_autofree char *inside = NULL;
  g_autofree char *outside = NULL;
  g_autofree char *beside = NULL;
  const char *off[] = { "fail", NULL };
  BeckonTool *tool;

  server->folder = g_strdup ("/srv/harbour");
  beckon_mcp_fixture_save (test, server);
  open_service (test, test->service, TRUE);
  tool = beckon_tool_registry_lookup (test->registry, "s__echo");
  inside = beckon_tool_get_absence (tool, "/srv/harbour/deep");
  outside = beckon_tool_get_absence (tool, "/srv");
  beside = beckon_tool_get_absence (tool, "/srv/harbourside");
  g_assert_null (inside);
  g_assert_nonnull (outside);
  g_assert_nonnull (beside);
  g_assert_nonnull (beckon_tool_registry_lookup (test->registry, "s__fail"));
  changed = beckon_mcp_server_copy (beckon_mcp_service_get_server (test->service));
  changed->tools_off = g_strdupv ((char **) off);
  beckon_mcp_fixture_save (test, changed);
  g_assert_null (beckon_tool_registry_lookup (test->registry, "s__fail"));
  g_assert_nonnull (beckon_tool_registry_lookup (test->registry, "s__echo"));
  forget (test);
}

/* The value of a secret is in no file of the store. */
static void
test_secrets (void)
{
  Case *test = case_new ();
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("s", "old");
  g_autofree char *database = g_build_filename (test->directory, "beckon.db", NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  g_ptr_array_add (server->variables, beckon_mcp_variable_new ("TOKEN", "canary-of-the-store", BECKON_MCP_VALUE_SECRET));
  beckon_mcp_fixture_save (test, server);
  /* Without a keyring the server is not stored at all. */
  if (test->service == NULL)
    g_assert_null (beckon_mcp_servers_find (test->servers, "s"));
  g_assert_true (g_file_get_contents (database, &bytes, &length, NULL));
  g_assert_null (g_strstr_len (bytes, (gssize) length, "canary-of-the-store"));
  forget (test);
}

/* A server that another process removed does not come back with its settings. */
static void
test_removed_meanwhile (void)
{
  Case *test = case_new ();
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("s", "old");
  g_autoptr (BeckonMcpServer) changed = NULL;
  g_autofree char *n_left = NULL;

  beckon_mcp_fixture_save (test, server);
  g_assert_no_error (test->error);
  changed = beckon_mcp_server_copy (beckon_mcp_service_get_server (test->service));
  changed->is_on = FALSE;
  g_free (beckon_store_fixture_sql (test->directory, "DELETE FROM server"));
  beckon_mcp_fixture_save (test, changed);
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
  n_left = beckon_store_fixture_sql (test->directory, "SELECT count (*) FROM server");
  g_assert_cmpstr (n_left, ==, "0");
  forget (test);
}

/* A server of which it is not known what was trusted is not started, and nothing is trusted instead. */
static void
test_unread (void)
{
  Case *test = case_new ();
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("s", "old");
  g_autofree char *directory = g_strdup (test->directory);
  g_autofree char *definitions = NULL;
  BeckonMcpService *service;

  beckon_mcp_fixture_save (test, server);
  open_service (test, test->service, TRUE);
  g_assert_no_error (test->error);
  beckon_mcp_fixture_close (test);
  g_free (beckon_store_fixture_sql (directory, "ALTER TABLE server_state RENAME COLUMN previous TO away"));
  test = beckon_mcp_fixture_open (directory);
  service = beckon_mcp_servers_find (test->servers, "s");
  open_service (test, service, TRUE);
  g_assert_nonnull (test->error);
  g_assert_cmpint (beckon_mcp_service_get_state (service), ==, BECKON_MCP_SERVICE_FAILED);
  g_assert_cmpuint (count_children (), ==, 0);
  g_free (beckon_store_fixture_sql (directory, "ALTER TABLE server_state RENAME COLUMN away TO previous"));
  open_service (test, service, TRUE);
  g_assert_no_error (test->error);
  definitions = beckon_store_fixture_sql (directory, "SELECT definitions FROM server_state");
  g_assert_nonnull (definitions);
  g_assert_cmpuint (beckon_mcp_service_get_infos (service)->len, ==, 14);
  forget (test);
}

static char *
quote (Case *test, const char *folder)
{
  return beckon_server_instructions_quote (beckon_tool_registry_get_instructions (test->registry), folder);
}

/* No tool of it is left. */
static void
switch_all_off (Case *test, const char *name)
{
  BeckonMcpService *service = beckon_mcp_servers_find (test->servers, name);
  g_autoptr (BeckonMcpServer) changed = beckon_mcp_server_copy (beckon_mcp_service_get_server (service));
  GPtrArray *infos = beckon_mcp_service_get_infos (service);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < infos->len; i++)
    g_strv_builder_add (names, ((BeckonMcpToolInfo *) g_ptr_array_index (infos, i))->name);
  g_strfreev (changed->tools_off);
  changed->tools_off = g_strv_builder_end (names);
  beckon_mcp_fixture_save (test, changed);
}

/* Instructions of a server are known without starting it, quoted, where its tools are, and only while the person wants it. */
static void
test_instructions (void)
{
  Case *test = case_new ();
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("My Server", "old");
  g_autofree char *directory = g_strdup (test->directory);
  g_autofree char *known = NULL;
  g_autofree char *outside = NULL;

  server->folder = g_strdup ("/srv/harbour");
  beckon_mcp_fixture_save (test, server);
  open_service (test, test->service, TRUE);
  g_assert_no_error (test->error);
  beckon_mcp_fixture_close (test);
  test = beckon_mcp_fixture_open (directory);
  known = quote (test, "/srv/harbour/deep");
  outside = quote (test, "/srv");
  g_assert_cmpstr (known, ==, "The server “My Server”:\n> Be kind<U+202E>\n> Be quick");
  g_assert_null (outside);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (BeckonMcpServer) changed
          = beckon_mcp_server_copy (beckon_mcp_service_get_server (beckon_mcp_servers_find (test->servers, "My Server")));
      g_autofree char *said = NULL;

      changed->is_on = i != 1;
      changed->ignores_instructions = i == 0;
      beckon_mcp_fixture_save (test, changed);
      said = quote (test, "/srv/harbour");
      g_assert_cmpstr (said, ==, i == 2 ? known : NULL);
    }
  switch_all_off (test, "My Server");
  outside = quote (test, "/srv/harbour");
  g_assert_null (outside);
  beckon_mcp_servers_remove_async (test->servers, beckon_mcp_servers_find (test->servers, "My Server"), NULL, NULL, NULL);
  beckon_await (beckon_mcp_servers_find (test->servers, "My Server") == NULL);
  g_clear_pointer (&outside, g_free);
  outside = quote (test, "/srv/harbour");
  g_assert_null (outside);
  forget (test);
}

/* Servers that say very much leave room for others. */
static void
test_instructions_bounded (void)
{
  Case *test = case_new ();
  g_autofree char *said = NULL;

  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *name = g_strdup_printf ("s%u", i);
      g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server (name, i == 9 ? "old" : "old talks");

      beckon_mcp_fixture_save (test, server);
      open_service (test, test->service, TRUE);
      g_assert_no_error (test->error);
    }
  said = quote (test, NULL);
  g_assert_cmpint (g_utf8_strlen (said, -1), <=, BECKON_SERVER_INSTRUCTIONS_MAX_ALL);
  g_assert_nonnull (strstr (said, "The server “s0”:\n> > Be kind"));
  g_assert_null (strstr (said, "The server “s8”"));
  g_assert_nonnull (strstr (said, "The server “s9”:\n> Be kind"));
  forget (test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mcp/servers/starts-when-needed", test_starts_when_needed);
  g_test_add_func ("/mcp/servers/ten-idle", test_ten_idle);
  g_test_add_func ("/mcp/servers/two-programs", test_two_programs);
  g_test_add_func ("/mcp/servers/fails", test_fails);
  g_test_add_func ("/mcp/servers/restarts", test_restarts);
  g_test_add_func ("/mcp/servers/names", test_names);
  g_test_add_func ("/mcp/servers/changed-elsewhere", test_changed_elsewhere);
  g_test_add_func ("/mcp/servers/scope", test_scope);
  g_test_add_func ("/mcp/servers/secrets", test_secrets);
  g_test_add_func ("/mcp/servers/removed-meanwhile", test_removed_meanwhile);
  g_test_add_func ("/mcp/servers/unread", test_unread);
  g_test_add_func ("/mcp/servers/instructions", test_instructions);
  g_test_add_func ("/mcp/servers/instructions/bounded", test_instructions_bounded);
  return g_test_run ();
}
