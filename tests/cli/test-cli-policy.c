/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Decisions on calls, the folder of a conversation, and the log: through the real program. */

#include "beckon-cli-fixture.h"

#include "base/beckon-json.h"

#include <stdlib.h>
#include <string.h>

static char *
write_rules (BeckonCliFixture *fixture, const char *rules)
{
  char *path = g_build_filename (fixture->home, "rules.json", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, rules, -1, &error);
  g_assert_no_error (error);
  return path;
}

/* (transfer full): what the program printed. */
static JsonObject *
judge (BeckonCliFixture *fixture, const char *rules_path, const char *command)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *arguments = NULL;
  g_autoptr (GError) error = NULL;
  JsonObject *judgement;

  json_object_set_string_member (object, "command", command);
  json_node_set_object (node, object);
  arguments = json_to_string (node, FALSE);
  g_assert_cmpint (
      beckon_cli_fixture_run (fixture, NULL, "policy", "test", "--mode", "everything", "--rules", rules_path,
                              "run_command", arguments, NULL), ==, 0);
  judgement = beckon_json_parse_object (fixture->output, -1, &error);
  g_assert_no_error (error);
  return judgement;
}

static void
test_judgement (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *rules
      = write_rules (fixture, "[{\"id\":\"one\",\"tool\":\"run_command\",\"arguments\":{\"command\":\"ls *\"},"
                              "\"verdict\":\"allow\"}]");
  g_autoptr (JsonObject) judgement = judge (fixture, rules, "ls -l && make");
  JsonArray *commands = beckon_json_get_array (judgement, "commands");

  g_assert_cmpstr (beckon_json_get_string (judgement, "verdict"), ==, "ask");
  g_assert_cmpuint (json_array_get_length (commands), ==, 2);
  g_assert_cmpstr (beckon_json_get_string (json_array_get_object_element (commands, 0), "verdict"), ==, "allow");
  g_assert_cmpstr (beckon_json_get_string (json_array_get_object_element (commands, 1), "text"), ==, "make");

  g_clear_pointer (&judgement, json_object_unref);
  judgement = judge (fixture, rules, "ls -l; ls src");
  g_assert_cmpstr (beckon_json_get_string (judgement, "verdict"), ==, "allow");
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (judgement, "rule"), "id"), ==, "one");
}

/* The folder that is the inside is named. */
static void
test_folder (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *here = g_get_current_dir ();
  g_autofree char *real = realpath (here, NULL);
  g_autofree char *folder = realpath (fixture->home, NULL);
  g_autofree char *path = g_build_filename (real, "a.txt", NULL);
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", path);
  g_autoptr (JsonObject) judgement = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "test", "read_file", arguments, NULL), ==, 0);
  judgement = beckon_json_parse_object (fixture->output, -1, NULL);
  g_assert_cmpstr (beckon_json_get_string (judgement, "folder"), ==, real);
  g_assert_cmpstr (beckon_json_get_string (judgement, "verdict"), ==, "allow");

  g_clear_pointer (&judgement, json_object_unref);
  g_assert_cmpint (
      beckon_cli_fixture_run (fixture, NULL, "policy", "test", "--folder", folder, "read_file", arguments, NULL), ==, 0);
  judgement = beckon_json_parse_object (fixture->output, -1, NULL);
  g_assert_cmpstr (beckon_json_get_string (judgement, "folder"), ==, folder);
  g_assert_cmpstr (beckon_json_get_string (judgement, "verdict"), ==, "ask");
}

static void
test_misused (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *rules = write_rules (fixture, "[{\"tool\":\"run_command\",\"when\":\"never\",\"verdict\":\"allow\"}]");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "test", "--rules", rules, "run_command", "{}", NULL),
                   ==, 2);
  beckon_cli_assert_says (fixture->errors, "when");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "test", "--mode", "never", "run_command", "{}", NULL),
                   ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "test", "run_command", "{\"a\":1,\"a\":2}", NULL), ==,
                   1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "test", "read_file", "{}", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "path");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "test", "send_mail", "{}", NULL), ==, 0);
  beckon_cli_assert_says (fixture->errors, "“send_mail” is not a tool here");
  beckon_cli_assert_says (fixture->output, "\"verdict\":\"ask\"");
}

/* Percent signs stand for bytes that no table can hold. */
static char *
decode (const char *text)
{
  char *command = g_uri_unescape_string (text, NULL);

  return command != NULL ? command : g_strdup (text);
}

/* Fault 87: a rule that allows ls allows nothing of what is smuggled past such rules elsewhere. */
static void
test_bypasses (void)
{
  const char *fixtures = g_getenv ("BECKON_FIXTURES");
  g_autoptr (BeckonCliFixture) fixture = NULL;
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autofree char *rules = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  if (fixtures == NULL)
    {
      g_test_skip ("BECKON_FIXTURES is not set");
      return;
    }
  fixture = beckon_cli_fixture_new ();
  rules = write_rules (
      fixture, "[{\"tool\":\"run_command\",\"arguments\":{\"command\":\"ls *\"},\"verdict\":\"allow\"}]");
  path = g_build_filename (fixtures, "shell-bypass.tsv", NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", 3);
      g_autofree char *command = NULL;
      g_autoptr (JsonObject) judgement = NULL;

      if (*lines[i] == '\0' || *lines[i] == '#')
        continue;
      command = decode (fields[0]);
      judgement = judge (fixture, rules, command);
      /* Quotes alone hide nothing: it is ls, and may be treated as such. */
      if (!g_str_has_prefix (command, "'l's") && g_strcmp0 (beckon_json_get_string (judgement, "verdict"), "allow") == 0)
        g_error ("allowed: %s", command);
      n++;
    }
  g_assert_cmpuint (n, >=, 39);
  g_test_message ("%u lines ask or are denied", n);
}

