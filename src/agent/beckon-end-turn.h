/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-reply.h"
#include "agent/beckon-run-scope.h"

G_BEGIN_DECLS

/**
 * BeckonEndTurn:
 *
 * The end of a turn with the questions of its last reply: each call has its result at once, and the answer is the person's next
 * message.
 */
typedef struct _BeckonEndTurn BeckonEndTurn;

/** (nullable): %NULL where @reply, which is whole and has calls, ends no turn; otherwise its calls have their results. Caller
 *  owns. */
BeckonEndTurn *beckon_end_turn_new (const BeckonRunScope *scope, BeckonReply *reply) G_GNUC_WARN_UNUSED_RESULT;
void           beckon_end_turn_free (BeckonEndTurn *self);

/** Adds the rest of the reply, its calls and their requests. */
void beckon_end_turn_write (BeckonEndTurn *self, const BeckonRunScope *scope, BeckonReply *reply, BeckonBatch *batch);

/** (transfer container) (element-type BeckonRequest) */
GPtrArray *beckon_end_turn_list_requests (BeckonEndTurn *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonEndTurn, beckon_end_turn_free)

G_END_DECLS
