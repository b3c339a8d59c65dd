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
 * A call that waits for a person's leave: one sentence, what will happen itself (the difference, the command, the address or
 * the arguments), risks; Run, Always…, Edit and Deny…. Its arguments are behind Edit as a form, as JSON and as changes;
 * edits are kept as a draft as they are typed. A call that changes a file runs only on the file that was shown.
 */
GtkWidget *beckon_approval_card_new (BeckonInbox *inbox, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Another clock than the system's; before the card is shown. */
void beckon_approval_card_set_clock (BeckonApprovalCard *self, BeckonClock *clock);

G_END_DECLS