/* The folder is stored with the conversation, and a home folder is no place to work in. */
static void
test_place (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = g_build_filename (fixture->home, "site", NULL);
  g_auto (GStrv) words = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (
      beckon_cli_fixture_run (fixture, NULL, "run", "--folder", folder, "--mode", "everything", "Go", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "list", NULL), ==, 0);
  words = g_strsplit (fixture->output, " ", 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "export", "--format", "json", words[0], NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "/site\"");
  beckon_cli_assert_says (fixture->output, "\"everything\"");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--folder", fixture->home, "Go", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "inside your home folder");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "--folder", "/nowhere", "Go", NULL), ==, 2);
}

/* Rules that an answer made are printed, listed, and taken back. */
static void
test_rules (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = g_build_filename (fixture->home, "site", NULL);
  g_autoptr (JsonObject) document = NULL;
  JsonArray *rules;
  const char *ids[2];
  g_autofree char *said = NULL;
  g_autofree char *short_id = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "list", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "write_file", "{\"path\":\"a\",\"content\":\"Tulips\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Go\n/always 2\n", "chat", "--folder", folder, NULL), ==, 0);
  said = g_strdup (fixture->output);
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_2", "get_current_time", "{\"timezone\":\"UTC\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "Go\n/here\n", "chat", "--mode", "everything", "--folder", folder, NULL),
                   ==, 0);
  beckon_cli_assert_says (fixture->output, "Allowed in this conversation: Look at the clock\n");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "list", "--json", NULL), ==, 0);
  document = beckon_json_parse_object (fixture->output, -1, NULL);
  rules = beckon_json_get_array (document, "rules");
  g_assert_cmpuint (json_array_get_length (rules), ==, 2);
  for (guint i = 0; i < 2; i++)
    ids[i] = beckon_json_get_string (json_array_get_object_element (rules, i), "id");
  g_assert_null (beckon_json_get_string (json_array_get_object_element (rules, 0), "conversation"));
  g_assert_nonnull (beckon_json_get_string (json_array_get_object_element (rules, 1), "conversation"));
  beckon_cli_assert_says (said, "From now on: Change or move files · everything in ");
  beckon_cli_assert_says (said, ", until you take it back: beckonctl policy remove ");
  beckon_cli_assert_says (said, ids[0]);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "  Change or move files · everything in ");
  beckon_cli_assert_says (fixture->output, " · in one conversation · in ");
  beckon_cli_assert_says (fixture->output, " · not used yet · since 20");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "remove", "0", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "More than one rule begins with this id.");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "remove", ids[0], "nothing", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Rule not found.");
  short_id = g_strndup (ids[0], strlen (ids[0]) - 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "remove", ids[0], NULL), ==, 0);
  beckon_cli_assert_says (fixture->errors, "Removed: Change or move files · everything in ");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "list", NULL), ==, 0);
  g_assert_null (strstr (fixture->output, short_id));
  beckon_cli_assert_says (fixture->output, ids[1]);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "policy", "remove", NULL), ==, 2);
}

static void
test_provenance (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "get_current_time", "{\"timezone\":\"UTC\"}"));
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "run", "Go", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "provenance", "--tool", "get_current_time", NULL), ==, 0);
  lines = g_strsplit (fixture->output, "\n", -1);
  for (; lines[n] != NULL && *lines[n] != '\0'; n++)
    {
      static const char *const events[] = { "\"decided\"", "\"started\"", "\"finished\"" };
      g_autoptr (JsonObject) line = beckon_json_parse_object (lines[n], -1, NULL);

      g_assert_nonnull (line);
      g_assert_cmpuint (n, <, G_N_ELEMENTS (events));
      beckon_cli_assert_says (lines[n], events[n]);
    }
  g_assert_cmpuint (n, ==, 3);
  beckon_cli_assert_says (lines[0], "\"allow\"");
  beckon_cli_assert_says (lines[1], "executed");
  g_assert_null (strstr (fixture->output, BECKON_CLI_KEY));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, NULL, "provenance", "--event", "settled", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/policy/judgement", test_judgement);
  g_test_add_func ("/cli/policy/folder", test_folder);
  g_test_add_func ("/cli/policy/misused", test_misused);
  g_test_add_func ("/faults/F87-bypasses-through-the-program", test_bypasses);
  g_test_add_func ("/cli/policy/place", test_place);
  g_test_add_func ("/cli/policy/rules", test_rules);
  g_test_add_func ("/cli/policy/provenance", test_provenance);

  return g_test_run ();
}
