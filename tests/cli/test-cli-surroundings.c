/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include <string.h>

/* The terminal where something around it is unusual: no locale, odd names, words too many, runs whose program died. */

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
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "delete", id, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, id);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "resume", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Nothing to resume.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/surroundings/no-locale", test_no_locale);
  g_test_add_func ("/cli/surroundings/bytes", test_bytes);
  g_test_add_func ("/cli/surroundings/names", test_names);
  g_test_add_func ("/cli/surroundings/words", test_words);
  g_test_add_func ("/cli/surroundings/dead-run", test_dead_run);
  return g_test_run ();
}
