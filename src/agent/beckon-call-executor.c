/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-executor.h"

const BeckonCallExecutor *
beckon_call_find_executor (BeckonToolCall *call)
{
  return beckon_tool_call_get_plan (call) != NULL ? &beckon_plan_executor : &beckon_tool_executor;
}
