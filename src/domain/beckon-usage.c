/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-usage.h"

#include "base/beckon-text-printf.h"
#include "beckon-config.h"

#include <glib/gi18n-lib.h>

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

/* Sums end here rather than overflow. */
#define MOST (G_MAXINT64 / 4)

static void
usage_add (gint64 *sum, gint64 more)
{
  if (more >= 0)
    *sum = MIN (CLAMP (*sum, 0, MOST) + MIN (more, MOST), MOST);
}

void
beckon_usage_add (BeckonUsage *usage, const BeckonUsage *more)
{
  g_return_if_fail (usage != NULL && more != NULL);

  usage_add (&usage->input, more->input);
  usage_add (&usage->output, more->output);
  usage_add (&usage->cached, more->cached);

  /* A sum that is mixed once stays so. */
  if (more->cost == -1 || usage->cost == BECKON_USAGE_COST_MIXED)
    return;
  if (more->cost == BECKON_USAGE_COST_MIXED || (usage->cost >= 0 && g_strcmp0 (usage->currency, more->currency) != 0))
    {
      usage->cost = BECKON_USAGE_COST_MIXED;
      return;
    }
  usage->currency = more->currency;
  usage_add (&usage->cost, more->cost);
}

static gint64
get_cost (const BeckonUsage *usage, BeckonProfile *profile)
{
  double input = beckon_profile_get_effective_price (profile, BECKON_PRICE_INPUT);
  double cached = beckon_profile_get_effective_price (profile, BECKON_PRICE_CACHED);
  double output = beckon_profile_get_effective_price (profile, BECKON_PRICE_OUTPUT);
  double cost;
  gint64 n_cached;

  if (beckon_profile_get_price_source (profile) == BECKON_FACT_UNKNOWN || (usage->input < 0 && usage->output < 0))
    return -1;
  n_cached = CLAMP (usage->cached, 0, MAX (usage->input, 0));
  cost = (double) (MAX (usage->input, 0) - n_cached) * input + (double) n_cached * (cached > 0 ? cached : input)
         + (double) MAX (usage->output, 0) * output;
  /* Rounded up: what was used is never free. */
  return cost < (double) MOST ? (gint64) (cost + 0.999) : MOST;
}

void
beckon_usage_set_cost (BeckonUsage *usage, BeckonProfile *profile)
{
  g_return_if_fail (usage != NULL);
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  usage->cost = get_cost (usage, profile);
  usage->currency = usage->cost >= 0 ? g_intern_string (beckon_profile_get_effective_currency (profile)) : NULL;
}

char *
beckon_usage_dup_text (const BeckonUsage *usage, const char *currency)
{
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  g_auto (GStrv) pieces = NULL;

  g_return_val_if_fail (usage != NULL, NULL);

  if (usage->input >= 0)
    {
      g_autofree char *sent = g_strdup_printf ("%'" G_GINT64_FORMAT, usage->input);
      g_autofree char *cached = g_strdup_printf ("%'" G_GINT64_FORMAT, usage->cached);
      g_autofree char *input = usage->cached > 0 ? beckon_text_printf (_("%s tokens in (%s cached)"), sent, cached)
                                                 : beckon_text_printf (_("%s tokens in"), sent);

      g_strv_builder_add (parts, input);
    }
  if (usage->output >= 0)
    {
      g_autofree char *count = g_strdup_printf ("%'" G_GINT64_FORMAT, usage->output);
      g_autofree char *output = beckon_text_printf (_("%s out"), count);

      g_strv_builder_add (parts, output);
    }
  if (usage->cost >= 0)
    {
      const char *unit = currency != NULL ? currency : usage->currency;
      g_autofree char *cost = g_strdup_printf ("%.4f %s", (double) usage->cost / 1e6, unit != NULL ? unit : "");

      g_strv_builder_add (parts, g_strchomp (cost));
    }
  pieces = g_strv_builder_end (parts);
  return pieces[0] != NULL ? g_strjoinv (" · ", pieces) : NULL;
}
