/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"

G_BEGIN_DECLS

void beckon_tool_prompt_async (BeckonCallBatch *calls, BeckonToolCall *call, BeckonRequest *request,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
void beckon_tool_prompt_cancel_all (const BeckonRunScope *scope);

G_END_DECLS
