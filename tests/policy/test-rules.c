/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "domain/beckon-rule-json.h"
#include "policy/beckon-judgement.h"

#include <string.h>

#define NOW 1000

static BeckonRule *
rule_of (const char *tool, const char *arguments, BeckonVerdict verdict)
{
  BeckonRule *rule = beckon_rule_new ();

  rule->id = g_strdup_printf ("%s %s", tool, arguments != NULL ? arguments : "");
  rule->tool = g_strdup (tool);
  rule->arguments = g_strdup (arguments);
  rule->verdict = verdict;
  return rule;
}

/* Rules as lines of "verdict tool [arguments]". */
static BeckonRuleSet *
set_of (const char *const *lines)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 3);
      BeckonVerdict verdict = BECKON_VERDICT_ASK;

      g_assert_true (beckon_verdict_from_string (words[0], &verdict));
      g_ptr_array_add (rules, rule_of (words[1], words[2], verdict));
    }

  return beckon_rule_set_new (rules);
}

static BeckonJudgement *
judge_command (const char *const *lines, const char *command)
{
  g_autoptr (BeckonRuleSet) rules = set_of (lines);
  BeckonEffects effects = { .tool = "run_command", .folder = "/w", .command = command };

  return beckon_policy_judge (&effects, rules, BECKON_MODE_ASK_CHANGES, TRUE, NOW);
}

/* A rule that allows, as the newest, may cover one that denies. */
static void
test_covered (void)
{
  static const char *const lines[] = { "deny run_command {\"command\":\"git push *\"}", "deny fetch_url {\"host\":\"evil.example\"}",
                                       "deny edit_file {\"path\":\"src/secret/**\"}", "allow run_command {\"command\":\"ls *\"}", NULL };
  static const struct
  {
    const char *tool;
    const char *arguments;
    int covered;
  } cases[] = {
    { "run_command", "{\"command\":\"git *\"}", 0 },
    { "run_command", "{\"command\":\"git push --dry-run *\"}", 0 },
    { "run_command", NULL, 0 },
    { "run_command", "{\"command\":\"git log *\"}", -1 },
    { "run_command", "{\"command\":\"git status\"}", -1 },
    { "fetch_url", NULL, 1 },
    { "fetch_url", "{\"host\":\"*.example\"}", 1 },
    { "fetch_url", "{\"host\":\"good.*\"}", -1 },
    { "edit_file", "{\"path\":\"src/**\"}", -1 },
    { "web_search", NULL, -1 },
  };
  g_autoptr (BeckonRuleSet) set = set_of (lines);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRule) rule = rule_of (cases[i].tool, cases[i].arguments, BECKON_VERDICT_ALLOW);
      BeckonRule *found = beckon_rule_set_find_covered (set, rule);
      g_auto (GStrv) words = cases[i].covered >= 0 ? g_strsplit (lines[cases[i].covered], " ", 3) : NULL;

      g_assert_cmpstr (found != NULL ? found->tool : NULL, ==, words != NULL ? words[1] : NULL);
    }
  /* A rule of the set covers what is older than itself alone. */
  for (guint place = 0; place < 2; place++)
    {
      g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
      g_autoptr (BeckonRuleSet) both = NULL;
      BeckonRule *allowed = rule_of ("run_command", "{\"command\":\"git *\"}", BECKON_VERDICT_ALLOW);

      g_free (allowed->id);
      allowed->id = g_strdup ("allowed");
      g_ptr_array_add (rules, rule_of ("run_command", "{\"command\":\"git push *\"}", BECKON_VERDICT_DENY));
      g_ptr_array_insert (rules, (int) place, allowed);
      both = beckon_rule_set_new (rules);
      g_assert_true (beckon_rule_set_find_covered (both, allowed) == (place == 1 ? g_ptr_array_index (rules, 0) : NULL));
    }
}

static void
test_commands (void)
{
  static const char *const lines[] = { "allow run_command {\"command\":\"ls *\"}", "allow run_command {\"command\":\"git log *\"}",
                                       "deny run_command {\"command\":\"rm *\"}", NULL };
  static const struct
  {
    const char *command;
    BeckonVerdict verdict;
    guint n_commands;
  } cases[] = {
    { "ls", BECKON_VERDICT_ALLOW, 1 },
    { "git log | ls", BECKON_VERDICT_ALLOW, 2 },
    { "ls && make", BECKON_VERDICT_ASK, 2 },
    { "ls; rm -rf x; make", BECKON_VERDICT_DENY, 3 },
    { "rm x > y", BECKON_VERDICT_DENY, 1 },
    { "ls $(rm x)", BECKON_VERDICT_ASK, 0 },
    { "make", BECKON_VERDICT_ASK, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonJudgement) judgement = judge_command (lines, cases[i].command);

      g_test_message ("%s: %s", cases[i].command, judgement->reason);
      g_assert_cmpint (judgement->verdict, ==, cases[i].verdict);
      g_assert_cmpuint (judgement->commands != NULL ? judgement->commands->len : 0, ==, cases[i].n_commands);
      g_assert_true ((judgement->misunderstood != NULL) == (cases[i].n_commands == 0));
      g_assert_true ((judgement->refusal != NULL) == (cases[i].verdict == BECKON_VERDICT_DENY));
      g_assert_nonnull (judgement->reason);
    }
}

/* No command leads around a prohibition where everything may run that is not forbidden. */
static void
test_carried (void)
{
  static const char *const all_but_rm[] = { "allow run_command", "deny run_command {\"command\":\"rm *\"}", NULL };
  static const char *const known[] = { "allow run_command", "deny run_command {\"command\":\"rm *\"}",
                                       "allow run_command {\"command\":\"env rm x\"}", NULL };
  static const char *const doubtful[]
      = { "env rm x", "/usr/bin/env A=b rm x", "timeout 5 rm x", "find . -exec rm {} +", "ls | xargs -0 rm", "sh -c 'rm x'",
          "command rm x", "sh -c \"env sh -c 'ls; rm x'\"", "sh -c 'for i in a; do rm $i; done'", "r? x", "/bin/r[m] x",
          "bash -c 'r\\m x'", "nice sh -c 'x=rm; $x y'" };
  static const char *const fine[] = { "make", "env make", "git rm x", "grep -r rm .", "python3 check.py rm.txt", "ls *.c" };
  g_autoptr (BeckonJudgement) by_rule = judge_command (known, "env rm x");

  for (guint i = 0; i < G_N_ELEMENTS (doubtful); i++)
    {
      g_autoptr (BeckonJudgement) judgement = judge_command (all_but_rm, doubtful[i]);

      g_test_message ("%s: %s", doubtful[i], judgement->reason);
      g_assert_cmpint (judgement->verdict, ==, BECKON_VERDICT_ASK);
      g_assert_cmpstr (judgement->reason, ==, "It may run something that one of your rules is about.");
    }
  for (guint i = 0; i < G_N_ELEMENTS (fine); i++)
    {
      g_autoptr (BeckonJudgement) judgement = judge_command (all_but_rm, fine[i]);

      g_test_message ("%s: %s", fine[i], judgement->reason);
      g_assert_cmpint (judgement->verdict, ==, BECKON_VERDICT_ALLOW);
    }
  g_assert_cmpint (by_rule->verdict, ==, BECKON_VERDICT_ALLOW);
}

static BeckonVerdict
verdict_of (const char *rule, const char *command)
{
  g_autofree char *line = g_strdup_printf ("deny run_command {\"command\":\"%s\"}", rule);
  const char *lines[] = { "allow run_command", line, NULL };
  g_autoptr (BeckonJudgement) judgement = judge_command (lines, command);

  g_test_message ("%s: %s: %s", rule, command, judgement->reason);
  return judgement->verdict;
}

