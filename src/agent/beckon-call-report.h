/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "tools/beckon-tool.h"

G_BEGIN_DECLS

/**
 * beckon_call_tell_changes:
 * @tool: (nullable): its tool
 * @call: a call that ran
 * @result: what came of it
 *
 * Tells the model what was changed, so that it doesn't retry its own version. Arguments that were only read as meant are
 * not mentioned, except those left out.
 *
 * Returns: (transfer full) (nullable): @result with it; %NULL where there is nothing to tell
 */
char *beckon_call_tell_changes (BeckonTool *tool, BeckonToolCall *call, const char *result);

G_END_DECLS
