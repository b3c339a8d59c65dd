/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "domain/beckon-rule-json.h"
#include "policy/beckon-denied-paths.h"
#include "policy/beckon-host-name.h"
#include "policy/beckon-judgement.h"
#include "policy/beckon-policy.h"

#include <string.h>

#define NOW 1000

/* A host has one name, so that a rule for it holds however a model writes it. */
static void
test_host_names (void)
{
  static const struct
  {
    const char *host;
    const char *name;
  } cases[] = {
    { "Example.COM", "example.com" },
    { "example.com.", "example.com" },
    { "example.com...", "example.com" },
    { ".", "." },
    { "", "" },
    { "*.Example.com", "*.example.com" },
    { "bücher.example", "xn--bcher-kva.example" },
    { "BÜCHER.example", "xn--bcher-kva.example" },
    { "example。com", "example.com" },
    { "127.0.0.1", "127.0.0.1" },
    { "127.1", "127.0.0.1" },
    { "2130706433", "127.0.0.1" },
    { "0x7f000001", "127.0.0.1" },
    { "0x7F.1", "127.0.0.1" },
    { "0177.0.0.1", "127.0.0.1" },
    { "127.0.0.1.", "127.0.0.1" },
    { "10.256", "10.0.1.0" },
    { "1.2.65535", "1.2.255.255" },
    { "4294967295", "255.255.255.255" },
    { "::1", "::1" },
    { "0:0:0:0:0:0:0:1", "::1" },
    { "::ffff:127.0.0.1", "127.0.0.1" },
    { "::FFFF:7f00:1", "127.0.0.1" },
    { "2001:DB8::0:1", "2001:db8::1" },
    /* These are names, whatever they look like. */
    { "4294967296", "4294967296" },
    { "1.2.65536", "1.2.65536" },
    { "1.256.1", "1.256.1" },
    { "1.2.3.4.5", "1.2.3.4.5" },
    { "08.0.0.1", "08.0.0.1" },
    { "1.2.3.x", "1.2.3.x" },
    { "127.0.0.1.example", "127.0.0.1.example" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = beckon_host_name_normalize (cases[i].host);
      g_autofree char *again = beckon_host_name_normalize (name);

      g_test_message ("%s", cases[i].host);
      g_assert_cmpstr (name, ==, cases[i].name);
      g_assert_cmpstr (again, ==, name);
    }
}

/* Effects keep copies of what they are given, and nothing of it once they are cleared. */
static void
test_effects (void)
{
  g_auto (BeckonEffects) effects = { .tool = "run_command" };
  g_autoptr (JsonObject) arguments = json_object_new ();
  char word[] = "/one";

  g_assert_null (beckon_effects_get_reach (&effects, "network"));
  beckon_effects_add_path (&effects, word);
  beckon_effects_add_alias (&effects, word);
  beckon_effects_set_command (&effects, word);
  beckon_effects_add_reach (&effects, word, "1");
  memset (word, 'x', strlen (word));
  for (guint i = 0; i < 20; i++)
    beckon_effects_add_path (&effects, word);
  beckon_effects_add_host (&effects, "A.Example.");
  beckon_effects_add_reach (&effects, "network", "true");
  beckon_effects_set_arguments (&effects, arguments);
  beckon_effects_set_arguments (&effects, effects.arguments);
  g_assert_cmpstr (effects.paths[0], ==, "/one");
  g_assert_cmpuint (g_strv_length ((char **) effects.paths), ==, 21);
  g_assert_cmpstr (effects.aliases[0], ==, "/one");
  g_assert_null (effects.aliases[1]);
  g_assert_cmpstr (effects.hosts[0], ==, "a.example");
  g_assert_cmpstr (effects.command, ==, "/one");
  g_assert_true (effects.arguments == arguments);
  g_assert_cmpstr (beckon_effects_get_reach (&effects, "/one"), ==, "1");
  g_assert_cmpstr (beckon_effects_get_reach (&effects, "network"), ==, "true");
  /* A value is no name. */
  g_assert_null (beckon_effects_get_reach (&effects, "true"));
  beckon_effects_set_command (&effects, NULL);
  g_assert_null (effects.command);

  beckon_effects_clear (&effects);
  g_assert_null (effects.tool);
  g_assert_null (effects.paths);
  g_assert_null (effects.reach);
  beckon_effects_clear (&effects);
}

static BeckonRuleSet *
make_rules (const char *json)
{
  g_autoptr (JsonNode) node = beckon_json_parse (json, -1, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rules = beckon_rules_read (json_node_get_array (node), 100, &error);

  g_assert_no_error (error);
  return beckon_rule_set_new (rules);
}

/* A file that must not be read must not be changed either; one that must not be changed may be read. */
static void
test_denied (void)
{
  g_autoptr (BeckonRuleSet) rules = make_rules (
    "[{\"tool\":\"read_file\",\"arguments\":{\"path\":\"keys/**\"},\"verdict\":\"deny\"},"
    "{\"tool\":\"write_file\",\"arguments\":{\"path\":\"/w/notes.txt\"},\"verdict\":\"deny\"},"
    "{\"tool\":\"read_file\",\"arguments\":{\"path\":\"asked/**\"},\"verdict\":\"ask\"},"
    "{\"tool\":\"read_file\",\"arguments\":{\"path\":\"old/**\"},\"verdict\":\"deny\",\"expires_at\":1000},"
    "{\"tool\":\"read_file\",\"arguments\":{\"path\":\"theirs/**\"},\"verdict\":\"deny\",\"conversation\":\"other\"}]");
  static const struct
  {
    const char *path;
    gboolean is_hidden;
    gboolean is_fixed;
  } cases[] = {
    { "/w/keys/a", TRUE, TRUE },        { "/w/keys/a/b", TRUE, TRUE },  { "/w/keys2/a", FALSE, FALSE }, { "/keys/a", FALSE, FALSE },
    { "/w/notes.txt", FALSE, TRUE },    { "/w/sub/notes.txt", FALSE, FALSE }, { "/w/asked/a", FALSE, FALSE },
    { "/w/old/a", FALSE, FALSE },       { "/w/theirs/a", FALSE, FALSE },
  };
  g_autoptr (BeckonDeniedPaths) denied = beckon_denied_paths_new (rules, "/w", "c1", NOW);
  gboolean only_changes = TRUE;

  g_assert_nonnull (denied);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].path);
      g_assert_cmpint (beckon_denied_paths_has (denied, cases[i].path), ==, cases[i].is_hidden);
      g_assert_cmpint (beckon_denied_paths_has_for_changes (denied, cases[i].path), ==, cases[i].is_fixed);
    }
  g_assert_cmpuint (beckon_denied_paths_get_n_patterns (denied), ==, 2);
  g_assert_cmpstr (beckon_denied_paths_get_pattern (denied, 0, &only_changes), ==, "keys/**");
  g_assert_false (only_changes);
  g_assert_cmpstr (beckon_denied_paths_get_pattern (denied, 1, &only_changes), ==, "/w/notes.txt");
  g_assert_true (only_changes);
}