/* The everyday ways to write what is denied are denied; what could be it, or run it, is asked for; and the rest just runs. Behind
 * an option of a program, which may or may not have the next word for its value, the subcommand is not known. */
static void
test_spellings (void)
{
  static const struct
  {
    const char *rule;
    const char *command;
    BeckonVerdict verdict;
  } cases[] = {
#define DENIED BECKON_VERDICT_DENY
#define ASKED BECKON_VERDICT_ASK
#define FREE BECKON_VERDICT_ALLOW
    /* A star at a word means the word, what follows it, and longer words, each in all its spellings. */
    { "npm publish*", "npm publish", DENIED },
    { "npm publish*", "npm pub", DENIED },
    { "npm publish*", "npm publish --tag x", DENIED },
    { "npm publish*", "npm --silent publish", ASKED },
    { "npm publish*", "npm publish-all", DENIED },
    { "npm publish*", "npm test", FREE },
    { "npm publish*", "npm view publish", FREE },
    { "npm publish *", "npm publish-all", FREE },
    { "cargo publish*", "cargo +nightly publish", DENIED },
    { "cargo publish*", "cargo publish --dry-run", DENIED },
    { "cargo publish*", "cargo -q publish", ASKED },
    { "cargo publish*", "cargo --config x=y publish", DENIED },
    { "cargo publish*", "cargo build", FREE },
    { "git push*", "git -C . push origin", DENIED },
    { "rm -rf*", "rm -r -f x", DENIED },
    { "systemctl stop*", "systemctl --user stop x", ASKED },
    { "git push *", "git push", DENIED },
    { "git push *", "git send-pack origin", DENIED },
    { "git push *", "git -C . push", DENIED },
    { "git push *", "git -C. push origin", DENIED },
    { "git push *", "git --no-pager push", ASKED },
    { "git push *", "git -c user.name=x push", DENIED },
    { "git push *", "git -c user.name=x commit -m y", FREE },
    { "git push *", "git -c alias.p=push p", ASKED },
    { "git push *", "git -c 'alias.x=!git push' x", ASKED },
    { "git push *", "git -c core.pager=x log", ASKED },
    { "git push *", "git --git-dir=.git --work-tree . push", DENIED },
    { "git push *", "git --new-option push", ASKED },
    { "git push *", "git --exec-path=. log", ASKED },
    { "git push *", "git p", ASKED },
    { "git push *", "git pu*", ASKED },
    { "git push *", "/usr/lib/git-core/git-push origin", DENIED },
    { "git push *", "git-push", DENIED },
    { "git push *", "git commit -m push", FREE },
    { "git push *", "git log --oneline", FREE },
    { "git push *", "git submodule foreach 'git push'", ASKED },
    { "git push *", "git bisect run git push", ASKED },
    { "git push *", "git rebase -x 'git push' main", ASKED },
    { "git push *", "git rebase --exec='git push' main", ASKED },
    { "git push *", "git rebase main", FREE },
    { "git push *", "git clone ext::x y", ASKED },
    { "git push *", "git config alias.x push", ASKED },
    { "git push", "git push origin", ASKED },
    { "git push --force *", "git push origin --force", DENIED },
    { "git push --force *", "git push --force=yes", DENIED },
    { "git push --force *", "git push -f", ASKED },
    { "git push --force *", "git push origin", FREE },
    { "git push origin *", "git push -u origin main", DENIED },
    { "git push origin *", "git push -o x origin", ASKED },
    { "git push origin *", "git push other", FREE },
    { "rm -rf *", "rm -fr x", DENIED },
    { "rm -rf *", "rm -r -f x", DENIED },
    { "rm -rf *", "rm x -rfv", DENIED },
    { "rm -rf *", "rm --recursive --force x", ASKED },
    { "rm -rf *", "rm x", FREE },
    { "npm publish *", "npm --silent publish", ASKED },
    { "npm publish *", "npm pub", DENIED },
    { "npm publish *", "npm --tag next publish", DENIED },
    { "npm publish *", "npm --tag=next publish", DENIED },
    { "npm publish *", "npm --made-up x publish", ASKED },
    { "npm publish *", "npm install", FREE },
    { "npm publish *", "npm exec -- npm publish", ASKED },
    { "npm publish *", "npx npm publish", ASKED },
    { "npm publish *", "corepack npm publish", ASKED },
    { "npm publish *", "node /usr/lib/node_modules/npm/bin/npm-cli.js publish", ASKED },
    { "npm install *", "npm i x", DENIED },
    { "npm install *", "npm add x", DENIED },
    { "npm uninstall *", "npm rm x", DENIED },
    { "yarn publish *", "yarn npm publish", DENIED },
    { "yarn publish *", "yarn --cwd . publish", DENIED },
    { "yarn publish *", "yarn release", ASKED },
    { "pnpm publish *", "pnpm -C . publish", DENIED },
    { "pnpm publish *", "pnpm -r publish", ASKED },
    { "docker push *", "docker image push x", DENIED },
    { "docker push *", "docker --context x push y", ASKED },
    { "docker run *", "docker container run x", DENIED },
    { "docker run *", "docker ps", FREE },
    { "cargo publish *", "cargo +nightly publish", DENIED },
    { "cargo publish *", "cargo --offline publish", ASKED },
    { "cargo publish *", "cargo build", FREE },
    { "cargo run *", "cargo r", DENIED },
    { "cargo publish *", "cargo p", ASKED },
    { "kubectl delete *", "kubectl -n x delete pod y", ASKED },
    { "kubectl delete *", "kubectl --context=x --namespace y delete pod z", ASKED },
    { "kubectl delete *", "kubectl get pods", FREE },
    { "gh pr merge *", "gh -R a/b pr merge 1", DENIED },
    { "gh pr merge *", "gh pr -R a/b merge 1", ASKED },
    { "gh pr merge *", "gh pr view 1", FREE },
    { "pip install *", "pip3 install x", DENIED },
    { "pip install *", "pip3.11 --no-input install x", ASKED },
    { "pip install *", "python3 -m pip install x", DENIED },
    { "pip install *", "python -m pip --proxy x install y", ASKED },
    { "pip install *", "pip list", FREE },
    { "make install *", "make -C . install", DENIED },
    { "make install *", "make all install", DENIED },
    { "make install *", "make -j4 DESTDIR=x install", DENIED },
    { "make install *", "gmake install", DENIED },
    { "make install *", "make -j4", FREE },
    { "terraform apply *", "terraform -chdir=x apply", DENIED },
    { "terraform apply *", "terraform -x y apply", ASKED },
    { "terraform apply *", "terraform plan", FREE },
    { "systemctl stop *", "systemctl --user stop x", ASKED },
    { "twine upload *", "twine --no-color upload x", ASKED },
    { "python3 *", "python3.11 x.py", DENIED },
    { "rm *", "env -S 'rm x'", ASKED },
    { "rm *", "env '-Srm x'", ASKED },
    { "rm *", "env --split-string='rm x'", ASKED },
    { "rm *", "env -iS 'rm\\_x'", ASKED },
    { "rm *", "env -u A B=c rm x", ASKED },
    { "rm *", "sed '1e rm x' a", ASKED },
    { "rm *", "sed -n '1e rm x' a", ASKED },
    { "rm *", "sed 's/a/rm x/e' a", ASKED },
    { "rm *", "sed -e p -e '1!e rm x' a", ASKED },
    { "rm *", "sed -f x a", ASKED },
    { "rm *", "sed --expression='1e rm x' a", ASKED },
    { "rm *", "sed -i s/a/b/g a", FREE },
    { "rm *", "sed -n 3,5p a", FREE },
    { "rm *", "sed -E 's#^a(.*)#b\\1#' a", FREE },
    { "rm *", "vim -c '!rm x'", ASKED },
    { "rm *", "vim -es -c 'call system(1)'", ASKED },
    { "rm *", "ed x", ASKED },
    { "rm *", "awk 'BEGIN { system(1) }'", ASKED },
    { "rm *", "awk '{ print | \"rm x\" }' a", ASKED },
    { "rm *", "awk -f x a", ASKED },
    { "rm *", "awk '{ print $1 }' a", FREE },
    { "rm *", "awk -F: '{ print $1 }' a", FREE },
    { "rm *", "perl -e 'unlink 1'", ASKED },
    { "rm *", "perl -ne 'print'", ASKED },
    { "rm *", "python3 -c 'import os'", ASKED },
    { "rm *", "python3 -cimport", ASKED },
    { "rm *", "python3 -m timeit x", ASKED },
    { "rm *", "python3 -m pytest -q", FREE },
    { "rm *", "python3 a.py", FREE },
    { "rm *", "python3 -", ASKED },
    { "rm *", "python3", ASKED },
    { "rm *", "node -e 1", ASKED },
    { "rm *", "node --require ./x a.js", ASKED },
    { "rm *", "node a.js", FREE },
    { "rm *", "ruby -e 1", ASKED },
    { "rm *", "echo 'rm x' | sh", ASKED },
    { "rm *", "echo 'rm x' | bash -s", ASKED },
    { "rm *", "sh < x", ASKED },
    { "rm *", "sh x.sh", ASKED },
    { "rm *", "bash -c 'ls; rm x'", ASKED },
    { "rm *", "bash -lc 'rm x'", ASKED },
    { "rm *", "sh -c 'ls'", FREE },
    { "rm *", ". ./x", ASKED },
    { "rm *", "source x", ASKED },
    { "rm *", "eval rm x", ASKED },
    { "rm *", "eval 'r''m' x", ASKED },
    { "rm *", "trap 'rm x' EXIT", ASKED },
    { "rm *", "exec rm x", ASKED },
    { "rm *", "command -p rm x", ASKED },
    { "rm *", "builtin rm x", ASKED },
    { "rm *", "nohup nice -n 5 rm x", ASKED },
    { "rm *", "timeout -k 5 5 rm x", ASKED },
    { "rm *", "busybox rm x", ASKED },
    { "rm *", "busybox sh -c 'rm x'", ASKED },
    { "rm *", "/lib64/ld-linux-x86-64.so.2 /bin/rm x", ASKED },
    { "rm *", "made-up-wrapper --x rm x", ASKED },
    { "rm *", "made-up --run='rm x'", ASKED },
    { "rm *", "made-up --run=rm", ASKED },
    { "rm *", "made-up --all", FREE },
    { "rm *", "cp /bin/rm g; ./g x", ASKED },
    { "rm *", "./g x", ASKED },
    { "rm *", "/w/g x", ASKED },
    { "rm *", "/usr/../w/g x", ASKED },
    { "rm *", "/tmp/g x", ASKED },
    { "rm *", "PATH=. g x", ASKED },
    { "rm *", "LD_PRELOAD=./x.so ls", ASKED },
    { "rm *", "PATH=.; g x", ASKED },
    { "rm *", "export PATH=.; g", ASKED },
    { "rm *", "GIT_PAGER='rm x' git log", ASKED },
    { "rm *", "LC_ALL=C NO_COLOR=1 ls", FREE },
    { "rm *", "alias g=rm; g x", ASKED },
    { "rm *", "hash -p /bin/rm g; g x", ASKED },
    { "rm *", "find . -exec rm {} +", ASKED },
    { "rm *", "find . -execdir sh -c 'rm x' ;", ASKED },
    { "rm *", "find rm -name x", FREE },
    { "rm *", "fd -x rm", ASKED },
    { "rm *", "ls | xargs rm", ASKED },
    { "rm *", "ls | xargs -I{} -n 1 rm {}", ASKED },
    { "rm *", "ls | xargs grep x", FREE },
    { "git push *", "echo push | xargs git", ASKED },
    { "rm *", "ls | parallel", ASKED },
    { "rm *", "tar xf a --to-command='rm x'", ASKED },
    { "rm *", "tar xf a --checkpoint=1 --checkpoint-action=exec='rm x'", ASKED },
    { "rm *", "tar xIf x a", ASKED },
    { "rm *", "tar xzf a", FREE },
    { "rm *", "zip -T -TT 'rm x' a b", ASKED },
    { "rm *", "rsync -e 'rm x' a b", ASKED },
    { "rm *", "ssh -o ProxyCommand='rm x' h", ASKED },
    { "rm *", "sort --compress-program=rm a", ASKED },
    { "rm *", "split --filter='rm x' a", ASKED },
    { "rm *", "rg --pre rm x", ASKED },
    { "rm *", "gcc -wrapper rm,x a.c", ASKED },
    { "rm *", "gcc -o a a.c", FREE },
    { "rm *", "make --eval='x:;rm x' x", ASKED },
    { "rm *", "make -f x", ASKED },
    { "rm *", "printf 'x:\\n\\trm x' > Makefile; make", ASKED },
    { "rm *", "echo x > a.py; python3 a.py", ASKED },
    { "rm *", "cmake -E rm x", ASKED },
    { "rm *", "sqlite3 a '.shell rm x'", ASKED },
    { "rm *", "sqlite3 a 'select 1'", ASKED },
    { "rm *", "docker run x rm y", ASKED },
    { "rm *", "watch rm x", ASKED },
    { "rm *", "grep -r 'rm x' .", FREE },
    { "rm *", "echo rm x", FREE },
    { "rm *", "git rm x", FREE },
    { "rm *", "r'm' x", DENIED },
    { "rm *", "\\rm x", DENIED },
    { "rm *", "{ rm x; }", DENIED },
    { "rm *", "! rm x", DENIED },
    { "rm *", "A=b rm x > y", DENIED },
#undef DENIED
#undef ASKED
#undef FREE
  };
  guint n_wrong = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (verdict_of (cases[i].rule, cases[i].command) != cases[i].verdict)
      {
        g_printerr ("%s: %s is not %s\n", cases[i].rule, cases[i].command, beckon_verdict_to_string (cases[i].verdict));
        n_wrong++;
      }

  g_assert_cmpuint (n_wrong, ==, 0);
}

