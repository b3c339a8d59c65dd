/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-fixture.h"

#include "base/beckon-error.h"
#include "mcp/beckon-mcp-folder.h"

#include "base/beckon-id.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Servers that come with a folder: used as they were accepted, and not otherwise. */

typedef BeckonMcpFixture Case;

typedef char Folder;

static void
folder_remove (Folder *directory)
{
  beckon_store_fixture_clear (directory);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Folder, folder_remove)

static void
on_applied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  g_clear_error (&test->error);
  beckon_mcp_folder_apply_finish (BECKON_MCP_SERVERS (source), result, &test->error);
  test->is_done = TRUE;
}

/* @extras: (nullable) */
static void
apply (Case *test, const char *folder, BeckonFolderExtras *extras)
{
  test->is_done = FALSE;
  beckon_mcp_folder_apply_async (test->servers, folder, extras, NULL, on_applied, test);
  beckon_await (test->is_done);
}

/* A folder with the script of a server in it. */
static char *
make_work (void)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "mcp", "server.py", NULL);
  char *folder = g_dir_make_tmp ("beckon-work-XXXXXX", NULL);
  g_autofree char *copy = g_build_filename (folder, "server.py", NULL);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (script, &text, &length, NULL));
  g_assert_true (g_file_set_contents (copy, text, (gssize) length, NULL));
  return folder;
}

static void
take_server (BeckonFolderExtras *extras, const char *name, const char *words)
{
  g_autofree char *text = g_strdup_printf ("{\"command\": \"%s\", \"args\": [\"-u\", \"server.py\", \"old\"%s]}",
                                           g_getenv ("BECKON_TEST_PYTHON"), words);

  beckon_folder_extras_take (extras, beckon_folder_extra_new (BECKON_FOLDER_EXTRA_SERVER, ".mcp.json", name, "", text, 1));
}

static BeckonFolderExtras *
make_extras (const char *folder, const char *words)
{
  BeckonFolderExtras *extras = beckon_folder_extras_new (folder);

  take_server (extras, "papers", words);
  return extras;
}

static BeckonMcpService *
get_service (Case *test, const char *name)
{
  BeckonMcpService *service = beckon_mcp_servers_find (test->servers, name);

  g_assert_nonnull (service);
  return service;
}

static guint
count_servers (Case *test)
{
  return g_list_model_get_n_items (G_LIST_MODEL (test->servers));
}

/* --- Cases -------------------------------------------------------------------------------------------------------- */

/* A server is bound to its folder and kept in a sandbox, and has its tools. */
static void
test_accepted (void)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *work = make_work ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) extras = make_extras (work, "");
  const BeckonMcpServer *server;

  apply (test, work, extras);
  g_assert_no_error (test->error);
  server = beckon_mcp_service_get_server (get_service (test, "papers"));
  g_assert_cmpstr (server->folder, ==, work);
  g_assert_cmpstr (server->directory, ==, work);
  g_assert_true (server->is_sandboxed);
  g_assert_false (server->has_network);
  g_assert_false (server->can_write);
  g_assert_cmpuint (server->variables->len, ==, 0);
  g_assert_nonnull (beckon_tool_registry_lookup (test->registry, "papers__echo"));
  apply (test, work, extras);
  g_assert_cmpuint (count_servers (test), ==, 1);
}

/* Contents that were not accepted are not used, and the person's own settings survive that. */
static void
test_changed (void)
{
  static const char *const off[] = { "echo", NULL };
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *work = make_work ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) extras = make_extras (work, "");
  g_autoptr (BeckonFolderExtras) other = make_extras (work, ",\"banner\"");
  g_autoptr (BeckonFolderExtras) none = beckon_folder_extras_new (work);
  g_autoptr (BeckonMcpServer) changed = NULL;

  apply (test, work, extras);
  beckon_await (beckon_tool_registry_lookup (test->registry, "papers__env") != NULL);
  changed = beckon_mcp_server_copy (beckon_mcp_service_get_server (get_service (test, "papers")));
  changed->tools_off = g_strdupv ((char **) off);
  beckon_mcp_fixture_save (test, changed);
  g_assert_no_error (test->error);
  apply (test, work, NULL);
  g_assert_true (beckon_mcp_service_get_server (get_service (test, "papers"))->is_suspended);
  g_assert_cmpint (beckon_mcp_service_get_state (get_service (test, "papers")), ==, BECKON_MCP_SERVICE_OFF);
  g_assert_null (beckon_tool_registry_lookup (test->registry, "papers__env"));
  apply (test, work, other);
  g_assert_false (beckon_mcp_service_get_server (get_service (test, "papers"))->is_suspended);
  g_assert_cmpstr (beckon_mcp_service_get_server (get_service (test, "papers"))->arguments[3], ==, "banner");
  beckon_await (beckon_tool_registry_lookup (test->registry, "papers__env") != NULL);
  g_assert_null (beckon_tool_registry_lookup (test->registry, "papers__echo"));
  apply (test, work, none);
  g_assert_true (beckon_mcp_service_get_server (get_service (test, "papers"))->is_suspended);
}

