/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

#define BECKON_TYPE_OUTBOX (beckon_outbox_get_type ())
G_DECLARE_FINAL_TYPE (BeckonOutbox, beckon_outbox, BECKON, OUTBOX, GObject)

/**
 * BeckonOutbox:
 *
 * Conversations whose draft is to be sent when the run under way is over, whichever is on screen then. Signals: `due`
 * (BeckonConversation): the turn ended as expected, the draft goes now; `dropped` (BeckonConversation): it failed or was
 * stopped, and the person decides. The conversation has left the outbox by then.
 */
BeckonOutbox *beckon_outbox_new (void) G_GNUC_WARN_UNUSED_RESULT;

void     beckon_outbox_add (BeckonOutbox *self, BeckonConversation *conversation);
void     beckon_outbox_remove (BeckonOutbox *self, BeckonConversation *conversation);
gboolean beckon_outbox_contains (BeckonOutbox *self, BeckonConversation *conversation);

/** The person stops the run of a conversation that is in the outbox, so that its draft can go: that is expected. */
void beckon_outbox_expect_stop (BeckonOutbox *self, BeckonConversation *conversation);

G_END_DECLS
