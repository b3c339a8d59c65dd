/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-builtin-tool.h"

G_BEGIN_DECLS

#define BECKON_TYPE_ASK_USER (beckon_ask_user_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAskUser, beckon_ask_user, BECKON, ASK_USER, BeckonBuiltinTool)

/** The tool's own name, and two that models know it by from elsewhere; a call of those is the same call. */
#define BECKON_ASK_USER_NAME "ask_user"
#define BECKON_ASK_USER_ALIASES { "question", "clarify" }

/**
 * BeckonAskUser:
 *
 * `ask_user`: a question to the person. It never runs: its call suspends with a request, and the answer is its result.
 */
BeckonTool *beckon_ask_user_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
