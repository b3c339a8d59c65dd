/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cost of one decision with a thousand rules: prints microseconds, the median of batches. */

#include "base/beckon-id.h"
#include "policy/beckon-judgement.h"

#include <stdio.h>
#include <stdlib.h>

#define N_RULES 1000
#define N_BATCHES 31
#define N_EACH 500

static BeckonRule *
make_rule (guint i)
{
  static const char *const tools[] = { "run_command", "write_file", "fetch_url", "read_file" };
  static const char *const patterns[] = {
    "{\"command\":\"program-%u check *\"}",
    "{\"path\":\"/srv/site-%u/**\"}",
    "{\"host\":\"host-%u.example\"}",
    "{\"path\":\"src/part-%u/*.c\"}",
  };
  BeckonRule *rule = beckon_rule_new ();
  g_auto (GStrv) pattern = g_strsplit (patterns[i % 4], "%u", 2);

  rule->id = beckon_id_new ();
  rule->tool = g_strdup (tools[i % 4]);
  rule->arguments = g_strdup_printf ("%s%u%s", pattern[0], i, pattern[1]);
  rule->verdict = i % 3 == 0 ? BECKON_VERDICT_DENY : BECKON_VERDICT_ALLOW;
  return rule;
}

static int
compare (const void *a, const void *b)
{
  double one = *(const double *) a;
  double other = *(const double *) b;

  return (one > other) - (one < other);
}

static double
measure (BeckonRuleSet *rules, const BeckonEffects *effects)
{
  double batches[N_BATCHES];

  for (guint i = 0; i < N_BATCHES; i++)
    {
      gint64 began = g_get_monotonic_time ();

      for (guint j = 0; j < N_EACH; j++)
        beckon_judgement_free (beckon_policy_judge (effects, rules, BECKON_MODE_ASK_CHANGES, TRUE, 1));
      batches[i] = (double) (g_get_monotonic_time () - began) / N_EACH;
    }
  qsort (batches, N_BATCHES, sizeof *batches, compare);
  return batches[N_BATCHES / 2];
}

int
main (void)
{
  const char *const paths[] = { "/home/me/site/src/main.c", NULL };
  const char *const hosts[] = { "www.example.org", NULL };
  const struct
  {
    const char *name;
    BeckonEffects effects;
  } cases[] = {
    { "command", { .tool = "run_command", .command = "git log --oneline -5" } },
    { "line", { .tool = "run_command", .command = "make -j4 && ./program-3 check --all | head -20" } },
    { "path", { .tool = "write_file", .paths = paths, .folder = "/home/me/site" } },
    { "host", { .tool = "fetch_url", .hosts = hosts, .uses_network = TRUE } },
  };
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  g_autoptr (BeckonRuleSet) rules = NULL;

  for (guint i = 0; i < N_RULES; i++)
    g_ptr_array_add (list, make_rule (i));
  rules = beckon_rule_set_new (list);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    printf ("%s %.3f\n", cases[i].name, measure (rules, &cases[i].effects));
  return 0;
}
