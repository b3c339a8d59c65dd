/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_MODE_BUTTON (beckon_mode_button_get_type ())
G_DECLARE_FINAL_TYPE (BeckonModeButton, beckon_mode_button, BECKON, MODE_BUTTON, AdwBin)

/**
 * BeckonModeButton:
 *
 * Says what a conversation's agent asks about; its menu activates `win.mode` (the mode's word).
 */

/** @conversation: (nullable) */
void beckon_mode_button_set_conversation (BeckonModeButton *button, BeckonConversation *conversation);

/** The mode's name, such as "Ask for changes"; translated, static. */
const char *beckon_mode_button_get_name (BeckonMode mode);

/** The behaviour in that mode, in a sentence or two; translated, static. */
const char *beckon_mode_button_explain (BeckonMode mode);

G_END_DECLS