/* No list is made where nothing is denied. */
static void
test_nothing_denied (void)
{
  g_autoptr (BeckonRuleSet) rules = make_rules ("[{\"tool\":\"read_file\",\"verdict\":\"allow\"}]");

  g_assert_null (beckon_denied_paths_new (NULL, "/w", "c1", NOW));
  g_assert_null (beckon_denied_paths_new (rules, "/w", "c1", NOW));
  g_assert_false (beckon_denied_paths_has (NULL, "/w/a"));
  g_assert_false (beckon_denied_paths_has_for_changes (NULL, "/w/a"));
  g_assert_cmpuint (beckon_denied_paths_get_n_patterns (NULL), ==, 0);
}

/* A judgement as other programs read it: all members are there, with null for what is not. */
static void
test_judgement_json (void)
{
  g_autoptr (BeckonRuleSet) rules
    = make_rules ("[{\"id\":\"r1\",\"tool\":\"run_command\",\"arguments\":{\"command\":\"rm *\"},\"verdict\":\"deny\"}]");
  BeckonEffects command = { .tool = "run_command", .folder = "/w", .command = "ls \"a\" && rm b" };
  BeckonEffects odd = { .tool = "run_command", .folder = "/w", .command = "ls $(rm x)" };
  BeckonEffects reads = { .tool = "list_files", .read_only = TRUE };
  g_autoptr (BeckonJudgement) denied = beckon_policy_judge (&command, rules, BECKON_MODE_ASK_CHANGES, TRUE, NOW);
  g_autoptr (BeckonJudgement) asked = beckon_policy_judge (&odd, rules, BECKON_MODE_ASK_CHANGES, TRUE, NOW);
  g_autoptr (BeckonJudgement) allowed = beckon_policy_judge (&reads, NULL, BECKON_MODE_ASK_CHANGES, TRUE, NOW);
  g_autofree char *denied_text = beckon_judgement_to_json (denied, "/w");
  g_autofree char *asked_text = beckon_judgement_to_json (asked, "/w");
  g_autofree char *allowed_text = beckon_judgement_to_json (allowed, NULL);
  g_autoptr (JsonObject) object = beckon_json_parse_object (denied_text, -1, NULL);
  g_autoptr (JsonObject) other = beckon_json_parse_object (asked_text, -1, NULL);
  JsonArray *commands = beckon_json_get_array (object, "commands");
  JsonObject *second = json_array_get_object_element (commands, 1);

  g_assert_cmpstr (beckon_json_get_string (object, "verdict"), ==, "deny");
  g_assert_cmpstr (beckon_json_get_string (object, "folder"), ==, "/w");
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (object, "rule"), "id"), ==, "r1");
  g_assert_cmpuint (json_array_get_length (commands), ==, 2);
  g_assert_cmpstr (beckon_json_get_string (json_array_get_object_element (commands, 0), "text"), ==, "ls \"a\"");
  g_assert_true (json_object_get_null_member (json_array_get_object_element (commands, 0), "rule"));
  g_assert_cmpstr (beckon_json_get_string (second, "verdict"), ==, "deny");
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (second, "rule"), "id"), ==, "r1");
  g_assert_true (json_object_get_null_member (object, "misunderstood"));

  g_assert_true (json_object_get_null_member (other, "commands"));
  g_assert_cmpstr (beckon_json_get_string (other, "misunderstood"), ==, asked->misunderstood);
  g_assert_cmpstr (allowed_text, ==,
                   "{\"verdict\":\"allow\",\"reason\":\"It only reads, inside the folder.\",\"folder\":null,\"rule\":null,"
                   "\"commands\":null,\"misunderstood\":null}");
}

/* The refusal of what nobody could be asked about is known again, and nothing else is taken for it. */
static void
test_unasked (void)
{
  BeckonEffects effects = { .tool = "write_file" };
  BeckonDecision decision = beckon_policy_decide (&effects, BECKON_MODE_ASK_CHANGES, FALSE);
  g_autofree char *longer = g_strconcat (decision.refusal, " ", NULL);

  g_assert_true (beckon_policy_was_unasked (decision.refusal));
  g_assert_false (beckon_policy_was_unasked (longer));
  g_assert_false (beckon_policy_was_unasked ("Not run"));
  g_assert_false (beckon_policy_was_unasked (NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/effects/host-names", test_host_names);
  g_test_add_func ("/effects/kept", test_effects);
  g_test_add_func ("/effects/denied", test_denied);
  g_test_add_func ("/effects/nothing-denied", test_nothing_denied);
  g_test_add_func ("/effects/judgement-json", test_judgement_json);
  g_test_add_func ("/effects/unasked", test_unasked);
  return g_test_run ();
}
