/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"

G_BEGIN_DECLS

void beckon_tool_prompt_async (BeckonCallBatch *calls, BeckonToolCall *call, BeckonTool *tool, BeckonRequest *request,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
void beckon_tool_prompt_cancel_all (const BeckonRunScope *scope);

void beckon_tool_prompt_hand_over (BeckonCallBatch *calls, BeckonToolCall *call, const char *resumption,
                                   GAsyncReadyCallback callback, gpointer user_data);

/** Takes back what a call that is over had asked before its process was gone, and did not ask again. */
void beckon_tool_prompt_end (const BeckonRunScope *scope, BeckonToolCall *call, gboolean is_stopped);

/** The same of all calls that are over, or of which nobody knows; such as one that is refused when its run is taken over. */
void beckon_tool_prompt_end_left (const BeckonRunScope *scope, gboolean is_stopped);

/** Whether what @call had asked in a process that is gone can still be answered. */
gboolean beckon_tool_prompt_can_resume (const BeckonRunScope *scope, BeckonToolCall *call);

/** (nullable): what such a call is sent again from. Caller frees. */
char *beckon_tool_prompt_dup_resumption (const BeckonRunScope *scope, BeckonToolCall *call);

G_END_DECLS
