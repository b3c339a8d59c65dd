/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"
#include "agent/beckon-reply.h"
#include "store/db/beckon-batch.h"

G_BEGIN_DECLS

/**
 * BeckonCallStanding:
 *
 * How the calls of a message stand between two steps of their run.
 */
typedef struct _BeckonCallStanding BeckonCallStanding;

typedef enum
{
  BECKON_CALLS_WORK,
  BECKON_CALLS_WAIT,
  BECKON_CALLS_DONE,
} BeckonCallsStand;

/** Adds a whole reply to @batch, decides its calls, and adds them with the requests of those that wait for a person: nothing of
 *  it shows before it is stored. Returns: (transfer full) (element-type BeckonRequest): the new requests */
GPtrArray *beckon_call_steps_store (BeckonCallBatch *calls, BeckonReply *reply,
                                    BeckonBatch *batch) G_GNUC_WARN_UNUSED_RESULT;

/** The reply is stored: its calls join the message, its requests the inbox. */
void beckon_call_steps_show (BeckonCallBatch *calls, GPtrArray *list, GPtrArray *requests);

/** Finds out how they stand. @calls: with a message, neither checking nor surveying. Caller owns. */
BeckonCallStanding *beckon_call_standing_new (BeckonCallBatch *calls) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_call_standing_free (BeckonCallStanding *self);
BeckonCallsStand    beckon_call_standing_get_stand (const BeckonCallStanding *self);

/** (nullable): the name of the tool that works; borrowed. */
const char *beckon_call_standing_get_tool (const BeckonCallStanding *self);

/** Begins what can begin. */
void beckon_call_standing_carry_on (const BeckonCallStanding *self, BeckonCallBatch *calls);

/** Rules may be newer than the cards that wait: those of an approval that a rule decides now are settled by it. Steps then. */
void beckon_call_steps_follow_rules (BeckonCallBatch *calls);

/** A request of this conversation was settled, by anybody. One that ended without an answer went with its conversation. */
void beckon_call_steps_settled (BeckonCallBatch *calls, BeckonRequest *request, const BeckonSettlement *settlement);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCallStanding, beckon_call_standing_free)

G_END_DECLS
