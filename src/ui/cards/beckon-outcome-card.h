/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-request-card.h"

G_BEGIN_DECLS

#define BECKON_TYPE_OUTCOME_CARD (beckon_outcome_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonOutcomeCard, beckon_outcome_card, BECKON, OUTCOME_CARD, BeckonRequestCard)

/**
 * BeckonOutcomeCard:
 *
 * The card of a call that was running when its program ended: what ran, with which arguments and since when. The person says
 * what they found, has it run again as it was, or skips it.
 */

G_END_DECLS
