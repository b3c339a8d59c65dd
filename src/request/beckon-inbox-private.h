/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-inbox.h"

G_BEGIN_DECLS

/* Between the list and the settling of the inbox. */

BeckonJournal *beckon_inbox_get_journal (BeckonInbox *self);
BeckonClock   *beckon_inbox_get_clock (BeckonInbox *self);

/** Takes a request off the list, settles its object and tells everybody; nothing happens if that was done before. */
void beckon_inbox_leave (BeckonInbox *self, BeckonRequest *request, BeckonRequestState state, BeckonAnswer *answer,
                         const char *front_end, const char *actor, gint64 at);

/** Does to a request in the list what the journal says of it: @stored, or @error if it could not be looked up. */
void beckon_inbox_believe (BeckonInbox *self, const char *request_id, BeckonRequest *stored, const GError *error);

/** While a settlement of ours is under way, a listing that lacks the request says nothing. May be nested. */
void beckon_inbox_begin_settling (BeckonInbox *self, const char *request_id);
void beckon_inbox_end_settling (BeckonInbox *self, const char *request_id);

G_END_DECLS
