/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-inbox.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TRUST_CARD (beckon_trust_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTrustCard, beckon_trust_card, BECKON, TRUST_CARD, AdwBin)

/**
 * BeckonTrustCard:
 *
 * The card of what a folder brings for the agent: each file with what it says, or with what changed since the person was asked
 * last. They use it, or don't.
 */

/** @request: a pending request of that class. */
GtkWidget *beckon_trust_card_new (BeckonInbox *inbox, BeckonRequest *request);

/** For tests; the system's clock by default. */
void beckon_trust_card_set_clock (BeckonTrustCard *self, BeckonClock *clock);

G_END_DECLS
