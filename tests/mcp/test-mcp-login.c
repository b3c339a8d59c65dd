/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Servers that are signed in to without a person, from the terminal, with a real keyring. */

#include "base/beckon-base64url.h"
#include "base/beckon-json.h"
#include "beckon-cli-fixture.h"
#include "beckon-oauth-fixture.h"

#include <glib/gstdio.h>
#include <gnutls/x509.h>
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

/* A private key as PEM in a file; its text and its public half. */
static char *
make_key (Test *test, char **pem, JsonObject **public)
{
  char *path = g_build_filename (test->cli->home, "key.pem", NULL);
  gnutls_x509_privkey_t key;
  gnutls_datum_t text = { 0 }, numbers[3] = { 0 };

  g_assert_cmpint (gnutls_x509_privkey_init (&key), ==, 0);
  g_assert_cmpint (gnutls_x509_privkey_generate (key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS (GNUTLS_ECC_CURVE_SECP256R1), 0), ==,
                   0);
  g_assert_cmpint (gnutls_x509_privkey_export2_pkcs8 (key, GNUTLS_X509_FMT_PEM, NULL, GNUTLS_PKCS_PLAIN, &text), ==, 0);
  g_assert_cmpint (gnutls_x509_privkey_export_ecc_raw (key, NULL, &numbers[0], &numbers[1], &numbers[2]), ==, 0);
  *pem = g_strndup ((const char *) text.data, text.size);
  g_assert_true (g_file_set_contents (path, *pem, -1, NULL));
  *public = json_object_new ();
  for (guint i = 0; i < 2; i++)
    {
      guint skipped = numbers[i].size - 32; /* GnuTLS puts a zero before a number that would look negative */
      g_autofree char *encoded = NULL;

      if (numbers[i].size < 32)
        {
          g_autofree guchar *padded = g_malloc0 (32);

          memcpy (padded + 32 - numbers[i].size, numbers[i].data, numbers[i].size);
          encoded = beckon_base64url_encode (padded, 32);
        }
      else
        encoded = beckon_base64url_encode (numbers[i].data + skipped, 32);
      json_object_set_string_member (*public, i == 0 ? "x" : "y", encoded);
    }
  for (guint i = 0; i < 3; i++)
    gnutls_free (numbers[i].data);
  gnutls_free (text.data);
  gnutls_x509_privkey_deinit (key);
  return path;
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
static const SecretSchema sign_ins = SCHEMA ("Grant", "server");

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

static void
assert_field (Test *test, const char *name, const char *value)
{
  g_autofree char *field = beckon_oauth_fixture_dup_field (test->far, "/token", name);

  g_assert_cmpstr (field, ==, value);
}

/* The key is copied: its file can go. After the server is removed nothing of it is left to sign with. */
static void
test_key (Test *test, gconstpointer data)
{
  g_autofree char *pem = NULL;
  g_autoptr (JsonObject) public = NULL;
  g_autofree char *path = make_key (test, &pem, &public);
  g_autofree char *assertion = NULL;
  g_autofree char *folder = beckon_cli_fixture_dup_data_directory (test->cli);
  g_autoptr (JsonObject) claims = NULL;
  g_auto (GStrv) lines = g_strsplit (pem, "\n", -1);
  guint n_keys = count_items (), n_sign_ins = count_of (&sign_ins);

  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "add", "robot", "--url", test->far->url, "--no-test", "--login",
                                           "client", "--client-id", "robot", "--client-key", path, NULL),
                   ==, 0);
  g_unlink (path);
  beckon_cli_fixture_run (test->cli, "", "mcp", "test", "robot", NULL);
  g_assert_cmpuint (test->far->n_tokens, ==, 1);
  assert_field (test, "grant_type", "client_credentials");
  assertion = beckon_oauth_fixture_dup_field (test->far, "/token", "client_assertion");
  claims = beckon_oauth_fixture_verify (assertion, public);
  g_assert_nonnull (claims);
  g_assert_cmpstr (beckon_json_get_string (claims, "sub"), ==, "robot");
  assert_absent (folder, lines[1]);

  /* Another program has the token from the keyring. */
  beckon_cli_fixture_run (test->cli, "", "mcp", "test", "robot", NULL);
  g_assert_cmpuint (test->far->n_tokens, ==, 1);
  g_assert_cmpuint (count_items (), ==, n_keys + 1);
  g_assert_cmpuint (count_of (&sign_ins), ==, n_sign_ins + 1);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "remove", "robot", NULL), ==, 0);
  g_assert_cmpuint (count_items (), ==, n_keys);
  g_assert_cmpuint (count_of (&sign_ins), ==, n_sign_ins);
}