/* A line of the file of spellings with the command put in. */
static char *
spell (const char *form, const char *command)
{
  g_autofree char *program = g_strndup (command, strcspn (command, " "));
  const char *arguments = command + strlen (program) + (command[strlen (program)] == ' ');
  g_autofree char *quoted = g_shell_quote (command);
  const struct
  {
    const char *mark;
    const char *text;
  } marks[] = { { "{c}", command }, { "{q}", quoted }, { "{p}", program }, { "{a}", arguments }, { "{n}", "\n" } };
  GString *line = g_string_new (form);

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    g_string_replace (line, marks[i].mark, marks[i].text, 0);
  return g_string_free (line, FALSE);
}

static BeckonVerdict
judge_under (BeckonRuleSet *rules, const char *command)
{
  const BeckonEffects effects = { .tool = "run_command", .folder = "/w", .command = command, .lands = TRUE };
  g_autoptr (BeckonJudgement) judgement = beckon_policy_judge (&effects, rules, BECKON_MODE_ASK_OUTSIDE, TRUE, NOW);

  return judgement->verdict;
}

/* Hundreds of ways to run each of the commands that people deny, none of which is allowed. */
static void
test_hundreds_of_spellings (void)
{
  static const char *const commands[][2]
    = { { "git push *", "git push origin main" }, { "rm *", "rm -rf x" },         { "npm publish *", "npm publish --access x" },
        { "curl *", "curl -s x" },                { "docker push *", "docker push x" }, { "kubectl delete *", "kubectl delete pod x" },
        { "pip install *", "pip install x" },     { "make install *", "make install" }, { "cargo publish *", "cargo publish" },
        { "gh pr merge *", "gh pr merge 1" },     { "sudo *", "sudo ls" },        { "chmod 777 *", "chmod 777 x" } };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "policy", "spellings.txt", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) forms = NULL;
  guint n = 0;
  guint n_allowed = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  forms = g_strsplit (text, "\n", -1);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *rule = g_strdup_printf ("deny run_command {\"command\":\"%s\"}", commands[i][0]);
      const char *lines[] = { "allow run_command", rule, NULL };
      g_autoptr (BeckonRuleSet) rules = set_of (lines);

      g_assert_cmpint (judge_under (rules, commands[i][1]), ==, BECKON_VERDICT_DENY);
      for (guint j = 0; forms[j] != NULL; j++)
        {
          g_autofree char *line = *forms[j] != '\0' && *forms[j] != '#' ? spell (forms[j], commands[i][1]) : NULL;

          if (line == NULL)
            continue;
          n++;
          if (judge_under (rules, line) != BECKON_VERDICT_ALLOW)
            continue;
          g_printerr ("%s leaves this to run: %s\n", commands[i][0], line);
          n_allowed++;
        }
    }
  g_test_message ("%u spellings", n);
  g_assert_cmpuint (n, >, 3000);
  g_assert_cmpuint (n_allowed, ==, 0);
}

