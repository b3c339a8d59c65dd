/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-turn-limits.h"

#include "base/beckon-text-printf.h"
#include "beckon-loop-guard.h"
#include "domain/beckon-usage.h"

#include <glib/gi18n-lib.h>

#define MILLION 1000000.0

#define MAX_CUT 2
#define MAX_CUT_OF_TURN 3

/* --- Spending ------------------------------------------------------------------------------------------------------ */

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

/* --- Length -------------------------------------------------------------------------------------------------------- */

struct _BeckonLengthGuard
{
  BeckonConversation *conversation; /* (owned) */
  gboolean has_person;
  guint limit;       /* of the model that replied last; 0: not known */
  guint n_cut;       /* replies in a row that were broken off within a call */
  guint n_cut_of_turn;
  gboolean repeats;  /* the last reply ended at the limit with a whole call for the third time, and nobody is asked */
};

BeckonLengthGuard *
beckon_length_guard_new (BeckonConversation *conversation, gboolean has_person)
{
  BeckonLengthGuard *guard = g_new0 (BeckonLengthGuard, 1);

  guard->conversation = g_object_ref (conversation);
  guard->has_person = has_person;
  return guard;
}

void
beckon_length_guard_free (BeckonLengthGuard *guard)
{
  g_object_unref (guard->conversation);
  g_free (guard);
}

void
beckon_length_guard_note (BeckonLengthGuard *guard, BeckonReply *reply, guint limit)
{
  GPtrArray *calls = beckon_reply_get_calls (reply);
  BeckonToolCall *last = calls->len > 0 ? g_ptr_array_index (calls, calls->len - 1) : NULL;
  gboolean is_long = beckon_reply_get_end (reply) == BECKON_LLM_END_LENGTH && last != NULL;
  gboolean is_cut = is_long && beckon_tool_call_get_fault (last) != NULL;
  g_autofree char *tokens = limit > 0 ? g_strdup_printf (" of %u tokens", limit) : g_strdup ("");
  g_autofree char *fault = NULL;

  guard->limit = limit;
  guard->repeats = is_long && !is_cut && !guard->has_person
                   && beckon_loop_guard_find (guard->conversation, calls, last) == BECKON_LOOP_SAME;
  guard->n_cut = is_cut ? guard->n_cut + 1 : 0;
  if (!is_cut)
    return;

  guard->n_cut_of_turn++;
  fault = g_strdup_printf ("The reply was broken off at its limit%s, so this call is not whole and was not run. Make it "
                           "shorter: write long content in several calls, each well below the limit.",
                           tokens);
  beckon_tool_call_set_fault (last, fault);
}

static char *
compose_reason (const BeckonLengthGuard *guard)
{
  if (guard->repeats)
    return g_strdup (_("Paused: the model made the very same call for the third time, and its reply ended at its output "
                       "limit. Raise the output limit of the model, or ask for smaller steps."));
  if (guard->limit > 0)
    /* Translators: %u is a number of tokens; the model was calling a tool and its reply broke off */
    return g_strdup_printf (
      ngettext ("Paused: the model’s reply ended more than once in the middle of a call, at its limit of %u token. Raise the "
                "output limit of the model, or ask for smaller steps.",
                "Paused: the model’s reply ended more than once in the middle of a call, at its limit of %u tokens. Raise the "
                "output limit of the model, or ask for smaller steps.",
                guard->limit),
      guard->limit);
  return g_strdup (_("Paused: the model’s reply ended more than once in the middle of a call, at its output limit. Raise "
                     "the output limit of the model, or ask for smaller steps."));
}

char *
beckon_length_guard_take_reason (BeckonLengthGuard *guard)
{
  char *reason;

  if (guard->n_cut < MAX_CUT && guard->n_cut_of_turn < MAX_CUT_OF_TURN && !guard->repeats)
    return NULL;
  reason = compose_reason (guard);
  guard->n_cut = guard->n_cut_of_turn = 0;
  guard->repeats = FALSE;
  return reason;
}
