/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-builtin-tool.h"

G_BEGIN_DECLS

#define BECKON_PROPOSE_PLAN_NAME "propose_plan"

#define BECKON_TYPE_PROPOSE_PLAN (beckon_propose_plan_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProposePlan, beckon_propose_plan, BECKON, PROPOSE_PLAN, BeckonBuiltinTool)

/**
 * beckon_propose_plan_new:
 *
 * `propose_plan`: lays steps before a person, who changes them; then the agent carries them out, each through the decision
 * that every call goes through. It runs nothing itself: it only makes the request.
 *
 * Returns: (transfer full): the tool
 */
BeckonTool *beckon_propose_plan_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
