/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-inbox.h"

G_BEGIN_DECLS

/* Between the list and the settling of the inbox. */

BeckonRequestStore *beckon_inbox_get_store (BeckonInbox *self);
BeckonClock   *beckon_inbox_get_clock (BeckonInbox *self);

/** (nullable) */
BeckonKeepCheck *beckon_inbox_get_keep_check (BeckonInbox *self);

/** Takes a request off the list, settles its object and tells everybody; nothing happens if that was done before. */
void beckon_inbox_leave (BeckonInbox *self, BeckonRequest *request, const BeckonSettlement *settlement);

/** Does to a request in the list what the journal says of it: @stored, or @error if it could not be looked up. */
void beckon_inbox_believe (BeckonInbox *self, const char *request_id, BeckonRequest *stored, const GError *error);

/** Remembers that a request was settled through this inbox. */
void beckon_inbox_note_ours (BeckonInbox *self, BeckonRequest *request);

/** From an answer of ours until what became of it is known; see beckon_inbox_is_settling(). May be nested. */
void beckon_inbox_begin_answer (BeckonInbox *self, const char *request_id);
void beckon_inbox_end_answer (BeckonInbox *self, const char *request_id);

/** While the journal writes a settlement of ours, and no longer, a listing that lacks the request says nothing. May be
 *  nested. */
void beckon_inbox_begin_settling (BeckonInbox *self, const char *request_id);
void beckon_inbox_end_settling (BeckonInbox *self, const char *request_id);

/* Masked answers, on their way to the journal. */

/** Whether an answer that was checked has something in it that must not be stored. */
gboolean beckon_inbox_has_secrets (BeckonRequest *request, const BeckonAnswer *answer);

/** Puts what must not be stored into the vault. Returns the same answer with handles in its place. */
void          beckon_inbox_keep_secrets_async (BeckonInbox *self, BeckonRequest *request, BeckonAnswer *answer,
                                               GCancellable *cancellable, GAsyncReadyCallback callback,
                                               gpointer user_data);
BeckonAnswer *beckon_inbox_keep_secrets_finish (BeckonInbox *self, GAsyncResult *result, GError **error);

/** Takes out of the vault what @answer, which was not taken, has handles of. */
void beckon_inbox_forget_secrets (BeckonInbox *self, BeckonRequest *request, const BeckonAnswer *answer);

G_END_DECLS