static void
on_one_applied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_mcp_folder_apply_finish (BECKON_MCP_SERVERS (source), result, NULL));
  ++*(guint *) user_data;
}

/* The last call holds, though those before are not stored yet. */
static void
test_order (void)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *work = make_work ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) extras = make_extras (work, "");
  guint n_applied = 0;

  apply (test, work, extras);
  beckon_mcp_folder_apply_async (test->servers, work, NULL, NULL, on_one_applied, &n_applied);
  beckon_mcp_folder_apply_async (test->servers, work, extras, NULL, on_one_applied, &n_applied);
  beckon_await (n_applied == 2);
  g_assert_false (beckon_mcp_service_get_server (get_service (test, "papers"))->is_suspended);
  g_assert_nonnull (beckon_tool_registry_lookup (test->registry, "papers__echo"));

  beckon_mcp_folder_apply_async (test->servers, work, extras, NULL, on_one_applied, &n_applied);
  beckon_mcp_folder_apply_async (test->servers, work, NULL, NULL, on_one_applied, &n_applied);
  beckon_mcp_folder_apply_async (test->servers, work, extras, NULL, on_one_applied, &n_applied);
  beckon_mcp_folder_apply_async (test->servers, work, NULL, NULL, on_one_applied, &n_applied);
  beckon_await (n_applied == 6);
  g_assert_true (beckon_mcp_service_get_server (get_service (test, "papers"))->is_suspended);
  g_assert_null (beckon_tool_registry_lookup (test->registry, "papers__echo"));
}

/* The wait for the tools of a server that does not list them ends when it is cancelled, and the server stays. */
static void
test_cancelled (void)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *work = make_work ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) extras = make_extras (work, ",\"lists-when=never\"");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  test->is_done = FALSE;
  beckon_mcp_folder_apply_async (test->servers, work, extras, cancellable, on_applied, test);
  beckon_await (beckon_mcp_servers_find (test->servers, "papers") != NULL
                && beckon_mcp_service_get_state (get_service (test, "papers")) == BECKON_MCP_SERVICE_STARTING);
  g_assert_false (test->is_done);
  g_cancellable_cancel (cancellable);
  beckon_await (test->is_done);
  g_assert_no_error (test->error);
  g_assert_cmpint (beckon_mcp_service_get_state (get_service (test, "papers")), ==, BECKON_MCP_SERVICE_STARTING);
}

/* Two folders have a server of one name; servers of no folder stay as they are. */
static void
test_names (void)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *one = make_work ();
  g_autofree char *two = make_work ();
  g_autofree char *base = g_path_get_basename (two);
  g_autofree char *name = g_strdup_printf ("papers %s", base);
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) first = make_extras (one, "");
  g_autoptr (BeckonFolderExtras) second = make_extras (two, "");

  apply (test, one, first);
  apply (test, two, second);
  g_assert_no_error (test->error);
  g_assert_cmpuint (count_servers (test), ==, 2);
  g_assert_cmpstr (beckon_mcp_service_get_server (get_service (test, name))->folder, ==, two);
  apply (test, one, NULL);
  g_assert_true (beckon_mcp_service_get_server (get_service (test, "papers"))->is_suspended);
  g_assert_false (beckon_mcp_service_get_server (get_service (test, name))->is_suspended);
}

/* A file chooses no folder outside for the sandbox, and what can't be used keeps none of the others away. */
static void
test_outside (void)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *work = make_work ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) extras = beckon_folder_extras_new (work);
  static const char bad[] = "{\"args\": []}", out[] = "{\"command\": \"true\", \"cwd\": \"/\"}";

  beckon_folder_extras_take (extras, beckon_folder_extra_new (BECKON_FOLDER_EXTRA_SERVER, ".mcp.json", "bad", "", bad, 1));
  beckon_folder_extras_take (extras, beckon_folder_extra_new (BECKON_FOLDER_EXTRA_SERVER, ".mcp.json", "out", "", out, 1));
  apply (test, work, extras);
  g_assert_nonnull (test->error);
  g_assert_cmpuint (count_servers (test), ==, 1);
  g_assert_cmpstr (beckon_mcp_service_get_server (get_service (test, "out"))->directory, ==, work);
}

/* The script of a server in a folder below @parent. */
static char *
make_below (const char *parent, const char *name)
{
  char *folder = g_build_filename (parent, name, NULL);
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "mcp", "server.py", NULL);
  g_autofree char *to = g_build_filename (folder, "server.py", NULL);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_get_contents (from, &text, &length, NULL));
  g_assert_true (g_file_set_contents (to, text, (gssize) length, NULL));
  return folder;
}