/* A rule that allows one command allows none of what looks like it and does more. */
static void
test_escalations (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "policy", "escalations.txt", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;
  guint n_allowed = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", 2);
      g_autofree char *rule = fields[0] != NULL ? g_strdup_printf ("allow run_command {\"command\":\"%s\"}", fields[0]) : NULL;
      const char *rules[] = { rule, NULL };
      g_autofree char *line = NULL;
      g_autoptr (BeckonJudgement) judgement = NULL;

      if (rule == NULL || *lines[i] == '#')
        continue;
      line = spell (fields[1], "");
      judgement = judge_command (rules, line);
      n++;
      if (judgement->verdict != BECKON_VERDICT_ALLOW)
        continue;
      g_printerr ("%s allows this: %s\n", fields[0], line);
      n_allowed++;
    }
  g_assert_cmpuint (n, >, 200);
  g_assert_cmpuint (n_allowed, ==, 0);
}

/* Everyday work is not asked about because something else is denied. */
static void
test_not_too_many (void)
{
  static const char *const lines[] = { "allow run_command", "deny run_command {\"command\":\"git push *\"}",
                                       "deny run_command {\"command\":\"rm *\"}", NULL };
  static const char *const everyday[] = {
    "ls -la", "cat src/main.c | head -20", "grep -rn 'rm -rf' src", "rg 'git push' docs", "git status --short",
    "git add -A && git commit -m 'Remove the rm call'", "git log --oneline -5", "git diff HEAD~1 -- src", "git checkout -b x",
    "git stash", "git fetch origin", "git pull --rebase", "git rebase main", "git config user.name", "make -j4", "make test V=1",
    "ninja -C build test", "meson setup build", "meson test -C build --print-errorlogs", "cmake -S . -B build", "cmake --build build",
    "npm test", "npm ci", "npm install --save-dev x", "yarn install", "pnpm install", "cargo build --release", "cargo test x",
    "go build ./...", "python3 tools/gen.py --out x", "python3 -m pytest -q tests", "python3 -m unittest", "pytest -k 'a and not b' -x",
    "node build.js", "tsc -p .", "eslint src --fix", "prettier --write src", "black -l 100 src", "ruff check .", "mypy src",
    "gcc -O2 -Wall -o a a.c", "sed -i 's/a/b/g; s/c/d/' x", "sed -n '10,20p' x", "awk -F, '{ s += $2 } END { print s }' x",
    "find . -name '*.o' -delete", "find . -type f | wc -l", "find src -name '*.c' -print0 | xargs -0 grep -l x",
    "tar czf a.tgz src", "cp -r a b", "mv a b", "mkdir -p a/b", "touch x", "chmod +x x", "echo 'x y' > z", "printf '%s\\n' x",
    "jq '.a | .b' x.json", "sort x | uniq -c | sort -rn", "diff -u a b", "du -sh .", "curl -s https://example.org/x",
    "CI=1 npm test", "LC_ALL=C sort x", "cd sub && make", "sh -c 'make && make test'", "timeout 60 make test",
  };
  g_autoptr (BeckonRuleSet) rules = set_of (lines);
  guint n_asked = 0;

  for (guint i = 0; i < G_N_ELEMENTS (everyday); i++)
    if (judge_under (rules, everyday[i]) != BECKON_VERDICT_ALLOW)
      {
        g_printerr ("asked about: %s\n", everyday[i]);
        n_asked++;
      }

  g_assert_cmpuint (n_asked, ==, 0);
}

/* The last rule that matches decides, and the judgement names it. */
static void
test_last_wins (void)
{
  static const char *const lines[] = { "allow run_command {\"command\":\"git *\"}", "ask run_command {\"command\":\"git push *\"}",
                                       "allow run_command {\"command\":\"git push origin draft\"}", NULL };
  g_autoptr (BeckonJudgement) log = judge_command (lines, "git log");
  g_autoptr (BeckonJudgement) push = judge_command (lines, "git push origin main");
  g_autoptr (BeckonJudgement) draft = judge_command (lines, "git push origin draft");

  g_assert_cmpint (log->verdict, ==, BECKON_VERDICT_ALLOW);
  g_assert_cmpstr (log->rule->arguments, ==, "{\"command\":\"git *\"}");
  g_assert_nonnull (strstr (log->reason, "git *"));
  g_assert_cmpint (push->verdict, ==, BECKON_VERDICT_ASK);
  g_assert_cmpstr (push->rule->arguments, ==, "{\"command\":\"git push *\"}");
  g_assert_cmpint (draft->verdict, ==, BECKON_VERDICT_ALLOW);
}

/* Also between rules that are found in different ways: by the program, by its path, and by the tool alone. */
static void
test_last_wins_however_found (void)
{
  static const char *const lines[] = { "deny run_command {\"command\":\"git *\"}", "allow run_command",
                                       "ask run_command {\"command\":\"git push *\"}", NULL };
  static const char *const by_path[] = { "deny run_command {\"command\":\"git *\"}",
                                         "allow run_command {\"command\":\"/usr/bin/git log\"}", NULL };
  static const char *const by_name[] = { "allow run_command {\"command\":\"/usr/bin/git log\"}",
                                         "deny run_command {\"command\":\"git *\"}", NULL };
  const struct
  {
    const char *const *lines;
    const char *command;
    BeckonVerdict verdict;
  } cases[] = {
    { lines, "git log", BECKON_VERDICT_ALLOW },          { lines, "git push x", BECKON_VERDICT_ASK },
    { lines, "/usr/bin/git push x", BECKON_VERDICT_ASK }, { lines, "make", BECKON_VERDICT_ALLOW },
    { by_path, "/usr/bin/git log", BECKON_VERDICT_ALLOW }, { by_path, "git log", BECKON_VERDICT_DENY },
    { by_name, "/usr/bin/git log", BECKON_VERDICT_DENY },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonJudgement) judgement = judge_command (cases[i].lines, cases[i].command);

      g_test_message ("%s: %s", cases[i].command, judgement->reason);
      g_assert_cmpint (judgement->verdict, ==, cases[i].verdict);
    }
}

