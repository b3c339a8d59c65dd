/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-reply.h"
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

/**
 * BeckonLengthGuard:
 *
 * Watches for calls that a model's output limit broke off. The model learns that this is why, since it takes them for whole
 * otherwise and sends the same again. The second reply in a row that ends so pauses the run, and so does the third of a turn:
 * more rounds would end as these. A whole call for the third time at the limit is as bad; where a person is, the person is
 * asked about it. Main thread.
 */
typedef struct _BeckonLengthGuard BeckonLengthGuard;

/**
 * beckon_length_guard_new:
 * @conversation: whose replies it watches
 * @has_person: whether a person can be asked about repeated calls
 *
 * Returns: (transfer full): a guard for one turn
 */
BeckonLengthGuard *beckon_length_guard_new (BeckonConversation *conversation, gboolean has_person) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_length_guard_free (BeckonLengthGuard *guard);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLengthGuard, beckon_length_guard_free)

/**
 * beckon_length_guard_note:
 * @guard: the guard
 * @reply: a reply that has ended and is not among the messages yet; a call that was broken off gets its fault
 * @limit: how many tokens a reply of its model may have; 0 when that is not known
 */
void beckon_length_guard_note (BeckonLengthGuard *guard, BeckonReply *reply, guint limit);

/** Why to pause before another round, in words for the person, and counts anew; %NULL if there is no reason. Caller frees. */
char *beckon_length_guard_take_reason (BeckonLengthGuard *guard) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
