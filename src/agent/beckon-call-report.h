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
 * Told what was changed, the model does not try its own version again. Arguments that were only taken as they are meant are
 * not told, but for what was left out.
 *
 * Returns: (transfer full) (nullable): @result with it; %NULL where there is nothing to tell
 */
char *beckon_call_tell_changes (BeckonTool *tool, BeckonToolCall *call, const char *result);

G_END_DECLS
