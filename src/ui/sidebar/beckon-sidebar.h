/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "domain/beckon-conversation.h"
#include "store/db/beckon-store.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SIDEBAR (beckon_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSidebar, beckon_sidebar, BECKON, SIDEBAR, AdwBin)

/**
 * BeckonSidebar:
 *
 * The list of conversations and what waits for the person. Signals: `conversation-activated` (BeckonConversation, boolean):
 * the person chose it; %FALSE when going through the list with the keyboard, where the focus is to stay;
 * `waiting-activated`: the person wants to see what waits; `hit-activated` (conversation id, message id or %NULL, words): the
 * person wants to see what a search found; `menu-opened`: the main menu opens, and wants to know what
 * beckon_sidebar_set_n_runs() says.
 */

/** @conversations: of #BeckonConversation, last written first. @waiting: the inbox, or any list as long as what waits. */
void beckon_sidebar_set_models (BeckonSidebar *self, GListModel *conversations, GListModel *waiting, BeckonClock *clock);

/** Groups conversations by their folders and not by time; once it has models. */
void beckon_sidebar_set_by_folder (BeckonSidebar *self, gboolean by_folder);

/** @conversation: (nullable): marks the one that is shown, wherever the list moves it. Emits nothing. */
void beckon_sidebar_set_current (BeckonSidebar *self, BeckonConversation *conversation);

/** Waiting requests are shown instead of the conversation: their row is marked, and stays without any. */
void beckon_sidebar_set_waiting_shown (BeckonSidebar *self, gboolean shown);

/** The one to show when @conversation goes from the list: the next one, else the one before, else the first; %NULL: none. */
BeckonConversation *beckon_sidebar_get_neighbour (BeckonSidebar *self, BeckonConversation *conversation);

/** How many runs the main menu offers to stop. */
void beckon_sidebar_set_n_runs (BeckonSidebar *self, guint n_runs);

/** Looks at the clock again, as after sleep. */
void beckon_sidebar_refresh (BeckonSidebar *self);

/** @store: an open one, to search in. */
void beckon_sidebar_set_store (BeckonSidebar *self, BeckonStore *store);

/** Puts the focus on the list, where it was there last. */
void beckon_sidebar_focus (BeckonSidebar *self);

/** Lets the person type what to look for. */
void beckon_sidebar_search (BeckonSidebar *self);

/** The same, and looks for @words at once. @words: (nullable). */
void beckon_sidebar_search_for (BeckonSidebar *self, const char *words);

/**
 * The actions on a conversation, for its row and for the header. Every item activates `win.act-on` with the conversation's id
 * and a word: rename, pin, unpin, archive, unarchive, duplicate, export-markdown, export-json, delete. Caller owns.
 */
GMenuModel *beckon_conversation_menu_new (BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
