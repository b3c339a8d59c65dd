/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Settings of sign-ins to servers, from the terminal, with a real keyring. */

#include "beckon-cli-fixture.h"
#include "beckon-oauth-fixture.h"

#include <glib/gstdio.h>
#include <libsecret/secret.h>
#include <string.h>

typedef struct
{
  BeckonCliFixture *cli;
  BeckonOauthFixture *far;
} Test;

static void
set_up (Test *test, gconstpointer data)
{
  test->cli = beckon_cli_fixture_new_with_model ();
  test->cli->has_bus = TRUE;
  test->far = beckon_oauth_fixture_new ();
  test->far->served = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"No more is here\"}}";
}

static void
tear_down (Test *test, gconstpointer data)
{
  beckon_oauth_fixture_free (test->far);
  beckon_cli_fixture_free (test->cli);
}

/* No file of the program has @secret in it. */
static void
assert_absent (const char *folder, const char *secret)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *bytes = NULL;
      gsize length;

      if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        assert_absent (path, secret);
      else if (g_file_test (path, G_FILE_TEST_IS_REGULAR) && g_file_get_contents (path, &bytes, &length, NULL))
        g_assert_null (g_strstr_len (bytes, (gssize) length, secret));
    }
}

#define SCHEMA(name, attribute) \
  { "io.github.beckon.Beckon." name, SECRET_SCHEMA_NONE, { { attribute, SECRET_SCHEMA_ATTRIBUTE_STRING }, { NULL, 0 } } }

static const SecretSchema keys = SCHEMA ("Key", "profile");

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* On the main context, as what the items leave behind when they go is freed there. */
static guint
count_of (const SecretSchema *schema)
{
  g_autoptr (GHashTable) any = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GAsyncResult) found = NULL;
  g_autoptr (GError) error = NULL;
  GList *items;
  guint n;

  secret_password_searchv (schema, any, SECRET_SEARCH_ALL, NULL, on_found, &found);
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

static guint
count_items (void)
{
  return count_of (&keys);
}

/* The secret is in the keyring alone, and goes with its server. */
static void
test_secret (Test *test, gconstpointer data)
{
  guint before = count_items ();

  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "hunter2-k3x9q\n", "mcp", "add", "robot", "--url", test->far->url,
                                           "--no-test", "--client-id", "robot", "--client-secret-from-stdin", "--issuer",
                                           test->far->root, NULL),
                   ==, 0);
  assert_absent (test->cli->home, "hunter2-k3x9q");
  g_assert_cmpuint (count_items (), ==, before + 1);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (test->cli->output, "\"hasClientSecret\":true");
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "remove", "robot", NULL), ==, 0);
  g_assert_cmpuint (count_items (), ==, before);
}

static void
test_mistakes (Test *test, gconstpointer data)
{
  static const struct
  {
    const char *options[5];
    const char *says;
  } cases[] = {
    { { "--client-id", "a", "--client-secret-from-stdin" }, "authorization server" },
    { { "--issuer", "https://as.example", "--client-secret-from-stdin" }, "client ID" },
    { { "--issuer", "http://as.example" }, "begin with https" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const *o = cases[i].options;

      g_assert_cmpint (beckon_cli_fixture_run (test->cli, "secret\n", "mcp", "add", "s", "--url", test->far->url, "--no-test", o[0],
                                               o[1], o[2], o[3], NULL),
                       ==, 1);
      beckon_cli_assert_says (test->cli->errors, cases[i].says);
    }
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "list", NULL), ==, 0);
  g_assert_cmpstr (test->cli->output, ==, "");
}

/* A sign-in that would end with the program isn't begun. */
static void
test_no_keyring (Test *test, gconstpointer data)
{
  test->cli->has_bus = FALSE;
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "add", "s", "--url", test->far->url, "--no-test", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "sign-in", "s", NULL), ==, 1);
  beckon_cli_assert_says (test->cli->errors, "a sign-in can’t be kept");
  g_assert_null (strstr (test->cli->errors, "Open this address"));
  g_assert_cmpuint (beckon_oauth_fixture_count (test->far, "/authorize"), ==, 0);
}

