/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-builtin-tool.h"

G_BEGIN_DECLS

#define BECKON_UPDATE_PLAN_NAME "update_plan"

#define BECKON_TYPE_UPDATE_PLAN (beckon_update_plan_get_type ())
G_DECLARE_FINAL_TYPE (BeckonUpdatePlan, beckon_update_plan, BECKON, UPDATE_PLAN, BeckonBuiltinTool)

/** `update_plan`: the list of what is done and what is left that a model keeps for the person to see. It does nothing. */
BeckonTool *beckon_update_plan_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