static void
lay_link (const char *target, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

static BeckonFolderExtras *
make_in (const char *work, const char *directory)
{
  BeckonFolderExtras *extras = beckon_folder_extras_new (work);
  g_autofree char *text = g_strdup_printf ("{\"command\": \"%s\", \"args\": [\"-u\", \"server.py\", \"old\"], \"cwd\": \"%s\"}",
                                           g_getenv ("BECKON_TEST_PYTHON"), directory);

  beckon_folder_extras_take (extras, beckon_folder_extra_new (BECKON_FOLDER_EXTRA_SERVER, ".mcp.json", "papers", "", text, 1));
  return extras;
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  g_clear_error (&test->error);
  beckon_mcp_service_open_finish (BECKON_MCP_SERVICE (source), result, &test->error);
  test->is_done = TRUE;
}

static void
turn (Case *test, const char *name, gboolean is_on)
{
  g_autoptr (BeckonMcpServer) changed = beckon_mcp_server_copy (beckon_mcp_service_get_server (get_service (test, name)));

  changed->is_on = is_on;
  beckon_mcp_fixture_save (test, changed);
  g_assert_no_error (test->error);
}

/* A link in the repository leads the sandbox nowhere else: neither one that is there when the server is accepted, nor one that
 * takes the place of its folder later. */
static void
test_links (void)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *work = make_work ();
  g_autofree char *outside = make_work ();
  g_autofree char *inner = make_below (work, "inner");
  g_autofree char *moved = g_build_filename (work, "moved", NULL);
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) out = make_in (work, "docs");
  g_autoptr (BeckonFolderExtras) within = make_in (work, "alias");

  lay_link (outside, work, "docs");
  lay_link ("inner", work, "alias");
  apply (test, work, out);
  g_assert_no_error (test->error);
  g_assert_cmpstr (beckon_mcp_service_get_server (get_service (test, "papers"))->directory, ==, work);
  apply (test, work, within);
  g_assert_no_error (test->error);
  g_assert_cmpstr (beckon_mcp_service_get_server (get_service (test, "papers"))->directory, ==, inner);
  beckon_await (beckon_tool_registry_lookup (test->registry, "papers__echo") != NULL);

  turn (test, "papers", FALSE);
  g_assert_cmpint (g_rename (inner, moved), ==, 0);
  lay_link (outside, work, "inner");
  turn (test, "papers", TRUE);
  test->is_done = FALSE;
  beckon_mcp_service_open_async (get_service (test, "papers"), FALSE, NULL, on_opened, test);
  beckon_await (test->is_done);
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (test->error->message, "leads to another one"));
}

