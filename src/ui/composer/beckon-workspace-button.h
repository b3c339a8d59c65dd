/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WORKSPACE_BUTTON (beckon_workspace_button_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWorkspaceButton, beckon_workspace_button, BECKON, WORKSPACE_BUTTON, AdwBin)

/** Shows in which folder a conversation works and how much it asks, each with a menu; they activate `win.choose-folder`,
 *  `win.forget-folder` and `win.mode` (a mode's word). */

/** @conversation: (nullable): whose; its changes are followed. */
void beckon_workspace_button_set_conversation (BeckonWorkspaceButton *self, BeckonConversation *conversation);

/** @narrow: icons stand for the words. */
void beckon_workspace_button_set_narrow (BeckonWorkspaceButton *self, gboolean narrow);

/** How wide its words are, whether they are shown or not. */
int beckon_workspace_button_measure_words (BeckonWorkspaceButton *self);

/** How much wider it would be if it were not tight; 0 if it is not. */
int beckon_workspace_button_measure_missing (BeckonWorkspaceButton *self);

/** @tight: there is room for one button only: the folder's, whose menu then has the modes too. */
void beckon_workspace_button_set_tight (BeckonWorkspaceButton *self, gboolean tight);

G_END_DECLS
