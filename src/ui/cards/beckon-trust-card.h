/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-request-card.h"

G_BEGIN_DECLS

#define BECKON_TYPE_TRUST_CARD (beckon_trust_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTrustCard, beckon_trust_card, BECKON, TRUST_CARD, BeckonRequestCard)

/**
 * BeckonTrustCard:
 *
 * The card of what a folder brings for the agent: each file with what it says, or with what changed since the person was asked
 * last. They use it, or don't.
 */

G_END_DECLS
