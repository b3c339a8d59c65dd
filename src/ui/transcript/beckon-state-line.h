/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_STATE_LINE (beckon_state_line_get_type ())
G_DECLARE_FINAL_TYPE (BeckonStateLine, beckon_state_line, BECKON, STATE_LINE, AdwBin)

/**
 * BeckonStateLine:
 *
 * Says in words what a conversation's last run does or how it ended, with a button where it can go on. The button activates
 * `conversation.continue`.
 */

/** @conversation: (nullable): whose state is shown. */
void beckon_state_line_set_conversation (BeckonStateLine *self, BeckonConversation *conversation);

/** How a run ended, in words; %NULL for a plain end, and while it is not over. @detail: (nullable). Caller frees. */
char *beckon_state_line_describe_end (BeckonRunPhase phase, const char *detail);

G_END_DECLS
