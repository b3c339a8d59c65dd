/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"
#include "domain/beckon-landing.h"
#include "store/db/beckon-batch.h"

G_BEGIN_DECLS

/** Whether the call is started and its command has ended with changes that are not landed. */
gboolean       beckon_call_has_landing (BeckonToolCall *call);

/** Whether a person is asked about them. */
gboolean       beckon_call_waits_to_land (BeckonToolCall *call);
void           beckon_call_landing_begin (BeckonCallBatch *calls, BeckonToolCall *call, BeckonLanding *landing);
void           beckon_call_land (BeckonCallBatch *calls, BeckonToolCall *call);
BeckonRequest *beckon_call_landing_recover (BeckonCallBatch *calls, BeckonToolCall *call, BeckonBatch *batch);

/** Goes on with what was decided before a stop; %FALSE if there is nothing. */
gboolean       beckon_call_landings_finish (BeckonCallBatch *calls);

/** Drops all changes of the call: its place goes. */
void           beckon_call_landing_drop (const BeckonRunScope *scope, BeckonToolCall *call);

/** Decides the open changes by the rules and the mode, as far as those do. */
void           beckon_call_landing_judge (BeckonCallBatch *calls, BeckonToolCall *call, BeckonLanding *landing);

/** Gives @request, before it is stored, permissions for the ordinary changes of files that it asks about. */
void           beckon_call_landing_offer (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonLanding *landing,
                                          BeckonRequest *request);

/** (transfer full) (nullable): what rules that came since say to all that waits of a call; %NULL where any of it waits on. */
BeckonAnswer  *beckon_call_landing_follow_rules (BeckonCallBatch *calls, BeckonToolCall *call);

/** A line in the provenance. @request: (nullable): by which a person decided */
void           beckon_call_landing_log (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonLanding *landing,
                                        BeckonRequest *request, BeckonBatch *batch);

/** Decides the open changes by a person's answer. @request: (nullable): none leaves them out */
void           beckon_call_landing_apply_answer (BeckonRequest *request, BeckonChangeSet *changes);

/** The two steps of a landing, each to be stored: it is decided, and then landed. Worker threads. */
void           beckon_call_landing_plan (BeckonLanding *landing, gboolean is_temporary);
void           beckon_call_landing_carry_out (BeckonLanding *landing);

G_END_DECLS
