/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

#define BECKON_TYPE_QUEUED_MESSAGE (beckon_queued_message_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQueuedMessage, beckon_queued_message, BECKON, QUEUED_MESSAGE, GObject)

/**
 * BeckonQueuedMessage:
 *
 * Conversations whose draft is to be sent when the run under way is over, whichever is on screen then. Signals: `due`
 * (BeckonConversation): the turn ended as expected, the draft goes now; `dropped` (BeckonConversation): it failed or was
 * stopped, and the person decides. The conversation has left the outbox by then.
 */
BeckonQueuedMessage *beckon_queued_message_new (void) G_GNUC_WARN_UNUSED_RESULT;

void     beckon_queued_message_add (BeckonQueuedMessage *self, BeckonConversation *conversation);
void     beckon_queued_message_remove (BeckonQueuedMessage *self, BeckonConversation *conversation);
gboolean beckon_queued_message_contains (BeckonQueuedMessage *self, BeckonConversation *conversation);

/** The person stops the run of a conversation that is in the outbox, so that its draft can go: that is expected. */
void beckon_queued_message_expect_stop (BeckonQueuedMessage *self, BeckonConversation *conversation);

G_END_DECLS
