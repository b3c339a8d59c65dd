/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-profile.h"

G_BEGIN_DECLS

/**
 * BeckonUsage:
 * @input: tokens of the prompt, cached ones included; -1 when not reported
 * @output: tokens of the reply, reasoning included; -1 when not reported
 * @cached: tokens of the prompt that came from the provider's cache; -1 when not reported
 * @cost: millionths of @currency, by the prices that the profile had; -1 when there were none, and
 *   %BECKON_USAGE_COST_MIXED for a sum of several currencies
 * @currency: (nullable): the profile's, interned; %NULL is one without a name, or none
 *
 * What one request used, as the provider reported it.
 */
typedef struct
{
  gint64 input;
  gint64 output;
  gint64 cached;
  gint64 cost;
  const char *currency;
} BeckonUsage;

#define BECKON_USAGE_INIT { -1, -1, -1, -1, NULL }

/** Costs in several currencies, which have no sum; see #BeckonCosts. */
#define BECKON_USAGE_COST_MIXED (-2)

/** Adds what is known in @more to what is known in @usage. Costs in different currencies are not added up. */
void beckon_usage_add (BeckonUsage *usage, const BeckonUsage *more);

/** Sets what it costs by the prices of @profile, and in which currency; -1 where nothing has a price or was counted. */
void beckon_usage_set_cost (BeckonUsage *usage, BeckonProfile *profile);

/**
 * beckon_usage_dup_text:
 * @usage: what was used
 * @currency: (nullable): of its cost, if not its own
 *
 * Returns: (transfer full) (nullable): such as "1,234 tokens in (800 cached) · 56 out · 0.0031 USD"; %NULL when nothing is
 *   known
 */
char *beckon_usage_dup_text (const BeckonUsage *usage, const char *currency);

/**
 * BeckonCosts:
 *
 * What several requests cost, a sum for each currency: amounts in different ones are never added up. Pure.
 */
typedef struct _BeckonCosts BeckonCosts;

BeckonCosts *beckon_costs_new (void) G_GNUC_WARN_UNUSED_RESULT;
void         beckon_costs_free (BeckonCosts *costs);

/** Adds what is known to have been paid for @usage, which may be nothing. */
void beckon_costs_add (BeckonCosts *costs, const BeckonUsage *usage);

/** How many currencies there are, and each of them, in the order in which they came; borrowed, "" for one without a name. */
guint       beckon_costs_get_n_currencies (BeckonCosts *costs);
const char *beckon_costs_get_currency (BeckonCosts *costs, guint index);

/** The sum in one of them, in millionths; 0 where there was nothing in it. */
gint64 beckon_costs_get (BeckonCosts *costs, const char *currency);

/** Such as "0.0031 USD + 1.2000 CNY"; %NULL where there is none. Caller frees. */
char *beckon_costs_dup_text (BeckonCosts *costs) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCosts, beckon_costs_free)

G_END_DECLS
