/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include <glib/gi18n-lib.h>

/* The person may have said after how much an agent pauses. What counts is the conversation as a whole: it pauses whenever its
 * cost has reached the next multiple of the limit, so that to go on means another such amount. It never pauses before the
 * first round, which the person has just asked for, and never within one. Each currency counts for itself: the limit is that
 * many dollars and that many yuan, because nobody here knows what one is worth in the other. */

#define MILLION 1000000.0

static BeckonCosts *
sum_costs (BeckonConversation *conversation)
{
  BeckonCosts *costs = beckon_costs_new ();

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    beckon_costs_add (costs, beckon_message_get_usage (beckon_conversation_get_message (conversation, i)));
  return costs;
}

void
beckon_run_begin_spending (BeckonRun *run)
{
  run->spending_limit = (gint64) (beckon_settings_get_spending_limit (run->parts.settings) * MILLION);
  g_clear_pointer (&run->spent_before, beckon_costs_free);
  if (run->spending_limit > 0)
    run->spent_before = sum_costs (run->conversation);
}

/* (nullable): the currency of which there was as much as there may be; %NULL if there is none. */
static const char *
find_spent (BeckonRun *run, BeckonCosts *costs)
{
  for (guint i = 0; i < beckon_costs_get_n_currencies (costs); i++)
    {
      const char *currency = beckon_costs_get_currency (costs, i);
      gint64 stop = (beckon_costs_get (run->spent_before, currency) / run->spending_limit + 1) * run->spending_limit;

      if (beckon_costs_get (costs, currency) >= stop)
        return currency;
    }
  return NULL;
}

gboolean
beckon_run_has_spent_enough (BeckonRun *run)
{
  g_autoptr (BeckonCosts) costs = NULL;

  if (run->spent_before == NULL)
    return FALSE;
  costs = sum_costs (run->conversation);
  return find_spent (run, costs) != NULL;
}

void
beckon_run_pause_spending (BeckonRun *run)
{
  g_autoptr (BeckonCosts) costs = sum_costs (run->conversation);
  const char *currency = find_spent (run, costs);
  g_autofree char *cost = g_strdup_printf ("%.2f %s", (double) beckon_costs_get (costs, currency) / MILLION, currency);
  /* Translators: an amount of money with its currency */
  g_autofree char *detail
      = g_strdup_printf (_("Paused at your spending limit: this conversation has cost %s so far."), g_strchomp (cost));

  beckon_run_end (run, BECKON_RUN_EVENT_LIMIT, BECKON_MESSAGE_COMPLETE, detail);
}
