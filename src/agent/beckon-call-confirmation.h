/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-decision.h"

G_BEGIN_DECLS

gboolean    beckon_call_confirm (BeckonCallBatch *calls, BeckonToolCall *call, BeckonCallDecision *decision);

/** A call that somebody approved does not start: what rules they chose with that are none, if the tool is another one now, or
 *  gone. */
void beckon_call_take_rules_back (const BeckonRunScope *scope, BeckonToolCall *call);

/** (nullable): the stamps of the files that a person's approval of this call is bound to. */
const char *beckon_call_get_bound_files (BeckonToolCall *call);

/** (nullable): what the person was shown and changed. */
const char *beckon_call_get_shown_arguments (BeckonToolCall *call);
const char *beckon_call_find_permit (BeckonToolCall *call);
gboolean    beckon_call_is_decided_by_person (BeckonToolCall *call);

/** Whether it was asked about, and a rule that came later decided. */
gboolean beckon_call_is_decided_by_rule (BeckonToolCall *call);

G_END_DECLS
