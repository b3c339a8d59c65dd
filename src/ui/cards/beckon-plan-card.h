/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-request-card.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PLAN_CARD (beckon_plan_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPlanCard, beckon_plan_card, BECKON, PLAN_CARD, BeckonRequestCard)

/**
 * beckon_plan_card_new:
 * @inbox: where answers go
 * @request: the plan that is proposed, or a step of one that waits
 * @call: (nullable): the call that proposed it, whose plan is followed; %NULL where only @request is known
 *
 * A plan: proposed, to be changed and accepted; carried out, with the step that is next and its approval; over.
 *
 * Returns: (transfer floating): the card
 */
GtkWidget *beckon_plan_card_new (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call);

G_END_DECLS
