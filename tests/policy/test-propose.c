/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Proposed rules allow the call that they are offered for, and nothing that a rule may not allow. */

#include "policy/beckon-judgement.h"
#include "policy/beckon-rule-propose.h"
#include "policy/beckon-rule-labels.h"

static BeckonVerdict
judge_under (const BeckonEffects *effects, const BeckonRuleProposal *proposal)
{
  g_autoptr (BeckonRuleSet) rules = beckon_rule_set_new (proposal->rules);
  g_autoptr (BeckonJudgement) judgement = beckon_policy_judge (effects, rules, BECKON_MODE_ASK_EVERYTHING, TRUE, 1);

  return judgement->verdict;
}

/* The patterns of all proposals, the narrowest first. */
static char *
list_labels (const BeckonEffects *effects)
{
  g_autoptr (GPtrArray) proposals = beckon_rule_propose (effects);
  g_autoptr (GString) labels = g_string_new (NULL);

  for (guint i = 0; i < proposals->len; i++)
    {
      const BeckonRuleProposal *proposal = g_ptr_array_index (proposals, i);

      g_assert_cmpint (judge_under (effects, proposal), ==, BECKON_VERDICT_ALLOW);
      g_string_append_printf (labels, "%s%s", i > 0 ? " | " : "", proposal->label);
    }

  return g_string_free (g_steal_pointer (&labels), FALSE);
}

