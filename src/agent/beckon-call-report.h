/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/** Told what was changed, the model does not try its own version again. (nullable): %NULL where nobody did. Caller frees. */
char *beckon_call_tell_changes (BeckonToolCall *call, const char *result);

G_END_DECLS
