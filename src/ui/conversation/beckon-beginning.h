/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_BEGINNING (beckon_beginning_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBeginning, beckon_beginning, BECKON, BEGINNING, AdwBin)

/**
 * BeckonBeginning:
 *
 * Shown in a conversation without messages: the folders that were worked in last, to begin in, and what was begun there.
 * Activates `win.set-folder` (a path) and `win.show-card` (a conversation's id, "").
 */

/** @conversation: (nullable): the one that begins */
void beckon_beginning_set_conversation (BeckonBeginning *self, BeckonConversation *conversation);

/** A list of #BeckonConversation, from which folders are known. */
void beckon_beginning_set_conversations (BeckonBeginning *self, GListModel *conversations);

G_END_DECLS
