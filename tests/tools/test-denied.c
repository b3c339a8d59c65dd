/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A rule that denies a file holds for every tool that could meet it, and for commands, in a real sandbox. */

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "domain/beckon-rule-json.h"
#include "policy/beckon-judgement.h"
#include "sandbox/beckon-sandbox.h"
#include "tool-runner.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  ToolRunner runner;
  BeckonRuleSet *rules;
} Case;

static BeckonRuleSet *
read_rules (const char *text)
{
  g_autoptr (JsonNode) node = beckon_json_parse (text, -1, NULL);
  g_autoptr (GPtrArray) rules = beckon_rules_read (json_node_get_array (node), 100, NULL);

  g_assert_nonnull (rules);
  return beckon_rule_set_new (rules);
}

static void
take_rules (Case *test, const char *text)
{
  g_clear_pointer (&test->rules, beckon_rule_set_unref);
  g_clear_pointer (&test->runner.denied, beckon_denied_paths_unref);
  test->rules = read_rules (text);
  test->runner.denied = beckon_denied_paths_new (test->rules, test->runner.folder, "c", 1);
}

/* A folder with secrets among other things, and links to them. */
static void
set_up (Case *test, gconstpointer data)
{
  ToolRunner *runner = &test->runner;
  g_autofree char *link = NULL;
  g_autofree char *loop = NULL;

  tool_runner_set_up (runner);
  tool_runner_write (runner, "notes.txt", "apple pie\n");
  tool_runner_write (runner, "keys/a.pem", "apple key\n");
  tool_runner_write (runner, "keys/deep/b.txt", "apple deep\n");
  tool_runner_write (runner, "src/c.pem", "apple pem\n");
  link = g_build_filename (runner->folder, "link", NULL);
  loop = g_build_filename (runner->folder, "loop", NULL);
  g_assert_cmpint (symlink ("keys/a.pem", link), ==, 0);
  g_assert_cmpint (symlink (".", loop), ==, 0);
}

static void
tear_down (Case *test, gconstpointer data)
{
  g_clear_pointer (&test->rules, beckon_rule_set_unref);
  g_clear_pointer (&test->runner.denied, beckon_denied_paths_unref);
  tool_runner_tear_down (&test->runner);
}

static BeckonVerdict
judge (Case *test, const char *tool, const char *arguments)
{
  g_auto (BeckonEffects) effects = { 0 };
  g_autoptr (BeckonJudgement) judgement = NULL;

  tool_runner_get_effects (&test->runner, tool, arguments, &effects);
  /* The command lands, whatever view there is here. */
  effects.lands = effects.command != NULL;
  judgement = beckon_policy_judge (&effects, test->rules, BECKON_MODE_ASK_OUTSIDE, TRUE, 1);
  g_test_message ("%s %s: %s", tool, arguments, judgement->reason);
  return judgement->verdict;
}

#define DENIES "[{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"keys/**\"}}]"
#define DENIES_KIND "[{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"*/*.pem\"}}]"
#define DENIES_FILE "[{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"keys/a.pem\"}}]"
#define DENIES_CHANGES "[{\"tool\":\"edit_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"keys/**\"}}]"

static void
test_every_tool (Case *test, gconstpointer data)
{
  static const struct
  {
    const char *tool;
    const char *arguments;
  } denied[] = {
    { "read_file", "{'path':'keys/a.pem'}" },
    { "read_file", "{'path':'link'}" },
    { "read_file", "{'path':'loop/keys/a.pem'}" },
    { "read_file", "{'path':'src/../keys/deep/b.txt'}" },
    { "edit_file", "{'path':'keys/a.pem','old_text':'a','new_text':'b'}" },
    { "write_file", "{'path':'keys/new','content':'b'}" },
    { "search_files", "{'pattern':'apple','path':'keys'}" },
    { "list_files", "{'path':'keys/deep'}" },
    { "run_command", "{'command':'cat keys/a.pem'}" },
    { "run_command", "{'command':'cat < keys/a.pem'}" },
    { "run_command", "{'command':'cat link'}" },
    { "run_command", "{'command':'ls keys'}" },
    { "run_command", "{'command':'cd keys && cat a.pem'}" },
    { "run_command", "{'command':'cat keys/*.pem'}" },
    { "run_command", "{'command':'ls','directory':'keys'}" },
    { "run_command", "{'command':'python3 -c \\\"open(1)\\\" keys/a.pem'}" },
  };

  take_rules (test, DENIES);
  for (guint i = 0; i < G_N_ELEMENTS (denied); i++)
    g_assert_cmpint (judge (test, denied[i].tool, denied[i].arguments), ==, BECKON_VERDICT_DENY);
  g_assert_cmpint (judge (test, "read_file", "{'path':'notes.txt'}"), ==, BECKON_VERDICT_ALLOW);
  g_assert_cmpint (judge (test, "run_command", "{'command':'cat notes.txt'}"), ==, BECKON_VERDICT_ALLOW);
  g_assert_cmpint (judge (test, "search_files", "{'pattern':'apple'}"), ==, BECKON_VERDICT_ALLOW);
}