static void
test_secret (Test *test, gconstpointer data)
{
  g_autofree char *header = NULL;

  test->far->methods = "\"client_secret_basic\"";
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "hunter2-k3x9q\n", "mcp", "add", "robot", "--url", test->far->url,
                                           "--no-test", "--login", "client", "--client-id", "robot",
                                           "--client-secret-from-stdin", "--issuer", test->far->root, NULL),
                   ==, 0);
  beckon_cli_fixture_run (test->cli, "", "mcp", "test", "robot", NULL);
  g_assert_cmpuint (test->far->n_tokens, ==, 1);
  header = beckon_fixture_request_dup_header (beckon_oauth_fixture_get_last (test->far, "/token"), "Authorization");
  g_assert_cmpstr (header, ==, "Basic cm9ib3Q6aHVudGVyMi1rM3g5cQ==");
  assert_absent (test->cli->home, "hunter2-k3x9q");
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (test->cli->output, "\"hasClientSecret\":true");
}

/* From a file, then from a program; what is wrong with either is said. */
static void
test_workload (Test *test, gconstpointer data)
{
  g_autofree char *file = g_build_filename (test->cli->home, "token", NULL);
  g_autofree char *command = g_strdup_printf ("cat %s", file);

  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "add", "cloud", "--url", test->far->url, "--no-test", "--login",
                                           "workload", "--issuer", test->far->root, "--token-file", file, NULL),
                   ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "test", "cloud", NULL), ==, 1);
  beckon_cli_assert_says (test->cli->errors, "can’t be read");
  g_assert_cmpuint (beckon_oauth_fixture_count (test->far, "/token"), ==, 0);
  g_assert_true (g_file_set_contents (file, "voucher\n", -1, NULL));
  beckon_cli_fixture_run (test->cli, "", "mcp", "test", "cloud", NULL);
  g_assert_cmpuint (test->far->n_tokens, ==, 1);
  assert_field (test, "assertion", "voucher");

  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "add", "other", "--url", test->far->url, "--no-test", "--login",
                                           "workload", "--issuer", test->far->root, "--token-command", command, NULL),
                   ==, 0);
  beckon_cli_fixture_run (test->cli, "", "mcp", "test", "other", NULL);
  g_assert_cmpuint (test->far->n_tokens, ==, 2);
  assert_field (test, "assertion", "voucher");

  /* A file whose text is no token stays here. */
  g_assert_true (g_file_set_contents (file, "two words", -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "sign-out", "cloud", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "test", "cloud", NULL), ==, 1);
  beckon_cli_assert_says (test->cli->errors, "can’t be read");
  g_assert_cmpuint (beckon_oauth_fixture_count (test->far, "/token"), ==, 2);
}

static void
test_mistakes (Test *test, gconstpointer data)
{
  g_autofree char *no_key = g_build_filename (test->cli->home, "no.pem", NULL);
  static const struct
  {
    const char *options[5];
    const char *says;
  } cases[] = {
    { { "--login", "magic" }, "person, client" },
    { { "--login", "client" }, "client ID" },
    { { "--login", "client", "--client-id", "a" }, "client secret or a private key" },
    { { "--client-id", "a", "--client-secret-from-stdin" }, "authorization server" },
    { { "--login", "workload", "--issuer", "https://as.example" }, "file with the token" },
    { { "--login", "workload", "--issuer", "http://as.example" }, "begin with https" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const *o = cases[i].options;

      g_assert_cmpint (beckon_cli_fixture_run (test->cli, "secret\n", "mcp", "add", "s", "--url", test->far->url, "--no-test", o[0],
                                               o[1], o[2], o[3], NULL),
                       ==, 1);
      beckon_cli_assert_says (test->cli->errors, cases[i].says);
    }
  g_assert_true (g_file_set_contents (no_key, "-----BEGIN PRIVATE KEY-----\ncanary\n", -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "add", "s", "--url", test->far->url, "--no-test", "--login",
                                           "client", "--client-id", "a", "--client-key", no_key, NULL),
                   ==, 1);
  beckon_cli_assert_says (test->cli->errors, "a private key in PEM");
  g_assert_null (strstr (test->cli->errors, "canary"));
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "list", NULL), ==, 0);
  g_assert_cmpstr (test->cli->output, ==, "");
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

/* The sign-in is changed member by member; another way to sign in begins anew. */
static void
test_changed_login (Test *test, gconstpointer data)
{
  guint before = count_items ();

  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "hunter2-k3x9q\n", "mcp", "add", "robot", "--url", test->far->url,
                                           "--no-test", "--login", "client", "--client-id", "robot",
                                           "--client-secret-from-stdin", "--issuer", test->far->root, NULL),
                   ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "set", "robot", "--scope", "read", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "list", "--json", NULL), ==, 0);
  beckon_cli_assert_says (test->cli->output, "\"hasClientSecret\":true");
  beckon_cli_assert_says (test->cli->output, "\"scope\":\"read\"");
  g_assert_cmpuint (count_items (), ==, before + 1);
  g_assert_cmpint (beckon_cli_fixture_run (test->cli, "", "mcp", "set", "robot", "--login", "person", NULL), ==, 0);
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
  ADD ("key", test_key);
  ADD ("secret", test_secret);
  ADD ("workload", test_workload);
  ADD ("mistakes", test_mistakes);
  ADD ("changed", test_changed);
  ADD ("changed-login", test_changed_login);
  ADD ("imported", test_imported);
  return g_test_run ();
}
