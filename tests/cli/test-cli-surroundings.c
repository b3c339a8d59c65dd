/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

/* The terminal where something around it is unusual: no locale, no settings, odd names, words too many, dead runs. */

/* In cron and in containers there is no locale: text is UTF-8 all the same. */
static void
test_no_locale (void)
{
  g_autoptr (BeckonCliFixture) fixture = NULL;
  const char *const locales[] = { "C", "POSIX", "xx_YY.UTF-8" };
  g_autofree char *before = g_strdup (g_getenv ("LC_ALL"));

  fixture = beckon_cli_fixture_new_with_model ();
  for (guint i = 0; i < G_N_ELEMENTS (locales); i++)
    {
      g_autofree char *sent = NULL;

      g_setenv ("LC_ALL", locales[i], TRUE);
      beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("好。"));
      g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--quiet", "你好", NULL), ==, 0);
      g_assert_cmpstr (fixture->output, ==, "好。\n");
      g_assert_cmpstr (fixture->errors, ==, "");
      sent = beckon_agent_dump_request (beckon_fixture_server_get_request (fixture->server, i));
      g_assert_cmpstr (sent, ==, "user 你好\n");
      g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "nonsense", NULL), ==, 2);
      beckon_cli_assert_says (fixture->errors, "“nonsense” is not a command.");
    }
  g_setenv ("LC_ALL", before, TRUE);
}

static void
test_bytes (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "\xff\xfe", NULL), ==, 2);
  g_assert_cmpstr (fixture->errors, ==, "beckonctl run: An argument isn't text in “UTF-8”, the encoding of your locale.\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "profile", "set", "Fixture", "--model", "\xff", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "isn't text in “UTF-8”");
}

/* Names come from archives and from other people: what is said of them steers no terminal. */
static void
test_names (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  const char *const lines[][5] = {
    { "run", "-a", "no\x1b[31m\u202e", "Hello" },
    { "run", "--folder", "no\x1b[31m\u202e", "Hello" },
    { "run", "-o", "no\x1b[31m\u202e/file", "Hello" },
    { "import", "no\x1b[31m\u202e" },
    { "run", "--no\x1b[31m\u202e" },
    { "no\x1b[31m\u202e" },
    { "list", "no\x1b[31m\u202e" },
    { "mcp", "no\x1b[31m\u202e" },
    { "profile", "add", "no\x1b[31m\u202e", "--preset", "no\x1b[31m\u202e" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      const char *const *words = lines[i];
      int status = beckon_cli_fixture_run (fixture, NULL, words[0], words[1], words[2], words[3], words[4], NULL);

      g_test_message ("%s", fixture->errors);
      g_assert_cmpint (status, >, 0);
      g_assert_null (strchr (fixture->errors, '\x1b'));
      g_assert_null (strstr (fixture->errors, "\u202e"));
      beckon_cli_assert_says (fixture->errors, "<U+202E>");
    }

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "profile", "add", "N\x1b[31m\u202e", "--base-url",
                                           beckon_fixture_server_get_base_url (fixture->server), "--model", "m\u202e",
                                           "--system-prompt", "One\nTwo\u202e", "--no-lookup", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "profile", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "\tN<U+001B>[31m<U+202E>\tm<U+202E>\t");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "profile", "show", "N\x1b[31m\u202e", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "model: m<U+202E>\n");
  beckon_cli_assert_says (fixture->output, "system-prompt: One\nTwo<U+202E>\n");
  g_assert_null (strchr (fixture->output, '\x1b'));
}

/* A folder that can't be the working folder is not said to be none. */
static void
test_folder_name (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = g_build_filename (fixture->home, "w\xff", NULL);

  g_assert_no_errno (g_mkdir (folder, 0700));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "Hello", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "isn't text in UTF-8. Rename the folder");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--folder", "/dev/null", "Hello", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "“/dev/null” is not a folder.");
}

