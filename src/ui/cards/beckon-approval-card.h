/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-request-card.h"

G_BEGIN_DECLS

#define BECKON_TYPE_APPROVAL_CARD (beckon_approval_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonApprovalCard, beckon_approval_card, BECKON, APPROVAL_CARD, BeckonRequestCard)

/**
 * BeckonApprovalCard:
 *
 * A call that waits for a person's leave: one sentence, what will happen itself (the difference, the command, the address or
 * the arguments), risks; Run, Always…, Edit and Deny…. Its arguments are behind Edit as a form, as JSON and as changes;
 * edits are kept as a draft as they are typed. A call that changes a file runs only on the file that was shown.
 */

G_END_DECLS