/* Values come by standard input and go with what they belong to. */
static void
test_changed (Test *test, gconstpointer data)
{
  g_autofree char *seen = g_build_filename (test->cli->home, "seen", NULL);
  g_autofree char *script = g_strdup_printf ("printf %%s \"$API_KEY$NAME$PLAIN\" >'%s'", seen);
  g_autofree char *text = NULL;
  guint before = count_items ();

  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "hunter2-k3x9q\nhunter3-k3x9q\n", "mcp", "add", "s", "--no-test",
                                           "--secret", "API_KEY", "--secret", "NAME", "-e", "PLAIN=1", "--", "sh", "-c", script,
                                           NULL),
                   ==, 0);
  g_assert_cmpuint (count_items (), ==, before + 2);
  assert_absent (test->cli->home, "hunter2-k3x9q");
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "test", "s", NULL), ==, 1);
  g_assert_true (g_file_get_contents (seen, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "hunter2-k3x9qhunter3-k3x9q1");

  /* A change of something else leaves them; one that takes a variable out, or keeps it elsewhere, does not. */
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "set", "s", "--timeout", "30", "-e", "PLAIN=2", NULL), ==, 0);
  g_assert_cmpuint (count_items (), ==, before + 2);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "set", "s", "--unset", "API_KEY", NULL), ==, 0);
  g_assert_cmpuint (count_items (), ==, before + 1);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "set", "s", "-e", "NAME=ada", NULL), ==, 0);
  g_assert_cmpuint (count_items (), ==, before);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (test->cli->output, "\"timeout\":30");
  beckon_cli_assert_says (test->cli->output, "ada");
  g_assert_null (strstr (test->cli->output, "\"API_KEY\""));
}

/* The sign-in is changed member by member; without a client there is no secret of one. */
static void
test_changed_login (Test *test, gconstpointer data)
{
  guint before = count_items ();

  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "hunter2-k3x9q\n", "mcp", "add", "robot", "--url", test->far->url,
                                           "--no-test", "--client-id", "robot", "--client-secret-from-stdin", "--issuer",
                                           test->far->root, NULL),
                   ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "set", "robot", "--no-test", "--scope", "read", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (test->cli->output, "\"hasClientSecret\":true");
  beckon_cli_assert_says (test->cli->output, "\"scope\":\"read\"");
  g_assert_cmpuint (count_items (), ==, before + 1);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "set", "robot", "--no-test", "--client-id", "", NULL), ==, 0);
  g_assert_cmpuint (count_items (), ==, before);
}

static void
test_imported (Test *test, gconstpointer data)
{
  static const char text[] = "{\"mcpServers\": {\"one\": {\"url\": \"https://a.example\", \"requestInit\": {\"headers\": "
                             "{\"Authorization\": \"Bearer ${input:token}\", \"X-Team\": \"red\"}}}}}";
  g_autofree char *path = g_build_filename (test->cli->home, "servers.json", NULL);
  guint before = count_items ();

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "import", path, "one", "-e", "token", NULL), ==, 1);
  beckon_cli_assert_says (test->cli->errors, "no secret");
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, text, "mcp", "import", "-", "one", "-e", "token", NULL), ==, 1);
  beckon_cli_assert_says (test->cli->errors, "Give a file");
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "hunter2-k3x9q\n", "mcp", "import", path, "one", "-e", "token", NULL), ==,
                   0);
  g_assert_cmpuint (count_items (), ==, before + 1);
  assert_absent (test->cli->home, "hunter2-k3x9q");
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (test->cli->output, "X-Team");
  beckon_cli_assert_says (test->cli->output, "Authorization");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/mcp/login/" name, Test, NULL, set_up, function, tear_down)
  ADD ("secret", test_secret);
  ADD ("mistakes", test_mistakes);
  ADD ("no-keyring", test_no_keyring);
  ADD ("changed", test_changed);
  ADD ("changed-login", test_changed_login);
  ADD ("imported", test_imported);
  return g_test_run ();
}
