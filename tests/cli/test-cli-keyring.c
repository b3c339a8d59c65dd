/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A masked answer in a real keyring, which is empty again once what it belongs to is deleted. */

#include "base/beckon-json.h"
#include "beckon-cli-fixture.h"

#include <libsecret/secret.h>
#include <signal.h>
#include <string.h>

static const SecretSchema schema = {
  "io.github.beckon.Beckon.Answer",
  SECRET_SCHEMA_NONE,
  { { "handle", SECRET_SCHEMA_ATTRIBUTE_STRING }, { NULL, 0 } },
};

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **found = user_data;

  *found = g_object_ref (result);
}

/* On the main context: what the items leave behind when they go is freed there, and a context of the library's own would be
 * gone by then. */
static guint
count_items (void)
{
  g_autoptr (GHashTable) any = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GAsyncResult) found = NULL;
  g_autoptr (GError) error = NULL;
  GList *items;
  guint n;

  secret_password_searchv (&schema, any, SECRET_SEARCH_ALL, NULL, on_found, &found);
  while (found == NULL)
    g_main_context_iteration (NULL, TRUE);
  items = secret_password_search_finish (found, &error);
  n = g_list_length (items);
  g_assert_no_error (error);
  g_list_free_full (items, g_object_unref);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return n;
}

/* The model asks for a secret, and is given one. */
static void
answer (BeckonCliFixture *fixture)
{
  g_autoptr (JsonObject) request = NULL;
  g_autoptr (GError) error = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "ask_user",
                                                          "{\"questions\":[{\"question\":\"The token?\",\"secret\":true}]}"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "--detach-on-ask", "Log in", NULL), ==, 10);
  request = beckon_json_parse_object (fixture->output, -1, &error);
  g_assert_no_error (error);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Good"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "hunter2-k3x9q\n", "answer", beckon_json_get_string (request, "id"),
                                           "--secret-stdin", NULL),
                   ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
}

static void
test_delete (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = NULL;

  fixture->has_bus = TRUE;
  answer (fixture);
  g_assert_cmpuint (count_items (), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  id = g_strndup (fixture->output, strcspn (fixture->output, " "));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "delete", id, NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
  g_assert_cmpuint (count_items (), ==, 0);
}

static void
test_delete_all (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  fixture->has_bus = TRUE;
  answer (fixture);
  answer (fixture);
  g_assert_cmpuint (count_items (), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "delete", "--all", "--yes", NULL), ==, 0);
  g_assert_cmpuint (count_items (), ==, 0);
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/keyring/delete", test_delete);
  g_test_add_func ("/cli/keyring/delete-all", test_delete_all);
  return g_test_run ();
}
