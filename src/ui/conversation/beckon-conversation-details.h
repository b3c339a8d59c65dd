/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "settings/beckon-settings.h"
#include "store/db/beckon-store.h"
#include "ui/widgets/beckon-sheet.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CONVERSATION_DETAILS (beckon_conversation_details_get_type ())
G_DECLARE_FINAL_TYPE (BeckonConversationDetails, beckon_conversation_details, BECKON, CONVERSATION_DETAILS, BeckonSheet)

/** Shows a conversation's size and usage, as long as the window is open. @conversation: all of it loaded. */
GtkWidget *beckon_conversation_details_new (BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/** Shows the files that the folder brings for the agent, as @store has them, and a switch for all of them. */
void beckon_conversation_details_show_files (GtkWidget *details, BeckonStore *store, BeckonSettings *settings);

G_END_DECLS
