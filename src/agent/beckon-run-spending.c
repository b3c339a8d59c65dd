/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include <glib/gi18n-lib.h>

/* The person may have said after how much an agent pauses. What counts is the conversation as a whole: it pauses whenever its
 * cost has reached the next multiple of the limit, so that to go on means another such amount. It never pauses before the
 * first round, which the person has just asked for, and never within one. */

#define MILLION 1000000.0

static gint64
sum_cost (BeckonConversation *conversation)
{
  BeckonUsage sum = BECKON_USAGE_INIT;

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    beckon_usage_add (&sum, beckon_message_get_usage (beckon_conversation_get_message (conversation, i)));
  return MAX (sum.cost, 0);
}

void
beckon_run_begin_spending (BeckonRun *run)
{
  gint64 limit = (gint64) (beckon_settings_get_spending_limit (run->parts.settings) * MILLION);

  run->spending_stop = limit > 0 ? (sum_cost (run->conversation) / limit + 1) * limit : 0;
}

gboolean
beckon_run_has_spent_enough (BeckonRun *run)
{
  return run->spending_stop > 0 && sum_cost (run->conversation) >= run->spending_stop;
}

void
beckon_run_pause_spending (BeckonRun *run)
{
  BeckonProfile *profile = beckon_run_get_profile (run);
  const char *currency = profile != NULL ? beckon_profile_get_currency (profile) : "";
  g_autofree char *cost = g_strdup_printf ("%.2f %s", (double) sum_cost (run->conversation) / MILLION, currency);
  /* Translators: an amount of money with its currency */
  g_autofree char *detail
      = g_strdup_printf (_("Paused at your spending limit: this conversation has cost %s so far."), g_strchomp (cost));

  beckon_run_end (run, BECKON_RUN_EVENT_LIMIT, BECKON_MESSAGE_COMPLETE, detail);
}
