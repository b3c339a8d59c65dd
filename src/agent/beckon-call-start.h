/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"
#include "agent/beckon-hook.h"

G_BEGIN_DECLS

/** Starts decided calls, as far as what looks at them lets it. */
void           beckon_call_start_all (BeckonCallBatch *calls, GPtrArray *list);

G_END_DECLS
