/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-inbox.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_APPROVAL_CARD (beckon_approval_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonApprovalCard, beckon_approval_card, BECKON, APPROVAL_CARD, AdwBin)

/**
 * BeckonApprovalCard:
 *
 * A tool that waits for a person's leave: its name and where it comes from, why it asks, what it touches, its arguments as a
 * form, as JSON and as what was changed; Run, Run Edited, Deny… and Stop. What is edited is kept as a draft as it is typed.
 */
GtkWidget *beckon_approval_card_new (BeckonInbox *inbox, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Another clock than the system's; before the card is shown. */
void beckon_approval_card_set_clock (BeckonApprovalCard *self, BeckonClock *clock);

/** Runs what the card shows, unless it is folded or cannot run. */
void beckon_approval_card_submit (BeckonApprovalCard *self);

/** Puts the focus into the first thing that can be edited. */
void beckon_approval_card_deny (BeckonApprovalCard *self);
void beckon_approval_card_focus (BeckonApprovalCard *self);

G_END_DECLS
