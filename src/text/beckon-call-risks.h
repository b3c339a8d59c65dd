/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-approval-request.h"

G_BEGIN_DECLS

/**
 * beckon_call_risks_describe:
 * @tool: the tool's name
 * @details: (nullable): of its approval
 *
 * The risks of a call on one line, translated and fit to decide on: "Uses the network · Touches ~/a.txt". Those that the
 * sentence of a tool of the program says already are not repeated.
 *
 * Returns: (transfer full): the line; "" where there are none
 */
char *beckon_call_risks_describe (const char *tool, const BeckonApprovalDetails *details) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_call_risks_describe_all:
 * @requests: (element-type BeckonRequest): approvals that are decided together
 *
 * Returns: (transfer full): a line for each of their risks, with the numbers of the calls where it is not that of all, counted
 *   from 1; "" where there are none
 */
char *beckon_call_risks_describe_all (GPtrArray *requests) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