static void
assert_lacks (Case *test, const char *tool, const char *arguments, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *result = tool_runner_run (&test->runner, tool, arguments, NULL, &error);

  g_assert_no_error (error);
  if (strstr (result, words) != NULL)
    g_error ("%s %s: “%s” is in:\n%s", tool, arguments, words, result);
}

static void
assert_names_other (Case *test, const char *tool, const char *arguments)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (tool_runner_run (&test->runner, tool, arguments, NULL, &error));
  g_assert_nonnull (strstr (error->message, "Did you mean “src/c.pem”?"));
}

/* Tools that meet files without naming them pass over those that are denied. */
static void
test_met (Case *test, gconstpointer data)
{
  take_rules (test, DENIES);
  tool_runner_expect (&test->runner, "search_files", "{'pattern':'apple'}", "notes.txt:1", "src/c.pem:1", NULL);
  assert_lacks (test, "search_files", "{'pattern':'apple'}", "keys/");
  assert_lacks (test, "search_files", "{'pattern':'apple','path':'loop'}", "keys/");
  assert_lacks (test, "list_files", "{'recursive':true}", "keys/");
  assert_lacks (test, "list_files", "{'path':'loop','recursive':true}", "keys/");
  assert_lacks (test, "list_files", "{'pattern':'**/*.pem'}", "keys/");
  assert_names_other (test, "read_file", "{'path':'A.pem'}");
  assert_names_other (test, "edit_file", "{'path':'A.pem','old_text':'a','new_text':'b'}");

  take_rules (test, DENIES_KIND);
  assert_lacks (test, "search_files", "{'pattern':'apple'}", ".pem");
  tool_runner_expect (&test->runner, "search_files", "{'pattern':'apple'}", "keys/deep/b.txt:1", NULL);
  /* A link that was exchanged since the call was judged. */
  tool_runner_expect_error (&test->runner, "read_file", "{'path':'link'}", BECKON_ERROR_INVALID, "denies");
}

static gboolean
has_sandbox (void)
{
  g_autofree char *program = beckon_sandbox_find_program ();

  return program != NULL;
}

static gboolean
skip (void)
{
  if (!has_sandbox ())
    g_test_skip ("bubblewrap is not installed");
  return !has_sandbox ();
}

static void
test_sandbox (Case *test, gconstpointer data)
{
  static const char *const attempts[] = {
    "cat keys/a.pem",        "cat keys/deep/b.txt",      "cat link",
    "cat loop/keys/a.pem",   "grep -r apple keys",       "find keys -type f -exec cat {} +",
    "mv keys moved; cat moved/a.pem", "cp -r keys copy; cat copy/a.pem", "ln keys/a.pem hard; cat hard",
    "chmod -R 777 keys; cat keys/a.pem", "umount keys; cat keys/a.pem", "tar cf - keys | strings",
    "cat /proc/self/root$PWD/keys/a.pem", "rm -rf keys; cat keys/a.pem", "cd keys && cat *",
    "unshare -Ur cat keys/a.pem", "mkdir x; mount --bind keys x; cat x/a.pem",
  };
  g_autofree char *left = NULL;

  if (skip ())
    return;
  /* They can be read as long as no rule denies them. */
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{'command':'%s'}", attempts[i]);

      tool_runner_expect (&test->runner, "run_command", arguments, "apple", NULL);
    }
  take_rules (test, DENIES);
  for (guint i = 0; i < G_N_ELEMENTS (attempts); i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{'command':'%s'}", attempts[i]);

      assert_lacks (test, "run_command", arguments, "apple");
    }
  tool_runner_expect (&test->runner, "run_command", "{'command':'cat notes.txt src/c.pem'}", "apple pie", "apple pem", NULL);
  left = tool_runner_read (&test->runner, "keys/a.pem");
  g_assert_cmpstr (left, ==, "apple key\n");
}

/* A rule names a path and means the file: a name that it had before elsewhere is no way around. */
static void
test_hard_links (Case *test, gconstpointer data)
{
  static const char *const rules[] = { DENIES, DENIES_KIND, DENIES_FILE };
  g_autofree char *key = g_build_filename (test->runner.folder, "keys/a.pem", NULL);
  g_autofree char *hard = g_build_filename (test->runner.folder, "src/hard", NULL);

  g_assert_cmpint (link (key, hard), ==, 0);
  tool_runner_expect (&test->runner, "read_file", "{'path':'src/hard'}", "apple key", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      take_rules (test, rules[i]);
      tool_runner_expect_error (&test->runner, "read_file", "{'path':'src/hard'}", BECKON_ERROR_INVALID, "denies");
      tool_runner_expect_error (&test->runner, "edit_file", "{'path':'src/hard','old_text':'key','new_text':'b'}",
                                BECKON_ERROR_INVALID, "denies");
      assert_lacks (test, "search_files", "{'pattern':'apple'}", "apple key");
      tool_runner_expect (&test->runner, "read_file", "{'path':'notes.txt'}", "apple pie", NULL);
      if (!has_sandbox ())
        continue;
      assert_lacks (test, "run_command", "{'command':'cat src/hard'}", "apple key");
      assert_lacks (test, "run_command", "{'command':'cp src/hard c; cat c'}", "apple key");
      tool_runner_expect (&test->runner, "run_command", "{'command':'cat notes.txt'}", "apple pie", NULL);
    }
}

