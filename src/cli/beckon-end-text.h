/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-run-phase.h"

G_BEGIN_DECLS

/** How a program ends whose run ended so. */
int beckon_end_text_get_exit_status (BeckonRunPhase phase);

/**
 * beckon_end_text_describe:
 * @phase: how it ended
 * @detail: (nullable): what goes with it
 * @id: (nullable): the conversation, where the program ends with the run; %NULL where something can be typed then
 *
 * Returns: (transfer full) (nullable): how a run ended, in words, with what can be done then; %NULL for a plain end
 */
char *beckon_end_text_describe (BeckonRunPhase phase, const char *detail, const char *id);

G_END_DECLS
