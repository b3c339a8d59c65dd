/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/**
 * BeckonSpendingLimit:
 *
 * The amount of money after which a run pauses. The cost of the whole conversation counts: the limit is reached at the next
 * multiple of the amount, so that resuming means another such amount. Each currency counts for itself: the limit is that many
 * dollars and that many yuan, because nobody here knows what one is worth in the other. Main thread.
 */
typedef struct _BeckonSpendingLimit BeckonSpendingLimit;

/**
 * beckon_spending_limit_new:
 * @conversation: the conversation, all of it loaded
 * @amount: in units of whatever currency; 0 for no limit
 *
 * Counts from what @conversation has cost up to now.
 *
 * Returns: (transfer full): the limit
 */
BeckonSpendingLimit *beckon_spending_limit_new (BeckonConversation *conversation, double amount) G_GNUC_WARN_UNUSED_RESULT;
void                 beckon_spending_limit_free (BeckonSpendingLimit *limit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSpendingLimit, beckon_spending_limit_free)

/** Why to pause now, in words for the person; %NULL while the limit is not reached. Caller frees. */
char *beckon_spending_limit_dup_reached (BeckonSpendingLimit *limit) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