/* Files of a kind, wherever they are when the command starts. */
static void
test_sandbox_kind (Case *test, gconstpointer data)
{
  if (skip ())
    return;
  take_rules (test, DENIES_KIND);
  assert_lacks (test, "run_command", "{'command':'cat */*.pem link; grep -rh apple .'}", "apple key");
  assert_lacks (test, "run_command", "{'command':'cat */*.pem link; grep -rh apple .'}", "apple pem");
  tool_runner_expect (&test->runner, "run_command", "{'command':'cat keys/deep/b.txt'}", "apple deep", NULL);
}

static void
assert_closed (Case *test)
{
  tool_runner_expect_error (&test->runner, "run_command", "{'command':'chmod 700 keys; cat keys/a.pem'}",
                            BECKON_ERROR_UNAVAILABLE, "can't be searched");
}

/* A folder that cannot be searched now is made readable by the command itself. */
static void
test_closed_folder (Case *test, gconstpointer data)
{
  g_autofree char *keys = g_build_filename (test->runner.folder, "keys", NULL);

  if (skip ())
    return;
  if (geteuid () == 0)
    {
      g_test_skip ("root reads every folder");
      return;
    }
  g_assert_cmpint (chmod (keys, 0), ==, 0);
  take_rules (test, DENIES_KIND);
  assert_closed (test);
  take_rules (test, DENIES_FILE);
  assert_closed (test);
  g_assert_cmpint (chmod (keys, 0700), ==, 0);
  tool_runner_expect (&test->runner, "run_command", "{'command':'cat notes.txt'}", "apple pie", NULL);
}

/* A rule says where a file is, so what it is in stays where it is. */
static void
test_moved_folder (Case *test, gconstpointer data)
{
  if (skip ())
    return;
  take_rules (test, DENIES_FILE);
  assert_lacks (test, "run_command", "{'command':'mv keys moved; cat moved/a.pem'}", "apple key");
  assert_lacks (test, "run_command", "{'command':'cat moved/a.pem keys/a.pem'}", "apple key");
  tool_runner_expect (&test->runner, "run_command", "{'command':'echo new > keys/new && mv keys/deep/b.txt keys/b && cat keys/b'}",
                      "apple deep", NULL);
}

/* A file that must not be changed can be read, and a command can't change it either. */
static void
test_changes (Case *test, gconstpointer data)
{
  g_autofree char *left = NULL;

  take_rules (test, DENIES_CHANGES);
  g_assert_cmpint (judge (test, "write_file", "{'path':'keys/a.pem','content':'x'}"), ==, BECKON_VERDICT_DENY);
  g_assert_cmpint (judge (test, "read_file", "{'path':'keys/a.pem'}"), ==, BECKON_VERDICT_ALLOW);
  g_assert_cmpint (judge (test, "run_command", "{'command':'cat keys/a.pem'}"), ==, BECKON_VERDICT_ALLOW);
  if (skip ())
    return;
  tool_runner_expect (&test->runner, "run_command", "{'command':'cat keys/a.pem; echo x > keys/a.pem; rm -rf keys'}",
                      "apple key", "Read-only", NULL);
  left = tool_runner_read (&test->runner, "keys/a.pem");
  g_assert_cmpstr (left, ==, "apple key\n");
}

/* The whole folder cannot be hidden from what works in it, so nothing does. */
static void
test_whole_folder (Case *test, gconstpointer data)
{
  g_autofree char *rules
    = g_strdup_printf ("[{\"tool\":\"read_file\",\"verdict\":\"deny\",\"arguments\":{\"path\":\"%s/**\"}}]", test->runner.root);

  take_rules (test, rules);
  g_assert_cmpint (judge (test, "run_command", "{'command':'ls'}"), ==, BECKON_VERDICT_DENY);
  if (!skip ())
    tool_runner_expect_error (&test->runner, "run_command", "{'command':'ls'}", BECKON_ERROR_UNAVAILABLE, "denies");
}

#define ADD(path, function) g_test_add (path, Case, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/denied/every-tool", test_every_tool);
  ADD ("/denied/met", test_met);
  ADD ("/denied/sandbox", test_sandbox);
  ADD ("/denied/hard-links", test_hard_links);
  ADD ("/denied/sandbox-kind", test_sandbox_kind);
  ADD ("/denied/closed-folder", test_closed_folder);
  ADD ("/denied/moved-folder", test_moved_folder);
  ADD ("/denied/changes", test_changes);
  ADD ("/denied/whole-folder", test_whole_folder);
  return g_test_run ();
}
