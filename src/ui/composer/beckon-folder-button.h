/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FOLDER_BUTTON (beckon_folder_button_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFolderButton, beckon_folder_button, BECKON, FOLDER_BUTTON, AdwBin)

/**
 * BeckonFolderButton:
 *
 * Says in which folder a conversation works, and lets the person choose another: a recent one, one whose path is typed, or one
 * from a dialog. Activates `win.set-folder` (a path), `win.choose-folder` and `win.forget-folder`.
 */

/** @conversation: (nullable) */
void beckon_folder_button_set_conversation (BeckonFolderButton *button, BeckonConversation *conversation);

/** @conversations: a list of #BeckonConversation, from which recent folders are known. */
void beckon_folder_button_set_conversations (BeckonFolderButton *button, GListModel *conversations);

G_END_DECLS
