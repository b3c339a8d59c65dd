/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-fixture.h"

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_mcp_servers_load_finish (BECKON_MCP_SERVERS (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

static void
on_rules_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_rules_load_finish (BECKON_RULES (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

BeckonMcpFixture *
beckon_mcp_fixture_open (const char *directory)
{
  BeckonMcpFixture *fixture = g_new0 (BeckonMcpFixture, 1);
  gboolean are_rules_loaded = FALSE;
  gboolean is_loaded = FALSE;

  fixture->directory = g_strdup (directory);
  fixture->store = beckon_store_fixture_open (directory);
  fixture->secrets = beckon_secrets_new ();
  fixture->registry = beckon_tool_registry_new ();
  fixture->rules = beckon_rules_new (fixture->store);
  beckon_rules_load_async (fixture->rules, NULL, on_rules_loaded, &are_rules_loaded);
  beckon_await (are_rules_loaded);
  fixture->servers = beckon_mcp_servers_new (&(BeckonMcpServiceParts) {
      .store = fixture->store,
      .secrets = fixture->secrets,
      .registry = fixture->registry,
      .clock = beckon_clock_get_system (),
      .rules = fixture->rules,
  });
  beckon_mcp_servers_load_async (fixture->servers, NULL, on_loaded, &is_loaded);
  beckon_await (is_loaded);
  return fixture;
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_mcp_servers_close_finish (BECKON_MCP_SERVERS (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

void
beckon_mcp_fixture_close (BeckonMcpFixture *fixture)
{
  gboolean is_closed = FALSE;

  beckon_mcp_servers_close_async (fixture->servers, NULL, on_closed, &is_closed);
  beckon_await (is_closed);
  g_clear_object (&fixture->service);
  beckon_store_fixture_settle_down (fixture->store);
  g_object_unref (fixture->servers);
  g_object_unref (fixture->registry);
  g_object_unref (fixture->rules);
  g_object_unref (fixture->secrets);
  beckon_store_fixture_close (fixture->store);
  g_clear_error (&fixture->error);
  g_free (fixture->text);
  g_free (fixture->directory);
  g_free (fixture);
}

BeckonMcpServer *
beckon_mcp_fixture_make_server (const char *name, const char *words)
{
  BeckonMcpServer *server = beckon_mcp_server_new (name, BECKON_MCP_KIND_STDIO);
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "mcp", "server.py", NULL);
  g_autofree char *line = g_strdup_printf ("-u %s %s", script, words);

  server->program = g_strdup (g_getenv ("BECKON_TEST_PYTHON"));
  server->arguments = g_strsplit (line, " ", -1);
  return server;
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonMcpFixture *fixture = user_data;

  g_clear_error (&fixture->error);
  g_clear_object (&fixture->service);
  fixture->service = beckon_mcp_servers_save_finish (BECKON_MCP_SERVERS (source), result, &fixture->error);
  fixture->is_done = TRUE;
}

void
beckon_mcp_fixture_save (BeckonMcpFixture *fixture, BeckonMcpServer *server)
{
  fixture->is_done = FALSE;
  beckon_mcp_servers_save_async (fixture->servers, server, NULL, on_saved, fixture);
  beckon_await (fixture->is_done);
}
