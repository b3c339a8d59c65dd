/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-costs.h"

struct _BeckonCosts
{
  GArray *sums; /* (element-type BeckonUsage): nothing but costs, one for each currency */
};

BeckonCosts *
beckon_costs_new (void)
{
  BeckonCosts *self = g_new0 (BeckonCosts, 1);

  self->sums = g_array_new (FALSE, FALSE, sizeof (BeckonUsage));
  return self;
}

void
beckon_costs_free (BeckonCosts *costs)
{
  g_array_unref (costs->sums);
  g_free (costs);
}

static BeckonUsage *
costs_find (BeckonCosts *self, const char *currency)
{
  for (guint i = 0; i < self->sums->len; i++)
    {
      BeckonUsage *sum = &g_array_index (self->sums, BeckonUsage, i);

      if (g_str_equal (sum->currency, currency))
        return sum;
    }
  return NULL;
}

void
beckon_costs_add (BeckonCosts *costs, const BeckonUsage *usage)
{
  const char *currency = usage->currency != NULL ? usage->currency : "";
  BeckonUsage only_cost = BECKON_USAGE_INIT;
  BeckonUsage *sum;

  g_return_if_fail (costs != NULL);

  if (usage->cost < 0)
    return;
  only_cost.cost = usage->cost;
  only_cost.currency = g_intern_string (currency);
  sum = costs_find (costs, currency);
  if (sum != NULL)
    beckon_usage_add (sum, &only_cost);
  else
    g_array_append_val (costs->sums, only_cost);
}

guint
beckon_costs_get_n_currencies (BeckonCosts *costs)
{
  return costs->sums->len;
}

const char *
beckon_costs_get_currency (BeckonCosts *costs, guint index)
{
  g_return_val_if_fail (index < costs->sums->len, NULL);

  return g_array_index (costs->sums, BeckonUsage, index).currency;
}

gint64
beckon_costs_get (BeckonCosts *costs, const char *currency)
{
  const BeckonUsage *sum = costs_find (costs, currency);

  return sum != NULL ? sum->cost : 0;
}

char *
beckon_costs_dup_text (BeckonCosts *costs)
{
  GString *text;

  if (costs->sums->len == 0)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < costs->sums->len; i++)
    {
      g_autofree char *amount = beckon_usage_dup_text (&g_array_index (costs->sums, BeckonUsage, i), NULL);

      g_string_append_printf (text, "%s%s", i > 0 ? " + " : "", amount);
    }
  return g_string_free (text, FALSE);
}
