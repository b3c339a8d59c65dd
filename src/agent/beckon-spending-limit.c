/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-spending-limit.h"

#include "base/beckon-text-printf.h"
#include "domain/beckon-costs.h"

#include <glib/gi18n-lib.h>

#define MILLION 1000000.0

struct _BeckonSpendingLimit
{
  BeckonConversation *conversation; /* (owned) */
  gint64 amount;                    /* in millionths; 0: there is no limit */
  BeckonCosts *before;              /* (owned): what the conversation had cost */
};

static BeckonCosts *
sum_costs (BeckonConversation *conversation)
{
  BeckonCosts *costs = beckon_costs_new ();

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    beckon_costs_add (costs, beckon_message_get_usage (beckon_conversation_get_message (conversation, i)));
  return costs;
}

BeckonSpendingLimit *
beckon_spending_limit_new (BeckonConversation *conversation, double amount)
{
  BeckonSpendingLimit *limit = g_new0 (BeckonSpendingLimit, 1);

  limit->conversation = g_object_ref (conversation);
  limit->amount = (gint64) (amount * MILLION);
  limit->before = sum_costs (conversation);
  return limit;
}

void
beckon_spending_limit_free (BeckonSpendingLimit *limit)
{
  beckon_costs_free (limit->before);
  g_object_unref (limit->conversation);
  g_free (limit);
}

/* (nullable): the currency in which the limit is reached. */
static const char *
find_reached (BeckonSpendingLimit *limit, BeckonCosts *costs)
{
  for (guint i = 0; limit->amount > 0 && i < beckon_costs_get_n_currencies (costs); i++)
    {
      const char *currency = beckon_costs_get_currency (costs, i);
      gint64 stop = (beckon_costs_get (limit->before, currency) / limit->amount + 1) * limit->amount;

      if (beckon_costs_get (costs, currency) >= stop)
        return currency;
    }
  return NULL;
}

char *
beckon_spending_limit_dup_reached (BeckonSpendingLimit *limit)
{
  g_autoptr (BeckonCosts) costs = sum_costs (limit->conversation);
  const char *currency = find_reached (limit, costs);
  g_autofree char *cost = NULL;

  if (currency == NULL)
    return NULL;
  cost = g_strdup_printf ("%.2f %s", (double) beckon_costs_get (costs, currency) / MILLION, currency);
  /* Translators: an amount of money with its currency */
  return beckon_text_printf (_("Paused at your spending limit: this conversation has cost %s so far."), g_strchomp (cost));
}
