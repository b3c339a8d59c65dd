/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"

G_BEGIN_DECLS

/** Whether the person lets the tool look what became of a call. */
gboolean beckon_call_is_to_verify (BeckonToolCall *call);

/** Lets it look, once, however often the run steps meanwhile. */
void     beckon_call_verify (BeckonCallBatch *calls, BeckonToolCall *call);

/** (transfer full): asks about a call whose process is gone: what became of it, or whether it is to run. */
BeckonRequest *beckon_call_ask_anew (BeckonCallBatch *calls, BeckonToolCall *call);

G_END_DECLS
