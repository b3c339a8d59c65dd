/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "domain/beckon-conversation-group.h"
#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CONVERSATION_LIST (beckon_conversation_list_get_type ())
G_DECLARE_FINAL_TYPE (BeckonConversationList, beckon_conversation_list, BECKON, CONVERSATION_LIST, GObject)

/**
 * BeckonConversationList:
 *
 * The conversations as the sidebar shows them: a #GListModel of #BeckonConversation, the pinned ones first, the archived ones
 * apart. Each stands in a group, and those of a group stand together. Main thread. Signals: `regrouped`: groups may be others,
 * as at midnight; `n-archived-changed`.
 */

/** @source: a list of #BeckonConversation, the one that was written to last first. Caller owns. */
BeckonConversationList *beckon_conversation_list_new (GListModel *source, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/** Whether it has the archived ones, or all others. */
gboolean beckon_conversation_list_get_archived (BeckonConversationList *self);
void     beckon_conversation_list_set_archived (BeckonConversationList *self, gboolean archived);

/** Whether groups are folders, the one that was worked in last first, and not times. */
gboolean beckon_conversation_list_get_by_folder (BeckonConversationList *self);
void     beckon_conversation_list_set_by_folder (BeckonConversationList *self, gboolean by_folder);

/** How many archived ones there are. */
guint beckon_conversation_list_get_n_archived (BeckonConversationList *self);

/** The group of the conversation at @position, which must be there. */
BeckonGroup beckon_conversation_list_get_group (BeckonConversationList *self, guint position);

/** Whether it is the first of its group. */
gboolean beckon_conversation_list_begins_group (BeckonConversationList *self, guint position);

/** Shows no more than the first @most, which is at first %G_MAXUINT. */
void beckon_conversation_list_set_most (BeckonConversationList *self, guint most);

/** Finds a conversation; %GTK_INVALID_LIST_POSITION if it is not among them. */
guint beckon_conversation_list_find (BeckonConversationList *self, BeckonConversation *conversation);

/** Looks at times and clock again: a conversation was written to, or the computer slept. */
void beckon_conversation_list_refresh (BeckonConversationList *self);

/** @conversation was written to: looks at all of them again only if that puts it under another heading. */
void beckon_conversation_list_update (BeckonConversationList *self, BeckonConversation *conversation);

G_END_DECLS
