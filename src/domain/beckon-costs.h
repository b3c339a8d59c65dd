/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-usage.h"

G_BEGIN_DECLS

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