static void
test_commands (void)
{
  static const struct
  {
    const char *command;
    const char *labels;
  } cases[] = {
    { "ls -l", "ls -l | ls *" },
    { "git log --oneline -5", "git log --oneline -5 | git log *" },
    { "git log | head -3", "git log, head -3 | git log *, head *" },
    { "make; make", "make" },
    { "make | head -3", "make, head -3 | make, head *" },
    { "gcc -o a a.c", "gcc -o a a.c" },
    { "curl https://example.org", "curl https://example.org" },
    { "touch a", "touch a" },
    { "npm test", "npm test" },
    { "git push origin main", "git push origin main" },
    { "git diff --cached", "git diff --cached | git diff *" },
    { "git diff --output=x", "git diff --output=x" },
    { "find . -name x", "find . -name x | find *" },
    { "sort -ro x y", "sort -ro x y" },
    { "rg --pre cat x", "rg --pre cat x" },
    { "cat /etc/hosts", "cat /etc/hosts" },
    { "cat ../x", "cat ../x" },
    { "cd sub && make", "cd sub, make · in sub" },
    { "cd sub && ls -l | head -3", "cd sub, ls -l · in sub, head -3 · in sub | cd sub, ls * · in sub, head * · in sub" },
    { "cd sub; make", "" },
    { "cd sub || make", "" },
    { "(cd sub) && make", "" },
    { "cat x | sh", "" },
    { "cat x | bash -s", "" },
    { "python3 -", "" },
    { "ls | xargs rm", "" },
    { "echo 'two words'", "echo 'two words' | echo *" },
    { "find . -delete", "find . -delete" },
    { "sed -i s/a/b/ x", "sed -i s/a/b/ x" },
    { "sudo make install", "sudo make install" },
    { "ls *.c", "" },
    { "ls src/*.c", "ls *" },
    { "ls > out", "" },
    { "A=b make", "" },
    { "ls $(x)", "" },
    { "ls ~", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const BeckonEffects effects = { .tool = "run_command", .command = cases[i].command };
      g_autofree char *labels = list_labels (&effects);

      g_assert_cmpstr (labels, ==, cases[i].labels);
    }
}

static void
test_paths_and_hosts (void)
{
  const char *const path[] = { "/home/me/site/a.txt", NULL };
  const char *const odd[] = { "/home/me/site/[a]*.txt", NULL };
  const char *const host[] = { "example.org", NULL };
  const BeckonEffects file = { .tool = "write_file", .folder = "/home/me/site", .paths = path };
  const BeckonEffects strange = { .tool = "write_file", .folder = "/home/me/site", .paths = odd };
  const BeckonEffects page = { .tool = "fetch_url", .uses_network = TRUE, .hosts = host };
  const BeckonEffects other = { .tool = "pictures__draw", .server = "pictures" };
  g_autofree char *of_file = list_labels (&file);
  g_autofree char *of_strange = list_labels (&strange);
  g_autofree char *of_page = list_labels (&page);
  g_autofree char *of_other = list_labels (&other);

  g_assert_cmpstr (of_file, ==, "Change /home/me/site/a.txt | Change or move files · everything in /home/me/site");
  g_assert_cmpstr (of_strange, ==, "");
  g_assert_cmpstr (of_page, ==, "Fetch a page · everything from example.org");
  g_assert_cmpstr (of_other, ==, "every call of draw on pictures server");
}

/* An answer can end the questions of a refactoring, and never says more than the folder that it works in. */
static void
test_changes (void)
{
  static const struct
  {
    const char *tool;
    const char *folder;
    const char *const paths[4];
    const char *labels;
  } cases[] = {
    { "edit_file", "/w", { "/w/src/a.c" },
      "Change /w/src/a.c | Change or move files · everything in /w/src | Change or move files · everything in /w" },
    { "edit_file", "/w", { "/w/a.c" }, "Change /w/a.c | Change or move files · everything in /w" },
    { "write_file", "/w/src", { "/w/other/a.c" }, "Change /w/other/a.c | Change or move files · everything in /w/other" },
    { "write_file", NULL, { "/w/src/a.c" }, "Change /w/src/a.c | Change or move files · everything in /w/src" },
    { "write_file", "/", { "/w/src/a.c" }, "Change /w/src/a.c | Change or move files · everything in /w/src" },
    { "write_file", "/w", { "/w/src/a.c", "/w/src/b/c.c" },
      "Change or move files · everything in /w/src | Change or move files · everything in /w" },
    { "write_file", "/w", { "/w/src/a.c", "/w/sr" }, "Change or move files · everything in /w" },
    { "write_file", "/w", { "/w/src/a.c", "/v/b.c" }, "" },
    { "write_file", "/w", { "/w/src/a.c", "/w/src/b\xff.c" }, "" },
    { "delete_files", "/w", { "/w/src/a.c" }, "Delete files · /w/src/a.c | Delete files · everything in /w/src" },
    { "delete_files", "/w", { "/w/src/a.c", "/w/src/b.c" }, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const BeckonEffects effects = { .tool = cases[i].tool, .folder = cases[i].folder, .paths = cases[i].paths };
      g_autofree char *labels = list_labels (&effects);

      g_assert_cmpstr (labels, ==, cases[i].labels);
    }
}

/* The rule that is offered says what it includes, and a call that reaches further is not offered another one's words. */
static void
test_says_what_it_includes (void)
{
  static const char *const network[] = { "network", "true", NULL };
  static const char *const all[] = { "network", "true", "timeout_seconds", "600", "directory", "sub", NULL };
  static const struct
  {
    const char *const *reach;
    const char *labels;
  } cases[] = {
    { NULL, "npm ci" },
    { network, "npm ci · with the internet" },
    { all, "npm ci · with the internet · for up to 600 seconds · in sub" },
  };
  BeckonEffects effects = { .tool = "run_command", .command = "npm ci", .folder = "/w" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) proposals = NULL;
      g_autofree char *labels = NULL;

      effects.reach = cases[i].reach;
      labels = list_labels (&effects);
      g_assert_cmpstr (labels, ==, cases[i].labels);
      proposals = beckon_rule_propose (&effects);
      /* The rule allows what it includes, and less; never more. */
      for (guint j = 0; j < G_N_ELEMENTS (cases) - 1; j++)
        {
          effects.reach = cases[j].reach;
          g_assert_cmpint (judge_under (&effects, g_ptr_array_index (proposals, 0)), ==,
                           i == 0 && j > 0 ? BECKON_VERDICT_ASK
                                           : i == 2 ? BECKON_VERDICT_ASK : BECKON_VERDICT_ALLOW);
        }
    }
}

/* The same words stand on the page of rules. */
static void
test_title (void)
{
  static const char *const reach[] = { "timeout_seconds", "600", "network", "true", NULL };
  const BeckonEffects effects = { .tool = "run_command", .command = "npm ci", .folder = "/w", .reach = reach };
  g_autoptr (GPtrArray) proposals = beckon_rule_propose (&effects);
  const BeckonRuleProposal *proposal = g_ptr_array_index (proposals, 0);
  g_autofree char *title = beckon_rule_dup_title (g_ptr_array_index (proposal->rules, 0));

  g_assert_cmpstr (title, ==, "Run npm ci · for up to 600 seconds · with the internet");
}

/* Names of tools are for models: people read what each does, as on its card. */
static void
test_titles_of_builtins (void)
{
  static const struct
  {
    const char *tool;
    const char *arguments; /* (nullable) */
    const char *title;
  } cases[] = {
    { "run_command", "{\"command\":\"git status\"}", "Run git status" },
    { "run_command", NULL, "Run a command" },
    { "edit_file", "{\"path\":\"/w/**\"}", "Change or move files · everything in /w" },
    { "edit_file", "{\"path\":\"*.md\"}", "Change or move files · *.md" },
    { "edit_file", "{\"path\":\"/**\"}", "Change or move files · everything in /" },
    { "write_file", "{\"path\":\"/w/a\"}", "Change /w/a" },
    { "write_file", NULL, "Change or move files" },
    { "delete_files", "{\"path\":\"/w/**\"}", "Delete files · everything in /w" },
    { "read_file", "{\"path\":\"/w/a\"}", "Read /w/a" },
    { "search_files", "{\"path\":\"/w/**\"}", "Search the files · everything in /w" },
    { "fetch_url", "{\"host\":\"example.org\"}", "Fetch example.org" },
    { "web_search", NULL, "Search the web" },
    { "a_tool_of_tomorrow", "{\"path\":\"/w/a\"}", "a_tool_of_tomorrow: /w/a" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRule) rule = beckon_rule_new ();
      g_autofree char *title = NULL;

      rule->tool = g_strdup (cases[i].tool);
      rule->arguments = g_strdup (cases[i].arguments);
      rule->verdict = BECKON_VERDICT_ALLOW;
      title = beckon_rule_dup_title (rule);
      g_assert_cmpstr (title, ==, cases[i].title);
    }
}

/* The reach that all programs of a pipe have is said once, and one in the background has no limit of time. */
static void
test_label_of_pipe (void)
{
  static const char *const reach[] = { "network", "127.0.0.1:8080", "timeout_seconds", "3600", NULL };
  const BeckonEffects effects
      = { .tool = "run_command", .command = "curl http://127.0.0.1:8080/ | tail -5", .folder = "/w", .reach = reach };
  g_autofree char *labels = list_labels (&effects);

  g_assert_true (g_str_has_prefix (labels, "curl http://127.0.0.1:8080/, tail -5 · with 127.0.0.1:8080 · for as long as it takes"));
}

/* Denials and questions are said of the tool that the rule is about. */
static void
test_titles_of_changers (void)
{
  static const BeckonVerdict verdicts[] = { BECKON_VERDICT_ASK, BECKON_VERDICT_DENY };

  for (guint i = 0; i < G_N_ELEMENTS (verdicts); i++)
    {
      g_autoptr (BeckonRule) rule = beckon_rule_new ();
      g_autofree char *title = NULL;

      rule->tool = g_strdup ("edit_file");
      rule->arguments = g_strdup ("{\"path\":\"/w/a\"}");
      rule->verdict = verdicts[i];
      title = beckon_rule_dup_title (rule);
      g_assert_cmpstr (title, ==, "Edit /w/a");
    }
}

/* A proposal to remember something says so, too. */
static void
test_label_of_builtin (void)
{
  const BeckonEffects effects = { .tool = "web_search" };
  g_autoptr (GPtrArray) proposals = beckon_rule_propose (&effects);

  g_assert_cmpuint (proposals->len, ==, 1);
  g_assert_cmpstr (((BeckonRuleProposal *) g_ptr_array_index (proposals, 0))->label, ==, "Search the web");
}

static void
test_title_of_server (void)
{
  g_autoptr (BeckonRule) rule = beckon_rule_new ();
  g_autofree char *title = NULL;

  rule->tool = g_strdup ("pictures__draw");
  title = beckon_rule_dup_title (rule);
  g_assert_cmpstr (title, ==, "draw on pictures server");
}

/* A link out of the folder, and what all later conversations read, are asked for each time. */
static void
test_not_offered (void)
{
  const BeckonEffects link = { .tool = "run_command", .command = "cat link", .folder = "/w", .leaves_folder = TRUE };
  const BeckonEffects note = { .tool = "remember", .outlives = TRUE };
  const char *const hook[] = { "/w/.envrc", NULL };
  const BeckonEffects feeding = { .tool = "write_file", .folder = "/w", .paths = hook, .feeds_others = TRUE };
  g_autofree char *of_link = list_labels (&link);
  g_autofree char *of_note = list_labels (&note);
  g_autofree char *of_hook = list_labels (&feeding);

  g_assert_cmpstr (of_link, ==, "");
  g_assert_cmpstr (of_note, ==, "");
  g_assert_cmpstr (of_hook, ==, "Change /w/.envrc");
}

/* A permission in a folder is none in another one. */
static void
test_stays_in_folder (void)
{
  BeckonEffects effects = { .tool = "run_command", .command = "make", .folder = "/srv/one" };
  g_autoptr (GPtrArray) proposals = beckon_rule_propose (&effects);

  g_assert_cmpint (judge_under (&effects, g_ptr_array_index (proposals, 0)), ==, BECKON_VERDICT_ALLOW);
  effects.folder = "/srv/other";
  g_assert_cmpint (judge_under (&effects, g_ptr_array_index (proposals, 0)), ==, BECKON_VERDICT_ASK);
}

static void
test_copies (void)
{
  const BeckonEffects effects = { .tool = "run_command", .command = "make" };
  g_autoptr (GPtrArray) proposals = beckon_rule_propose (&effects);
  const BeckonRuleProposal *proposal = g_ptr_array_index (proposals, 0);
  g_autoptr (GPtrArray) copies = beckon_rule_proposal_copy_rules (proposal, "here", 7);
  const BeckonRule *copy = g_ptr_array_index (copies, 0);
  const BeckonRule *original = g_ptr_array_index (proposal->rules, 0);

  g_assert_cmpstr (copy->conversation_id, ==, "here");
  g_assert_cmpint (copy->created_at, ==, 7);
  g_assert_cmpstr (copy->arguments, ==, original->arguments);
  g_assert_cmpstr (copy->id, !=, original->id);
  g_assert_null (original->conversation_id);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/policy/propose/commands", test_commands);
  g_test_add_func ("/policy/propose/label-of-pipe", test_label_of_pipe);
  g_test_add_func ("/policy/propose/paths-and-hosts", test_paths_and_hosts);
  g_test_add_func ("/policy/propose/changes", test_changes);
  g_test_add_func ("/policy/propose/says-what-it-includes", test_says_what_it_includes);
  g_test_add_func ("/policy/propose/title", test_title);
  g_test_add_func ("/policy/propose/title-of-server", test_title_of_server);
  g_test_add_func ("/policy/propose/titles-of-builtins", test_titles_of_builtins);
  g_test_add_func ("/policy/propose/titles-of-changers", test_titles_of_changers);
  g_test_add_func ("/policy/propose/label-of-builtin", test_label_of_builtin);
  g_test_add_func ("/policy/propose/not-offered", test_not_offered);
  g_test_add_func ("/policy/propose/stays-in-folder", test_stays_in_folder);
  g_test_add_func ("/policy/propose/copies", test_copies);

  return g_test_run ();
}
