/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-run-scope.h"

G_BEGIN_DECLS

/**
 * beckon_call_tell_changes:
 * @scope: what the run is given
 * @call: a call that ran
 * @result: what came of it
 *
 * Tells the model what was changed, so that it doesn't retry its own version, and that it repeats itself. Arguments that were
 * only read as meant are not mentioned, except those under other names and those left out.
 *
 * Returns: (transfer full) (nullable): @result with it; %NULL where there is nothing to tell
 */
char *beckon_call_tell_changes (const BeckonRunScope *scope, BeckonToolCall *call, const char *result);

G_END_DECLS
