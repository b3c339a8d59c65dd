/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * The actions on a conversation, for its row and for the header. Every item activates `win.act-on` with the conversation's id
 * and a word: rename, pin, unpin, archive, unarchive, duplicate, export-markdown, export-json, delete. Caller owns.
 */
GMenuModel *beckon_conversation_menu_new (BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/** Opens it at @row; see beckon_context_menu_popup(). */
void beckon_conversation_menu_popup (BeckonConversation *conversation, GtkWidget *parent, GtkWidget *row,
                                     const graphene_point_t *at);

G_END_DECLS