/* A word that no command takes is refused, under the command's whole name. */
static void
test_words (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "chat", "Hello", NULL), ==, 2);
  g_assert_cmpstr (fixture->errors, ==,
                   "beckonctl chat: “Hello” is one argument too many. “beckonctl chat --help” shows how it is used.\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "policy", "test", NULL), ==, 2);
  g_assert_cmpstr (fixture->errors, ==,
                   "beckonctl policy test: An argument is missing. “beckonctl policy test --help” shows how it is used.\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "answers", "list", "--no", NULL), ==, 2);
  g_assert_true (g_str_has_prefix (fixture->errors, "beckonctl answers list: "));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--last", "-c", "ABCDEF", "Hello", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "Use only one of --last and --conversation.");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "chat", "--last", "-c", "ABCDEF", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "export", "--json", "--format", "markdown", "ABCDEF", NULL), ==, 2);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 0);
}

/* A run whose program died is nobody's work: the list says that it can be resumed, and its conversation can be deleted. */
static void
test_dead_run (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autoptr (BeckonCliProcess) process = NULL;
  g_autofree char *id = NULL;
  g_autofree char *command = NULL;

  beckon_cli_fixture_script (fixture, beckon_script_held ("Half a ", "never", "word"));
  process = beckon_cli_process_new_in_pipe (fixture, "run", "Hello", NULL);
  beckon_cli_process_end_input (process);
  beckon_cli_process_wait (process, "Half a ");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "  Hello  (working)\n");
  id = g_strndup (fixture->output, 26);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "delete", id, NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Stop it first");

  beckon_cli_process_kill (process);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "  Hello  (can be resumed)\n");
  command = g_strconcat ("Let it end first (beckonctl resume ", id, ")", NULL);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "undo", "--turn", id, NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, command);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "delete", id, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, id);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Nothing to resume.");
}

/* A choice that ends with the program is no success. */
static void
test_no_settings (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *before = g_strdup (g_getenv ("GSETTINGS_SCHEMA_DIR"));

  g_setenv ("GSETTINGS_SCHEMA_DIR", fixture->home, TRUE);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "use", "Fixture", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "The choice can't be saved");
  beckon_cli_assert_says (fixture->errors, "--profile");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Other", "--base-url",
                                           beckon_fixture_server_get_base_url (fixture->server), "--model", "m", "--no-lookup",
                                           "--use", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "The choice can't be saved");
  g_assert_cmpuint (strlen (fixture->output), ==, 27);
  g_setenv ("GSETTINGS_SCHEMA_DIR", before, TRUE);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "use", "Other", NULL), ==, 0);
}

/* Settings whose folder can't be made are read without a word of a library; what would change one says so. */
static void
test_settings_without_folder (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *config = g_build_filename (fixture->home, "config", NULL);
  g_autofree char *debug = g_strdup (g_getenv ("G_DEBUG"));

  g_unsetenv ("G_DEBUG");
  g_assert_true (g_file_set_contents (config, "A file", -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Fixture", "--base-url",
                                           beckon_fixture_server_get_base_url (fixture->server), "--model", "m", "--no-lookup",
                                           "--use", NULL), ==, 1);
  g_assert_true (g_str_has_prefix (fixture->errors, "beckonctl profile: The choice can't be saved"));
  if (debug != NULL)
    g_setenv ("G_DEBUG", debug, TRUE);
}

/* An export that comes through a pipe. */
static void
test_import_pipe (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *id = NULL;
  g_autofree char *document = NULL;

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hi"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "Hello", NULL), ==, 0);
  id = g_strndup (fixture->errors + strlen ("conversation: "), 26);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "export", "--json", id, NULL), ==, 0);
  document = g_strdup (fixture->output);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "delete", id, NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, document, "import", "-", NULL), ==, 0);
  g_assert_cmpuint (strlen (fixture->output), ==, 27);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "search", "Hello", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "Hello");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "{}", "import", "-", NULL), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/surroundings/no-locale", test_no_locale);
  g_test_add_func ("/cli/surroundings/bytes", test_bytes);
  g_test_add_func ("/cli/surroundings/names", test_names);
  g_test_add_func ("/cli/surroundings/folder-name", test_folder_name);
  g_test_add_func ("/cli/surroundings/words", test_words);
  g_test_add_func ("/cli/surroundings/dead-run", test_dead_run);
  g_test_add_func ("/cli/surroundings/no-settings", test_no_settings);
  g_test_add_func ("/cli/surroundings/settings-without-folder", test_settings_without_folder);
  g_test_add_func ("/cli/surroundings/import-pipe", test_import_pipe);
  return g_test_run ();
}
