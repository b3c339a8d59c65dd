/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-provenance.h"

G_BEGIN_DECLS

/**
 * beckon_plain_log_describe:
 *
 * What happened by a line of the log, in words: "Allowed without asking", "Answered in the window". An event that is not known
 * here, from a newer program, says its own name.
 *
 * Returns: (transfer full): words without a stop, fit to show
 */
char *beckon_plain_log_describe (const BeckonProvenance *line) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_plain_log_explain:
 *
 * What else there is to say of it, a line each: why, who, in which folder, and with which arguments.
 *
 * Returns: (transfer full): the lines, fit to show; "" when there is nothing
 */
char *beckon_plain_log_explain (const BeckonProvenance *line) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
