/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/** The sign of a call that was running, or was about to run, when its person stopped the agent. */
#define BECKON_PLAIN_STOPPED_MARK "■"

/** The sign of how @call, which is over, ended: "✓"; "✗" for what failed, "–" for what was left undone or not saved, "■". */
const char *beckon_plain_call_get_mark (BeckonToolCall *call);

/**
 * beckon_plain_call_dup_summary:
 * @call: a call that is over
 *
 * What it was: its arguments on one line; of a plan its title, and each step with what became of it on a line of its own; of a
 * model's own list how far it is. Nothing in it steers a terminal.
 *
 * Returns: (transfer full): text without a line break at its end; may be empty
 */
char *beckon_plain_call_dup_summary (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): why a call failed, for the person: a sentence of ours, or what its tool said. Results that refuse a call
 *  are for the model alone. */
char *beckon_plain_call_dup_reason (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
