/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-builtin-tool.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CURRENT_TIME (beckon_current_time_get_type ())
G_DECLARE_FINAL_TYPE (BeckonCurrentTime, beckon_current_time, BECKON, CURRENT_TIME, BeckonBuiltinTool)

/**
 * BeckonCurrentTime:
 *
 * `get_current_time`: the date and time, here or in a named time zone. Only reads.
 */
BeckonTool *beckon_current_time_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
