/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-adapter.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNEL_OUTBOX (beckon_channel_outbox_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelOutbox, beckon_channel_outbox, BECKON, CHANNEL_OUTBOX, GObject)

/**
 * BeckonChannelOutbox:
 *
 * What leaves by one account: in its order, one at a time, as fast as the adapter's limits allow, again after a failure, and
 * not in quiet hours. Each message is stored before it is sent, and marked before the server is asked. After a restart those
 * that were being sent are sent again, with the same id: twice is better than never. Main thread. Signal `sent`
 * (#BeckonChannelPost): the server has it.
 */
BeckonChannelOutbox *beckon_channel_outbox_new (BeckonStore *store, BeckonChannelAdapter *adapter,
                                                BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/** Begins with what the store has; @posts: (element-type BeckonChannelPost). @account: whom it is sent to. */
void beckon_channel_outbox_load (BeckonChannelOutbox *outbox, BeckonChannelAccount *account, GPtrArray *posts);

/** The account is another now. */
void beckon_channel_outbox_set_account (BeckonChannelOutbox *outbox, BeckonChannelAccount *account);

/** Adds one that the store has already. @post: (transfer full) */
void beckon_channel_outbox_take (BeckonChannelOutbox *outbox, BeckonChannelPost *post);

/** Posts that ask a request and do not show its end: (element-type BeckonChannelPost) (transfer container). @request_id:
 *  (nullable): of any. */
GPtrArray *beckon_channel_outbox_list_asking (BeckonChannelOutbox *outbox, const char *request_id) G_GNUC_WARN_UNUSED_RESULT;

/** Such a post need not show its end any more, or is not sent at all if it was not yet: the caller stores that. */
void beckon_channel_outbox_close (BeckonChannelOutbox *outbox, BeckonChannelPost *post);

/** How many wait to be sent. */
guint beckon_channel_outbox_count_queued (BeckonChannelOutbox *outbox);

/** Why the last try failed, in words; %NULL if it did not. Borrowed. */
const char *beckon_channel_outbox_get_problem (BeckonChannelOutbox *outbox);

/** Whether something was sent since this program began. */
gboolean beckon_channel_outbox_has_sent (BeckonChannelOutbox *outbox);

/** Looks again whether something can be sent. */
void beckon_channel_outbox_wake (BeckonChannelOutbox *outbox);

/** Ends all sending. */
void beckon_channel_outbox_stop (BeckonChannelOutbox *outbox);

G_END_DECLS