/* A long line is decided as a short one. */
static void
test_length (void)
{
  static const char *const lines[] = { "allow run_command {\"command\":\"true\"}", NULL };
  g_autoptr (GString) line = g_string_new ("true");
  g_autoptr (BeckonJudgement) allowed = NULL;
  g_autoptr (BeckonJudgement) asked = NULL;

  for (guint i = 0; i < 200; i++)
    g_string_append (line, " && true");
  allowed = judge_command (lines, line->str);
  g_string_append (line, " && curl x");
  asked = judge_command (lines, line->str);
  g_assert_cmpint (allowed->verdict, ==, BECKON_VERDICT_ALLOW);
  g_assert_cmpint (asked->verdict, ==, BECKON_VERDICT_ASK);
}

static void
test_paths (void)
{
  static const struct
  {
    const char *pattern;
    const char *paths[3];
    BeckonVerdict allow;
    BeckonVerdict deny;
  } cases[] = {
    { "src/**", { "/w/src/a/b.c" }, BECKON_VERDICT_ALLOW, BECKON_VERDICT_DENY },
    { "src/*.c", { "/w/src/b.c" }, BECKON_VERDICT_ALLOW, BECKON_VERDICT_DENY },
    { "src/*.c", { "/w/src/a/b.c" }, BECKON_VERDICT_ASK, BECKON_VERDICT_ASK },
    { "/w/src/**", { "/w/src/a", "/w/other" }, BECKON_VERDICT_ASK, BECKON_VERDICT_DENY },
    { "src/**", { "/w/srcs/a" }, BECKON_VERDICT_ASK, BECKON_VERDICT_ASK },
    { "src/**", { NULL }, BECKON_VERDICT_ASK, BECKON_VERDICT_ASK },
    { "src/*/new/**", { "/w/src/a/new/b/c" }, BECKON_VERDICT_ALLOW, BECKON_VERDICT_DENY },
    { "src/*/new/**", { "/w/src/a/b/new/c" }, BECKON_VERDICT_ASK, BECKON_VERDICT_ASK },
    { "/w/s?c/**", { "/w/srcs/a" }, BECKON_VERDICT_ASK, BECKON_VERDICT_ASK },
    { "/home/*/.ssh/**", { "/home/me/.ssh/id" }, BECKON_VERDICT_ALLOW, BECKON_VERDICT_DENY },
    { "src/[id]/**", { "/w/src/[id]/a" }, BECKON_VERDICT_ALLOW, BECKON_VERDICT_DENY },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint deny = 0; deny < 2; deny++)
      {
        g_autofree char *line = g_strdup_printf ("%s write_file {\"path\":\"%s\"}", deny ? "deny" : "allow", cases[i].pattern);
        const char *lines[] = { line, NULL };
        g_autoptr (BeckonRuleSet) rules = set_of (lines);
        BeckonEffects effects = { .tool = "write_file", .folder = "/w", .paths = cases[i].paths };
        g_autoptr (BeckonJudgement) judgement
            = beckon_policy_judge (&effects, rules, BECKON_MODE_ASK_CHANGES, TRUE, NOW);

        g_test_message ("%s", line);
        g_assert_cmpint (judgement->verdict, ==, deny ? cases[i].deny : cases[i].allow);
      }
}

static void
test_values_and_hosts (void)
{
  static const char *const lines[] = { "allow fetch_url {\"host\":\"*.example.org\"}",
                                       "allow query {\"limit\":\"10\",\"table\":\"t*\"}", NULL };
  static const char *const good[] = { "www.example.org", NULL };
  static const char *const bad[] = { "www.example.org", "evil.net", NULL };
  g_autoptr (BeckonRuleSet) rules = set_of (lines);
  g_autoptr (JsonObject) ten = beckon_json_parse_object ("{\"limit\":10,\"table\":\"trips\"}", -1, NULL);
  g_autoptr (JsonObject) more = beckon_json_parse_object ("{\"limit\":11,\"table\":\"trips\"}", -1, NULL);
  const struct
  {
    BeckonEffects effects;
    BeckonVerdict verdict;
  } cases[] = {
    { { .tool = "fetch_url", .uses_network = TRUE, .hosts = good }, BECKON_VERDICT_ALLOW },
    { { .tool = "fetch_url", .uses_network = TRUE, .hosts = bad }, BECKON_VERDICT_ASK },
    { { .tool = "query", .arguments = ten }, BECKON_VERDICT_ALLOW },
    { { .tool = "query", .arguments = more }, BECKON_VERDICT_ASK },
    { { .tool = "query" }, BECKON_VERDICT_ASK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonJudgement) judgement
          = beckon_policy_judge (&cases[i].effects, rules, BECKON_MODE_ASK_CHANGES, TRUE, NOW);

      g_assert_cmpint (judgement->verdict, ==, cases[i].verdict);
    }
}

