/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-approval-details.h"
#include "tools/beckon-tool.h"

G_BEGIN_DECLS

/** What a person who is asked about a call is shown of it: its schema and its effects. (transfer full). */
BeckonApprovalDetails *beckon_tool_describe_call (BeckonTool *tool, const BeckonEffects *effects) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
