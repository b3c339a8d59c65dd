/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-approval-details.h"
#include "tools/beckon-tool.h"

G_BEGIN_DECLS

/** Describes a call to the person who is asked: its schema and its effects. (transfer full). */
BeckonApprovalDetails *beckon_tool_describe_call (BeckonTool *tool, const BeckonEffects *effects) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
