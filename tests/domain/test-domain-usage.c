/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "domain/beckon-usage.h"

static BeckonUsage
make (gint64 input, gint64 output, gint64 cost, const char *currency)
{
  BeckonUsage usage = BECKON_USAGE_INIT;

  usage.input = input;
  usage.output = output;
  usage.cost = cost;
  usage.currency = currency;
  return usage;
}

/* Unknown numbers are no zeros: they leave what is known alone. */
static void
test_unknown (void)
{
  BeckonUsage sum = BECKON_USAGE_INIT;
  BeckonUsage more = make (100, -1, -1, NULL);

  beckon_usage_add (&sum, &more);
  g_assert_cmpint (sum.input, ==, 100);
  g_assert_cmpint (sum.output, ==, -1);
  g_assert_cmpint (sum.cached, ==, -1);
  g_assert_cmpint (sum.cost, ==, -1);
  more = make (-1, 20, 0, "USD");
  beckon_usage_add (&sum, &more);
  g_assert_cmpint (sum.input, ==, 100);
  g_assert_cmpint (sum.output, ==, 20);
  g_assert_cmpint (sum.cost, ==, 0);
  g_assert_cmpstr (sum.currency, ==, "USD");
}

/* No sum overflows, however large the numbers of a server are. */
static void
test_bounds (void)
{
  BeckonUsage sum = make (G_MAXINT64, 1, G_MAXINT64, "USD");

  for (guint i = 0; i < 10; i++)
    {
      const BeckonUsage more = make (G_MAXINT64, G_MAXINT64, G_MAXINT64, "USD");

      beckon_usage_add (&sum, &more);
      g_assert_cmpint (sum.input, ==, G_MAXINT64 / 4);
      g_assert_cmpint (sum.output, ==, G_MAXINT64 / 4);
      g_assert_cmpint (sum.cost, ==, G_MAXINT64 / 4);
    }
}

/* Sums of different currencies are mixed, and stay so. */
static void
test_mixed (void)
{
  BeckonUsage sum = make (-1, -1, 5, "USD");
  const BeckonUsage other = make (-1, -1, 5, "CNY");
  const BeckonUsage unnamed = make (-1, -1, 5, NULL);
  const BeckonUsage nothing = BECKON_USAGE_INIT;
  BeckonUsage fresh = BECKON_USAGE_INIT;

  beckon_usage_add (&sum, &nothing);
  g_assert_cmpint (sum.cost, ==, 5);
  beckon_usage_add (&sum, &other);
  g_assert_cmpint (sum.cost, ==, BECKON_USAGE_COST_MIXED);
  beckon_usage_add (&sum, &other);
  g_assert_cmpint (sum.cost, ==, BECKON_USAGE_COST_MIXED);
  beckon_usage_add (&fresh, &sum);
  g_assert_cmpint (fresh.cost, ==, BECKON_USAGE_COST_MIXED);

  sum = make (-1, -1, 5, "USD");
  beckon_usage_add (&sum, &unnamed);
  g_assert_cmpint (sum.cost, ==, BECKON_USAGE_COST_MIXED);
}

static void
test_text (void)
{
  static const struct
  {
    BeckonUsage usage;
    const char *currency;
    const char *text;
  } cases[] = {
    { { -1, -1, -1, -1, NULL }, NULL, NULL },
    { { 0, 0, 0, 0, "USD" }, NULL, "0 tokens in · 0 out · 0.0000 USD" },
    { { 12, -1, -1, -1, NULL }, NULL, "12 tokens in" },
    { { 12, 7, 5, -1, NULL }, NULL, "12 tokens in (5 cached) · 7 out" },
    { { -1, 7, 5, 3100, "USD" }, NULL, "7 out · 0.0031 USD" },
    { { -1, -1, -1, 3100, "USD" }, "EUR", "0.0031 EUR" },
    { { -1, -1, -1, 3100, NULL }, NULL, "0.0031" },
    { { -1, -1, -1, BECKON_USAGE_COST_MIXED, "USD" }, NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = beckon_usage_dup_text (&cases[i].usage, cases[i].currency);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* The cached tokens have a price of their own, and what was used is never free. */
static void
test_cost (void)
{
  static const struct
  {
    double input, cached, output;
    gint64 n_input, n_cached, n_output;
    gint64 cost;
  } cases[] = {
    { 3, 0.3, 15, 1000, 400, 10, 600 * 3 + 120 + 150 },
    { 3, 0, 15, 1000, 400, 0, 3000 },
    { 3, 0.3, 15, 1000, 5000, 0, 300 },
    { 0.1, 0, 0.1, 1, -1, -1, 1 },
    { 3, 0, 15, -1, -1, 2, 30 },
    { 3, 0, 15, -1, -1, -1, -1 },
    { 1000, 0, 15, G_MAXINT64, -1, -1, G_MAXINT64 / 4 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_new ("one", BECKON_PROFILE_CHAT);
      BeckonUsage usage = make (cases[i].n_input, cases[i].n_output, -1, NULL);

      usage.cached = cases[i].n_cached;
      beckon_profile_set_price (profile, BECKON_PRICE_INPUT, cases[i].input);
      beckon_profile_set_price (profile, BECKON_PRICE_CACHED, cases[i].cached);
      beckon_profile_set_price (profile, BECKON_PRICE_OUTPUT, cases[i].output);
      beckon_usage_set_cost (&usage, profile);
      g_assert_cmpint (usage.cost, ==, cases[i].cost);
    }
}

static void
test_currencies (void)
{
  static const BeckonUsage paid[] = {
    { 1, 1, -1, 3100, "USD" },    { 1, 1, -1, -1, NULL },       { 1, 1, -1, 1200000, "CNY" },
    { 1, 1, -1, 100, "USD" },     { 1, 1, -1, 7, NULL },        { 1, 1, -1, BECKON_USAGE_COST_MIXED, "USD" },
  };
  g_autoptr (BeckonCosts) costs = beckon_costs_new ();
  g_autofree char *none = beckon_costs_dup_text (costs);
  g_autofree char *text = NULL;

  g_assert_null (none);
  for (gsize i = 0; i < G_N_ELEMENTS (paid); i++)
    beckon_costs_add (costs, &paid[i]);
  g_assert_cmpuint (beckon_costs_get_n_currencies (costs), ==, 3);
  g_assert_cmpstr (beckon_costs_get_currency (costs, 0), ==, "USD");
  g_assert_cmpstr (beckon_costs_get_currency (costs, 1), ==, "CNY");
  g_assert_cmpstr (beckon_costs_get_currency (costs, 2), ==, "");
  g_assert_cmpint (beckon_costs_get (costs, "USD"), ==, 3200);
  g_assert_cmpint (beckon_costs_get (costs, "EUR"), ==, 0);
  text = beckon_costs_dup_text (costs);
  g_assert_cmpstr (text, ==, "0.0032 USD + 1.2000 CNY + 0.0000");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/domain/usage/unknown", test_unknown);
  g_test_add_func ("/domain/usage/bounds", test_bounds);
  g_test_add_func ("/domain/usage/mixed", test_mixed);
  g_test_add_func ("/domain/usage/text", test_text);
  g_test_add_func ("/domain/usage/cost", test_cost);
  g_test_add_func ("/domain/usage/currencies", test_currencies);
  return g_test_run ();
}