/* Another way to write a host leads around no rule. */
static void
test_hosts_however_written (void)
{
  static const struct
  {
    const char *rule;
    const char *host;
  } cases[] = {
    { "evil.example", "EVIL.Example" },
    { "Evil.Example.", "evil.example" },
    { "*.evil.example", "A.evil.example.." },
    { "127.0.0.1", "0x7f.1" },
    { "127.0.0.1", "2130706433" },
    { "127.0.0.1", "0177.1" },
    { "10.1.2.3", "10.1.0x203" },
    { "127.0.0.1", "::ffff:7F00:1" },
    { "2001:db8::1", "2001:0DB8:0::0001" },
    { "bücher.example", "xn--bcher-kva.example" },
    { "xn--bcher-kva.example", "BÜCHER.example" },
    { "*.bücher.example", "a.XN--bcher-kva.example" },
    { "evil.example", "evil。example" },
    { "evil.example", "ｅvil.example" },
    { "127.0.0.1", "127。0。0。1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *rule = g_strdup_printf ("deny fetch_url {\"host\":\"%s\"}", cases[i].rule);
      const char *lines[] = { "allow fetch_url", rule, NULL };
      g_autoptr (BeckonRuleSet) rules = set_of (lines);
      g_autoptr (BeckonJudgement) judgement = NULL;
      g_auto (BeckonEffects) effects = { .tool = "fetch_url", .uses_network = TRUE };

      g_test_message ("%s: %s", cases[i].rule, cases[i].host);
      beckon_effects_add_host (&effects, cases[i].host);
      judgement = beckon_policy_judge (&effects, rules, BECKON_MODE_ASK_CHANGES, TRUE, NOW);
      g_assert_cmpint (judgement->verdict, ==, BECKON_VERDICT_DENY);
    }
}

/* A permission for a command is none for the network, another folder, a longer time or files elsewhere, in any mode. */
static void
test_says_so (void)
{
  static const char *const network[] = { "network", "true", NULL };
  static const char *const directory[] = { "directory", "sub", NULL };
  static const char *const time[] = { "timeout_seconds", "600", NULL };
  static const char *const more_time[] = { "timeout_seconds", "3600", NULL };
  static const char *const both[] = { "network", "true", "directory", "sub", NULL };
  static const char *const hosts[] = { "network", "a.example,b.example", NULL };
  static const char *const one_host[] = { "network", "a.example", NULL };
  static const char *const local[] = { "network", "true", "local_network", "true", NULL };
  static const char *const outside[] = { "/w", "/etc/passwd", NULL };
  static const struct
  {
    const char *rule;
    const char *command;
    const char *const *reach;
    gboolean leaves_folder;
    gboolean is_allowed;
  } cases[] = {
    { "{\"command\":\"python3 build.py\"}", "python3 build.py", NULL, FALSE, TRUE },
    { "{\"command\":\"python3 build.py\"}", "python3 build.py", network, FALSE, FALSE },
    { "{\"command\":\"python3 build.py\"}", "python3 build.py", directory, FALSE, FALSE },
    { "{\"command\":\"python3 build.py\"}", "python3 build.py", time, FALSE, FALSE },
    { "{\"command\":\"python3 build.py\",\"network\":\"true\"}", "python3 build.py", network, FALSE, TRUE },
    { "{\"command\":\"python3 build.py\",\"network\":\"true\"}", "python3 build.py", NULL, FALSE, TRUE },
    { "{\"command\":\"python3 build.py\",\"network\":\"true\"}", "python3 build.py", both, FALSE, FALSE },
    { "{\"command\":\"python3 build.py\",\"network\":\"false\"}", "python3 build.py", network, FALSE, FALSE },
    { "{\"command\":\"make\"}", "make", hosts, FALSE, FALSE },
    { "{\"command\":\"make\",\"network\":\"true\"}", "make", hosts, FALSE, TRUE },
    { "{\"command\":\"make\",\"network\":\"a.example,b.example\"}", "make", hosts, FALSE, TRUE },
    { "{\"command\":\"make\",\"network\":\"a.example,b.example\"}", "make", network, FALSE, FALSE },
    { "{\"command\":\"make\",\"network\":\"a.example\"}", "make", hosts, FALSE, FALSE },
    { "{\"command\":\"make\",\"network\":\"a.example\"}", "make", one_host, FALSE, TRUE },
    { "{\"command\":\"make\",\"network\":\"true\"}", "make", local, FALSE, FALSE },
    { "{\"command\":\"make\",\"network\":\"true\",\"local_network\":\"true\"}", "make", local, FALSE, TRUE },
    { "{\"command\":\"make\",\"network\":\"true\",\"local_network\":\"true\"}", "make", network, FALSE, TRUE },
    { "{\"command\":\"make\",\"directory\":\"sub\"}", "make", directory, FALSE, TRUE },
    { "{\"command\":\"make\",\"directory\":\"sub\"}", "make", NULL, FALSE, FALSE },
    { "{\"command\":\"make\",\"timeout_seconds\":\"600\"}", "make", time, FALSE, TRUE },
    { "{\"command\":\"make\",\"timeout_seconds\":\"600\"}", "make", NULL, FALSE, TRUE },
    { "{\"command\":\"make\",\"timeout_seconds\":\"600\"}", "make", more_time, FALSE, FALSE },
    { "{\"command\":\"cat *\"}", "cat link", NULL, TRUE, FALSE },
    { "{\"command\":\"cat link\"}", "cat link", NULL, TRUE, FALSE },
    { "{\"command\":\"cat *\",\"path\":\"/**\"}", "cat link", NULL, TRUE, TRUE },
    { "{\"command\":\"cat *\"}", "cat /etc/passwd", NULL, FALSE, FALSE },
    { "{\"command\":\"cat *\"}", "cat ../x", NULL, FALSE, FALSE },
    { "{\"command\":\"cat *\"}", "cat link/../x", NULL, FALSE, FALSE },
    { "{\"command\":\"grep *\"}", "grep -f/etc/passwd x", NULL, FALSE, FALSE },
    { "{\"command\":\"grep *\"}", "grep --file=/etc/passwd x", NULL, FALSE, FALSE },
    { "{\"command\":\"cat *\"}", "cat /w/a", NULL, FALSE, TRUE },
    { "{}", "make", network, FALSE, FALSE },
    { "{}", "make", NULL, FALSE, TRUE },
    { "{\"command\":\"make\"}", "cd sub && make", NULL, FALSE, FALSE },
    { "{\"command\":\"sh\"}", "sh", NULL, FALSE, FALSE },
    { "{\"command\":\"python3\"}", "python3", NULL, FALSE, FALSE },
    { "{\"command\":\"xargs rm\"}", "xargs rm", NULL, FALSE, FALSE },
    { "{\"command\":\"curl *\"}", "curl --data-binary @f x", NULL, FALSE, FALSE },
    { "{\"command\":\"curl *\"}", "curl -H @f x", NULL, FALSE, FALSE },
    { "{\"command\":\"gcc *\"}", "gcc -wrapper sh,-c,x a.c", NULL, FALSE, FALSE },
    { "{\"command\":\"gcc *\"}", "gcc @f", NULL, FALSE, FALSE },
    { "{\"command\":\"gcc *\"}", "gcc -fplugin=./x.so a.c", NULL, FALSE, FALSE },
    { "{\"command\":\"gcc *\"}", "gcc -Wall -o a a.c", NULL, FALSE, TRUE },
    { "{\"command\":\"sort *\"}", "sort --output=x y", NULL, FALSE, FALSE },
    { "{\"command\":\"sort *\"}", "sort --new-option y", NULL, FALSE, FALSE },
    { "{\"command\":\"find *\"}", "find . -fprintf x y", NULL, FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int mode = BECKON_MODE_ASK_EVERYTHING; mode <= (int) BECKON_MODE_ASK_CHANGES; mode++)
      {
        g_autofree char *line = g_strdup_printf ("allow run_command %s", cases[i].rule);
        const char *lines[] = { line, "allow run_command {\"command\":\"cd sub\"}", NULL };
        g_autoptr (BeckonRuleSet) rules = set_of (lines);
        BeckonEffects effects = { .tool = "run_command", .folder = "/w", .command = cases[i].command,
                                  .reach = cases[i].reach, .leaves_folder = cases[i].leaves_folder };
        g_autoptr (BeckonJudgement) judgement = NULL;

        if (cases[i].leaves_folder)
          effects.paths = outside;
        judgement = beckon_policy_judge (&effects, rules, (BeckonMode) mode, TRUE, NOW);
        g_test_message ("%s: %s", line, cases[i].command);
        g_assert_cmpint (judgement->verdict, ==, cases[i].is_allowed ? BECKON_VERDICT_ALLOW : BECKON_VERDICT_ASK);
      }
}

/* A few hosts mean the network, too. */
static void
test_no_network (void)
{
  static const char *const lines[] = { "allow run_command", "deny run_command {\"network\":\"true\"}", NULL };
  static const char *const hosts[] = { "network", "a.example", NULL };
  static const char *const local[] = { "network", "true", "local_network", "true", NULL };
  const struct
  {
    const char *const *reach;
    BeckonVerdict verdict;
  } cases[] = { { NULL, BECKON_VERDICT_ALLOW }, { hosts, BECKON_VERDICT_DENY }, { local, BECKON_VERDICT_DENY } };
  g_autoptr (BeckonRuleSet) rules = set_of (lines);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      BeckonEffects effects = { .tool = "run_command", .folder = "/w", .command = "make", .reach = cases[i].reach };
      g_autoptr (BeckonJudgement) judgement = beckon_policy_judge (&effects, rules, BECKON_MODE_ASK_CHANGES, TRUE, NOW);

      g_assert_cmpint (judgement->verdict, ==, cases[i].verdict);
    }
}

/* To change a file is one permission, whichever tool does it: it is none to delete one, or to move one where that is not looked at
 * as it lands, and none for what a rule on the very tool keeps. */
static void
test_one_permission_for_changes (void)
{
  static const struct
  {
    const char *const lines[4];
    const char *tool;
    const char *path;
    BeckonVerdict verdict;
  } cases[] = {
    { { "allow edit_file {\"path\":\"/w/**\"}" }, "write_file", "/w/a", BECKON_VERDICT_ALLOW },
    { { "allow write_file {\"path\":\"/w/**\"}" }, "edit_file", "/w/a", BECKON_VERDICT_ALLOW },
    { { "allow edit_file" }, "write_file", "/w/a", BECKON_VERDICT_ALLOW },
    { { "allow edit_file {\"path\":\"/w/**\"}" }, "delete_files", "/w/a", BECKON_VERDICT_ASK },
    { { "allow write_file {\"path\":\"/w/**\"}" }, "move_files", "/w/a", BECKON_VERDICT_ASK },
    { { "allow delete_files {\"path\":\"/w/**\"}" }, "write_file", "/w/a", BECKON_VERDICT_ASK },
    { { "allow edit_file {\"path\":\"/w/b\"}" }, "write_file", "/w/a", BECKON_VERDICT_ASK },
    { { "allow edit_file {\"path\":\"/w/**\",\"new_text\":\"*\"}" }, "write_file", "/w/a", BECKON_VERDICT_ASK },
    { { "allow edit_file {\"path\":7}" }, "write_file", "/w/a", BECKON_VERDICT_ASK },
    { { "deny write_file", "allow edit_file {\"path\":\"/w/**\"}" }, "write_file", "/w/a", BECKON_VERDICT_DENY },
    { { "deny write_file", "allow edit_file {\"path\":\"/w/**\"}" }, "edit_file", "/w/a", BECKON_VERDICT_ALLOW },
    { { "deny write_file", "allow write_file {\"path\":\"/w/a\"}", "allow edit_file {\"path\":\"/w/**\"}" },
      "write_file", "/w/a", BECKON_VERDICT_ALLOW },
    { { "allow edit_file {\"path\":\"/w/**\"}", "deny edit_file {\"path\":\"/w/a\"}" }, "write_file", "/w/a",
      BECKON_VERDICT_DENY },
    { { "allow edit_file {\"path\":\"/w/**\"}", "ask read_file {\"path\":\"/w/a\"}" }, "write_file", "/w/a",
      BECKON_VERDICT_ASK },
    { { "deny edit_file" }, "write_file", "/w/a", BECKON_VERDICT_ASK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const paths[] = { cases[i].path, NULL };
      const BeckonEffects effects = { .tool = cases[i].tool, .folder = "/w", .paths = paths };
      g_autoptr (BeckonRuleSet) rules = set_of (cases[i].lines);
      g_autoptr (BeckonJudgement) judgement = beckon_policy_judge (&effects, rules, BECKON_MODE_ASK_EVERYTHING, TRUE, NOW);

      if (judgement->verdict != cases[i].verdict)
        g_error ("case %u: %s", i, beckon_verdict_to_string (judgement->verdict));
    }
}

/* A permission to change files lets them move from and to where it holds. */
static void
test_permission_to_move (void)
{
  static const struct
  {
    const char *const lines[4];
    const char *to;
    BeckonVerdict verdict;
  } cases[] = {
    { { "allow edit_file {\"path\":\"/w/in/**\"}" }, "/w/in/b", BECKON_VERDICT_ALLOW },
    { { "allow write_file {\"path\":\"in/**\"}" }, "/w/in/n/b", BECKON_VERDICT_ALLOW },
    { { "allow write_file" }, "/w/b", BECKON_VERDICT_ALLOW },
    { { "allow edit_file {\"path\":\"/w/in/**\"}" }, "/w/b", BECKON_VERDICT_ASK },
    { { "allow edit_file {\"path\":\"/w/in/a\"}" }, "/w/in/b", BECKON_VERDICT_ASK },
    { { "allow edit_file {\"path\":\"/w/in/**\",\"new_text\":\"*\"}" }, "/w/in/b", BECKON_VERDICT_ASK },
    { { "allow delete_files {\"path\":\"/w/**\"}" }, "/w/in/b", BECKON_VERDICT_ASK },
    { { "ask move_files", "allow edit_file {\"path\":\"/w/**\"}" }, "/w/in/b", BECKON_VERDICT_ASK },
    { { "deny move_files", "allow edit_file {\"path\":\"/w/**\"}" }, "/w/in/b", BECKON_VERDICT_DENY },
    { { "allow edit_file {\"path\":\"/w/**\"}", "ask edit_file {\"path\":\"/w/in/b\"}" }, "/w/in/b", BECKON_VERDICT_ASK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const paths[] = { "/w/in/a", cases[i].to, NULL };
      const BeckonEffects effects = { .tool = "move_files", .folder = "/w", .paths = paths, .lands = TRUE };
      g_autoptr (BeckonRuleSet) rules = set_of (cases[i].lines);
      g_autoptr (BeckonJudgement) judgement = beckon_policy_judge (&effects, rules, BECKON_MODE_ASK_EVERYTHING, TRUE, NOW);

      if (judgement->verdict != cases[i].verdict)
        g_error ("case %u: %s", i, beckon_verdict_to_string (judgement->verdict));
    }
}

/* The name of a folder that stands for all in it is none of what is in it. */
static void
test_whole_folders (void)
{
  static const struct
  {
    const char *line;
    BeckonVerdict verdict;
  } cases[] = {
    { "allow delete_files {\"path\":\"/w/**\"}", BECKON_VERDICT_ALLOW },
    { "allow delete_files {\"path\":\"/w/made/**\"}", BECKON_VERDICT_ALLOW },
    { "allow delete_files", BECKON_VERDICT_ALLOW },
    { "allow delete_files {\"path\":\"/w/made\"}", BECKON_VERDICT_ASK },
    { "allow delete_files {\"path\":\"/w/*\"}", BECKON_VERDICT_ASK },
  };
  const char *const paths[] = { "/w/made", NULL };
  const BeckonEffects effects = { .tool = "delete_files", .folder = "/w", .paths = paths, .has_whole_folders = TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRuleSet) rules = set_of ((const char *const[]){ cases[i].line, NULL });
      g_autoptr (BeckonJudgement) judgement = beckon_policy_judge (&effects, rules, BECKON_MODE_ASK_EVERYTHING, TRUE, NOW);

      g_assert_cmpint (judgement->verdict, ==, cases[i].verdict);
    }
}

/* Everything in the folder is not what other programs run by themselves there; that has to be named. */
static void
test_feeds_others (void)
{
  static const char *const lines[] = { "allow write_file {\"path\":\"/w/**\"}", "allow write_file {\"path\":\".envrc\"}", NULL };
  static const char *const plain[] = { "/w/a", NULL };
  static const char *const named[] = { "/w/.envrc", NULL };
  static const char *const hook[] = { "/w/.git/hooks/x", NULL };
  g_autoptr (BeckonRuleSet) rules = set_of (lines);
  const struct
  {
    BeckonEffects effects;
    BeckonVerdict verdict;
  } cases[] = {
    { { .tool = "write_file", .folder = "/w", .paths = plain }, BECKON_VERDICT_ALLOW },
    { { .tool = "write_file", .folder = "/w", .paths = named, .feeds_others = TRUE }, BECKON_VERDICT_ALLOW },
    { { .tool = "write_file", .folder = "/w", .paths = hook, .feeds_others = TRUE }, BECKON_VERDICT_ASK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonJudgement) judgement
          = beckon_policy_judge (&cases[i].effects, rules, BECKON_MODE_ASK_CHANGES, TRUE, NOW);

      g_assert_cmpint (judgement->verdict, ==, cases[i].verdict);
    }
}

/* The folders, conversations and times in which a rule holds. */
static void
test_scope (void)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  BeckonRule *rule = rule_of ("write_file", NULL, BECKON_VERDICT_ALLOW);
  g_autoptr (BeckonRuleSet) set = NULL;
  BeckonEffects right = { .tool = "write_file", .folder = "/w/a", .conversation_id = "c" };
  BeckonEffects wrong[4];
  BeckonVerdict verdict;

  rule->folder = g_strdup ("/w");
  rule->conversation_id = g_strdup ("c");
  rule->expires_at = NOW + 1;
  g_ptr_array_add (rules, rule);
  set = beckon_rule_set_new (rules);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    wrong[i] = right;
  wrong[0].folder = "/world";
  wrong[1].conversation_id = "d";
  wrong[2].server = "files";
  wrong[3].tool = "Write_file";

  g_assert_true (beckon_rule_set_find (set, &right, NULL, NOW, &verdict, NULL) == rule);
  g_assert_null (beckon_rule_set_find (set, &right, NULL, NOW + 1, &verdict, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_null (beckon_rule_set_find (set, &wrong[i], NULL, NOW, &verdict, NULL));
}

/* However other programs write its name, a folder that a rule is for is the one that is meant. */
static void
test_folder_names (void)
{
  static const char *const names[] = { "/w", "/w/", "/w//", "/w/../w/.", "/" };
  BeckonEffects effects = { .tool = "write_file", .folder = "/w/a" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text
          = g_strdup_printf ("[{\"tool\":\"write_file\",\"verdict\":\"deny\",\"folder\":\"%s\"}]", names[i]);
      g_autoptr (JsonNode) node = beckon_json_parse (text, -1, NULL);
      g_autoptr (GPtrArray) rules = beckon_rules_read (json_node_get_array (node), 1, NULL);
      g_autoptr (BeckonRuleSet) set = beckon_rule_set_new (rules);
      BeckonVerdict verdict = BECKON_VERDICT_ALLOW;

      g_assert_nonnull (beckon_rule_set_find (set, &effects, NULL, NOW, &verdict, NULL));
      g_assert_cmpint (verdict, ==, BECKON_VERDICT_DENY);
    }
}

/* A rule for a whole server, and one for a tool of it: the later one of the two decides. */
static void
test_servers (void)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  g_autoptr (BeckonRuleSet) set = NULL;
  BeckonEffects read = { .tool = "read", .server = "files" };
  BeckonEffects write = { .tool = "write", .server = "files" };
  BeckonVerdict verdict;

  g_ptr_array_add (rules, rule_of ("write", NULL, BECKON_VERDICT_ALLOW));
  g_ptr_array_add (rules, rule_of (NULL, NULL, BECKON_VERDICT_DENY));
  g_ptr_array_add (rules, rule_of ("read", NULL, BECKON_VERDICT_ALLOW));
  for (guint i = 0; i < rules->len; i++)
    ((BeckonRule *) g_ptr_array_index (rules, i))->server = g_strdup ("files");
  set = beckon_rule_set_new (rules);

  g_assert_nonnull (beckon_rule_set_find (set, &read, NULL, NOW, &verdict, NULL));
  g_assert_cmpint (verdict, ==, BECKON_VERDICT_ALLOW);
  g_assert_nonnull (beckon_rule_set_find (set, &write, NULL, NOW, &verdict, NULL));
  g_assert_cmpint (verdict, ==, BECKON_VERDICT_DENY);
}

/* A rule that can't be read permits nothing, and keeps what it forbids. */
static void
test_broken (void)
{
  static const char *const broken[] = { "{", "[]", "{\"command\":\"a && b\"}", "{\"command\":1}", "{\"path\":\"**x\"}" };

  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    for (guint deny = 0; deny < 2; deny++)
      {
        g_autofree char *line = g_strdup_printf ("%s run_command %s", deny ? "deny" : "allow", broken[i]);
        const char *lines[] = { line, NULL };
        g_autoptr (BeckonJudgement) judgement = judge_command (lines, "ls");
        g_autoptr (BeckonRule) rule = rule_of ("run_command", broken[i], BECKON_VERDICT_ALLOW);
        g_autoptr (GError) error = NULL;

        g_assert_cmpint (judgement->verdict, ==, deny ? BECKON_VERDICT_DENY : BECKON_VERDICT_ASK);
        g_assert_false (beckon_rule_set_check (rule, &error));
        g_assert_nonnull (error);
      }
}

/* Without anybody to ask, what would be asked is denied, and what is allowed is allowed. */
static void
test_nobody (void)
{
  static const char *const lines[] = { "allow run_command {\"command\":\"ls *\"}", NULL };
  g_autoptr (BeckonRuleSet) rules = set_of (lines);
  BeckonEffects ls = { .tool = "run_command", .command = "ls" };
  BeckonEffects rm = { .tool = "run_command", .command = "rm x" };
  g_autoptr (BeckonJudgement) allowed = beckon_policy_judge (&ls, rules, BECKON_MODE_ASK_CHANGES, FALSE, NOW);
  g_autoptr (BeckonJudgement) denied = beckon_policy_judge (&rm, rules, BECKON_MODE_ASK_CHANGES, FALSE, NOW);

  g_assert_cmpint (allowed->verdict, ==, BECKON_VERDICT_ALLOW);
  g_assert_cmpint (denied->verdict, ==, BECKON_VERDICT_DENY);
  g_assert_nonnull (denied->refusal);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/rules/commands", test_commands);
  g_test_add_func ("/rules/covered", test_covered);
  g_test_add_func ("/rules/carried", test_carried);
  g_test_add_func ("/rules/spellings", test_spellings);
  g_test_add_func ("/rules/hundreds-of-spellings", test_hundreds_of_spellings);
  g_test_add_func ("/rules/escalations", test_escalations);
  g_test_add_func ("/rules/not-too-many", test_not_too_many);
  g_test_add_func ("/rules/last-wins", test_last_wins);
  g_test_add_func ("/rules/last-wins-however-found", test_last_wins_however_found);
  g_test_add_func ("/rules/length", test_length);
  g_test_add_func ("/rules/paths", test_paths);
  g_test_add_func ("/rules/values-and-hosts", test_values_and_hosts);
  g_test_add_func ("/rules/hosts-however-written", test_hosts_however_written);
  g_test_add_func ("/rules/says-so", test_says_so);
  g_test_add_func ("/rules/no-network", test_no_network);
  g_test_add_func ("/rules/feeds-others", test_feeds_others);
  g_test_add_func ("/rules/one-permission-for-changes", test_one_permission_for_changes);
  g_test_add_func ("/rules/permission-to-move", test_permission_to_move);
  g_test_add_func ("/rules/whole-folders", test_whole_folders);
  g_test_add_func ("/rules/scope", test_scope);
  g_test_add_func ("/rules/folder-names", test_folder_names);
  g_test_add_func ("/rules/servers", test_servers);
  g_test_add_func ("/rules/broken", test_broken);
  g_test_add_func ("/rules/nobody", test_nobody);
  return g_test_run ();
}
