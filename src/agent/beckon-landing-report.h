/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * beckon_landing_report:
 * @landing: one that has landed, with the output of its command
 * @request: (nullable): what the person was asked about it
 * @is_asked_for: whether the call said itself what it changes
 *
 * Returns: (transfer full): the result of the call, for the model: the output, and behind it what of the changes is in the
 *   folder and why the rest is not; the output alone where all is there that was asked for
 */
char *beckon_landing_report (const BeckonLanding *landing, BeckonRequest *request,
                             gboolean is_asked_for) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_landing_report_early:
 * @call: a call of a command
 * @with_names: whether files are named
 *
 * Returns: (transfer full): a line, for the model, of what landed while the command still ran; empty if nothing did
 */
char *beckon_landing_report_early (BeckonToolCall *call, gboolean with_names) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_landing_report_undone:
 * @call: a call whose changes were undone, or made again
 * @is_redo: which of both
 *
 * Returns: (transfer full): the call and the files that it concerned, for the model
 */
char *beckon_landing_report_undone (BeckonToolCall *call, gboolean is_redo) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
