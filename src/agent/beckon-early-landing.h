/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent.h"
#include "agent/beckon-call-batch.h"
#include "store/db/beckon-batch.h"

G_BEGIN_DECLS

/** As beckon_agent_land_now_async(). @may_ask: %FALSE to land only what may land unseen. @callback: (nullable) */
void          beckon_early_landing_async (BeckonCallBatch *calls, BeckonToolCall *call, gboolean may_ask,
                                          GAsyncReadyCallback callback, gpointer user_data);
BeckonLandNow beckon_early_landing_finish (GAsyncResult *result, GError **error);

/** Drops a landing that was to come while its command ran, unless it was decided. */
void          beckon_early_landing_drop (BeckonToolCall *call, BeckonBatch *batch);

G_END_DECLS