static void
on_rule_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (beckon_rules_save_finish (BECKON_RULES (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

static char *
add_rule (Case *test, BeckonVerdict verdict)
{
  g_autoptr (BeckonRule) rule = beckon_rule_new ();
  gboolean is_saved = FALSE;

  rule->id = beckon_id_new ();
  rule->server = g_strdup ("papers");
  rule->verdict = verdict;
  beckon_rules_save_async (test->rules, rule, NULL, on_rule_saved, &is_saved);
  beckon_await (is_saved);
  return g_strdup (rule->id);
}

/* The network and what was allowed without a question are for the program that the person knew. */
static void
test_other_program (void)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *work = make_work ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) extras = make_extras (work, "");
  g_autoptr (BeckonFolderExtras) other = make_extras (work, ",\"banner\"");
  g_autoptr (BeckonMcpServer) changed = NULL;
  g_autofree char *allows = NULL, *denies = NULL;

  apply (test, work, extras);
  allows = add_rule (test, BECKON_VERDICT_ALLOW);
  denies = add_rule (test, BECKON_VERDICT_DENY);
  changed = beckon_mcp_server_copy (beckon_mcp_service_get_server (get_service (test, "papers")));
  changed->has_network = TRUE;
  changed->can_write = TRUE;
  beckon_mcp_fixture_save (test, changed);
  g_assert_no_error (test->error);
  apply (test, work, NULL);
  apply (test, work, extras);
  g_assert_true (beckon_mcp_service_get_server (get_service (test, "papers"))->has_network);
  g_assert_true (beckon_mcp_service_get_server (get_service (test, "papers"))->can_write);
  g_assert_nonnull (beckon_rules_lookup (test->rules, allows));
  apply (test, work, other);
  g_assert_no_error (test->error);
  g_assert_false (beckon_mcp_service_get_server (get_service (test, "papers"))->has_network);
  g_assert_false (beckon_mcp_service_get_server (get_service (test, "papers"))->can_write);
  g_assert_null (beckon_rules_lookup (test->rules, allows));
  g_assert_nonnull (beckon_rules_lookup (test->rules, denies));
}

static void
on_foreseen (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  test->found = beckon_mcp_folder_foresee_finish (BECKON_MCP_SERVERS (source), result);
  test->is_done = TRUE;
}

/* (transfer full): of the one server that the folder brings */
static BeckonServerReach *
foresee (Case *test, const char *folder, BeckonFolderExtras *extras)
{
  g_autoptr (GPtrArray) reaches = NULL;

  test->is_done = FALSE;
  beckon_mcp_folder_foresee_async (test->servers, folder, extras, on_foreseen, test);
  beckon_await (test->is_done);
  reaches = g_steal_pointer (&test->found);
  g_assert_cmpuint (reaches->len, ==, 1);
  return beckon_server_reach_copy (g_ptr_array_index (reaches, 0));
}

static void
assert_says (const BeckonServerReach *reach, const char *words)
{
  g_autofree char *said = beckon_server_reach_describe (reach);

  g_assert_cmpstr (said, ==, words);
}

/* A person who is asked is told what the server will be able to do; permissions of another program are not among it. */
static void
test_foreseen (void)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *work = make_work ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) extras = make_extras (work, "");
  g_autoptr (BeckonFolderExtras) other = make_extras (work, ",\"banner\"");
  g_autoptr (BeckonServerReach) first = foresee (test, work, extras);
  g_autoptr (BeckonServerReach) kept = NULL;
  g_autoptr (BeckonServerReach) lost = NULL;
  g_autoptr (BeckonMcpServer) changed = NULL;
  g_autofree char *reads = g_strdup_printf ("Runs in a sandbox: can read %s but change nothing, and has no network.", work);
  g_autofree char *writes = g_strdup_printf ("Runs in a sandbox: can read and change %s directly, except Git's folders, and has no "
                                            "network. It can change files that other programs run by themselves, such as .envrc.",
                                            work);
  g_autofree char *less
    = g_strconcat (reads, " You allowed it more before. That ends, because something else is started or reached now.", NULL);

  assert_says (first, reads);
  g_assert_cmpuint (count_servers (test), ==, 0);
  apply (test, work, extras);
  changed = beckon_mcp_server_copy (beckon_mcp_service_get_server (get_service (test, "papers")));
  changed->can_write = TRUE;
  beckon_mcp_fixture_save (test, changed);
  g_assert_no_error (test->error);
  kept = foresee (test, work, extras);
  assert_says (kept, writes);
  lost = foresee (test, work, other);
  assert_says (lost, less);
  apply (test, work, other);
  g_assert_false (beckon_mcp_service_get_server (get_service (test, "papers"))->can_write);
}

static void
on_ran (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  g_clear_error (&test->error);
  g_free (test->text);
  test->text = beckon_tool_run_finish (BECKON_TOOL (source), result, &test->error);
  test->is_done = TRUE;
}

/* A model that is told of the failure is told the way as well, however the server says it. */
static void
test_remark (gconstpointer word)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autofree char *work = make_work ();
  g_autofree char *words = g_strdup_printf (",\"reaches-out\"%s", (const char *) word);
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (BeckonFolderExtras) extras = make_extras (work, words);
  const BeckonToolContext context = { .arguments = "{}", .folder = work };
  BeckonTool *tool;

  apply (test, work, extras);
  g_assert_no_error (test->error);
  tool = beckon_tool_registry_lookup (test->registry, "papers__keep");
  g_assert_nonnull (tool);
  test->is_done = FALSE;
  beckon_tool_run_async (tool, &context, NULL, on_ran, test);
  beckon_await (test->is_done);
  g_assert_nonnull (strstr (test->error != NULL ? test->error->message : test->text, "they can allow it"));
  g_assert_nonnull (strstr (test->error != NULL ? test->error->message : test->text, "Read-only file system"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mcp/folder/accepted", test_accepted);
  g_test_add_func ("/mcp/folder/changed", test_changed);
  g_test_add_func ("/mcp/folder/order", test_order);
  g_test_add_func ("/mcp/folder/cancelled", test_cancelled);
  g_test_add_func ("/mcp/folder/names", test_names);
  g_test_add_func ("/mcp/folder/outside", test_outside);
  g_test_add_func ("/mcp/folder/links", test_links);
  g_test_add_func ("/mcp/folder/other-program", test_other_program);
  g_test_add_func ("/mcp/folder/foreseen", test_foreseen);
  g_test_add_data_func ("/mcp/folder/remark", "", test_remark);
  g_test_add_data_func ("/mcp/folder/remark-of-error", ",\"refuses-rudely\"", test_remark);
  return g_test_run ();
}
